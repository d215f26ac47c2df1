#include <cmath>
#include <numbers>

#include "shard/worldgen/feature/trees.hpp"
#include "shard/worldgen/terrain/math.hpp"
#include "shard/worldgen/terrain/sine.hpp"

namespace horizon::worldgen {

TrunkPlacer::TrunkPlacer(const Json& json)
    : base_(integer(json, "base_height")),
      rand_a_(integer(json, "height_rand_a")),
      rand_b_(integer(json, "height_rand_b")) {
  if (base_ < 0 || rand_a_ < 0 || rand_b_ < 0 || base_ + rand_a_ + rand_b_ > 80) {
    throw FigureError("a trunk's heights must be 0 to 80 together");
  }
}

bool TrunkPlacer::is_valid(const Region& region, BlockPos p) const { return is_valid_tree_pos(region, p); }

bool TrunkPlacer::is_free(const Region& region, BlockPos p) const {
  static const BlockSet kLogs = BlockSet::tag("logs");
  return is_valid(region, p) || kLogs.contains(region.get(p));
}

bool TrunkPlacer::place_log(TreeWork& work, BlockPos p, std::int32_t axis) const {
  if (!is_valid(work.region, p)) return false;
  const BlockState log = work.config.trunk->get(work.region, work.random, p);
  work.set(work.trunks, p, axis < 0 ? log : with_axis(log, axis));
  return true;
}

void TrunkPlacer::place_log_if_free(TreeWork& work, BlockPos p) const {
  if (is_free(work.region, p)) place_log(work, p);
}

void TrunkPlacer::place_below(TreeWork& work, BlockPos p) {
  if (const auto s = work.config.below_trunk->get_optional(work.region, work.random, p)) {
    work.set(work.trunks, p, *s);
  }
}

namespace {

class StraightTrunk : public TrunkPlacer {
 public:
  explicit StraightTrunk(const Json& json) : TrunkPlacer(json) {}
  void place(TreeWork& work, std::int32_t height, BlockPos origin,
             std::vector<FoliageAttachment>& attachments) const override {
    place_below(work, below(origin));
    for (std::int32_t y = 0; y < height; ++y) place_log(work, above(origin, y));
    attachments.push_back({above(origin, height), 0, false});
  }
};

class ForkingTrunk : public TrunkPlacer {
 public:
  explicit ForkingTrunk(const Json& json) : TrunkPlacer(json) {}
  void place(TreeWork& work, std::int32_t height, BlockPos origin,
             std::vector<FoliageAttachment>& attachments) const override {
    Random& random = work.random;
    place_below(work, below(origin));
    const Direction lean = random_horizontal(random);
    const std::int32_t lean_height = height - random.next_int(4) - 1;
    std::int32_t lean_steps = 3 - random.next_int(3);
    BlockPos p = origin;
    std::optional<std::int32_t> top;
    for (std::int32_t y = 0; y < height; ++y) {
      if (y >= lean_height && lean_steps > 0) {
        p = offset(p, lean);
        --lean_steps;
      }
      if (place_log(work, {p.x, origin.y + y, p.z})) top = origin.y + y + 1;
    }
    if (top) attachments.push_back({{p.x, *top, p.z}, 1, false});
    p = origin;
    const Direction branch = random_horizontal(random);
    if (branch == lean) return;
    const std::int32_t start = lean_height - random.next_int(2) - 1;
    std::int32_t steps = 1 + random.next_int(3);
    top.reset();
    for (std::int32_t y = start; y < height && steps > 0; ++y, --steps) {
      if (y < 1) continue;
      p = offset(p, branch);
      if (place_log(work, {p.x, origin.y + y, p.z})) top = origin.y + y + 1;
    }
    if (top) attachments.push_back({{p.x, *top, p.z}, 0, false});
  }
};

class GiantTrunk : public TrunkPlacer {
 public:
  explicit GiantTrunk(const Json& json) : TrunkPlacer(json) {}
  void place(TreeWork& work, std::int32_t height, BlockPos origin,
             std::vector<FoliageAttachment>& attachments) const override {
    constexpr std::int32_t kSquare[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    for (const auto& [x, z] : kSquare) place_below(work, offset(origin, x, -1, z));
    for (std::int32_t y = 0; y < height; ++y) {
      place_log_if_free(work, above(origin, y));
      if (y == height - 1) continue;
      place_log_if_free(work, offset(origin, 1, y, 0));
      place_log_if_free(work, offset(origin, 1, y, 1));
      place_log_if_free(work, offset(origin, 0, y, 1));
    }
    attachments.push_back({above(origin, height), 0, true});
  }
};

class MegaJungleTrunk : public GiantTrunk {
 public:
  explicit MegaJungleTrunk(const Json& json) : GiantTrunk(json) {}
  void place(TreeWork& work, std::int32_t height, BlockPos origin,
             std::vector<FoliageAttachment>& attachments) const override {
    GiantTrunk::place(work, height, origin, attachments);
    for (std::int32_t y = height - 2 - work.random.next_int(4); y > height / 2;
         y -= 2 + work.random.next_int(4)) {
      const float angle = work.random.next_float() * (std::numbers::pi_v<float> * 2.0F);
      std::int32_t x = 0, z = 0;
      for (std::int32_t b = 0; b < 5; ++b) {
        x = static_cast<std::int32_t>(1.5F + cosine(static_cast<double>(angle)) * static_cast<float>(b));
        z = static_cast<std::int32_t>(1.5F + sine(static_cast<double>(angle)) * static_cast<float>(b));
        place_log(work, offset(origin, x, y - 3 + b / 2, z));
      }
      attachments.push_back({offset(origin, x, y, z), -2, false});
    }
  }
};

class DarkOakTrunk : public TrunkPlacer {
 public:
  explicit DarkOakTrunk(const Json& json) : TrunkPlacer(json) {}
  void place(TreeWork& work, std::int32_t height, BlockPos origin,
             std::vector<FoliageAttachment>& attachments) const override {
    static const BlockSet kLeaves = BlockSet::tag("leaves");
    constexpr std::int32_t kSquare[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    Random& random = work.random;
    for (const auto& [x, z] : kSquare) place_below(work, offset(origin, x, -1, z));
    const Direction lean = random_horizontal(random);
    const std::int32_t lean_height = height - random.next_int(4);
    std::int32_t lean_steps = 2 - random.next_int(3);
    BlockPos p = origin;
    const std::int32_t top = origin.y + height - 1;
    for (std::int32_t y = 0; y < height; ++y) {
      if (y >= lean_height && lean_steps > 0) {
        p = offset(p, lean);
        --lean_steps;
      }
      const BlockPos at{p.x, origin.y + y, p.z};
      const BlockState there = work.region.get(at);
      if (!is_air(there) && !kLeaves.contains(there)) continue;
      for (const auto& [x, z] : kSquare) place_log(work, offset(at, x, 0, z));
    }
    attachments.push_back({{p.x, top, p.z}, 0, true});
    for (std::int32_t x = -1; x <= 2; ++x) {
      for (std::int32_t z = -1; z <= 2; ++z) {
        const bool is_outside = x < 0 || x > 1 || z < 0 || z > 1;
        if (!is_outside || random.next_int(3) > 0) continue;
        const std::int32_t length = random.next_int(3) + 2;
        for (std::int32_t i = 0; i < length; ++i) place_log(work, {origin.x + x, top - i - 1, origin.z + z});
        attachments.push_back({{origin.x + x, top, origin.z + z}, 0, false});
      }
    }
  }
};

class BendingTrunk : public TrunkPlacer {
 public:
  explicit BendingTrunk(const Json& json)
      : TrunkPlacer(json),
        min_height_for_leaves_(int_or(json, "min_height_for_leaves", 1)),
        bend_length_(IntProvider::parse(field(json, "bend_length"))) {}
  void place(TreeWork& work, std::int32_t height, BlockPos origin,
             std::vector<FoliageAttachment>& attachments) const override {
    const Direction bend = random_horizontal(work.random);
    const std::int32_t logs = height - 1;
    place_below(work, below(origin));
    BlockPos p = origin;
    for (std::int32_t i = 0; i <= logs; ++i) {
      if (i + 1 >= logs + work.random.next_int(2)) p = offset(p, bend);
      place_log(work, p);
      if (i >= min_height_for_leaves_) attachments.push_back({p, 0, false});
      p = above(p);
    }
    const std::int32_t length = bend_length_.sample(work.random);
    for (std::int32_t i = 0; i <= length; ++i) {
      place_log(work, p);
      attachments.push_back({p, 0, false});
      p = offset(p, bend);
    }
  }

