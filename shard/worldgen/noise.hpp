#pragma once

#include <array>
#include <cstdint>

namespace horizon::shard {

/// Gradient noise on a permuted lattice (Perlin 2002), -1 to 1. Immutable, safe from any thread.
class GradientNoise {
 public:
  explicit GradientNoise(std::uint64_t seed);
  double at(double x, double y, double z) const;
  /// `octaves` layers, each half as wide and half as strong.
  double octaves(double x, double y, double z, int octaves) const;

 private:
  std::array<std::uint8_t, 512> permutation_;
};

}  // namespace horizon::shard
