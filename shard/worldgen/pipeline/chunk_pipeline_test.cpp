#include "shard/worldgen/pipeline/chunk_pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace horizon::worldgen {
namespace {

/// Blocks and biomes, as one list to compare.
std::vector<std::uint32_t> content(const PackedChunk& chunk) {
  std::vector<std::uint32_t> all;
  for (const auto& section : chunk.sections) {
    for (std::uint32_t i = 0; i < 4096; ++i) all.push_back(section.get(i));
  }
  for (const BiomeId biome : chunk.biomes) all.push_back(static_cast<std::uint32_t>(biome));
  return all;
}

Dimension overworld(std::int64_t seed) {
  DimensionOptions options;
  options.seed = seed;
  return Dimension(Figures::builtin(), options, nullptr);
}

TEST(ChunkPipeline, GivesTheSameChunksInAnyOrderFromAnyNumberOfThreadsAndProcesses) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::vector<ChunkPos> chunks;
  for (std::int32_t x = -2; x < 2; ++x) {
    for (std::int32_t z = -2; z < 2; ++z) chunks.push_back({x, z});
  }
  const Dimension one = overworld(seed);
  ChunkPipeline alone(one);
  std::vector<std::vector<std::uint32_t>> expected;
  for (const ChunkPos pos : chunks) expected.push_back(content(*alone.get(pos)));

  // Two shards with two workers each, as it were; they share nothing.
  const Dimension worlds[2] = {overworld(seed), overworld(seed)};
  ChunkPipeline shards[2] = {ChunkPipeline(worlds[0]), ChunkPipeline(worlds[1])};
  std::vector<std::vector<std::string>> wrong(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      std::vector<std::size_t> order(chunks.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::mt19937 random(seed + static_cast<std::uint32_t>(t));
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t i : order) {
        if (content(*shards[t % 2].get(chunks[i])) != expected[i]) wrong[t].push_back(std::to_string(i));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& list : wrong) EXPECT_TRUE(list.empty()) << "chunk " << list.front();
}

TEST(ChunkPipeline, StopsWhenCancelled) {
  const Dimension world = overworld(1);
  ChunkPipeline pipeline(world);
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(pipeline.get({0, 0}, &cancelled), nullptr);
  EXPECT_NE(pipeline.get({0, 0}), nullptr);
}

}  // namespace
}  // namespace horizon::worldgen
