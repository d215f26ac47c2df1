#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/feature/underground.hpp"
#include "shard/worldgen/terrain/noise.hpp"

namespace horizon::worldgen::underground {

namespace {

IntProvider int_provider_or(const Json& object, std::string_view key, std::int32_t min, std::int32_t max) {
  const auto it = object.find(key);
  if (it != object.end()) return IntProvider::parse(*it);
  return IntProvider::parse({{"type", "minecraft:uniform"}, {"min_inclusive", min}, {"max_inclusive", max}});
}

/// Shells around a few centres whose fields add up, often with a crack from outside to the hollow.
class Geode final : public Feature {
 public:
  explicit Geode(const Json& config)
      : placement_chance_(number_or(config, "use_potential_placements_chance", 0.35)),
        alternate_chance_(number_or(config, "use_alternate_layer0_chance", 0.0)),
        grows_on_alternate_only_(bool_or(config, "placements_require_layer0_alternate", true)),
        wall_distance_(int_provider_or(config, "outer_wall_distance", 4, 5)),
        centres_(int_provider_or(config, "distribution_points", 3, 4)),
        centre_offset_(int_provider_or(config, "point_offset", 1, 2)),
        min_offset_(int_or(config, "min_gen_offset", -16)),
        max_offset_(int_or(config, "max_gen_offset", 16)),
        noise_factor_(number_or(config, "noise_multiplier", 0.05)),
        max_invalid_(integer(config, "invalid_blocks_threshold")) {
    const Json& blocks_json = field(config, "blocks");
    filling_ = StateProvider::parse(field(blocks_json, "filling_provider"));
    inner_ = StateProvider::parse(field(blocks_json, "inner_layer_provider"));
    alternate_ = StateProvider::parse(field(blocks_json, "alternate_inner_layer_provider"));
    middle_ = StateProvider::parse(field(blocks_json, "middle_layer_provider"));
    outer_ = StateProvider::parse(field(blocks_json, "outer_layer_provider"));
    kept_ = BlockSet::parse(field(blocks_json, "cannot_replace"));
    invalid_ = BlockSet::parse(field(blocks_json, "invalid_blocks"));
    const Json& crystals = field(blocks_json, "inner_placements");
    if (!crystals.is_array() || crystals.empty()) throw FigureError("\"inner_placements\" must not be empty");
    for (const Json& crystal : crystals) crystals_.emplace_back(parse_state(crystal));

    const Json& layers = field(config, "layers");
    filling_size_ = number_or(layers, "filling", 1.7);
    inner_size_ = number_or(layers, "inner_layer", 2.2);
    middle_size_ = number_or(layers, "middle_layer", 3.2);
    outer_size_ = number_or(layers, "outer_layer", 4.2);
    const Json& crack = field(config, "crack");
    crack_chance_ = number_or(crack, "generate_crack_chance", 1.0);
    crack_size_ = number_or(crack, "base_crack_size", 2.0);
    crack_offset_ = static_cast<double>(int_or(crack, "crack_point_offset", 2));
  }

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    const std::int32_t count = centres_.sample(random);
    const double growth = static_cast<double>(count) / static_cast<double>(wall_distance_.max());
    Limits limits{};
    limits.filling = 1.0 / std::sqrt(filling_size_);
    limits.inner = 1.0 / std::sqrt(inner_size_ + growth);
    limits.middle = 1.0 / std::sqrt(middle_size_ + growth);
    limits.outer = 1.0 / std::sqrt(outer_size_ + growth);
    limits.crack = 1.0 / std::sqrt(crack_size_ + random.next_double() / 2.0 + (count > 3 ? growth : 0.0));
    const bool has_crack = static_cast<double>(random.next_float()) < crack_chance_;

    std::vector<Centre> centres;
    std::int32_t invalid = 0;
    for (std::int32_t i = 0; i < count; ++i) {
      const std::int32_t x = wall_distance_.sample(random);
      const std::int32_t y = wall_distance_.sample(random);
      const std::int32_t z = wall_distance_.sample(random);
      const BlockPos p = offset(origin, x, y, z);
      const BlockState s = region.get(p);
      if ((game::is_air(s) || invalid_.contains(s)) && ++invalid > max_invalid_) return false;
      centres.push_back({p, static_cast<double>(centre_offset_.sample(random))});
    }
    std::array<Centre, 3> crack{};
    if (has_crack) crack = crack_centres(origin, count, random);

    std::vector<BlockPos> buds;
    make_shells(region, random, origin, limits, centres,
                has_crack ? std::span<const Centre>(crack) : std::span<const Centre>(), buds);
    for (const BlockPos p : buds) {
      const Crystal& crystal =
          crystals_[static_cast<std::size_t>(random.next_int(static_cast<std::int32_t>(crystals_.size())))];
      grow(region, p, crystal);
    }
    return true;
  }

 private:
  /// Field strengths from which on a layer begins.
  struct Limits {
    double filling, inner, middle, outer, crack;
  };
  struct Centre {
    BlockPos pos;
    double offset;
  };
  /// A crystal's states by direction and water.
  struct Crystal {
    explicit Crystal(BlockState s) {
      const bool turns = value_text(with(s, properties::kFacing, "up"), properties::kFacing) == "up";
      for (const Direction d : kDirections) {
        const BlockState turned = turns ? with(s, properties::kFacing, name(d)) : s;
        for (const bool wet : {false, true}) {
          states[static_cast<std::size_t>(d)][wet ? 1 : 0] = with_bool(turned, properties::kWaterlogged, wet);
        }
      }
    }
    BlockState states[6][2];
  };

