#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shard/worldgen/base/proto_chunk.hpp"
#include "shard/worldgen/terrain/density.hpp"

namespace horizon::worldgen {

/// Figures of a dimension's terrain, from its noise_settings.
struct TerrainSettings {
  Heights generated;  ///< what terrain is made in
  std::int32_t cell_width = 4, cell_height = 8;
  BlockState default_block = 0, default_fluid = 0;
  std::int32_t sea_level = 63;
  bool has_aquifers = false, has_ore_veins = false, is_legacy = false;
  /// Throws FigureError. `dimension`: terrain is clamped to it.
  static TerrainSettings parse(const Json& settings, Heights dimension);
};

/// Decides between rock, air, water and lava where the density leaves room: underground lakes at levels of their own,
/// held in by barriers of rock; without aquifers just the sea and the lava at the bottom.
///
/// Belongs to one worker; begin() starts a chunk. Source: the game's aquifers, "noise based".
class Aquifer {
 public:
  Aquifer(const DensityProgram& program, const TerrainSettings& settings, FlatColumns& flats);

  void begin(ChunkPos chunk, FlatWindow window);
  /// The fluid or air at a block whose density is `density`; nullopt: rock.
  std::optional<BlockState> at(std::int32_t x, std::int32_t y, std::int32_t z, double density);
  /// Whether the last at() gave a fluid that will flow once the chunk lives.
  bool flows() const { return flows_; }
  /// Above this y only the sea and air are possible: the exact density does not matter there.
  std::int32_t skip_above_y() const { return skip_above_y_; }

 private:
  struct Fluids {
    std::int32_t level = 0;
    BlockState type = 0;
    bool operator==(const Fluids&) const = default;
    BlockState at(std::int32_t y) const { return y < level ? type : blocks::kAir; }
  };
  struct Centre {
    std::int32_t x, y, z;
    bool is_known, has_fluids;
    Fluids fluids;
  };
  /// The four centres of one grid layer that a column can be near to: in the order x, z.
  struct Layer {
    std::array<std::int32_t, 4> flat_distance, y;  ///< squared distance in x and z; height of the centre
  };

  Fluids global(std::int32_t y) const {
    return y < lava_top_ ? Fluids{-54, blocks::kLava} : Fluids{settings_.sea_level, settings_.default_fluid};
  }
  std::size_t index(std::int32_t grid_x, std::int32_t grid_y, std::int32_t grid_z) const {
    return static_cast<std::size_t>(((grid_y - min_grid_y_) * size_z_ + (grid_z - min_grid_z_)) * size_x_ +
                                    (grid_x - min_grid_x_));
  }
  const Fluids& fluids_of(std::size_t centre);
  /// The layers of the column at (x, z), prepared as far as asked for.
  const Layer& layer(std::int32_t grid_y);
  Fluids compute(const Centre& centre);
  double pressure(std::int32_t x, std::int32_t y, std::int32_t z, double& barrier, const Fluids& a, const Fluids& b);

  const DensityProgram* program_;
  TerrainSettings settings_;
  FlatColumns* flats_;
  DensityEvaluator points_;
  PositionalRandom random_;
  FlatWindow window_;
  std::int32_t lava_top_;
  std::int32_t min_grid_x_ = 0, min_grid_y_ = 0, min_grid_z_ = 0, size_x_ = 0, size_z_ = 0;
  std::int32_t skip_above_y_ = 0;
  std::vector<Centre> centres_;
  std::int32_t column_x_ = INT32_MIN, column_z_ = INT32_MIN;
  std::vector<Layer> layers_;
  std::vector<bool> layer_known_;
  bool flows_ = false;
};

}  // namespace horizon::worldgen
