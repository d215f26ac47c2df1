#include "common/base/ids.hpp"

#include <cstdio>

namespace horizon {
static_assert(sizeof(ChunkPos) == 8 && sizeof(RegionPos) == 8 && sizeof(Uuid) == 16);
static_assert(ChunkPos::unpack(ChunkPos{-3, 7}.packed()) == ChunkPos{-3, 7});
static_assert(RegionPos::of(ChunkPos{-1, 8}) == RegionPos{-1, 1});
static_assert(kRegionChunks == 1 << 3, "RegionPos::of shifts by three");

std::string to_string(Uuid uuid) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(uuid.high >> 32),
                static_cast<unsigned>(uuid.high >> 16 & 0xffff), static_cast<unsigned>(uuid.high & 0xffff),
                static_cast<unsigned>(uuid.low >> 48),
                static_cast<unsigned long long>(uuid.low & 0xffffffffffffULL));
  return buffer;
}

}  // namespace horizon
