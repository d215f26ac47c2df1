#include <algorithm>
#include <cmath>
#include <numbers>

#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/feature/underground.hpp"
#include "shard/worldgen/terrain/math.hpp"
#include "shard/worldgen/terrain/sine.hpp"

namespace horizon::worldgen::underground {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;

const BlockState kDripstoneBlock = state("dripstone_block");
const BlockId kDripstoneBlockId = block("dripstone_block"), kPointedDripstoneId = block("pointed_dripstone");

const BlockSet& replaceable() {
  static const BlockSet kSet = BlockSet::tag("dripstone_replaceable_blocks");
  return kSet;
}
const BlockSet& base_stone() {
  static const BlockSet kSet = BlockSet::tag("base_stone_overworld");
  return kSet;
}

bool is_base(BlockState s) { return is(s, kDripstoneBlockId) || replaceable().contains(s); }
bool is_open(BlockState s) { return is_air_or_water(s); }
bool is_open_or_lava(BlockState s) { return is_air_or_water(s) || is_lava(s); }

bool petrify(Region& region, BlockPos p) {
  if (!replaceable().contains(region.get(p))) return false;
  region.set(p, kDripstoneBlock);
  return true;
}

enum Thickness : std::uint8_t { kTipMerge, kTip, kFrustum, kMiddle, kBase };

/// The states of pointed dripstone by thickness, direction and water.
class PointedStates {
 public:
  BlockState get(Direction tip, Thickness thickness, bool in_water) const {
    return states_[tip == Direction::kUp ? 1 : 0][thickness][in_water ? 1 : 0];
  }
  static const PointedStates& instance() {
    static const PointedStates kStates;
    return kStates;
  }

 private:
  PointedStates() {
    static constexpr std::array kNames = {"tip_merge", "tip", "frustum", "middle", "base"};
    for (std::size_t up = 0; up < 2; ++up) {
      for (std::size_t i = 0; i < kNames.size(); ++i) {
        for (std::size_t wet = 0; wet < 2; ++wet) {
          states_[up][i][wet] =
              state(std::string("pointed_dripstone[vertical_direction=") + (up != 0 ? "up" : "down") +
                    ",thickness=" + kNames[i] + ",waterlogged=" + (wet != 0 ? "true" : "false") + "]");
        }
      }
    }
  }
  BlockState states_[2][5][2];
};

/// A stalactite or stalagmite of `length` blocks from `p` on, if it has something to grow from.
void grow_pointed(Region& region, BlockPos p, Direction tip, std::int32_t length, bool tips_meet) {
  if (!is_base(region.get(offset(p, opposite(tip))))) return;
  const PointedStates& states = PointedStates::instance();
  for (std::int32_t left = length; left > 0; --left, p = offset(p, tip)) {
    Thickness thickness = kMiddle;
    if (left == 1) {
      thickness = tips_meet ? kTipMerge : kTip;
    } else if (left == 2) {
      thickness = kFrustum;
    } else if (left == length) {
      thickness = kBase;
    }
    region.set(p, states.get(tip, thickness, region.fluid_at(p) == Fluid::kWater));
  }
}

// --- Clusters ------------------------------------------------------------

class DripstoneCluster final : public Feature {
 public:
  explicit DripstoneCluster(const Json& config)
      : search_range_(integer(config, "floor_to_ceiling_search_range")),
        height_(IntProvider::parse(field(config, "height"))),
        radius_(IntProvider::parse(field(config, "radius"))),
        max_height_difference_(integer(config, "max_stalagmite_stalactite_height_diff")),
        height_deviation_(static_cast<float>(integer(config, "height_deviation"))),
        layer_thickness_(IntProvider::parse(field(config, "dripstone_block_layer_thickness"))),
        density_(FloatProvider::parse(field(config, "density"))),
        wetness_(FloatProvider::parse(field(config, "wetness"))),
        chance_at_edge_(float_field(config, "chance_of_dripstone_column_at_max_distance_from_center")),
        edge_distance_(static_cast<float>(
            integer(config, "max_distance_from_edge_affecting_chance_of_dripstone_column"))),
        centre_distance_(
            static_cast<double>(integer(config, "max_distance_from_center_affecting_height_bias"))) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    if (!is_open(region.get(origin))) return false;
    Cluster cluster{};
    cluster.height = height_.sample(random);
    cluster.wetness = wetness_.sample(random);
    cluster.density = density_.sample(random);
    const std::int32_t x_radius = radius_.sample(random);
    const std::int32_t z_radius = radius_.sample(random);
    for (std::int32_t dx = -x_radius; dx <= x_radius; ++dx) {
      for (std::int32_t dz = -z_radius; dz <= z_radius; ++dz) {
        const std::int32_t from_edge = std::min(x_radius - std::abs(dx), z_radius - std::abs(dz));
        const float nearness = static_cast<float>(from_edge) / edge_distance_;
        const float chance = nearness > 1.0F ? 1.0F : lerp(nearness, chance_at_edge_, 1.0F);
        place_column(region, random, offset(origin, dx, 0, dz), std::abs(dx) + std::abs(dz),
                     static_cast<double>(chance), cluster);
      }
    }
    return true;
  }

