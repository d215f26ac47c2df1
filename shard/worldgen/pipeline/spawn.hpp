#pragma once

#include "shard/worldgen/pipeline/chunk_pipeline.hpp"

namespace horizon::worldgen {

/// Where the game puts the world's spawn: by climate, then the first dry solid ground in a spiral of 11 × 11 chunks.
/// Feet stand at the result.
BlockPos find_spawn(const Dimension& dimension, ChunkPipeline& pipeline);

}  // namespace horizon::worldgen
