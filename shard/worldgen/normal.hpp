#pragma once

#include <array>
#include <cstdint>

#include "shard/worldgen/generator.hpp"
#include "shard/worldgen/noise.hpp"

namespace horizon::shard {

/// Hills, plains, seas and caves out of noise. Not vanilla's terrain.
///
/// Density is computed at the corners of cells of 4×8×4 blocks and interpolated; caves are carved where
/// another noise is near zero; air below sea level and above the ground is water.
class NormalGenerator final : public ChunkGenerator {
 public:
  static constexpr std::int32_t kSeaLevel = 63;

  explicit NormalGenerator(std::int64_t seed);
  world::Chunk generate(ChunkPos pos) const override;
  BlockPos spawn() const override { return spawn_; }

 private:
  struct Blocks {
    BlockState stone, deepslate, dirt, grass, sand, water, bedrock, gravel;
  };
  struct Biomes {
    std::uint16_t plains, forest, ocean, beach, windswept;
  };
  /// The ground's height before caves and overhangs.
  double base_height(double x, double z) const;
  BlockPos find_spawn() const;

  GradientNoise continents_;
  GradientNoise hills_;
  GradientNoise detail_;
  GradientNoise caves_;
  GradientNoise forests_;
  std::uint64_t seed_;
  Blocks blocks_;
  Biomes biomes_;
  BlockPos spawn_;
};

}  // namespace horizon::shard
