#pragma once

#include <vector>

#include "shard/worldgen/base/figures.hpp"
#include "shard/worldgen/base/region.hpp"

namespace horizon::worldgen {

/// Warmth and rain of the biomes: where water freezes and snow falls. Immutable; safe from any thread.
class BiomeClimates {
 public:
  explicit BiomeClimates(const Figures& figures);

  /// The temperature at a block: the biome's, changed by its modifier, and colder high above the sea.
  float temperature(BiomeId biome, BlockPos p, std::int32_t sea_level) const;
  bool has_precipitation(BiomeId biome) const;
  bool warm_enough_to_rain(BiomeId biome, BlockPos p, std::int32_t sea_level) const;
  bool cold_enough_to_snow(BiomeId biome, BlockPos p, std::int32_t sea_level) const;
  /// Whether the water at `p` turns to ice. `must_be_at_edge`: only beside something else than water. The
  /// biome is the one at `p`.
  bool should_freeze(const Region& region, BlockPos p, bool must_be_at_edge) const;
  /// Whether a layer of snow falls at `p`.
  bool should_snow(const Region& region, BlockPos p) const;
  /// The same for callers that asked another place for the biome, as the freezing of the top layer does.
  bool should_freeze(BiomeId biome, const Region& region, BlockPos p, bool must_be_at_edge) const;
  bool should_snow(BiomeId biome, const Region& region, BlockPos p) const;

 private:
  struct Climate {
    float temperature = 0.5F;
    float downfall = 0.5F;
    bool has_precipitation = true;
    bool is_frozen_in_patches = false;  ///< temperature_modifier "frozen"
  };
  std::vector<Climate> climates_;  ///< by BiomeId
};

/// Those of Figures::builtin().
const BiomeClimates& builtin_climates();

}  // namespace horizon::worldgen
