#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/feature/underground.hpp"

namespace horizon::worldgen::underground {

namespace {

const BlockState kSnowBlock = state("snow_block"), kBlueIce = state("blue_ice");
const BlockId kSnowBlockId = block("snow_block"), kSnowId = block("snow"), kIceId = block("ice"),
              kPackedIceId = block("packed_ice"), kBlueIceId = block("blue_ice");

std::int32_t ceil_int(float x) { return static_cast<std::int32_t>(std::ceil(x)); }
constexpr double square(double x) { return x * x; }
constexpr float square(std::int32_t x) { return static_cast<float>(square(static_cast<double>(x))); }

bool is_berg(BlockState s) { return is(s, kPackedIceId) || is(s, kSnowBlockId) || is(s, kBlueIceId); }

// --- Radii by height -----------------------------------------------------

std::int32_t round_radius(Random& random, std::int32_t y, std::int32_t height, std::int32_t width) {
  const float k = 3.5F - random.next_float();
  const auto h = static_cast<float>(height), w = static_cast<float>(width);
  float scale = (1.0F - square(y) / (h * k)) * w;
  if (height > 15 + random.next_int(5)) {
    const std::int32_t flattened = y < 3 + random.next_int(6) ? y / 2 : y;
    scale = (1.0F - static_cast<float>(flattened) / (h * k * 0.4F)) * w;
  }
  return ceil_int(scale / 2.0F);
}

std::int32_t ellipse_radius(std::int32_t y, std::int32_t height, std::int32_t width) {
  const float scale = (1.0F - square(y) / static_cast<float>(height)) * static_cast<float>(width);
  return ceil_int(scale / 2.0F);
}

std::int32_t steep_radius(Random& random, std::int32_t depth, std::int32_t height, std::int32_t width) {
  const float k = 1.0F + random.next_float() / 2.0F;
  const float scale =
      (1.0F - static_cast<float>(depth) / (static_cast<float>(height) * k)) * static_cast<float>(width);
  return ceil_int(scale / 2.0F);
}

/// A turned ellipse; values below 0 are inside.
struct Ellipse {
  explicit Ellipse(double angle) : cos(std::cos(angle)), sin(std::sin(angle)) {}
  double distance(std::int32_t x, std::int32_t z, std::int32_t a, std::int32_t c) const {
    const auto dx = static_cast<double>(x), dz = static_cast<double>(z);
    return square((dx * cos - dz * sin) / static_cast<double>(a)) +
           square((dx * sin + dz * cos) / static_cast<double>(c)) - 1.0;
  }
  double cos, sin;
};

// --- Icebergs ------------------------------------------------------------

class Iceberg final : public Feature {
 public:
  explicit Iceberg(const Json& config) : state_(parse_state(field(config, "state"))) {}

  bool place(PlaceContext& context, Random& random, BlockPos p) const override {
    Berg berg{context.region, random, {p.x, context.region.sea_level(), p.z}, state_};
    berg.make();
    return true;
  }

 private:
  /// One iceberg in the making.
  struct Berg {
    Region& region;
    Random& random;
    BlockPos origin;
    BlockState ice;

    bool has_snow = false, is_ellipse = false;
    double angle = 0;
    std::int32_t ellipse_a = 0, ellipse_c = 0;
    std::int32_t height = 0, width = 0;

    void make() {
      has_snow = random.next_double() > 0.7;
      angle = random.next_double() * 2.0 * std::numbers::pi;
      ellipse_a = 11 - random.next_int(5);
      ellipse_c = 3 + random.next_int(3);
      is_ellipse = random.next_double() > 0.7;
      height = is_ellipse ? random.next_int(6) + 6 : random.next_int(15) + 3;
      if (!is_ellipse && random.next_double() > 0.9) height += random.next_int(19) + 7;
      const std::int32_t depth = std::min(height + random.next_int(11), 18);
      const std::int32_t broad = height + random.next_int(7);
      width = std::min(broad - random.next_int(5), 11);

      const Ellipse ellipse(angle);
      build_top(ellipse);
      smooth();
      build_bottom(ellipse, depth);
      const bool has_cut = is_ellipse ? random.next_double() > 0.1 : random.next_double() > 0.7;
      if (has_cut) cut();
    }

    std::int32_t reach() const { return is_ellipse ? ellipse_a : 11; }

    void build_top(const Ellipse& ellipse) {
      const std::int32_t a = reach();
      for (std::int32_t x = -a; x < a; ++x) {
        for (std::int32_t z = -a; z < a; ++z) {
          for (std::int32_t y = 0; y < height; ++y) {
            const std::int32_t radius =
                is_ellipse ? ellipse_radius(y, height, width) : round_radius(random, y, height, width);
            if (is_ellipse || x < radius) place_block(ellipse, x, y, z, height, radius, a);
          }
        }
      }
    }