 private:
  struct Cluster {
    std::int32_t height;
    float wetness, density;
  };

  void place_column(Region& region, Random& random, BlockPos p, std::int32_t from_centre, double chance,
                    const Cluster& cluster) const {
    const auto at = [&](std::int32_t y) { return BlockPos{p.x, y, p.z}; };
    const auto open =
        scan_column(region, p, search_range_, is_open, [](BlockState s) { return !is_open(s); });
    if (!open || (!open->floor && !open->ceiling)) return;
    const std::optional<std::int32_t> ceiling = open->ceiling;
    std::optional<std::int32_t> floor = open->floor;

    const bool wants_pool = random.next_float() < cluster.wetness;
    if (wants_pool && floor && holds_pool(region, at(*floor))) {
      region.set(at(*floor), blocks::kWater);
      floor = *floor - 1;
    }

    std::int32_t hanging = 0;
    const bool wants_stalactite = random.next_double() < chance;
    if (ceiling && wants_stalactite && !is_lava(region.get(at(*ceiling)))) {
      petrify_layer(region, at(*ceiling), layer_thickness_.sample(random), Direction::kUp);
      const std::int32_t room = floor ? std::min(cluster.height, *ceiling - *floor) : cluster.height;
      hanging = draw_height(random, from_centre, cluster.density, room);
    }
    std::int32_t standing = 0;
    const bool wants_stalagmite = random.next_double() < chance;
    if (floor && wants_stalagmite && !is_lava(region.get(at(*floor)))) {
      petrify_layer(region, at(*floor), layer_thickness_.sample(random), Direction::kDown);
      if (ceiling) {
        const std::int32_t difference =
            random.next_int_between(-max_height_difference_, max_height_difference_);
        standing = std::max(0, hanging + difference);
      } else {
        standing = draw_height(random, from_centre, cluster.density, cluster.height);
      }
    }

    // Where both would overlap, they meet somewhere between.
    if (ceiling && floor && *ceiling - hanging <= *floor + standing) {
      const std::int32_t lowest = std::max(*ceiling - hanging, *floor + 1);
      const std::int32_t highest = std::min(*floor + standing, *ceiling - 1);
      const std::int32_t meeting = random.next_int_between(lowest, highest + 1);
      hanging = *ceiling - meeting;
      standing = meeting - 1 - *floor;
    }
    const bool tips_meet = random.next_bool() && hanging > 0 && standing > 0 && ceiling && floor &&
                           hanging + standing == *ceiling - *floor - 1;
    if (ceiling) grow_pointed(region, at(*ceiling - 1), Direction::kDown, hanging, tips_meet);
    if (floor) grow_pointed(region, at(*floor + 1), Direction::kUp, standing, tips_meet);
  }

  std::int32_t draw_height(Random& random, std::int32_t from_centre, float density, std::int32_t max) const {
    if (random.next_float() > density) return 0;
    const auto mean = static_cast<float>(clamped_map(static_cast<double>(from_centre), 0.0, centre_distance_,
                                                     static_cast<double>(max) / 2.0, 0.0));
    const float value = mean + static_cast<float>(random.next_gaussian()) * height_deviation_;
    const auto limit = static_cast<float>(max);
    return static_cast<std::int32_t>(value < 0.0F ? 0.0F : std::min(value, limit));
  }

  static bool holds_pool(const Region& region, BlockPos p) {
    const BlockState s = region.get(p);
    if (is_water(s) || is(s, kDripstoneBlockId) || is(s, kPointedDripstoneId)) return false;
    if (region.fluid_at(above(p)) == Fluid::kWater) return false;
    const auto is_tight = [&](BlockPos beside) {
      const BlockState wall = region.get(beside);
      return base_stone().contains(wall) || fluid(wall) == Fluid::kWater;
    };
    return std::ranges::all_of(kHorizontal, [&](Direction d) { return is_tight(offset(p, d)); }) &&
           is_tight(below(p));
  }

  static void petrify_layer(Region& region, BlockPos p, std::int32_t thickness, Direction into) {
    for (std::int32_t i = 0; i < thickness && petrify(region, p); ++i) p = offset(p, into);
  }

  std::int32_t search_range_;
  IntProvider height_, radius_;
  std::int32_t max_height_difference_;
  float height_deviation_;
  IntProvider layer_thickness_;
  FloatProvider density_, wetness_;
  float chance_at_edge_, edge_distance_;
  double centre_distance_;
};

