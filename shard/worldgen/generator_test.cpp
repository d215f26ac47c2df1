#include "shard/worldgen/generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "common/game/game.hpp"

namespace horizon::shard {
namespace {

using world::Heightmap;

BlockState state(std::string_view name) { return game::default_state(*game::find_block(name)); }

std::vector<ChunkPos> positions() {
  std::vector<ChunkPos> all;
  for (std::int32_t x = -4; x < 4; ++x) {
    for (std::int32_t z = -4; z < 4; ++z) all.push_back({x, z});
  }
  all.push_back({10000, -10000});
  return all;
}

TEST(FlatGenerator, IsBedrockTwoDirtGrass) {
  const auto generator = make_generator(LevelType::kFlat, 1);
  EXPECT_EQ(generator->spawn(), (BlockPos{0, -60, 0}));
  const auto chunk = generator->generate({-7, 12});
  EXPECT_EQ(chunk.pos(), (ChunkPos{-7, 12}));
  const auto plains = game::find_registry_entry("minecraft:worldgen/biome", "minecraft:plains");
  for (std::int32_t column = 0; column < 256; ++column) {
    const std::int32_t x = column & 15, z = column >> 4;
    EXPECT_EQ(chunk.block(x, -64, z), state("minecraft:bedrock"));
    EXPECT_EQ(chunk.block(x, -63, z), state("minecraft:dirt"));
    EXPECT_EQ(chunk.block(x, -62, z), state("minecraft:dirt"));
    EXPECT_EQ(chunk.block(x, -61, z), state("minecraft:grass_block"));
    EXPECT_EQ(chunk.block(x, -60, z), game::kAir);
    EXPECT_EQ(chunk.height(Heightmap::kMotionBlocking, x, z), -60);
  }
  for (std::int32_t i = 0; i < kSections; ++i) EXPECT_EQ(chunk.section(i).biomes.get(63), *plains);
}

TEST(NormalGenerator, GivesTheSameChunkInAnyOrderAndFromSeveralThreads) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto generator = make_generator(LevelType::kNormal, seed);
  const auto all = positions();
  std::vector<std::vector<std::uint8_t>> first;
  for (const ChunkPos pos : all) first.push_back(encode_chunk_packet(generator->generate(pos)));

  std::vector<std::vector<std::string>> wrong(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto other = make_generator(LevelType::kNormal, seed);
      std::vector<std::size_t> order(all.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::mt19937 random(seed + static_cast<std::uint32_t>(t));
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t i : order) {
        const auto& source = i % 2 == 0 ? *generator : *other;
        if (encode_chunk_packet(source.generate(all[i])) != first[i]) wrong[t].push_back(std::to_string(i));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& list : wrong) EXPECT_TRUE(list.empty()) << list.front();
  EXPECT_NE(encode_chunk_packet(make_generator(LevelType::kNormal, seed + 1LL)->generate({0, 0})), first[36]);
}

TEST(NormalGenerator, HasBedrockBelowAndSeasFilledToTheirLevel) {
  constexpr std::uint32_t kSeed = 1;
  const auto generator = make_generator(LevelType::kNormal, kSeed);
  std::mt19937 random(kSeed);
  int seas = 0;
  for (int round = 0; round < 400; ++round) {
    const ChunkPos pos{static_cast<std::int32_t>(random() % 4001) - 2000,
                       static_cast<std::int32_t>(random() % 4001) - 2000};
    const auto chunk = generator->generate(pos);
    for (std::int32_t column = 0; column < 256; ++column) {
      const std::int32_t x = column & 15, z = column >> 4;
      ASSERT_EQ(chunk.block(x, kMinY, z), state("minecraft:bedrock"));
      const std::int32_t top = chunk.height(Heightmap::kWorldSurface, x, z);
      ASSERT_GE(top, 63) << "an open column below the sea at chunk " << pos.x << " " << pos.z;
      if (chunk.block(x, top - 1, z) == state("minecraft:water")) {
        ASSERT_EQ(top, 63) << "chunk " << pos.x << " " << pos.z;
        ++seas;
      }
    }
  }
  EXPECT_GT(seas, 0);
}

TEST(NormalGenerator, SpawnsOnDryGroundWithRoomToStand) {
  for (std::int64_t seed = -30; seed < 30; ++seed) {
    const auto generator = make_generator(LevelType::kNormal, seed);
    const BlockPos feet = generator->spawn();
    const auto chunk = generator->generate({feet.x >> 4, feet.z >> 4});
    EXPECT_TRUE(game::is_full_cube(chunk.block(feet.x, feet.y - 1, feet.z))) << "seed " << seed;
    EXPECT_TRUE(game::is_air(chunk.block(feet)) && game::is_air(chunk.block(feet.x, feet.y + 1, feet.z)))
        << "seed " << seed;
    EXPECT_LE(std::max(std::abs(feet.x), std::abs(feet.z)), 256) << "seed " << seed;
  }
}

TEST(NormalGenerator, FillsTheDeepestSeasToo) {
  const auto generator = make_generator(LevelType::kNormal, 102947);
  for (std::int32_t x = 1458; x <= 1470; ++x) {
    for (std::int32_t z = 606; z <= 618; ++z) {
      const auto chunk = generator->generate({x, z});
      for (std::int32_t column = 0; column < 256; ++column) {
        ASSERT_GE(chunk.height(Heightmap::kWorldSurface, column & 15, column >> 4), 63) << x << " " << z;
      }
    }
  }
}

}  // namespace
}  // namespace horizon::shard
