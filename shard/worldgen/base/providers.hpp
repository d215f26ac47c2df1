#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "shard/worldgen/base/blocks.hpp"
#include "shard/worldgen/base/figures.hpp"
#include "shard/worldgen/base/proto_chunk.hpp"
#include "shard/worldgen/base/random.hpp"

namespace horizon::worldgen {

class Region;

/// A y in a definition: absolute, or above the bottom, or below the top of generation.
struct VerticalAnchor {
  enum class Kind : std::uint8_t { kAbsolute, kAboveBottom, kBelowTop } kind = Kind::kAbsolute;
  std::int32_t offset = 0;
  static VerticalAnchor parse(const Json& json);
  /// `generated` is the height that terrain is made in (nether and end: 128), not the dimension's.
  std::int32_t resolve(Heights generated) const;
};

/// The game's IntProvider: constant, uniform, biased_to_bottom, clamped, clamped_normal, weighted_list,
/// trapezoid.
class IntProvider {
 public:
  static IntProvider parse(const Json& json);
  static IntProvider constant(std::int32_t value);
  std::int32_t sample(Random& random) const;
  std::int32_t min() const;
  std::int32_t max() const;

 private:
  enum class Kind : std::uint8_t { kConstant, kUniform, kBiased, kClamped, kClampedNormal, kWeighted, kTrapezoid };
  Kind kind_ = Kind::kConstant;
  std::int32_t min_ = 0, max_ = 0;
  float mean_ = 0, deviation_ = 0;
  std::int32_t plateau_ = 0;
  std::int32_t total_weight_ = 0;
  std::vector<std::pair<IntProvider, std::int32_t>> children_;  ///< weighted entries, or the clamped source
};

/// The game's FloatProvider: constant, uniform, clamped_normal, trapezoid.
class FloatProvider {
 public:
  static FloatProvider parse(const Json& json);
  static FloatProvider constant(float value);
  float sample(Random& random) const;
  float min() const { return min_; }
  float max() const { return max_; }

 private:
  enum class Kind : std::uint8_t { kConstant, kUniform, kClampedNormal, kTrapezoid };
  Kind kind_ = Kind::kConstant;
  float min_ = 0, max_ = 0, a_ = 0, b_ = 0;
};

/// The game's HeightProvider: constant, uniform, biased_to_bottom, very_biased_to_bottom, trapezoid,
/// weighted_list.
class HeightProvider {
 public:
  static HeightProvider parse(const Json& json);
  std::int32_t sample(Random& random, Heights generated) const;

 private:
  enum class Kind : std::uint8_t { kConstant, kUniform, kBiased, kVeryBiased, kTrapezoid, kWeighted };
  Kind kind_ = Kind::kConstant;
  VerticalAnchor min_, max_;
  std::int32_t inner_ = 1;
  std::int32_t total_weight_ = 0;
  std::vector<std::pair<HeightProvider, std::int32_t>> children_;
};

/// The game's BlockStateProvider. Immutable; safe from any thread.
class StateProvider {
 public:
  virtual ~StateProvider() = default;
  virtual BlockState get(const Region& region, Random& random, BlockPos p) const = 0;
  /// Nothing where no rule of a rule_based provider holds (get() gives the block that is there then). For features
  /// that leave such places alone.
  virtual std::optional<BlockState> get_optional(const Region& region, Random& random, BlockPos p) const {
    return get(region, random, p);
  }
  /// Throws FigureError. Types: simple, weighted, noise, noise_threshold, dual_noise, rotated_block,
  /// randomized_int, rule_based ... A bare state object ({"Name": ...}) reads as simple.
  static std::shared_ptr<const StateProvider> parse(const Json& json);
};

/// The game's BlockPredicate.
class BlockPredicate {
 public:
  virtual ~BlockPredicate() = default;
  virtual bool test(const Region& region, BlockPos p) const = 0;
  static std::shared_ptr<const BlockPredicate> parse(const Json& json);
};

/// The game's RuleTest: always_true, block_match, blockstate_match, tag_match, random_block_match,
/// random_blockstate_match. Draws only where the game draws.
class RuleTest {
 public:
  static RuleTest parse(const Json& json);
  bool test(BlockState s, Random& random) const;

 private:
  enum class Kind : std::uint8_t { kAlways, kBlocks, kState, kRandomBlock, kRandomState };
  Kind kind_ = Kind::kAlways;
  BlockSet blocks_;
  BlockState state_ = 0;
  float probability_ = 1;
};

}  // namespace horizon::worldgen
