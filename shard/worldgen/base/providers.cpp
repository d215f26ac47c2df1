#include "shard/worldgen/base/providers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "shard/worldgen/base/region.hpp"
#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/terrain/noise.hpp"

namespace horizon::worldgen {

namespace {

[[noreturn]] void unknown(std::string_view what, std::string_view type) {
  throw FigureError("unknown " + std::string(what) + " \"" + std::string(type) + "\"");
}

float float_of(const Json& json, std::string_view key) { return static_cast<float>(number(json, key)); }

/// Mean and deviation as floats; the sum is rounded to float as well.
float normal(Random& random, float mean, float deviation) {
  const auto gaussian = static_cast<float>(random.next_gaussian());
  return mean + gaussian * deviation;
}

/// Java's cast: towards zero, saturating.
std::int32_t java_int(float value) {
  if (std::isnan(value)) return 0;
  constexpr float kLimit = 2147483648.0F;
  if (value >= kLimit) return std::numeric_limits<std::int32_t>::max();
  if (value < -kLimit) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(value);
}

/// The two sides of a trapezoid: the sum of two uniform draws of these widths has its shape.
struct TrapezoidSides {
  std::int32_t slope, rest;
};
constexpr TrapezoidSides trapezoid_sides(std::int32_t range, std::int32_t plateau) {
  const std::int32_t slope = (range - plateau) / 2;
  return {slope, range - slope};
}

std::int32_t sample_trapezoid(Random& random, std::int32_t min, TrapezoidSides sides) {
  const std::int32_t a = random.next_int_between(0, sides.rest);
  const std::int32_t b = random.next_int_between(0, sides.slope);
  return min + a + b;
}

/// Both ends included; a range of one value or none gives its lower end without a draw.
std::int32_t between_if_open(Random& random, std::int32_t min, std::int32_t max) {
  return min >= max ? min : random.next_int_between(min, max);
}

/// Entries of {"distribution": [{"data": ..., "weight": ...}]}; calls `add` with each and returns the sum.
template <typename Add>
std::int32_t parse_weighted(const Json& list, const Add& add) {
  if (!list.is_array()) throw FigureError("a weighted list must be a list");
  std::int64_t total = 0;
  for (const Json& entry : list) {
    const std::int32_t weight = integer(entry, "weight");
    if (weight < 0) throw FigureError("a weight is negative");
    add(field(entry, "data"), weight);
    total += weight;
  }
  if (total <= 0 || total > std::numeric_limits<std::int32_t>::max()) {
    throw FigureError("the weights of a list must sum up to 1 or more");
  }
  return static_cast<std::int32_t>(total);
}

template <typename T>
const T& pick_weighted(const std::vector<std::pair<T, std::int32_t>>& entries, std::int32_t total,
                       Random& random) {
  std::int32_t left = random.next_int(total);
  for (const auto& [value, weight] : entries) {
    left -= weight;
    if (left < 0) return value;
  }
  return entries.back().first;
}

BlockPos parse_offset(const Json& json) {
  const auto it = json.find("offset");
  if (it == json.end()) return {};
  if (!it->is_array() || it->size() != 3 ||
      !std::ranges::all_of(*it, [](const Json& n) { return n.is_number_integer(); })) {
    throw FigureError("\"offset\" must be three integers");
  }
  return {(*it)[0].get<std::int32_t>(), (*it)[1].get<std::int32_t>(), (*it)[2].get<std::int32_t>()};
}

BlockPos moved(BlockPos p, BlockPos by) { return {p.x + by.x, p.y + by.y, p.z + by.z}; }

std::vector<BlockState> parse_states(const Json& json, std::string_view key) {
  const Json& list = field(json, key);
  if (!list.is_array() || list.empty())
    throw FigureError("\"" + std::string(key) + "\" must be a list of states");
  std::vector<BlockState> states;
  for (const Json& entry : list) states.push_back(parse_state(entry));
  return states;
}

}  // namespace

// --- Heights --------------------------------------------------------------

VerticalAnchor VerticalAnchor::parse(const Json& json) {
  if (json.is_object()) {
    if (json.contains("absolute")) return {Kind::kAbsolute, integer(json, "absolute")};
    if (json.contains("above_bottom")) return {Kind::kAboveBottom, integer(json, "above_bottom")};
    if (json.contains("below_top")) return {Kind::kBelowTop, integer(json, "below_top")};
  }
  throw FigureError("a height must have \"absolute\", \"above_bottom\" or \"below_top\": " + json.dump());
}

std::int32_t VerticalAnchor::resolve(Heights generated) const {
  switch (kind) {
    case Kind::kAbsolute:
      return offset;
    case Kind::kAboveBottom:
      return generated.min_y + offset;
    case Kind::kBelowTop:
      return generated.max_y() - offset;
  }
  return offset;
}

HeightProvider HeightProvider::parse(const Json& json) {
  HeightProvider provider;
  if (!json.is_object() || !json.contains("type")) {
    provider.min_ = VerticalAnchor::parse(json);
    return provider;
  }
  const std::string_view type = type_of(json);
  if (type == "constant") {
    provider.min_ = VerticalAnchor::parse(field(json, "value"));
    return provider;
  }
  if (type == "weighted_list") {
    provider.kind_ = Kind::kWeighted;
    provider.total_weight_ = parse_weighted(
        field(json, "distribution"),
        [&](const Json& data, std::int32_t weight) { provider.children_.emplace_back(parse(data), weight); });
    return provider;
  }
  provider.min_ = VerticalAnchor::parse(field(json, "min_inclusive"));
  provider.max_ = VerticalAnchor::parse(field(json, "max_inclusive"));
  if (type == "uniform") {
    provider.kind_ = Kind::kUniform;
  } else if (type == "trapezoid") {
    provider.kind_ = Kind::kTrapezoid;
    provider.inner_ = int_or(json, "plateau", 0);
  } else if (type == "biased_to_bottom" || type == "very_biased_to_bottom") {
    provider.kind_ = type == "biased_to_bottom" ? Kind::kBiased : Kind::kVeryBiased;
    provider.inner_ = int_or(json, "inner", 1);
    if (provider.inner_ < 1) throw FigureError("\"inner\" must be 1 or more");
  } else {
    unknown("height provider", type);
  }
  return provider;
}

std::int32_t HeightProvider::sample(Random& random, Heights generated) const {
  if (kind_ == Kind::kWeighted)
    return pick_weighted(children_, total_weight_, random).sample(random, generated);
  const std::int32_t min = min_.resolve(generated);
  if (kind_ == Kind::kConstant) return min;
  const std::int32_t max = max_.resolve(generated);
  switch (kind_) {
    case Kind::kUniform:
      return min > max ? min : random.next_int_between(min, max);
    case Kind::kTrapezoid:
      if (min > max) return min;
      if (inner_ >= max - min) return random.next_int_between(min, max);
      return sample_trapezoid(random, min, trapezoid_sides(max - min, inner_));
    case Kind::kBiased: {
      if (max - min - inner_ + 1 <= 0) return min;
      const std::int32_t limit = random.next_int(max - min - inner_ + 1);
      return random.next_int(limit + inner_) + min;
    }
    case Kind::kVeryBiased: {
      if (max - min - inner_ + 1 <= 0) return min;
      const std::int32_t upper = between_if_open(random, min + inner_, max);
      const std::int32_t lower = between_if_open(random, min, upper - 1);
      return between_if_open(random, min, lower - 1 + inner_);
    }
    case Kind::kConstant:
    case Kind::kWeighted:
      break;
  }
  return min;
}

// --- Numbers --------------------------------------------------------------

IntProvider IntProvider::constant(std::int32_t value) {
  IntProvider provider;
  provider.min_ = provider.max_ = value;
  return provider;
}

IntProvider IntProvider::parse(const Json& json) {
  if (json.is_number_integer()) return constant(json.get<std::int32_t>());
  const std::string_view type = type_of(json);
  if (type == "constant") return constant(integer(json, "value"));
  IntProvider provider;
  if (type == "weighted_list") {
    provider.kind_ = Kind::kWeighted;
    provider.min_ = std::numeric_limits<std::int32_t>::max();
    provider.max_ = std::numeric_limits<std::int32_t>::min();
    provider.total_weight_ =
        parse_weighted(field(json, "distribution"), [&](const Json& data, std::int32_t weight) {
          IntProvider child = parse(data);
          provider.min_ = std::min(provider.min_, child.min());
          provider.max_ = std::max(provider.max_, child.max());
          provider.children_.emplace_back(std::move(child), weight);
        });
    return provider;
  }
  if (type == "trapezoid") {
    provider.kind_ = Kind::kTrapezoid;
    provider.min_ = integer(json, "min");
    provider.max_ = integer(json, "max");
    provider.plateau_ = integer(json, "plateau");
    if (provider.max_ < provider.min_ || provider.plateau_ > provider.max_ - provider.min_) {
      throw FigureError("a trapezoid's range is empty or smaller than its plateau");
    }
    return provider;
  }
  provider.min_ = integer(json, "min_inclusive");
  provider.max_ = integer(json, "max_inclusive");
  if (provider.max_ < provider.min_) throw FigureError("\"max_inclusive\" is less than \"min_inclusive\"");
  if (type == "uniform") {
    provider.kind_ = Kind::kUniform;
  } else if (type == "biased_to_bottom") {
    provider.kind_ = Kind::kBiased;
  } else if (type == "clamped") {
    provider.kind_ = Kind::kClamped;
    provider.children_.emplace_back(parse(field(json, "source")), 1);
  } else if (type == "clamped_normal") {
    provider.kind_ = Kind::kClampedNormal;
    provider.mean_ = float_of(json, "mean");
    provider.deviation_ = float_of(json, "deviation");
  } else {
    unknown("int provider", type);
  }
  return provider;
}

std::int32_t IntProvider::sample(Random& random) const {
  switch (kind_) {
    case Kind::kConstant:
      return min_;
    case Kind::kUniform:
      return random.next_int_between(min_, max_);
    case Kind::kBiased: {
      const std::int32_t limit = random.next_int(max_ - min_ + 1);
      return min_ + random.next_int(limit + 1);
    }
    case Kind::kClamped:
      return std::clamp(children_[0].first.sample(random), min_, max_);
    case Kind::kClampedNormal:
      return java_int(
          std::clamp(normal(random, mean_, deviation_), static_cast<float>(min_), static_cast<float>(max_)));
    case Kind::kWeighted:
      return pick_weighted(children_, total_weight_, random).sample(random);
    case Kind::kTrapezoid: {
      if (plateau_ == 0 && max_ == -min_) {
        const std::int32_t a = random.next_int(max_ + 1);
        return a - random.next_int(max_ + 1);
      }
      if (plateau_ == max_ - min_) return random.next_int_between(min_, max_);
      return sample_trapezoid(random, min_, trapezoid_sides(max_ - min_, plateau_));
    }
  }
  return min_;
}

std::int32_t IntProvider::min() const {
  return kind_ == Kind::kClamped ? std::max(min_, children_[0].first.min()) : min_;
}

std::int32_t IntProvider::max() const {
  return kind_ == Kind::kClamped ? std::min(max_, children_[0].first.max()) : max_;
}

FloatProvider FloatProvider::constant(float value) {
  FloatProvider provider;
  provider.min_ = provider.max_ = value;
  return provider;
}

FloatProvider FloatProvider::parse(const Json& json) {
  if (json.is_number()) return constant(json.get<float>());
  const std::string_view type = type_of(json);
  if (type == "constant") return constant(float_of(json, "value"));
  FloatProvider provider;
  if (type == "uniform") {
    provider.kind_ = Kind::kUniform;
    provider.min_ = float_of(json, "min_inclusive");
    provider.max_ = float_of(json, "max_exclusive");
    if (provider.max_ <= provider.min_)
      throw FigureError("\"max_exclusive\" must be more than \"min_inclusive\"");
    return provider;
  }
  provider.min_ = float_of(json, "min");
  provider.max_ = float_of(json, "max");
  if (provider.max_ < provider.min_) throw FigureError("\"max\" is less than \"min\"");
  if (type == "clamped_normal") {
    provider.kind_ = Kind::kClampedNormal;
    provider.a_ = float_of(json, "mean");
    provider.b_ = float_of(json, "deviation");
  } else if (type == "trapezoid") {
    provider.kind_ = Kind::kTrapezoid;
    const float range = provider.max_ - provider.min_;
    const float plateau = float_of(json, "plateau");
    if (plateau > range) throw FigureError("a trapezoid's plateau is wider than its range");
    provider.a_ = (range - plateau) / 2.0F;
    provider.b_ = range - provider.a_;
  } else {
    unknown("float provider", type);
  }
  return provider;
}

float FloatProvider::sample(Random& random) const {
  switch (kind_) {
    case Kind::kConstant:
      return min_;
    case Kind::kUniform:
      return random.next_float() * (max_ - min_) + min_;
    case Kind::kClampedNormal:
      return std::clamp(normal(random, a_, b_), min_, max_);
    case Kind::kTrapezoid: {
      const float rest = random.next_float() * b_;
      const float slope = random.next_float() * a_;
      return min_ + rest + slope;
    }
  }
  return min_;
}

// --- Block states ---------------------------------------------------------

namespace {

class SimpleState final : public StateProvider {
 public:
  explicit SimpleState(BlockState s) : state_(s) {}
  BlockState get(const Region&, Random&, BlockPos) const override { return state_; }

