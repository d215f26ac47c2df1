#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "shard/worldgen/base/biome_climate.hpp"
#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/biome/biome_zoom.hpp"
#include "shard/worldgen/biome/multi_noise.hpp"
#include "shard/worldgen/terrain/aquifer.hpp"

namespace horizon::worldgen {

/// Stored biomes around a chunk in quart cells, for the zoom (which looks one cell past the chunk).
class BiomeWindow {
 public:
  virtual ~BiomeWindow() = default;
  virtual BiomeId at(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) = 0;
};

/// A dimension's surface rules, compiled: what replaces the bare rock at the top, under water, at cave floors and
/// ceilings, and bedrock. Immutable; safe from any thread.
class SurfaceRules {
 public:
  /// `rule` is a noise_settings' surface_rule. Throws FigureError.
  SurfaceRules(const Json& rule, const TerrainSettings& settings, DensityProgram& program,
               const BiomeClimates& climates);
  ~SurfaceRules();

  /// Covers a chunk of the noise stage.
  void apply(ProtoChunk& chunk, BiomeWindow& biomes, const BiomeZoom& zoom, FlatColumns& flats) const;
  /// What would lie at `p` if it were the top of the ground (carvers put grass back): nullopt where no rule fits.
  std::optional<BlockState> top_material(const ProtoChunk& chunk, BiomeWindow& biomes, const BiomeZoom& zoom,
                                         FlatColumns& flats, BlockPos p, bool is_under_fluid) const;

 private:
  struct Rule;
  struct Condition;
  struct Column;
  /// A rule of the top-level sequence that depends on the position alone: a vertical gradient before a block.
  struct Gradient {
    std::int32_t condition;
    BlockState state;
  };
  void find_gradients();
  /// The rest of a column below the surface rules' reach.
  void apply_gradients(ProtoChunk& chunk, std::int32_t x, std::int32_t z, std::int32_t from_y) const;
  bool gradient_holds(const Condition& condition, std::int32_t x, std::int32_t y, std::int32_t z) const;
  std::int32_t compile_rule(const Json& json, DensityProgram& program);
  std::int32_t compile_condition(const Json& json, DensityProgram& program);
  std::optional<BlockState> run(std::int32_t rule, Column& column) const;
  bool test(std::int32_t condition, Column& column) const;
  void begin_column(Column& column, std::int32_t x, std::int32_t z) const;
  std::int32_t min_surface_level(Column& column) const;
  BlockState band(std::int32_t x, std::int32_t y, std::int32_t z) const;
  void extend_eroded_badlands(ProtoChunk& chunk, std::int32_t x, std::int32_t z, std::int32_t height) const;
  void extend_frozen_ocean(ProtoChunk& chunk, Column& column, BiomeId biome, std::int32_t x, std::int32_t z,
                           std::int32_t height) const;

  TerrainSettings settings_;
  const BiomeClimates* climates_;
  PositionalRandom random_;
  std::vector<Rule> rules_;
  std::vector<Condition> conditions_;
  std::int32_t root_ = -1;
  /// Whether everything but gradients_ asks for above_preliminary_surface first: then far fewer rules count below it.
  bool has_deep_shortcut_ = false;
  std::vector<Gradient> gradients_;
  const NormalNoise *surface_, *secondary_, *band_offset_, *badlands_pillar_, *badlands_roof_, *badlands_surface_,
      *iceberg_pillar_, *iceberg_roof_, *iceberg_surface_;
  std::array<BlockState, 192> bands_{};
  BiomeId eroded_badlands_, frozen_ocean_, deep_frozen_ocean_;
};

}  // namespace horizon::worldgen
