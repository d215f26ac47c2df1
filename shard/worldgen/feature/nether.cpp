#include <algorithm>
#include <array>

#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/feature/trees.hpp"

namespace horizon::worldgen {

namespace {

std::int32_t spread(Random& random, std::int32_t bound, std::int32_t other) {
  const std::int32_t first = random.next_int(bound);
  return first - random.next_int(other);
}
std::int32_t manhattan(BlockPos a, BlockPos b) {
  return std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z);
}

/// Positions around `origin` by growing Manhattan distance, in the game's order; stops when `visit` returns
/// false.
template <typename Visit>
void within_manhattan(BlockPos origin, std::int32_t reach_x, std::int32_t reach_y, std::int32_t reach_z,
                      Visit&& visit) {
  for (std::int32_t depth = 0; depth <= reach_x + reach_y + reach_z; ++depth) {
    const std::int32_t max_x = std::min(reach_x, depth);
    for (std::int32_t x = -max_x; x <= max_x; ++x) {
      const std::int32_t max_y = std::min(reach_y, depth - std::abs(x));
      for (std::int32_t y = -max_y; y <= max_y; ++y) {
        const std::int32_t z = depth - std::abs(x) - std::abs(y);
        if (z > reach_z) continue;
        if (!visit(offset(origin, x, y, z))) return;
        if (z != 0 && !visit(offset(origin, x, y, -z))) return;
      }
    }
  }
}

/// Exactly one of the six neighbours is in the set.
bool has_one_neighbour(const Region& region, BlockPos p, const BlockSet& set) {
  return std::ranges::count_if(kDirections,
                               [&](Direction d) { return set.contains(region.get(offset(p, d))); }) == 1;
}

class GlowstoneBlob : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    static const BlockSet kCeiling = BlockSet::of({"netherrack", "basalt", "blackstone"}),
                          kGlowstones = BlockSet::of({"glowstone"});
    static const BlockState kGlowstone = state("glowstone");
    Region& region = context.region;
    if (!region.is_air(origin) || !kCeiling.contains(region.get(above(origin)))) return false;
    region.set(origin, kGlowstone);
    for (std::int32_t i = 0; i < 1500; ++i) {
      const std::int32_t dx = spread(random, 8, 8), dy = -random.next_int(12), dz = spread(random, 8, 8);
      const BlockPos p = offset(origin, dx, dy, dz);
      if (region.is_air(p) && has_one_neighbour(region, p, kGlowstones)) region.set(p, kGlowstone);
    }
    return true;
  }
};

class NetherForestVegetation : public Feature {
 public:
  explicit NetherForestVegetation(const Json& json)
      : provider_(StateProvider::parse(field(json, "state_provider"))),
        width_(integer(json, "spread_width")),
        height_(integer(json, "spread_height")) {}
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    static const BlockSet kNylium = BlockSet::tag("nylium");
    Region& region = context.region;
    if (!kNylium.contains(region.get(below(origin)))) return false;
    if (origin.y < region.min_y() + 1 || origin.y + 1 > region.max_y()) return false;
    bool has_placed = false;
    for (std::int32_t i = 0; i < width_ * width_; ++i) {
      const std::int32_t dx = spread(random, width_, width_), dy = spread(random, height_, height_),
                         dz = spread(random, width_, width_);
      const BlockPos p = offset(origin, dx, dy, dz);
      const BlockState s = provider_->get(region, random, p);
      if (!region.is_air(p) || p.y <= region.min_y() || !can_survive(region, s, p)) continue;
      region.set(p, s);
      has_placed = true;
    }
    return has_placed;
  }

 private:
  std::shared_ptr<const StateProvider> provider_;
  std::int32_t width_, height_;
};

/// How long a hanging or standing vine becomes.
std::int32_t vine_height(Random& random, std::int32_t max) {
  std::int32_t height = random.next_int_between(1, max);
  if (random.next_int(6) == 0) height *= 2;
  if (random.next_int(5) == 0) height = 1;
  return height;
}

