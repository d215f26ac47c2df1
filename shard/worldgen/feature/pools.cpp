#include <algorithm>
#include <array>
#include <bitset>

#include "shard/worldgen/base/biome_climate.hpp"
#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/feature/underground.hpp"

namespace horizon::worldgen::underground {

namespace {

/// Replaces the ground in a flat cylinder.
class Disk final : public Feature {
 public:
  explicit Disk(const Json& config)
      : provider_(StateProvider::parse(field(config, "state_provider"))),
        target_(BlockPredicate::parse(field(config, "target"))),
        radius_(IntProvider::parse(field(config, "radius"))),
        half_height_(integer(config, "half_height")) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    const std::int32_t r = radius_.sample(random);
    bool placed = false;
    for (std::int32_t dz = -r; dz <= r; ++dz) {
      for (std::int32_t dx = -r; dx <= r; ++dx) {
        if (dx * dx + dz * dz > r * r) continue;
        placed |= place_column(context.region, random, offset(origin, dx, 0, dz));
      }
    }
    return placed;
  }

 private:
  bool place_column(Region& region, Random& random, BlockPos middle) const {
    bool placed = false, placed_above = false;
    for (std::int32_t dy = half_height_; dy >= -half_height_; --dy) {
      const BlockPos p = above(middle, dy);
      if (!target_->test(region, p)) {
        placed_above = false;
        continue;
      }
      const std::optional<BlockState> s = provider_->get_optional(region, random, p);
      if (!s) continue;
      region.set(p, *s);
      if (!placed_above) mark_above(region, p);
      placed = placed_above = true;
    }
    return placed;
  }

  std::shared_ptr<const StateProvider> provider_;
  std::shared_ptr<const BlockPredicate> target_;
  IntProvider radius_;
  std::int32_t half_height_;
};

/// A cave of a few ellipsoids, its lower half filled.
class Lake final : public Feature {
 public:
  explicit Lake(const Json& config)
      : fluid_(StateProvider::parse(field(config, "fluid"))),
        barrier_(StateProvider::parse(field(config, "barrier"))),
        kept_(BlockSet::tag("features_cannot_replace")),
        kept_stone_(BlockSet::tag("lava_pool_stone_cannot_replace")),
        liquids_(BlockSet::of({"water", "lava", "bubble_column"})) {}

  bool place(PlaceContext& context, Random& random, BlockPos p) const override {
    Region& region = context.region;
    if (p.y <= region.min_y() + 4) return false;
    const BlockPos origin = offset(p, -8, -4, -8);
    Hollow hollow;
    const std::int32_t count = random.next_int(4) + 4;
    for (std::int32_t i = 0; i < count; ++i) dig(hollow, random);

    const BlockState liquid = fluid_->get(region, random, origin);
    if (!is_closed(region, origin, hollow, liquid)) return false;
    fill(region, origin, hollow, liquid);
    const BlockState wall = barrier_->get(region, random, origin);
    if (!game::is_air(wall)) line(region, random, origin, hollow, wall);
    if (fluid(liquid) == Fluid::kWater) freeze(region, origin);
    return true;
  }

 private:
  static constexpr std::int32_t kSide = 16, kHeight = 8, kSurface = 4;
  static constexpr std::size_t kCells = kSide * kSide * kHeight;
  using Hollow = std::bitset<kCells>;

  static std::size_t cell(std::int32_t x, std::int32_t y, std::int32_t z) {
    return static_cast<std::size_t>((x * kSide + z) * kHeight + y);
  }
  /// x slowest, then z, then y.
  template <typename Visit>
  static bool all_cells(Visit&& visit) {
    for (std::int32_t x = 0; x < kSide; ++x) {
      for (std::int32_t z = 0; z < kSide; ++z) {
        for (std::int32_t y = 0; y < kHeight; ++y) {
          if (!visit(x, y, z)) return false;
        }
      }
    }
    return true;
  }
  static bool is_wall(const Hollow& hollow, std::int32_t x, std::int32_t y, std::int32_t z) {
    if (hollow[cell(x, y, z)]) return false;
    return (x < kSide - 1 && hollow[cell(x + 1, y, z)]) || (x > 0 && hollow[cell(x - 1, y, z)]) ||
           (z < kSide - 1 && hollow[cell(x, y, z + 1)]) || (z > 0 && hollow[cell(x, y, z - 1)]) ||
           (y < kHeight - 1 && hollow[cell(x, y + 1, z)]) || (y > 0 && hollow[cell(x, y - 1, z)]);
  }