 private:
  std::int32_t min_height_for_leaves_;
  IntProvider bend_length_;
};

class UpwardsBranchingTrunk : public TrunkPlacer {
 public:
  explicit UpwardsBranchingTrunk(const Json& json)
      : TrunkPlacer(json),
        steps_(IntProvider::parse(field(json, "extra_branch_steps"))),
        length_(IntProvider::parse(field(json, "extra_branch_length"))),
        chance_(static_cast<float>(number(json, "place_branch_per_log_probability"))),
        grows_through_(BlockSet::parse(field(json, "can_grow_through"))) {}
  void place(TreeWork& work, std::int32_t height, BlockPos origin,
             std::vector<FoliageAttachment>& attachments) const override {
    Random& random = work.random;
    for (std::int32_t i = 0; i < height; ++i) {
      const BlockPos p = above(origin, i);
      if (place_log(work, p) && i < height - 1 && random.next_float() < chance_) {
        const Direction direction = random_horizontal(random);
        const std::int32_t length = length_.sample(random);
        const std::int32_t start = std::max(0, length - length_.sample(random) - 1);
        branch(work, height, p, direction, start, steps_.sample(random), attachments);
      }
      if (i == height - 1) attachments.push_back({above(p), 0, false});
    }
  }

 protected:
  bool is_valid(const Region& region, BlockPos p) const override {
    return TrunkPlacer::is_valid(region, p) || grows_through_.contains(region.get(p));
  }

