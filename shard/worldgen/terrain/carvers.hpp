#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/terrain/noise_stage.hpp"
#include "shard/worldgen/terrain/surface.hpp"

namespace horizon::worldgen {

/// The carvers of a dimension's biomes: caves and canyons that start in chunks around and cut through this one.
/// Immutable; safe from any thread.
class Carvers {
 public:
  /// `biomes`: those whose carvers are needed. Throws FigureError naming the definition.
  Carvers(const Figures& figures, const std::vector<BiomeId>& biomes, std::int64_t seed);

  /// What one call works with; belongs to a worker.
  struct Work {
    ProtoChunk& chunk;
    NoiseStage& noise;  ///< its aquifer stands at this chunk
    const SurfaceRules& surface;
    BiomeWindow& biomes;  ///< the source's own answers, not the stored ones
    const BiomeZoom& zoom;
    std::vector<bool>& mask;  ///< scratch: blocks that a carver has looked at
  };
  /// `biome_of` gives the biome at the corner of a chunk at y 0.
  template <typename BiomeOf>
  void carve(Work& work, BiomeOf&& biome_of) const {
    work.mask.assign(work.chunk.raw().size(), false);
    for (std::int32_t dx = -kReach; dx <= kReach; ++dx) {
      for (std::int32_t dz = -kReach; dz <= kReach; ++dz) {
        const ChunkPos source{work.chunk.pos().x + dx, work.chunk.pos().z + dz};
        carve_from(work, source, biome_of(source));
      }
    }
  }

  static constexpr std::int32_t kReach = 8;  ///< chunks

 private:
  struct Config;
  void carve_from(Work& work, ChunkPos source, BiomeId biome) const;
  void carve_cave(Work& work, const Config& config, Random& random, ChunkPos source) const;
  void carve_canyon(Work& work, const Config& config, Random& random, ChunkPos source) const;

  std::int64_t seed_;
  std::vector<std::shared_ptr<const Config>> configs_;
  std::vector<std::vector<std::int32_t>> by_biome_;  ///< by BiomeId
};

}  // namespace horizon::worldgen
