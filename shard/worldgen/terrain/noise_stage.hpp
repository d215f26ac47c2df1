#pragma once

#include <cstdint>
#include <vector>

#include "shard/worldgen/base/proto_chunk.hpp"
#include "shard/worldgen/terrain/aquifer.hpp"
#include "shard/worldgen/terrain/beardifier.hpp"
#include "shard/worldgen/terrain/density.hpp"

namespace horizon::worldgen {

/// Fills chunks with rock, fluids, air and large ore veins from the dimension's density. Belongs to one worker; no
/// allocation per chunk after the first.
class NoiseStage {
 public:
  NoiseStage(const DensityProgram& program, const TerrainSettings& settings);

  /// REQUIRES: the chunk is all air. Sets the two worldgen heightmaps.
  void fill(ProtoChunk& chunk, const Beardifier& beardifier);
  /// Makes aquifer() answer for a chunk that was filled some time ago (carvers ask it).
  void begin_aquifer(ChunkPos chunk);
  Aquifer& aquifer() { return aquifer_; }
  FlatColumns& flats() { return flats_; }
  const TerrainSettings& settings() const { return settings_; }

  /// The states of one column from the lowest up, without structures (the game's getBaseColumn).
  void column(std::int32_t x, std::int32_t z, std::vector<BlockState>& states);
  /// The game's getBaseHeight.
  std::int32_t first_free_height(std::int32_t x, std::int32_t z, HeightKind kind);

 private:
  struct Bounds {
    double min, max;
  };
  void fill_corners(std::int32_t min_x, std::int32_t min_z, std::int32_t cells);
  /// Bounds of a node within one cell.
  Bounds bounds(NodeId id, std::int32_t cell_x, std::int32_t cell_y, std::int32_t cell_z);
  /// Evaluates the density of a column of blocks and writes its states through `put(y, state)`. `beardifier` may be
  /// null.
  template <typename Put>
  void fill_column(std::int32_t x, std::int32_t z, std::int32_t corner_x, std::int32_t corner_z,
                   const Beardifier* beardifier, const std::uint8_t* cells, Put&& put);
  BlockState vein_or_rock(std::int32_t x, std::int32_t y, std::int32_t z, double toggle, std::int32_t lane);
  void decide_cells(std::int32_t cell_x, std::int32_t cell_z, const Beardifier* beardifier, std::int32_t min_x,
                    std::int32_t min_z, std::uint8_t* cells);

  const DensityProgram* program_;
  TerrainSettings settings_;
  FlatColumns flats_;
  DensityEvaluator corners_eval_, blocks_eval_, veins_eval_;
  Aquifer aquifer_;
  PositionalRandom ore_random_;
  CellCorners corners_;
  std::int32_t cells_y_;
  FlatWindow window_;
  std::vector<std::int32_t> corner_ys_;
  std::vector<Bounds> bounds_;
  std::vector<std::uint32_t> bounds_known_;
  std::uint32_t bounds_stamp_ = 0;
};

}  // namespace horizon::worldgen
