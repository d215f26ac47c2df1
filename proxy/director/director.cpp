#include "proxy/director/director.hpp"

#include <algorithm>
#include <utility>

#include "common/base/result.hpp"

namespace horizon::proxy {

Director::Director(std::int32_t shards, std::vector<PinnedArea> areas)
    : areas_(std::move(areas)), area_counts_(static_cast<std::size_t>(shards), 0) {
  HZ_CHECK(shards > 0);
}

std::optional<std::string> Director::check(std::int32_t shards, const std::vector<PinnedArea>& areas) {
  for (const PinnedArea& area : areas) {
    if (area.shard < 0 || area.shard >= shards) {
      return "director.area names shard " + std::to_string(area.shard) + ", but there are shards 0 to " +
             std::to_string(shards - 1);
    }
  }
  return std::nullopt;
}

ShardId Director::decide(RegionPos region) {
  const ChunkPos lowest{region.x * kRegionChunks, region.z * kRegionChunks};
  for (const PinnedArea& area : areas_) {
    if (area.contains(lowest)) return area.shard;
  }
  const RegionPos area{region.x >> 2, region.z >> 2};
  static_assert(kAreaRegions == 1 << 2);
  const auto [it, is_new] = given_areas_.try_emplace(area, 0);
  if (is_new) {
    const auto fewest = std::min_element(area_counts_.begin(), area_counts_.end());
    ++*fewest;
    it->second = static_cast<ShardId>(fewest - area_counts_.begin());
  }
  return it->second;
}

OwnershipMap::Entry Director::owner(RegionPos region) {
  if (const auto known = ownership_.find(region)) return *known;
  const OwnershipMap::Entry entry{decide(region), next_epoch_++};
  ownership_.assign(region, entry);
  new_assignments_.push_back(region);
  return entry;
}

std::vector<RegionPos> Director::shard_restarted(ShardId shard) {
  std::vector<RegionPos> regions;
  for (const auto& [region, entry] : ownership_.entries()) {
    if (entry.shard == shard) regions.push_back(region);
  }
  for (const RegionPos region : regions) {
    ownership_.assign(region, {shard, next_epoch_++});
    new_assignments_.push_back(region);
  }
  return regions;
}

}  // namespace horizon::proxy
