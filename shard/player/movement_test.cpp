#include "shard/player/movement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <unordered_map>

#include "common/game/game.hpp"

namespace horizon::shard {
namespace {

BlockState named(std::string_view name) { return game::default_state(game::find_block(name).value()); }

class Ground : public BlockAccess {
 public:
  const world::Chunk* chunk(ChunkPos pos) const override {
    const auto it = chunks_.find(pos);
    return it == chunks_.end() ? nullptr : &it->second;
  }
  void load(ChunkPos pos) { chunks_.emplace(pos, world::Chunk(pos)); }
  void set(BlockPos pos, BlockState state) { chunks_.at(ChunkPos::of(pos)).set_block(pos, state); }

 private:
  std::unordered_map<ChunkPos, world::Chunk> chunks_;
};

/// A flat floor of stone whose surface is at y = 64, around the origin.
Ground flat_ground() {
  Ground ground;
  for (std::int32_t cx = -2; cx < 2; ++cx) {
    for (std::int32_t cz = -2; cz < 2; ++cz) ground.load({cx, cz});
  }
  const BlockState stone = named("minecraft:stone");
  for (std::int32_t x = -32; x < 32; ++x) {
    for (std::int32_t z = -32; z < 32; ++z) ground.set({x, 63, z}, stone);
  }
  return ground;
}

MoveOutcome move_once(const Ground& ground, Vec3 from, Vec3 to, MoveInput how = {}) {
  MovementCheck movement;
  movement.begin_tick();
  how.from = from;
  how.to = to;
  return movement.check(ground, how);
}

/// A client of its own make on columns of full blocks and bottom slabs: heights only, no code of the product.
class Client {
 public:
  static constexpr std::int32_t kSize = 64;
  // The client's box has the sizes of floats: 0.6F wide, 1.8F high.
  static constexpr double kHalf = static_cast<double>(0.6F) / 2;

  explicit Client(std::uint32_t seed) : random_(seed) {
    for (auto& column : half_blocks_)
      column = static_cast<std::int32_t>(random_() % 4) + (random_() % 9 == 0 ? 4 : 0);
    feet_ = {kSize / 2 + 0.5, 64 + 10, kSize / 2 + 0.5};
  }

  /// The height of a column above y = 64, in half blocks. Walls around the field keep the client in.
  std::int32_t column(std::int32_t x, std::int32_t z) const {
    if (x <= 0 || z <= 0 || x >= kSize - 1 || z >= kSize - 1) return 20;
    return half_blocks_[static_cast<std::size_t>(z * kSize + x)];
  }

  Vec3 tick() {
    if (random_() % 15 == 0) heading_ = static_cast<double>(random_() % 6283) / 1000;
    if (random_() % 20 == 0) is_sprinting_ = !is_sprinting_;
    const double speed = is_sprinting_ ? 0.2806 : 0.2158;
    const double dx = std::cos(heading_) * speed;
    const double dz = std::sin(heading_) * speed;
    if (on_ground_ && random_() % 12 == 0) fall_ = 0.42;
    const double dy = fall_;

    // Down (or up; there are no ceilings) first, then the longer horizontal axis.
    const double floor = ground_under(feet_.x, feet_.z);
    const double y = std::max(feet_.y + dy, floor);
    const bool landed = dy < 0 && feet_.y + dy <= floor;
    Vec3 next = across({feet_.x, y, feet_.z}, dx, dz);
    const bool is_blocked = next.x != feet_.x + dx || next.z != feet_.z + dz;
    if (is_blocked && (on_ground_ || landed)) {
      // Heights are halves of a block, and a step is 0.6: the one above where the feet stand.
      const double step = (landed ? y : feet_.y) + 0.5;
      const Vec3 stepped = across({feet_.x, step, feet_.z}, dx, dz);
      const auto gain = [&](Vec3 v) {
        return (v.x - feet_.x) * (v.x - feet_.x) + (v.z - feet_.z) * (v.z - feet_.z);
      };
      if (gain(stepped) > gain(next)) next = stepped;
    }
    on_ground_ = next.y <= ground_under(next.x, next.z);
    fall_ = on_ground_ ? 0 : fall_;
    fall_ = (fall_ - 0.08) * 0.98;
    feet_ = next;
    return feet_;
  }
  Vec3 feet() const { return feet_; }

