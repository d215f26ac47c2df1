#include "shard/worldgen/terrain/aquifer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shard/worldgen/terrain/math.hpp"

namespace horizon::worldgen {

namespace {

// The grid of aquifer centres: one in each cell of 16 × 12 × 16, at a random place of its 10 × 9 × 10 corner.
constexpr std::int32_t kSpacingY = 12;
constexpr std::int32_t kSampleOffsetXz = -5, kSampleOffsetY = 1;
constexpr std::int32_t kNoFluidLevel = -2032 * 16;  ///< DimensionType.WAY_BELOW_MIN_Y
constexpr std::int32_t kSurfaceMargin = 8;

std::int32_t grid_y(std::int32_t y) { return floor_div(y, kSpacingY); }

double similarity(std::int32_t near, std::int32_t far) { return 1.0 - static_cast<double>(far - near) / 25.0; }
const double kFlowingSimilarity = similarity(10 * 10, 12 * 12);

/// Where the surface is looked at around a centre, in chunks; the first is the centre itself.
constexpr std::int32_t kSurfaceSamples[13][2] = {{0, 0},  {-2, -1}, {-1, -1}, {0, -1}, {1, -1}, {-3, 0}, {-2, 0},
                                                 {-1, 0}, {1, 0},   {-2, 1},  {-1, 1}, {0, 1},  {1, 1}};

bool is_lava(BlockState s) { return fluid(s) == Fluid::kLava; }
bool is_water(BlockState s) { return fluid(s) == Fluid::kWater; }

}  // namespace

TerrainSettings TerrainSettings::parse(const Json& json, Heights dimension) {
  TerrainSettings s;
  const Json& noise = field(json, "noise");
  const std::int32_t min_y = integer(noise, "min_y");
  const std::int32_t top = std::min(min_y + integer(noise, "height"), dimension.min_y + dimension.height);
  s.generated.min_y = std::max(min_y, dimension.min_y);
  s.generated.height = top - s.generated.min_y;
  const std::int32_t horizontal = integer(noise, "size_horizontal"), vertical = integer(noise, "size_vertical");
  if (horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4) throw FigureError("noise sizes are 1 to 4");
  s.cell_width = horizontal * 4;
  s.cell_height = vertical * 4;
  if (16 % s.cell_width != 0 || s.generated.height <= 0 || s.generated.height % s.cell_height != 0 ||
      floor_mod(s.generated.min_y, s.cell_height) != 0) {
    throw FigureError("the noise height and its cells do not fit together");
  }
  s.default_block = parse_state(field(json, "default_block"));
  s.default_fluid = parse_state(field(json, "default_fluid"));
  s.sea_level = integer(json, "sea_level");
  s.has_aquifers = bool_or(json, "aquifers_enabled", false);
  s.has_ore_veins = bool_or(json, "ore_veins_enabled", false);
  s.is_legacy = bool_or(json, "legacy_random_source", false);
  return s;
}

Aquifer::Aquifer(const DensityProgram& program, const TerrainSettings& settings, FlatColumns& flats)
    : program_(&program),
      settings_(settings),
      flats_(&flats),
      points_(program, &flats),
      lava_top_(std::min(-54, settings.sea_level)) {
  Random source = program.random().named("minecraft:aquifer");
  random_ = PositionalRandom(source);
}

void Aquifer::begin(ChunkPos chunk, FlatWindow window) {
  if (!settings_.has_aquifers) {
    skip_above_y_ = settings_.generated.min_y - 1;
    return;
  }
  window_ = window;
  const std::int32_t min_x = chunk.x * 16, min_z = chunk.z * 16;
  min_grid_x_ = (min_x + kSampleOffsetXz) >> 4;
  min_grid_z_ = (min_z + kSampleOffsetXz) >> 4;
  const std::int32_t max_grid_x = ((min_x + 15 + kSampleOffsetXz) >> 4) + 1;
  const std::int32_t max_grid_z = ((min_z + 15 + kSampleOffsetXz) >> 4) + 1;
  size_x_ = max_grid_x - min_grid_x_ + 1;
  size_z_ = max_grid_z - min_grid_z_ + 1;
  const Heights g = settings_.generated;
  min_grid_y_ = grid_y(g.min_y + kSampleOffsetY) - 1;
  const std::int32_t max_grid_y = grid_y(g.min_y + g.height + kSampleOffsetY) + 1;
  centres_.assign(static_cast<std::size_t>(size_x_ * size_z_ * (max_grid_y - min_grid_y_ + 1)), Centre{});
  layers_.resize(static_cast<std::size_t>(max_grid_y - min_grid_y_ + 1));
  column_x_ = column_z_ = INT32_MIN;
  std::int32_t highest = std::numeric_limits<std::int32_t>::min();
  for (std::int32_t z = min_grid_z_ * 16; z <= max_grid_z * 16 + 9; z += 4) {
    for (std::int32_t x = min_grid_x_ * 16; x <= max_grid_x * 16 + 9; x += 4) {
      highest = std::max(highest, flats_->preliminary_surface(x >> 2, z >> 2));
    }
  }
  const std::int32_t skip_grid_y = grid_y(highest + kSurfaceMargin + kSpacingY) + 1;
  skip_above_y_ = skip_grid_y * kSpacingY + 11 - 1;
}

std::optional<BlockState> Aquifer::at(std::int32_t x, std::int32_t y, std::int32_t z, double density) {
  flows_ = false;
  if (density > 0.0) return std::nullopt;
  const BlockState sea = global(y).at(y);
  if (!settings_.has_aquifers || y > skip_above_y_) return sea;
  if (is_lava(sea)) return blocks::kLava;

  if (x != column_x_ || z != column_z_) {
    column_x_ = x;
    column_z_ = z;
    layer_known_.assign(layers_.size(), false);
  }
  // The four nearest of twelve centres, as keys of distance and place: among equals the game takes the later one, in
  // the order x, y, z.
  const std::int32_t anchor_y = grid_y(y + kSampleOffsetY);
  std::array<std::int32_t, 4> keys;
  keys.fill(std::numeric_limits<std::int32_t>::max());
  for (std::int32_t dy = 0; dy < 3; ++dy) {
    const Layer& l = layer(anchor_y - 1 + dy);
    for (std::int32_t i = 0; i < 4; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int32_t away = l.y[at] - y;
      // Order of the loops: x (bit 1 of i) first, then y, then z (bit 0 of i).
      const std::int32_t place = (i >> 1) * 6 + dy * 2 + (i & 1);
      std::int32_t key = (l.flat_distance[at] + away * away) << 4 | (11 - place);
      for (std::int32_t& slot : keys) {
        const std::int32_t less = std::min(slot, key);
        key = std::max(slot, key);
        slot = less;
      }
    }
  }
  struct Near {
    std::int32_t distance;
    std::size_t centre;
  };
  std::array<Near, 4> nearest;
  const std::int32_t anchor_x = (x + kSampleOffsetXz) >> 4, anchor_z = (z + kSampleOffsetXz) >> 4;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::int32_t place = 11 - (keys[i] & 15);
    nearest[i] = {keys[i] >> 4,
                  index(anchor_x + place / 6, anchor_y - 1 + place / 2 % 3, anchor_z + place % 2)};
  }

