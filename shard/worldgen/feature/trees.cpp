#include "shard/worldgen/feature/trees.hpp"

#include <algorithm>
#include <array>

#include "shard/worldgen/base/shape_update.hpp"
#include "shard/worldgen/base/survival.hpp"

namespace horizon::worldgen {

// --- Positions -----------------------------------------------------------

namespace {
std::size_t hash_of(BlockPos p) {
  auto h = static_cast<std::uint32_t>(p.x) * 73856093U ^ static_cast<std::uint32_t>(p.y) * 19349663U ^
           static_cast<std::uint32_t>(p.z) * 83492791U;
  return h ^ h >> 15;
}
}  // namespace

void PositionSet::clear() {
  list_.clear();
  std::ranges::fill(table_, 0);
}

std::size_t PositionSet::find(BlockPos p) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash_of(p) & mask;
  while (table_[at] != 0 && list_[table_[at] - 1] != p) at = (at + 1) & mask;
  return at;
}

bool PositionSet::contains(BlockPos p) const { return !table_.empty() && table_[find(p)] != 0; }

bool PositionSet::insert(BlockPos p) {
  if (list_.size() * 2 >= table_.size()) grow();
  const std::size_t at = find(p);
  if (table_[at] != 0) return false;
  list_.push_back(p);
  table_[at] = static_cast<std::uint32_t>(list_.size());
  return true;
}

void PositionSet::grow() {
  table_.assign(std::max<std::size_t>(64, table_.size() * 2), 0);
  for (std::size_t i = 0; i < list_.size(); ++i) table_[find(list_[i])] = static_cast<std::uint32_t>(i + 1);
}

// --- Shared --------------------------------------------------------------

bool is_valid_tree_pos(const Region& region, BlockPos p) {
  static const BlockSet kReplaceable = BlockSet::tag("replaceable_by_trees");
  const BlockState s = region.get(p);
  return is_air(s) || kReplaceable.contains(s);
}

BlockState waterlogged_at(const Region& region, BlockPos p, BlockState s, bool only_source) {
  if (!has_property(s, properties::kWaterlogged)) return s;
  const BlockState there = region.get(p);
  const bool is_wet = fluid(there) == Fluid::kWater && (!only_source || is_fluid_source(there));
  return with_bool(s, properties::kWaterlogged, is_wet);
}

BlockState with_axis(BlockState s, std::int32_t axis) {
  constexpr std::array<std::string_view, 3> kNames = {"x", "y", "z"};
  return with(s, properties::kAxis, kNames[static_cast<std::size_t>(axis)]);
}

FeatureSize FeatureSize::parse(const Json& json) {
  FeatureSize size;
  const std::string_view type = type_of(json);
  if (type == "two_layers_feature_size") {
    size.limit = int_or(json, "limit", 1);
    size.lower = int_or(json, "lower_size", 0);
    size.upper = int_or(json, "upper_size", 1);
  } else if (type == "three_layers_feature_size") {
    size.has_three_layers = true;
    size.limit = int_or(json, "limit", 1);
    size.upper_limit = int_or(json, "upper_limit", 1);
    size.lower = int_or(json, "lower_size", 0);
    size.middle = int_or(json, "middle_size", 1);
    size.upper = int_or(json, "upper_size", 1);
  } else {
    throw FigureError("unknown feature size \"" + std::string(type) + "\"");
  }
  if (json.find("min_clipped_height") != json.end())
    size.min_clipped_height = integer(json, "min_clipped_height");
  return size;
}

namespace {

void sort_by_height(std::vector<BlockPos>& positions) {
  std::ranges::stable_sort(positions, {}, &BlockPos::y);
}

// --- Trees ---------------------------------------------------------------

/// How far a block is from a log as leaves count it; nullopt for what does not carry on.
std::optional<std::int32_t> leaf_distance(BlockState s) {
  static const BlockSet kHolds = BlockSet::tag("prevents_nearby_leaf_decay");
  if (kHolds.contains(s)) return 0;
  if (!has_property(s, properties::kDistance)) return std::nullopt;
  return int_value(s, properties::kDistance);
}

/// Positions of a box by a number from 0 on, each at most once per number; first in, first out.
class LeafQueues {
 public:
  static constexpr std::size_t kNumbers = 7;

