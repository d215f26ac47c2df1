#include "common/world/chunk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "common/game/game.hpp"

namespace horizon::world {
namespace {

std::uint32_t fresh_seed() { return std::random_device{}(); }

BlockState state(std::string_view name) { return game::default_state(*game::find_block(name)); }

/// A chunk with blocks of every kind that the heightmaps tell apart, and light of every kind.
Chunk random_chunk(std::mt19937& random) {
  Chunk chunk(
      {static_cast<std::int32_t>(random() % 2001) - 1000, static_cast<std::int32_t>(random() % 2001) - 1000});
  const std::array<BlockState, 6> common{game::kAir,
                                         state("minecraft:stone"),
                                         state("minecraft:water"),
                                         state("minecraft:oak_leaves"),
                                         state("minecraft:short_grass"),
                                         state("minecraft:cave_air")};
  for (int i = 0; i < 3000; ++i) {
    const auto y = kMinY + static_cast<std::int32_t>(random() % kWorldHeight);
    chunk.set_block(static_cast<std::int32_t>(random() % 16), y, static_cast<std::int32_t>(random() % 16),
                    common[random() % common.size()]);
  }
  // One section beyond any palette, one within 8 bits.
  for (std::int32_t i = 0; i < 4096; ++i) {
    chunk.set_block(
        i & 15, i >> 8, i >> 4 & 15,
        static_cast<BlockState>(random() % static_cast<std::uint32_t>(game::block_state_count())));
    chunk.set_block(i & 15, 16 + (i >> 8), i >> 4 & 15, static_cast<BlockState>(random() % 200));
  }
  for (std::int32_t i = 0; i < kSections; ++i) {
    for (std::int32_t k = 0; k < i; ++k) {
      chunk.writable_section(i).biomes.set(static_cast<std::int32_t>(random() % 64),
                                           static_cast<std::uint16_t>(random() % 65));
    }
  }
  for (int i = 0; i < 400; ++i) {
    const auto y = kMinY - 16 + static_cast<std::int32_t>(random() % 200);
    chunk.sky_light().set(static_cast<std::int32_t>(random() % 16), y, 3,
                          static_cast<std::uint8_t>(random() % 16), 15);
    chunk.block_light().set(static_cast<std::int32_t>(random() % 16), y, 5,
                            static_cast<std::uint8_t>(random() % 16), 0);
  }
  return chunk;
}

std::int32_t scan(const Chunk& chunk, Heightmap kind, std::int32_t x, std::int32_t z) {
  for (std::int32_t y = kMaxY; y >= kMinY; --y) {
    const BlockState here = chunk.block(x, y, z);
    const bool counts = kind == Heightmap::kWorldSurface ? !game::is_air(here)
                        : kind == Heightmap::kMotionBlocking
                            ? game::blocks_motion(here)
                            : game::blocks_motion(here) && !game::is_leaves(here);
    if (counts) return y + 1;
  }
  return kMinY;
}

void expect_heights(const Chunk& chunk) {
  for (const auto kind :
       {Heightmap::kWorldSurface, Heightmap::kMotionBlocking, Heightmap::kMotionBlockingNoLeaves}) {
    for (std::int32_t column = 0; column < 256; ++column) {
      ASSERT_EQ(chunk.height(kind, column & 15, column >> 4), scan(chunk, kind, column & 15, column >> 4))
          << "heightmap " << static_cast<int>(kind) << " column " << column;
    }
  }
}

void expect_counts(const Chunk& chunk) {
  for (std::int32_t i = 0; i < kSections; ++i) {
    int non_air = 0, fluids = 0;
    for (std::int32_t k = 0; k < 4096; ++k) {
      non_air += game::is_air(chunk.section(i).blocks.get(k)) ? 0 : 1;
      fluids += game::has_fluid(chunk.section(i).blocks.get(k)) ? 1 : 0;
    }
    ASSERT_EQ(chunk.section(i).non_air, non_air) << "section " << i;
    ASSERT_EQ(chunk.section(i).fluids, fluids) << "section " << i;
  }
}

template <class Container, std::size_t kCells>
void edit_against_array(std::uint32_t distinct_ids, std::mt19937& random) {
  Container container;
  std::array<std::uint16_t, kCells> truth{};
  for (std::size_t i = 0; i < kCells * 3; ++i) {
    const auto at = random() % kCells;
    const auto id = static_cast<std::uint16_t>(random() % distinct_ids);
    ASSERT_EQ(container.set(static_cast<std::int32_t>(at), id), truth[at]);
    truth[at] = id;
  }
  Container assigned;
  assigned.assign(truth.data());
  Container restored;
  ASSERT_TRUE(restored.restore(assigned.bits(), assigned.palette(), assigned.words()));
  for (std::size_t i = 0; i < kCells; ++i) {
    ASSERT_EQ(container.get(static_cast<std::int32_t>(i)), truth[i]);
    ASSERT_EQ(assigned.get(static_cast<std::int32_t>(i)), truth[i]);
    ASSERT_EQ(restored.get(static_cast<std::int32_t>(i)), truth[i]);
  }
}

TEST(PalettedContainer, HoldsWhatAnArrayHoldsAtEverySizeOfPalette) {
  const std::uint32_t seed = fresh_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const std::uint32_t ids : {1U, 2U, 16U, 17U, 32U, 33U, 128U, 129U, 256U, 257U, 30000U}) {
    edit_against_array<BlockContainer, 4096>(ids, random);
  }
  for (const std::uint32_t ids : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 65U})
    edit_against_array<BiomeContainer, 64>(ids, random);
}

