#include "shard/worldgen/terrain/density.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/base/result.hpp"
#include "shard/worldgen/terrain/math.hpp"

namespace horizon::worldgen {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double squeeze(double v) {
  const double c = std::clamp(v, -1.0, 1.0);
  return c / 2.0 - c * c * c / 24.0;
}

double unary(DensityOp op, double v) {
  switch (op) {
    case DensityOp::kAbs:
      return std::abs(v);
    case DensityOp::kSquare:
      return v * v;
    case DensityOp::kCube:
      return v * v * v;
    case DensityOp::kHalfNegative:
      return v > 0.0 ? v : v * 0.5;
    case DensityOp::kQuarterNegative:
      return v > 0.0 ? v : v * 0.25;
    case DensityOp::kInvert:
      return 1.0 / v;
    case DensityOp::kSqueeze:
      return squeeze(v);
    default:
      HZ_CHECK(false);
      return 0;
  }
}

/// How much the spaghetti caves' noise is stretched, by the value that picks a rarity.
/// Source: the game's quantised spaghetti rarity, for three and for two dimensions.
double rarity(std::int32_t table, double v) {
  if (table == 1) {
    if (v < -0.5) return 0.75;
    if (v < 0.0) return 1.0;
    return v < 0.5 ? 1.5 : 2.0;
  }
  if (v < -0.75) return 0.5;
  if (v < -0.5) return 0.75;
  if (v < 0.5) return 1.0;
  return v < 0.75 ? 2.0 : 3.0;
}

/// Greatest island height around a point of the end, in eighths of a chunk section... as the game scales it.
float end_island_height(const SimplexNoise& noise, std::int32_t x, std::int32_t z) {
  const std::int32_t chunk_x = x / 2, chunk_z = z / 2, sub_x = x % 2, sub_z = z % 2;
  const auto squares = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(x) +
                                                 static_cast<std::uint32_t>(z) * static_cast<std::uint32_t>(z));
  float height = 100.0F - std::sqrt(static_cast<float>(squares)) * 8.0F;
  height = std::clamp(height, -100.0F, 80.0F);
  for (std::int32_t dx = -12; dx <= 12; ++dx) {
    for (std::int32_t dz = -12; dz <= 12; ++dz) {
      const std::int64_t island_x = chunk_x + dx, island_z = chunk_z + dz;
      if (island_x * island_x + island_z * island_z <= 4096) continue;
      if (!(noise.get(static_cast<double>(island_x), static_cast<double>(island_z)) < static_cast<double>(-0.9F))) {
        continue;
      }
      const float size = std::fmod(std::abs(static_cast<float>(island_x)) * 3439.0F +
                                       std::abs(static_cast<float>(island_z)) * 147.0F,
                                   13.0F) +
                         9.0F;
      const auto xd = static_cast<float>(sub_x - dx * 2), zd = static_cast<float>(sub_z - dz * 2);
      height = std::max(height, std::clamp(100.0F - std::sqrt(xd * xd + zd * zd) * size, -100.0F, 80.0F));
    }
  }
  return height;
}

float extend(float input, const DensitySpline& s, float value, std::size_t i) {
  return s.derivatives[i] == 0.0F ? value : value + s.derivatives[i] * (input - s.locations[i]);
}

}  // namespace

// --- Compilation ---------------------------------------------------------

