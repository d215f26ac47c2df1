#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>

#include "common/base/ids.hpp"
#include "common/world/chunk.hpp"

namespace horizon::shard {

/// Sky and block light of one chunk from scratch, from its own blocks and its eight neighbours' (light travels at
/// most 15 blocks). Thread-safe.
///
/// `around[4]` is the chunk, the others stand in order of z, then x. No entry is null. Sections that hold only the
/// value that a missing section stands for (15 for sky at the top, 0 for block light) may stay null.
void light_chunk(const std::array<const world::Chunk*, 9>& around, world::Chunk& target);

/// What an incremental update changed in one chunk: bit i = light section i.
struct ChangedLight {
  std::uint32_t sky_sections = 0;
  std::uint32_t block_sections = 0;
};

/// Repairs light after blocks changed.
///
/// Belongs to the tick thread. `chunk_at` gives a chunk or null (light stops there); chunks are written only where
/// `is_writable(pos)`, read elsewhere: a neighbour shard's replica is repaired by its owner, so here it is written
/// too, as a guess that the owner's publication overwrites.
class LightUpdater {
 public:
  using ChunkAt = std::function<world::Chunk*(ChunkPos)>;
  explicit LightUpdater(ChunkAt chunk_at);

  /// The block at `pos` was `before` and the chunk already holds the new state. Call once per changed block.
  void block_changed(BlockPos pos, BlockState before, BlockState after);
  /// Propagates all queued changes; returns the touched sections by chunk. The result is that of light_chunk.
  std::unordered_map<ChunkPos, ChangedLight> run();

 private:
  struct Node {
    BlockPos pos;
    std::uint8_t level;
  };
  ChunkAt chunk_at_;
  std::vector<BlockPos> changed_;
};

}  // namespace horizon::shard
