#include <array>

#include "shard/worldgen/feature/trees.hpp"

namespace horizon::worldgen {

namespace {

/// Stilts of mangroves: they branch downwards until they reach something firm, or the tree does not grow.
class MangroveRoots : public RootPlacer {
 public:
  explicit MangroveRoots(const Json& json)
      : RootPlacer(json), root_(StateProvider::parse(field(json, "root_provider"))) {
    const Json& placement = field(json, "mangrove_root_placement");
    grows_through_ = BlockSet::parse(field(placement, "can_grow_through"));
    muddy_in_ = BlockSet::parse(field(placement, "muddy_roots_in"));
    muddy_root_ = StateProvider::parse(field(placement, "muddy_roots_provider"));
    max_width_ = integer(placement, "max_root_width");
    max_length_ = integer(placement, "max_root_length");
    skew_chance_ = static_cast<float>(number(placement, "random_skew_chance"));
    if (const auto above_root = json.find("above_root_placement"); above_root != json.end()) {
      above_ = StateProvider::parse(field(*above_root, "above_root_provider"));
      above_chance_ = static_cast<float>(number(*above_root, "above_root_placement_chance"));
    }
  }

  bool place(TreeWork& work, BlockPos origin, BlockPos trunk_origin) const override {
    for (BlockPos p = origin; p.y < trunk_origin.y; ++p.y) {
      if (!can_place(work.region, p)) return false;
    }
    std::vector<BlockPos> positions{below(trunk_origin)};
    for (const Direction d : kHorizontal) {
      std::vector<BlockPos> branch;
      if (!simulate(work, offset(trunk_origin, d), d, trunk_origin, branch, 0)) return false;
      positions.insert(positions.end(), branch.begin(), branch.end());
      positions.push_back(offset(trunk_origin, d));
    }
    for (const BlockPos p : positions) place_root(work, p);
    return true;
  }

 private:
  bool can_place(const Region& region, BlockPos p) const {
    return is_valid_tree_pos(region, p) || grows_through_.contains(region.get(p));
  }

  bool simulate(TreeWork& work, BlockPos p, Direction direction, BlockPos trunk, std::vector<BlockPos>& found,
                std::int32_t layer) const {
    if (layer == max_length_ || static_cast<std::int32_t>(found.size()) > max_length_) return false;
    std::array<BlockPos, 2> next{below(p), {}};
    std::size_t count = 1;
    const BlockPos beside = offset(p, direction);
    const std::int32_t width = std::abs(p.x - trunk.x) + std::abs(p.y - trunk.y) + std::abs(p.z - trunk.z);
    if (width > max_width_ - 3 && width <= max_width_) {
      if (work.random.next_float() < skew_chance_) next[count++] = below(beside);
    } else if (width <= max_width_ && work.random.next_float() >= skew_chance_ && work.random.next_bool()) {
      next[0] = beside;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!can_place(work.region, next[i])) continue;
      found.push_back(next[i]);
      if (!simulate(work, next[i], direction, trunk, found, layer + 1)) return false;
    }
    return true;
  }

  void place_root(TreeWork& work, BlockPos p) const {
    Region& region = work.region;
    if (muddy_in_.contains(region.get(p))) {
      const BlockState muddy = muddy_root_->get(region, work.random, p);
      work.set(work.roots, p, waterlogged_at(region, p, muddy, false));
      return;
    }
    if (!can_place(region, p)) return;
    const BlockState root = root_->get(region, work.random, p);
    work.set(work.roots, p, waterlogged_at(region, p, root, false));
    if (!above_) return;
    const BlockPos up = above(p);
    if (work.random.next_float() < above_chance_ && region.is_air(up)) {
      const BlockState cover = above_->get(region, work.random, up);
      work.set(work.roots, up, waterlogged_at(region, up, cover, false));
    }
  }

  std::shared_ptr<const StateProvider> root_, muddy_root_, above_;
  BlockSet grows_through_, muddy_in_;
  std::int32_t max_width_, max_length_;
  float skew_chance_, above_chance_ = 0;
};

}  // namespace

std::unique_ptr<const RootPlacer> RootPlacer::parse(const Json& json) {
  if (type_of(json) == "mangrove_root_placer") return std::make_unique<MangroveRoots>(json);
  throw FigureError("unknown root placer \"" + std::string(type_of(json)) + "\"");
}

}  // namespace horizon::worldgen
