// Players walk and build across the borders of several shards on a network that delays, cuts and kills.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "common/game/game.hpp"
#include "common/protocol/frame.hpp"
#include "common/protocol/play.hpp"
#include "tests/simulation/simulated_cluster.hpp"

namespace horizon::simulation {
namespace {

namespace in = protocol::play::serverbound;
namespace out = protocol::play::clientbound;

constexpr std::int32_t kViewChunks = 2;
constexpr double kFeetY = -60;
constexpr std::int32_t kGroundY = -61;
constexpr double kRowBlocks = 10;
/// Players walk so far to both sides of a border.
constexpr double kWalkBlocks = 16;
constexpr double kStripBlocks = 128;
constexpr std::int64_t kQuietSteps = 400;
constexpr Uuid kUuidBase{0x1234, 0};

template <class P>
std::string bytes_of(const P& packet) {
  const std::vector<std::uint8_t> bytes = protocol::encode(packet);
  return {bytes.begin(), bytes.end()};
}

/// A client and what the proxy knows of it.
struct Session {
  std::uint64_t id = 0;
  link::PlayerState player;
  ShardId home = -1;
  Epoch hop = 1;
  bool is_homeless = true;
  bool is_open = true;
  std::uint64_t next_input = 1;
  std::deque<link::Input> unapplied;
  // The last place that a shard published.
  bool is_seen = false;
  Epoch seen_hop = 0;
  Vec3 seen;
  std::set<ChunkPos> viewed;
  // The client.
  bool has_spawned = false;
  Vec3 at;
  double direction = 1;
  double border = 0;
  int teleports = 0;
  int joins = 0;
  int kicks = 0;
  std::int32_t sequence = 0;

  Uuid uuid() const { return {player.uuid_high(), player.uuid_low()}; }
};

/// Keeps sessions as the proxy does.
class ModelProxy final : public SimulatedCluster::Proxy {
 public:
  explicit ModelProxy(SimulatedCluster& cluster) : cluster_(cluster) { cluster.set_proxy(this); }

  void add(std::uint64_t id, Vec3 at) {
    Session& s = sessions[id];
    s.id = id;
    s.player.set_uuid_high(kUuidBase.high);
    s.player.set_uuid_low(id);
    s.player.set_name("p" + std::to_string(id));
    s.player.set_entity_id(static_cast<std::int32_t>(id));
    s.player.set_game_mode(1);
    s.player.set_last_block_sequence(-1);
    set_place(s, at);
    protocol::Writer w;
    w.varint(64);
    w.varint(*game::find_item("minecraft:stone"));
    w.varint(0);
    w.varint(0);
    shard::set_inventory_item(s.player, shard::kHotbarStart, {w.view().begin(), w.view().end()});
    look(s, at);
    try_rejoin(s);
  }

  void leave(Session& s) {
    s.is_open = false;
    if (s.is_homeless) return;
    link::Message m;
    m.mutable_leave()->set_session(s.id);
    m.mutable_leave()->set_hop(s.hop);
    cluster_.send(s.home, std::move(m));
  }

  template <class P>
  void forward(Session& s, const P& packet) {
    if (s.is_homeless) return;
    link::Input& input = s.unapplied.emplace_back();
    input.set_session(s.id);
    input.set_hop(s.hop);
    input.set_number(s.next_input++);
    input.set_packet(bytes_of(packet));
    send_input(s, input);
  }

  void shard_opened(ShardId shard) override {
    for (auto& [id, s] : sessions) {
      if (!s.is_open) continue;
      for (const ChunkPos chunk : s.viewed) subscribe(shard, chunk);
      try_rejoin(s);
    }
  }

  void shard_closed(ShardId shard) override {
    for (auto& [id, s] : sessions) {
      if (s.is_open && s.home == shard) home_lost(s);
    }
  }

  void receive(ShardId, const link::Message& m) override {
    if (m.has_input_ack()) {
      if (Session* s = find(m.input_ack().session()); s != nullptr && m.input_ack().hop() == s->hop)
        drop_applied(*s, m.input_ack().number());
    } else if (m.has_player_packet()) {
      if (Session* s = find(m.player_packet().session())) player_packet(*s, m.player_packet().packet());
    } else if (m.has_checkpoint()) {
      if (Session* s = find(m.checkpoint().session()); s != nullptr && m.checkpoint().hop() == s->hop)
        s->player = m.checkpoint().player();
    } else if (m.has_kick()) {
      if (Session* s = find(m.kick().session())) ++s->kicks;
    } else if (m.has_handed_off()) {
      handed_off(m.handed_off());
    } else if (m.has_entity()) {
      entity(m.entity());
    }
  }

  std::map<std::uint64_t, Session> sessions;