 private:
  BlockState state_;
};

class WeightedState final : public StateProvider {
 public:
  explicit WeightedState(const Json& json) {
    total_ = parse_weighted(field(json, "entries"), [&](const Json& data, std::int32_t weight) {
      entries_.emplace_back(parse_state(data), weight);
    });
  }
  BlockState get(const Region&, Random& random, BlockPos) const override {
    return pick_weighted(entries_, total_, random);
  }

 private:
  std::vector<std::pair<BlockState, std::int32_t>> entries_;
  std::int32_t total_ = 0;
};

/// A noise from the definition's own seed, the same in every world.
NormalNoise parse_noise(const Json& json, std::int64_t seed) {
  const Json& list = field(json, "amplitudes");
  if (!list.is_array() || list.empty()) throw FigureError("\"amplitudes\" must be a list of numbers");
  std::vector<double> amplitudes;
  for (const Json& amplitude : list) {
    if (!amplitude.is_number()) throw FigureError("\"amplitudes\" must be a list of numbers");
    amplitudes.push_back(amplitude.get<double>());
  }
  Random random = Random::legacy(seed);
  return {random, integer(json, "firstOctave"), amplitudes};
}

std::int64_t seed_of(const Json& json) {
  const Json& seed = field(json, "seed");
  if (!seed.is_number_integer()) throw FigureError("\"seed\" must be an integer");
  return seed.get<std::int64_t>();
}

struct ScaledNoise {
  NormalNoise noise;
  double scale;

