#include "shard/worldgen/base/region.hpp"

#include <algorithm>

#include "common/base/result.hpp"
#include "shard/worldgen/biome/biome_zoom.hpp"

namespace horizon::worldgen {

Region::Region(std::array<ProtoChunk*, 9> chunks, std::int64_t seed, DimensionId dimension, std::int32_t sea_level,
               const BiomeZoom& zoom)
    : chunks_(chunks),
      centre_x_(chunks[4]->pos().x),
      centre_z_(chunks[4]->pos().z),
      seed_(seed),
      dimension_(dimension),
      sea_level_(sea_level),
      zoom_(&zoom) {
  for (std::int32_t i = 0; i < 9; ++i) {
    const ChunkPos expected{centre_x_ + i % 3 - 1, centre_z_ + i / 3 - 1};
    HZ_CHECK(chunks[static_cast<std::size_t>(i)]->pos() == expected);
  }
}

bool Region::set(BlockPos p, BlockState s) {
  ProtoChunk* chunk = chunk_at(p.x, p.z);
  if (chunk == nullptr) return false;
  chunk->set(p, s);
  auto& data = chunk->block_entities;
  if (!data.empty()) std::erase_if(data, [&](const auto& entry) { return entry.first == p; });
  return true;
}

BiomeId Region::biome(BlockPos p) const {
  const BlockPos quart = zoom_->quart_of(p);
  return noise_biome(quart.x, quart.y, quart.z);
}

BiomeId Region::noise_biome(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) const {
  const ProtoChunk* chunk = chunk_at(quart_x * 4, quart_z * 4);
  return (chunk == nullptr ? chunks_[4] : chunk)->biome(quart_x, quart_y, quart_z);
}

void Region::set_block_entity(BlockPos p, nbt::Compound data) {
  ProtoChunk* chunk = chunk_at(p.x, p.z);
  if (chunk == nullptr) return;
  for (auto& [pos, old] : chunk->block_entities) {
    if (pos == p) {
      old = std::move(data);
      return;
    }
  }
  chunk->block_entities.emplace_back(p, std::move(data));
}

void Region::set_loot(BlockPos p, std::string_view loot_table, std::int64_t loot_seed) {
  nbt::Compound data;
  data.set("LootTable", with_namespace(loot_table));
  data.set("LootTableSeed", loot_seed);
  set_block_entity(p, std::move(data));
}

bool Region::has_block_entity_data(BlockPos p) const {
  const ProtoChunk* chunk = chunk_at(p.x, p.z);
  return chunk != nullptr &&
         std::ranges::any_of(chunk->block_entities, [&](const auto& entry) { return entry.first == p; });
}

void Region::add_entity(nbt::Compound entity, BlockPos p) {
  if (ProtoChunk* chunk = chunk_at(p.x, p.z)) chunk->entities.push_back(std::move(entity));
}

void Region::mark_for_post_processing(BlockPos p) {
  if (ProtoChunk* chunk = chunk_at(p.x, p.z); chunk != nullptr && heights().contains(p.y)) {
    chunk->post_processing.push_back(p);
  }
}

}  // namespace horizon::worldgen