NodeId DensityProgram::add(DensityNode n) {
  const auto value_of = [&](NodeId id) -> const DensityNode& { return nodes_[static_cast<std::size_t>(id)]; };
  switch (n.op) {
    case DensityOp::kConstant:
      n.min = n.max = n.p0;
      n.is_flat = true;
      break;
    case DensityOp::kAdd:
    case DensityOp::kMultiply:
    case DensityOp::kMin:
    case DensityOp::kMax: {
      const DensityNode &a = value_of(n.a), &b = value_of(n.b);
      n.is_flat = a.is_flat && b.is_flat;
      if (n.op == DensityOp::kAdd) {
        n.min = a.min + b.min;
        n.max = a.max + b.max;
      } else if (n.op == DensityOp::kMin) {
        n.min = std::min(a.min, b.min);
        n.max = std::min(a.max, b.max);
      } else if (n.op == DensityOp::kMax) {
        n.min = std::max(a.min, b.min);
        n.max = std::max(a.max, b.max);
      } else {
        n.min = a.min > 0 && b.min > 0   ? a.min * b.min
                : a.max < 0 && b.max < 0 ? a.max * b.max
                                         : std::min(a.min * b.max, a.max * b.min);
        n.max = a.min > 0 && b.min > 0   ? a.max * b.max
                : a.max < 0 && b.max < 0 ? a.min * b.min
                                         : std::max(a.min * b.min, a.max * b.max);
      }
      break;
    }
    case DensityOp::kAbs:
    case DensityOp::kSquare:
    case DensityOp::kCube:
    case DensityOp::kHalfNegative:
    case DensityOp::kQuarterNegative:
    case DensityOp::kInvert:
    case DensityOp::kSqueeze: {
      const DensityNode& a = value_of(n.a);
      n.is_flat = a.is_flat;
      const double low = unary(n.op, a.min), high = unary(n.op, a.max);
      if (n.op == DensityOp::kInvert) {
        n.min = a.min < 0 && a.max > 0 ? -kInfinity : high;
        n.max = a.min < 0 && a.max > 0 ? kInfinity : low;
      } else if (n.op == DensityOp::kAbs || n.op == DensityOp::kSquare) {
        n.min = std::max(0.0, a.min);
        n.max = std::max(low, high);
      } else {
        n.min = low;
        n.max = high;
      }
      break;
    }
    case DensityOp::kClamp:
      n.is_flat = value_of(n.a).is_flat;
      n.min = n.p0;
      n.max = n.p1;
      break;
    case DensityOp::kYGradient:
      n.min = std::min(n.p2, n.p3);
      n.max = std::max(n.p2, n.p3);
      break;
    case DensityOp::kNoise:
      n.is_flat = n.p1 == 0.0;
      n.max = noise(n.index).max_value();
      n.min = -n.max;
      break;
    case DensityOp::kShiftedNoise:
      n.is_flat = n.p1 == 0.0 && value_of(n.a).is_flat && value_of(n.b).is_flat && value_of(n.c).is_flat;
      n.max = noise(n.index).max_value();
      n.min = -n.max;
      break;
    case DensityOp::kShiftA:
    case DensityOp::kShiftB:
    case DensityOp::kShift:
      n.is_flat = n.op != DensityOp::kShift;
      n.max = noise(n.index).max_value() * 4.0;
      n.min = -n.max;
      break;
    case DensityOp::kRangeChoice:
      n.is_flat = value_of(n.a).is_flat && value_of(n.b).is_flat && value_of(n.c).is_flat;
      n.min = std::min(value_of(n.b).min, value_of(n.c).min);
      n.max = std::max(value_of(n.b).max, value_of(n.c).max);
      break;
    case DensityOp::kWeirdScaled:
      n.max = (n.extra == 1 ? 2.0 : 3.0) * noise(n.index).max_value();
      break;
    case DensityOp::kSpline: {
      const DensitySpline& s = splines_[static_cast<std::size_t>(n.index)];
      n.min = static_cast<double>(s.min);
      n.max = static_cast<double>(s.max);
      break;  // is_flat comes from the caller, who knows all coordinates
    }
    case DensityOp::kBlended:
      n.max = blended(n.index).max_value();
      n.min = -n.max;
      break;
    case DensityOp::kEndIslands:
      n.is_flat = true;
      n.min = -0.84375;
      n.max = 0.5625;
      break;
    case DensityOp::kTopSurface:
      n.is_flat = true;
      n.min = n.p0;
      n.max = std::max(n.p0, value_of(n.b).max);
      break;
    case DensityOp::kInterpolated:
    case DensityOp::kFlatCache:
      n.is_flat = n.op == DensityOp::kFlatCache;
      n.min = value_of(n.a).min;
      n.max = value_of(n.a).max;
      break;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const DensityNode& o = nodes_[i];
    if (o.op == n.op && o.a == n.a && o.b == n.b && o.c == n.c && o.p0 == n.p0 && o.p1 == n.p1 && o.p2 == n.p2 &&
        o.p3 == n.p3 && o.extra == n.extra &&
        (o.index == n.index || n.op == DensityOp::kInterpolated || n.op == DensityOp::kFlatCache)) {
      return static_cast<NodeId>(i);
    }
  }
  if (nodes_.size() >= 4096) throw FigureError("more than 4096 different density functions");
  const auto id = static_cast<NodeId>(nodes_.size());
  if (n.op == DensityOp::kInterpolated) {
    n.index = static_cast<std::int32_t>(interpolated_.size());
    interpolated_.push_back(id);
  } else if (n.op == DensityOp::kFlatCache) {
    n.index = static_cast<std::int32_t>(flat_.size());
    flat_.push_back(id);
    if (flat_.size() > 32) throw FigureError("more than 32 different flat caches");
  }
  nodes_.push_back(n);
  return id;
}

std::int32_t DensityProgram::noise_index(std::string_view name) {
  const std::string key = with_namespace(name);
  const auto [it, is_new] = noise_by_name_.try_emplace(key, static_cast<std::int32_t>(noises_.size()));
  if (!is_new) return it->second;
  const Json& definition = figures_.get("noise", key);
  const std::int32_t first_octave = integer(definition, "firstOctave");
  const auto amplitudes = field(definition, "amplitudes").get<std::vector<double>>();
  if (amplitudes.empty() || amplitudes.size() > 64) throw FigureError(key + ": 1 to 64 amplitudes are needed");
  // In dimensions of the legacy source the nether's two climate noises still use the seeding of 1.17.
  const bool is_temperature = key == "minecraft:nether/temperature";
  if (is_legacy_ && (is_temperature || key == "minecraft:nether/vegetation")) {
    Random source = Random::legacy(seed_ + (is_temperature ? 0 : 1));
    noises_.push_back(
        std::make_unique<NormalNoise>(source, first_octave, amplitudes, PerlinNoise::Seeding::kLegacy));
  } else {
    Random source = random_.named(key);
    noises_.push_back(std::make_unique<NormalNoise>(source, first_octave, amplitudes));
  }
  return it->second;
}