 private:
  Session* find(std::uint64_t id) {
    const auto it = sessions.find(id);
    return it == sessions.end() || !it->second.is_open ? nullptr : &it->second;
  }

  static void set_place(Session& s, Vec3 at) {
    s.player.mutable_position()->set_x(at.x);
    s.player.mutable_position()->set_y(at.y);
    s.player.mutable_position()->set_z(at.z);
  }

  static void drop_applied(Session& s, std::uint64_t number) {
    while (!s.unapplied.empty() && s.unapplied.front().number() <= number) s.unapplied.pop_front();
  }

  void send_input(const Session& s, const link::Input& input) {
    link::Message m;
    *m.mutable_input() = input;
    cluster_.send(s.home, std::move(m));
  }

  void subscribe(ShardId shard, ChunkPos chunk) {
    const OwnershipMap::Entry owner = cluster_.owner_of(chunk);
    link::Message m;
    link::Subscribe& request = *m.mutable_subscribe();
    request.set_chunk(chunk.packed());
    request.set_epoch(owner.epoch);
    request.set_entities_only(owner.shard != shard);
    cluster_.send(shard, std::move(m));
  }

  bool is_viewed_by_other(const Session& s, ChunkPos chunk) const {
    return std::any_of(sessions.begin(), sessions.end(), [&](const auto& entry) {
      return entry.first != s.id && entry.second.viewed.contains(chunk);
    });
  }

  void look(Session& s, Vec3 at) {
    std::set<ChunkPos> wanted;
    for (std::int32_t dx = -kViewChunks; dx <= kViewChunks; ++dx) {
      for (std::int32_t dz = -kViewChunks; dz <= kViewChunks; ++dz)
        wanted.insert({at.chunk().x + dx, at.chunk().z + dz});
    }
    for (const ChunkPos chunk : wanted) {
      if (s.viewed.contains(chunk) || is_viewed_by_other(s, chunk)) continue;
      for (int shard = 0; shard < cluster_.shard_count(); ++shard) subscribe(shard, chunk);
    }
    for (const ChunkPos chunk : s.viewed) {
      if (wanted.contains(chunk) || is_viewed_by_other(s, chunk)) continue;
      for (int shard = 0; shard < cluster_.shard_count(); ++shard) {
        link::Message m;
        m.mutable_unsubscribe()->set_chunk(chunk.packed());
        cluster_.send(shard, std::move(m));
      }
    }
    s.viewed = std::move(wanted);
  }

  void try_rejoin(Session& s) {
    if (!s.is_homeless) return;
    const Vec3 at = s.is_seen ? s.seen : Vec3{s.player.position().x(), s.player.position().y(),
                                              s.player.position().z()};
    const ShardId owner = cluster_.owner_of(at.chunk()).shard;
    if (!cluster_.is_linked(owner)) return;
    s.home = owner;
    s.is_homeless = false;
    set_place(s, at);
    ++s.joins;
    link::Message m;
    m.mutable_join()->set_session(s.id);
    m.mutable_join()->set_hop(s.hop);
    *m.mutable_join()->mutable_player() = s.player;
    cluster_.send(s.home, std::move(m));
  }

  void home_lost(Session& s) {
    s.is_homeless = true;
    // Above every hop that a shard can have offered meanwhile.
    s.hop = ((s.hop >> 32) + 1) << 32;
    s.unapplied.clear();
    s.next_input = 1;
    try_rejoin(s);
  }

  void tell_to_forget(const link::HandedOff& message) {
    link::Message m;
    m.mutable_leave()->set_session(message.session());
    m.mutable_leave()->set_hop(message.hop());
    cluster_.send(message.shard(), std::move(m));
  }

  void handed_off(const link::HandedOff& message) {
    Session* s = find(message.session());
    if (s == nullptr) {
      // The client left while it was handed over.
      tell_to_forget(message);
      return;
    }
    if (message.hop() <= s->hop) {
      // A copy that was on its way when the session began anew elsewhere.
      if (message.hop() < s->hop) tell_to_forget(message);
      return;
    }
    s->home = message.shard();
    s->hop = message.hop();
    drop_applied(*s, message.last_number());
    if (!cluster_.is_linked(s->home)) {
      home_lost(*s);
      return;
    }
    for (link::Input& input : s->unapplied) {
      input.set_hop(s->hop);
      send_input(*s, input);
    }
  }

  void entity(const link::EntityUpdate& update) {
    Session* s = find(static_cast<std::uint64_t>(update.id()));
    if (s == nullptr || update.hop() < s->seen_hop) return;
    s->seen_hop = update.hop();
    if (update.removed() || update.rehomed() || !update.has_position()) return;
    s->is_seen = true;
    s->seen = {update.position().x(), update.position().y(), update.position().z()};
    look(*s, s->seen);
  }

