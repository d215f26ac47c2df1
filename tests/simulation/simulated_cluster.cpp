#include "tests/simulation/simulated_cluster.hpp"

#include <algorithm>

namespace horizon::simulation {
namespace {

constexpr std::uint64_t kMaxDelay = 6;
constexpr std::uint64_t kMaxOutage = 60;
constexpr std::uint64_t kMaxJobDelay = 4;
constexpr std::int32_t kRegionReach = 3;

Uuid uuid_of(const link::PlayerState& state) { return {state.uuid_high(), state.uuid_low()}; }

}  // namespace

/// One shard's process: its outbox, its workers, and the shard.
struct SimulatedCluster::Node final : shard::Outbox, shard::Jobs {
  struct Said {
    shard::LinkId to;
    bool is_open;
    link::Message message;
  };
  struct Finished {
    std::int64_t due;
    Completion completion;
  };

  Node(SimulatedCluster& in_cluster, ShardId own_id) : cluster(in_cluster), id(own_id) {}

  link::Message& add(shard::LinkId to) override {
    said.push_back({to, cluster.open_.contains(link_key({false, id}, to)), {}});
    return said.back().message;
  }
  void flush() override {
    while (!said.empty()) {
      Said next = std::move(said.front());
      said.pop_front();
      if (!next.to.is_proxy) cluster.watch_sent(id, next.message, next.to.id);
      if (next.is_open) cluster.put({false, id}, next.to, std::move(next.message));
    }
  }
  void need_region(RegionPos) override {}
  void submit(std::uint32_t, Job job) override {
    Completion done = job();
    if (done) {
      finished.push_back(
          {cluster.now_ + static_cast<std::int64_t>(cluster.random(kMaxJobDelay)), std::move(done)});
    }
  }
  void run_finished() {
    for (std::size_t count = finished.size(); count > 0; --count) {
      Finished next = std::move(finished.front());
      finished.pop_front();
      if (next.due > cluster.now_) {
        finished.push_back(std::move(next));
      } else {
        next.completion();
      }
    }
  }

