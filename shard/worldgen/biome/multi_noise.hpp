#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shard/worldgen/base/figures.hpp"
#include "shard/worldgen/base/proto_chunk.hpp"

namespace horizon::worldgen {

/// Index of a biome by name. Throws FigureError.
BiomeId biome_id(std::string_view name);

/// Temperature, humidity, continentalness, erosion, depth, weirdness, times 10,000.
using Climate = std::array<std::int32_t, 6>;

/// (long)(value * 10000F) of the value as a float.
inline std::int32_t quantise_climate(double value) {
  return static_cast<std::int32_t>(static_cast<float>(value) * 10000.0F);
}

/// Finds the biome whose parameters are nearest to a climate.
///
/// The game keeps its points in an R-tree of a certain build, and where two points are equally near, its answer is the
/// one that the tree reaches first, starting from the last answer. Results equal the game's only if the tree is built
/// the same way and the caller hands in the last answer. Immutable.
class MultiNoiseIndex {
 public:
  /// `points`: rows [biome, t0, t1, h0, h1, c0, c1, e0, e1, d0, d1, w0, w1, offset] and the biomes' names.
  explicit MultiNoiseIndex(const Json& points);

  static constexpr std::int32_t kNone = -1;
  /// The leaf of the answer; `last` is the one before, or kNone.
  std::int32_t find(const Climate& climate, std::int32_t last) const;
  BiomeId biome(std::int32_t leaf) const { return biomes_[static_cast<std::size_t>(leaf)]; }
  /// Distinct biomes in the order of the points.
  const std::vector<BiomeId>& possible_biomes() const { return possible_; }

 private:
  static constexpr std::int32_t kDimensions = 7;
  struct Range {
    std::int32_t min, max;
  };
  using Space = std::array<Range, kDimensions>;
  /// Leaves have no children; the leaf's index is its place in the list of points.
  struct Node {
    Space space;
    std::int32_t first_child = 0, children = 0, leaf = kNone;
  };
  struct Builder;
  static std::int64_t distance(const Space& space, const Climate& climate);

  std::vector<Node> nodes_;            ///< children of a node stand together
  std::vector<std::int32_t> leaf_node_;  ///< by leaf
  std::vector<BiomeId> biomes_;          ///< by leaf
  std::vector<BiomeId> possible_;
  std::int32_t root_ = 0;
};

}  // namespace horizon::worldgen