TEST(PalettedContainer, GrowsFromOneValueTo4To8BitsThenDirect) {
  BlockContainer blocks;
  EXPECT_EQ(blocks.bits(), 0);
  for (std::int32_t i = 1; i < 300; ++i) {
    blocks.set(i, static_cast<std::uint16_t>(i * 100));
    const std::int32_t values = i + 1;
    const std::int32_t bits = values <= 16    ? 4
                              : values <= 32  ? 5
                              : values <= 64  ? 6
                              : values <= 128 ? 7
                              : values <= 256 ? 8
                                              : 15;
    ASSERT_EQ(blocks.bits(), bits) << values << " values";
    ASSERT_EQ(blocks.words().size(), static_cast<std::size_t>((4096 + 64 / bits - 1) / (64 / bits)));
    for (std::int32_t k = 0; k <= i; ++k) ASSERT_EQ(blocks.get(k), k * 100);
  }
  blocks.fill(7);
  EXPECT_TRUE(blocks.is_uniform());
  EXPECT_EQ(blocks.get(4095), 7);
}

TEST(PalettedContainer, RestoreRefusesPartsThatDoNotFit) {
  BlockContainer blocks(9);
  const std::vector<std::uint64_t> words(256);
  EXPECT_FALSE(blocks.restore(3, {1}, std::vector<std::uint64_t>(196)));
  EXPECT_FALSE(blocks.restore(4, {}, words));
  EXPECT_FALSE(blocks.restore(4, {1}, std::vector<std::uint64_t>(255)));
  EXPECT_FALSE(blocks.restore(4, {1}, std::vector<std::uint64_t>(256, 1)));
  EXPECT_FALSE(blocks.restore(0, {}, {}));
  EXPECT_EQ(blocks.get(0), 9);
  EXPECT_TRUE(blocks.restore(4, {1}, words));
}

TEST(Chunk, CopyKeepsWhatItSaw) {
  Chunk chunk({3, -4});
  chunk.set_block(1, 70, 2, state("minecraft:stone"));
  chunk.sky_light().set(1, 70, 2, 9, 15);
  const Chunk snapshot = chunk;
  chunk.set_block(1, 70, 2, game::kAir);
  chunk.set_block(1, 200, 2, state("minecraft:stone"));
  chunk.sky_light().set(1, 70, 2, 3, 15);
  EXPECT_EQ(snapshot.block(1, 70, 2), state("minecraft:stone"));
  EXPECT_EQ(snapshot.block(1, 200, 2), game::kAir);
  EXPECT_EQ(snapshot.height(Heightmap::kWorldSurface, 1, 2), 71);
  EXPECT_EQ(snapshot.sky_light().get(1, 70, 2, 15), 9);
  EXPECT_EQ(chunk.sky_light().get(1, 70, 2, 15), 3);
  EXPECT_EQ(Chunk({0, 0}).block(1, 200, 2), game::kAir) << "the shared section of air was written to";
  EXPECT_EQ(chunk.block(0, kMinY - 1, 0), game::kAir);
  EXPECT_EQ(chunk.block(0, kMaxY + 1, 0), game::kAir);
}

