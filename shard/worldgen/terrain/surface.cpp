#include "shard/worldgen/terrain/surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/base/result.hpp"
#include "shard/worldgen/terrain/math.hpp"

namespace horizon::worldgen {

namespace {

constexpr std::int32_t kNoWater = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kFarBelow = -32512;  ///< DimensionType.WAY_BELOW_MIN_Y
constexpr std::int32_t kMaxNoiseConditions = 64;

std::int32_t truncate(double v) { return static_cast<std::int32_t>(v); }

}  // namespace

struct SurfaceRules::Rule {
  enum class Kind : std::uint8_t { kBlock, kSequence, kCondition, kBands } kind;
  BlockState state = 0;
  std::int32_t condition = -1, then = -1;
  std::vector<std::int32_t> sequence;
};

struct SurfaceRules::Condition {
  enum class Kind : std::uint8_t {
    kNot,
    kStoneDepth,
    kAbovePreliminarySurface,
    kHole,
    kSteep,
    kTemperature,
    kYAbove,
    kWater,
    kBiome,
    kNoise,
    kVerticalGradient,
  } kind;
  std::int32_t target = -1;  ///< negated condition
  std::int32_t offset = 0, depth_multiplier = 0, secondary_range = 0;
  bool adds_depth = false, is_ceiling = false;
  std::int32_t y = 0, y_false = 0;  ///< resolved anchors
  std::array<std::uint64_t, 4> biomes{};
  const NormalNoise* noise = nullptr;
  std::int32_t memo = -1;  ///< slot of a result that holds for a whole column
  double min = 0, max = 0;
  PositionalRandom random;
};

/// The state that rules look at: a column, and a block in it.
struct SurfaceRules::Column {
  const ProtoChunk& chunk;
  BiomeWindow& biomes;
  const BiomeZoom& zoom;
  FlatColumns& flats;
  std::int32_t x = 0, z = 0, y = 0;
  std::int32_t surface_depth = 0, stone_above = 0, stone_below = 0, water_height = kNoWater;
  std::optional<double> secondary;
  std::optional<std::int32_t> min_surface;
  std::optional<bool> is_steep;
  std::optional<BiomeId> biome;
  std::optional<std::array<std::int32_t, 4>> corners;  ///< preliminary surface at the chunk's corners
  std::uint64_t memo_known = 0, memo_value = 0;

  /// Biomes of the last group of eight cells that a zoom chose from: mostly they are one.
  BlockPos cells{INT32_MIN, 0, 0};
  bool is_uniform = false;
  BiomeId uniform_biome = 0;