// --- Large ones ----------------------------------------------------------

/// Shifts blocks sideways, the more the farther they are from the height of the origin.
class Wind {
 public:
  Wind() = default;
  Wind(std::int32_t origin_y, Random& random, const FloatProvider& speeds)
      : is_blowing_(true), origin_y_(origin_y) {
    const float speed = speeds.sample(random);
    const float direction = random.next_float() * kPi;
    x_ = static_cast<double>(cosine(static_cast<double>(direction)) * speed);
    z_ = static_cast<double>(sine(static_cast<double>(direction)) * speed);
  }
  BlockPos shifted(BlockPos p) const {
    if (!is_blowing_) return p;
    const auto dy = static_cast<double>(origin_y_ - p.y);
    return offset(p, floor_int(x_ * dy), 0, floor_int(z_ * dy));
  }

 private:
  bool is_blowing_ = false;
  std::int32_t origin_y_ = 0;
  double x_ = 0, z_ = 0;
};

/// One half of a large dripstone: a cone with a hollow flank.
struct Cone {
  BlockPos root;
  Direction tip;
  std::int32_t radius;
  double bluntness, scale;

  std::int32_t height_at(float from_axis) const {
    constexpr double kCutoff = 0.384;
    const double distance = std::max(static_cast<double>(from_axis), bluntness);
    const double r = distance / static_cast<double>(radius) * kCutoff;
    const double rise = 0.75 * std::pow(r, 1.3333333333333333);
    const double fall = std::pow(r, 0.6666666666666666);
    const double bend = 0.3333333333333333 * std::log(r);
    const double height = std::max(scale * (rise - fall - bend), 0.0);
    return static_cast<std::int32_t>(height / kCutoff * static_cast<double>(radius));
  }

  /// Moves the root back into the rock until its rim is embedded; thinner when there is no such place.
  bool embed(const Region& region, const Wind& wind) {
    for (; radius > 1; radius /= 2) {
      BlockPos p = root;
      const std::int32_t tries = std::min(10, height_at(0.0F));
      for (std::int32_t i = 0; i < tries; ++i, p = offset(p, opposite(tip))) {
        if (is_lava(region.get(p))) return false;
        if (is_rim_embedded(region, wind.shifted(p))) {
          root = p;
          return true;
        }
      }
    }
    return false;
  }

  void place(Region& region, Random& random, const Wind& wind) const {
    for (std::int32_t dx = -radius; dx <= radius; ++dx) {
      for (std::int32_t dz = -radius; dz <= radius; ++dz) {
        const float from_axis = std::sqrt(static_cast<float>(dx * dx + dz * dz));
        if (from_axis > static_cast<float>(radius)) continue;
        std::int32_t height = height_at(from_axis);
        if (height <= 0) continue;
        if (static_cast<double>(random.next_float()) < 0.2) {
          const float share = random.next_float() * (1.0F - 0.8F) + 0.8F;
          height = static_cast<std::int32_t>(static_cast<float>(height) * share);
        }
        place_column(region, offset(root, dx, 0, dz), height, wind);
      }
    }
  }

 private:
  bool is_rim_embedded(const Region& region, BlockPos centre) const {
    if (is_open_or_lava(region.get(centre))) return false;
    const auto r = static_cast<float>(radius);
    const float increment = 6.0F / r;
    for (float angle = 0.0F; angle < kPi * 2.0F; angle += increment) {
      const auto dx = static_cast<std::int32_t>(cosine(static_cast<double>(angle)) * r);
      const auto dz = static_cast<std::int32_t>(sine(static_cast<double>(angle)) * r);
      if (is_open_or_lava(region.get(offset(centre, dx, 0, dz)))) return false;
    }
    return true;
  }

  void place_column(Region& region, BlockPos p, std::int32_t height, const Wind& wind) const {
    const bool is_rising = tip == Direction::kUp;
    // Stalagmites end at the surface.
    const std::int32_t end = is_rising ? region.height(HeightKind::kWorldSurfaceWg, p.x, p.z) : 0;
    bool was_outside = false;
    for (std::int32_t i = 0; i < height && (!is_rising || p.y < end); ++i, p = offset(p, tip)) {
      const BlockPos shifted = wind.shifted(p);
      const BlockState s = region.get(shifted);
      if (is_open_or_lava(s)) {
        was_outside = true;
        region.set(shifted, kDripstoneBlock);
      } else if (was_outside && base_stone().contains(s)) {
        return;
      }
    }
  }
};

