#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/base/ids.hpp"
#include "common/nbt/nbt.hpp"
#include "shard/worldgen/base/blocks.hpp"

namespace horizon::worldgen {

/// Index of a biome in registry minecraft:worldgen/biome.
using BiomeId = std::uint8_t;

enum class DimensionId : std::uint8_t { kOverworld, kNether, kEnd };

/// Heights of a dimension. Overworld: -64 and 384; nether and end: 0 and 256 (terrain is made up to 128).
struct Heights {
  std::int32_t min_y = -64, height = 384;
  constexpr std::int32_t max_y() const { return min_y + height - 1; }
  constexpr bool contains(std::int32_t y) const { return y >= min_y && y < min_y + height; }
};

/// The game's heightmaps. The two of world generation (`Wg`) follow changes up to the carvers and then stay as
/// they are; the four others exist from the features on.
enum class HeightKind : std::uint8_t {
  kWorldSurfaceWg,
  kOceanFloorWg,
  kWorldSurface,
  kOceanFloor,
  kMotionBlocking,
  kMotionBlockingNoLeaves,
};
inline constexpr std::size_t kHeightKinds = 6;
HeightKind parse_height_kind(std::string_view text);  ///< "MOTION_BLOCKING"; throws FigureError

/// How far a chunk has come. Each stage includes all before it.
enum class Stage : std::uint8_t { kEmpty, kStarts, kReferences, kBiomes, kNoise, kSurface, kCarvers, kFeatures, kLight };

/// A chunk in the making: plain arrays, one 16-bit state per block (196 KB in the overworld).
///
/// Belongs to one worker at a time.
class ProtoChunk {
 public:
  ProtoChunk(ChunkPos pos, Heights heights);

  ChunkPos pos() const { return pos_; }
  Heights heights() const { return heights_; }
  Stage stage = Stage::kEmpty;

  /// Void air (as air) outside the height.
  BlockState get(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return heights_.contains(y) ? blocks_[index(x, y, z)] : blocks::kAir;
  }
  BlockState get(BlockPos p) const { return get(p.x, p.y, p.z); }
  /// Keeps the heightmaps of the stage right. Nothing happens outside the height.
  void set(std::int32_t x, std::int32_t y, std::int32_t z, BlockState s);
  void set(BlockPos p, BlockState s) { set(p.x, p.y, p.z, s); }

  /// y - min_y, z, x; x fastest.
  std::size_t index(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return static_cast<std::size_t>((y - heights_.min_y) << 8 | (z & 15) << 4 | (x & 15));
  }
  /// All states; who writes here calls prime_heights() afterwards.
  std::vector<BlockState>& raw() { return blocks_; }
  const std::vector<BlockState>& raw() const { return blocks_; }

  /// The y of the first free block above the highest one that counts (Heightmap.getFirstAvailable); min_y
  /// without one.
  std::int32_t height(HeightKind kind, std::int32_t x, std::int32_t z) const {
    return height_maps_[static_cast<std::size_t>(kind)][column(x, z)];
  }
  void set_height(HeightKind kind, std::int32_t x, std::int32_t z, std::int32_t y) {
    height_maps_[static_cast<std::size_t>(kind)][column(x, z)] = static_cast<std::int16_t>(y);
  }
  void prime_heights(std::initializer_list<HeightKind> kinds);
  std::array<std::array<std::int16_t, 256>, kHeightKinds>& height_maps() { return height_maps_; }

  /// Biomes in cells of 4×4×4: quart y, z, x; x fastest.
  BiomeId biome(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) const {
    const std::int32_t min = heights_.min_y >> 2;
    const std::int32_t y = quart_y < min ? min : (quart_y >= min + heights_.height / 4 ? min + heights_.height / 4 - 1 : quart_y);
    return biomes_[static_cast<std::size_t>((y - min) << 4 | (quart_z & 3) << 2 | (quart_x & 3))];
  }
  std::vector<BiomeId>& biomes() { return biomes_; }
  const std::vector<BiomeId>& biomes() const { return biomes_; }

  /// What is not a block: data of chests, spawners, signs ... (without x, y, z) and entities.
  std::vector<std::pair<BlockPos, nbt::Compound>> block_entities;
  std::vector<nbt::Compound> entities;
  /// Fluids and fences that look at their neighbours when the chunk comes to life.
  std::vector<BlockPos> post_processing;

 private:
  static std::size_t column(std::int32_t x, std::int32_t z) {
    return static_cast<std::size_t>((z & 15) << 4 | (x & 15));
  }
  void update_height(HeightKind kind, std::int32_t x, std::int32_t y, std::int32_t z, BlockState s);

  ChunkPos pos_;
  Heights heights_;
  std::vector<BlockState> blocks_;
  std::vector<BiomeId> biomes_;
  std::array<std::array<std::int16_t, 256>, kHeightKinds> height_maps_{};
};

}  // namespace horizon::worldgen
