#include "shard/border/handoff.hpp"

#include <algorithm>

#include "common/base/result.hpp"

namespace horizon::shard {

void HandoffBook::hold(Uuid entity, Epoch hop) {
  Known& known = known_[entity];
  known.held = std::max(known.held, hop);
  outgoing_.erase(entity);
}

void HandoffBook::release(Uuid entity) { outgoing_.erase(entity); }

std::optional<Epoch> HandoffBook::held(Uuid entity) const {
  const auto it = known_.find(entity);
  if (it == known_.end() || it->second.held == 0) return std::nullopt;
  return it->second.held;
}

Epoch HandoffBook::offer(Uuid entity, ShardId to) {
  Known& known = known_[entity];
  HZ_CHECK(known.held != 0 && !outgoing_.contains(entity));
  const Epoch hop = std::max(known.held, known.last_offered) + 1;
  known.last_offered = hop;
  outgoing_[entity] = {hop, to};
  return hop;
}

std::optional<ShardId> HandoffBook::target(Uuid entity) const {
  const auto it = outgoing_.find(entity);
  if (it == outgoing_.end()) return std::nullopt;
  return it->second.to;
}

HandoffBook::Decision HandoffBook::on_offer(Uuid entity, Epoch hop) {
  Known& known = known_[entity];
  if (hop <= known.denied) return Decision::kRefused;
  // A hop that we hold or have passed was taken here: the offer is a repetition.
  if (hop == known.held) return Decision::kKnown;
  if (hop < known.held) return Decision::kRefused;
  known.held = hop;
  outgoing_.erase(entity);
  return Decision::kTake;
}

bool HandoffBook::on_accept(Uuid entity, Epoch hop) {
  const auto it = outgoing_.find(entity);
  if (it == outgoing_.end() || it->second.hop != hop) return false;
  outgoing_.erase(it);
  return true;
}

bool HandoffBook::on_refuse(Uuid entity, Epoch hop) {
  const auto it = outgoing_.find(entity);
  if (it == outgoing_.end() || it->second.hop != hop) return false;
  outgoing_.erase(it);
  return true;
}

bool HandoffBook::on_query(Uuid entity, Epoch hop) {
  Known& known = known_[entity];
  if (known.held >= hop) return true;
  known.denied = std::max(known.denied, hop);
  return false;
}

std::vector<HandoffBook::Pending> HandoffBook::unanswered(ShardId peer) const {
  std::vector<Pending> pending;
  for (const auto& [entity, out] : outgoing_) {
    if (out.to == peer) pending.push_back({entity, out.hop});
  }
  return pending;
}

std::vector<Uuid> HandoffBook::peer_lost_all(ShardId peer) {
  std::vector<Uuid> thawed;
  for (auto it = outgoing_.begin(); it != outgoing_.end();) {
    if (it->second.to == peer) {
      thawed.push_back(it->first);
      it = outgoing_.erase(it);
    } else {
      ++it;
    }
  }
  return thawed;
}

}  // namespace horizon::shard