  SimulatedCluster& cluster;
  ShardId id;
  std::uint64_t incarnation = 0;
  std::deque<Said> said;
  std::deque<Finished> finished;
  std::unique_ptr<shard::Shard> shard;
};

SimulatedCluster::SimulatedCluster(std::uint64_t seed, int shards)
    : random_(seed), generator_(shard::make_generator(shard::LevelType::kFlat, 0)) {
  // Strips along x: the first border is at x = 0, the next one region further. The outer two have the rest.
  for (std::int32_t x = -kRegionReach; x < kRegionReach; ++x) {
    for (std::int32_t z = -kRegionReach; z < kRegionReach; ++z) {
      regions_[{x, z}] = {std::clamp(x + 1, 0, shards - 1), 1};
    }
  }
  for (int id = 0; id < shards; ++id) nodes_.push_back(make_node(id));
}

SimulatedCluster::~SimulatedCluster() = default;

shard::Shard& SimulatedCluster::shard(ShardId id) { return *nodes_[static_cast<std::size_t>(id)]->shard; }

std::unique_ptr<SimulatedCluster::Node> SimulatedCluster::make_node(ShardId id) {
  static constexpr std::int32_t kThreshold = -1;
  auto node = std::make_unique<Node>(*this, id);
  node->shard = std::make_unique<shard::Shard>(shard::ShardSettings{id, kThreshold}, *generator_, *node, *node);
  assign_all(*node);
  return node;
}

void SimulatedCluster::assign_all(Node& node) {
  for (const auto& [region, entry] : regions_) node.shard->assign(region, entry);
}

OwnershipMap::Entry SimulatedCluster::owner_of(ChunkPos chunk) const {
  const auto it = regions_.find(RegionPos::of(chunk));
  return it == regions_.end() ? OwnershipMap::Entry{} : it->second;
}

void SimulatedCluster::tell(shard::LinkId whom, shard::LinkId other, bool is_open) {
  if (whom.is_proxy) {
    if (is_open) {
      proxy_->shard_opened(other.id);
    } else {
      proxy_->shard_closed(other.id);
    }
    return;
  }
  if (is_open) {
    shard(whom.id).link_opened(other);
  } else {
    shard(whom.id).link_closed(other);
  }
}

void SimulatedCluster::open(shard::LinkId a, shard::LinkId b) {
  if (!open_.insert(link_key(a, b)).second) return;
  reopen_at_.erase(link_key(a, b));
  tell(a, b, true);
  tell(b, a, true);
  flush_all();
}

void SimulatedCluster::cut(shard::LinkId a, shard::LinkId b) {
  if (open_.erase(link_key(a, b)) == 0) return;
  for (const shard::LinkId end : {a, b}) {
    if (end.is_proxy) continue;
    const shard::LinkId other = end == a ? b : a;
    for (Node::Said& said : nodes_[static_cast<std::size_t>(end.id)]->said) {
      if (said.to == other) said.is_open = false;
    }
  }
  channels_.erase({a, b});
  channels_.erase({b, a});
  reopen_at_[link_key(a, b)] = now_ + 1 + static_cast<std::int64_t>(random(kMaxOutage));
  tell(a, b, false);
  tell(b, a, false);
  flush_all();
}

void SimulatedCluster::kill(ShardId id) {
  Node& dead = *nodes_[static_cast<std::size_t>(id)];
  const std::uint64_t incarnation = dead.incarnation + 1;
  const shard::LinkId self{false, id};
  std::vector<shard::LinkId> others{kProxy};
  for (int other = 0; other < shard_count(); ++other) {
    if (other != id) others.push_back({false, other});
  }
  std::erase_if(frozen_, [&](const auto& entry) { return entry.first.first == id; });
  for (auto& [region, entry] : regions_) {
    if (entry.shard == id) ++entry.epoch;
  }
  nodes_[static_cast<std::size_t>(id)] = make_node(id);
  nodes_[static_cast<std::size_t>(id)]->incarnation = incarnation;
  for (const shard::LinkId other : others) {
    channels_.erase({self, other});
    channels_.erase({other, self});
    if (open_.erase(link_key(self, other)) != 0) {
      if (!other.is_proxy) {
        for (Node::Said& said : nodes_[static_cast<std::size_t>(other.id)]->said) {
          if (said.to == self) said.is_open = false;
        }
      }
      tell(other, self, false);
    }
    reopen_at_[link_key(self, other)] = now_ + 1 + static_cast<std::int64_t>(random(kMaxOutage));
    if (other.is_proxy) continue;
    assign_all(*nodes_[static_cast<std::size_t>(other.id)]);
    shard(other.id).peer_restarted(id);
    std::erase_if(frozen_, [&](const auto& entry) {
      return entry.first.first == other.id && entry.second.to == id;
    });
  }
  flush_all();
}

void SimulatedCluster::heal() {
  for (int a = 0; a < shard_count(); ++a) {
    open(kProxy, {false, a});
    for (int b = a + 1; b < shard_count(); ++b) open({false, a}, {false, b});
  }
}

void SimulatedCluster::put(shard::LinkId from, shard::LinkId to, link::Message&& message) {
  if (!open_.contains(link_key(from, to))) return;
  std::deque<InFlight>& channel = channels_[{from, to}];
  std::int64_t due = now_ + static_cast<std::int64_t>(random(kMaxDelay));
  if (!channel.empty()) due = std::max(due, channel.back().due);
  channel.push_back({due, std::move(message)});
}

void SimulatedCluster::send(ShardId to, link::Message message) { put(kProxy, {false, to}, std::move(message)); }

void SimulatedCluster::flush_all() {
  for (const auto& node : nodes_) node->flush();
}

bool SimulatedCluster::deliver_one() {
  std::vector<LinkKey> ready;
  for (const auto& [key, channel] : channels_) {
    if (!channel.empty() && channel.front().due <= now_) ready.push_back(key);
  }
  if (ready.empty()) return false;
  const LinkKey key = ready[random(ready.size())];
  link::Message message = std::move(channels_[key].front().message);
  channels_[key].pop_front();
  if (key.second.is_proxy) {
    proxy_->receive(key.first.id, message);
  } else {
    watch_arrived(key.second.id, message);
    shard(key.second.id).receive(key.first, std::move(message));
  }
  flush_all();
  if (check_) check_();
  return true;
}

void SimulatedCluster::step() {
  ++now_;
  for (const auto& [key, at] : std::map(reopen_at_)) {
    if (at <= now_) open(key.first, key.second);
  }
  while (deliver_one()) {
  }
  for (const auto& node : nodes_) {
    node->run_finished();
    node->flush();
    if ((now_ + node->id) % kStepsPerTick == 0) {
      node->shard->tick(now_ / kStepsPerTick);
      node->flush();
      if (check_) check_();
    }
  }
}

// --- Who simulates whom, seen from the messages
// ----------------------------------------------------------------------------------------------

void SimulatedCluster::watch_sent(ShardId from, const link::Message& message, ShardId to) {
  if (message.has_offer())
    frozen_[{from, uuid_of(message.offer().player())}] = {message.offer().hop(), to};
}

void SimulatedCluster::thaw(ShardId at, Uuid uuid, Epoch hop) {
  const auto it = frozen_.find({at, uuid});
  if (it != frozen_.end() && it->second.hop == hop) frozen_.erase(it);
}

void SimulatedCluster::watch_arrived(ShardId at, const link::Message& message) {
  if (message.has_refuse()) {
    thaw(at, {message.refuse().uuid_high(), message.refuse().uuid_low()}, message.refuse().hop());
  } else if (message.has_answer()) {
    thaw(at, {message.answer().uuid_high(), message.answer().uuid_low()}, message.answer().hop());
  } else if (message.has_accept()) {
    thaw(at, {message.accept().uuid_high(), message.accept().uuid_low()}, message.accept().hop());
  } else if (message.has_join()) {
    frozen_.erase({at, uuid_of(message.join().player())});
  } else if (message.has_offer()) {
    const auto it = frozen_.find({at, uuid_of(message.offer().player())});
    if (it != frozen_.end() && it->second.hop < message.offer().hop()) frozen_.erase(it);
  } else if (message.has_action_request()) {
    const std::uint64_t incarnation =
        nodes_[static_cast<std::size_t>(message.action_request().operation() >> 48)]->incarnation;
    if (!operations_.emplace(incarnation, message.action_request().operation()).second)
      ++repeated_operations_;
  }
}

std::vector<ShardId> SimulatedCluster::holders(Uuid uuid) const {
  std::vector<ShardId> holding;
  for (const auto& node : nodes_) {
    if (node->shard->find_player(uuid) != nullptr) holding.push_back(node->id);
  }
  return holding;
}

std::vector<ShardId> SimulatedCluster::simulators(Uuid uuid) const {
  std::vector<ShardId> simulating = holders(uuid);
  std::erase_if(simulating, [&](ShardId id) { return frozen_.contains({id, uuid}); });
  return simulating;
}

}  // namespace horizon::simulation
