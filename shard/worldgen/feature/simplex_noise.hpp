#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shard/worldgen/base/random.hpp"
#include "shard/worldgen/terrain/noise.hpp"

namespace horizon::worldgen {

/// Octaves of two-dimensional simplex noise, as the biomes' temperature and the density of flowers follow.
/// Immutable.
class PerlinSimplexNoise {
 public:
  /// Draws from `random` for every octave from 0 down to the lowest, given or not. REQUIRES: the highest is 0
  /// (the game uses no other).
  PerlinSimplexNoise(Random& random, std::span<const std::int32_t> octaves);
  double get(double x, double y, bool use_offsets) const;

 private:
  struct Octave {
    SimplexNoise noise;
    double x_offset, y_offset;
    double input_factor, value_factor;
  };
  std::vector<Octave> octaves_;  ///< highest frequency first
};

/// The noise by which plants are denser here and rarer there, the same in every world.
const PerlinSimplexNoise& biome_info_noise();

}  // namespace horizon::worldgen
