#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/feature/feature.hpp"

namespace horizon::worldgen {

/// Positions in the order in which they were first added. Allocates nothing while it is empty.
class PositionSet {
 public:
  void clear();
  /// False when it was there already.
  bool insert(BlockPos p);
  bool contains(BlockPos p) const;
  const std::vector<BlockPos>& list() const { return list_; }
  bool empty() const { return list_.empty(); }

 private:
  std::size_t find(BlockPos p) const;
  void grow();
  std::vector<BlockPos> list_;
  std::vector<std::uint32_t> table_;  ///< index + 1 into list_, 0 is free; a power of two
};

struct TreeConfig;

/// A tree in the making.
struct TreeWork {
  PlaceContext& context;
  Region& region;
  Random& random;
  const TreeConfig& config;
  PositionSet &roots, &trunks, &foliage, &decorations;

  void set(PositionSet& set, BlockPos p, BlockState s) {
    set.insert(p);
    region.set(p, s);
  }
};

/// Where leaves grow from.
struct FoliageAttachment {
  BlockPos pos;
  std::int32_t radius_offset = 0;
  bool is_double_trunk = false;
};

class TrunkPlacer {
 public:
  virtual ~TrunkPlacer() = default;
  std::int32_t height(Random& random) const {
    const std::int32_t a = random.next_int(rand_a_ + 1);
    return base_ + a + random.next_int(rand_b_ + 1);
  }
  virtual void place(TreeWork& work, std::int32_t height, BlockPos origin,
                     std::vector<FoliageAttachment>& attachments) const = 0;
  /// Whether the trunk may pass: free, or a log.
  bool is_free(const Region& region, BlockPos p) const;
  static std::unique_ptr<const TrunkPlacer> parse(const Json& json);

 protected:
  explicit TrunkPlacer(const Json& json);
  virtual bool is_valid(const Region& region, BlockPos p) const;
  /// `axis` other than -1 turns the log: 0 x, 1 y, 2 z.
  bool place_log(TreeWork& work, BlockPos p, std::int32_t axis = -1) const;
  void place_log_if_free(TreeWork& work, BlockPos p) const;
  static void place_below(TreeWork& work, BlockPos p);

  std::int32_t base_, rand_a_, rand_b_;
};

class FoliagePlacer {
 public:
  virtual ~FoliagePlacer() = default;
  virtual std::int32_t height(Random& random, std::int32_t tree_height) const = 0;
  virtual std::int32_t radius(Random& random, std::int32_t) const { return radius_.sample(random); }
  void place(TreeWork& work, std::int32_t tree_height, const FoliageAttachment& attachment,
             std::int32_t foliage_height, std::int32_t leaf_radius) const {
    const std::int32_t offset = offset_.sample(work.random);
    create(work, tree_height, attachment, foliage_height, leaf_radius, offset);
  }
  static std::unique_ptr<const FoliagePlacer> parse(const Json& json);

 protected:
  explicit FoliagePlacer(const Json& json);
  virtual void create(TreeWork& work, std::int32_t tree_height, const FoliageAttachment& attachment,
                      std::int32_t foliage_height, std::int32_t leaf_radius, std::int32_t offset) const = 0;
  /// `dx` and `dz` are distances from the trunk.
  virtual bool skips(Random& random, std::int32_t dx, std::int32_t y, std::int32_t dz, std::int32_t radius,
                     bool is_double) const = 0;
  /// `dx` and `dz` with their signs.
  virtual bool skips_signed(Random& random, std::int32_t dx, std::int32_t y, std::int32_t dz,
                            std::int32_t radius, bool is_double) const;
  void place_row(TreeWork& work, BlockPos origin, std::int32_t radius, std::int32_t y, bool is_double) const;
  void place_row_with_hanging(TreeWork& work, BlockPos origin, std::int32_t radius, std::int32_t y,
                              bool is_double, float chance, float extension_chance) const;
  static bool try_place_leaf(TreeWork& work, BlockPos p);

  IntProvider radius_, offset_;
};

class RootPlacer {
 public:
  virtual ~RootPlacer() = default;
  BlockPos trunk_origin(BlockPos origin, Random& random) const {
    return above(origin, trunk_offset_.sample(random));
  }
  virtual bool place(TreeWork& work, BlockPos origin, BlockPos trunk_origin) const = 0;
  static std::unique_ptr<const RootPlacer> parse(const Json& json);

 protected:
  explicit RootPlacer(const Json& json) : trunk_offset_(IntProvider::parse(field(json, "trunk_offset_y"))) {}
  IntProvider trunk_offset_;
};

/// What a decorator sees of a finished tree: positions by height.
struct DecorationWork {
  PlaceContext& context;
  Region& region;
  Random& random;
  PositionSet& decorations;
  std::vector<BlockPos> logs, leaves, roots;

  bool is_air(BlockPos p) const { return region.is_air(p); }
  void set(BlockPos p, BlockState s) {
    decorations.insert(p);
    region.set(p, s);
  }
  /// The lowest trunk blocks, or roots where they are lower.
  std::vector<BlockPos> lowest() const;
};

class TreeDecorator {
 public:
  virtual ~TreeDecorator() = default;
  virtual void place(DecorationWork& work) const = 0;
  static std::unique_ptr<const TreeDecorator> parse(const Json& json, FeatureLoader& loader);
  static std::vector<std::unique_ptr<const TreeDecorator>> parse_list(const Json& json,
                                                                      FeatureLoader& loader);
};

/// How wide a tree must find room at a height.
struct FeatureSize {
  bool has_three_layers = false;
  std::int32_t limit = 1, upper_limit = 1, lower = 0, middle = 1, upper = 1;
  std::optional<std::int32_t> min_clipped_height;
  std::int32_t at(std::int32_t tree_height, std::int32_t y) const {
    if (y < limit) return lower;
    return !has_three_layers || y >= tree_height - upper_limit ? upper : middle;
  }
  static FeatureSize parse(const Json& json);
};

struct TreeConfig {
  std::shared_ptr<const StateProvider> trunk, foliage, below_trunk;
  std::unique_ptr<const TrunkPlacer> trunk_placer;
  std::unique_ptr<const FoliagePlacer> foliage_placer;
  std::unique_ptr<const RootPlacer> root_placer;
  FeatureSize size;
  std::vector<std::unique_ptr<const TreeDecorator>> decorators;
  bool ignores_vines = false;
};

/// Air, or what trees replace.
bool is_valid_tree_pos(const Region& region, BlockPos p);
/// `s` with water in it where water stands, when the block can hold any.
BlockState waterlogged_at(const Region& region, BlockPos p, BlockState s, bool only_source);
/// 0, 1 or 2 for x, y or z.
constexpr std::int32_t axis_of(Direction d) {
  return d <= Direction::kUp ? 1 : (d <= Direction::kSouth ? 2 : 0);
}
/// The state with its axis turned, when it has one.
BlockState with_axis(BlockState s, std::int32_t axis);
/// Direction.Plane.HORIZONTAL.getRandomDirection.
inline Direction random_horizontal(Random& random) {
  return kHorizontal[static_cast<std::size_t>(random.next_int(4))];
}
/// Weeping vines down from `p`: see the feature of that name. `height` counts the last block too.
void place_weeping_vines_column(Region& region, Random& random, BlockPos p, std::int32_t height,
                                std::int32_t min_age, std::int32_t max_age);

}  // namespace horizon::worldgen