  explicit LeafQueues(const Box& box)
      : box_(box),
        waiting_(static_cast<std::size_t>(box.x_span()) * static_cast<std::size_t>(box.y_span()) *
                 static_cast<std::size_t>(box.z_span())) {}
  bool empty(std::size_t number) const { return queues_[number].next == queues_[number].list.size(); }
  void push(std::size_t number, BlockPos p) {
    std::uint8_t& numbers = waiting_[index(p)];
    if ((numbers >> number & 1) != 0) return;
    numbers = static_cast<std::uint8_t>(numbers | 1U << number);
    queues_[number].list.push_back(p);
  }
  BlockPos pop(std::size_t number) {
    Queue& queue = queues_[number];
    const BlockPos p = queue.list[queue.next++];
    std::uint8_t& numbers = waiting_[index(p)];
    numbers = static_cast<std::uint8_t>(numbers & ~(1U << number));
    return p;
  }

 private:
  struct Queue {
    std::vector<BlockPos> list;
    std::size_t next = 0;
  };
  std::size_t index(BlockPos p) const {
    return static_cast<std::size_t>(
        ((p.y - box_.min_y) * box_.z_span() + (p.z - box_.min_z)) * box_.x_span() + (p.x - box_.min_x));
  }
  Box box_;
  std::array<Queue, kNumbers> queues_;
  std::vector<std::uint8_t> waiting_;  ///< by position: bit n, it waits under number n
};

/// Numbers the leaves by their distance from the logs, and collects what belongs to the tree. REQUIRES: `box`
/// holds all positions of the three sets.
BlockShape update_leaves(Region& region, const Box& box, const PositionSet& logs,
                         const PositionSet& decorations, const PositionSet& roots) {
  constexpr std::size_t kMaxDistance = LeafQueues::kNumbers;
  BlockShape shape(box);
  for (const PositionSet* set : {&decorations, &roots}) {
    for (const BlockPos p : set->list()) shape.fill(p);
  }
  LeafQueues open(box);
  for (const BlockPos p : logs.list()) open.push(0, p);
  std::size_t distance = 0;
  while (distance < kMaxDistance) {
    if (open.empty(distance)) {
      ++distance;
      continue;
    }
    const BlockPos p = open.pop(distance);
    if (distance != 0) {
      // Also where a shorter path came first, through a log of another tree: the game overwrites it, too.
      region.set(p, with_int(region.get(p), properties::kDistance, static_cast<std::int32_t>(distance)));
    }
    shape.fill(p);
    for (const Direction d : kDirections) {
      const BlockPos near = offset(p, d);
      if (!box.contains(near) || shape.is_full(near)) continue;
      const auto known = leaf_distance(region.get(near));
      if (!known) continue;
      const auto reached = std::min(static_cast<std::size_t>(*known), distance + 1);
      if (reached >= kMaxDistance) continue;
      open.push(reached, near);
      // At once, not after the six sides: leaves of another tree with a lower number also lower what the
      // sides that follow get. An oddity of the game that its worlds show.
      distance = std::min(distance, reached);
    }
  }
  return shape;
}

/// What trees stand on when their definition does not say it.
std::shared_ptr<const StateProvider> dirt_below_trunk() {
  const Json tag = {{"type", "matching_block_tag"}, {"tag", "minecraft:cannot_replace_below_tree_trunk"}};
  const Json rule = {{"if_true", {{"type", "not"}, {"predicate", tag}}},
                     {"then", {{"Name", "minecraft:dirt"}}}};
  return StateProvider::parse({{"type", "rule_based_state_provider"}, {"rules", Json::array({rule})}});
}

class Tree : public Feature {
 public:
  Tree(const Json& json, FeatureLoader& loader) {
    config_.trunk = StateProvider::parse(field(json, "trunk_provider"));
    config_.foliage = StateProvider::parse(field(json, "foliage_provider"));
    const auto below_trunk = json.find("below_trunk_provider");
    config_.below_trunk = below_trunk == json.end() ? dirt_below_trunk() : StateProvider::parse(*below_trunk);
    config_.trunk_placer = TrunkPlacer::parse(field(json, "trunk_placer"));
    config_.foliage_placer = FoliagePlacer::parse(field(json, "foliage_placer"));
    if (const auto roots = json.find("root_placer"); roots != json.end())
      config_.root_placer = RootPlacer::parse(*roots);
    config_.size = FeatureSize::parse(field(json, "minimum_size"));
    config_.decorators = TreeDecorator::parse_list(field(json, "decorators"), loader);
    config_.ignores_vines = bool_or(json, "ignore_vines", false);
  }

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    PositionSet roots, trunks, foliage, decorations;
    TreeWork work{context, context.region, random, config_, roots, trunks, foliage, decorations};
    if (!grow(work, origin) || (trunks.empty() && foliage.empty())) return false;
    if (!config_.decorators.empty()) {
      DecorationWork decoration{context,       context.region, random,      decorations,
                                trunks.list(), foliage.list(), roots.list()};
      sort_by_height(decoration.logs);
      sort_by_height(decoration.leaves);
      sort_by_height(decoration.roots);
      for (const auto& decorator : config_.decorators) decorator->place(decoration);
    }
    std::optional<Box> box;
    for (const PositionSet* set : {&roots, &trunks, &foliage, &decorations}) {
      for (const BlockPos p : set->list()) {
        if (!box) box = Box{p.x, p.y, p.z, p.x, p.y, p.z};
        box->encapsulate(p);
      }
    }
    const BlockShape shape = update_leaves(context.region, *box, trunks, decorations, roots);
    update_shapes_at_edge(context.region, shape);
    return true;
  }

