#pragma once

#include <optional>
#include <unordered_map>

#include "common/base/ids.hpp"

namespace horizon {

/// Who may change which region, under which epoch: a copy of what the director decided.
///
/// Belongs to one thread.
class OwnershipMap {
 public:
  struct Entry {
    ShardId shard = -1;
    Epoch epoch = 0;
  };

  /// False when an equal or newer epoch is known: nothing changes.
  bool assign(RegionPos region, Entry entry) {
    Entry& known = entries_[region];
    if (entry.epoch <= known.epoch) return false;
    known = entry;
    return true;
  }
  std::optional<Entry> find(RegionPos region) const {
    const auto it = entries_.find(region);
    if (it == entries_.end()) return std::nullopt;
    return it->second;
  }
  std::optional<Entry> find(ChunkPos chunk) const { return find(RegionPos::of(chunk)); }
  const std::unordered_map<RegionPos, Entry>& entries() const { return entries_; }

 private:
  std::unordered_map<RegionPos, Entry> entries_;
};

}  // namespace horizon