  static void dig(Hollow& hollow, Random& random) {
    const double x_size = random.next_double() * 6.0 + 3.0;
    const double y_size = random.next_double() * 4.0 + 2.0;
    const double z_size = random.next_double() * 6.0 + 3.0;
    const double x_middle = random.next_double() * (16.0 - x_size - 2.0) + 1.0 + x_size / 2.0;
    const double y_middle = random.next_double() * (8.0 - y_size - 4.0) + 2.0 + y_size / 2.0;
    const double z_middle = random.next_double() * (16.0 - z_size - 2.0) + 1.0 + z_size / 2.0;
    for (std::int32_t x = 1; x < kSide - 1; ++x) {
      const double xd = (static_cast<double>(x) - x_middle) / (x_size / 2.0);
      for (std::int32_t z = 1; z < kSide - 1; ++z) {
        const double zd = (static_cast<double>(z) - z_middle) / (z_size / 2.0);
        for (std::int32_t y = 1; y < kHeight - 1; ++y) {
          const double yd = (static_cast<double>(y) - y_middle) / (y_size / 2.0);
          if (xd * xd + yd * yd + zd * zd < 1.0) hollow.set(cell(x, y, z));
        }
      }
    }
  }

  /// Nothing may flow in above the surface or out below it.
  bool is_closed(const Region& region, BlockPos origin, const Hollow& hollow, BlockState liquid) const {
    return all_cells([&](std::int32_t x, std::int32_t y, std::int32_t z) {
      if (!is_wall(hollow, x, y, z)) return true;
      const BlockState s = region.get(offset(origin, x, y, z));
      return y >= kSurface ? !liquids_.contains(s) : is_solid(s) || s == liquid;
    });
  }

  void fill(Region& region, BlockPos origin, const Hollow& hollow, BlockState liquid) const {
    all_cells([&](std::int32_t x, std::int32_t y, std::int32_t z) {
      const BlockPos p = offset(origin, x, y, z);
      if (!hollow[cell(x, y, z)] || kept_.contains(region.get(p))) return true;
      if (y < kSurface) {
        region.set(p, liquid);
      } else {
        region.set(p, blocks::kCaveAir);
        mark_above(region, p);
      }
      return true;
    });
  }

  void line(Region& region, Random& random, BlockPos origin, const Hollow& hollow, BlockState wall) const {
    all_cells([&](std::int32_t x, std::int32_t y, std::int32_t z) {
      if (!is_wall(hollow, x, y, z)) return true;
      if (y >= kSurface && random.next_int(2) == 0) return true;
      const BlockPos p = offset(origin, x, y, z);
      const BlockState s = region.get(p);
      if (is_solid(s) && !kept_stone_.contains(s)) {
        region.set(p, wall);
        mark_above(region, p);
      }
      return true;
    });
  }

  void freeze(Region& region, BlockPos origin) const {
    const BiomeClimates& climates = builtin_climates();
    for (std::int32_t x = 0; x < kSide; ++x) {
      for (std::int32_t z = 0; z < kSide; ++z) {
        const BlockPos p = offset(origin, x, kSurface, z);
        if (climates.should_freeze(region, p, false)) set_unless(region, p, blocks::kIce, kept_);
      }
    }
  }

  std::shared_ptr<const StateProvider> fluid_, barrier_;
  BlockSet kept_, kept_stone_, liquids_;
};

/// A single block of fluid in a wall.
class Spring final : public Feature {
 public:
  explicit Spring(const Json& config)
      : state_(parse_fluid(field(config, "state"))),
        needs_ground_(bool_or(config, "requires_block_below", true)),
        rocks_(int_or(config, "rock_count", 4)),
        holes_(int_or(config, "hole_count", 1)),
        rock_(BlockSet::parse(field(config, "valid_blocks"))) {}

