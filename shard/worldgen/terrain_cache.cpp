#include "shard/worldgen/terrain_cache.hpp"

#include <utility>

namespace horizon::shard {

std::shared_ptr<const world::Chunk> TerrainCache::get(ChunkPos pos) {
  {
    std::lock_guard lock(entries_mutex_);
    if (const auto it = entries_.find(pos); it != entries_.end()) {
      recently_used_.splice(recently_used_.begin(), recently_used_, it->second.used);
      return it->second.chunk;
    }
  }
  // Two workers may make the same chunk at once: rare, and cheaper than making one wait.
  auto made = std::make_shared<const world::Chunk>(generator_.generate(pos));
  std::lock_guard lock(entries_mutex_);
  if (const auto it = entries_.find(pos); it != entries_.end()) return it->second.chunk;
  recently_used_.push_front(pos);
  entries_.emplace(pos, Entry{made, recently_used_.begin()});
  if (entries_.size() > kCapacity) {
    entries_.erase(recently_used_.back());
    recently_used_.pop_back();
  }
  return made;
}

void TerrainCache::clear() {
  std::lock_guard lock(entries_mutex_);
  entries_.clear();
  recently_used_.clear();
}

}  // namespace horizon::shard