const NormalNoise& DensityProgram::named_noise(std::string_view name) { return noise(noise_index(name)); }

std::int32_t DensityProgram::compile_spline(const Json& json) {
  DensitySpline s;
  if (json.is_number()) {
    s.constant = s.min = s.max = json.get<float>();
  } else {
    s.coordinate = compile(field(json, "coordinate"));
    for (const Json& point : field(json, "points")) {
      s.locations.push_back(static_cast<float>(number(point, "location")));
      s.derivatives.push_back(static_cast<float>(number(point, "derivative")));
      s.values.push_back(compile_spline(field(point, "value")));
    }
    if (s.locations.empty()) throw FigureError("a spline without points");
    if (!std::ranges::is_sorted(s.locations)) throw FigureError("a spline's locations must ascend");
    const auto spline = [&](std::size_t i) -> const DensitySpline& {
      return splines_[static_cast<std::size_t>(s.values[i])];
    };
    const std::size_t last = s.locations.size() - 1;
    const auto low = static_cast<float>(node(s.coordinate).min), high = static_cast<float>(node(s.coordinate).max);
    s.min = std::numeric_limits<float>::infinity();
    s.max = -s.min;
    const auto include = [&](float a, float b) {
      s.min = std::min(s.min, std::min(a, b));
      s.max = std::max(s.max, std::max(a, b));
    };
    if (low < s.locations[0]) include(extend(low, s, spline(0).min, 0), extend(low, s, spline(0).max, 0));
    if (high > s.locations[last]) {
      include(extend(high, s, spline(last).min, last), extend(high, s, spline(last).max, last));
    }
    for (std::size_t i = 0; i <= last; ++i) include(spline(i).min, spline(i).max);
    for (std::size_t i = 0; i < last; ++i) {
      const float width = s.locations[i + 1] - s.locations[i];
      const DensitySpline &v1 = spline(i), &v2 = spline(i + 1);
      const float d1 = s.derivatives[i], d2 = s.derivatives[i + 1];
      if (d1 == 0.0F && d2 == 0.0F) continue;
      const float p1 = d1 * width, p2 = d2 * width;
      const float low_lerp = std::min(v1.min, v2.min), high_lerp = std::max(v1.max, v2.max);
      const float low_bend = std::min(p1 - v2.max + v1.min, -p2 + v2.min - v1.max);
      const float high_bend = std::max(p1 - v2.min + v1.max, -p2 + v2.max - v1.min);
      s.min = std::min(s.min, low_lerp + 0.25F * low_bend);
      s.max = std::max(s.max, high_lerp + 0.25F * high_bend);
    }
  }
  splines_.push_back(std::move(s));
  return static_cast<std::int32_t>(splines_.size()) - 1;
}

