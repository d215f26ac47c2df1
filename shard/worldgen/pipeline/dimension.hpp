#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "shard/worldgen/base/biome_climate.hpp"
#include "shard/worldgen/biome/biome_source.hpp"
#include "shard/worldgen/biome/biome_zoom.hpp"
#include "shard/worldgen/feature/feature.hpp"
#include "shard/worldgen/structure/structure_set.hpp"
#include "shard/worldgen/structure/templates.hpp"
#include "shard/worldgen/terrain/carvers.hpp"
#include "shard/worldgen/terrain/noise_stage.hpp"
#include "shard/worldgen/terrain/surface.hpp"

namespace horizon::worldgen {

/// What a dimension is made from.
struct DimensionOptions {
  DimensionId id = DimensionId::kOverworld;
  std::int64_t seed = 0;
  /// Name of a noise_settings: "overworld", "large_biomes", "amplified", "nether", "end".
  std::string settings = "overworld";
  /// A data pack's biome_source; null: the dimension's own.
  Json biome_source;
  bool has_structures = true;
};

/// The heights of a dimension.
Heights heights_of(DimensionId id);
/// "overworld", "the_nether", "the_end".
std::string_view name_of(DimensionId id);

/// Everything of a dimension that chunks are made from: compiled once, immutable, shared by all workers.
class Dimension {
 public:
  /// `figures` and `templates` (may be null) must outlive it. Throws FigureError naming the definition.
  Dimension(const Figures& figures, const DimensionOptions& options, const TemplateSource* templates);
  ~Dimension();

  const DimensionOptions& options() const { return options_; }
  Heights heights() const { return heights_of(options_.id); }
  const TerrainSettings& terrain() const { return terrain_; }
  const DensityProgram& program() const { return program_; }
  const BiomeSource& biome_source() const { return biome_source_; }
  const BiomeZoom& zoom() const { return zoom_; }
  const SurfaceRules& surface() const { return *surface_; }
  const Carvers& carvers() const { return carvers_; }
  const FeatureSet& features() const { return *features_; }
  /// Null without structures.
  StructureIndex* structures() const { return structures_.get(); }
  const TerrainProbe& probe() const;
  /// Climates that suit a new world's spawn (the noise settings' spawn_target); may be empty.
  const Json& spawn_targets() const { return spawn_targets_; }

 private:
  class Probe;
  DimensionOptions options_;
  Json spawn_targets_;
  TerrainSettings terrain_;
  DensityProgram program_;
  BiomeSource biome_source_;
  BiomeZoom zoom_;
  BiomeClimates climates_;
  std::unique_ptr<SurfaceRules> surface_;
  Carvers carvers_;
  std::unique_ptr<FeatureSet> features_;
  std::unique_ptr<Probe> probe_;
  std::unique_ptr<StructureIndex> structures_;
};

/// Takes chunks of one dimension through the stages. Belongs to one thread; keeps scratch memory and caches between
/// chunks.
class StageWorker {
 public:
  explicit StageWorker(const Dimension& dimension);
  ~StageWorker();

  /// Brings a chunk from where it is to `stage`, at most the carvers: those stages need nothing of its neighbours.
  void advance(ProtoChunk& chunk, Stage stage);
  /// Decorates the chunk in the middle. REQUIRES: all nine at the carvers or later, the centre at the carvers.
  void decorate(const std::array<ProtoChunk*, 9>& chunks);

 private:
  class StoredBiomes;
  class SourceBiomes;
  const std::vector<BiomeId>& biomes_of(ChunkPos chunk);
  BiomeId carver_biome(ChunkPos chunk);

  const Dimension* dimension_;
  NoiseStage noise_;
  BiomeSource::Sampler sampler_;
  std::vector<bool> carver_mask_;
  struct CachedBiomes {
    ChunkPos pos{INT32_MIN, INT32_MIN};
    std::vector<BiomeId> biomes;
  };
  struct CachedBiome {
    ChunkPos pos{INT32_MIN, INT32_MIN};
    BiomeId biome = 0;
  };
  std::vector<CachedBiomes> biome_cache_;
  std::vector<CachedBiome> carver_biomes_;
};

}  // namespace horizon::worldgen