 private:
  bool grow(TreeWork& work, BlockPos origin) const {
    Random& random = work.random;
    const std::int32_t height = config_.trunk_placer->height(random);
    const std::int32_t foliage_height = config_.foliage_placer->height(random, height);
    const std::int32_t leaf_radius = config_.foliage_placer->radius(random, height - foliage_height);
    const BlockPos trunk = config_.root_placer ? config_.root_placer->trunk_origin(origin, random) : origin;
    const std::int32_t lowest = std::min(origin.y, trunk.y),
                       highest = std::max(origin.y, trunk.y) + height + 1;
    if (lowest < work.region.min_y() + 1 || highest > work.region.max_y() + 1) return false;
    const std::int32_t room = free_height(work.region, height, trunk);
    if (room < height && (!config_.size.min_clipped_height || room < *config_.size.min_clipped_height))
      return false;
    if (config_.root_placer && !config_.root_placer->place(work, origin, trunk)) return false;
    std::vector<FoliageAttachment> attachments;
    config_.trunk_placer->place(work, room, trunk, attachments);
    for (const FoliageAttachment& a : attachments) {
      config_.foliage_placer->place(work, room, a, foliage_height, leaf_radius);
    }
    return true;
  }

  std::int32_t free_height(const Region& region, std::int32_t height, BlockPos p) const {
    static const BlockId kVine = block("vine");
    for (std::int32_t y = 0; y <= height + 1; ++y) {
      const std::int32_t r = config_.size.at(height, y);
      for (std::int32_t x = -r; x <= r; ++x) {
        for (std::int32_t z = -r; z <= r; ++z) {
          const BlockPos at = offset(p, x, y, z);
          if (!config_.trunk_placer->is_free(region, at) ||
              (!config_.ignores_vines && is(region.get(at), kVine))) {
            return y - 2;
          }
        }
      }
    }
    return height;
  }

  TreeConfig config_;
};