NodeId DensityProgram::compile(const Json& f) {
  if (f.is_number()) return add({.op = DensityOp::kConstant, .p0 = f.get<double>()});
  if (f.is_string()) {
    const std::string name = with_namespace(f.get_ref<const std::string&>());
    if (const auto it = by_name_.find(name); it != by_name_.end()) {
      if (it->second < 0) throw FigureError("density function \"" + name + "\" refers to itself");
      return it->second;
    }
    by_name_[name] = -1;
    const NodeId id = compile(figures_.get("density_function", name));
    by_name_[name] = id;
    return id;
  }
  const std::string_view type = type_of(f);
  const auto argument = [&](std::string_view key) { return compile(field(f, key)); };
  static const std::unordered_map<std::string_view, DensityOp> kUnary = {
      {"abs", DensityOp::kAbs},
      {"square", DensityOp::kSquare},
      {"cube", DensityOp::kCube},
      {"half_negative", DensityOp::kHalfNegative},
      {"quarter_negative", DensityOp::kQuarterNegative},
      {"invert", DensityOp::kInvert},
      {"squeeze", DensityOp::kSqueeze},
      {"interpolated", DensityOp::kInterpolated},
      {"flat_cache", DensityOp::kFlatCache},
  };
  static const std::unordered_map<std::string_view, DensityOp> kBinary = {{"add", DensityOp::kAdd},
                                                                          {"mul", DensityOp::kMultiply},
                                                                          {"min", DensityOp::kMin},
                                                                          {"max", DensityOp::kMax}};
  if (const auto it = kUnary.find(type); it != kUnary.end()) return add({.op = it->second, .a = argument("argument")});
  if (const auto it = kBinary.find(type); it != kBinary.end()) {
    const NodeId a = argument("argument1");
    return add({.op = it->second, .a = a, .b = argument("argument2")});
  }
  // Caches of the game that change no value, and blending with chunks of old versions, of which there are none.
  if (type == "cache_2d" || type == "cache_once" || type == "cache_all_in_cell" || type == "blend_density") {
    return argument("argument");
  }
  if (type == "blend_alpha") return add({.op = DensityOp::kConstant, .p0 = 1.0});
  if (type == "blend_offset" || type == "beardifier") return add({.op = DensityOp::kConstant, .p0 = 0.0});
  if (type == "constant") return add({.op = DensityOp::kConstant, .p0 = number(f, "argument")});
  if (type == "clamp") {
    const NodeId a = argument("input");
    return add({.op = DensityOp::kClamp, .a = a, .p0 = number(f, "min"), .p1 = number(f, "max")});
  }
  if (type == "y_clamped_gradient") {
    return add({.op = DensityOp::kYGradient,
                .p0 = number(f, "from_y"),
                .p1 = number(f, "to_y"),
                .p2 = number(f, "from_value"),
                .p3 = number(f, "to_value")});
  }
  if (type == "noise") {
    return add({.op = DensityOp::kNoise,
                .p0 = number(f, "xz_scale"),
                .p1 = number(f, "y_scale"),
                .index = noise_index(text(f, "noise"))});
  }
  if (type == "shifted_noise") {
    const NodeId a = argument("shift_x"), b = argument("shift_y"), c = argument("shift_z");
    return add({.op = DensityOp::kShiftedNoise,
                .a = a,
                .b = b,
                .c = c,
                .p0 = number(f, "xz_scale"),
                .p1 = number(f, "y_scale"),
                .index = noise_index(text(f, "noise"))});
  }
  if (type == "shift_a" || type == "shift_b" || type == "shift") {
    const DensityOp op = type == "shift_a"   ? DensityOp::kShiftA
                         : type == "shift_b" ? DensityOp::kShiftB
                                             : DensityOp::kShift;
    return add({.op = op, .index = noise_index(text(f, "argument"))});
  }
  if (type == "range_choice") {
    const NodeId a = argument("input"), b = argument("when_in_range"), c = argument("when_out_of_range");
    return add({.op = DensityOp::kRangeChoice,
                .a = a,
                .b = b,
                .c = c,
                .p0 = number(f, "min_inclusive"),
                .p1 = number(f, "max_exclusive")});
  }
  if (type == "weird_scaled_sampler") {
    const std::string& mapper = text(f, "rarity_value_mapper");
    if (mapper != "type_1" && mapper != "type_2") throw FigureError("unknown rarity_value_mapper \"" + mapper + "\"");
    const NodeId a = argument("input");
    return add({.op = DensityOp::kWeirdScaled,
                .a = a,
                .index = noise_index(text(f, "noise")),
                .extra = mapper == "type_1" ? 1 : 2});
  }
  if (type == "spline") {
    const std::size_t first = splines_.size();
    const std::int32_t index = compile_spline(field(f, "spline"));
    bool is_flat = true;
    for (std::size_t i = first; i < splines_.size(); ++i) {
      if (splines_[i].coordinate >= 0) is_flat = is_flat && node(splines_[i].coordinate).is_flat;
    }
    return add({.op = DensityOp::kSpline, .index = index, .is_flat = is_flat});
  }
  if (type == "old_blended_noise") {
    const BlendedNoise::Scales scales{number(f, "xz_scale"), number(f, "y_scale"), number(f, "xz_factor"),
                                      number(f, "y_factor"), number(f, "smear_scale_multiplier")};
    std::int32_t index = -1;
    for (const auto& [known, i] : blended_index_) {
      if (known == scales) index = i;
    }
    if (index < 0) {
      Random source = is_legacy_ ? Random::legacy(seed_) : random_.named("minecraft:terrain");
      index = static_cast<std::int32_t>(blended_.size());
      blended_.emplace_back(source, scales);
      blended_index_.emplace_back(scales, index);
    }
    return add({.op = DensityOp::kBlended, .index = index});
  }
  if (type == "end_islands") {
    if (!end_islands_) {
      Random source = Random::legacy(seed_);
      source.skip(17292);
      end_islands_ = std::make_unique<SimplexNoise>(source);
    }
    return add({.op = DensityOp::kEndIslands});
  }
  if (type == "find_top_surface") {
    const NodeId a = argument("density"), b = argument("upper_bound");
    const std::int32_t step = integer(f, "cell_height");
    if (step <= 0) throw FigureError("\"cell_height\" must be positive");
    return add({.op = DensityOp::kTopSurface, .a = a, .b = b, .p0 = number(f, "lower_bound"), .extra = step});
  }
  throw FigureError("unknown density function type \"" + std::string(type) + "\"");
}