  const Fluids first = fluids_of(nearest[0].centre);
  const double similarity12 = similarity(nearest[0].distance, nearest[1].distance);
  const BlockState result = first.at(y);
  if (similarity12 <= 0.0) {
    flows_ = similarity12 >= kFlowingSimilarity && !(first == fluids_of(nearest[1].centre));
    return result;
  }
  if (is_water(result) && is_lava(global(y - 1).at(y - 1))) {
    flows_ = true;
    return result;
  }
  double barrier = std::numeric_limits<double>::quiet_NaN();
  const Fluids second = fluids_of(nearest[1].centre);
  if (density + similarity12 * pressure(x, y, z, barrier, first, second) > 0.0) return std::nullopt;
  const Fluids third = fluids_of(nearest[2].centre);
  const double similarity13 = similarity(nearest[0].distance, nearest[2].distance);
  if (similarity13 > 0.0 &&
      density + similarity12 * similarity13 * pressure(x, y, z, barrier, first, third) > 0.0) {
    return std::nullopt;
  }
  const double similarity23 = similarity(nearest[1].distance, nearest[2].distance);
  if (similarity23 > 0.0 &&
      density + similarity12 * similarity23 * pressure(x, y, z, barrier, second, third) > 0.0) {
    return std::nullopt;
  }
  flows_ = !(first == second) || (similarity23 >= kFlowingSimilarity && !(second == third)) ||
           (similarity13 >= kFlowingSimilarity && !(first == third)) ||
           (similarity13 >= kFlowingSimilarity &&
            similarity(nearest[0].distance, nearest[3].distance) >= kFlowingSimilarity &&
            !(first == fluids_of(nearest[3].centre)));
  return result;
}

const Aquifer::Layer& Aquifer::layer(std::int32_t gy) {
  const auto at = static_cast<std::size_t>(gy - min_grid_y_);
  Layer& l = layers_[at];
  if (layer_known_[at]) return l;
  layer_known_[at] = true;
  for (std::int32_t i = 0; i < 4; ++i) {
    const std::int32_t gx = ((column_x_ + kSampleOffsetXz) >> 4) + (i >> 1);
    const std::int32_t gz = ((column_z_ + kSampleOffsetXz) >> 4) + (i & 1);
    Centre& c = centres_[index(gx, gy, gz)];
    if (!c.is_known) {
      Random random = random_.at(gx, gy, gz);
      c.x = gx * 16 + random.next_int(10);
      c.y = gy * kSpacingY + random.next_int(9);
      c.z = gz * 16 + random.next_int(10);
      c.is_known = true;
    }
    const std::int32_t dx = c.x - column_x_, dz = c.z - column_z_;
    l.flat_distance[static_cast<std::size_t>(i)] = dx * dx + dz * dz;
    l.y[static_cast<std::size_t>(i)] = c.y;
  }
  return l;
}

