#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shard/worldgen/structure/structure.hpp"

namespace horizon::worldgen {

/// What the structures around a chunk add to its density: ground under villages, room around ancient cities.
/// Immutable. Source: the game's "beardifier".
class Beardifier {
 public:
  Beardifier() = default;
  /// `starts`: those that touch the chunk, in the game's order (sums of doubles depend on it).
  Beardifier(std::span<const std::shared_ptr<const StructureStart>> starts, ChunkPos chunk);

  bool is_empty() const { return !has_any_; }
  /// Outside of it the density does not change.
  const Box& affected() const { return affected_; }
  double density(std::int32_t x, std::int32_t y, std::int32_t z) const;

 private:
  struct Rigid {
    Box box;
    TerrainAdaptation adaptation;
    std::int32_t ground_level_delta;
  };
  std::vector<Rigid> rigids_;
  std::vector<JigsawJunction> junctions_;
  Box affected_;
  bool has_any_ = false;
};

}  // namespace horizon::worldgen