DensityProgram::DensityProgram(const Figures& figures, const Json& settings, std::int64_t seed)
    : figures_(figures), seed_(seed), is_legacy_(bool_or(settings, "legacy_random_source", false)) {
  Random source = is_legacy_ ? Random::legacy(seed) : Random::xoroshiro(seed);
  random_ = PositionalRandom(source);
  const Json& router = field(settings, "noise_router");
  const auto entry = [&](std::string_view key) {
    try {
      return compile(field(router, key));
    } catch (const FigureError& error) {
      throw FigureError("noise_router." + std::string(key) + ": " + error.what());
    }
  };
  router_.barrier = entry("barrier");
  router_.floodedness = entry("fluid_level_floodedness");
  router_.spread = entry("fluid_level_spread");
  router_.lava = entry("lava");
  router_.temperature = entry("temperature");
  router_.vegetation = entry("vegetation");
  router_.continents = entry("continents");
  router_.erosion = entry("erosion");
  router_.depth = entry("depth");
  router_.ridges = entry("ridges");
  router_.preliminary_surface = entry("preliminary_surface_level");
  router_.final_density = entry("final_density");
  router_.vein_toggle = entry("vein_toggle");
  router_.vein_ridged = entry("vein_ridged");
  router_.vein_gap = entry("vein_gap");
}

// --- Evaluation ----------------------------------------------------------

DensityEvaluator::DensityEvaluator(const DensityProgram& program, FlatColumns* flats)
    : program_(&program),
      flats_(flats),
      values_(program.nodes().size() * kLanes),
      done_(program.nodes().size()) {}

void DensityEvaluator::at(std::int32_t x, std::int32_t z, const std::int32_t* y, std::int32_t n, FlatWindow window) {
  x_ = x;
  z_ = z;
  n_ = n;
  window_ = window;
  std::copy_n(y, n, y_.begin());
  all_ = n == kLanes ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  std::ranges::fill(done_, 0);
}

void DensityEvaluator::set_cells(const CellCorners* corners, std::int32_t corner_x, std::int32_t corner_z, double fx,
                                 double fz, const std::int32_t* corner_y, const double* fy, LerpOrder order) {
  corners_ = corners;
  corner_x_ = corner_x;
  corner_z_ = corner_z;
  fx_ = fx;
  fz_ = fz;
  corner_y_ = corner_y;
  fy_ = fy;
  order_ = order;
}

double DensityEvaluator::value(NodeId id) {
  return program_->node(id).is_flat ? flat_value(id) : lanes(id, 1)[0];
}

const double* DensityEvaluator::lanes(NodeId id, std::uint64_t mask) {
  const std::uint64_t missing = mask & ~done_[static_cast<std::size_t>(id)];
  if (missing != 0) compute(id, missing);
  return buffer(id);
}

double DensityEvaluator::flat_value(NodeId id) {
  double* out = buffer(id);
  if (done_[static_cast<std::size_t>(id)] != 0) return out[0];
  const DensityNode& n = program_->node(id);
  double v = 0;
  switch (n.op) {
    case DensityOp::kConstant:
      v = n.p0;
      break;
    case DensityOp::kAdd: {
      const double a = flat_value(n.a);
      v = a + flat_value(n.b);
      break;
    }
    case DensityOp::kMultiply: {
      const double a = flat_value(n.a);
      v = a == 0.0 ? 0.0 : a * flat_value(n.b);
      break;
    }
    case DensityOp::kMin: {
      const double a = flat_value(n.a);
      v = a < program_->node(n.b).min ? a : std::min(a, flat_value(n.b));
      break;
    }
    case DensityOp::kMax: {
      const double a = flat_value(n.a);
      v = a > program_->node(n.b).max ? a : std::max(a, flat_value(n.b));
      break;
    }
    case DensityOp::kAbs:
    case DensityOp::kSquare:
    case DensityOp::kCube:
    case DensityOp::kHalfNegative:
    case DensityOp::kQuarterNegative:
    case DensityOp::kInvert:
    case DensityOp::kSqueeze:
      v = unary(n.op, flat_value(n.a));
      break;
    case DensityOp::kClamp:
      v = std::clamp(flat_value(n.a), n.p0, n.p1);
      break;
    case DensityOp::kNoise:
      v = program_->noise(n.index).get(x_ * n.p0, 0.0, z_ * n.p0);
      break;
    case DensityOp::kShiftedNoise: {
      const double dx = flat_value(n.a), dy = flat_value(n.b), dz = flat_value(n.c);
      v = program_->noise(n.index).get(x_ * n.p0 + dx, 0.0 + dy, z_ * n.p0 + dz);
      break;
    }
    case DensityOp::kShiftA:
      v = program_->noise(n.index).get(x_ * 0.25, 0.0, z_ * 0.25) * 4.0;
      break;
    case DensityOp::kShiftB:
      v = program_->noise(n.index).get(z_ * 0.25, x_ * 0.25, 0.0) * 4.0;
      break;
    case DensityOp::kRangeChoice: {
      const double a = flat_value(n.a);
      v = a >= n.p0 && a < n.p1 ? flat_value(n.b) : flat_value(n.c);
      break;
    }
    case DensityOp::kSpline:
      v = static_cast<double>(spline(n.index, 0));
      break;
    case DensityOp::kEndIslands:
      v = (static_cast<double>(end_island_height(program_->end_islands(), x_ / 8, z_ / 8)) - 8.0) / 128.0;
      break;
    case DensityOp::kTopSurface:
      v = top_surface(n);
      break;
    case DensityOp::kFlatCache:
      if (flats_ != nullptr && ((x_ & 3) == 0 && (z_ & 3) == 0)) {
        v = flats_->get(n.index, x_ >> 2, z_ >> 2);
      } else if (flats_ != nullptr && window_.contains(x_, z_)) {
        v = flats_->get(n.index, x_ >> 2, z_ >> 2);
      } else {
        v = value(n.a);
      }
      break;
    default:
      HZ_CHECK(false);
  }
  std::fill_n(out, n_, v);
  done_[static_cast<std::size_t>(id)] = all_;
  return v;
}