  explicit ScaledNoise(const Json& json)
      : noise(parse_noise(field(json, "noise"), seed_of(json))),
        scale(static_cast<double>(float_of(json, "scale"))) {}
  double at(BlockPos p) const { return noise.get(p.x * scale, p.y * scale, p.z * scale); }
};

/// Index of the state that a noise value falls on, of `count`.
std::size_t state_index(double noise, std::size_t count) {
  const double share = std::clamp((1.0 + noise) / 2.0, 0.0, 0.9999);
  return static_cast<std::size_t>(share * static_cast<double>(count));
}

class NoiseState final : public StateProvider {
 public:
  explicit NoiseState(const Json& json) : noise_(json), states_(parse_states(json, "states")) {}
  BlockState get(const Region&, Random&, BlockPos p) const override {
    return states_[state_index(noise_.at(p), states_.size())];
  }

 private:
  ScaledNoise noise_;
  std::vector<BlockState> states_;
};

/// A slow noise chooses a few of the states for an area, the other noise one of those.
class DualNoiseState final : public StateProvider {
 public:
  explicit DualNoiseState(const Json& json)
      : noise_(json),
        slow_(parse_noise(field(json, "slow_noise"), seed_of(json))),
        slow_scale_(float_of(json, "slow_scale")),
        states_(parse_states(json, "states")) {
    const Json& variety = field(json, "variety");
    if (variety.is_array() && variety.size() == 2 && variety[0].is_number_integer() &&
        variety[1].is_number_integer()) {
      min_variety_ = variety[0].get<std::int32_t>();
      max_variety_ = variety[1].get<std::int32_t>();
    } else if (variety.is_object()) {
      min_variety_ = integer(variety, "min_inclusive");
      max_variety_ = integer(variety, "max_inclusive");
    } else if (variety.is_number_integer()) {
      min_variety_ = max_variety_ = variety.get<std::int32_t>();
    } else {
      throw FigureError("\"variety\" must be a range");
    }
    if (min_variety_ < 1 || max_variety_ > 64 || min_variety_ > max_variety_) {
      throw FigureError("\"variety\" must be a range within 1 to 64");
    }
  }

