#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "common/base/ids.hpp"
#include "common/world/chunk.hpp"

namespace horizon::shard {

/// Sky and block light of one chunk from scratch, from its own blocks and its eight neighbours' (light
/// travels at most 15 blocks). Thread-safe.
///
/// Sky light falls at 15 through blocks that take nothing away; any other step loses at least 1, or the
/// filter of the block that it enters. Light depends on a block's filter and emission alone: a slab or a
/// stair does not shut single sides, as it does in the game.
///
/// `around[4]` is the chunk, the others stand in order of z, then x. No entry is null. Sections that hold
/// only the value that a missing section stands for (15 for sky at the top, 0 for block light) may stay null.
void light_chunk(const std::array<const world::Chunk*, 9>& around, world::Chunk& target);

/// What an incremental update changed in one chunk: bit i = light section i.
struct ChangedLight {
  std::uint32_t sky_sections = 0;
  std::uint32_t block_sections = 0;
};

/// Repairs light after blocks changed.
///
/// Belongs to the tick thread. `chunk_at` gives a chunk or null (light stops there) and must give the same
/// for the length of a run(). A neighbour shard's replica is written like a chunk of our own, as a guess that
/// its owner's publication overwrites. Cost: proportional to the blocks whose light changes.
class LightUpdater {
 public:
  using ChunkAt = std::function<world::Chunk*(ChunkPos)>;
  explicit LightUpdater(ChunkAt chunk_at);

  /// The block at `pos` was `before` and the chunk already holds the new state. Call once per changed block.
  void block_changed(BlockPos pos, BlockState before, BlockState after);
  /// Propagates all queued changes; returns the touched sections by chunk. The result is that of light_chunk.
  std::unordered_map<ChunkPos, ChangedLight> run();

 private:
  ChunkAt chunk_at_;
  /// Since the last run(): blocks whose filter changed, and those whose filter or emission did.
  std::vector<BlockPos> sky_changed_;
  std::vector<BlockPos> block_changed_;
};

}  // namespace horizon::shard