void DensityEvaluator::compute(NodeId id, std::uint64_t mask) {
  const DensityNode& n = program_->node(id);
  if (n.is_flat) {
    flat_value(id);
    return;
  }
  double* const out = buffer(id);
  const std::int32_t count = n_;
  // Cheap operations run over all lanes, needed or not; what costs runs over the lanes that need it.
  switch (n.op) {
    case DensityOp::kAdd: {
      const double* const a = lanes(n.a, mask);
      const double* const b = lanes(n.b, mask);
      for (std::int32_t i = 0; i < count; ++i) out[i] = a[i] + b[i];
      break;
    }
    case DensityOp::kMultiply: {
      const double* const a = lanes(n.a, mask);
      std::uint64_t needed = mask;
      if (!program_->node(n.b).is_flat) {
        for (std::int32_t i = 0; i < count; ++i) needed &= ~(static_cast<std::uint64_t>(a[i] == 0.0) << i);
      }
      const double* const b = lanes(n.b, needed);
      for (std::int32_t i = 0; i < count; ++i) out[i] = a[i] == 0.0 ? 0.0 : a[i] * b[i];
      break;
    }
    case DensityOp::kMin: {
      const double* const a = lanes(n.a, mask);
      const double low = program_->node(n.b).min;
      std::uint64_t needed = mask;
      for (std::int32_t i = 0; i < count; ++i) needed &= ~(static_cast<std::uint64_t>(a[i] < low) << i);
      const double* const b = lanes(n.b, needed);
      for (std::int32_t i = 0; i < count; ++i) out[i] = a[i] < low ? a[i] : std::min(a[i], b[i]);
      break;
    }
    case DensityOp::kMax: {
      const double* const a = lanes(n.a, mask);
      const double high = program_->node(n.b).max;
      std::uint64_t needed = mask;
      for (std::int32_t i = 0; i < count; ++i) needed &= ~(static_cast<std::uint64_t>(a[i] > high) << i);
      const double* const b = lanes(n.b, needed);
      for (std::int32_t i = 0; i < count; ++i) out[i] = a[i] > high ? a[i] : std::max(a[i], b[i]);
      break;
    }
    case DensityOp::kAbs:
    case DensityOp::kSquare:
    case DensityOp::kCube:
    case DensityOp::kHalfNegative:
    case DensityOp::kQuarterNegative:
    case DensityOp::kInvert:
    case DensityOp::kSqueeze: {
      const double* const a = lanes(n.a, mask);
      const auto map = [&](auto&& f) {
        for (std::int32_t i = 0; i < count; ++i) out[i] = f(a[i]);
      };
      switch (n.op) {
        case DensityOp::kAbs:
          map([](double v) { return std::abs(v); });
          break;
        case DensityOp::kHalfNegative:
          map([](double v) { return v > 0.0 ? v : v * 0.5; });
          break;
        case DensityOp::kQuarterNegative:
          map([](double v) { return v > 0.0 ? v : v * 0.25; });
          break;
        case DensityOp::kSqueeze:
          map(squeeze);
          break;
        default:
          map([&](double v) { return unary(n.op, v); });
      }
      break;
    }
    case DensityOp::kClamp: {
      const double* const a = lanes(n.a, mask);
      for (std::int32_t i = 0; i < count; ++i) out[i] = std::clamp(a[i], n.p0, n.p1);
      break;
    }
    case DensityOp::kYGradient:
      for (std::int32_t i = 0; i < count; ++i) {
        out[i] = clamped_map(y_[static_cast<std::size_t>(i)], n.p0, n.p1, n.p2, n.p3);
      }
      break;
    case DensityOp::kNoise: {
      std::array<double, kLanes> y{}, result;
      std::array<std::int32_t, kLanes> lane{};
      std::int32_t needed = 0;
      for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        const std::int32_t i = std::countr_zero(rest);
        lane[static_cast<std::size_t>(needed)] = i;
        y[static_cast<std::size_t>(needed++)] = y_[static_cast<std::size_t>(i)] * n.p1;
      }
      program_->noise(n.index).column(x_ * n.p0, z_ * n.p0, y.data(), needed, result.data());
      for (std::int32_t i = 0; i < needed; ++i) {
        out[lane[static_cast<std::size_t>(i)]] = result[static_cast<std::size_t>(i)];
      }
      break;
    }
    case DensityOp::kShiftedNoise:
    case DensityOp::kShift: {
      const NormalNoise& noise = program_->noise(n.index);
      for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        const std::int32_t i = std::countr_zero(rest);
        const double y = y_[static_cast<std::size_t>(i)];
        if (n.op == DensityOp::kShift) {
          out[i] = noise.get(x_ * 0.25, y * 0.25, z_ * 0.25) * 4.0;
        } else {
          const std::uint64_t one = std::uint64_t{1} << i;
          const double dx = lanes(n.a, one)[i], dy = lanes(n.b, one)[i], dz = lanes(n.c, one)[i];
          out[i] = noise.get(x_ * n.p0 + dx, y * n.p1 + dy, z_ * n.p0 + dz);
        }
      }
      break;
    }
    case DensityOp::kRangeChoice: {
      const double* const a = lanes(n.a, mask);
      std::uint64_t inside = 0;
      for (std::int32_t i = 0; i < count; ++i) {
        inside |= static_cast<std::uint64_t>(a[i] >= n.p0 && a[i] < n.p1) << i;
      }
      const double* const b = lanes(n.b, mask & inside);
      const double* const c = lanes(n.c, mask & ~inside);
      for (std::int32_t i = 0; i < count; ++i) out[i] = (inside >> i & 1) != 0 ? b[i] : c[i];
      break;
    }
    case DensityOp::kWeirdScaled: {
      const double* const a = lanes(n.a, mask);
      const NormalNoise& noise = program_->noise(n.index);
      // Few different rarities: one batch for each.
      std::uint64_t rest = mask;
      while (rest != 0) {
        const double scale = rarity(n.extra, a[std::countr_zero(rest)]);
        std::array<double, kLanes> y{}, result;
        std::array<std::int32_t, kLanes> lane{};
        std::int32_t needed = 0;
        for (std::uint64_t left = rest; left != 0; left &= left - 1) {
          const std::int32_t i = std::countr_zero(left);
          if (rarity(n.extra, a[i]) != scale) continue;
          lane[static_cast<std::size_t>(needed)] = i;
          y[static_cast<std::size_t>(needed++)] = y_[static_cast<std::size_t>(i)] / scale;
          rest &= ~(std::uint64_t{1} << i);
        }
        noise.column(x_ / scale, z_ / scale, y.data(), needed, result.data());
        for (std::int32_t i = 0; i < needed; ++i) {
          out[lane[static_cast<std::size_t>(i)]] = scale * std::abs(result[static_cast<std::size_t>(i)]);
        }
      }
      break;
    }
    case DensityOp::kSpline:
      for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        const std::int32_t i = std::countr_zero(rest);
        out[i] = static_cast<double>(spline(n.index, i));
      }
      break;
    case DensityOp::kBlended: {
      std::array<std::int32_t, kLanes> lane{}, y{};
      std::array<double, kLanes> result;
      std::int32_t needed = 0;
      for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        const std::int32_t i = std::countr_zero(rest);
        lane[static_cast<std::size_t>(needed)] = i;
        y[static_cast<std::size_t>(needed++)] = y_[static_cast<std::size_t>(i)];
      }
      program_->blended(n.index).column(x_, z_, y.data(), needed, result.data());
      for (std::int32_t i = 0; i < needed; ++i) {
        out[lane[static_cast<std::size_t>(i)]] = result[static_cast<std::size_t>(i)];
      }
      break;
    }
    case DensityOp::kInterpolated: {
      if (corners_ == nullptr) {
        const double* const a = lanes(n.a, mask);
        for (std::int32_t i = 0; i < count; ++i) out[i] = a[i];
        break;
      }
      const double* const column =
          corners_->values[static_cast<std::size_t>(n.index)].data() +
          static_cast<std::size_t>((corner_x_ * corners_->corners_z + corner_z_) * corners_->corners_y);
      const std::int32_t to_z = corners_->corners_y, to_x = corners_->corners_z * corners_->corners_y;
      for (std::int32_t i = 0; i < count; ++i) {
        const double* const v = column + corner_y_[i];
        const double *const v1 = v + to_x, *const v2 = v + to_z, *const v3 = v + to_x + to_z;
        if (order_ == LerpOrder::kXyz) {
          out[i] = lerp3(fx_, fy_[i], fz_, v[0], v1[0], v[1], v1[1], v2[0], v3[0], v2[1], v3[1]);
        } else {
          out[i] = lerp3(fy_[i], fx_, fz_, v[0], v[1], v1[0], v1[1], v2[0], v2[1], v3[0], v3[1]);
        }
      }
      mask = all_;
      break;
    }
    default:
      HZ_CHECK(false);
  }
  done_[static_cast<std::size_t>(id)] |= mask;
}