 private:
  template <class F>
  void columns(double x, double z, F visit) const {
    for (auto bx = static_cast<std::int32_t>(std::floor(x - kHalf + 1e-7));
         bx <= static_cast<std::int32_t>(std::floor(x + kHalf - 1e-7)); ++bx) {
      for (auto bz = static_cast<std::int32_t>(std::floor(z - kHalf + 1e-7));
           bz <= static_cast<std::int32_t>(std::floor(z + kHalf - 1e-7)); ++bz) {
        visit(bx, bz, 64 + column(bx, bz) * 0.5);
      }
    }
  }
  double ground_under(double x, double z) const {
    double top = 64;
    columns(x, z, [&](std::int32_t, std::int32_t, double height) { top = std::max(top, height); });
    return top;
  }
  double along_x(Vec3 at, double dx) const {
    double x = at.x + dx;
    columns(x, at.z, [&](std::int32_t bx, std::int32_t, double height) {
      if (height <= at.y + 1e-7) return;
      x = dx > 0 ? std::min(x, bx - kHalf) : std::max(x, bx + 1 + kHalf);
    });
    return dx > 0 ? std::max(x, at.x) : std::min(x, at.x);
  }
  double along_z(Vec3 at, double dz) const {
    double z = at.z + dz;
    columns(at.x, z, [&](std::int32_t, std::int32_t bz, double height) {
      if (height <= at.y + 1e-7) return;
      z = dz > 0 ? std::min(z, bz - kHalf) : std::max(z, bz + 1 + kHalf);
    });
    return dz > 0 ? std::max(z, at.z) : std::min(z, at.z);
  }
  Vec3 across(Vec3 at, double dx, double dz) const {
    if (std::abs(dx) < std::abs(dz)) {
      at.z = along_z(at, dz);
      at.x = along_x(at, dx);
    } else {
      at.x = along_x(at, dx);
      at.z = along_z(at, dz);
    }
    return at;
  }

  std::mt19937 random_;
  std::array<std::int32_t, kSize * kSize> half_blocks_{};
  Vec3 feet_;
  double fall_ = 0;
  double heading_ = 0;
  bool is_sprinting_ = false;
  bool on_ground_ = false;
};

Ground ground_of(const Client& client) {
  Ground ground;
  for (std::int32_t cx = 0; cx < Client::kSize / 16; ++cx) {
    for (std::int32_t cz = 0; cz < Client::kSize / 16; ++cz) ground.load({cx, cz});
  }
  const BlockState stone = named("minecraft:stone");
  const BlockState slab = game::with_property(named("minecraft:stone_slab"), "type", "bottom").value();
  for (std::int32_t x = 0; x < Client::kSize; ++x) {
    for (std::int32_t z = 0; z < Client::kSize; ++z) {
      const std::int32_t halves = client.column(x, z);
      for (std::int32_t y = 60; y < 64 + halves / 2; ++y) ground.set({x, y, z}, stone);
      if (halves % 2 == 1) ground.set({x, 64 + halves / 2, z}, slab);
    }
  }
  return ground;
}

void walk(std::uint32_t seed, std::uint32_t most_moves_in_a_tick) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", up to " << most_moves_in_a_tick
                                  << " moves in a tick");
  Client client(seed);
  const Ground ground = ground_of(client);
  std::mt19937 random(seed + 1);
  MovementCheck movement;
  Vec3 from = client.feet();
  double walked = 0;
  for (std::int32_t tick = 0; tick < 2000; ++tick) {
    movement.begin_tick();
    const std::uint32_t moves = 1 + random() % most_moves_in_a_tick;
    for (std::uint32_t i = 0; i < moves; ++i) {
      MoveInput move;
      move.from = from;
      move.to = client.tick();
      const MoveOutcome outcome = movement.check(ground, move);
      ASSERT_EQ(outcome.verdict, MoveVerdict::kAccepted)
          << "tick " << tick << " from " << from.x << ' ' << from.y << ' ' << from.z << " to " << move.to.x
          << ' ' << move.to.y << ' ' << move.to.z;
      ASSERT_EQ(outcome.position, move.to);
      walked += std::sqrt((move.to - from).length_squared());
      from = move.to;
    }
  }
  EXPECT_GT(walked, 100);
}