class WeepingVines : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    static const BlockSet kRoof = BlockSet::of({"netherrack", "nether_wart_block"});
    static const BlockState kWart = state("nether_wart_block");
    Region& region = context.region;
    if (!region.is_air(origin) || !kRoof.contains(region.get(above(origin)))) return false;
    region.set(origin, kWart);
    for (std::int32_t i = 0; i < 200; ++i) {
      const std::int32_t dx = spread(random, 6, 6), dy = spread(random, 2, 5), dz = spread(random, 6, 6);
      const BlockPos p = offset(origin, dx, dy, dz);
      if (region.is_air(p) && has_one_neighbour(region, p, kRoof)) region.set(p, kWart);
    }
    for (std::int32_t i = 0; i < 100; ++i) {
      const std::int32_t dx = spread(random, 8, 8), dy = spread(random, 2, 7), dz = spread(random, 8, 8);
      const BlockPos p = offset(origin, dx, dy, dz);
      if (!region.is_air(p) || !kRoof.contains(region.get(above(p)))) continue;
      place_weeping_vines_column(region, random, p, vine_height(random, 8), 17, 25);
    }
    return true;
  }
};

class TwistingVines : public Feature {
 public:
  explicit TwistingVines(const Json& json)
      : width_(integer(json, "spread_width")),
        height_(integer(json, "spread_height")),
        max_(integer(json, "max_height")) {}
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    if (!can_stand(region, origin)) return false;
    for (std::int32_t i = 0; i < width_ * width_; ++i) {
      const std::int32_t dx = random.next_int_between(-width_, width_),
                         dy = random.next_int_between(-height_, height_),
                         dz = random.next_int_between(-width_, width_);
      BlockPos p = below(offset(origin, dx, dy, dz));
      while (!region.is_outside_build_height(p.y) && region.is_air(p)) p = below(p);
      if (region.is_outside_build_height(p.y)) continue;
      p = above(p);
      if (can_stand(region, p)) column(region, random, p, vine_height(random, max_));
    }
    return true;
  }

 private:
  static bool can_stand(const Region& region, BlockPos p) {
    static const BlockSet kGround = BlockSet::of({"netherrack", "warped_nylium", "warped_wart_block"});
    return region.is_air(p) && kGround.contains(region.get(below(p)));
  }
  static void column(Region& region, Random& random, BlockPos p, std::int32_t height) {
    static const BlockState kHead = state("twisting_vines"), kBody = state("twisting_vines_plant");
    for (std::int32_t i = 1; i <= height; ++i, p = above(p)) {
      if (!region.is_air(p)) continue;
      if (i == height || !region.is_air(above(p))) {
        region.set(p, with_int(kHead, properties::kAge, random.next_int_between(17, 25)));
        return;
      }
      region.set(p, kBody);
    }
  }

  std::int32_t width_, height_, max_;
};

/// Blocks that basalt leaves alone, besides the lava ocean.
const BlockSet& protected_blocks() {
  static const BlockSet kSet =
      BlockSet::of({"lava", "bedrock", "magma_block", "soul_sand", "nether_bricks", "nether_brick_fence",
                    "nether_brick_stairs", "nether_wart", "chest", "spawner"});
  return kSet;
}

