#pragma once

#include <optional>

#include "common/base/ids.hpp"
#include "common/world/chunk.hpp"

namespace horizon::shard {

/// Blocks as the simulation reads them: own ground and replicas of the neighbours' alike.
///
/// Belongs to the tick thread.
class BlockAccess {
 public:
  virtual ~BlockAccess() = default;
  /// Null when the chunk is not here.
  virtual const world::Chunk* chunk(ChunkPos pos) const = 0;

  /// nullopt when the chunk is not here; air outside the world's height.
  std::optional<BlockState> block(BlockPos pos) const {
    const world::Chunk* here = chunk(ChunkPos::of(pos));
    if (here == nullptr) return std::nullopt;
    return here->block(pos);
  }
};

}  // namespace horizon::shard
