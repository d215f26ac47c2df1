#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/base/ids.hpp"
#include "common/base/ownership.hpp"

namespace horizon::proxy {

/// An area pinned to a shard by the configuration, in chunks, both ends inclusive; a missing bound is
/// endless.
struct PinnedArea {
  ShardId shard = 0;
  std::optional<std::int32_t> min_x, max_x, min_z, max_z;
  bool contains(ChunkPos chunk) const {
    return (!min_x || chunk.x >= *min_x) && (!max_x || chunk.x <= *max_x) && (!min_z || chunk.z >= *min_z) &&
           (!max_z || chunk.z <= *max_z);
  }
};

/// Decides which shard owns which region.
///
/// Pinned areas come first (a region belongs to the area of its lowest chunk). Other ground is given out in
/// areas of kAreaRegions × kAreaRegions regions, which is the ground of one region file: a new area goes to
/// the shard with the fewest, so that areas are compact, borders short, and a file has one writer. An area
/// once given stays.
///
/// Belongs to the I/O thread.
class Director {
 public:
  static constexpr std::int32_t kAreaRegions = 4;

  Director(std::int32_t shards, std::vector<PinnedArea> areas);

  /// The owner, decided now if need be.
  OwnershipMap::Entry owner(RegionPos region);
  /// The shard's process is a new one: its regions get a new epoch. Returns them.
  std::vector<RegionPos> shard_restarted(ShardId shard);
  /// Decided since the last call, to be told to all shards.
  std::vector<RegionPos> take_new_assignments() { return std::move(new_assignments_); }
  const OwnershipMap& ownership() const { return ownership_; }
  /// Names the first pinned area whose shard does not exist.
  static std::optional<std::string> check(std::int32_t shards, const std::vector<PinnedArea>& areas);

 private:
  ShardId decide(RegionPos region);

  std::vector<PinnedArea> areas_;
  OwnershipMap ownership_;
  Epoch next_epoch_ = 1;
  std::unordered_map<RegionPos, ShardId> given_areas_;
  std::vector<std::int32_t> area_counts_;
  std::vector<RegionPos> new_assignments_;
};

}  // namespace horizon::proxy