  void player_packet(Session& s, const std::string& bytes) {
    const auto packet =
        protocol::split_packet({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    ASSERT_TRUE(packet.ok());
    if (packet->id != out::PlayerPosition::kId) return;
    const auto position = protocol::decode<out::PlayerPosition>(packet->body);
    ASSERT_TRUE(position.ok());
    ++s.teleports;
    s.has_spawned = true;
    s.at = position->pos;
    forward(s, in::AcceptTeleportation{position->teleport_id});
  }

  SimulatedCluster& cluster_;
};

struct Faults {
  int shard_cuts_per_mille = 0;
  int proxy_cuts_per_mille = 0;
  int kills_per_mille = 0;
  bool leaves = false;
  bool builds = false;
};

class Run {
 public:
  Run(std::uint64_t seed, int shards, int players, Faults faults)
      : cluster_(seed, shards), proxy_(cluster_), faults_(faults) {
    cluster_.heal();
    for (int i = 1; i <= players; ++i) {
      const auto id = static_cast<std::uint64_t>(i);
      const double border =
          kStripBlocks * static_cast<double>(cluster_.random(static_cast<std::uint64_t>(shards - 1)));
      const double x = border + static_cast<double>(cluster_.random(30)) - 15;
      proxy_.add(id, {x + 0.5, kFeetY, i * kRowBlocks + 0.5});
      proxy_.sessions[id].border = border;
    }
    cluster_.set_check([this] { check_one_simulator(); });
  }

  void go(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      fault();
      for (auto& [id, s] : proxy_.sessions) {
        if (s.is_open) live(s, i);
      }
      cluster_.step();
    }
    if (testing::Test::HasFailure()) return;
    cluster_.heal();
    for (std::int64_t i = 0; i < kQuietSteps; ++i) cluster_.step();
    check_quiescent();
  }

 private:
  bool happens(int per_mille) { return cluster_.random(1000) < static_cast<std::uint64_t>(per_mille); }
  shard::LinkId some_shard() {
    return {false,
            static_cast<ShardId>(cluster_.random(static_cast<std::uint64_t>(cluster_.shard_count())))};
  }

  void fault() {
    if (happens(faults_.shard_cuts_per_mille)) {
      const shard::LinkId a = some_shard();
      const shard::LinkId b = some_shard();
      if (a != b) cluster_.cut(a, b);
    }
    if (happens(faults_.proxy_cuts_per_mille)) cluster_.cut(SimulatedCluster::kProxy, some_shard());
    if (happens(faults_.kills_per_mille)) cluster_.kill(some_shard().id);
  }

  void live(Session& s, int step) {
    if (faults_.leaves && happens(2)) {
      proxy_.leave(s);
      return;
    }
    if (!s.has_spawned || step % 3 != 0) return;
    if (happens(30)) s.direction = -s.direction;
    if (std::abs(s.at.x - s.border) > kWalkBlocks) s.direction = s.at.x > s.border ? -1 : 1;
    s.at.x += s.direction * (1 + static_cast<double>(cluster_.random(3))) / 4;
    proxy_.forward(s, in::MovePlayerPos{s.at, 1});
    if (faults_.builds && happens(300)) build(s);
  }

  void build(Session& s) {
    const BlockPos feet = s.at.block();
    const BlockPos target{feet.x - 2 + static_cast<std::int32_t>(cluster_.random(5)), kGroundY, feet.z + 3};
    targets_.insert(target);
    targets_.insert({target.x, target.y + 1, target.z});
    if (cluster_.random(2) == 0) {
      in::PlayerAction dig;
      dig.pos = cluster_.random(2) == 0 ? target : BlockPos{target.x, target.y + 1, target.z};
      dig.face = 1;
      dig.sequence = ++s.sequence;
      proxy_.forward(s, dig);
    } else {
      in::UseItemOn place;
      place.pos = target;
      place.face = 1;
      place.cursor_x = place.cursor_z = 0.5F;
      place.cursor_y = 1;
      place.sequence = ++s.sequence;
      proxy_.forward(s, place);
    }
  }

  void check_one_simulator() {
    for (const auto& [id, s] : proxy_.sessions) {
      const std::vector<ShardId> simulating = cluster_.simulators(s.uuid());
      if (simulating.size() > 1) {
        ADD_FAILURE() << "player " << id << " is simulated by shards " << simulating[0] << " and "
                      << simulating[1];
      }
      for (const ShardId shard : simulating) check_no_gap(*cluster_.shard(shard).find_player(s.uuid()));
    }
  }

  /// Positions are absolute, so a lost input would not show in the last one.
  static void check_no_gap(const shard::Player& player) {
    std::uint64_t last = player.applied;
    for (const link::Input& input : player.inputs) {
      ASSERT_EQ(input.number(), last + 1) << "an input of player " << player.id() << " was lost";
      last = input.number();
    }
  }

  void check_quiescent() {
    for (const auto& [id, s] : proxy_.sessions) {
      const std::vector<ShardId> holding = cluster_.holders(s.uuid());
      if (!s.is_open) {
        EXPECT_TRUE(holding.empty()) << "player " << id << " left, shard " << holding[0] << " has it";
        continue;
      }
      EXPECT_EQ(s.kicks, 0);
      ASSERT_EQ(holding.size(), 1U) << "player " << id;
      EXPECT_EQ(cluster_.simulators(s.uuid()).size(), 1U) << "player " << id << " is frozen";
      EXPECT_EQ(holding[0], s.home) << "player " << id;
      const shard::Player& player = *cluster_.shard(holding[0]).find_player(s.uuid());
      EXPECT_EQ(player.hop, s.hop) << "player " << id;
      EXPECT_EQ(player.applied, s.next_input - 1) << "player " << id;
      EXPECT_TRUE(s.unapplied.empty()) << "player " << id;
      EXPECT_EQ(player.position().x, s.at.x) << "player " << id;
      EXPECT_LE(s.teleports, s.joins) << "player " << id << " was pulled back";
      if (faults_.kills_per_mille == 0 && faults_.proxy_cuts_per_mille == 0) {
        EXPECT_EQ(s.joins, 1) << "player " << id;
      }
    }
    EXPECT_EQ(cluster_.repeated_operations(), 0);
    for (const BlockPos target : targets_) check_replicas(target);
  }

  /// Every shard that has the chunk reads what its owner has.
  void check_replicas(BlockPos target) {
    const ShardId owner = cluster_.owner_of(ChunkPos::of(target)).shard;
    const auto truth = cluster_.shard(owner).chunks().block(target);
    if (!truth) return;
    for (int id = 0; id < cluster_.shard_count(); ++id) {
      const auto seen = cluster_.shard(id).chunks().block(target);
      if (!seen) continue;
      EXPECT_EQ(*seen, *truth) << "block " << target.x << ' ' << target.y << ' ' << target.z << ": shard "
                               << id << " and its owner " << owner;
      if (id != owner) ++compared;
    }
  }

  SimulatedCluster cluster_;
  ModelProxy proxy_;
  Faults faults_;
  std::set<BlockPos> targets_;

 public:
  int compared = 0;
};

/// Stops at the first seed that fails, and names it.
int run_seeds(std::uint64_t seeds, int shards, int players, int steps, Faults faults) {
  int compared = 0;
  const char* only = std::getenv("HORIZON_SIMULATION_SEED");
  const std::uint64_t first = only == nullptr ? 1 : std::strtoull(only, nullptr, 10);
  const char* rounds = std::getenv("HORIZON_SIMULATION_ROUNDS");
  if (rounds != nullptr) seeds *= std::strtoull(rounds, nullptr, 10);
  const std::uint64_t last = only == nullptr ? seeds : first;
  for (std::uint64_t seed = first; seed <= last && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("HORIZON_SIMULATION_SEED=" + std::to_string(seed));
    Run run(seed, shards, players, faults);
    run.go(steps);
    compared += run.compared;
  }
  return compared;
}

TEST(Cluster, EveryInputIsAppliedOnceAndInOrderOnAHealthyNetwork) { run_seeds(40, 2, 3, 600, {}); }

TEST(Cluster, EveryInputIsAppliedOnceWhenLinksBetweenShardsAreCut) {
  run_seeds(30, 3, 3, 500, {.shard_cuts_per_mille = 30});
}

TEST(Cluster, OneShardHoldsEachPlayerAfterCutsOfTheProxysLinks) {
  run_seeds(30, 2, 3, 500, {.shard_cuts_per_mille = 20, .proxy_cuts_per_mille = 10});
}

TEST(Cluster, OneShardHoldsEachPlayerAfterShardsDied) {
  run_seeds(30, 3, 3, 500, {.shard_cuts_per_mille = 20, .kills_per_mille = 5});
}

TEST(Cluster, WhoLeavesIsGoneEverywhere) {
  run_seeds(40, 2, 4, 400, {.shard_cuts_per_mille = 30, .leaves = true});
}

TEST(Cluster, ReplicasEqualTheOwnersBlocksAndNoActionIsRepeated) {
  const int compared = run_seeds(30, 2, 2, 500, {.shard_cuts_per_mille = 20, .builds = true});
  EXPECT_GT(compared, 0);
}

TEST(Cluster, EveryKindOfFaultAtOnceEndsWithOneWorld) {
  run_seeds(30, 3, 3, 400,
            {.shard_cuts_per_mille = 20,
             .proxy_cuts_per_mille = 10,
             .kills_per_mille = 4,
             .leaves = true,
             .builds = true});
}

}  // namespace
}  // namespace horizon::simulation
