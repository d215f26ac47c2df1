#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/base/ownership.hpp"
#include "protos/link.pb.h"
#include "shard/tick/jobs.hpp"
#include "shard/tick/outbox.hpp"
#include "shard/tick/shard.hpp"
#include "shard/worldgen/generator.hpp"

namespace horizon::simulation {

/// Several shards and one proxy in one process, on a network of which each delay and each cut follows from a
/// seed.
///
/// Time is a count of steps. In each step messages that are due arrive one by one, in order within a link and
/// in random order between links; jobs end; shards tick every kStepsPerTick steps. A cut loses what is on the
/// way in both directions and is told to both sides at once.
class SimulatedCluster {
 public:
  static constexpr std::int64_t kStepsPerTick = 3;
  static constexpr shard::LinkId kProxy{true, 0};

  /// What the shards' messages and the network's faults mean to the proxy.
  struct Proxy {
    virtual ~Proxy() = default;
    virtual void shard_opened(ShardId shard) = 0;
    virtual void shard_closed(ShardId shard) = 0;
    virtual void receive(ShardId from, const link::Message& message) = 0;
  };

  SimulatedCluster(std::uint64_t seed, int shards);
  ~SimulatedCluster();

  void set_proxy(Proxy* proxy) { proxy_ = proxy; }
  void step();
  /// Until a random later step.
  void cut(shard::LinkId a, shard::LinkId b);
  void kill(ShardId id);
  /// Opens every link at once.
  void heal();

  bool is_linked(ShardId shard) const { return open_.contains(link_key(kProxy, {false, shard})); }
  /// From the proxy; lost when there is no link.
  void send(ShardId to, link::Message message);
  OwnershipMap::Entry owner_of(ChunkPos chunk) const;

  int shard_count() const { return static_cast<int>(nodes_.size()); }
  shard::Shard& shard(ShardId id);
  /// Shards that have the player, and of these the ones that simulate it: have it and have not offered it.
  std::vector<ShardId> holders(Uuid uuid) const;
  std::vector<ShardId> simulators(Uuid uuid) const;
  /// Runs after each message that arrived.
  void set_check(std::function<void()> check) { check_ = std::move(check); }
  /// Actions across a border that arrived at the owner, and those that arrived there twice.
  int repeated_operations() const { return repeated_operations_; }
  std::uint64_t random(std::uint64_t below) { return random_() % below; }

 private:
  struct InFlight {
    std::int64_t due;
    link::Message message;
  };
  struct Node;
  using LinkKey = std::pair<shard::LinkId, shard::LinkId>;
  static LinkKey link_key(shard::LinkId a, shard::LinkId b) {
    return a < b ? LinkKey{a, b} : LinkKey{b, a};
  }

  std::unique_ptr<Node> make_node(ShardId id);
  void assign_all(Node& node);
  void open(shard::LinkId a, shard::LinkId b);
  void tell(shard::LinkId whom, shard::LinkId other, bool is_open);
  void put(shard::LinkId from, shard::LinkId to, link::Message&& message);
  void flush_all();
  bool deliver_one();
  void watch_sent(ShardId from, const link::Message& message, ShardId to);
  void watch_arrived(ShardId at, const link::Message& message);
  void thaw(ShardId at, Uuid uuid, Epoch hop);

  std::mt19937_64 random_;
  std::int64_t now_ = 0;
  std::unique_ptr<shard::ChunkGenerator> generator_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::map<LinkKey, std::deque<InFlight>> channels_;  // from, to
  std::set<LinkKey> open_;
  std::map<LinkKey, std::int64_t> reopen_at_;
  std::map<RegionPos, OwnershipMap::Entry> regions_;
  Proxy* proxy_ = nullptr;
  std::function<void()> check_;

  struct Frozen {
    Epoch hop;
    ShardId to;
  };
  std::map<std::pair<ShardId, Uuid>, Frozen> frozen_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> operations_;  // incarnation, operation
  int repeated_operations_ = 0;
};

}  // namespace horizon::simulation
