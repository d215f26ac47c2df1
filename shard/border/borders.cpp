// What crosses the border of two shards: players, and copies of the neighbour's entities.
#include <algorithm>
#include <utility>

#include "shard/tick/shard.hpp"

namespace horizon::shard {

bool Shard::is_past_border(Vec3 position) const {
  // Own ground within reach on any side means that the player is still at the border, not past it.
  for (const double dx : {-kHandoffBlocks, 0.0, kHandoffBlocks}) {
    for (const double dz : {-kHandoffBlocks, 0.0, kHandoffBlocks}) {
      if (chunks_.owns((position + Vec3{dx, 0, dz}).chunk())) return false;
    }
  }
  return true;
}

void Shard::offer_players() {
  for (auto& [uuid, player] : players_) {
    const ChunkPos at = player->position().chunk();
    if (chunks_.owns(at) || handoffs_.is_frozen(uuid) || player->pending_actions != 0) continue;
    if (!is_past_border(player->position())) continue;
    const auto owner = chunks_.owner(at);
    if (!owner) {
      outbox_.need_region(RegionPos::of(at));
      continue;
    }
    send_offer(*player, handoffs_.offer(uuid, owner->shard), owner->shard);
  }
}

void Shard::send_offer(const Player& player, Epoch hop, ShardId to) {
  link::Offer& offer = *outbox_.add({false, to}).mutable_offer();
  offer.set_session(player.session);
  offer.set_hop(hop);
  *offer.mutable_player() = player.state;
  offer.set_last_number(player.applied);
  offer.set_proxy(player.proxy.id);
}

void Shard::receive_offer(LinkId from, const link::Offer& offer) {
  const Uuid uuid{offer.player().uuid_high(), offer.player().uuid_low()};
  const HandoffBook::Decision decision = handoffs_.on_offer(uuid, offer.hop());
  if (decision == HandoffBook::Decision::kRefused) {
    link::Refuse& refuse = *outbox_.add(from).mutable_refuse();
    refuse.set_uuid_high(uuid.high);
    refuse.set_uuid_low(uuid.low);
    refuse.set_hop(offer.hop());
    refuse.set_reason("stale hop");
    return;
  }
  if (decision == HandoffBook::Decision::kTake) {
    Player& player = add_player(offer.session(), {true, offer.proxy()}, offer.hop(), offer.player());
    player.applied = player.acknowledged = offer.last_number();
    player.teleport_sent_tick = tick_;
    // Said by both homes: the old one may never hear our answer, and a client that left meanwhile must leave here too.
    tell_home(player, player.hop, settings_.id);
  }
  link::Accept& accept = *outbox_.add(from).mutable_accept();
  accept.set_uuid_high(uuid.high);
  accept.set_uuid_low(uuid.low);
  accept.set_hop(offer.hop());
}

void Shard::tell_home(const Player& player, Epoch hop, ShardId home) {
  link::HandedOff& message = *outbox_.add(player.proxy).mutable_handed_off();
  message.set_session(player.session);
  message.set_hop(hop);
  message.set_shard(home);
  message.set_last_number(player.applied);
}

void Shard::handed_over(Uuid uuid, Epoch hop, ShardId to) {
  const auto it = players_.find(uuid);
  if (it == players_.end()) return;
  Player& player = *it->second;
  tell_home(player, hop, to);
  remove_player(uuid, true, hop);
}

void Shard::receive_entity(LinkId from, const link::EntityUpdate& update) {
  if (from.is_proxy) return;
  if (update.removed() || update.rehomed()) {
    const auto it = replicas_.find(update.id());
    if (it != replicas_.end() && it->second.from == from && update.hop() >= it->second.hop)
      replicas_.erase(it);
    return;
  }
  EntityReplica& replica = replicas_[update.id()];
  if (update.hop() < replica.hop) return;
  replica.from = from;
  replica.hop = update.hop();
  replica.chunk = ChunkPos::unpack(update.chunk());
  if (update.has_position())
    replica.position = {update.position().x(), update.position().y(), update.position().z()};
}

}  // namespace horizon::shard