float DensityEvaluator::spline_coordinate(NodeId id, std::int32_t lane) {
  if (program_->node(id).is_flat) return static_cast<float>(flat_value(id));
  return static_cast<float>(lanes(id, std::uint64_t{1} << lane)[lane]);
}

float DensityEvaluator::spline(std::int32_t index, std::int32_t lane) {
  const DensitySpline& s = program_->splines()[static_cast<std::size_t>(index)];
  if (s.coordinate < 0) return s.constant;
  const float input = spline_coordinate(s.coordinate, lane);
  const auto upper = std::ranges::upper_bound(s.locations, input);
  if (upper == s.locations.begin()) return extend(input, s, spline(s.values[0], lane), 0);
  const auto i = static_cast<std::size_t>(upper - s.locations.begin()) - 1;
  if (i + 1 == s.locations.size()) return extend(input, s, spline(s.values[i], lane), i);
  const float x1 = s.locations[i], x2 = s.locations[i + 1];
  const float t = (input - x1) / (x2 - x1);
  const float y1 = spline(s.values[i], lane), y2 = spline(s.values[i + 1], lane);
  const float a = s.derivatives[i] * (x2 - x1) - (y2 - y1);
  const float b = -s.derivatives[i + 1] * (x2 - x1) + (y2 - y1);
  return lerp(t, y1, y2) + t * (1.0F - t) * lerp(t, a, b);
}

