// What a player's packets do, in the order in which they came.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "common/game/game.hpp"
#include "common/protocol/frame.hpp"
#include "common/protocol/item_component.hpp"
#include "common/protocol/play.hpp"
#include "shard/block/placement.hpp"
#include "shard/tick/shard.hpp"

namespace horizon::shard {
namespace {

namespace in = protocol::play::serverbound;
namespace out = protocol::play::clientbound;

constexpr std::uint8_t kMoveOnGround = 1;
constexpr std::uint8_t kInputSneak = 0x20;
constexpr std::int32_t kStartSprinting = 1;
constexpr std::int32_t kStopSprinting = 2;
constexpr std::int32_t kStartDigging = 0;
constexpr std::int8_t kAbilityFlying = 2;
constexpr std::uint8_t kGameEventChangeGameMode = 3;
constexpr std::uint32_t kSwingMainHand = 0;
constexpr std::uint32_t kSwingOffHand = 3;

/// Calls `handle` with the decoded packet. A packet that does not parse was refused by the proxy already.
template <class P, class F>
void with(std::span<const std::uint8_t> body, F handle) {
  Result<P> packet = protocol::decode<P>(body);
  if (packet.ok()) handle(*packet);
}

std::int8_t ability_flags(const link::PlayerState& state) {
  switch (static_cast<GameMode>(state.game_mode())) {
    case GameMode::kCreative:
      return static_cast<std::int8_t>(1 | 4 | 8 | (state.flying() ? kAbilityFlying : 0));
    case GameMode::kSpectator:
      return 1 | kAbilityFlying | 4;
    default:
      return 0;
  }
}

}  // namespace

void Shard::send_bytes(const Player& player, const std::vector<std::uint8_t>& packet) {
  link::PlayerPacket& message = *outbox_.add(player.proxy).mutable_player_packet();
  message.set_session(player.session);
  message.set_packet(packet.data(), packet.size());
}

void Shard::apply_inputs(Player& player) {
  player.movement.begin_tick();
  while (!player.inputs.empty()) {
    const link::Input input = std::move(player.inputs.front());
    player.inputs.pop_front();
    player.applied = input.number();
    apply_input(player, input.packet());
  }
}

void Shard::apply_input(Player& player, const std::string& packet) {
  const auto split =
      protocol::split_packet({reinterpret_cast<const std::uint8_t*>(packet.data()), packet.size()});
  if (!split.ok()) return;
  const auto body = split->body;
  link::PlayerState& state = player.state;
  switch (split->id) {
    case in::MovePlayerPos::kId:
      with<in::MovePlayerPos>(body, [&](const auto& p) { move(player, &p.pos, nullptr, nullptr, p.flags); });
      return;
    case in::MovePlayerPosRot::kId:
      with<in::MovePlayerPosRot>(body,
                                 [&](const auto& p) { move(player, &p.pos, &p.yaw, &p.pitch, p.flags); });
      return;
    case in::MovePlayerRot::kId:
      with<in::MovePlayerRot>(body, [&](const auto& p) { move(player, nullptr, &p.yaw, &p.pitch, p.flags); });
      return;
    case in::MovePlayerStatusOnly::kId:
      with<in::MovePlayerStatusOnly>(
          body, [&](const auto& p) { move(player, nullptr, nullptr, nullptr, p.flags); });
      return;
    case in::AcceptTeleportation::kId:
      with<in::AcceptTeleportation>(body, [&](const auto& p) {
        if (p.teleport_id == state.pending_teleport()) state.set_pending_teleport(0);
      });
      return;
    case in::PlayerAction::kId:
      with<in::PlayerAction>(body, [&](const auto& p) {
        if (p.action != kStartDigging) return;
        link::ActionRequest request;
        request.set_kind(link::ActionRequest::DIG);
        request.mutable_target()->set_x(p.pos.x);
        request.mutable_target()->set_y(p.pos.y);
        request.mutable_target()->set_z(p.pos.z);
        request.set_face(std::min<std::uint32_t>(p.face, 5));
        act(player, std::move(request), p.sequence);
      });
      return;
    case in::UseItemOn::kId:
      with<in::UseItemOn>(body, [&](const auto& p) {
        const std::string item =
            inventory_item(state, p.hand == 0 ? kHotbarStart + state.held_slot() : kOffhandSlot);
        protocol::Reader reader({reinterpret_cast<const std::uint8_t*>(item.data()), item.size()},
                                "inventory");
        const std::int32_t count = reader.varint("count");
        const std::int32_t id = count > 0 ? reader.varint("item") : 0;
        link::ActionRequest request;
        request.set_kind(link::ActionRequest::PLACE);
        request.mutable_target()->set_x(p.pos.x);
        request.mutable_target()->set_y(p.pos.y);
        request.mutable_target()->set_z(p.pos.z);
        request.set_face(static_cast<std::uint32_t>(p.face));
        request.mutable_cursor()->set_x(p.cursor_x);
        request.mutable_cursor()->set_y(p.cursor_y);
        request.mutable_cursor()->set_z(p.cursor_z);
        request.set_inside(p.inside);
        request.set_item(static_cast<std::uint32_t>(std::max(0, id)));
        act(player, std::move(request), p.sequence);
      });
      return;
    case in::UseItem::kId:
      with<in::UseItem>(body, [&](const auto& p) {
        state.set_last_block_sequence(std::max(state.last_block_sequence(), p.sequence));
      });
      return;
    case in::Swing::kId:
      with<in::Swing>(body, [&](const auto& p) {
        player.animations.push_back(p.hand == 0 ? kSwingMainHand : kSwingOffHand);
        touch(player);
      });
      return;
    case in::SetCarriedItem::kId:
      with<in::SetCarriedItem>(body, [&](const auto& p) {
        if (p.slot < 0 || p.slot > 8) return;
        state.set_held_slot(static_cast<std::uint32_t>(p.slot));
        player.equipment_changed = player.checkpoint_due = true;
        touch(player);
      });
      return;
    case in::SetCreativeModeSlot::kId:
      with<in::SetCreativeModeSlot>(body, [&](const auto& p) {
        if (player.game_mode() != GameMode::kCreative || p.slot < 1 ||
            p.slot >= static_cast<std::int32_t>(kInventorySlots)) {
          return;
        }
        if (!p.item.empty() &&
            (p.item.item < 0 || p.item.item >= game::item_count() ||
             p.item.count > game::max_stack_size(static_cast<game::ItemId>(p.item.item)))) {
          return;
        }
        protocol::Writer w;
        // Other clients would be disconnected by components that they cannot read.
        protocol::write_item(w, protocol::safe_for_clients(p.item));
        set_inventory_item(state, static_cast<std::uint32_t>(p.slot), {w.view().begin(), w.view().end()});
        player.equipment_changed = player.checkpoint_due = true;
        touch(player);
      });
      return;
    case in::PlayerCommand::kId:
      with<in::PlayerCommand>(body, [&](const auto& p) {
        if (p.action != kStartSprinting && p.action != kStopSprinting) return;
        state.set_sprinting(p.action == kStartSprinting);
        player.metadata_changed = true;
        touch(player);
      });
      return;
    case in::PlayerInput::kId:
      with<in::PlayerInput>(body, [&](const auto& p) {
        const bool sneaks = (p.inputs & kInputSneak) != 0;
        if (sneaks == state.sneaking()) return;
        state.set_sneaking(sneaks);
        player.metadata_changed = true;
        touch(player);
      });
      return;
    case in::PlayerAbilities::kId:
      with<in::PlayerAbilities>(body, [&](const auto& p) {
        const bool may_fly =
            player.game_mode() == GameMode::kCreative || player.game_mode() == GameMode::kSpectator;
        state.set_flying(may_fly && (p.flags & kAbilityFlying) != 0);
        player.metadata_changed = player.checkpoint_due = true;
        touch(player);
      });
      return;
    case in::ClientInformation::kId:
      with<in::ClientInformation>(body, [&](const auto& p) {
        state.set_skin_parts(p.skin_parts);
        state.set_main_hand(static_cast<std::uint32_t>(p.main_hand));
        player.metadata_changed = true;
        touch(player);
      });
      return;
    default:
      return;
  }
}

void Shard::move(Player& player, const Vec3* position, const float* yaw, const float* pitch,
                 std::uint8_t flags) {
  link::PlayerState& state = player.state;
  if (state.pending_teleport() != 0) return;
  if ((yaw != nullptr && !std::isfinite(*yaw)) || (pitch != nullptr && !std::isfinite(*pitch))) {
    link::Kick& kick = *outbox_.add(player.proxy).mutable_kick();
    kick.set_session(player.session);
    kick.set_reason("multiplayer.disconnect.invalid_player_movement");
    return;
  }
  if (position != nullptr) {
    MoveInput move;
    move.from = player.position();
    move.to = *position;
    move.is_sneaking = state.sneaking();
    move.is_gliding = state.fall_flying();
    move.may_pass_blocks = player.game_mode() == GameMode::kSpectator;
    move.is_creative = player.game_mode() == GameMode::kCreative;
    const MoveOutcome outcome = player.movement.check(chunks_, move);
    switch (outcome.verdict) {
      case MoveVerdict::kAccepted:
        break;
      case MoveVerdict::kInvalid: {
        link::Kick& kick = *outbox_.add(player.proxy).mutable_kick();
        kick.set_session(player.session);
        kick.set_reason("multiplayer.disconnect.invalid_player_movement");
        return;
      }
      default:
        ++player.corrections;
        teleport(player, player.position(), state.yaw(), state.pitch());
        return;
    }
    state.mutable_position()->set_x(outcome.position.x);
    state.mutable_position()->set_y(outcome.position.y);
    state.mutable_position()->set_z(outcome.position.z);
  }
  if (yaw != nullptr) {
    state.set_yaw(std::remainder(*yaw, 360.0F));
    state.set_pitch(std::clamp(*pitch, -90.0F, 90.0F));
  }
  state.set_on_ground((flags & kMoveOnGround) != 0);
  player.has_moved = true;
  touch(player);
}

void Shard::teleport(Player& player, Vec3 to, float yaw, float pitch) {
  link::PlayerState& state = player.state;
  state.mutable_position()->set_x(to.x);
  state.mutable_position()->set_y(to.y);
  state.mutable_position()->set_z(to.z);
  state.set_yaw(yaw);
  state.set_pitch(pitch);
  const std::int32_t id = state.next_teleport() + 1;
  state.set_next_teleport(id);
  state.set_pending_teleport(id);
  player.teleport_sent_tick = tick_;
  player.has_moved = true;
  touch(player);
  out::PlayerPosition packet;
  packet.teleport_id = id;
  packet.pos = to;
  packet.yaw = yaw;
  packet.pitch = pitch;
  send(player, packet);
}

void Shard::set_game_mode(Player& player, std::uint32_t mode) {
  if (mode > static_cast<std::uint32_t>(GameMode::kSpectator)) return;
  player.state.set_game_mode(mode);
  player.state.set_flying(player.game_mode() == GameMode::kSpectator ||
                          (player.game_mode() == GameMode::kCreative && player.state.flying()));
  player.checkpoint_due = true;
  send(player, out::GameEvent{kGameEventChangeGameMode, static_cast<float>(mode)});
  out::PlayerAbilities abilities;
  abilities.flags = ability_flags(player.state);
  send(player, abilities);
}

void Shard::act(Player& player, link::ActionRequest request, std::int32_t sequence) {
  link::PlayerState& state = player.state;
  state.set_last_block_sequence(std::max(state.last_block_sequence(), sequence));
  const BlockPos target{request.target().x(), request.target().y(), request.target().z()};
  const Vec3 feet = player.position();
  const Vec3 eye = feet + Vec3{0, player.eye_height(), 0};
  const bool may_build = player.game_mode() == GameMode::kCreative;
  request.mutable_eye()->set_x(eye.x);
  request.mutable_eye()->set_y(eye.y);
  request.mutable_eye()->set_z(eye.z);
  *request.mutable_feet() = state.position();
  request.set_yaw(state.yaw());
  request.set_pitch(state.pitch());
  request.set_sneaking(state.sneaking());

  const auto owner = chunks_.owner(ChunkPos::of(target));
  if (!may_build || !owner || target.y < kMinY || target.y > kMaxY ||
      !within_reach(eye, target, player.game_mode() == GameMode::kCreative)) {
    link::ActionResult nothing;
    fill_result(request, nothing);
    finish_action(player, nothing.now());
    return;
  }
  if (owner->shard == settings_.id) {
    apply_action(request);
    link::ActionResult result;
    fill_result(request, result);
    finish_action(player, result.now());
    return;
  }
  request.set_operation(static_cast<std::uint64_t>(settings_.id) << 48 | next_operation_++);
  request.set_epoch(owner->epoch);
  pending_actions_[request.operation()] = {player.session, tick_, owner->shard};
  ++player.pending_actions;
  *outbox_.add({false, owner->shard}).mutable_action_request() = std::move(request);
}

}  // namespace horizon::shard
