#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "shard/worldgen/feature/underground.hpp"
#include "shard/worldgen/terrain/math.hpp"
#include "shard/worldgen/terrain/sine.hpp"

namespace horizon::worldgen::underground {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr std::int32_t kMaxSize = 64;

/// Which blocks an ore replaces, and by what.
class OreRules {
 public:
  explicit OreRules(const Json& config)
      : size(integer(config, "size")), discard_(float_field(config, "discard_chance_on_air_exposure")) {
    if (size < 0 || size > kMaxSize) throw FigureError("\"size\" of an ore must be 0 to 64");
    const Json& list = field(config, "targets");
    if (!list.is_array()) throw FigureError("\"targets\" of an ore must be a list");
    for (const Json& entry : list) {
      targets_.push_back({RuleTest::parse(field(entry, "target")), parse_state(field(entry, "state"))});
    }
  }

  /// The ore for the block `s` at `p`, if any.
  std::optional<BlockState> replacement(const Region& region, Random& random, BlockPos p,
                                        BlockState s) const {
    for (const Target& target : targets_) {
      if (!target.test.test(s, random)) continue;
      if (ignores_air(random) || !touches_air(region, p)) return target.state;
    }
    return std::nullopt;
  }

  std::int32_t size;

 private:
  struct Target {
    RuleTest test;
    BlockState state;
  };

  bool ignores_air(Random& random) const {
    if (discard_ <= 0) return true;
    if (discard_ >= 1) return false;
    return random.next_float() >= discard_;
  }
  static bool touches_air(const Region& region, BlockPos p) {
    return std::ranges::any_of(kDirections, [&](Direction d) { return region.is_air(offset(p, d)); });
  }

  float discard_;
  std::vector<Target> targets_;
};

/// A string of balls along a slanted line, merged into one blob.
class Ore final : public Feature {
 public:
  explicit Ore(const Json& config) : rules_(config) {
    const auto size = static_cast<float>(rules_.size);
    spread_ = size / 8.0F;
    max_radius_ = static_cast<std::int32_t>(std::ceil((size / 16.0F * 2.0F + 1.0F) / 2.0F));
    reach_ = static_cast<std::int32_t>(std::ceil(spread_)) + max_radius_;
    for (std::int32_t i = 0; i < rules_.size; ++i) {
      const float step = static_cast<float>(i) / size;
      const float swell = sine(static_cast<double>(kPi * step)) + 1.0F;
      along_.push_back({static_cast<double>(step), static_cast<double>(swell)});
    }
  }

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    const auto angle = static_cast<double>(random.next_float() * kPi);
    const double dx = std::sin(angle) * static_cast<double>(spread_);
    const double dz = std::cos(angle) * static_cast<double>(spread_);
    const std::int32_t first_y = origin.y + random.next_int(3) - 2;
    const std::int32_t last_y = origin.y + random.next_int(3) - 2;

    const BlockPos corner{origin.x - reach_, origin.y - 2 - max_radius_, origin.z - reach_};
    if (!reaches_ground(context.region, corner)) return false;
    const Line line{{static_cast<double>(origin.x) + dx, static_cast<double>(first_y),
                     static_cast<double>(origin.z) + dz},
                    {static_cast<double>(origin.x) - dx, static_cast<double>(last_y),
                     static_cast<double>(origin.z) - dz}};
    std::array<Ball, kMaxSize> balls;
    make_balls(balls, line, random);
    return fill(context.region, random, balls, corner) > 0;
  }

 private:
  struct Line {
    Vec3 from, to;
  };
  struct Ball {
    double x, y, z, radius;  ///< a negative radius: swallowed by another ball
  };
  /// What is the same for the i-th ball of every placement.
  struct Along {
    double step, swell;
  };

  /// Squares of distances over the radius, along one axis of a ball.
  using Squares = std::array<double, 16>;
  /// The game numbers tested blocks with the box's lengths without its last layers, so numbers at the far
  /// sides may coincide; the bits here are as many as that can give.
  static constexpr std::size_t kMaxWords = 160;
  using Tested = std::array<std::uint64_t, kMaxWords>;

  /// High above the ground, nothing could be replaced.
  bool reaches_ground(const Region& region, BlockPos corner) const {
    for (std::int32_t x = corner.x; x <= corner.x + 2 * reach_; ++x) {
      for (std::int32_t z = corner.z; z <= corner.z + 2 * reach_; ++z) {
        if (corner.y <= region.height(HeightKind::kOceanFloorWg, x, z)) return true;
      }
    }
    return false;
  }