class BasaltColumns : public Feature {
 public:
  explicit BasaltColumns(const Json& json)
      : reach_(IntProvider::parse(field(json, "reach"))),
        height_(IntProvider::parse(field(json, "height"))) {}
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    if (!can_place(region, origin)) return false;
    const std::int32_t height = height_.sample(random);
    const bool is_cluster = random.next_float() < 0.9F;
    const std::int32_t reach = std::min(height, is_cluster ? 5 : 8);
    const std::int32_t count = is_cluster ? 50 : 15;
    bool has_placed = false;
    for (std::int32_t i = 0; i < count; ++i) {
      const std::int32_t x = origin.x - reach + random.next_int(2 * reach + 1);
      const std::int32_t y = origin.y + random.next_int(1);
      const BlockPos p{x, y, origin.z - reach + random.next_int(2 * reach + 1)};
      const std::int32_t left = height - manhattan(p, origin);
      if (left >= 0 && columns(region, p, left, reach_.sample(random))) has_placed = true;
    }
    return has_placed;
  }

 private:
  static bool is_open(const Region& region, BlockPos p) {
    static const BlockId kLava = block("lava");
    const BlockState s = region.get(p);
    return is_air(s) || (is(s, kLava) && p.y <= region.sea_level());
  }
  static bool can_place(const Region& region, BlockPos p) {
    if (!is_open(region, p)) return false;
    const BlockState under = region.get(below(p));
    return !is_air(under) && !protected_blocks().contains(under);
  }
  static std::optional<BlockPos> find_surface(const Region& region, BlockPos p, std::int32_t limit) {
    for (; p.y > region.min_y() + 1 && limit > 0; p = below(p), --limit) {
      if (can_place(region, p)) return p;
    }
    return std::nullopt;
  }
  static std::optional<BlockPos> find_air(const Region& region, BlockPos p, std::int32_t limit) {
    for (; p.y <= region.max_y() && limit > 0; p = above(p), --limit) {
      const BlockState s = region.get(p);
      if (protected_blocks().contains(s)) return std::nullopt;
      if (is_air(s)) return p;
    }
    return std::nullopt;
  }
  static bool columns(Region& region, BlockPos origin, std::int32_t height, std::int32_t reach) {
    static const BlockState kBasalt = state("basalt");
    static const BlockId kBasaltBlock = block("basalt");
    bool has_placed = false;
    for (std::int32_t z = -reach; z <= reach; ++z) {
      for (std::int32_t x = -reach; x <= reach; ++x) {
        const BlockPos p = offset(origin, x, 0, z);
        const std::int32_t distance = manhattan(p, origin);
        const auto start =
            is_open(region, p) ? find_surface(region, p, distance) : find_air(region, p, distance);
        if (!start) continue;
        BlockPos cursor = *start;
        for (std::int32_t left = height - distance / 2; left >= 0; --left, cursor = above(cursor)) {
          if (is_open(region, cursor)) {
            region.set(cursor, kBasalt);
            has_placed = true;
          } else if (!is(region.get(cursor), kBasaltBlock)) {
            break;
          }
        }
      }
    }
    return has_placed;
  }

  IntProvider reach_, height_;
};

class BasaltPillar : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    static const BlockState kBasalt = state("basalt");
    constexpr std::array kSides = {Direction::kNorth, Direction::kSouth, Direction::kWest, Direction::kEast};
    Region& region = context.region;
    if (!region.is_air(origin) || region.is_air(above(origin))) return false;
    std::array<bool, 4> hangs = {true, true, true, true};
    BlockPos p = origin;
    for (; region.is_air(p); p = below(p)) {
      if (region.is_outside_build_height(p.y)) return true;
      region.set(p, kBasalt);
      for (std::size_t i = 0; i < 4; ++i) {
        if (!hangs[i]) continue;
        hangs[i] = random.next_int(10) != 0;
        if (hangs[i]) region.set(offset(p, kSides[i]), kBasalt);
      }
    }
    p = above(p);
    for (const Direction d : kSides) {
      if (random.next_bool()) region.set(offset(p, d), kBasalt);
    }
    p = below(p);
    for (std::int32_t dx = -3; dx < 4; ++dx) {
      for (std::int32_t dz = -3; dz < 4; ++dz) {
        if (random.next_int(10) >= 10 - std::abs(dx) * std::abs(dz)) continue;
        BlockPos base = offset(p, dx, 0, dz);
        for (std::int32_t drop = 3; drop > 0 && region.is_air(below(base)); --drop) base = below(base);
        if (!region.is_air(below(base))) region.set(base, kBasalt);
      }
    }
    return true;
  }
};