TEST(Movement, WalkingJumpingAndSteppingIsNeverPulledBack) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) walk(seed, 1);
}

TEST(Movement, ManyMovesInOneTickAreNotPulledBack) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) walk(seed, 10);
  for (std::uint32_t seed = 1; seed <= 5; ++seed) walk(seed, 40);
}

TEST(Movement, FallingAtTerminalVelocityIsNotTooQuick) {
  Ground ground = flat_ground();
  MovementCheck movement;
  MoveInput move;
  move.from = {0.5, 300, 0.5};
  for (std::int32_t tick = 0; tick < 10; ++tick) {
    movement.begin_tick();
    for (std::int32_t i = 0; i < 5; ++i) {
      move.to = move.from - Vec3{0, 3.92, 0};
      ASSERT_EQ(movement.check(ground, move).verdict, MoveVerdict::kAccepted);
      move.from = move.to;
    }
  }
}

TEST(Movement, ThroughAWallIsPulledBack) {
  Ground ground = flat_ground();
  for (std::int32_t y = 64; y < 67; ++y) {
    for (std::int32_t z = -8; z < 8; ++z) ground.set({5, y, z}, named("minecraft:stone"));
  }
  const Vec3 from{4.5, 64, 0.5};
  for (const double distance : {0.4, 0.8, 1.3, 2.0, 3.0}) {
    const MoveOutcome outcome = move_once(ground, from, from + Vec3{distance, 0, 0});
    EXPECT_EQ(outcome.verdict, MoveVerdict::kWrongly) << distance;
    EXPECT_EQ(outcome.position, from);
  }
  MoveInput spectator;
  spectator.may_pass_blocks = true;
  EXPECT_EQ(move_once(ground, from, from + Vec3{2, 0, 0}, spectator).verdict, MoveVerdict::kAccepted);
}

TEST(Movement, CreepingIntoAWallOrTheFloorIsPulledBack) {
  Ground ground = flat_ground();
  for (std::int32_t y = 64; y < 67; ++y) ground.set({5, y, 0}, named("minecraft:stone"));
  for (const bool is_creative : {false, true}) {
    MoveInput how;
    how.is_creative = is_creative;
    // Each is small enough for the rule of the residual.
    EXPECT_EQ(move_once(ground, {4.65, 64, 0.5}, {4.8, 64, 0.5}, how).verdict, MoveVerdict::kWrongly);
    EXPECT_EQ(move_once(ground, {0.5, 64, 0.5}, {0.5, 63.6, 0.5}, how).verdict, MoveVerdict::kWrongly);
  }
}

TEST(Movement, WhoIsInsideABlockMayLeaveIt) {
  Ground ground = flat_ground();
  ground.set({0, 64, 0}, named("minecraft:stone"));
  EXPECT_EQ(move_once(ground, {0.5, 64, 0.5}, {0.9, 64, 0.5}).verdict, MoveVerdict::kAccepted);
  EXPECT_EQ(move_once(ground, {0.5, 64, 0.5}, {0.5, 64.42, 0.5}).verdict, MoveVerdict::kAccepted);
}

TEST(Movement, CrouchingAndCrawlingUnderLowCeilingsIsNotPulledBack) {
  Ground ground = flat_ground();
  const BlockState top_slab = game::with_property(named("minecraft:stone_slab"), "type", "top").value();
  // Free below: 1.5 blocks for x from 0 to 7, one block from 8 on.
  for (std::int32_t x = 0; x < 16; ++x) ground.set({x, 65, 0}, x < 8 ? top_slab : named("minecraft:stone"));
  MoveInput sneaking;
  sneaking.is_sneaking = true;
  EXPECT_EQ(move_once(ground, {-0.4, 64, 0.5}, {-0.2, 64, 0.5}, sneaking).verdict, MoveVerdict::kAccepted);
  EXPECT_EQ(move_once(ground, {-0.4, 64, 0.5}, {-0.2, 64, 0.5}).verdict, MoveVerdict::kWrongly);
  // The key is up already, but there is no room to stand.
  for (const Vec3 from : {Vec3{2.5, 64, 0.5}, Vec3{10.5, 64, 0.5}}) {
    EXPECT_EQ(move_once(ground, from, from + Vec3{0.28, 0, 0}).verdict, MoveVerdict::kAccepted);
  }
}

