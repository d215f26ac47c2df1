#include "shard/tick/shard.hpp"

#include <algorithm>
#include <utility>

namespace horizon::shard {

Shard::Shard(const ShardSettings& settings, const ChunkGenerator& generator, Jobs& jobs, Outbox& outbox)
    : settings_(settings),
      outbox_(outbox),
      chunks_(settings.id, settings.compression_threshold, generator, jobs, outbox, ownership_) {}

const Player* Shard::find_player(Uuid uuid) const {
  const auto it = players_.find(uuid);
  return it == players_.end() ? nullptr : it->second.get();
}

Player* Shard::by_session(std::uint64_t session) {
  const auto it = sessions_.find(session);
  return it == sessions_.end() ? nullptr : it->second;
}

void Shard::assign(RegionPos region, OwnershipMap::Entry entry) {
  if (!ownership_.assign(region, entry)) return;
  chunks_.region_assigned(region);
  const auto it = waiting_.find(region);
  if (it == waiting_.end()) return;
  auto messages = std::move(it->second);
  waiting_.erase(it);
  waiting_count_ -= messages.size();
  for (auto& [from, message] : messages) receive(from, std::move(message));
}

void Shard::link_opened(LinkId link) {
  if (link.is_proxy) {
    // Players that were handed over to us while this link was down.
    for (const auto& [uuid, player] : players_) {
      if (player->proxy == link) tell_home(*player, player->hop, settings_.id);
    }
    return;
  }
  chunks_.peer_opened(link.id);
  for (const HandoffBook::Pending& pending : handoffs_.unanswered(link.id)) {
    link::Query& query = *outbox_.add(link).mutable_query();
    query.set_uuid_high(pending.entity.high);
    query.set_uuid_low(pending.entity.low);
    query.set_hop(pending.hop);
  }
}

void Shard::link_closed(LinkId link) {
  chunks_.drop_link(link);
  std::vector<Uuid> orphans;
  for (auto& [uuid, player] : players_) {
    std::erase(player->known_at, link);
    if (link.is_proxy && player->proxy == link) orphans.push_back(uuid);
  }
  // The connections died with their proxy.
  for (const Uuid uuid : orphans) remove_player(uuid, false, 0);
  std::erase_if(replicas_, [&](const auto& entry) { return entry.second.from == link; });
  // An action without an answer may or may not have happened: the client is shown what stands there when it
  // is known.
  std::vector<std::uint64_t> lost;
  for (const auto& [operation, action] : pending_actions_) {
    if (!link.is_proxy && action.owner == link.id) lost.push_back(operation);
  }
  for (const std::uint64_t operation : lost) {
    link::ActionResult result;
    result.set_operation(operation);
    receive_result(result);
  }
}

void Shard::peer_restarted(ShardId peer) {
  for (const Uuid uuid : handoffs_.peer_lost_all(peer)) {
    const auto it = players_.find(uuid);
    if (it != players_.end()) touch(*it->second);
  }
}

void Shard::receive(LinkId from, link::Message&& message) {
  using Body = link::Message::BodyCase;
  switch (message.body_case()) {
    case Body::kSubscribe: {
      const ChunkPos pos = ChunkPos::unpack(message.subscribe().chunk());
      const auto owner = ownership_.find(pos);
      const bool is_known = owner && owner->epoch >= message.subscribe().epoch();
      if (!message.subscribe().entities_only() && !is_known) {
        if (waiting_count_ < kMaxWaitingMessages) {
          ++waiting_count_;
          waiting_[RegionPos::of(pos)].emplace_back(from, std::move(message));
        }
        return;
      }
      chunks_.subscribe(from, message.subscribe());
      show_entities(from, pos);
      return;
    }
    case Body::kUnsubscribe: {
      const ChunkPos pos = ChunkPos::unpack(message.unsubscribe().chunk());
      if (const auto it = waiting_.find(RegionPos::of(pos)); it != waiting_.end()) {
        waiting_count_ -= std::erase_if(it->second, [&](const auto& entry) {
          return entry.first == from && entry.second.subscribe().chunk() == message.unsubscribe().chunk();
        });
      }
      chunks_.unsubscribe(from, pos);
      hide_entities(from, pos);
      return;
    }
    case Body::kChunkSnapshot:
      chunks_.receive_snapshot(from, message.chunk_snapshot());
      return;
    case Body::kChunkDelta:
      chunks_.receive_delta(from, message.chunk_delta());
      return;
    case Body::kEntity:
      receive_entity(from, message.entity());
      return;
    case Body::kJoin:
      receive_join(from, message.join());
      return;
    case Body::kLeave:
      receive_leave(message.leave());
      return;
    case Body::kInput:
      receive_input(std::move(*message.mutable_input()));
      return;
    case Body::kTeleport: {
      Player* player = by_session(message.teleport().session());
      if (player == nullptr) return;
      const link::Teleport& t = message.teleport();
      teleport(*player, {t.position().x(), t.position().y(), t.position().z()},
               t.has_rotation() ? t.yaw() : player->state.yaw(),
               t.has_rotation() ? t.pitch() : player->state.pitch());
      return;
    }
    case Body::kSetGameMode:
      if (Player* player = by_session(message.set_game_mode().session())) {
        set_game_mode(*player, message.set_game_mode().game_mode());
      }
      return;
    case Body::kOffer:
      receive_offer(from, message.offer());
      return;
    case Body::kAccept: {
      const Uuid uuid{message.accept().uuid_high(), message.accept().uuid_low()};
      if (handoffs_.on_accept(uuid, message.accept().hop()))
        handed_over(uuid, message.accept().hop(), from.id);
      return;
    }
    case Body::kRefuse:
      handoffs_.on_refuse({message.refuse().uuid_high(), message.refuse().uuid_low()},
                          message.refuse().hop());
      return;
    case Body::kQuery: {
      const link::Query& query = message.query();
      link::Answer& answer = *outbox_.add(from).mutable_answer();
      answer.set_uuid_high(query.uuid_high());
      answer.set_uuid_low(query.uuid_low());
      answer.set_hop(query.hop());
      answer.set_held(handoffs_.on_query({query.uuid_high(), query.uuid_low()}, query.hop()));
      return;
    }
    case Body::kAnswer: {
      const link::Answer& answer = message.answer();
      const Uuid uuid{answer.uuid_high(), answer.uuid_low()};
      if (answer.held()) {
        if (handoffs_.on_accept(uuid, answer.hop())) handed_over(uuid, answer.hop(), from.id);
      } else {
        handoffs_.on_refuse(uuid, answer.hop());
      }
      return;
    }
    case Body::kActionRequest:
      receive_action(from, message.action_request());
      return;
    case Body::kActionResult:
      receive_result(message.action_result());
      return;
    case Body::kSetBlocks:
      apply_set_blocks(message.set_blocks());
      return;
    default:
      return;  // what a later version says, and what shards themselves send to proxies
  }
}

// --- Sessions ------------------------------------------------------------

Player& Shard::add_player(std::uint64_t session, LinkId proxy, Epoch hop, const link::PlayerState& state) {
  const Uuid uuid{state.uuid_high(), state.uuid_low()};
  if (players_.contains(uuid)) remove_player(uuid, true, hop);
  auto owned = std::make_unique<Player>();
  Player& player = *owned;
  player.session = session;
  player.proxy = proxy;
  player.hop = hop;
  player.state = state;
  player.published_chunk = player.position().chunk();
  players_[uuid] = std::move(owned);
  sessions_[session] = &player;
  players_at_[player.published_chunk].push_back(&player);
  touch(player);
  return player;
}

void Shard::remove_player(Uuid uuid, bool rehomed, Epoch hop) {
  const auto it = players_.find(uuid);
  if (it == players_.end()) return;
  Player& player = *it->second;
  for (const LinkId link : player.known_at) {
    link::EntityUpdate& update = *outbox_.add(link).mutable_entity();
    update.set_id(player.id());
    update.set_hop(rehomed ? hop : player.hop);
    update.set_chunk(player.published_chunk.packed());
    update.set_removed(!rehomed);
    update.set_rehomed(rehomed);
  }
  if (const auto at = players_at_.find(player.published_chunk); at != players_at_.end()) {
    std::erase(at->second, &player);
    if (at->second.empty()) players_at_.erase(at);
  }
  if (const auto session = sessions_.find(player.session);
      session != sessions_.end() && session->second == &player) {
    sessions_.erase(session);
  }
  handoffs_.release(uuid);
  players_.erase(it);
}

void Shard::receive_join(LinkId from, const link::Join& join) {
  const Uuid uuid{join.player().uuid_high(), join.player().uuid_low()};
  const auto held = handoffs_.held(uuid);
  if (held && join.hop() < *held) return;
  handoffs_.hold(uuid, join.hop());
  Player& player = add_player(join.session(), from, join.hop(), join.player());
  player.checkpoint_due = true;
  // The client has not been told where it is yet, or its place is that of a home that died.
  teleport(player, player.position(), player.state.yaw(), player.state.pitch());
}

void Shard::receive_leave(const link::Leave& leave) {
  Player* player = by_session(leave.session());
  if (player == nullptr || leave.hop() < player->hop) return;
  remove_player(player->uuid(), false, 0);
}

void Shard::receive_input(link::Input&& input) {
  Player* player = by_session(input.session());
  // What is meant for another home, or came before, is not lost: the proxy keeps it until it is acknowledged. A frozen
  // player's inputs wait here for the case that it thaws; the new home gets them from the proxy.
  if (player == nullptr || input.hop() != player->hop) return;
  const std::uint64_t last = player->inputs.empty() ? player->applied : player->inputs.back().number();
  if (input.number() <= last) return;
  if (player->inputs.size() >= Player::kMaxQueuedInputs) {
    link::Kick& kick = *outbox_.add(player->proxy).mutable_kick();
    kick.set_session(player->session);
    kick.set_reason("disconnect.spam");
    return;
  }
  player->inputs.push_back(std::move(input));
}

void Shard::touch(Player& player) {
  if (player.is_dirty) return;
  player.is_dirty = true;
  dirty_players_.push_back(player.uuid());
}

void Shard::expire_actions() {
  std::vector<std::uint64_t> late;
  for (const auto& [operation, action] : pending_actions_) {
    if (action.sent_tick + kActionTimeoutTicks <= tick_) late.push_back(operation);
  }
  for (const std::uint64_t operation : late) {
    link::ActionResult unanswered;
    unanswered.set_operation(operation);
    receive_result(unanswered);
  }
}

// --- The tick ------------------------------------------------------------

void Shard::tick(std::int64_t tick) {
  tick_ = tick;
  times_.begin_tick();
  times_.begin_phase(Phase::kInput);
  for (auto& [uuid, player] : players_) {
    if (!player->inputs.empty() && !handoffs_.is_frozen(uuid)) apply_inputs(*player);
  }
  times_.begin_phase(Phase::kHandoffs);
  offer_players();
  times_.begin_phase(Phase::kPublish);
  chunks_.publish();
  publish_entities();
  publish_sessions(tick);
  chunks_.expire(tick);
  if (tick % kActionTimeoutTicks == 0) expire_actions();
  outbox_.flush();
  times_.end_tick();
}

}  // namespace horizon::shard