class FallenTree : public Feature {
 public:
  FallenTree(const Json& json, FeatureLoader& loader)
      : trunk_(StateProvider::parse(field(json, "trunk_provider"))),
        length_(IntProvider::parse(field(json, "log_length"))),
        stump_decorators_(TreeDecorator::parse_list(field(json, "stump_decorators"), loader)),
        log_decorators_(TreeDecorator::parse_list(field(json, "log_decorators"), loader)) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    place_log(region, random, origin, -1);
    decorate(context, random, {origin}, stump_decorators_);
    const Direction d = random_horizontal(random);
    const std::int32_t length = length_.sample(random) - 2;
    BlockPos start = above(offset(origin, d, 2 + random.next_int(2)));
    for (std::int32_t i = 0; i < 6 && !(is_valid_tree_pos(region, start) && is_over_ground(region, start));
         ++i) {
      start = below(start);
    }
    std::int32_t gap = 0;
    for (std::int32_t i = 0; i < length; ++i) {
      const BlockPos p = offset(start, d, i);
      if (!is_valid_tree_pos(region, p)) return true;
      gap = is_over_ground(region, p) ? 0 : gap + 1;
      if (gap > 2) return true;
    }
    std::vector<BlockPos> logs;
    for (std::int32_t i = 0; i < length; ++i) {
      logs.push_back(offset(start, d, i));
      place_log(region, random, logs.back(), axis_of(d));
    }
    decorate(context, random, std::move(logs), log_decorators_);
    return true;
  }

 private:
  static bool is_over_ground(const Region& region, BlockPos p) {
    return is_face_sturdy(region.get(below(p)), Direction::kUp);
  }
  void place_log(Region& region, Random& random, BlockPos p, std::int32_t axis) const {
    const BlockState log = trunk_->get(region, random, p);
    region.set(p, axis < 0 ? log : with_axis(log, axis));
    BlockPos up = above(p);
    for (std::int32_t i = 0; i < 2 && !region.is_air(up); ++i, up = above(up))
      region.mark_for_post_processing(up);
  }
  static void decorate(PlaceContext& context, Random& random, std::vector<BlockPos> logs,
                       const std::vector<std::unique_ptr<const TreeDecorator>>& decorators) {
    if (decorators.empty()) return;
    PositionSet decorations;
    DecorationWork work{context, context.region, random, decorations, std::move(logs), {}, {}};
    sort_by_height(work.logs);
    for (const auto& decorator : decorators) decorator->place(work);
  }

  std::shared_ptr<const StateProvider> trunk_;
  IntProvider length_;
  std::vector<std::unique_ptr<const TreeDecorator>> stump_decorators_, log_decorators_;
};

// --- Mushrooms and fungi -------------------------------------------------

