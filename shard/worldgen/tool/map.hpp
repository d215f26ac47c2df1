#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "shard/worldgen/tool/area.hpp"

namespace horizon::worldgen {

struct MapOptions {
  enum class Kind : std::uint8_t { kSurface, kBiomes };

  WorldOptions world;
  std::string vanilla_data;
  Kind kind = Kind::kSurface;
  /// Surface: how far the chunks are made.
  Stage stage = Stage::kFeatures;
  std::int32_t size = 512;  ///< pixels on a side
  std::int32_t scale = 1;   ///< blocks to a pixel
  /// A block.
  std::int32_t center_x = 0, center_z = 0;
  /// Biomes: at which y; the top without one, where caves have none.
  std::optional<std::int32_t> height;
  std::string output;
  std::int32_t threads = 1;
};

/// Draws a world as seen from above, north at the top. Surface: the colour of the topmost block, lighter or darker by
/// the height of what lies to the north, water darker with its depth; below a ceiling of bedrock the topmost ground
/// inside.
int run_map(const MapOptions& options);

}  // namespace horizon::worldgen