class Delta : public Feature {
 public:
  explicit Delta(const Json& json)
      : contents_(parse_state(field(json, "contents"))),
        rim_(parse_state(field(json, "rim"))),
        size_(IntProvider::parse(field(json, "size"))),
        rim_size_(IntProvider::parse(field(json, "rim_size"))) {}
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    const bool spawns_rim = random.next_double() < 0.9;
    const std::int32_t rim_x = spawns_rim ? rim_size_.sample(random) : 0;
    const std::int32_t rim_z = spawns_rim ? rim_size_.sample(random) : 0;
    const bool has_rim = spawns_rim && rim_x != 0 && rim_z != 0;
    const std::int32_t radius_x = size_.sample(random), radius_z = size_.sample(random);
    const std::int32_t limit = std::max(radius_x, radius_z);
    bool has_placed = false;
    within_manhattan(origin, radius_x, 0, radius_z, [&](BlockPos p) {
      if (manhattan(p, origin) > limit) return false;
      if (!is_clear(region, p)) return true;
      if (has_rim) {
        has_placed = true;
        region.set(p, rim_);
      }
      const BlockPos inner = offset(p, rim_x, 0, rim_z);
      if (is_clear(region, inner)) {
        has_placed = true;
        region.set(inner, contents_);
      }
      return true;
    });
    return has_placed;
  }

 private:
  bool is_clear(const Region& region, BlockPos p) const {
    static const BlockSet kKept = BlockSet::of({"bedrock", "nether_bricks", "nether_brick_fence",
                                                "nether_brick_stairs", "nether_wart", "chest", "spawner"});
    const BlockState s = region.get(p);
    if (game::block_of(s) == game::block_of(contents_) || kKept.contains(s)) return false;
    return std::ranges::all_of(
        kDirections, [&](Direction d) { return region.is_air(offset(p, d)) == (d == Direction::kUp); });
  }

  BlockState contents_, rim_;
  IntProvider size_, rim_size_;
};

class ReplaceBlobs : public Feature {
 public:
  explicit ReplaceBlobs(const Json& json)
      : target_(game::block_of(parse_state(field(json, "target")))),
        state_(parse_state(field(json, "state"))),
        radius_(IntProvider::parse(field(json, "radius"))) {}
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    BlockPos centre = origin;
    centre.y = std::clamp(origin.y, region.min_y() + 1, region.max_y());
    while (centre.y > region.min_y() + 1 && !is(region.get(centre), target_)) centre = below(centre);
    if (centre.y <= region.min_y() + 1) return false;
    const std::int32_t x = radius_.sample(random), y = radius_.sample(random), z = radius_.sample(random);
    const std::int32_t limit = std::max({x, y, z});
    bool has_replaced = false;
    within_manhattan(centre, x, y, z, [&](BlockPos p) {
      if (manhattan(p, centre) > limit) return false;
      if (is(region.get(p), target_)) {
        region.set(p, state_);
        has_replaced = true;
      }
      return true;
    });
    return has_replaced;
  }

 private:
  BlockId target_;
  BlockState state_;
  IntProvider radius_;
};

}  // namespace

void place_weeping_vines_column(Region& region, Random& random, BlockPos p, std::int32_t height,
                                std::int32_t min_age, std::int32_t max_age) {
  static const BlockState kHead = state("weeping_vines"), kBody = state("weeping_vines_plant");
  for (std::int32_t i = 0; i <= height; ++i, p = below(p)) {
    if (!region.is_air(p)) continue;
    if (i == height || !region.is_air(below(p))) {
      region.set(p, with_int(kHead, properties::kAge, random.next_int_between(min_age, max_age)));
      return;
    }
    region.set(p, kBody);
  }
}

void add_nether_features(FeatureFactories& factories) {
  factories["glowstone_blob"] = [](const Json&, FeatureLoader&) { return std::make_shared<GlowstoneBlob>(); };
  factories["nether_forest_vegetation"] = [](const Json& json, FeatureLoader&) {
    return std::make_shared<NetherForestVegetation>(json);
  };
  factories["weeping_vines"] = [](const Json&, FeatureLoader&) { return std::make_shared<WeepingVines>(); };
  factories["twisting_vines"] = [](const Json& json, FeatureLoader&) {
    return std::make_shared<TwistingVines>(json);
  };
  factories["basalt_columns"] = [](const Json& json, FeatureLoader&) {
    return std::make_shared<BasaltColumns>(json);
  };
  factories["basalt_pillar"] = [](const Json&, FeatureLoader&) { return std::make_shared<BasaltPillar>(); };
  factories["delta_feature"] = [](const Json& json, FeatureLoader&) { return std::make_shared<Delta>(json); };
  factories["netherrack_replace_blobs"] = [](const Json& json, FeatureLoader&) {
    return std::make_shared<ReplaceBlobs>(json);
  };
}

}  // namespace horizon::worldgen
