#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "shard/worldgen/feature/feature.hpp"
#include "shard/worldgen/feature/simplex_noise.hpp"

namespace horizon::worldgen {

namespace {

using Emit = std::function<void(BlockPos)>;

class Count final : public Placement {
 public:
  explicit Count(const Json& json) : count_(IntProvider::parse(field(json, "count"))) {}
  void positions(PlaceContext&, Random& random, BlockPos p, const Emit& emit) const override {
    const std::int32_t count = count_.sample(random);
    for (std::int32_t i = 0; i < count; ++i) emit(p);
  }

 private:
  IntProvider count_;
};

class NoiseBasedCount final : public Placement {
 public:
  explicit NoiseBasedCount(const Json& json)
      : ratio_(static_cast<double>(integer(json, "noise_to_count_ratio"))),
        factor_(number(json, "noise_factor")),
        offset_(number_or(json, "noise_offset", 0)) {}
  void positions(PlaceContext&, Random&, BlockPos p, const Emit& emit) const override {
    const double noise = biome_info_noise().get(p.x / factor_, p.z / factor_, false);
    const double count = std::ceil((noise + offset_) * ratio_);
    for (std::int32_t i = 0; i < count; ++i) emit(p);
  }

 private:
  double ratio_, factor_, offset_;
};

class NoiseThresholdCount final : public Placement {
 public:
  explicit NoiseThresholdCount(const Json& json)
      : level_(number(json, "noise_level")),
        below_(integer(json, "below_noise")),
        above_(integer(json, "above_noise")) {}
  void positions(PlaceContext&, Random&, BlockPos p, const Emit& emit) const override {
    const std::int32_t count =
        biome_info_noise().get(p.x / 200.0, p.z / 200.0, false) < level_ ? below_ : above_;
    for (std::int32_t i = 0; i < count; ++i) emit(p);
  }

 private:
  double level_;
  std::int32_t below_, above_;
};

class Rarity final : public Placement {
 public:
  explicit Rarity(const Json& json) : chance_(1.0F / static_cast<float>(integer(json, "chance"))) {
    if (integer(json, "chance") < 1) throw FigureError("\"chance\" must be 1 or more");
  }
  void positions(PlaceContext&, Random& random, BlockPos p, const Emit& emit) const override {
    if (random.next_float() < chance_) emit(p);
  }

 private:
  float chance_;
};

class InSquare final : public Placement {
 public:
  void positions(PlaceContext&, Random& random, BlockPos p, const Emit& emit) const override {
    const std::int32_t dx = random.next_int(16);
    const std::int32_t dz = random.next_int(16);
    emit(offset(p, dx, 0, dz));
  }
};

class Biome final : public Placement {
 public:
  void positions(PlaceContext& context, Random&, BlockPos p, const Emit& emit) const override {
    if (context.top != nullptr && context.features.biome_has(context.region.biome(p), context.top)) emit(p);
  }
};

class OnHeightmap final : public Placement {
 public:
  explicit OnHeightmap(const Json& json) : kind_(parse_height_kind(text(json, "heightmap"))) {}
  void positions(PlaceContext& context, Random&, BlockPos p, const Emit& emit) const override {
    const std::int32_t y = context.region.height(kind_, p.x, p.z);
    if (y > context.region.min_y()) emit({p.x, y, p.z});
  }

 private:
  HeightKind kind_;
};

class HeightRange final : public Placement {
 public:
  explicit HeightRange(const Json& json) : height_(HeightProvider::parse(field(json, "height"))) {}
  void positions(PlaceContext& context, Random& random, BlockPos p, const Emit& emit) const override {
    emit({p.x, height_.sample(random, context.generated), p.z});
  }

 private:
  HeightProvider height_;
};

class RandomOffset final : public Placement {
 public:
  explicit RandomOffset(const Json& json)
      : xz_(IntProvider::parse(field(json, "xz_spread"))), y_(IntProvider::parse(field(json, "y_spread"))) {}
  void positions(PlaceContext&, Random& random, BlockPos p, const Emit& emit) const override {
    const std::int32_t dx = xz_.sample(random);
    const std::int32_t dy = y_.sample(random);
    const std::int32_t dz = xz_.sample(random);
    emit(offset(p, dx, dy, dz));
  }

