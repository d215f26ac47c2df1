#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "common/base/ids.hpp"
#include "common/world/chunk.hpp"
#include "shard/worldgen/generator.hpp"

namespace horizon::shard {

/// Unlit terrain that lighting of neighbours needs again: each chunk is generated once while it stays here.
///
/// Thread-safe. Holds at most kCapacity chunks, the least recently used goes first.
class TerrainCache {
 public:
  static constexpr std::size_t kCapacity = 512;
  explicit TerrainCache(const ChunkGenerator& generator) : generator_(generator) {}

  std::shared_ptr<const world::Chunk> get(ChunkPos pos);
  void clear();

 private:
  struct Entry {
    std::shared_ptr<const world::Chunk> chunk;
    std::list<ChunkPos>::iterator used;
  };
  const ChunkGenerator& generator_;
  std::mutex entries_mutex_;
  std::unordered_map<ChunkPos, Entry> entries_;
  std::list<ChunkPos> recently_used_;
};

}  // namespace horizon::shard
