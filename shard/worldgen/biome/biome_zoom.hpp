#pragma once

#include <cstdint>

#include "common/base/ids.hpp"

namespace horizon::worldgen {

/// The game's fuzzy zoom from quart cells to blocks: which cell's biome a block has. Immutable.
class BiomeZoom {
 public:
  explicit BiomeZoom(std::int64_t world_seed);
  /// The quart cell of a block.
  BlockPos quart_of(BlockPos p) const;
  /// The seed that the zoom works with: SHA-256 of the world seed.
  std::int64_t seed() const { return seed_; }

 private:
  std::int64_t seed_;
};

}  // namespace horizon::worldgen