  BlockState get(const Region&, Random&, BlockPos p) const override {
    const double share = (slow_at(p) + 1.0) / 2.0;
    const double low = min_variety_;
    const double high = max_variety_ + 1;
    const double variety = share < 0.0 ? low : (share > 1.0 ? high : low + share * (high - low));
    const auto count = static_cast<std::size_t>(variety);
    const auto chosen = static_cast<std::int32_t>(state_index(noise_.at(p), count));
    // Only the state that is chosen in the end is looked up in the slow noise.
    constexpr std::int32_t kStrideX = 54545;
    constexpr std::int32_t kStrideZ = 34234;
    const BlockPos far = offset(p, chosen * kStrideX, 0, chosen * kStrideZ);
    return states_[state_index(slow_at(far), states_.size())];
  }

 private:
  double slow_at(BlockPos p) const {
    return slow_.get(static_cast<double>(static_cast<float>(p.x) * slow_scale_),
                     static_cast<double>(static_cast<float>(p.y) * slow_scale_),
                     static_cast<double>(static_cast<float>(p.z) * slow_scale_));
  }

  ScaledNoise noise_;
  NormalNoise slow_;
  float slow_scale_;
  std::vector<BlockState> states_;
  std::int32_t min_variety_ = 1, max_variety_ = 1;
};

class NoiseThresholdState final : public StateProvider {
 public:
  explicit NoiseThresholdState(const Json& json)
      : noise_(json),
        threshold_(static_cast<double>(float_of(json, "threshold"))),
        high_chance_(float_of(json, "high_chance")),
        default_(parse_state(field(json, "default_state"))),
        low_(parse_states(json, "low_states")),
        high_(parse_states(json, "high_states")) {}