    void build_bottom(const Ellipse& ellipse, std::int32_t depth) {
      const std::int32_t a = reach();
      for (std::int32_t x = -a; x < a; ++x) {
        for (std::int32_t z = -a; z < a; ++z) {
          for (std::int32_t y = -1; y > -depth; --y) {
            const std::int32_t narrowed =
                is_ellipse ? ceil_int(static_cast<float>(a) *
                                      (1.0F - square(y) / (static_cast<float>(depth) * 8.0F)))
                           : a;
            const std::int32_t radius = steep_radius(random, -y, depth, width);
            if (x < radius) place_block(ellipse, x, y, z, depth, radius, narrowed);
          }
        }
      }
    }

    void place_block(const Ellipse& ellipse, std::int32_t x, std::int32_t y, std::int32_t z,
                     std::int32_t full_height, std::int32_t radius, std::int32_t a) {
      double distance = 0;
      if (is_ellipse) {
        std::int32_t c = ellipse_c;
        if (y > 0 && full_height - y <= 3) c -= 4 - (full_height - y);
        distance = ellipse.distance(x, z, a, c);
      } else {
        const float frayed = 10.0F * std::clamp(random.next_float(), 0.2F, 0.8F) / static_cast<float>(radius);
        distance = static_cast<double>(frayed) + square(static_cast<double>(x)) +
                   square(static_cast<double>(z)) - square(static_cast<double>(radius));
      }
      if (!(distance < 0.0)) return;
      // The rim has gaps.
      const double rim = is_ellipse ? -0.5 : static_cast<double>(-6 - random.next_int(3));
      if (distance > rim && random.next_double() > 0.9) return;
      set_block(offset(origin, x, y, z), full_height - y, full_height);
    }

    void set_block(BlockPos p, std::int32_t below_top, std::int32_t full_height) {
      const BlockState old = region.get(p);
      if (!game::is_air(old) && !is(old, kSnowBlockId) && !is(old, kIceId) && !is_water(old)) return;
      const bool may_be_snow = !is_ellipse || random.next_double() > 0.05;
      BlockState s = ice;
      if (has_snow && !is_water(old)) {
        const std::int32_t jitter = random.next_int(std::max(1, full_height / (is_ellipse ? 3 : 2)));
        const double limit = static_cast<double>(jitter) + static_cast<double>(full_height) * 0.6;
        if (static_cast<double>(below_top) <= limit && may_be_snow) s = kSnowBlock;
      }
      region.set(p, s);
    }

    /// Takes away what hangs in the air or stands out.
    void smooth() {
      const std::int32_t a = is_ellipse ? ellipse_a : width / 2;
      for (std::int32_t x = -a; x <= a; ++x) {
        for (std::int32_t z = -a; z <= a; ++z) {
          for (std::int32_t y = 0; y <= height; ++y) {
            const BlockPos p = offset(origin, x, y, z);
            const BlockState s = region.get(p);
            if (!is_berg(s) && !is(s, kSnowId)) continue;
            if (region.is_air(below(p))) {
              region.set(p, blocks::kAir);
              region.set(above(p), blocks::kAir);
            } else if (is_berg(s)) {
              const auto bare = std::ranges::count_if(
                  kHorizontal, [&](Direction d) { return !is_berg(region.get(offset(p, d))); });
              if (bare >= 3) region.set(p, blocks::kAir);
            }
          }
        }
      }
    }

    std::int32_t cut_offset() {
      const std::int32_t half = width / 2;
      const std::int32_t near = random.next_int(std::max(half - 2, 1));
      if (!random.next_bool()) return near;
      return half + 1 - random.next_int(std::max(width - half - 1, 1));
    }

    void cut() {
      const std::int32_t sign_x = random.next_bool() ? -1 : 1;
      const std::int32_t sign_z = random.next_bool() ? -1 : 1;
      std::int32_t x = cut_offset();
      std::int32_t z = cut_offset();
      if (is_ellipse) x = z = random.next_int(std::max(ellipse_a - 5, 1));
      const BlockPos centre{sign_x * x, 0, sign_z * z};
      const Ellipse ellipse(is_ellipse ? angle + std::numbers::pi / 2.0
                                       : random.next_double() * 2.0 * std::numbers::pi);

      for (std::int32_t y = 0; y < height - 3; ++y) {
        carve(ellipse, centre, round_radius(random, y, height, width), y);
      }
      // The lower end is drawn again at every step.
      for (std::int32_t y = -1; y > -height + random.next_int(5); --y) {
        carve(ellipse, centre, steep_radius(random, -y, height, width), y);
      }
    }

    void carve(const Ellipse& ellipse, BlockPos centre, std::int32_t radius, std::int32_t y) {
      const std::int32_t a = radius + 1 + ellipse_a / 3;
      const std::int32_t c = std::min(radius - 3, 3) + ellipse_c / 2 - 1;
      for (std::int32_t x = -a; x < a; ++x) {
        for (std::int32_t z = -a; z < a; ++z) {
          if (!(ellipse.distance(x - centre.x, z - centre.z, a, c) < 0.0)) continue;
          const BlockPos p = offset(origin, x, y, z);
          if (!is_berg(region.get(p))) continue;
          if (y < 0) {
            region.set(p, blocks::kWater);
            continue;
          }
          region.set(p, blocks::kAir);
          if (is(region.get(above(p)), kSnowId)) region.set(above(p), blocks::kAir);
        }
      }
    }
  };

