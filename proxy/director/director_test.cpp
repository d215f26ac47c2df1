#include "proxy/director/director.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace horizon::proxy {
namespace {

TEST(Director, TheFirstPinnedAreaThatFitsWins) {
  PinnedArea west{0, {}, -1, {}, {}};
  PinnedArea all{1, {}, {}, {}, {}};
  Director director(2, {west, all});
  EXPECT_EQ(director.owner({-1, 5}).shard, 0);
  EXPECT_EQ(director.owner({-100000, -7}).shard, 0);
  EXPECT_EQ(director.owner({0, 5}).shard, 1);
}

TEST(Director, GivesOutCompactAreasEvenly) {
  Director director(3, {});
  std::map<ShardId, int> regions;
  for (std::int32_t x = 0; x < 12; ++x) {
    for (std::int32_t z = 0; z < 12; ++z) ++regions[director.owner({x, z}).shard];
  }
  EXPECT_EQ(regions, (std::map<ShardId, int>{{0, 48}, {1, 48}, {2, 48}}));
  for (std::int32_t x = 0; x < 12; ++x) {
    for (std::int32_t z = 0; z < 12; ++z) {
      EXPECT_EQ(director.owner({x, z}).shard, director.owner({x & ~3, z & ~3}).shard);
    }
  }
}

TEST(Director, DecidesOnceAndTellsOnce) {
  Director director(2, {});
  const auto first = director.owner({3, 3});
  EXPECT_EQ(director.owner({3, 3}).epoch, first.epoch);
  EXPECT_EQ(director.take_new_assignments(), (std::vector<RegionPos>{{3, 3}}));
  EXPECT_TRUE(director.take_new_assignments().empty());
}

TEST(Director, ARestartedShardsRegionsGetHigherEpochsAndNoOthers) {
  Director director(2, {PinnedArea{0, {}, -1, {}, {}}, PinnedArea{1, 0, {}, {}, {}}});
  const auto west = director.owner({-1, 0});
  const auto east = director.owner({0, 0});
  EXPECT_EQ(director.shard_restarted(1), (std::vector<RegionPos>{{0, 0}}));
  EXPECT_EQ(director.owner({-1, 0}).epoch, west.epoch);
  EXPECT_GT(director.owner({0, 0}).epoch, east.epoch);
  EXPECT_EQ(director.owner({0, 0}).shard, 1);
}

TEST(Director, NamesAnAreaOfAShardThatDoesNotExist) {
  EXPECT_FALSE(Director::check(2, {PinnedArea{1, {}, {}, {}, {}}}).has_value());
  EXPECT_TRUE(Director::check(2, {PinnedArea{2, {}, {}, {}, {}}}).has_value());
}

}  // namespace
}  // namespace horizon::proxy
