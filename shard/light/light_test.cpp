#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "common/game/game.hpp"
#include "shard/light/light_engine.hpp"

namespace horizon::shard {
namespace {

using world::Chunk;
constexpr std::int32_t kLightMinY = kMinY - 16;
constexpr std::int32_t kLightMaxY = kMaxY + 16;

BlockState state_of(std::string_view block) {
  return game::default_state(game::find_block("minecraft:" + std::string(block)).value());
}

std::int32_t sky_at(const Chunk& chunk, BlockPos p) {
  return chunk.sky_light().get(p.x & 15, p.y, p.z & 15, 15);
}
std::int32_t block_at(const Chunk& chunk, BlockPos p) {
  return chunk.block_light().get(p.x & 15, p.y, p.z & 15, 0);
}

/// A square of chunks from (0, 0) with empty ones around it.
struct Patch {
  explicit Patch(std::int32_t width) : size(width) {
    for (std::int32_t z = 0; z < size; ++z) {
      for (std::int32_t x = 0; x < size; ++x) chunks.push_back(std::make_unique<Chunk>(ChunkPos{x, z}));
    }
  }
  Chunk* find(ChunkPos p) {
    if (p.x < 0 || p.z < 0 || p.x >= size || p.z >= size) return nullptr;
    return chunks[static_cast<std::size_t>(p.z * size + p.x)].get();
  }
  Chunk& at(BlockPos p) { return *find(ChunkPos::of(p)); }
  BlockState set(BlockPos p, BlockState state) { return at(p).set_block(p, state); }
  std::array<const Chunk*, 9> around(ChunkPos p) {
    std::array<const Chunk*, 9> result;
    for (std::int32_t i = 0; i < 9; ++i) {
      const Chunk* chunk = find({p.x + i % 3 - 1, p.z + i / 3 - 1});
      result[static_cast<std::size_t>(i)] = chunk != nullptr ? chunk : &empty;
    }
    return result;
  }
  void light_all() {
    for (const auto& chunk : chunks) light_chunk(around(chunk->pos()), *chunk);
  }
  std::int32_t sky(BlockPos p) { return sky_at(at(p), p); }
  std::int32_t block(BlockPos p) { return block_at(at(p), p); }

  std::int32_t size;
  std::vector<std::unique_ptr<Chunk>> chunks;
  Chunk empty{ChunkPos{1000, 1000}};
};

/// The definition, by sweeping until nothing changes any more.
struct Reference {
  static constexpr std::int32_t kWide = 48;
  static constexpr std::int32_t kHigh = kLightMaxY - kLightMinY + 1;
  static std::size_t index(std::int32_t x, std::int32_t y, std::int32_t z) {
    return static_cast<std::size_t>((y * kWide + z) * kWide + x);
  }

