#include "shard/entity/player.hpp"

#include <algorithm>

#include "common/game/game.hpp"
#include "common/protocol/play.hpp"

namespace horizon::shard {
namespace {

// Indices of the player's metadata, and values of the pose enumeration. Source: minecraft-data 26.1,
// entities.json.
constexpr std::uint8_t kSharedFlags = 0;
constexpr std::uint8_t kPose = 6;
constexpr std::uint8_t kMainHand = 15;
constexpr std::uint8_t kSkinParts = 16;
constexpr std::uint8_t kFlagSneaking = 0x02;
constexpr std::uint8_t kFlagSprinting = 0x08;
constexpr std::uint8_t kFlagFallFlying = 0x80;
constexpr std::int32_t kPoseStanding = 0;
constexpr std::int32_t kPoseFallFlying = 1;
constexpr std::int32_t kPoseCrouching = 5;

std::int32_t serializer(std::string_view name) {
  const auto id = game::find_metadata_serializer(name);
  HZ_CHECK(id.has_value());
  return *id;
}

}  // namespace

std::string player_metadata(const link::PlayerState& state) {
  static const std::int32_t byte_type = serializer("byte");
  static const std::int32_t pose_type = serializer("pose");
  static const std::int32_t arm_type = serializer("humanoid_arm");
  const auto flags = static_cast<std::uint8_t>((state.sneaking() ? kFlagSneaking : 0) |
                                               (state.sprinting() ? kFlagSprinting : 0) |
                                               (state.fall_flying() ? kFlagFallFlying : 0));
  const std::int32_t pose = state.fall_flying()                   ? kPoseFallFlying
                            : state.sneaking() && !state.flying() ? kPoseCrouching
                                                                  : kPoseStanding;
  protocol::Writer pose_value;
  pose_value.varint(pose);
  protocol::Writer w;
  protocol::play::write_entity_data(
      w, {{kSharedFlags, byte_type, {flags}},
          {kPose, pose_type, pose_value.take()},
          {kMainHand, arm_type, {static_cast<std::uint8_t>(state.main_hand() & 1)}},
          {kSkinParts, byte_type, {static_cast<std::uint8_t>(state.skin_parts())}}});
  return {w.view().begin(), w.view().end()};
}

std::string inventory_item(const link::PlayerState& state, std::uint32_t slot) {
  for (const link::ItemSlot& s : state.inventory()) {
    if (s.slot() == slot) return s.item();
  }
  return std::string(1, '\0');
}

void set_inventory_item(link::PlayerState& state, std::uint32_t slot, std::string item) {
  auto& slots = *state.mutable_inventory();
  const auto it = std::find_if(slots.begin(), slots.end(), [&](const auto& s) { return s.slot() == slot; });
  const bool is_empty = item.empty() || item[0] == '\0';
  if (it == slots.end()) {
    if (is_empty) return;
    link::ItemSlot& added = *slots.Add();
    added.set_slot(slot);
    added.set_item(std::move(item));
  } else if (is_empty) {
    slots.erase(it);
  } else {
    it->set_item(std::move(item));
  }
}

}  // namespace horizon::shard
