#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "common/base/ids.hpp"
#include "protos/link.pb.h"
#include "shard/player/movement.hpp"
#include "shard/tick/outbox.hpp"

namespace horizon::shard {

enum class GameMode : std::uint8_t { kSurvival = 0, kCreative = 1, kAdventure = 2, kSpectator = 3 };

/// A player whose home is this shard.
///
/// `state` is all that moves with a handoff; the rest is bookkeeping of this home.
struct Player {
  static constexpr std::size_t kMaxQueuedInputs = 4096;

  std::uint64_t session = 0;
  LinkId proxy;
  Epoch hop = 0;
  link::PlayerState state;

  /// Inputs that wait for the tick, and the number of the last one applied.
  std::deque<link::Input> inputs;
  std::uint64_t applied = 0;
  std::uint64_t acknowledged = 0;
  MovementCheck movement;
  std::int64_t teleport_sent_tick = 0;
  /// Operations on ground of another owner that have no answer yet: no block sequence is acknowledged
  /// meanwhile.
  std::int32_t pending_actions = 0;
  std::uint64_t corrections = 0;

  // What subscribers have been told.
  ChunkPos published_chunk;
  std::vector<LinkId> known_at;
  bool is_dirty = false;
  bool has_moved = false;
  bool metadata_changed = false;
  bool equipment_changed = false;
  bool checkpoint_due = false;
  std::vector<std::uint32_t> animations;

  Uuid uuid() const { return {state.uuid_high(), state.uuid_low()}; }
  EntityId id() const { return state.entity_id(); }
  Vec3 position() const { return {state.position().x(), state.position().y(), state.position().z()}; }
  GameMode game_mode() const { return static_cast<GameMode>(state.game_mode()); }
  double eye_height() const { return state.sneaking() ? 1.27 : 1.62; }
};

/// The body of set_entity_data behind the entity id: flags, pose, main hand, skin parts.
std::string player_metadata(const link::PlayerState& state);
/// The stack in a slot of the player's inventory menu as protocol 775 sends it; an empty stack when there is
/// none.
std::string inventory_item(const link::PlayerState& state, std::uint32_t slot);
void set_inventory_item(link::PlayerState& state, std::uint32_t slot, std::string item);

/// Slots of the inventory menu.
inline constexpr std::uint32_t kHotbarStart = 36;
inline constexpr std::uint32_t kOffhandSlot = 45;
inline constexpr std::uint32_t kInventorySlots = 46;

}  // namespace horizon::shard