  BlockState state_;
};

/// Grows from packed ice under water.
class BlueIce final : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    if (origin.y > region.sea_level() - 1) return false;
    if (!is_water(region.get(origin)) && !is_water(region.get(below(origin)))) return false;
    const bool has_root = std::ranges::any_of(kDirections, [&](Direction d) {
      return d != Direction::kDown && is(region.get(offset(origin, d)), kPackedIceId);
    });
    if (!has_root) return false;

    region.set(origin, kBlueIce);
    for (std::int32_t i = 0; i < 200; ++i) {
      const std::int32_t up = random.next_int(5);
      const std::int32_t dy = up - random.next_int(6);
      const std::int32_t spread = dy < 2 ? 3 + dy / 2 : 3;
      if (spread < 1) continue;
      const std::int32_t east = random.next_int(spread);
      const std::int32_t dx = east - random.next_int(spread);
      const std::int32_t south = random.next_int(spread);
      const std::int32_t dz = south - random.next_int(spread);
      const BlockPos p = offset(origin, dx, dy, dz);
      const BlockState s = region.get(p);
      if (!is_air_or_water(s) && !is(s, kPackedIceId) && !is(s, kIceId)) continue;
      const bool touches = std::ranges::any_of(
          kDirections, [&](Direction d) { return is(region.get(offset(p, d)), kBlueIceId); });
      if (touches) region.set(p, kBlueIce);
    }
    return true;
  }
};

/// A needle of ice with as much below as above, and a root down to firm ground.
class Spike final : public Feature {
 public:
  explicit Spike(const Json& config)
      : state_(parse_state(field(config, "state"))),
        ground_(BlockPredicate::parse(field(config, "can_place_on"))),
        replaceable_(BlockPredicate::parse(field(config, "can_replace"))) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    while (region.is_air(origin) && origin.y > region.min_y() + 2) --origin.y;
    if (!ground_->test(region, origin)) return false;

    origin.y += random.next_int(4);
    const std::int32_t height = random.next_int(4) + 7;
    const std::int32_t width = height / 4 + random.next_int(2);
    if (width > 1 && random.next_int(60) == 0) origin.y += 10 + random.next_int(30);
    build_needle(region, random, origin, height, width);
    build_root(region, random, origin, std::clamp(width - 1, 0, 1));
    return true;
  }

 private:
  bool gives_way(const Region& region, BlockPos p) const {
    return region.is_air(p) || replaceable_->test(region, p);
  }

  void build_needle(Region& region, Random& random, BlockPos origin, std::int32_t height,
                    std::int32_t width) const {
    for (std::int32_t y = 0; y < height; ++y) {
      const float scale =
          (1.0F - static_cast<float>(y) / static_cast<float>(height)) * static_cast<float>(width);
      const std::int32_t w = ceil_int(scale);
      for (std::int32_t x = -w; x <= w; ++x) {
        const float dx = static_cast<float>(std::abs(x)) - 0.25F;
        for (std::int32_t z = -w; z <= w; ++z) {
          const float dz = static_cast<float>(std::abs(z)) - 0.25F;
          if ((x != 0 || z != 0) && dx * dx + dz * dz > scale * scale) continue;
          const bool is_rim = std::abs(x) == w || std::abs(z) == w;
          if (is_rim && random.next_float() > 0.75F) continue;
          const BlockPos upper = offset(origin, x, y, z);
          if (gives_way(region, upper)) region.set(upper, state_);
          if (y == 0 || w <= 1) continue;
          const BlockPos lower = offset(origin, x, -y, z);
          if (gives_way(region, lower)) region.set(lower, state_);
        }
      }
    }
  }

  void build_root(Region& region, Random& random, BlockPos origin, std::int32_t width) const {
    for (std::int32_t x = -width; x <= width; ++x) {
      for (std::int32_t z = -width; z <= width; ++z) {
        BlockPos p = offset(origin, x, -1, z);
        // Corners come in short runs with gaps.
        std::int32_t run = std::abs(x) == 1 && std::abs(z) == 1 ? random.next_int(5) : 50;
        while (p.y > 50) {
          if (!gives_way(region, p) && region.get(p) != state_) break;
          region.set(p, state_);
          --p.y;
          if (--run > 0) continue;
          p.y -= random.next_int(5) + 1;
          run = random.next_int(5);
        }
      }
    }
  }

  BlockState state_;
  std::shared_ptr<const BlockPredicate> ground_, replaceable_;
};

}  // namespace

void add_ice(FeatureFactories& factories) {
  factories["iceberg"] = factory<Iceberg>();
  factories["blue_ice"] = factory<BlueIce>();
  factories["spike"] = factory<Spike>();
}

}  // namespace horizon::worldgen::underground
