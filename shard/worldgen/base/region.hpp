#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "shard/worldgen/base/blocks.hpp"
#include "shard/worldgen/base/proto_chunk.hpp"
#include "shard/worldgen/base/random.hpp"

namespace horizon::worldgen {

class BiomeZoom;

/// The random source that the game gives a region besides those of its features: by world seed and chunk only.
inline Random make_region_random(std::int64_t seed, DimensionId dimension, ChunkPos centre) {
  Random world = dimension == DimensionId::kOverworld ? Random::xoroshiro(seed) : Random::legacy(seed);
  Random named = PositionalRandom(world).named("minecraft:worldgen_region_random");
  return PositionalRandom(named).at(centre.x * 16, 0, centre.z * 16);
}

/// The 3×3 chunks around the one that is being decorated: what features and structure pieces read and write.
///
/// Belongs to one worker, which must have all nine chunks to itself. A position outside the nine reads as air
/// and refuses writes (the game would stop there).
class Region {
 public:
  /// `chunks` in order of z, then x; [4] is the centre; none is null.
  Region(std::array<ProtoChunk*, 9> chunks, std::int64_t seed, DimensionId dimension, std::int32_t sea_level,
         const BiomeZoom& zoom);

  std::int64_t seed() const { return seed_; }
  DimensionId dimension() const { return dimension_; }
  ChunkPos centre() const { return chunks_[4]->pos(); }
  Heights heights() const { return chunks_[4]->heights(); }
  std::int32_t min_y() const { return heights().min_y; }
  std::int32_t max_y() const { return heights().max_y(); }
  bool is_outside_build_height(std::int32_t y) const { return !heights().contains(y); }
  std::int32_t sea_level() const { return sea_level_; }

  bool can_write(BlockPos p) const { return chunk_at(p.x, p.z) != nullptr; }
  BlockState get(BlockPos p) const {
    const ProtoChunk* chunk = chunk_at(p.x, p.z);
    return chunk == nullptr ? blocks::kAir : chunk->get(p);
  }
  BlockState get(std::int32_t x, std::int32_t y, std::int32_t z) const { return get(BlockPos{x, y, z}); }
  bool is_air(BlockPos p) const { return game::is_air(get(p)); }
  Fluid fluid_at(BlockPos p) const { return fluid(get(p)); }
  /// False when the position is not in the nine chunks (the game's setBlock result). A position above or below
  /// the world returns true and changes nothing, as in the game. Removes block entity data that was there.
  bool set(BlockPos p, BlockState s);
  /// Heightmap as the game's level.getHeight: first free y.
  std::int32_t height(HeightKind kind, std::int32_t x, std::int32_t z) const {
    const ProtoChunk* chunk = chunk_at(x, z);
    return chunk == nullptr ? min_y() : chunk->height(kind, x, z);
  }
  /// The biome of a block, zoomed (level.getBiome).
  BiomeId biome(BlockPos p) const;
  /// Biome of a quart cell as stored.
  BiomeId noise_biome(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) const;

  /// Data of the block entity at `p` (after set()); replaces what was there.
  void set_block_entity(BlockPos p, nbt::Compound data);
  /// A container that draws its content from a loot table when it is opened.
  void set_loot(BlockPos p, std::string_view loot_table, std::int64_t loot_seed);
  bool has_block_entity_data(BlockPos p) const;
  void add_entity(nbt::Compound entity, BlockPos p);
  void mark_for_post_processing(BlockPos p);

  /// level.getRandom(): a few features and pieces draw from it instead of the random they are given.
  Random& level_random() { return level_random_; }

  ProtoChunk* chunk_at(std::int32_t block_x, std::int32_t block_z) const {
    const std::int32_t x = (block_x >> 4) - centre_x_ + 1;
    const std::int32_t z = (block_z >> 4) - centre_z_ + 1;
    return static_cast<std::uint32_t>(x) < 3 && static_cast<std::uint32_t>(z) < 3
               ? chunks_[static_cast<std::size_t>(z * 3 + x)]
               : nullptr;
  }

 private:
  std::array<ProtoChunk*, 9> chunks_;
  std::int32_t centre_x_, centre_z_;
  std::int64_t seed_;
  DimensionId dimension_;
  std::int32_t sea_level_;
  const BiomeZoom* zoom_;
  Random level_random_ = make_region_random(seed_, dimension_, chunks_[4]->pos());
};

}  // namespace horizon::worldgen
