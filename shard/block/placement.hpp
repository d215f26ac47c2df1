#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/base/ids.hpp"
#include "common/game/game.hpp"
#include "shard/block/block_access.hpp"
#include "shard/player/movement.hpp"

namespace horizon::shard {

/// In the protocol's order.
enum class Direction : std::uint8_t { kDown, kUp, kNorth, kSouth, kWest, kEast };

struct BlockChange {
  BlockPos pos;
  BlockState state;
};

/// How a player uses an item on a block.
struct PlaceContext {
  BlockPos clicked;
  Direction face = Direction::kUp;
  /// Where on the block, 0 to 1.
  Vec3 cursor;
  float yaw = 0, pitch = 0;
  bool is_sneaking = false;
  game::ItemId item = 0;
  bool is_inside = false;
};

/// What digging out the block changes: what a waterlogged block leaves is water. Empty when nothing is there.
std::vector<BlockChange> dig(const BlockAccess& blocks, BlockPos pos);

/// What placing changes; nullopt when it is not possible: no block of that item, no room, something in the
/// way
/// (`bodies`), or a chunk that is not here.
std::optional<std::vector<BlockChange>> place(const BlockAccess& blocks, const PlaceContext& context,
                                              std::span<const EntityBox> bodies);

/// The block's cube is within the interaction range (creative 5, else 4.5) and vanilla's allowance of 1.
bool within_reach(Vec3 eye, BlockPos pos, bool is_creative);

}  // namespace horizon::shard