class HugeMushroom : public Feature {
 public:
  HugeMushroom(const Json& json, bool is_red)
      : is_red_(is_red),
        cap_(StateProvider::parse(field(json, "cap_provider"))),
        stem_(StateProvider::parse(field(json, "stem_provider"))),
        can_place_on_(BlockPredicate::parse(field(json, "can_place_on"))),
        radius_(int_or(json, "foliage_radius", 2)) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    std::int32_t height = random.next_int(3) + 4;
    if (random.next_int(12) == 0) height *= 2;
    if (!has_room(region, origin, height)) return false;
    if (is_red_) {
      red_cap(region, random, origin, height);
    } else {
      brown_cap(region, random, origin, height);
    }
    for (std::int32_t y = 0; y < height; ++y)
      put(region, above(origin, y), stem_->get(region, random, origin));
    return true;
  }

 private:
  bool has_room(const Region& region, BlockPos origin, std::int32_t height) const {
    static const BlockSet kLeaves = BlockSet::tag("leaves");
    if (origin.y < region.min_y() + 1 || origin.y + height + 1 > region.max_y()) return false;
    if (!can_place_on_->test(region, below(origin))) return false;
    for (std::int32_t y = 0; y <= height; ++y) {
      // The red kind asks for no more than its stem, by a slip of the game that worlds depend on.
      const std::int32_t r = is_red_ || y <= 3 ? 0 : radius_;
      for (std::int32_t x = -r; x <= r; ++x) {
        for (std::int32_t z = -r; z <= r; ++z) {
          const BlockState s = region.get(offset(origin, x, y, z));
          if (!is_air(s) && !kLeaves.contains(s)) return false;
        }
      }
    }
    return true;
  }
  static void put(Region& region, BlockPos p, BlockState s) {
    static const BlockSet kReplaceable = BlockSet::tag("replaceable_by_mushrooms");
    const BlockState there = region.get(p);
    if (is_air(there) || kReplaceable.contains(there)) region.set(p, s);
  }
  static BlockState with_sides(BlockState s, bool west, bool east, bool north, bool south) {
    s = with_bool(s, properties::kWest, west);
    s = with_bool(s, properties::kEast, east);
    s = with_bool(s, properties::kNorth, north);
    return with_bool(s, properties::kSouth, south);
  }
  void red_cap(Region& region, Random& random, BlockPos origin, std::int32_t height) const {
    const std::int32_t centre = radius_ - 2;
    for (std::int32_t y = height - 3; y <= height; ++y) {
      const std::int32_t r = y < height ? radius_ : radius_ - 1;
      for (std::int32_t x = -r; x <= r; ++x) {
        for (std::int32_t z = -r; z <= r; ++z) {
          const bool is_x_edge = x == -r || x == r, is_z_edge = z == -r || z == r;
          if (y < height && is_x_edge == is_z_edge) continue;
          BlockState s = with_bool(cap_->get(region, random, origin), properties::kUp, y >= height - 1);
          s = with_sides(s, x<-centre, x> centre, z<-centre, z> centre);
          put(region, offset(origin, x, y, z), s);
        }
      }
    }
  }
  void brown_cap(Region& region, Random& random, BlockPos origin, std::int32_t height) const {
    const std::int32_t r = radius_;
    for (std::int32_t x = -r; x <= r; ++x) {
      for (std::int32_t z = -r; z <= r; ++z) {
        const bool is_x_edge = x == -r || x == r, is_z_edge = z == -r || z == r;
        if (is_x_edge && is_z_edge) continue;
        const BlockState s =
            with_sides(cap_->get(region, random, origin), x == -r || (is_z_edge && x == 1 - r),
                       x == r || (is_z_edge && x == r - 1), z == -r || (is_x_edge && z == 1 - r),
                       z == r || (is_x_edge && z == r - 1));
        put(region, offset(origin, x, height, z), s);
      }
    }
  }

  bool is_red_;
  std::shared_ptr<const StateProvider> cap_, stem_;
  std::shared_ptr<const BlockPredicate> can_place_on_;
  std::int32_t radius_;
};

