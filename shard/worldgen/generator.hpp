#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/base/ids.hpp"
#include "common/world/chunk.hpp"

namespace horizon::shard {

/// Makes the terrain of a seed.
///
/// Thread-safe: workers call it at once. The same position gives the same blocks in any order, on any shard.
class ChunkGenerator {
 public:
  virtual ~ChunkGenerator() = default;
  /// Blocks, biomes and heightmaps; light is empty.
  virtual world::Chunk generate(ChunkPos pos) const = 0;
  /// Where a new player stands: feet on solid ground near the origin.
  virtual BlockPos spawn() const = 0;
};

enum class LevelType { kNormal, kFlat };

std::unique_ptr<ChunkGenerator> make_generator(LevelType type, std::int64_t seed);

}  // namespace horizon::shard