double DensityEvaluator::top_surface(const DensityNode& n) {
  const auto lowest = static_cast<std::int32_t>(n.p0);
  const std::int32_t step = n.extra;
  const std::int32_t top = floor_int(flat_value(n.b) / step) * step;
  if (top <= lowest) return lowest;
  if (!surface_) surface_ = std::make_unique<DensityEvaluator>(*program_, flats_);
  constexpr std::int32_t kBatch = 8;
  std::array<std::int32_t, kBatch> y{};
  for (std::int32_t from = top; from >= lowest; from -= step * kBatch) {
    std::int32_t count = 0;
    for (std::int32_t at_y = from; at_y >= lowest && count < kBatch; at_y -= step) {
      y[static_cast<std::size_t>(count++)] = at_y;
    }
    surface_->at(x_, z_, y.data(), count, window_);
    const double* const density = surface_->lanes(n.a);
    for (std::int32_t i = 0; i < count; ++i) {
      if (density[i] > 0.0) return y[static_cast<std::size_t>(i)];
    }
  }
  return lowest;
}

// --- Flat columns --------------------------------------------------------

namespace {
std::size_t column_hash(std::int32_t x, std::int32_t z) {
  return static_cast<std::size_t>(static_cast<std::uint32_t>(x) + static_cast<std::uint32_t>(z) * 64U +
                                  (static_cast<std::uint32_t>(z) >> 6) * 7U);
}
}  // namespace

FlatColumns::FlatColumns(const DensityProgram& program)
    : program_(&program),
      inner_(program, nullptr),
      surface_(program, this),
      entries_(kEntries),
      values_(kEntries * static_cast<std::size_t>(std::max(1, program.flat_count()))),
      surfaces_(kSurfaceEntries) {}

double FlatColumns::get(std::int32_t slot, std::int32_t quart_x, std::int32_t quart_z) {
  const std::size_t at = column_hash(quart_x, quart_z) % kEntries;
  Entry& entry = entries_[at];
  double* const values = values_.data() + at * static_cast<std::size_t>(program_->flat_count());
  if (entry.quart_x != quart_x || entry.quart_z != quart_z) entry = {quart_x, quart_z, 0};
  if ((entry.known >> slot & 1) == 0) {
    if (inner_x_ != quart_x || inner_z_ != quart_z) {
      inner_.at(quart_x * 4, 0, quart_z * 4, {});
      inner_x_ = quart_x;
      inner_z_ = quart_z;
    }
    values[slot] = inner_.value(program_->node(program_->flat()[static_cast<std::size_t>(slot)]).a);
    entry.known |= 1U << slot;
  }
  return values[slot];
}

std::int32_t FlatColumns::preliminary_surface(std::int32_t quart_x, std::int32_t quart_z) {
  SurfaceEntry& entry = surfaces_[column_hash(quart_x, quart_z) % kSurfaceEntries];
  if (entry.quart_x != quart_x || entry.quart_z != quart_z) {
    surface_.at(quart_x * 4, 0, quart_z * 4, {});
    entry = {quart_x, quart_z, floor_int(surface_.value(program_->router().preliminary_surface))};
  }
  return entry.level;
}

}  // namespace horizon::worldgen