  std::array<Centre, 3> crack_centres(BlockPos origin, std::int32_t count, Random& random) const {
    const std::int32_t side = random.next_int(4);
    const std::int32_t away = count * 2 + 1;
    const std::int32_t x = side == 0 || side == 2 ? away : 0;
    const std::int32_t z = side == 1 || side == 2 ? away : 0;
    return {Centre{offset(origin, x, 7, z), crack_offset_}, Centre{offset(origin, x, 5, z), crack_offset_},
            Centre{offset(origin, x, 1, z), crack_offset_}};
  }

  static double field_at(std::span<const Centre> centres, BlockPos p, double noise) {
    double sum = 0;
    for (const Centre& centre : centres) {
      const auto x = static_cast<double>(p.x - centre.pos.x), y = static_cast<double>(p.y - centre.pos.y),
                 z = static_cast<double>(p.z - centre.pos.z);
      sum += 1.0 / std::sqrt(x * x + y * y + z * z + centre.offset) + noise;
    }
    return sum;
  }

  void make_shells(Region& region, Random& random, BlockPos origin, const Limits& limits,
                   std::span<const Centre> centres, std::span<const Centre> crack,
                   std::vector<BlockPos>& buds) const {
    if (max_offset_ < min_offset_) return;
    static constexpr std::array kAmplitudes = {1.0};
    Random noise_random = Random::legacy(region.seed());
    const NormalNoise noise(noise_random, -4, kAmplitudes);

    const std::int32_t side = max_offset_ - min_offset_ + 1;
    std::vector<double> heights(static_cast<std::size_t>(side));
    for (std::int32_t i = 0; i < side; ++i) {
      heights[static_cast<std::size_t>(i)] = static_cast<double>(origin.y + min_offset_ + i);
    }
    // The noise of one layer of z: columns of y, one for each x.
    std::vector<double> layer(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    for (std::int32_t dz = min_offset_; dz <= max_offset_; ++dz) {
      for (std::int32_t i = 0; i < side; ++i) {
        double* column = layer.data() + static_cast<std::ptrdiff_t>(i) * side;
        for (std::int32_t from = 0; from < side; from += kLanes) {
          noise.column(static_cast<double>(origin.x + min_offset_ + i), static_cast<double>(origin.z + dz),
                       heights.data() + from, std::min(kLanes, side - from), column + from);
        }
      }
      for (std::int32_t j = 0; j < side; ++j) {
        for (std::int32_t i = 0; i < side; ++i) {
          const BlockPos p = offset(origin, min_offset_ + i, min_offset_ + j, dz);
          const double shift = layer[static_cast<std::size_t>(i * side + j)] * noise_factor_;
          const double shell = field_at(centres, p, shift);
          if (shell < limits.outer) continue;
          const bool is_cracked =
              !crack.empty() && shell < limits.filling && field_at(crack, p, shift) >= limits.crack;
          if (is_cracked) {
            open_crack(region, p);
          } else {
            place_layer(region, random, p, shell, limits, buds);
          }
        }
      }
    }
  }

  void open_crack(Region& region, BlockPos p) const {
    set_unless(region, p, blocks::kAir, kept_);
    for (const Direction d : kDirections) {
      const BlockPos beside = offset(p, d);
      if (region.fluid_at(beside) != Fluid::kNone) region.mark_for_post_processing(beside);
    }
  }

  void place_layer(Region& region, Random& random, BlockPos p, double shell, const Limits& limits,
                   std::vector<BlockPos>& buds) const {
    if (shell >= limits.filling) {
      set_unless(region, p, filling_->get(region, random, p), kept_);
    } else if (shell >= limits.inner) {
      const bool is_alternate = static_cast<double>(random.next_float()) < alternate_chance_;
      set_unless(region, p, (is_alternate ? alternate_ : inner_)->get(region, random, p), kept_);
      if ((is_alternate || !grows_on_alternate_only_) &&
          static_cast<double>(random.next_float()) < placement_chance_) {
        buds.push_back(p);
      }
    } else if (shell >= limits.middle) {
      set_unless(region, p, middle_->get(region, random, p), kept_);
    } else {
      set_unless(region, p, outer_->get(region, random, p), kept_);
    }
  }

  /// On the first free side.
  void grow(Region& region, BlockPos p, const Crystal& crystal) const {
    for (const Direction d : kDirections) {
      const BlockPos beside = offset(p, d);
      const BlockState s = region.get(beside);
      if (!game::is_air(s) && !(is_water(s) && fluid_amount(s) == 8)) continue;
      set_unless(region, beside, crystal.states[static_cast<std::size_t>(d)][is_fluid_source(s) ? 1 : 0],
                 kept_);
      return;
    }
  }

  std::shared_ptr<const StateProvider> filling_, inner_, alternate_, middle_, outer_;
  std::vector<Crystal> crystals_;
  BlockSet kept_, invalid_;
  double filling_size_ = 0, inner_size_ = 0, middle_size_ = 0, outer_size_ = 0;
  double crack_chance_ = 0, crack_size_ = 0, crack_offset_ = 0;
  double placement_chance_, alternate_chance_;
  bool grows_on_alternate_only_;
  IntProvider wall_distance_, centres_, centre_offset_;
  std::int32_t min_offset_, max_offset_;
  double noise_factor_;
  std::int32_t max_invalid_;
};

}  // namespace

void add_geode(FeatureFactories& factories) { factories["geode"] = factory<Geode>(); }

}  // namespace horizon::worldgen::underground