TEST(Movement, SwimmingIntoATunnelIsNotPulledBack) {
  Ground ground = flat_ground();
  for (std::int32_t x = -4; x < 8; ++x) {
    ground.set({x, 64, 0}, named("minecraft:water"));
    ground.set({x, 65, 0}, named(x < 0 ? "minecraft:water" : "minecraft:stone"));
  }
  EXPECT_EQ(move_once(ground, {-0.4, 64.2, 0.5}, {-0.1, 64.2, 0.5}).verdict, MoveVerdict::kAccepted);
}

TEST(Movement, TwelveBlocksAtOnceAreTooQuick) {
  const Ground ground = flat_ground();
  const MoveOutcome outcome = move_once(ground, {0.5, 64, 0.5}, {12.5, 64, 0.5});
  EXPECT_EQ(outcome.verdict, MoveVerdict::kTooQuickly);
  EXPECT_EQ(outcome.position, (Vec3{0.5, 64, 0.5}));
  EXPECT_EQ(move_once(ground, {0.5, 64, 0.5}, {10.4, 64, 0.5}).verdict, MoveVerdict::kAccepted);
  MoveInput gliding;
  gliding.is_gliding = true;
  EXPECT_EQ(move_once(ground, {0.5, 80, 0.5}, {12.5, 80, 0.5}, gliding).verdict, MoveVerdict::kAccepted);
  EXPECT_EQ(move_once(ground, {0.5, 80, 0.5}, {18.5, 80, 0.5}, gliding).verdict, MoveVerdict::kTooQuickly);
}

TEST(Movement, ATickAllowsMoreWithMorePackets) {
  const Ground ground = flat_ground();
  MovementCheck movement;
  movement.begin_tick();
  MoveInput move;
  // 10 × the square root of the number of packets: 8, 14 (two: 14.1), then 21 (three: 17.3).
  move.from = {-15.5, 80, 0.5};
  for (const double x : {-7.5, -1.5}) {
    move.to = {x, 80, 0.5};
    EXPECT_EQ(movement.check(ground, move).verdict, MoveVerdict::kAccepted) << x;
    move.from = move.to;
  }
  move.to = {5.5, 80, 0.5};
  EXPECT_EQ(movement.check(ground, move).verdict, MoveVerdict::kTooQuickly);
  movement.begin_tick();
  EXPECT_EQ(movement.check(ground, move).verdict, MoveVerdict::kAccepted);
}

TEST(Movement, NumbersThatAreNoPlaceAreInvalid) {
  const Ground ground = flat_ground();
  const Vec3 from{0.5, 64, 0.5};
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const Vec3 to : {Vec3{kNan, 64, 0}, Vec3{0, kNan, 0}, Vec3{0, 64, kNan}, Vec3{kInfinity, 64, 0},
                        Vec3{0, -kInfinity, 0}, Vec3{3.1e7, 64, 0}, Vec3{0, 64, -3.1e7}, Vec3{0, 2.1e7, 0}}) {
    for (const bool may_pass : {false, true}) {
      MoveInput how;
      how.may_pass_blocks = may_pass;
      const MoveOutcome outcome = move_once(ground, from, to, how);
      EXPECT_EQ(outcome.verdict, MoveVerdict::kInvalid);
      EXPECT_EQ(outcome.position, from);
    }
  }
}

TEST(Movement, WhereNoChunkIsNothingIsInTheWay) {
  const Ground nowhere;
  EXPECT_EQ(move_once(nowhere, {0.5, 64, 0.5}, {4.5, 60, 0.5}).verdict, MoveVerdict::kAccepted);
}

}  // namespace
}  // namespace horizon::shard