 private:
  IntProvider xz_, y_;
};

/// Goes up or down, as far as one condition allows, to the first block that fulfils another.
class EnvironmentScan final : public Placement {
 public:
  explicit EnvironmentScan(const Json& json)
      : direction_(parse_direction(text(json, "direction_of_search"))),
        target_(BlockPredicate::parse(field(json, "target_condition"))),
        max_steps_(integer(json, "max_steps")) {
    if (is_horizontal(direction_)) throw FigureError("\"direction_of_search\" must be up or down");
    if (const auto it = json.find("allowed_search_condition"); it != json.end())
      allowed_ = BlockPredicate::parse(*it);
  }
  void positions(PlaceContext& context, Random&, BlockPos p, const Emit& emit) const override {
    const Region& region = context.region;
    if (!is_allowed(region, p)) return;
    for (std::int32_t i = 0; i < max_steps_; ++i) {
      if (target_->test(region, p)) {
        emit(p);
        return;
      }
      p = offset(p, direction_);
      if (region.is_outside_build_height(p.y)) return;
      if (!is_allowed(region, p)) break;
    }
    // The block that stops the search may be the one that was looked for.
    if (target_->test(region, p)) emit(p);
  }

 private:
  bool is_allowed(const Region& region, BlockPos p) const {
    return allowed_ == nullptr || allowed_->test(region, p);
  }

  Direction direction_;
  std::shared_ptr<const BlockPredicate> target_, allowed_;
  std::int32_t max_steps_;
};

class SurfaceRelativeThreshold final : public Placement {
 public:
  explicit SurfaceRelativeThreshold(const Json& json)
      : kind_(parse_height_kind(text(json, "heightmap"))),
        min_(int_or(json, "min_inclusive", std::numeric_limits<std::int32_t>::min())),
        max_(int_or(json, "max_inclusive", std::numeric_limits<std::int32_t>::max())) {}
  void positions(PlaceContext& context, Random&, BlockPos p, const Emit& emit) const override {
    const std::int64_t over = std::int64_t{p.y} - context.region.height(kind_, p.x, p.z);
    if (min_ <= over && over <= max_) emit(p);
  }

 private:
  HeightKind kind_;
  std::int64_t min_, max_;
};

class SurfaceWaterDepth final : public Placement {
 public:
  explicit SurfaceWaterDepth(const Json& json) : max_depth_(integer(json, "max_water_depth")) {}
  void positions(PlaceContext& context, Random&, BlockPos p, const Emit& emit) const override {
    const std::int32_t floor = context.region.height(HeightKind::kOceanFloor, p.x, p.z);
    const std::int32_t surface = context.region.height(HeightKind::kWorldSurface, p.x, p.z);
    if (surface - floor <= max_depth_) emit(p);
  }

 private:
  std::int32_t max_depth_;
};

class PredicateFilter final : public Placement {
 public:
  explicit PredicateFilter(const Json& json) : predicate_(BlockPredicate::parse(field(json, "predicate"))) {}
  void positions(PlaceContext& context, Random&, BlockPos p, const Emit& emit) const override {
    if (predicate_->test(context.region, p)) emit(p);
  }

 private:
  std::shared_ptr<const BlockPredicate> predicate_;
};

/// Some positions on every floor of caverns that lie above each other. The game looks at all floors before
/// anything is placed.
class CountOnEveryLayer final : public Placement {
 public:
  explicit CountOnEveryLayer(const Json& json) : count_(IntProvider::parse(field(json, "count"))) {}
  void positions(PlaceContext& context, Random& random, BlockPos p, const Emit& emit) const override {
    std::vector<BlockPos> found;
    bool found_any = true;
    for (std::int32_t layer = 0; found_any; ++layer) {
      found_any = false;
      // The count is drawn anew for each comparison.
      for (std::int32_t i = 0; i < count_.sample(random); ++i) {
        const std::int32_t x = random.next_int(16) + p.x;
        const std::int32_t z = random.next_int(16) + p.z;
        if (const auto y = floor_of_layer(context.region, x, z, layer)) {
          found.push_back({x, *y, z});
          found_any = true;
        }
      }
    }
    for (const BlockPos position : found) emit(position);
  }