class HugeFungus : public Feature {
 public:
  explicit HugeFungus(const Json& json)
      : base_(game::block_of(parse_state(field(json, "valid_base_block")))),
        stem_(parse_state(field(json, "stem_state"))),
        hat_(parse_state(field(json, "hat_state"))),
        decor_(parse_state(field(json, "decor_state"))),
        replaceable_(BlockPredicate::parse(field(json, "replaceable_blocks"))),
        is_planted_(bool_or(json, "planted", false)) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    if (!is(region.get(below(origin)), base_)) return false;
    std::int32_t height = random.next_int_between(4, 13);
    if (random.next_int(12) == 0) height *= 2;
    if (!is_planted_ && origin.y + height + 1 >= context.generated.height) return false;
    const bool is_huge = !is_planted_ && random.next_float() < 0.06F;
    region.set(origin, blocks::kAir);
    stem(region, random, origin, height, is_huge);
    hat(region, random, origin, height, is_huge);
    return true;
  }

 private:
  bool is_free(const Region& region, BlockPos p, bool with_plants) const {
    return can_be_replaced(region.get(p)) || (with_plants && replaceable_->test(region, p));
  }
  void stem(Region& region, Random& random, BlockPos origin, std::int32_t height, bool is_huge) const {
    const std::int32_t r = is_huge ? 1 : 0;
    for (std::int32_t x = -r; x <= r; ++x) {
      for (std::int32_t z = -r; z <= r; ++z) {
        const bool is_corner = is_huge && std::abs(x) == r && std::abs(z) == r;
        for (std::int32_t y = 0; y < height; ++y) {
          const BlockPos p = offset(origin, x, y, z);
          if (!is_free(region, p, true)) continue;
          if (is_corner && random.next_float() >= 0.1F) continue;
          region.set(p, stem_);
        }
      }
    }
  }
  void hat(Region& region, Random& random, BlockPos origin, std::int32_t height, bool is_huge) const {
    static const BlockId kWart = block("nether_wart_block");
    const bool has_vines = is(hat_, kWart);
    const std::int32_t hat_height = std::min(random.next_int(1 + height / 3) + 5, height);
    const std::int32_t bottom = height - hat_height;
    for (std::int32_t y = bottom; y <= height; ++y) {
      std::int32_t r = y < height - random.next_int(3) ? 2 : 1;
      if (hat_height > 8 && y < bottom + 4) r = 3;
      if (is_huge) ++r;
      for (std::int32_t x = -r; x <= r; ++x) {
        for (std::int32_t z = -r; z <= r; ++z) {
          const bool is_x_edge = x == -r || x == r, is_z_edge = z == -r || z == r;
          const bool is_inside = !is_x_edge && !is_z_edge && y != height;
          const BlockPos p = offset(origin, x, y, z);
          if (!is_free(region, p, false)) continue;
          if (y < bottom + 3) {
            if (!is_inside) drop(region, random, p, has_vines);
          } else if (is_inside) {
            fill(region, random, p, 0.1F, 0.2F, has_vines ? 0.1F : 0.0F);
          } else if (is_x_edge && is_z_edge) {
            fill(region, random, p, 0.01F, 0.7F, has_vines ? 0.083F : 0.0F);
          } else {
            fill(region, random, p, 5.0E-4F, 0.98F, has_vines ? 0.07F : 0.0F);
          }
        }
      }
    }
  }
  void fill(Region& region, Random& random, BlockPos p, float decor, float hat, float vines) const {
    if (random.next_float() < decor) {
      region.set(p, decor_);
    } else if (random.next_float() < hat) {
      region.set(p, hat_);
      if (random.next_float() < vines) hang_vines(region, random, p);
    }
  }
  void drop(Region& region, Random& random, BlockPos p, bool has_vines) const {
    if (game::block_of(region.get(below(p))) == game::block_of(hat_)) {
      region.set(p, hat_);
    } else if (static_cast<double>(random.next_float()) < 0.15) {
      region.set(p, hat_);
      if (has_vines && random.next_int(11) == 0) hang_vines(region, random, p);
    }
  }
  static void hang_vines(Region& region, Random& random, BlockPos hat) {
    const BlockPos p = below(hat);
    if (!region.is_air(p)) return;
    std::int32_t height = random.next_int_between(1, 5);
    if (random.next_int(7) == 0) height *= 2;
    place_weeping_vines_column(region, random, p, height, 23, 25);
  }

  BlockId base_;
  BlockState stem_, hat_, decor_;
  std::shared_ptr<const BlockPredicate> replaceable_;
  bool is_planted_;
};

// --- Bamboo, chorus, rooted trees ----------------------------------------

class Bamboo : public Feature {
 public:
  explicit Bamboo(const Json& json) : podzol_chance_(static_cast<float>(number(json, "probability"))) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    static const BlockState kTrunk = state("bamboo[age=1,leaves=none,stage=0]");
    static const BlockState kFinalLarge = state("bamboo[age=1,leaves=large,stage=1]");
    static const BlockState kTopLarge = state("bamboo[age=1,leaves=large,stage=0]");
    static const BlockState kTopSmall = state("bamboo[age=1,leaves=small,stage=0]");
    static const BlockState kDefault = state("bamboo"), kPodzol = state("podzol");
    static const BlockSet kDirt = BlockSet::tag("beneath_bamboo_podzol_replaceable");
    Region& region = context.region;
    if (!region.is_air(origin)) return false;
    if (!can_survive(region, kDefault, origin)) return true;
    const std::int32_t height = random.next_int(12) + 5;
    if (random.next_float() < podzol_chance_) {
      const std::int32_t r = random.next_int(4) + 1;
      for (std::int32_t x = -r; x <= r; ++x) {
        for (std::int32_t z = -r; z <= r; ++z) {
          if (x * x + z * z > r * r) continue;
          const std::int32_t at_x = origin.x + x, at_z = origin.z + z;
          const BlockPos p{at_x, region.height(HeightKind::kWorldSurface, at_x, at_z) - 1, at_z};
          if (kDirt.contains(region.get(p))) region.set(p, kPodzol);
        }
      }
    }
    BlockPos p = origin;
    for (std::int32_t i = 0; i < height && region.is_air(p); ++i, p = above(p)) region.set(p, kTrunk);
    if (p.y - origin.y >= 3) {
      region.set(p, kFinalLarge);
      region.set(below(p), kTopLarge);
      region.set(below(p, 2), kTopSmall);
    }
    return true;
  }

 private:
  float podzol_chance_;
};