  BlockState get(const Region&, Random& random, BlockPos p) const override {
    if (noise_.at(p) < threshold_) return pick(low_, random);
    return random.next_float() < high_chance_ ? pick(high_, random) : default_;
  }

 private:
  static BlockState pick(const std::vector<BlockState>& states, Random& random) {
    return states[static_cast<std::size_t>(random.next_int(static_cast<std::int32_t>(states.size())))];
  }

  ScaledNoise noise_;
  double threshold_;
  float high_chance_;
  BlockState default_;
  std::vector<BlockState> low_, high_;
};

class RotatedBlock final : public StateProvider {
 public:
  explicit RotatedBlock(const Json& json) {
    const BlockState base = game::default_state(game::block_of(parse_state(field(json, "state"))));
    constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
    for (std::size_t i = 0; i < kAxes.size(); ++i) turned_[i] = with(base, property_id("axis"), kAxes[i]);
  }
  BlockState get(const Region&, Random& random, BlockPos) const override {
    return turned_[static_cast<std::size_t>(random.next_int(3))];
  }

 private:
  std::array<BlockState, 3> turned_{};
};

class RandomizedInt final : public StateProvider {
 public:
  explicit RandomizedInt(const Json& json)
      : source_(StateProvider::parse(field(json, "source"))),
        property_(property_id_of(text(json, "property"))),
        values_(IntProvider::parse(field(json, "values"))) {}