 private:
  void branch(TreeWork& work, std::int32_t height, BlockPos from, Direction direction, std::int32_t start,
              std::int32_t steps, std::vector<FoliageAttachment>& attachments) const {
    std::int32_t top = from.y + start;
    BlockPos p = from;
    for (std::int32_t i = start; i < height && steps > 0; ++i, --steps) {
      if (i < 1) continue;
      p = offset(p, direction);
      p.y = top = from.y + i;
      if (place_log(work, p)) ++top;
      attachments.push_back({p, 0, false});
    }
    if (top - from.y > 1) {
      attachments.push_back({{p.x, top, p.z}, 0, false});
      attachments.push_back({{p.x, top - 2, p.z}, 0, false});
    }
  }

  IntProvider steps_, length_;
  float chance_;
  BlockSet grows_through_;
};

class CherryTrunk : public TrunkPlacer {
 public:
  explicit CherryTrunk(const Json& json)
      : TrunkPlacer(json),
        branches_(IntProvider::parse(field(json, "branch_count"))),
        length_(IntProvider::parse(field(json, "branch_horizontal_length"))),
        end_offset_(IntProvider::parse(field(json, "branch_end_offset_from_top"))) {
    const Json& start = field(json, "branch_start_offset_from_top");
    start_min_ = integer(start, "min_inclusive");
    start_max_ = integer(start, "max_inclusive");
    if (start_max_ - start_min_ < 1) throw FigureError("the branch starts need two blocks of variation");
  }
  void place(TreeWork& work, std::int32_t height, BlockPos origin,
             std::vector<FoliageAttachment>& attachments) const override {
    Random& random = work.random;
    place_below(work, below(origin));
    const std::int32_t first = std::max(0, height - 1 + random.next_int_between(start_min_, start_max_));
    std::int32_t second = std::max(0, height - 1 + random.next_int_between(start_min_, start_max_ - 1));
    if (second >= first) ++second;
    const std::int32_t branches = branches_.sample(random);
    const bool has_middle = branches == 3, has_both = branches >= 2;
    const std::int32_t trunk = has_middle ? height : (has_both ? std::max(first, second) + 1 : first + 1);
    for (std::int32_t y = 0; y < trunk; ++y) place_log(work, above(origin, y));
    if (has_middle) attachments.push_back({above(origin, trunk), 0, false});
    const Direction direction = random_horizontal(random);
    attachments.push_back(branch(work, height, origin, direction, first, first < trunk - 1));
    if (has_both)
      attachments.push_back(branch(work, height, origin, opposite(direction), second, second < trunk - 1));
  }

