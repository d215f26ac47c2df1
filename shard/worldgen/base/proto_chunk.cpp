#include "shard/worldgen/base/proto_chunk.hpp"

#include <algorithm>

namespace horizon::worldgen {

namespace {

constexpr std::array<std::string_view, kHeightKinds> kHeightNames = {
    "WORLD_SURFACE_WG", "OCEAN_FLOOR_WG", "WORLD_SURFACE", "OCEAN_FLOOR", "MOTION_BLOCKING",
    "MOTION_BLOCKING_NO_LEAVES"};

constexpr std::array kWorldgenHeights = {HeightKind::kWorldSurfaceWg, HeightKind::kOceanFloorWg};
constexpr std::array kFinalHeights = {HeightKind::kWorldSurface, HeightKind::kOceanFloor, HeightKind::kMotionBlocking,
                                      HeightKind::kMotionBlockingNoLeaves};

bool counts(HeightKind kind, BlockState s) {
  return (kStateTraits[s].height_bits >> static_cast<int>(kind) & 1) != 0;
}

}  // namespace

HeightKind parse_height_kind(std::string_view text) {
  const auto it = std::ranges::find(kHeightNames, text);
  if (it == kHeightNames.end()) throw FigureError("no heightmap is named \"" + std::string(text) + "\"");
  return static_cast<HeightKind>(it - kHeightNames.begin());
}

ProtoChunk::ProtoChunk(ChunkPos pos, Heights heights)
    : pos_(pos),
      heights_(heights),
      blocks_(static_cast<std::size_t>(heights.height) * 256, blocks::kAir),
      biomes_(static_cast<std::size_t>(heights.height / 4) * 16) {
  for (auto& map : height_maps_) map.fill(static_cast<std::int16_t>(heights.min_y));
}

void ProtoChunk::set(std::int32_t x, std::int32_t y, std::int32_t z, BlockState s) {
  if (!heights_.contains(y)) return;
  BlockState& cell = blocks_[index(x, y, z)];
  if (cell == s) return;
  cell = s;
  if (stage < Stage::kCarvers) {
    for (const HeightKind kind : kWorldgenHeights) update_height(kind, x, y, z, s);
  } else {
    for (const HeightKind kind : kFinalHeights) update_height(kind, x, y, z, s);
  }
}

void ProtoChunk::update_height(HeightKind kind, std::int32_t x, std::int32_t y, std::int32_t z, BlockState s) {
  std::int16_t& first_free = height_maps_[static_cast<std::size_t>(kind)][column(x, z)];
  if (y <= first_free - 2) return;
  if (counts(kind, s)) {
    if (y >= first_free) first_free = static_cast<std::int16_t>(y + 1);
  } else if (first_free - 1 == y) {
    std::int32_t below = y - 1;
    while (below >= heights_.min_y && !counts(kind, blocks_[index(x, below, z)])) --below;
    first_free = static_cast<std::int16_t>(below + 1);
  }
}

void ProtoChunk::prime_heights(std::initializer_list<HeightKind> kinds) {
  for (const HeightKind kind : kinds) {
    for (std::int32_t z = 0; z < 16; ++z) {
      for (std::int32_t x = 0; x < 16; ++x) {
        std::int32_t y = heights_.max_y();
        while (y >= heights_.min_y && !counts(kind, blocks_[index(x, y, z)])) --y;
        set_height(kind, x, z, y + 1);
      }
    }
  }
}

}  // namespace horizon::worldgen