TEST(Chunk, HeightmapsAndCountsAreRightAfterAnyEdits) {
  const std::uint32_t seed = fresh_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  Chunk chunk = random_chunk(random);
  for (int i = 0; i < 3000; ++i) {  // mostly digging at the top, where heights change
    const auto x = static_cast<std::int32_t>(random() % 16), z = static_cast<std::int32_t>(random() % 16);
    chunk.set_block(x, std::max(kMinY, chunk.height(Heightmap::kWorldSurface, x, z) - 1), z, game::kAir);
  }
  chunk.set_block(0, kMaxY, 0, state("minecraft:oak_leaves"));
  chunk.set_block(0, kMinY, 0, state("minecraft:stone"));
  expect_heights(chunk);
  expect_counts(chunk);
  Chunk rebuilt = chunk;
  rebuilt.rebuild_heightmaps();
  expect_heights(rebuilt);
}

TEST(ChunkCodec, DecodesWhatItEncoded) {
  const std::uint32_t seed = fresh_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 5; ++round) {
    const Chunk chunk = random_chunk(random);
    const auto bytes = encode_chunk_packet(chunk);
    const auto decoded = decode_chunk_packet(bytes);
    ASSERT_TRUE(decoded.ok()) << decoded.error().message;
    ASSERT_EQ(decoded->pos(), chunk.pos());
    for (std::int32_t i = 0; i < kSections; ++i) {
      for (std::int32_t k = 0; k < 4096; ++k) {
        ASSERT_EQ(decoded->section(i).blocks.get(k), chunk.section(i).blocks.get(k));
      }
      for (std::int32_t k = 0; k < 64; ++k) {
        ASSERT_EQ(decoded->section(i).biomes.get(k), chunk.section(i).biomes.get(k));
      }
    }
    for (std::int32_t y = kMinY - 16; y < kMaxY + 17; ++y) {
      for (std::int32_t column = 0; column < 256; ++column) {
        const std::int32_t x = column & 15, z = column >> 4;
        ASSERT_EQ(decoded->sky_light().get(x, y, z, 15), chunk.sky_light().get(x, y, z, 15)) << "y " << y;
        ASSERT_EQ(decoded->block_light().get(x, y, z, 0), chunk.block_light().get(x, y, z, 0)) << "y " << y;
      }
    }
    expect_heights(*decoded);
    expect_counts(*decoded);
    EXPECT_EQ(encode_chunk_packet(*decoded), bytes);
  }
}

TEST(ChunkCodec, RefusesEveryTruncation) {
  const std::uint32_t seed = fresh_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  auto bytes = encode_chunk_packet(random_chunk(random));
  for (std::size_t size = 0; size < bytes.size(); size += size < 2000 ? 1 : 1 + random() % 200) {
    EXPECT_FALSE(decode_chunk_packet(std::span(bytes).first(size)).ok()) << size << " bytes";
  }
  bytes.push_back(0);
  EXPECT_FALSE(decode_chunk_packet(bytes).ok()) << "a byte too many";
}

TEST(ChunkCodec, SurvivesDamagedBytes) {
  const std::uint32_t seed = fresh_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto bytes = encode_chunk_packet(random_chunk(random));
  for (int round = 0; round < 400; ++round) {
    auto damaged = bytes;
    for (int i = 0; i < 3; ++i)
      damaged[random() % (round % 2 ? 2000 : damaged.size())] = static_cast<std::uint8_t>(random());
    const auto decoded = decode_chunk_packet(damaged);
    if (!decoded.ok()) continue;
    for (std::int32_t i = 0; i < kSections; ++i) {
      for (std::int32_t k = 0; k < 4096; ++k) {
        ASSERT_LT(decoded->section(i).blocks.get(k), game::block_state_count());
      }
    }
  }
}

TEST(ChunkCodec, RefusesASectionSizeThatIsNotTheSectionsSize) {
  auto bytes = encode_chunk_packet(Chunk({0, 0}));
  // 8 bytes position, a count, three heightmaps of 2 + 37 * 8 bytes, then the size: 24 sections of 8 bytes.
  constexpr std::size_t kSizeAt = 8 + 1 + 3 * (2 + 37 * 8);
  ASSERT_EQ(bytes[kSizeAt], 0xc0);
  ASSERT_EQ(bytes[kSizeAt + 1], 0x01);
  bytes[kSizeAt] = 0xbf;
  EXPECT_FALSE(decode_chunk_packet(bytes).ok());
}

}  // namespace
}  // namespace horizon::world