 private:
  FoliageAttachment branch(TreeWork& work, std::int32_t height, BlockPos origin, Direction direction,
                           std::int32_t start, bool middle_goes_on) const {
    Random& random = work.random;
    const std::int32_t axis = axis_of(direction);
    BlockPos p = above(origin, start);
    const std::int32_t end_y = height - 1 + end_offset_.sample(random);
    const bool is_extended = middle_goes_on || end_y < start;
    const std::int32_t distance = length_.sample(random) + (is_extended ? 1 : 0);
    const BlockPos end = above(offset(origin, direction, distance), end_y);
    for (std::int32_t i = 0; i < (is_extended ? 2 : 1); ++i) {
      p = offset(p, direction);
      place_log(work, p, axis);
    }
    const Direction vertical = end.y > p.y ? Direction::kUp : Direction::kDown;
    while (true) {
      const std::int32_t left = std::abs(end.x - p.x) + std::abs(end.y - p.y) + std::abs(end.z - p.z);
      if (left == 0) return {above(end), 0, false};
      const float chance = static_cast<float>(std::abs(end.y - p.y)) / static_cast<float>(left);
      const bool is_vertical = random.next_float() < chance;
      p = offset(p, is_vertical ? vertical : direction);
      place_log(work, p, is_vertical ? -1 : axis);
    }
  }

  IntProvider branches_, length_, end_offset_;
  std::int32_t start_min_, start_max_;
};

/// Large oaks with limbs. Source: the "fancy" trunk.
class FancyTrunk : public TrunkPlacer {
 public:
  explicit FancyTrunk(const Json& json) : TrunkPlacer(json) {}
  void place(TreeWork& work, std::int32_t tree_height, BlockPos origin,
             std::vector<FoliageAttachment>& attachments) const override {
    constexpr std::int32_t kFoliageHeight = 5;
    Random& random = work.random;
    const std::int32_t height = tree_height + 2;
    const std::int32_t trunk = floor_int(height * 0.618);
    place_below(work, below(origin));
    const std::int32_t clusters = std::min(1, floor_int(1.382 + std::pow(height / 13.0, 2.0)));
    const std::int32_t trunk_top = origin.y + trunk;
    struct Limb {
      BlockPos end;
      std::int32_t base_y;
    };
    std::vector<Limb> limbs;
    std::int32_t y = height - kFoliageHeight;
    limbs.push_back({above(origin, y), trunk_top});
    for (; y >= 0; --y) {
      const float shape = shape_at(height, y);
      if (shape < 0.0F) continue;
      for (std::int32_t i = 0; i < clusters; ++i) {
        const double radius =
            1.0 * static_cast<double>(shape) * (static_cast<double>(random.next_float()) + 0.328);
        const double angle = static_cast<double>(random.next_float() * 2.0F) * std::numbers::pi;
        const double dx = radius * std::sin(angle) + 0.5, dz = radius * std::cos(angle) + 0.5;
        const BlockPos start = offset(origin, floor_int(dx), y - 1, floor_int(dz));
        if (!limb(work, start, above(start, kFoliageHeight), false)) continue;
        const std::int32_t ox = origin.x - start.x, oz = origin.z - start.z;
        const double base =
            static_cast<double>(start.y) - std::sqrt(static_cast<double>(ox * ox + oz * oz)) * 0.381;
        const std::int32_t base_y = base > trunk_top ? trunk_top : static_cast<std::int32_t>(base);
        if (limb(work, {origin.x, base_y, origin.z}, start, false)) limbs.push_back({start, base_y});
      }
    }
    limb(work, origin, above(origin, trunk), true);
    const auto is_kept = [&](const Limb& l) { return l.base_y - origin.y >= height * 0.2; };
    for (const Limb& l : limbs) {
      const BlockPos base{origin.x, l.base_y, origin.z};
      if (base != l.end && is_kept(l)) limb(work, base, l.end, true);
    }
    for (const Limb& l : limbs) {
      if (is_kept(l)) attachments.push_back({l.end, 0, false});
    }
  }