  bool place(PlaceContext& context, Random&, BlockPos p) const override {
    Region& region = context.region;
    if (!rock_.contains(region.get(above(p)))) return false;
    if (needs_ground_ && !rock_.contains(region.get(below(p)))) return false;
    const BlockState here = region.get(p);
    if (!game::is_air(here) && !rock_.contains(here)) return false;

    std::int32_t rocks = 0, holes = 0;
    for (const Direction d :
         {Direction::kWest, Direction::kEast, Direction::kNorth, Direction::kSouth, Direction::kDown}) {
      const BlockState s = region.get(offset(p, d));
      rocks += rock_.contains(s) ? 1 : 0;
      holes += game::is_air(s) ? 1 : 0;
    }
    if (rocks != rocks_ || holes != holes_) return false;
    region.set(p, state_);
    region.mark_for_post_processing(p);  // it begins to flow when the chunk comes to life
    return true;
  }

 private:
  /// The block of a fluid's state: the level counts down from the source, with 8 more for falling.
  static BlockState parse_fluid(const Json& json) {
    const std::string_view fluid_name = without_minecraft(text(json, "Name"));
    if (fluid_name == "water") return blocks::kWater;
    if (fluid_name == "lava") return blocks::kLava;
    if (fluid_name == "empty") return blocks::kAir;
    if (fluid_name != "flowing_water" && fluid_name != "flowing_lava") {
      throw FigureError("no fluid is named \"" + std::string(fluid_name) + "\"");
    }
    std::int32_t amount = 1;
    bool is_falling = false;
    if (const auto properties = json.find("Properties"); properties != json.end()) {
      if (properties->contains("falling")) is_falling = text(*properties, "falling") == "true";
      if (properties->contains("level")) {
        const std::string& level = text(*properties, "level");
        if (level.size() != 1 || level[0] < '1' || level[0] > '8')
          throw FigureError("a fluid's level is 1 to 8");
        amount = level[0] - '0';
      }
    }
    const BlockState source = fluid_name == "flowing_water" ? blocks::kWater : blocks::kLava;
    return with_int(source, properties::kLevel, 8 - amount + (is_falling ? 8 : 0));
  }

  BlockState state_;
  bool needs_ground_;
  std::int32_t rocks_, holes_;
  BlockSet rock_;
};

/// Magma in the floor of water, where no side of it shows but the upper one.
class UnderwaterMagma final : public Feature {
 public:
  explicit UnderwaterMagma(const Json& config)
      : search_range_(integer(config, "floor_search_range")),
        radius_(integer(config, "placement_radius_around_floor")),
        chance_(float_field(config, "placement_probability_per_valid_position")),
        magma_(state("magma_block")),
        partly_opaque_(BlockSet::of({"dirt_path", "farmland"})) {
    for (const std::string_view tag : {"slabs", "stairs"}) {
      for (const BlockId b : BlockSet::tag(tag).blocks()) partly_opaque_.insert(b);
    }
  }

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    const auto column =
        scan_column(region, origin, search_range_, is_water, [](BlockState s) { return !is_water(s); });
    if (!column || !column->floor) return false;
    const BlockPos middle{origin.x, *column->floor, origin.z};
    bool placed = false;
    for_each_in_box(offset(middle, -radius_, -radius_, -radius_), offset(middle, radius_, radius_, radius_),
                    [&](BlockPos p) {
                      if (!(random.next_float() < chance_) || !is_enclosed(region, p)) return;
                      region.set(p, magma_);
                      region.mark_for_post_processing(above(p));  // bubbles rise from it
                      placed = true;
                    });
    return placed;
  }

 private:
  bool is_enclosed(const Region& region, BlockPos p) const {
    if (is_air_or_water(region.get(p)) || !shuts(region, below(p), Direction::kUp)) return false;
    return std::ranges::all_of(kHorizontal,
                               [&](Direction d) { return shuts(region, offset(p, d), opposite(d)); });
  }
  bool shuts(const Region& region, BlockPos p, Direction face) const {
    const BlockState s = region.get(p);
    return is_solid_render(s) || (partly_opaque_.contains(s) && is_face_sturdy(s, face));
  }

  std::int32_t search_range_, radius_;
  float chance_;
  BlockState magma_;
  BlockSet partly_opaque_;
};

}  // namespace

void add_pools(FeatureFactories& factories) {
  factories["disk"] = factory<Disk>();
  factories["lake"] = factory<Lake>();
  factories["spring_feature"] = factory<Spring>();
  factories["underwater_magma"] = factory<UnderwaterMagma>();
}

}  // namespace horizon::worldgen::underground