  BlockState get(const Region& region, Random& random, BlockPos p) const override {
    const BlockState s = source_->get(region, random, p);
    if (!has_property(s, property_)) return s;
    return with_int(s, property_, values_.sample(random));
  }

 private:
  /// property_id() aborts on a name that no block has; this text comes from outside.
  static PropertyId property_id_of(const std::string& name) {
    for (std::int32_t b = 0; b < game::block_count(); ++b) {
      for (const game::Property& property : game::block_properties(static_cast<BlockId>(b))) {
        if (property.name == name) return property_id(name);
      }
    }
    unknown("property", name);
  }

  std::shared_ptr<const StateProvider> source_;
  PropertyId property_;
  IntProvider values_;
};

class RuleBased final : public StateProvider {
 public:
  explicit RuleBased(const Json& json) {
    if (const auto it = json.find("fallback"); it != json.end()) fallback_ = StateProvider::parse(*it);
    const Json& rules = field(json, "rules");
    if (!rules.is_array()) throw FigureError("\"rules\" must be a list");
    for (const Json& rule : rules) {
      rules_.push_back(
          {BlockPredicate::parse(field(rule, "if_true")), StateProvider::parse(field(rule, "then"))});
    }
  }

  std::optional<BlockState> get_optional(const Region& region, Random& random, BlockPos p) const override {
    for (const Rule& rule : rules_) {
      if (rule.condition->test(region, p)) return rule.then->get(region, random, p);
    }
    if (fallback_ == nullptr) return std::nullopt;
    return fallback_->get(region, random, p);
  }
  BlockState get(const Region& region, Random& random, BlockPos p) const override {
    const auto found = get_optional(region, random, p);
    return found ? *found : region.get(p);
  }

 private:
  struct Rule {
    std::shared_ptr<const BlockPredicate> condition;
    std::shared_ptr<const StateProvider> then;
  };
  std::shared_ptr<const StateProvider> fallback_;
  std::vector<Rule> rules_;
};

}  // namespace

std::shared_ptr<const StateProvider> StateProvider::parse(const Json& json) {
  if (json.is_string() || (json.is_object() && json.contains("Name"))) {
    return std::make_shared<SimpleState>(parse_state(json));
  }
  const std::string_view type = type_of(json);
  if (type == "simple_state_provider")
    return std::make_shared<SimpleState>(parse_state(field(json, "state")));
  if (type == "weighted_state_provider") return std::make_shared<WeightedState>(json);
  if (type == "noise_provider") return std::make_shared<NoiseState>(json);
  if (type == "dual_noise_provider") return std::make_shared<DualNoiseState>(json);
  if (type == "noise_threshold_provider") return std::make_shared<NoiseThresholdState>(json);
  if (type == "rotated_block_provider") return std::make_shared<RotatedBlock>(json);
  if (type == "randomized_int_state_provider") return std::make_shared<RandomizedInt>(json);
  if (type == "rule_based_state_provider") return std::make_shared<RuleBased>(json);
  unknown("block state provider", type);
}

// --- Conditions -----------------------------------------------------------

namespace {

class MatchingBlocks final : public BlockPredicate {
 public:
  MatchingBlocks(BlockSet blocks, BlockPos at) : blocks_(blocks), offset_(at) {}
  bool test(const Region& region, BlockPos p) const override {
    return blocks_.contains(region.get(moved(p, offset_)));
  }