 private:
  bool limb(TreeWork& work, BlockPos from, BlockPos to, bool places) const {
    if (!places && from == to) return true;
    const BlockPos d{to.x - from.x, to.y - from.y, to.z - from.z};
    const std::int32_t steps = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    const float dx = static_cast<float>(d.x) / static_cast<float>(steps);
    const float dy = static_cast<float>(d.y) / static_cast<float>(steps);
    const float dz = static_cast<float>(d.z) / static_cast<float>(steps);
    for (std::int32_t i = 0; i <= steps; ++i) {
      const auto at = static_cast<float>(i);
      const BlockPos p = offset(from, floor_int(static_cast<double>(0.5F + at * dx)),
                                floor_int(static_cast<double>(0.5F + at * dy)),
                                floor_int(static_cast<double>(0.5F + at * dz)));
      if (places) {
        const std::int32_t x = std::abs(p.x - from.x), z = std::abs(p.z - from.z);
        const std::int32_t most = std::max(x, z);
        place_log(work, p, most == 0 ? 1 : (x == most ? 0 : 2));
      } else if (!is_free(work.region, p)) {
        return false;
      }
    }
    return true;
  }

  static float shape_at(std::int32_t height, std::int32_t y) {
    if (static_cast<float>(y) < static_cast<float>(height) * 0.3F) return -1.0F;
    const float radius = static_cast<float>(height) / 2.0F;
    const float adjacent = radius - static_cast<float>(y);
    if (adjacent == 0.0F) return radius * 0.5F;
    if (std::abs(adjacent) >= radius) return 0.0F;
    return std::sqrt(radius * radius - adjacent * adjacent) * 0.5F;
  }
};

template <typename T>
std::unique_ptr<const TrunkPlacer> make(const Json& json) {
  return std::make_unique<T>(json);
}

}  // namespace

std::unique_ptr<const TrunkPlacer> TrunkPlacer::parse(const Json& json) {
  const std::string_view type = type_of(json);
  if (type == "straight_trunk_placer") return make<StraightTrunk>(json);
  if (type == "forking_trunk_placer") return make<ForkingTrunk>(json);
  if (type == "giant_trunk_placer") return make<GiantTrunk>(json);
  if (type == "mega_jungle_trunk_placer") return make<MegaJungleTrunk>(json);
  if (type == "dark_oak_trunk_placer") return make<DarkOakTrunk>(json);
  if (type == "fancy_trunk_placer") return make<FancyTrunk>(json);
  if (type == "bending_trunk_placer") return make<BendingTrunk>(json);
  if (type == "upwards_branching_trunk_placer") return make<UpwardsBranchingTrunk>(json);
  if (type == "cherry_trunk_placer") return make<CherryTrunk>(json);
  throw FigureError("unknown trunk placer \"" + std::string(type) + "\"");
}

}  // namespace horizon::worldgen