  void make_balls(std::array<Ball, kMaxSize>& balls, const Line& line, Random& random) const {
    const std::size_t n = along_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const auto [step, swell] = along_[i];
      const double scale = random.next_double() * static_cast<double>(rules_.size) / 16.0;
      balls[i] = {lerp(step, line.from.x, line.to.x), lerp(step, line.from.y, line.to.y),
                  lerp(step, line.from.z, line.to.z), (swell * scale + 1.0) / 2.0};
    }
    for (std::size_t i = 0; i + 1 < n; ++i) {
      Ball& a = balls[i];
      for (std::size_t k = i + 1; k < n && a.radius > 0; ++k) {
        Ball& b = balls[k];
        if (b.radius <= 0) continue;
        const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, r = a.radius - b.radius;
        if (r * r > x * x + y * y + z * z) (r > 0 ? b : a).radius = -1;
      }
    }
  }

  static void square_distances(Squares& squares, std::int32_t min, std::int32_t max, double centre,
                               double radius) {
    for (std::int32_t i = min; i <= max; ++i) {
      const double d = (static_cast<double>(i) + 0.5 - centre) / radius;
      squares[static_cast<std::size_t>(i - min)] = d * d;
    }
  }

  std::int32_t fill(Region& region, Random& random, const std::array<Ball, kMaxSize>& balls,
                    BlockPos corner) const {
    const std::int32_t side = 2 * reach_, height = 2 * (2 + max_radius_);
    Tested tested;
    const auto words = static_cast<std::size_t>((side + side * height + side * side * height) / 64 + 1);
    std::fill_n(tested.begin(), words, 0);

    std::int32_t placed = 0;
    Squares y_squares, z_squares;
    for (std::size_t i = 0; i < along_.size(); ++i) {
      const Ball& ball = balls[i];
      if (ball.radius < 0) continue;
      const std::int32_t min_x = std::max(floor_int(ball.x - ball.radius), corner.x);
      const std::int32_t min_y = std::max(floor_int(ball.y - ball.radius), corner.y);
      const std::int32_t min_z = std::max(floor_int(ball.z - ball.radius), corner.z);
      const std::int32_t max_x = std::max(floor_int(ball.x + ball.radius), min_x);
      const std::int32_t max_y = std::max(floor_int(ball.y + ball.radius), min_y);
      const std::int32_t max_z = std::max(floor_int(ball.z + ball.radius), min_z);
      square_distances(y_squares, min_y, max_y, ball.y, ball.radius);
      square_distances(z_squares, min_z, max_z, ball.z, ball.radius);
      const std::int32_t low_y = std::max(min_y, region.min_y()), high_y = std::min(max_y, region.max_y());

      for (std::int32_t x = min_x; x <= max_x; ++x) {
        const double xd = (static_cast<double>(x) + 0.5 - ball.x) / ball.radius;
        const double x_square = xd * xd;
        if (!(x_square < 1.0)) continue;
        for (std::int32_t y = low_y; y <= high_y; ++y) {
          const double xy_square = x_square + y_squares[static_cast<std::size_t>(y - min_y)];
          if (!(xy_square < 1.0)) continue;
          for (std::int32_t z = min_z; z <= max_z; ++z) {
            if (!(xy_square + z_squares[static_cast<std::size_t>(z - min_z)] < 1.0)) continue;
            const auto bit = static_cast<std::size_t>(x - corner.x + (y - corner.y) * side +
                                                      (z - corner.z) * side * height);
            std::uint64_t& word = tested[bit / 64];
            const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
            if ((word & mask) != 0) continue;
            word |= mask;
            placed += place_one(region, random, {x, y, z}) ? 1 : 0;
          }
        }
      }
    }
    return placed;
  }

  bool place_one(Region& region, Random& random, BlockPos p) const {
    ProtoChunk* chunk = region.chunk_at(p.x, p.z);
    if (chunk == nullptr) return false;
    // Written past the heightmaps, as the game does it.
    BlockState& s = chunk->raw()[chunk->index(p.x, p.y, p.z)];
    const std::optional<BlockState> ore = rules_.replacement(region, random, p, s);
    if (!ore) return false;
    s = *ore;
    return true;
  }

  OreRules rules_;
  float spread_;
  std::int32_t max_radius_, reach_;
  std::vector<Along> along_;
};

/// Single blocks that lie farther and farther from the origin.
class ScatteredOre final : public Feature {
 public:
  explicit ScatteredOre(const Json& config) : rules_(config) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    const std::int32_t tries = random.next_int(rules_.size + 1);
    for (std::int32_t i = 0; i < tries; ++i) {
      const auto distance = static_cast<float>(std::min(i, 7));
      const std::int32_t dx = stray(random, distance);
      const std::int32_t dy = stray(random, distance);
      const std::int32_t dz = stray(random, distance);
      const BlockPos p = offset(origin, dx, dy, dz);
      if (const auto ore = rules_.replacement(region, random, p, region.get(p))) region.set(p, *ore);
    }
    return true;
  }

 private:
  static std::int32_t stray(Random& random, float distance) {
    const float a = random.next_float();
    const float difference = a - random.next_float();
    // Rounded in double precision, where adding a half is exact.
    return floor_int(static_cast<double>(difference * distance) + 0.5);
  }

  OreRules rules_;
};

}  // namespace

void add_ore(FeatureFactories& factories) {
  factories["ore"] = factory<Ore>();
  factories["scattered_ore"] = factory<ScatteredOre>();
}

}  // namespace horizon::worldgen::underground