 private:
  static bool is_open(BlockState s) {
    static const BlockId kWaterBlock = block("water"), kLavaBlock = block("lava");
    return game::is_air(s) || is(s, kWaterBlock) || is(s, kLavaBlock);
  }

  static std::optional<std::int32_t> floor_of_layer(const Region& region, std::int32_t x, std::int32_t z,
                                                    std::int32_t layer) {
    static const BlockId kBedrockBlock = block("bedrock");
    const std::int32_t top = region.height(HeightKind::kMotionBlocking, x, z);
    bool is_open_here = is_open(region.get(x, top, z));
    std::int32_t seen = 0;
    for (std::int32_t y = top; y > region.min_y(); --y) {
      const BlockState under = region.get(x, y - 1, z);
      const bool is_open_under = is_open(under);
      if (!is_open_under && is_open_here && !is(under, kBedrockBlock)) {
        if (seen == layer) return y;
        ++seen;
      }
      is_open_here = is_open_under;
    }
    return std::nullopt;
  }

  IntProvider count_;
};

class Fixed final : public Placement {
 public:
  explicit Fixed(const Json& json) {
    const Json& list = field(json, "positions");
    if (!list.is_array()) throw FigureError("\"positions\" must be a list");
    for (const Json& entry : list) {
      if (!entry.is_array() || entry.size() != 3 ||
          !std::ranges::all_of(entry, [](const Json& n) { return n.is_number_integer(); })) {
        throw FigureError("a position must be three integers");
      }
      positions_.push_back(
          {entry[0].get<std::int32_t>(), entry[1].get<std::int32_t>(), entry[2].get<std::int32_t>()});
    }
  }
  void positions(PlaceContext&, Random&, BlockPos p, const Emit& emit) const override {
    for (const BlockPos position : positions_) {
      if (position.x >> 4 == p.x >> 4 && position.z >> 4 == p.z >> 4) emit(position);
    }
  }

 private:
  std::vector<BlockPos> positions_;
};

}  // namespace

std::shared_ptr<const Placement> Placement::parse(const Json& json) {
  const std::string_view type = type_of(json);
  if (type == "count") return std::make_shared<Count>(json);
  if (type == "noise_based_count") return std::make_shared<NoiseBasedCount>(json);
  if (type == "noise_threshold_count") return std::make_shared<NoiseThresholdCount>(json);
  if (type == "rarity_filter") return std::make_shared<Rarity>(json);
  if (type == "in_square") return std::make_shared<InSquare>();
  if (type == "biome") return std::make_shared<Biome>();
  if (type == "heightmap") return std::make_shared<OnHeightmap>(json);
  if (type == "height_range") return std::make_shared<HeightRange>(json);
  if (type == "random_offset") return std::make_shared<RandomOffset>(json);
  if (type == "environment_scan") return std::make_shared<EnvironmentScan>(json);
  if (type == "surface_relative_threshold_filter") return std::make_shared<SurfaceRelativeThreshold>(json);
  if (type == "surface_water_depth_filter") return std::make_shared<SurfaceWaterDepth>(json);
  if (type == "block_predicate_filter") return std::make_shared<PredicateFilter>(json);
  if (type == "count_on_every_layer") return std::make_shared<CountOnEveryLayer>(json);
  if (type == "fixed_placement") return std::make_shared<Fixed>(json);
  throw FigureError("unknown placement \"" + std::string(type) + "\"");
}

bool PlacedFeature::place(PlaceContext& context, Random& random, BlockPos origin) const {
  struct Run {
    const PlacedFeature& self;
    PlaceContext& context;
    Random& random;
    bool placed_any = false;

    void step(std::size_t index, BlockPos p) {
      if (index < self.steps_.size()) {
        // Two words of captures: small enough for std::function to keep without an allocation.
        self.steps_[index]->positions(context, random, p,
                                      [this, index](BlockPos next) { step(index + 1, next); });
      } else if (context.region.can_write(p) && self.feature_->place(context, random, p)) {
        placed_any = true;
      }
    }
  };
  Run run{*this, context, random};
  run.step(0, origin);
  return run.placed_any;
}

}  // namespace horizon::worldgen
