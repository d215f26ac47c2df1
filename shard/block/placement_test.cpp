#include "shard/block/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>

#include "common/game/game.hpp"

namespace horizon::shard {
namespace {

using Properties = std::initializer_list<std::pair<std::string_view, std::string_view>>;

BlockState named(std::string_view name, Properties properties = {}) {
  BlockState state = game::default_state(game::find_block("minecraft:" + std::string(name)).value());
  for (const auto& [key, value] : properties) state = game::with_property(state, key, value).value();
  return state;
}

/// "minecraft:oak_log[axis=x,...]", for messages.
std::string describe(BlockState state) {
  std::string out(game::block_name(game::block_of(state)));
  for (const game::Property& p : game::block_properties(game::block_of(state))) {
    out += ' ';
    out += p.name;
    out += '=';
    out += game::property(state, p.name);
  }
  return out;
}

/// The four chunks around the origin, empty.
class PlacementTest : public testing::Test, public BlockAccess {
 protected:
  PlacementTest() {
    for (const ChunkPos pos : {ChunkPos{0, 0}, ChunkPos{-1, 0}, ChunkPos{0, -1}, ChunkPos{-1, -1}}) {
      chunks_.emplace(pos, world::Chunk(pos));
    }
  }
  const world::Chunk* chunk(ChunkPos pos) const override {
    const auto it = chunks_.find(pos);
    return it == chunks_.end() ? nullptr : &it->second;
  }
  void set(BlockPos pos, BlockState state) { chunks_.at(ChunkPos::of(pos)).set_block(pos, state); }
  void apply(const std::vector<BlockChange>& changes) {
    for (const BlockChange& change : changes) set(change.pos, change.state);
  }
  BlockState at(BlockPos pos) const { return block(pos).value(); }
  std::string at(BlockPos pos, std::string_view property) const {
    return std::string(game::property(at(pos), property));
  }
  std::string name_at(BlockPos pos) const { return std::string(game::block_name(game::block_of(at(pos)))); }

  static PlaceContext with_item(std::string_view item, BlockPos clicked, Direction face) {
    PlaceContext context;
    context.clicked = clicked;
    context.face = face;
    context.cursor = {0.5, 0.5, 0.5};
    context.item = game::find_item("minecraft:" + std::string(item)).value();
    return context;
  }
  /// Places and applies; false when it is not possible.
  bool put(const PlaceContext& context, std::span<const EntityBox> bodies = {}) {
    const auto changes = place(*this, context, bodies);
    if (changes) apply(*changes);
    return changes.has_value();
  }
  bool put(std::string_view item, BlockPos clicked, Direction face, float yaw = 0,
           Vec3 cursor = {0.5, 0.5, 0.5}, float pitch = 0) {
    PlaceContext context = with_item(item, clicked, face);
    context.yaw = yaw;
    context.pitch = pitch;
    context.cursor = cursor;
    return put(context);
  }

  static constexpr float kSouth = 0, kWest = 90, kNorth = 180, kEast = -90;