  Reference(const std::array<const Chunk*, 9>& around, bool is_sky) : light(kWide * kWide * kHigh) {
    std::vector<std::uint8_t> filter(light.size());
    for (std::int32_t y = 0; y < kHigh; ++y) {
      for (std::int32_t z = 0; z < kWide; ++z) {
        for (std::int32_t x = 0; x < kWide; ++x) {
          const BlockState state =
              around[static_cast<std::size_t>(z / 16 * 3 + x / 16)]->block(x & 15, y + kLightMinY, z & 15);
          filter[index(x, y, z)] = game::light_filter(state);
          if (!is_sky) light[index(x, y, z)] = game::light_emission(state);
        }
      }
    }
    for (bool changes = true; changes;) {
      changes = false;
      for (std::int32_t y = kHigh - 1; y >= 0; --y) {
        for (std::int32_t z = 0; z < kWide; ++z) {
          for (std::int32_t x = 0; x < kWide; ++x) {
            const std::int32_t loss = std::max<std::int32_t>(1, filter[index(x, y, z)]);
            const std::int32_t above = y + 1 < kHigh ? light[index(x, y + 1, z)] : is_sky ? 15 : 0;
            std::int32_t best = std::max<std::int32_t>(light[index(x, y, z)], above - loss);
            if (is_sky && above == 15 && filter[index(x, y, z)] == 0) best = 15;
            if (y > 0) best = std::max(best, light[index(x, y - 1, z)] - loss);
            if (x > 0) best = std::max(best, light[index(x - 1, y, z)] - loss);
            if (x + 1 < kWide) best = std::max(best, light[index(x + 1, y, z)] - loss);
            if (z > 0) best = std::max(best, light[index(x, y, z - 1)] - loss);
            if (z + 1 < kWide) best = std::max(best, light[index(x, y, z + 1)] - loss);
            if (best == light[index(x, y, z)]) continue;
            light[index(x, y, z)] = static_cast<std::uint8_t>(best);
            changes = true;
          }
        }
      }
    }
  }
  std::int32_t at(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return light[index(x + 16, y - kLightMinY, z + 16)];
  }
  std::vector<std::uint8_t> light;
};

const std::vector<std::string_view>& materials() {
  static const std::vector<std::string_view> names = {
      "air",        "air",   "air",       "stone",      "stone", "glass", "water",
      "oak_leaves", "torch", "glowstone", "oak_leaves", "lava",  "water", "ice"};
  return names;
}

/// Hills with holes, lakes, trees of nothing but leaves, lights below ground, and floating slabs of stone.
void make_terrain(Patch& patch, std::mt19937& random, std::int32_t base) {
  const auto chance = [&](std::uint32_t one_in) { return random() % one_in == 0; };
  const BlockState stone = state_of("stone"), water = state_of("water"), leaves = state_of("oak_leaves");
  const BlockState glowstone = state_of("glowstone"), glass = state_of("glass");
  const std::int32_t width = patch.size * 16;
  for (std::int32_t z = 0; z < width; ++z) {
    for (std::int32_t x = 0; x < width; ++x) {
      const std::int32_t top =
          base + static_cast<std::int32_t>(8 * std::sin(x * 0.21) + 6 * std::cos(z * 0.17));
      for (std::int32_t y = base - 24; y < top; ++y) {
        const bool is_cave = std::sin(x * 0.3) + std::sin(y * 0.4) + std::sin(z * 0.35) > 1.1;
        if (!is_cave) patch.set({x, y, z}, stone);
        if (is_cave && chance(400)) patch.set({x, y, z}, glowstone);
      }
      for (std::int32_t y = top; y < base - 3; ++y) patch.set({x, y, z}, water);
      if (chance(30)) patch.set({x, top + 3, z}, leaves);
      if (chance(20)) patch.set({x, top + 9, z}, chance(2) ? stone : glass);
    }
  }
}

/// Number of blocks of chunk `pos` whose light is not what light_chunk gives; the first of them is printed.
std::int32_t differences(Patch& patch, ChunkPos pos) {
  Chunk fresh = *patch.find(pos);
  light_chunk(patch.around(pos), fresh);
  const Chunk& kept = *patch.find(pos);
  std::int32_t count = 0;
  for (std::int32_t y = kLightMinY; y <= kLightMaxY; ++y) {
    for (std::int32_t i = 0; i < 256; ++i) {
      const BlockPos p{pos.x * 16 + (i & 15), y, pos.z * 16 + (i >> 4)};
      if (sky_at(fresh, p) == sky_at(kept, p) && block_at(fresh, p) == block_at(kept, p)) continue;
      if (count++ == 0) {
        std::printf("(%d, %d, %d): sky %d, should be %d; block %d, should be %d\n", p.x, p.y, p.z,
                    sky_at(kept, p), sky_at(fresh, p), block_at(kept, p), block_at(fresh, p));
      }
    }
  }
  return count;
}

TEST(LightChunk, GlowsLessByOneForEachBlock) {
  // The game's figures: a torch gives 14, glowstone 15.
  Patch patch(3);
  patch.set({24, 100, 24}, state_of("torch"));
  patch.light_all();
  EXPECT_EQ(patch.block({24, 100, 24}), 14);
  EXPECT_EQ(patch.block({25, 100, 24}), 13);
  EXPECT_EQ(patch.block({24, 108, 29}), 1);
  EXPECT_EQ(patch.block({24, 108, 30}), 0);
  // Across the border of a chunk, up and down.
  EXPECT_EQ(patch.block({34, 100, 24}), 4);
  EXPECT_EQ(patch.block({24, 87, 24}), 1);
  patch.set({24, 100, 24}, state_of("glowstone"));
  patch.light_all();
  EXPECT_EQ(patch.block({24, 100, 24}), 15);
  EXPECT_EQ(patch.block({24, 101, 24}), 14);
}

TEST(LightChunk, SkyDimsInWaterAndUnderLeaves) {
  Patch patch(3);
  for (std::int32_t z = 0; z < 48; ++z) {
    for (std::int32_t x = 0; x < 48; ++x) {
      for (std::int32_t y = 60; y < 80; ++y) patch.set({x, y, z}, state_of("water"));
    }
  }
  patch.light_all();
  EXPECT_EQ(patch.sky({24, 80, 24}), 15);
  EXPECT_EQ(patch.sky({24, 79, 24}), 14);
  EXPECT_EQ(patch.sky({24, 70, 24}), 5);
  EXPECT_EQ(patch.sky({24, 66, 24}), 1);
  EXPECT_EQ(patch.sky({24, 65, 24}), 0);
  patch.set({24, 100, 24}, state_of("oak_leaves"));
  patch.light_all();
  EXPECT_EQ(patch.sky({24, 100, 24}), 14);
  EXPECT_EQ(patch.sky({24, 99, 24}), 14);  // From the side.
}

TEST(LightChunk, ARoofDarkensAndGlassDoesNot) {
  Patch patch(3);
  for (std::int32_t z = 0; z < 48; ++z) {
    for (std::int32_t x = 0; x < 48; ++x) patch.set({x, 100, z}, state_of("stone"));
  }
  patch.set({24, 100, 24}, state_of("glass"));
  patch.light_all();
  EXPECT_EQ(patch.sky({24, 100, 24}), 15);
  EXPECT_EQ(patch.sky({24, -80, 24}), 15);
  EXPECT_EQ(patch.sky({27, 50, 24}), 12);
  EXPECT_EQ(patch.sky({28, 50, 25}), 10);
  EXPECT_EQ(patch.sky({25, 100, 24}), 0);
  EXPECT_EQ(patch.sky({25, 101, 24}), 15);
}

TEST(LightChunk, LeavesOutWhatIsAboveAllTerrain) {
  Patch patch(3);
  patch.set({24, 0, 24}, state_of("stone"));
  patch.light_all();
  const Chunk& chunk = *patch.find({1, 1});
  // y = 0 lies in light section 5.
  for (std::size_t i = 0; i < world::kLightSections; ++i) {
    EXPECT_EQ(chunk.sky_light().sections[i] == nullptr, i > 5) << i;
    EXPECT_EQ(chunk.block_light().sections[i], nullptr) << i;
  }
}

TEST(LightChunk, IsTheDefinition) {
  for (const std::uint32_t seed : {1u, 2u}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Patch patch(3);
    make_terrain(patch, random, seed == 1 ? 40 : kMaxY - 24);
    for (std::int32_t i = 0; i < 600; ++i) {
      const BlockPos p{static_cast<std::int32_t>(random() % 48),
                       static_cast<std::int32_t>(random() % 384) + kMinY,
                       static_cast<std::int32_t>(random() % 48)};
      patch.set(p, state_of(materials()[random() % materials().size()]));
    }
    patch.light_all();
    const Reference sky(patch.around({1, 1}), true), block(patch.around({1, 1}), false);
    std::int32_t wrong = 0;
    for (std::int32_t y = kLightMinY; y <= kLightMaxY; ++y) {
      for (std::int32_t i = 0; i < 256; ++i) {
        const std::int32_t x = i & 15, z = i >> 4;
        wrong += patch.sky({16 + x, y, 16 + z}) != sky.at(x, y, z);
        wrong += patch.block({16 + x, y, 16 + z}) != block.at(x, y, z);
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

TEST(LightChunk, TakesAFewMilliseconds) {
  std::mt19937 random(3);
  Patch patch(3);
  make_terrain(patch, random, 80);
  Chunk& target = *patch.find({1, 1});
  const auto around = patch.around({1, 1});
  light_chunk(around, target);
  constexpr std::int32_t kRuns = 20;
  const auto start = std::chrono::steady_clock::now();
  for (std::int32_t i = 0; i < kRuns; ++i) light_chunk(around, target);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  // About 1 ms in a release build; the bound leaves room for sanitizers and a busy machine.
  EXPECT_LT(took.count() / kRuns, 100);
  RecordProperty("ms", std::to_string(took.count() / kRuns));
  std::printf("light_chunk: %.2f ms\n", took.count() / kRuns);
}

TEST(LightUpdater, IsLightChunkAfterRandomEdits) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Patch patch(seed % 2 == 0 ? 5 : 3);
    make_terrain(patch, random, seed == 5 ? kMaxY - 24 : seed == 6 ? kMinY + 24 : 70);
    patch.light_all();
    LightUpdater updater([&](ChunkPos p) { return patch.find(p); });
    const std::int32_t middle = patch.size / 2;
    for (std::int32_t batch = 0; batch < 30; ++batch) {
      // Around one place, where edits meet each other; every third batch anywhere and at any height.
      const bool is_wide = batch % 3 == 0;
      const std::int32_t width = patch.size * 16;
      const BlockPos centre{static_cast<std::int32_t>(random()) & 15, 0,
                            static_cast<std::int32_t>(random()) & 15};
      const std::int32_t edits = 1 + static_cast<std::int32_t>(random() % 40);
      for (std::int32_t i = 0; i < edits; ++i) {
        BlockPos p{static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(width)),
                   static_cast<std::int32_t>(random() % 384) + kMinY,
                   static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(width))};
        if (!is_wide) {
          p.x = middle * 16 + centre.x + static_cast<std::int32_t>(random() % 7) - 3;
          p.z = middle * 16 + centre.z + static_cast<std::int32_t>(random() % 7) - 3;
          p.y = patch.at(p).height(world::Heightmap::kWorldSurface, p.x, p.z) +
                static_cast<std::int32_t>(random() % 12) - 8;
          p.y = std::clamp(p.y, kMinY, kMaxY);
        }
        const BlockState after = state_of(materials()[random() % materials().size()]);
        updater.block_changed(p, patch.set(p, after), after);
      }
      updater.run();
      const std::int32_t reach = patch.size == 5 ? 1 : 0;
      for (std::int32_t z = middle - reach; z <= middle + reach; ++z) {
        for (std::int32_t x = middle - reach; x <= middle + reach; ++x) {
          ASSERT_EQ(differences(patch, {x, z}), 0) << "batch " << batch << ", chunk " << x << ' ' << z;
        }
      }
    }
  }
}

TEST(LightUpdater, NamesTheSectionsThatItTouched) {
  Patch patch(3);
  patch.light_all();
  LightUpdater updater([&](ChunkPos p) { return patch.find(p); });
  EXPECT_TRUE(updater.run().empty());
  const BlockState torch = state_of("torch");
  // y = 8 is the middle of light section 5; 13 blocks up and down reach sections 4 and 6, and west into (0,
  // 1).
  const BlockPos p{24, 8, 24};
  updater.block_changed(p, patch.set(p, torch), torch);
  const auto lit = updater.run();
  EXPECT_EQ(lit.at({1, 1}).block_sections, 0b1110000u);
  EXPECT_EQ(lit.at({1, 1}).sky_sections, 0u);
  EXPECT_NE(lit.at({0, 1}).block_sections & 1u << 5, 0u);
  EXPECT_EQ(lit.count({0, 0}), 0u);  // 9 + 9 blocks away.
  // Stone in its place: dark again, and in shade down to the bottom of the world, not above.
  const BlockState stone = state_of("stone");
  updater.block_changed(p, patch.set(p, stone), stone);
  const auto dark = updater.run();
  EXPECT_EQ(patch.block({25, 8, 24}), 0);
  EXPECT_EQ(patch.sky({24, 7, 24}), 14);
  EXPECT_EQ(dark.at({1, 1}).sky_sections, 0b111111u);
  // No change for light: dirt for stone.
  const BlockState dirt = state_of("dirt");
  updater.block_changed(p, patch.set(p, dirt), dirt);
  EXPECT_TRUE(updater.run().empty());
}

TEST(LightUpdater, LeavesASnapshotAlone) {
  Patch patch(3);
  patch.set({24, 0, 24}, state_of("stone"));
  patch.light_all();
  const Chunk snapshot = *patch.find({1, 1});
  LightUpdater updater([&](ChunkPos p) { return patch.find(p); });
  const BlockState glowstone = state_of("glowstone");
  const BlockPos p{24, 1, 24};
  updater.block_changed(p, patch.set(p, glowstone), glowstone);
  updater.run();
  EXPECT_EQ(patch.block({24, 2, 24}), 14);
  EXPECT_EQ(block_at(snapshot, {24, 2, 24}), 0);
  EXPECT_EQ(sky_at(snapshot, p), 15);
  EXPECT_EQ(patch.sky(p), 0);
}

}  // namespace
}  // namespace horizon::shard