double Aquifer::pressure(std::int32_t x, std::int32_t y, std::int32_t z, double& barrier, const Fluids& a,
                         const Fluids& b) {
  const BlockState type_a = a.at(y), type_b = b.at(y);
  if ((is_lava(type_a) && is_water(type_b)) || (is_water(type_a) && is_lava(type_b))) return 2.0;
  const std::int32_t difference = std::abs(a.level - b.level);
  if (difference == 0) return 0.0;
  const double average = 0.5 * static_cast<double>(a.level + b.level);
  const double above = static_cast<double>(y) + 0.5 - average;
  const double towards_middle = static_cast<double>(difference) / 2.0 - std::abs(above);
  double gradient = 0;
  if (above > 0.0) {
    gradient = towards_middle > 0.0 ? towards_middle / 1.5 : towards_middle / 2.5;
  } else {
    const double from_bottom = 3.0 + towards_middle;
    gradient = from_bottom > 0.0 ? from_bottom / 3.0 : from_bottom / 10.0;
  }
  double noise = 0.0;
  if (gradient >= -2.0 && gradient <= 2.0) {
    if (std::isnan(barrier)) {
      points_.at(x, y, z, window_);
      barrier = points_.value(program_->router().barrier);
    }
    noise = barrier;
  }
  return 2.0 * (noise + gradient);
}

const Aquifer::Fluids& Aquifer::fluids_of(std::size_t centre) {
  Centre& c = centres_[centre];
  if (!c.has_fluids) {
    c.fluids = compute(c);
    c.has_fluids = true;
  }
  return c.fluids;
}

Aquifer::Fluids Aquifer::compute(const Centre& c) {
  const Fluids sea = global(c.y);
  const DensityProgram::Router& router = program_->router();
  std::int32_t lowest_surface = std::numeric_limits<std::int32_t>::max();
  bool is_under_sea = false;
  for (std::size_t i = 0; i < 13; ++i) {
    const std::int32_t x = c.x + kSurfaceSamples[i][0] * 16, z = c.z + kSurfaceSamples[i][1] * 16;
    const std::int32_t surface = flats_->preliminary_surface(x >> 2, z >> 2);
    const std::int32_t adjusted = surface + kSurfaceMargin;
    const bool is_centre = i == 0;
    if (is_centre && c.y - kSpacingY > adjusted) return sea;
    const bool pokes_out = c.y + kSpacingY > adjusted;
    if (pokes_out || is_centre) {
      const Fluids at_surface = global(adjusted);
      if (!is_air(at_surface.at(adjusted))) {
        if (is_centre) is_under_sea = true;
        if (pokes_out) return at_surface;
      }
    }
    lowest_surface = std::min(lowest_surface, surface);
  }

  points_.at(c.x, c.y, c.z, window_);
  double partly = -1.0, fully = -1.0;
  const bool is_deep_dark = points_.value(router.erosion) < static_cast<double>(-0.225F) &&
                            points_.value(router.depth) > static_cast<double>(0.9F);
  if (!is_deep_dark) {
    const double below_surface = lowest_surface + kSurfaceMargin - c.y;
    const double factor = is_under_sea ? clamped_map(below_surface, 0.0, 64.0, 1.0, 0.0) : 0.0;
    const double noise = std::clamp(points_.value(router.floodedness), -1.0, 1.0);
    partly = noise - map_range(factor, 1.0, 0.0, -0.8, 0.4);
    fully = noise - map_range(factor, 1.0, 0.0, -0.3, 0.8);
  }
  std::int32_t level = kNoFluidLevel;
  if (fully > 0.0) {
    level = sea.level;
  } else if (partly > 0.0) {
    const std::int32_t cell_y = floor_div(c.y, 40);
    points_.at(floor_div(c.x, 16), cell_y, floor_div(c.z, 16), window_);
    const double spread = points_.value(router.spread) * 10.0;
    level = std::min(lowest_surface, cell_y * 40 + 20 + floor_int(spread / 3.0) * 3);
  }
  BlockState type = sea.type;
  if (level <= -10 && level != kNoFluidLevel && !is_lava(sea.type)) {
    points_.at(floor_div(c.x, 64), floor_div(c.y, 40), floor_div(c.z, 64), window_);
    if (std::abs(points_.value(router.lava)) > 0.3) type = blocks::kLava;
  }
  return {level, type};
}

}  // namespace horizon::worldgen