 private:
  std::unordered_map<ChunkPos, world::Chunk> chunks_;
};

TEST_F(PlacementTest, LogLiesAlongTheClickedAxis) {
  set({0, 64, 0}, named("stone"));
  ASSERT_TRUE(put("oak_log", {0, 64, 0}, Direction::kWest));
  EXPECT_EQ(at({-1, 64, 0}), named("oak_log", {{"axis", "x"}}));
  ASSERT_TRUE(put("oak_log", {0, 64, 0}, Direction::kNorth));
  EXPECT_EQ(at({0, 64, -1}), named("oak_log", {{"axis", "z"}}));
  ASSERT_TRUE(put("oak_log", {0, 64, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 65, 0}), named("oak_log", {{"axis", "y"}}));
}

TEST_F(PlacementTest, StairsFaceWhereThePlayerLooksAndHangFromTheUpperHalf) {
  set({0, 64, 0}, named("stone"));
  ASSERT_TRUE(put("oak_stairs", {0, 64, 0}, Direction::kWest, kEast, {0, 0.75, 0.5}));
  EXPECT_EQ(at({-1, 64, 0}), named("oak_stairs", {{"half", "top"}, {"facing", "east"}}));
  ASSERT_TRUE(put("oak_stairs", {0, 64, 0}, Direction::kSouth, kNorth, {0.5, 0.25, 1}));
  EXPECT_EQ(at({0, 64, 1}), named("oak_stairs", {{"half", "bottom"}, {"facing", "north"}}));
  ASSERT_TRUE(put("oak_stairs", {0, 64, 0}, Direction::kDown, kWest, {0.5, 0, 0.5}));
  EXPECT_EQ(at({0, 63, 0}), named("oak_stairs", {{"half", "top"}, {"facing", "west"}}));
}

TEST_F(PlacementTest, StairsMakeCorners) {
  for (std::int32_t x = 0; x < 3; ++x) {
    for (std::int32_t z = 0; z < 3; ++z) set({x, 63, z}, named("stone"));
  }
  ASSERT_TRUE(put("oak_stairs", {1, 63, 1}, Direction::kUp, kNorth));
  // Before it, turned: the first one becomes an outer corner.
  ASSERT_TRUE(put("oak_stairs", {1, 63, 0}, Direction::kUp, kEast));
  EXPECT_EQ(at({1, 64, 1}), named("oak_stairs", {{"facing", "north"}, {"shape", "outer_right"}}));
  apply(dig(*this, {1, 64, 0}));
  EXPECT_EQ(at({1, 64, 1}), named("oak_stairs", {{"facing", "north"}}));
  // Behind it, turned: an inner corner.
  ASSERT_TRUE(put("oak_stairs", {1, 63, 2}, Direction::kUp, kWest));
  EXPECT_EQ(at({1, 64, 1}), named("oak_stairs", {{"facing", "north"}, {"shape", "inner_left"}}));
}

TEST_F(PlacementTest, SlabsTakeTheHalfAndCompleteEachOther) {
  set({0, 64, 0}, named("stone"));
  ASSERT_TRUE(put("stone_slab", {0, 64, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 65, 0}), named("stone_slab", {{"type", "bottom"}}));
  ASSERT_TRUE(put("stone_slab", {0, 65, 0}, Direction::kUp, kSouth, {0.5, 0.5, 0.5}));
  EXPECT_EQ(at({0, 65, 0}), named("stone_slab", {{"type", "double"}}));
  ASSERT_TRUE(put("stone_slab", {0, 65, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 66, 0}), named("stone_slab", {{"type", "bottom"}}));

  ASSERT_TRUE(put("stone_slab", {0, 64, 0}, Direction::kEast, kWest, {1, 0.8, 0.5}));
  EXPECT_EQ(at({1, 64, 0}), named("stone_slab", {{"type", "top"}}));
  // From a neighbour's side it completes whichever half is free.
  ASSERT_TRUE(put("stone_slab", {0, 64, 0}, Direction::kEast, kWest, {1, 0.9, 0.5}));
  EXPECT_EQ(at({1, 64, 0}), named("stone_slab", {{"type", "double"}}));

  set({4, 64, 4}, named("stone_slab", {{"type", "bottom"}}));
  ASSERT_TRUE(put("oak_slab", {4, 64, 4}, Direction::kUp, kSouth, {0.5, 0.5, 0.5}));
  EXPECT_EQ(at({4, 64, 4}), named("stone_slab", {{"type", "bottom"}}));
  EXPECT_EQ(at({4, 65, 4}), named("oak_slab", {{"type", "bottom"}}));
}

TEST_F(PlacementTest, TorchesSignsAndHeadsHangOnSides) {
  set({0, 64, 0}, named("stone"));
  ASSERT_TRUE(put("torch", {0, 64, 0}, Direction::kEast, kWest));
  EXPECT_EQ(at({1, 64, 0}), named("wall_torch", {{"facing", "east"}}));
  ASSERT_TRUE(put("redstone_torch", {0, 64, 0}, Direction::kNorth, kSouth));
  EXPECT_EQ(at({0, 64, -1}), named("redstone_wall_torch", {{"facing", "north"}}));
  ASSERT_TRUE(put("oak_sign", {0, 64, 0}, Direction::kSouth, kNorth));
  EXPECT_EQ(at({0, 64, 1}), named("oak_wall_sign", {{"facing", "south"}}));
  ASSERT_TRUE(put("skeleton_skull", {0, 64, 0}, Direction::kWest, kEast));
  EXPECT_EQ(name_at({-1, 64, 0}), "minecraft:skeleton_wall_skull");
  EXPECT_EQ(at({-1, 64, 0}, "facing"), "west");
  ASSERT_TRUE(put("torch", {0, 64, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 65, 0}), named("torch"));
  EXPECT_FALSE(put("torch", {0, 64, 0}, Direction::kDown));

  set({8, 64, 8}, named("stone"));
  ASSERT_TRUE(put("oak_hanging_sign", {8, 64, 8}, Direction::kEast, kWest));
  EXPECT_EQ(name_at({9, 64, 8}), "minecraft:oak_wall_hanging_sign");
  EXPECT_TRUE(at({9, 64, 8}, "facing") == "north" || at({9, 64, 8}, "facing") == "south");
  EXPECT_FALSE(put("oak_hanging_sign", {8, 64, 8}, Direction::kUp));
}

TEST_F(PlacementTest, StandingSignsTurnTowardsThePlayerInSixteenths) {
  const std::pair<float, std::string> turns[] = {{0, "8"}, {90, "12"}, {180, "0"}, {-90, "4"}, {22.5F, "9"}};
  for (const auto& [yaw, rotation] : turns) {
    set({0, 64, 0}, named("stone"));
    set({0, 65, 0}, named("air"));
    ASSERT_TRUE(put("oak_sign", {0, 64, 0}, Direction::kUp, yaw));
    EXPECT_EQ(at({0, 65, 0}, "rotation"), rotation) << yaw;
  }
}

TEST_F(PlacementTest, DoorsHaveTwoHalvesAndNeedRoom) {
  set({0, 64, 0}, named("stone"));
  ASSERT_TRUE(put("oak_door", {0, 64, 0}, Direction::kUp, kNorth, {0.2, 1, 0.5}));
  EXPECT_EQ(at({0, 65, 0}), named("oak_door", {{"half", "lower"}, {"facing", "north"}, {"hinge", "left"}}));
  EXPECT_EQ(at({0, 66, 0}), named("oak_door", {{"half", "upper"}, {"facing", "north"}, {"hinge", "left"}}));
  // A second one beside it makes a double door.
  set({1, 64, 0}, named("stone"));
  ASSERT_TRUE(put("oak_door", {1, 64, 0}, Direction::kUp, kNorth, {0.2, 1, 0.5}));
  EXPECT_EQ(at({1, 65, 0}, "hinge"), "right");

  apply(dig(*this, {0, 66, 0}));
  EXPECT_EQ(at({0, 65, 0}), game::kAir);
  EXPECT_EQ(at({0, 66, 0}), game::kAir);
  EXPECT_EQ(name_at({1, 65, 0}), "minecraft:oak_door");

  set({0, 66, 0}, named("stone"));
  EXPECT_FALSE(put("oak_door", {0, 64, 0}, Direction::kUp));
  set({0, kMaxY - 1, 0}, named("stone"));
  EXPECT_FALSE(put("oak_door", {0, kMaxY - 1, 0}, Direction::kUp));
}

TEST_F(PlacementTest, BedsLieAwayFromThePlayer) {
  set({0, 64, 0}, named("stone"));
  ASSERT_TRUE(put("red_bed", {0, 64, 0}, Direction::kUp, kEast));
  EXPECT_EQ(at({0, 65, 0}), named("red_bed", {{"part", "foot"}, {"facing", "east"}}));
  EXPECT_EQ(at({1, 65, 0}), named("red_bed", {{"part", "head"}, {"facing", "east"}}));
  apply(dig(*this, {1, 65, 0}));
  EXPECT_EQ(at({0, 65, 0}), game::kAir);
  EXPECT_EQ(at({1, 65, 0}), game::kAir);
}

TEST_F(PlacementTest, AClickOnAirPlacesBesideIt) {
  ASSERT_TRUE(put("stone", {5, 70, 5}, Direction::kUp));
  EXPECT_EQ(at({5, 70, 5}), game::kAir);
  EXPECT_EQ(at({5, 71, 5}), named("stone"));
}

TEST_F(PlacementTest, GrassIsReplacedWithAllItsHalves) {
  set({0, 63, 0}, named("grass_block"));
  set({0, 64, 0}, named("short_grass"));
  ASSERT_TRUE(put("stone", {0, 64, 0}, Direction::kNorth));
  EXPECT_EQ(at({0, 64, 0}), named("stone"));
  EXPECT_EQ(at({0, 64, -1}), game::kAir);

  set({2, 63, 2}, named("grass_block"));
  set({2, 64, 2}, named("tall_grass", {{"half", "lower"}}));
  set({2, 65, 2}, named("tall_grass", {{"half", "upper"}}));
  ASSERT_TRUE(put("torch", {2, 64, 2}, Direction::kWest));
  EXPECT_EQ(at({2, 64, 2}), named("torch"));
  EXPECT_EQ(at({2, 65, 2}), game::kAir);
}

TEST_F(PlacementTest, FacingFollowsTheKindOfBlock) {
  const struct {
    std::string_view item;
    float yaw, pitch;
    Direction face;
    std::string_view facing;
  } cases[] = {
      {"furnace", kNorth, 0, Direction::kUp, "south"},
      {"chest", kEast, 30, Direction::kUp, "west"},
      {"carved_pumpkin", kSouth, 0, Direction::kUp, "north"},
      {"repeater", kWest, 60, Direction::kUp, "east"},
      {"oak_fence_gate", kWest, 0, Direction::kUp, "west"},
      {"anvil", kNorth, 0, Direction::kUp, "east"},
      {"dispenser", kNorth, 70, Direction::kUp, "up"},
      {"piston", kNorth, -70, Direction::kUp, "down"},
      {"piston", kNorth, 10, Direction::kUp, "south"},
      {"observer", kNorth, 70, Direction::kUp, "down"},
      {"observer", kEast, 0, Direction::kUp, "east"},
      {"hopper", kEast, 0, Direction::kUp, "down"},
      {"hopper", kEast, 0, Direction::kWest, "east"},
      {"end_rod", kEast, 0, Direction::kUp, "up"},
      {"lightning_rod", kEast, 0, Direction::kWest, "west"},
      {"ladder", kEast, 0, Direction::kWest, "west"},
      {"oak_trapdoor", kEast, 0, Direction::kWest, "west"},
      {"oak_trapdoor", kEast, 0, Direction::kUp, "west"},
      {"stone_button", kEast, 0, Direction::kUp, "east"},
      {"lever", kEast, 0, Direction::kWest, "west"},
  };
  for (const auto& c : cases) {
    set({0, 64, 0}, named("stone"));
    const BlockPos target = c.face == Direction::kUp ? BlockPos{0, 65, 0} : BlockPos{-1, 64, 0};
    set(target, game::kAir);
    ASSERT_TRUE(put(c.item, {0, 64, 0}, c.face, c.yaw, {0.5, 0.5, 0.5}, c.pitch)) << c.item;
    EXPECT_EQ(at(target, "facing"), c.facing)
        << describe(at(target)) << " for yaw " << c.yaw << " pitch " << c.pitch;
  }
  set({0, 65, 0}, game::kAir);
  ASSERT_TRUE(put("lever", {0, 64, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 65, 0}, "face"), "floor");
  EXPECT_EQ(at({-1, 64, 0}, "face"), "wall");
}

TEST_F(PlacementTest, WaterStaysInBlocksThatTakeIt) {
  set({0, 64, 0}, named("stone"));
  set({0, 65, 0}, named("water"));
  ASSERT_TRUE(put("oak_fence", {0, 64, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 65, 0}, "waterlogged"), "true");
  apply(dig(*this, {0, 65, 0}));
  EXPECT_EQ(at({0, 65, 0}), named("water"));
  EXPECT_TRUE(dig(*this, {0, 65, 0}).empty());
  set({0, 65, 0}, named("water", {{"level", "3"}}));
  ASSERT_TRUE(put("oak_fence", {0, 64, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 65, 0}, "waterlogged"), "false");
  set({4, 64, 4}, named("kelp"));
  apply(dig(*this, {4, 64, 4}));
  EXPECT_EQ(at({4, 64, 4}), named("water"));
}

TEST_F(PlacementTest, FencesPanesAndWallsJoin) {
  for (std::int32_t x = -3; x <= 3; ++x) set({x, 63, 0}, named("stone"));
  ASSERT_TRUE(put("oak_fence", {0, 63, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 64, 0}), named("oak_fence"));
  ASSERT_TRUE(put("birch_fence", {1, 63, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 64, 0}), named("oak_fence", {{"east", "true"}}));
  EXPECT_EQ(at({1, 64, 0}), named("birch_fence", {{"west", "true"}}));
  ASSERT_TRUE(put("stone", {-1, 63, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 64, 0}), named("oak_fence", {{"east", "true"}, {"west", "true"}}));
  apply(dig(*this, {1, 64, 0}));
  EXPECT_EQ(at({0, 64, 0}), named("oak_fence", {{"west", "true"}}));
  // Neither the other kind of fence nor leaves.
  ASSERT_TRUE(put("nether_brick_fence", {1, 63, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 64, 0}, "east"), "false");
  apply(dig(*this, {1, 64, 0}));
  ASSERT_TRUE(put("oak_leaves", {1, 63, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 64, 0}, "east"), "false");
  EXPECT_EQ(at({1, 64, 0}, "persistent"), "true");

  for (std::int32_t x = -3; x <= 3; ++x) set({x, 64, 0}, game::kAir);
  for (std::int32_t x = -1; x <= 1; ++x) ASSERT_TRUE(put("cobblestone_wall", {x, 63, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 64, 0}), named("cobblestone_wall", {{"east", "low"}, {"west", "low"}, {"up", "false"}}));
  EXPECT_EQ(at({1, 64, 0}), named("cobblestone_wall", {{"west", "low"}, {"up", "true"}}));
  ASSERT_TRUE(put("glass_pane", {2, 63, 0}, Direction::kUp));
  EXPECT_EQ(at({2, 64, 0}), named("glass_pane", {{"west", "true"}}));
  EXPECT_EQ(at({1, 64, 0}, "east"), "low");
}

TEST_F(PlacementTest, SnowAndCandlesStack) {
  set({0, 63, 0}, named("stone"));
  for (std::int32_t layers = 1; layers <= 8; ++layers) {
    ASSERT_TRUE(put("snow", {0, layers == 1 ? 63 : 64, 0}, Direction::kUp));
    EXPECT_EQ(at({0, 64, 0}), named("snow", {{"layers", std::to_string(layers)}}));
  }
  ASSERT_TRUE(put("snow", {0, 64, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 65, 0}), named("snow"));
  // One layer gives way, more do not.
  ASSERT_TRUE(put("stone", {0, 65, 0}, Direction::kUp));
  EXPECT_EQ(at({0, 65, 0}), named("stone"));

  set({4, 63, 4}, named("stone"));
  for (std::int32_t candles = 1; candles <= 4; ++candles) {
    ASSERT_TRUE(put("candle", {4, candles == 1 ? 63 : 64, 4}, Direction::kUp));
    EXPECT_EQ(at({4, 64, 4}, "candles"), std::to_string(candles));
  }
  set({4, 64, 4}, named("candle"));
  PlaceContext sneaking = with_item("candle", {4, 64, 4}, Direction::kUp);
  sneaking.is_sneaking = true;
  put(sneaking);
  EXPECT_EQ(at({4, 64, 4}, "candles"), "1");
}

TEST_F(PlacementTest, SomebodyInTheWayForbidsOnlyWhatStopsHim) {
  set({0, 64, 0}, named("stone"));
  const EntityBox inside[] = {player_box({0.5, 65, 0.5})};
  EXPECT_FALSE(put(with_item("stone", {0, 64, 0}, Direction::kUp), inside));
  EXPECT_TRUE(put(with_item("torch", {0, 64, 0}, Direction::kUp), inside));
  set({0, 65, 0}, game::kAir);
  const EntityBox above[] = {player_box({0.5, 66, 0.5})};
  EXPECT_TRUE(put(with_item("stone", {0, 64, 0}, Direction::kUp), above));
  set({0, 65, 0}, named("stone_slab", {{"type", "bottom"}}));
  const EntityBox on_slab[] = {player_box({0.5, 65.5, 0.5})};
  EXPECT_FALSE(put(with_item("stone_slab", {0, 65, 0}, Direction::kUp), on_slab));
}

TEST_F(PlacementTest, WhatIsNoBlockOrHasNoPlaceIsRefused) {
  set({0, 64, 0}, named("stone"));
  set({0, 65, 0}, named("stone"));
  EXPECT_FALSE(put("diamond_sword", {0, 64, 0}, Direction::kNorth));
  EXPECT_FALSE(put("stone", {0, 64, 0}, Direction::kUp));
  set({15, 64, 0}, named("stone"));
  EXPECT_FALSE(put("stone", {15, 64, 0}, Direction::kEast)) << "no chunk there";
  EXPECT_FALSE(put("stone", {40, 64, 0}, Direction::kEast)) << "no chunk there";
  set({0, kMaxY, 0}, named("stone"));
  EXPECT_FALSE(put("stone", {0, kMaxY, 0}, Direction::kUp));
  set({0, kMinY, 0}, named("bedrock"));
  EXPECT_FALSE(put("stone", {0, kMinY, 0}, Direction::kDown));
  PlaceContext context = with_item("stone", {0, 64, 0}, Direction::kNorth);
  context.item = 0xffff;
  EXPECT_FALSE(put(context));

  EXPECT_TRUE(dig(*this, {3, 64, 3}).empty());
  EXPECT_TRUE(dig(*this, {40, 64, 0}).empty());
  EXPECT_TRUE(dig(*this, {0, kMaxY + 1, 0}).empty());
  const auto bedrock = dig(*this, {0, kMinY, 0});
  ASSERT_EQ(bedrock.size(), 1U);
  EXPECT_EQ(bedrock[0].state, game::kAir);
}

TEST_F(PlacementTest, EveryItemInEveryWayChangesOnlyItsSurroundings) {
  std::mt19937 random(20260401);
  for (std::int32_t item = 0; item < game::item_count(); ++item) {
    for (std::int32_t attempt = 0; attempt < 12; ++attempt) {
      const BlockPos clicked{static_cast<std::int32_t>(random() % 8) - 4,
                             64 + static_cast<std::int32_t>(random() % 4),
                             static_cast<std::int32_t>(random() % 8) - 4};
      PlaceContext context;
      context.clicked = clicked;
      context.face = static_cast<Direction>(random() % 6);
      const auto fraction = [&] { return static_cast<double>(random() % 1001) / 1000; };
      context.cursor = {fraction(), fraction(), fraction()};
      context.yaw = static_cast<float>(random() % 720) - 360;
      context.pitch = static_cast<float>(random() % 181) - 90;
      context.is_sneaking = random() % 2 == 0;
      context.item = static_cast<game::ItemId>(item);
      const auto placed = place(*this, context, {});
      const auto changes = placed ? *placed : dig(*this, clicked);
      ASSERT_EQ(placed && placed->empty(), false);
      for (const BlockChange& change : changes) {
        ASSERT_LT(change.state, game::block_state_count());
        ASSERT_LE(std::abs(change.pos.x - clicked.x) + std::abs(change.pos.y - clicked.y) +
                      std::abs(change.pos.z - clicked.z),
                  3);
        ASSERT_EQ(std::count_if(changes.begin(), changes.end(),
                                [&](const BlockChange& other) { return other.pos == change.pos; }),
                  1);
      }
      apply(changes);
    }
  }
}

TEST(Reach, EndsOneBlockBehindTheInteractionRange) {
  const Vec3 eye{0.5, 65.62, 0.5};
  EXPECT_TRUE(within_reach(eye, {6, 65, 0}, true));
  EXPECT_FALSE(within_reach(eye, {7, 65, 0}, true));
  EXPECT_TRUE(within_reach(eye, {5, 65, 0}, false));
  EXPECT_FALSE(within_reach(eye, {6, 65, 0}, false));
  EXPECT_TRUE(within_reach(eye, {-5, 65, 0}, true));
  EXPECT_FALSE(within_reach(eye, {-7, 65, 0}, true));
  EXPECT_TRUE(within_reach(eye, {0, 65, 0}, false));
}

}  // namespace
}  // namespace horizon::shard
