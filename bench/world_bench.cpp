// The parts that a chunk goes through before a player sees it.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <vector>

#include "common/protocol/frame.hpp"
#include "common/world/chunk.hpp"
#include "shard/light/light_engine.hpp"
#include "shard/worldgen/generator.hpp"

namespace horizon::shard {
namespace {

constexpr std::int64_t kSeed = 12345;

std::vector<world::Chunk> neighbourhood() {
  const auto generator = make_generator(LevelType::kNormal, kSeed);
  std::vector<world::Chunk> chunks;
  for (std::int32_t z = -1; z <= 1; ++z) {
    for (std::int32_t x = -1; x <= 1; ++x) chunks.push_back(generator->generate({x, z}));
  }
  return chunks;
}

world::Chunk lit_chunk() {
  const std::vector<world::Chunk> chunks = neighbourhood();
  std::array<const world::Chunk*, 9> around{};
  for (std::size_t i = 0; i < around.size(); ++i) around[i] = &chunks[i];
  world::Chunk lit = chunks[4];
  light_chunk(around, lit);
  return lit;
}

void generate_terrain(benchmark::State& state) {
  const auto generator = make_generator(LevelType::kNormal, kSeed);
  std::int32_t x = 0;
  for (auto _ : state) benchmark::DoNotOptimize(generator->generate({x++, 7}));
}
BENCHMARK(generate_terrain)->Unit(benchmark::kMicrosecond);

void light_from_scratch(benchmark::State& state) {
  const std::vector<world::Chunk> chunks = neighbourhood();
  std::array<const world::Chunk*, 9> around{};
  for (std::size_t i = 0; i < around.size(); ++i) around[i] = &chunks[i];
  for (auto _ : state) {
    world::Chunk lit = chunks[4];
    light_chunk(around, lit);
    benchmark::DoNotOptimize(lit);
  }
}
BENCHMARK(light_from_scratch)->Unit(benchmark::kMicrosecond);

void encode_chunk(benchmark::State& state) {
  const world::Chunk chunk = lit_chunk();
  for (auto _ : state) benchmark::DoNotOptimize(world::encode_chunk_packet(chunk));
}
BENCHMARK(encode_chunk)->Unit(benchmark::kMicrosecond);

void compress_chunk(benchmark::State& state) {
  const std::vector<std::uint8_t> body = world::encode_chunk_packet(lit_chunk());
  for (auto _ : state) benchmark::DoNotOptimize(protocol::make_frame(body, 256));
  state.counters["bytes"] = static_cast<double>(protocol::make_frame(body, 256)->size());
}
BENCHMARK(compress_chunk)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace horizon::shard