class ChorusPlant : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    if (!region.is_air(origin) || !supports().contains(region.get(below(origin)))) return false;
    put(region, origin);
    grow(region, random, origin, origin, 0);
    return true;
  }

 private:
  static constexpr std::int32_t kMaxSpread = 8;

  static const BlockSet& supports() {
    static const BlockSet kSupports = BlockSet::tag("supports_chorus_plant");
    return kSupports;
  }
  static void put(Region& region, BlockPos p) {
    static const BlockState kPlant = state("chorus_plant");
    static const BlockId kPlantBlock = block("chorus_plant"), kFlower = block("chorus_flower");
    static const std::array<PropertyId, 6> kSides = {properties::kDown,  properties::kUp,
                                                     properties::kNorth, properties::kSouth,
                                                     properties::kWest,  properties::kEast};
    BlockState s = kPlant;
    for (const Direction d : kDirections) {
      const BlockState near = region.get(offset(p, d));
      const bool joins =
          is(near, kPlantBlock) || is(near, kFlower) || (d == Direction::kDown && supports().contains(near));
      s = with_bool(s, kSides[static_cast<std::size_t>(d)], joins);
    }
    region.set(p, s);
  }
  static bool has_air_around(const Region& region, BlockPos p, std::optional<Direction> except) {
    return std::ranges::all_of(kHorizontal,
                               [&](Direction d) { return d == except || region.is_air(offset(p, d)); });
  }
  static void grow(Region& region, Random& random, BlockPos from, BlockPos start, std::int32_t depth) {
    static const BlockState kFlower = state("chorus_flower[age=5]");
    std::int32_t height = random.next_int(4) + 1;
    if (depth == 0) ++height;
    for (std::int32_t i = 0; i < height; ++i) {
      const BlockPos p = above(from, i + 1);
      if (!has_air_around(region, p, std::nullopt)) return;
      put(region, p);
      put(region, below(p));
    }
    bool has_stem = false;
    if (depth < 4) {
      std::int32_t stems = random.next_int(4);
      if (depth == 0) ++stems;
      for (std::int32_t i = 0; i < stems; ++i) {
        const Direction d = random_horizontal(random);
        const BlockPos p = offset(above(from, height), d);
        if (std::abs(p.x - start.x) >= kMaxSpread || std::abs(p.z - start.z) >= kMaxSpread ||
            !region.is_air(p) || !region.is_air(below(p)) || !has_air_around(region, p, opposite(d))) {
          continue;
        }
        has_stem = true;
        put(region, p);
        put(region, offset(p, opposite(d)));
        grow(region, random, p, start, depth + 1);
      }
    }
    if (!has_stem) region.set(above(from, height), kFlower);
  }
};