 private:
  BlockSet blocks_;
  BlockPos offset_;
};

class MatchingFluids final : public BlockPredicate {
 public:
  explicit MatchingFluids(const Json& json) : offset_(parse_offset(json)) {
    const Json& fluids = field(json, "fluids");
    if (fluids.is_array()) {
      for (const Json& entry : fluids) add(entry);
    } else {
      add(fluids);
    }
  }
  bool test(const Region& region, BlockPos p) const override {
    const BlockState s = region.get(moved(p, offset_));
    switch (fluid(s)) {
      case Fluid::kNone:
        return empty_;
      case Fluid::kWater:
        return is_fluid_source(s) ? water_ : flowing_water_;
      case Fluid::kLava:
        return is_fluid_source(s) ? lava_ : flowing_lava_;
    }
    return false;
  }

 private:
  void add(const Json& json) {
    if (!json.is_string()) throw FigureError("\"fluids\" must be names");
    const std::string_view name = without_minecraft(json.get_ref<const std::string&>());
    if (name == "empty") {
      empty_ = true;
    } else if (name == "water") {
      water_ = true;
    } else if (name == "flowing_water") {
      flowing_water_ = true;
    } else if (name == "lava") {
      lava_ = true;
    } else if (name == "flowing_lava") {
      flowing_lava_ = true;
    } else if (name == "#minecraft:water" || name == "#water") {
      water_ = flowing_water_ = true;
    } else if (name == "#minecraft:lava" || name == "#lava") {
      lava_ = flowing_lava_ = true;
    } else {
      unknown("fluid", name);
    }
  }

  BlockPos offset_;
  bool empty_ = false, water_ = false, flowing_water_ = false, lava_ = false, flowing_lava_ = false;
};

class SturdyFace final : public BlockPredicate {
 public:
  explicit SturdyFace(const Json& json)
      : offset_(parse_offset(json)), face_(parse_direction(text(json, "direction"))) {}
  bool test(const Region& region, BlockPos p) const override {
    return is_face_sturdy(region.get(moved(p, offset_)), face_);
  }

 private:
  BlockPos offset_;
  Direction face_;
};

/// A yes or no of the state alone.
class StateTest final : public BlockPredicate {
 public:
  using Test = bool (*)(BlockState);
  StateTest(Test condition, BlockPos at) : test_(condition), offset_(at) {}
  bool test(const Region& region, BlockPos p) const override { return test_(region.get(moved(p, offset_))); }

 private:
  Test test_;
  BlockPos offset_;
};

class WouldSurvive final : public BlockPredicate {
 public:
  explicit WouldSurvive(const Json& json)
      : offset_(parse_offset(json)), state_(parse_state(field(json, "state"))) {}
  bool test(const Region& region, BlockPos p) const override {
    return can_survive(region, state_, moved(p, offset_));
  }

 private:
  BlockPos offset_;
  BlockState state_;
};

class InsideWorld final : public BlockPredicate {
 public:
  explicit InsideWorld(BlockPos at) : offset_(at) {}
  bool test(const Region& region, BlockPos p) const override {
    return !region.is_outside_build_height(p.y + offset_.y);
  }

 private:
  BlockPos offset_;
};

class Always final : public BlockPredicate {
 public:
  bool test(const Region&, BlockPos) const override { return true; }
};

class Not final : public BlockPredicate {
 public:
  explicit Not(std::shared_ptr<const BlockPredicate> inner) : inner_(std::move(inner)) {}
  bool test(const Region& region, BlockPos p) const override { return !inner_->test(region, p); }