  BiomeId biome_at(BlockPos p) {
    const BlockPos base{(p.x - 2) >> 2, (p.y - 2) >> 2, (p.z - 2) >> 2};
    if (base != cells) {
      cells = base;
      uniform_biome = biomes.at(base.x, base.y, base.z);
      is_uniform = true;
      for (std::int32_t i = 1; i < 8 && is_uniform; ++i) {
        is_uniform = biomes.at(base.x + (i & 1), base.y + (i >> 1 & 1), base.z + (i >> 2)) == uniform_biome;
      }
    }
    if (is_uniform) return uniform_biome;
    const BlockPos quart = zoom.quart_of(p);
    return biomes.at(quart.x, quart.y, quart.z);
  }
};

SurfaceRules::~SurfaceRules() = default;

SurfaceRules::SurfaceRules(const Json& rule, const TerrainSettings& settings, DensityProgram& program,
                           const BiomeClimates& climates)
    : settings_(settings),
      climates_(&climates),
      random_(program.random()),
      surface_(&program.named_noise("surface")),
      secondary_(&program.named_noise("surface_secondary")),
      band_offset_(&program.named_noise("clay_bands_offset")),
      badlands_pillar_(&program.named_noise("badlands_pillar")),
      badlands_roof_(&program.named_noise("badlands_pillar_roof")),
      badlands_surface_(&program.named_noise("badlands_surface")),
      iceberg_pillar_(&program.named_noise("iceberg_pillar")),
      iceberg_roof_(&program.named_noise("iceberg_pillar_roof")),
      iceberg_surface_(&program.named_noise("iceberg_surface")),
      eroded_badlands_(biome_id("eroded_badlands")),
      frozen_ocean_(biome_id("frozen_ocean")),
      deep_frozen_ocean_(biome_id("deep_frozen_ocean")) {
  root_ = compile_rule(rule, program);
  find_gradients();

  Random random = random_.named("minecraft:clay_bands");
  constexpr auto kBands = static_cast<std::int32_t>(std::tuple_size_v<decltype(bands_)>);
  const auto set = [this](std::int32_t i, BlockState s) { bands_[static_cast<std::size_t>(i)] = s; };
  bands_.fill(state("terracotta"));
  for (std::int32_t i = 0; i < kBands; ++i) {
    i += random.next_int(5) + 1;
    if (i < kBands) set(i, state("orange_terracotta"));
  }
  const auto add_bands = [&](std::int32_t min_width, BlockState s) {
    const std::int32_t count = random.next_int_between(6, 15);
    for (std::int32_t i = 0; i < count; ++i) {
      const std::int32_t width = min_width + random.next_int(3);
      const std::int32_t start = random.next_int(kBands);
      for (std::int32_t k = 0; k < width && start + k < kBands; ++k) set(start + k, s);
    }
  };
  add_bands(1, state("yellow_terracotta"));
  add_bands(2, state("brown_terracotta"));
  add_bands(1, state("red_terracotta"));
  const std::int32_t whites = random.next_int_between(9, 15);
  const BlockState light_gray = state("light_gray_terracotta");
  std::int32_t start = 0;
  for (std::int32_t i = 0; i < whites && start < kBands; ++i) {
    set(start, state("white_terracotta"));
    if (start - 1 > 0 && random.next_bool()) set(start - 1, light_gray);
    if (start + 1 < kBands && random.next_bool()) set(start + 1, light_gray);
    start += random.next_int(16) + 4;
  }
}

void SurfaceRules::find_gradients() {
  const Rule& root = rules_[static_cast<std::size_t>(root_)];
  if (root.kind != Rule::Kind::kSequence) return;
  for (const std::int32_t id : root.sequence) {
    const Rule& rule = rules_[static_cast<std::size_t>(id)];
    if (rule.kind != Rule::Kind::kCondition) return;
    const Condition& c = conditions_[static_cast<std::size_t>(rule.condition)];
    if (c.kind == Condition::Kind::kAbovePreliminarySurface) continue;
    const Rule& then = rules_[static_cast<std::size_t>(rule.then)];
    if (c.kind != Condition::Kind::kVerticalGradient || then.kind != Rule::Kind::kBlock) return;
    gradients_.push_back({rule.condition, then.state});
  }
  has_deep_shortcut_ = true;
}

bool SurfaceRules::gradient_holds(const Condition& c, std::int32_t x, std::int32_t y, std::int32_t z) const {
  if (y <= c.y) return true;
  if (y >= c.y_false) return false;
  const double chance = map_range(y, c.y, c.y_false, 1.0, 0.0);
  Random random = c.random.at(x, y, z);
  return static_cast<double>(random.next_float()) < chance;
}

void SurfaceRules::apply_gradients(ProtoChunk& chunk, std::int32_t x, std::int32_t z, std::int32_t from_y) const {
  std::vector<BlockState>& blocks = chunk.raw();
  const std::int32_t min_y = chunk.heights().min_y;
  std::int32_t top = min_y;
  for (const Gradient& g : gradients_) {
    top = std::max(top, conditions_[static_cast<std::size_t>(g.condition)].y_false);
  }
  for (std::int32_t y = std::min(from_y, top); y >= min_y; --y) {
    BlockState& s = blocks[chunk.index(x, y, z)];
    if (s != settings_.default_block) continue;
    for (const Gradient& g : gradients_) {
      if (gradient_holds(conditions_[static_cast<std::size_t>(g.condition)], x, y, z)) {
        s = g.state;
        break;
      }
    }
  }
}

std::int32_t SurfaceRules::compile_rule(const Json& json, DensityProgram& program) {
  const std::string_view type = type_of(json);
  Rule rule{};
  if (type == "block") {
    rule.kind = Rule::Kind::kBlock;
    rule.state = parse_state(field(json, "result_state"));
  } else if (type == "sequence") {
    rule.kind = Rule::Kind::kSequence;
    for (const Json& part : field(json, "sequence")) rule.sequence.push_back(compile_rule(part, program));
  } else if (type == "condition") {
    rule.kind = Rule::Kind::kCondition;
    rule.condition = compile_condition(field(json, "if_true"), program);
    rule.then = compile_rule(field(json, "then_run"), program);
  } else if (type == "bandlands") {
    rule.kind = Rule::Kind::kBands;
  } else {
    throw FigureError("unknown surface rule type \"" + std::string(type) + "\"");
  }
  rules_.push_back(std::move(rule));
  return static_cast<std::int32_t>(rules_.size()) - 1;
}

std::int32_t SurfaceRules::compile_condition(const Json& json, DensityProgram& program) {
  using Kind = Condition::Kind;
  const std::string_view type = type_of(json);
  Condition c{};
  if (type == "not") {
    c.kind = Kind::kNot;
    c.target = compile_condition(field(json, "invert"), program);
  } else if (type == "stone_depth") {
    c.kind = Kind::kStoneDepth;
    c.offset = integer(json, "offset");
    c.adds_depth = bool_or(json, "add_surface_depth", false);
    c.secondary_range = integer(json, "secondary_depth_range");
    c.is_ceiling = text(json, "surface_type") == "ceiling";
  } else if (type == "above_preliminary_surface") {
    c.kind = Kind::kAbovePreliminarySurface;
  } else if (type == "hole") {
    c.kind = Kind::kHole;
  } else if (type == "steep") {
    c.kind = Kind::kSteep;
  } else if (type == "temperature") {
    c.kind = Kind::kTemperature;
  } else if (type == "y_above") {
    c.kind = Kind::kYAbove;
    c.y = VerticalAnchor::parse(field(json, "anchor")).resolve(settings_.generated);
    c.depth_multiplier = integer(json, "surface_depth_multiplier");
    c.adds_depth = bool_or(json, "add_stone_depth", false);
  } else if (type == "water") {
    c.kind = Kind::kWater;
    c.offset = integer(json, "offset");
    c.depth_multiplier = integer(json, "surface_depth_multiplier");
    c.adds_depth = bool_or(json, "add_stone_depth", false);
  } else if (type == "biome") {
    c.kind = Kind::kBiome;
    const Json& list = field(json, "biome_is");
    for (const Json& name : list.is_array() ? list : Json::array({list})) {
      const BiomeId id = biome_id(name.get<std::string>());
      c.biomes[id / 64] |= std::uint64_t{1} << (id % 64);
    }
  } else if (type == "noise_threshold") {
    c.kind = Kind::kNoise;
    c.noise = &program.named_noise(text(json, "noise"));
    c.min = number(json, "min_threshold");
    c.max = number(json, "max_threshold");
    std::int32_t slots = 0;
    for (const Condition& other : conditions_) {
      if (other.kind != Kind::kNoise) continue;
      slots = std::max(slots, other.memo + 1);
      if (other.noise == c.noise && other.min == c.min && other.max == c.max) c.memo = other.memo;
    }
    if (c.memo < 0 && slots < kMaxNoiseConditions) c.memo = slots;
  } else if (type == "vertical_gradient") {
    c.kind = Kind::kVerticalGradient;
    c.y = VerticalAnchor::parse(field(json, "true_at_and_below")).resolve(settings_.generated);
    c.y_false = VerticalAnchor::parse(field(json, "false_at_and_above")).resolve(settings_.generated);
    Random source = program.random().named(with_namespace(text(json, "random_name")));
    c.random = PositionalRandom(source);
  } else {
    throw FigureError("unknown surface condition type \"" + std::string(type) + "\"");
  }
  conditions_.push_back(c);
  return static_cast<std::int32_t>(conditions_.size()) - 1;
}

std::optional<BlockState> SurfaceRules::run(std::int32_t id, Column& column) const {
  const Rule& rule = rules_[static_cast<std::size_t>(id)];
  switch (rule.kind) {
    case Rule::Kind::kBlock:
      return rule.state;
    case Rule::Kind::kSequence:
      for (const std::int32_t part : rule.sequence) {
        if (const auto s = run(part, column)) return s;
      }
      return std::nullopt;
    case Rule::Kind::kCondition:
      return test(rule.condition, column) ? run(rule.then, column) : std::nullopt;
    case Rule::Kind::kBands:
      return band(column.x, column.y, column.z);
  }
  return std::nullopt;
}

bool SurfaceRules::test(std::int32_t id, Column& column) const {
  using Kind = Condition::Kind;
  const Condition& c = conditions_[static_cast<std::size_t>(id)];
  switch (c.kind) {
    case Kind::kNot:
      return !test(c.target, column);
    case Kind::kStoneDepth: {
      std::int32_t secondary = 0;
      if (c.secondary_range != 0) {
        if (!column.secondary) column.secondary = secondary_->get(column.x, 0.0, column.z);
        secondary = truncate(map_range(*column.secondary, -1.0, 1.0, 0.0, c.secondary_range));
      }
      const std::int32_t depth = c.is_ceiling ? column.stone_below : column.stone_above;
      return depth <= 1 + c.offset + (c.adds_depth ? column.surface_depth : 0) + secondary;
    }
    case Kind::kAbovePreliminarySurface:
      return column.y >= min_surface_level(column);
    case Kind::kHole:
      return column.surface_depth <= 0;
    case Kind::kSteep: {
      if (!column.is_steep) {
        const std::int32_t x = column.x & 15, z = column.z & 15;
        const auto height = [&](std::int32_t at_x, std::int32_t at_z) {
          return column.chunk.height(HeightKind::kWorldSurfaceWg, at_x, at_z);
        };
        const std::int32_t north = height(x, std::max(z - 1, 0)), south = height(x, std::min(z + 1, 15));
        column.is_steep = south >= north + 4 ||
                          height(std::max(x - 1, 0), z) >= height(std::min(x + 1, 15), z) + 4;
      }
      return *column.is_steep;
    }
    case Kind::kTemperature:
      if (!column.biome) column.biome = column.biome_at({column.x, column.y, column.z});
      return climates_->cold_enough_to_snow(*column.biome, {column.x, column.y, column.z}, settings_.sea_level);
    case Kind::kYAbove:
      return column.y + (c.adds_depth ? column.stone_above : 0) >= c.y + column.surface_depth * c.depth_multiplier;
    case Kind::kWater:
      return column.water_height == kNoWater ||
             column.y + (c.adds_depth ? column.stone_above : 0) >=
                 column.water_height + c.offset + column.surface_depth * c.depth_multiplier;
    case Kind::kBiome:
      if (!column.biome) column.biome = column.biome_at({column.x, column.y, column.z});
      return (c.biomes[*column.biome / 64] >> (*column.biome % 64) & 1) != 0;
    case Kind::kNoise: {
      const std::uint64_t bit = c.memo < 0 ? 0 : std::uint64_t{1} << c.memo;
      if ((column.memo_known & bit) != 0) return (column.memo_value & bit) != 0;
      const double value = c.noise->get(column.x, 0.0, column.z);
      const bool result = value >= c.min && value <= c.max;
      column.memo_known |= bit;
      if (result) column.memo_value |= bit;
      return result;
    }
    case Kind::kVerticalGradient:
      return gradient_holds(c, column.x, column.y, column.z);
  }
  return false;
}

void SurfaceRules::begin_column(Column& column, std::int32_t x, std::int32_t z) const {
  column.x = x;
  column.z = z;
  column.secondary.reset();
  column.min_surface.reset();
  column.is_steep.reset();
  column.memo_known = column.memo_value = 0;
  Random random = random_.at(x, 0, z);
  const double noise = surface_->get(x, 0.0, z);
  column.surface_depth = truncate(noise * 2.75 + 3.0 + random.next_double() * 0.25);
}

std::int32_t SurfaceRules::min_surface_level(Column& column) const {
  if (!column.min_surface) {
    if (!column.corners) {
      const std::int32_t x = column.x >> 4 << 2, z = column.z >> 4 << 2;
      column.corners = {column.flats.preliminary_surface(x, z), column.flats.preliminary_surface(x + 4, z),
                        column.flats.preliminary_surface(x, z + 4), column.flats.preliminary_surface(x + 4, z + 4)};
    }
    const auto& c = *column.corners;
    const double level = lerp2((column.x & 15) / 16.0, (column.z & 15) / 16.0, c[0], c[1], c[2], c[3]);
    column.min_surface = floor_int(level) + column.surface_depth - 8;
  }
  return *column.min_surface;
}

BlockState SurfaceRules::band(std::int32_t x, std::int32_t y, std::int32_t z) const {
  const auto count = static_cast<std::int32_t>(bands_.size());
  const auto offset = static_cast<std::int32_t>(std::floor(band_offset_->get(x, 0.0, z) * 4.0 + 0.5));
  return bands_[static_cast<std::size_t>((y + offset + count) % count)];
}

void SurfaceRules::apply(ProtoChunk& chunk, BiomeWindow& biomes, const BiomeZoom& zoom, FlatColumns& flats) const {
  Column column{.chunk = chunk, .biomes = biomes, .zoom = zoom, .flats = flats};
  const std::int32_t min_y = chunk.heights().min_y;
  const auto is_stone = [](BlockState s) { return !is_air(s) && fluid(s) == Fluid::kNone; };
  for (std::int32_t dx = 0; dx < 16; ++dx) {
    for (std::int32_t dz = 0; dz < 16; ++dz) {
      const std::int32_t x = chunk.pos().x * 16 + dx, z = chunk.pos().z * 16 + dz;
      // The game counts both from one above the first free block.
      const std::int32_t start = chunk.height(HeightKind::kWorldSurfaceWg, dx, dz);
      const BiomeId surface_biome = column.biome_at({x, settings_.is_legacy ? 0 : start, z});
      if (surface_biome == eroded_badlands_) extend_eroded_badlands(chunk, x, z, start);
      const std::int32_t height = chunk.height(HeightKind::kWorldSurfaceWg, dx, dz);
      begin_column(column, x, z);
      std::int32_t stone_above = 0, water_height = kNoWater;
      std::int32_t ceiling = std::numeric_limits<std::int32_t>::max();
      const std::int32_t lowest = has_deep_shortcut_ ? std::max(min_y, min_surface_level(column)) : min_y;
      for (std::int32_t y = height; y >= lowest; --y) {
        const BlockState old = chunk.get(x, y, z);
        if (is_air(old)) {
          stone_above = 0;
          water_height = kNoWater;
          continue;
        }
        if (fluid(old) != Fluid::kNone) {
          if (water_height == kNoWater) water_height = y + 1;
          continue;
        }
        if (ceiling >= y) {
          ceiling = kFarBelow;
          for (std::int32_t below = y - 1; below >= min_y - 1; --below) {
            if (!is_stone(chunk.get(x, below, z))) {
              ceiling = below + 1;
              break;
            }
          }
        }
        ++stone_above;
        if (old != settings_.default_block) continue;
        column.y = y;
        column.stone_above = stone_above;
        column.stone_below = y - ceiling + 1;
        column.water_height = water_height;
        column.biome.reset();
        if (const auto s = run(root_, column)) {
          chunk.set(x, y, z, *s);
          if (fluid(*s) != Fluid::kNone) chunk.post_processing.push_back({x, y, z});
        }
      }
      if (has_deep_shortcut_) apply_gradients(chunk, x, z, std::min(lowest - 1, height));
      if (surface_biome == frozen_ocean_ || surface_biome == deep_frozen_ocean_) {
        extend_frozen_ocean(chunk, column, surface_biome, x, z, start);
      }
    }
  }
}

std::optional<BlockState> SurfaceRules::top_material(const ProtoChunk& chunk, BiomeWindow& biomes,
                                                     const BiomeZoom& zoom, FlatColumns& flats, BlockPos p,
                                                     bool is_under_fluid) const {
  Column column{.chunk = chunk, .biomes = biomes, .zoom = zoom, .flats = flats};
  begin_column(column, p.x, p.z);
  column.y = p.y;
  column.stone_above = column.stone_below = 1;
  column.water_height = is_under_fluid ? p.y + 1 : kNoWater;
  return run(root_, column);
}

void SurfaceRules::extend_eroded_badlands(ProtoChunk& chunk, std::int32_t x, std::int32_t z,
                                          std::int32_t height) const {
  const double buffer = std::min(std::abs(badlands_surface_->get(x, 0.0, z) * 8.25),
                                 badlands_pillar_->get(x * 0.2, 0.0, z * 0.2) * 15.0);
  if (buffer <= 0.0) return;
  const double floor = std::abs(badlands_roof_->get(x * 0.75, 0.0, z * 0.75) * 1.5);
  const std::int32_t top = floor_int(64.0 + std::min(buffer * buffer * 2.5, std::ceil(floor * 50.0) + 24.0));
  if (height > top) return;
  const std::int32_t min_y = chunk.heights().min_y;
  static const BlockId kWater = block("water");
  for (std::int32_t y = top; y >= min_y; --y) {
    const BlockState s = chunk.get(x, y, z);
    if (game::block_of(s) == game::block_of(settings_.default_block)) break;
    if (is(s, kWater)) return;
  }
  for (std::int32_t y = top; y >= min_y && is_air(chunk.get(x, y, z)); --y) {
    chunk.set(x, y, z, settings_.default_block);
  }
}

void SurfaceRules::extend_frozen_ocean(ProtoChunk& chunk, Column& column, BiomeId biome, std::int32_t x,
                                       std::int32_t z, std::int32_t height) const {
  const double iceberg = std::min(std::abs(iceberg_surface_->get(x, 0.0, z) * 8.25),
                                  iceberg_pillar_->get(x * 1.28, 0.0, z * 1.28) * 15.0);
  if (iceberg <= 1.8) return;
  const std::int32_t sea = settings_.sea_level;
  const double roof = std::abs(iceberg_roof_->get(x * 1.17, 0.0, z * 1.17) * 1.5);
  double top = std::min(iceberg * iceberg * 1.2, std::ceil(roof * 40.0) + 14.0);
  if (climates_->temperature(biome, {x, sea, z}, sea) > 0.1F) top -= 2.0;
  double bottom = 0.0;
  if (top > 2.0) {
    bottom = static_cast<double>(sea) - top - 7.0;
    top += static_cast<double>(sea);
  } else {
    top = 0.0;
  }
  static const BlockId kWater = block("water");
  static const BlockState kSnowBlock = state("snow_block"), kPackedIce = state("packed_ice");
  Random random = random_.at(x, 0, z);
  const std::int32_t max_snow = 2 + random.next_int(4);
  const std::int32_t min_snow_y = sea + 18 + random.next_int(10);
  std::int32_t snow = 0;
  for (std::int32_t y = std::max(height, truncate(top) + 1); y >= min_surface_level(column); --y) {
    const BlockState s = chunk.get(x, y, z);
    const bool is_ice = (is_air(s) && y < truncate(top) && random.next_double() > 0.01) ||
                        (is(s, kWater) && y > truncate(bottom) && y < sea && bottom != 0.0 &&
                         random.next_double() > 0.15);
    if (!is_ice) continue;
    if (snow <= max_snow && y > min_snow_y) {
      chunk.set(x, y, z, kSnowBlock);
      ++snow;
    } else {
      chunk.set(x, y, z, kPackedIce);
    }
  }
}

}  // namespace horizon::worldgen