class RootSystem : public Feature {
 public:
  RootSystem(const Json& json, FeatureLoader& loader)
      : tree_(loader.placed(field(json, "feature"))),
        space_(integer(json, "required_vertical_space_for_tree")),
        water_(integer(json, "allowed_vertical_water_for_tree")),
        root_radius_(integer(json, "root_radius")),
        root_attempts_(integer(json, "root_placement_attempts")),
        column_height_(integer(json, "root_column_max_height")),
        hanging_radius_(integer(json, "hanging_root_radius")),
        hanging_span_(integer(json, "hanging_roots_vertical_span")),
        hanging_attempts_(integer(json, "hanging_root_placement_attempts")),
        replaceable_(BlockSet::parse(field(json, "root_replaceable"))),
        root_(StateProvider::parse(field(json, "root_state_provider"))),
        hanging_(StateProvider::parse(field(json, "hanging_root_state_provider"))),
        allowed_(BlockPredicate::parse(field(json, "allowed_tree_position"))) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    if (!region.is_air(origin)) return false;
    if (place_tree(context, random, origin)) hang_roots(region, random, origin);
    return true;
  }

 private:
  bool place_tree(PlaceContext& context, Random& random, BlockPos origin) const {
    Region& region = context.region;
    for (std::int32_t y = 0; y < column_height_; ++y) {
      const BlockPos p = above(origin, y + 1);
      if (!allowed_->test(region, p) || !has_space(region, p)) continue;
      const BlockState ground = region.get(below(p));
      if (fluid(ground) == Fluid::kLava || !is_solid(ground)) return false;
      // The tree is placed on its own, outside of the biome check that led here.
      PlaceContext inner{region, context.features, context.generated, nullptr};
      if (tree_->place(inner, random, p)) {
        for (std::int32_t at_y = origin.y; at_y < origin.y + y; ++at_y) {
          root_dirt(region, random, {origin.x, at_y, origin.z});
        }
        return true;
      }
    }
    return false;
  }
  bool has_space(const Region& region, BlockPos p) const {
    for (std::int32_t i = 1; i <= space_; ++i) {
      const BlockState s = region.get(above(p, i));
      if (!is_air(s) && !(i + 1 <= water_ && fluid(s) == Fluid::kWater)) return false;
    }
    return true;
  }
  static std::int32_t spread(Random& random, std::int32_t bound) {
    const std::int32_t first = random.next_int(bound);
    return first - random.next_int(bound);
  }
  void root_dirt(Region& region, Random& random, BlockPos centre) const {
    for (std::int32_t i = 0; i < root_attempts_; ++i) {
      const std::int32_t dx = spread(random, root_radius_), dz = spread(random, root_radius_);
      const BlockPos p = offset(centre, dx, 0, dz);
      if (replaceable_.contains(region.get(p))) region.set(p, root_->get(region, random, p));
    }
  }
  void hang_roots(Region& region, Random& random, BlockPos origin) const {
    for (std::int32_t i = 0; i < hanging_attempts_; ++i) {
      const std::int32_t dx = spread(random, hanging_radius_), dy = spread(random, hanging_span_),
                         dz = spread(random, hanging_radius_);
      const BlockPos p = offset(origin, dx, dy, dz);
      if (!region.is_air(p)) continue;
      const BlockState s = hanging_->get(region, random, p);
      if (can_survive(region, s, p) && is_face_sturdy(region.get(above(p)), Direction::kDown))
        region.set(p, s);
    }
  }

  std::shared_ptr<const PlacedFeature> tree_;
  std::int32_t space_, water_, root_radius_, root_attempts_, column_height_, hanging_radius_, hanging_span_,
      hanging_attempts_;
  BlockSet replaceable_;
  std::shared_ptr<const StateProvider> root_, hanging_;
  std::shared_ptr<const BlockPredicate> allowed_;
};

}  // namespace

void add_tree_features(FeatureFactories& factories) {
  factories["tree"] = [](const Json& json, FeatureLoader& loader) {
    return std::make_shared<Tree>(json, loader);
  };
  factories["fallen_tree"] = [](const Json& json, FeatureLoader& loader) {
    return std::make_shared<FallenTree>(json, loader);
  };
  factories["huge_red_mushroom"] = [](const Json& json, FeatureLoader&) {
    return std::make_shared<HugeMushroom>(json, true);
  };
  factories["huge_brown_mushroom"] = [](const Json& json, FeatureLoader&) {
    return std::make_shared<HugeMushroom>(json, false);
  };
  factories["huge_fungus"] = [](const Json& json, FeatureLoader&) {
    return std::make_shared<HugeFungus>(json);
  };
  factories["bamboo"] = [](const Json& json, FeatureLoader&) { return std::make_shared<Bamboo>(json); };
  factories["chorus_plant"] = [](const Json&, FeatureLoader&) { return std::make_shared<ChorusPlant>(); };
  factories["root_system"] = [](const Json& json, FeatureLoader& loader) {
    return std::make_shared<RootSystem>(json, loader);
  };
}

}  // namespace horizon::worldgen