 private:
  std::shared_ptr<const BlockPredicate> inner_;
};

/// all_of and any_of: stops at the first condition with the deciding answer.
class Several final : public BlockPredicate {
 public:
  Several(const Json& json, bool deciding) : deciding_(deciding) {
    const Json& list = field(json, "predicates");
    if (!list.is_array()) throw FigureError("\"predicates\" must be a list");
    for (const Json& entry : list) parts_.push_back(BlockPredicate::parse(entry));
  }
  bool test(const Region& region, BlockPos p) const override {
    for (const auto& part : parts_) {
      if (part->test(region, p) == deciding_) return deciding_;
    }
    return !deciding_;
  }

 private:
  std::vector<std::shared_ptr<const BlockPredicate>> parts_;
  bool deciding_;
};

BlockSet parse_tag(const Json& json) { return BlockSet::parse(Json("#" + text(json, "tag"))); }

}  // namespace

std::shared_ptr<const BlockPredicate> BlockPredicate::parse(const Json& json) {
  const std::string_view type = type_of(json);
  if (type == "matching_blocks") {
    return std::make_shared<MatchingBlocks>(BlockSet::parse(field(json, "blocks")), parse_offset(json));
  }
  if (type == "matching_block_tag")
    return std::make_shared<MatchingBlocks>(parse_tag(json), parse_offset(json));
  if (type == "matching_fluids") return std::make_shared<MatchingFluids>(json);
  if (type == "has_sturdy_face") return std::make_shared<SturdyFace>(json);
  if (type == "solid") return std::make_shared<StateTest>(&is_solid, parse_offset(json));
  if (type == "replaceable") return std::make_shared<StateTest>(&can_be_replaced, parse_offset(json));
  if (type == "would_survive") return std::make_shared<WouldSurvive>(json);
  if (type == "inside_world_bounds") return std::make_shared<InsideWorld>(parse_offset(json));
  if (type == "all_of") return std::make_shared<Several>(json, false);
  if (type == "any_of") return std::make_shared<Several>(json, true);
  if (type == "not") return std::make_shared<Not>(parse(field(json, "predicate")));
  // No entity moves while a chunk is made, so nothing obstructs a place.
  if (type == "true" || type == "unobstructed") return std::make_shared<Always>();
  unknown("block predicate", type);
}

RuleTest RuleTest::parse(const Json& json) {
  const std::string_view type = without_minecraft(text(json, "predicate_type"));
  RuleTest test;
  if (type == "always_true") return test;
  if (type == "block_match" || type == "random_block_match") {
    test.kind_ = type == "block_match" ? Kind::kBlocks : Kind::kRandomBlock;
    test.blocks_ = BlockSet::parse(field(json, "block"));
  } else if (type == "tag_match") {
    test.kind_ = Kind::kBlocks;
    test.blocks_ = parse_tag(json);
  } else if (type == "blockstate_match" || type == "random_blockstate_match") {
    test.kind_ = type == "blockstate_match" ? Kind::kState : Kind::kRandomState;
    test.state_ = parse_state(field(json, "block_state"));
  } else {
    unknown("rule test", type);
  }
  if (test.kind_ == Kind::kRandomBlock || test.kind_ == Kind::kRandomState) {
    test.probability_ = float_of(json, "probability");
  }
  return test;
}

bool RuleTest::test(BlockState s, Random& random) const {
  switch (kind_) {
    case Kind::kAlways:
      return true;
    case Kind::kBlocks:
      return blocks_.contains(s);
    case Kind::kState:
      return s == state_;
    case Kind::kRandomBlock:
      return blocks_.contains(s) && random.next_float() < probability_;
    case Kind::kRandomState:
      return s == state_ && random.next_float() < probability_;
  }
  return false;
}

}  // namespace horizon::worldgen
