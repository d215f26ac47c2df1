// What a shard tells those who follow its chunks about the entities in them.
#include <algorithm>

#include "common/game/game.hpp"
#include "common/protocol/play.hpp"
#include "shard/tick/shard.hpp"

namespace horizon::shard {
namespace {

constexpr std::uint32_t kMainHandEquipment = 0;
constexpr std::uint32_t kOffHandEquipment = 1;
/// Ticks between two asks for a teleport that the client has not confirmed. Source: the vanilla server's
/// behaviour.
constexpr std::int64_t kTeleportRepeatTicks = 20;

void fill_position(const Player& player, link::EntityUpdate& update) {
  *update.mutable_position() = player.state.position();
  update.set_yaw(player.state.yaw());
  update.set_pitch(player.state.pitch());
  update.set_head_yaw(player.state.yaw());
  update.set_on_ground(player.state.on_ground());
  update.set_moved(true);
}

template <class Message>
void fill_equipment(const Player& player, Message& message) {
  link::Equipment& main = *message.add_equipment();
  main.set_slot(kMainHandEquipment);
  main.set_item(inventory_item(player.state, kHotbarStart + player.state.held_slot()));
  link::Equipment& off = *message.add_equipment();
  off.set_slot(kOffHandEquipment);
  off.set_item(inventory_item(player.state, kOffhandSlot));
}

}  // namespace

void Shard::fill_full(const Player& player, link::EntityUpdate& update) const {
  static const std::int32_t player_type = *game::find_entity_type("minecraft:player");
  update.set_id(player.id());
  update.set_hop(player.hop);
  update.set_chunk(player.published_chunk.packed());
  link::EntityState& full = *update.mutable_full();
  full.set_uuid_high(player.state.uuid_high());
  full.set_uuid_low(player.state.uuid_low());
  full.set_type(static_cast<std::uint32_t>(player_type));
  full.set_metadata(player_metadata(player.state));
  fill_equipment(player, full);
  fill_position(player, update);
}

void Shard::publish_entities() {
  for (const Uuid uuid : dirty_players_) {
    const auto it = players_.find(uuid);
    if (it != players_.end()) publish_entity(*it->second);
  }
  dirty_players_.clear();
}

void Shard::publish_entity(Player& player) {
  player.is_dirty = false;
  const ChunkPos before = player.published_chunk;
  const ChunkPos now = player.position().chunk();
  if (now != before) {
    const auto at = players_at_.find(before);
    std::erase(at->second, &player);
    if (at->second.empty()) players_at_.erase(at);
    players_at_[now].push_back(&player);
    player.published_chunk = now;
  }
  const std::span<const LinkId> followers = chunks_.followers(now);
  for (auto it = player.known_at.begin(); it != player.known_at.end();) {
    if (std::find(followers.begin(), followers.end(), *it) != followers.end()) {
      ++it;
      continue;
    }
    link::EntityUpdate& update = *outbox_.add(*it).mutable_entity();
    update.set_id(player.id());
    update.set_hop(player.hop);
    update.set_chunk(now.packed());
    update.set_removed(true);
    it = player.known_at.erase(it);
  }
  for (const LinkId link : followers) {
    link::EntityUpdate& update = *outbox_.add(link).mutable_entity();
    if (std::find(player.known_at.begin(), player.known_at.end(), link) == player.known_at.end()) {
      player.known_at.push_back(link);
      fill_full(player, update);
    } else {
      update.set_id(player.id());
      update.set_hop(player.hop);
      update.set_chunk(now.packed());
      if (player.has_moved) fill_position(player, update);
      if (player.metadata_changed) update.set_metadata(player_metadata(player.state));
      if (player.equipment_changed) fill_equipment(player, update);
    }
    for (const std::uint32_t animation : player.animations) update.add_animations(animation);
  }
  player.has_moved = player.metadata_changed = player.equipment_changed = false;
  player.animations.clear();
}

void Shard::show_entities(LinkId link, ChunkPos pos) {
  const auto at = players_at_.find(pos);
  if (at == players_at_.end()) return;
  for (Player* player : at->second) {
    if (std::find(player->known_at.begin(), player->known_at.end(), link) != player->known_at.end()) continue;
    player->known_at.push_back(link);
    fill_full(*player, *outbox_.add(link).mutable_entity());
  }
}

void Shard::hide_entities(LinkId link, ChunkPos pos) {
  const auto at = players_at_.find(pos);
  if (at == players_at_.end()) return;
  for (Player* player : at->second) std::erase(player->known_at, link);
}

void Shard::publish_sessions(std::int64_t tick) {
  for (auto& [uuid, owned] : players_) {
    Player& player = *owned;
    if (player.state.last_block_sequence() >= 0 && player.pending_actions == 0) {
      send(player, protocol::play::clientbound::BlockChangedAck{player.state.last_block_sequence()});
      player.state.set_last_block_sequence(-1);
    }
    if (player.state.pending_teleport() != 0 && tick - player.teleport_sent_tick >= kTeleportRepeatTicks) {
      teleport(player, player.position(), player.state.yaw(), player.state.pitch());
    }
    if (player.acknowledged != player.applied && !handoffs_.is_frozen(uuid)) {
      player.acknowledged = player.applied;
      link::InputAck& ack = *outbox_.add(player.proxy).mutable_input_ack();
      ack.set_session(player.session);
      ack.set_hop(player.hop);
      ack.set_number(player.applied);
    }
    if (player.checkpoint_due) {
      player.checkpoint_due = false;
      link::Checkpoint& checkpoint = *outbox_.add(player.proxy).mutable_checkpoint();
      checkpoint.set_session(player.session);
      checkpoint.set_hop(player.hop);
      *checkpoint.mutable_player() = player.state;
    }
  }
}

}  // namespace horizon::shard