class LargeDripstone final : public Feature {
 public:
  explicit LargeDripstone(const Json& config)
      : search_range_(int_or(config, "floor_to_ceiling_search_range", 30)),
        radius_(IntProvider::parse(field(config, "column_radius"))),
        height_scale_(FloatProvider::parse(field(config, "height_scale"))),
        radius_to_height_(float_field(config, "max_column_radius_to_cave_height_ratio")),
        stalactite_bluntness_(FloatProvider::parse(field(config, "stalactite_bluntness"))),
        stalagmite_bluntness_(FloatProvider::parse(field(config, "stalagmite_bluntness"))),
        wind_speed_(FloatProvider::parse(field(config, "wind_speed"))),
        min_radius_for_wind_(integer(config, "min_radius_for_wind")),
        min_bluntness_for_wind_(static_cast<double>(float_field(config, "min_bluntness_for_wind"))) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    const auto open = scan_column(region, origin, search_range_, is_open,
                                  [](BlockState s) { return is_base(s) || is_lava(s); });
    if (!open || !open->floor || !open->ceiling) return false;
    const std::int32_t room = *open->ceiling - *open->floor - 1;
    if (room < 4) return false;

    const auto by_room = static_cast<std::int32_t>(static_cast<float>(room) * radius_to_height_);
    const std::int32_t max_radius = std::min(std::max(by_room, radius_.min()), radius_.max());
    const std::int32_t radius = random.next_int_between(radius_.min(), max_radius);
    Cone stalactite = make_cone({origin.x, *open->ceiling - 1, origin.z}, Direction::kDown, random, radius,
                                stalactite_bluntness_);
    Cone stalagmite = make_cone({origin.x, *open->floor + 1, origin.z}, Direction::kUp, random, radius,
                                stalagmite_bluntness_);
    Wind wind;
    if (bends(stalactite) && bends(stalagmite)) wind = Wind(origin.y, random, wind_speed_);
    // Both search their place before either changes the world.
    const bool has_stalactite = stalactite.embed(region, wind);
    const bool has_stalagmite = stalagmite.embed(region, wind);
    if (has_stalactite) stalactite.place(region, random, wind);
    if (has_stalagmite) stalagmite.place(region, random, wind);
    return true;
  }

 private:
  Cone make_cone(BlockPos root, Direction tip, Random& random, std::int32_t radius,
                 const FloatProvider& bluntnesses) const {
    const auto bluntness = static_cast<double>(bluntnesses.sample(random));
    const auto scale = static_cast<double>(height_scale_.sample(random));
    return {.root = root, .tip = tip, .radius = radius, .bluntness = bluntness, .scale = scale};
  }
  bool bends(const Cone& cone) const {
    return cone.radius >= min_radius_for_wind_ && cone.bluntness >= min_bluntness_for_wind_;
  }

  std::int32_t search_range_;
  IntProvider radius_;
  FloatProvider height_scale_;
  float radius_to_height_;
  FloatProvider stalactite_bluntness_, stalagmite_bluntness_, wind_speed_;
  std::int32_t min_radius_for_wind_;
  double min_bluntness_for_wind_;
};

// --- Single ones ---------------------------------------------------------

class PointedDripstone final : public Feature {
 public:
  explicit PointedDripstone(const Json& config)
      : taller_(float_or(config, "chance_of_taller_dripstone", 0.2F)),
        spread_(float_or(config, "chance_of_directional_spread", 0.7F)),
        spread_2_(float_or(config, "chance_of_spread_radius2", 0.5F)),
        spread_3_(float_or(config, "chance_of_spread_radius3", 0.5F)) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    const bool can_hang = is_base(region.get(above(origin)));
    const bool can_stand = is_base(region.get(below(origin)));
    if (!can_hang && !can_stand) return false;
    Direction tip = can_hang ? Direction::kDown : Direction::kUp;
    if (can_hang && can_stand) tip = random.next_bool() ? Direction::kDown : Direction::kUp;

    petrify_around(region, random, offset(origin, opposite(tip)));
    const bool is_taller = random.next_float() < taller_ && is_open(region.get(offset(origin, tip)));
    grow_pointed(region, origin, tip, is_taller ? 2 : 1, false);
    return true;
  }

 private:
  void petrify_around(Region& region, Random& random, BlockPos root) const {
    petrify(region, root);
    for (const Direction d : kHorizontal) {
      if (random.next_float() > spread_) continue;
      BlockPos p = offset(root, d);
      petrify(region, p);
      for (const float chance : {spread_2_, spread_3_}) {
        if (random.next_float() > chance) break;
        p = offset(p, kDirections[static_cast<std::size_t>(random.next_int(6))]);
        petrify(region, p);
      }
    }
  }

  float taller_, spread_, spread_2_, spread_3_;
};

}  // namespace

void add_dripstone(FeatureFactories& factories) {
  factories["dripstone_cluster"] = factory<DripstoneCluster>();
  factories["large_dripstone"] = factory<LargeDripstone>();
  factories["pointed_dripstone"] = factory<PointedDripstone>();
}

}  // namespace horizon::worldgen::underground
