#pragma once

#include "shard/worldgen/generator.hpp"

namespace horizon::shard {

/// Bedrock, two layers of dirt, grass: vanilla's "classic flat" preset, feet at y -60.
class FlatGenerator final : public ChunkGenerator {
 public:
  FlatGenerator();
  world::Chunk generate(ChunkPos pos) const override;
  BlockPos spawn() const override { return {0, kMinY + kLayers, 0}; }

 private:
  static constexpr std::int32_t kLayers = 4;
  world::Chunk pattern_;
};

}  // namespace horizon::shard
