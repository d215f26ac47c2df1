#include "common/base/ids.hpp"

namespace horizon {
static_assert(sizeof(ChunkPos) == 8 && sizeof(RegionPos) == 8 && sizeof(Uuid) == 16);
static_assert(ChunkPos::unpack(ChunkPos{-3, 7}.packed()) == ChunkPos{-3, 7});
static_assert(RegionPos::of(ChunkPos{-1, 8}) == RegionPos{-1, 1});
static_assert(kRegionChunks == 1 << 3, "RegionPos::of shifts by three");
}  // namespace horizon
