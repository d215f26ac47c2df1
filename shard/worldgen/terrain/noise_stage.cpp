#include "shard/worldgen/terrain/noise_stage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/base/result.hpp"
#include "shard/worldgen/terrain/math.hpp"

namespace horizon::worldgen {

namespace {

/// What is known of a cell before its blocks are looked at.
enum CellKind : std::uint8_t {
  kMixed = 0,      ///< each block decides
  kRock = 1,       ///< density above 0 everywhere
  kRockNoVein = 2,  ///< the same, and no ore vein comes near
  kOpen = 3,       ///< density at or below 0 everywhere, above all aquifers: only the sea and air
};

/// A large ore vein. Source: the game's ore veinifier.
struct VeinType {
  BlockState ore, raw_ore, filler;
  std::int32_t min_y, max_y;
};
const VeinType& copper_vein() {
  static const VeinType kVein{state("copper_ore"), state("raw_copper_block"), state("granite"), 0, 50};
  return kVein;
}
const VeinType& iron_vein() {
  static const VeinType kVein{state("deepslate_iron_ore"), state("raw_iron_block"), state("tuff"), -60, -8};
  return kVein;
}
constexpr std::int32_t kVeinMinY = -60, kVeinMaxY = 50;
constexpr double kVeinThreshold = 0.4F;

}  // namespace

NoiseStage::NoiseStage(const DensityProgram& program, const TerrainSettings& settings)
    : program_(&program),
      settings_(settings),
      flats_(program),
      corners_eval_(program, &flats_),
      blocks_eval_(program, &flats_),
      veins_eval_(program, &flats_),
      aquifer_(program, settings, flats_),
      cells_y_(settings.generated.height / settings.cell_height),
      bounds_(program.nodes().size()),
      bounds_known_(program.nodes().size()) {
  Random source = program.random().named("minecraft:ore");
  ore_random_ = PositionalRandom(source);
  for (std::int32_t i = 0; i <= cells_y_; ++i) {
    corner_ys_.push_back(settings.generated.min_y + i * settings.cell_height);
  }
  corners_.values.resize(static_cast<std::size_t>(program.interpolated_count()));
}

void NoiseStage::fill_corners(std::int32_t min_x, std::int32_t min_z, std::int32_t cells) {
  const std::int32_t side = cells + 1, height = cells_y_ + 1;
  corners_.corners_y = height;
  corners_.corners_z = side;
  for (auto& values : corners_.values) values.resize(static_cast<std::size_t>(side * side * height));
  window_ = {min_x >> 2, min_z >> 2, cells * settings_.cell_width / 4 + 1};
  for (std::int32_t ix = 0; ix < side; ++ix) {
    for (std::int32_t iz = 0; iz < side; ++iz) {
      const std::size_t column = static_cast<std::size_t>((ix * side + iz) * height);
      for (std::int32_t from = 0; from < height; from += kLanes) {
        const std::int32_t n = std::min(kLanes, height - from);
        corners_eval_.at(min_x + ix * settings_.cell_width, min_z + iz * settings_.cell_width, &corner_ys_[static_cast<std::size_t>(from)], n,
                         window_);
        for (std::size_t slot = 0; slot < corners_.values.size(); ++slot) {
          const double* const lanes = corners_eval_.lanes(program_->node(program_->interpolated()[slot]).a);
          std::copy_n(lanes, n, corners_.values[slot].data() + column + static_cast<std::size_t>(from));
        }
      }
    }
  }
}

NoiseStage::Bounds NoiseStage::bounds(NodeId id, std::int32_t cell_x, std::int32_t cell_y, std::int32_t cell_z) {
  const auto at = static_cast<std::size_t>(id);
  if (bounds_known_[at] == bounds_stamp_) return bounds_[at];
  const DensityNode& n = program_->node(id);
  Bounds result{n.min, n.max};
  const auto of = [&](NodeId operand) { return bounds(operand, cell_x, cell_y, cell_z); };
  switch (n.op) {
    case DensityOp::kAdd: {
      const Bounds a = of(n.a), b = of(n.b);
      result = {a.min + b.min, a.max + b.max};
      break;
    }
    case DensityOp::kMultiply: {
      const Bounds a = of(n.a), b = of(n.b);
      const double products[] = {a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max};
      result = {*std::ranges::min_element(products), *std::ranges::max_element(products)};
      break;
    }
    case DensityOp::kMin: {
      const Bounds a = of(n.a), b = of(n.b);
      result = {std::min(a.min, b.min), std::min(a.max, b.max)};
      break;
    }
    case DensityOp::kMax: {
      const Bounds a = of(n.a), b = of(n.b);
      result = {std::max(a.min, b.min), std::max(a.max, b.max)};
      break;
    }
    case DensityOp::kSqueeze: {
      const auto squeeze = [](double v) {
        const double c = std::clamp(v, -1.0, 1.0);
        return c / 2.0 - c * c * c / 24.0;
      };
      const Bounds a = of(n.a);
      result = {squeeze(a.min), squeeze(a.max)};
      break;
    }
    case DensityOp::kClamp: {
      const Bounds a = of(n.a);
      result = {std::clamp(a.min, n.p0, n.p1), std::clamp(a.max, n.p0, n.p1)};
      break;
    }
    case DensityOp::kAbs: {
      const Bounds a = of(n.a);
      const double low = a.min > 0 ? a.min : (a.max < 0 ? -a.max : 0.0);
      result = {low, std::max(std::abs(a.min), std::abs(a.max))};
      break;
    }
    case DensityOp::kRangeChoice: {
      const Bounds a = of(n.a);
      if (a.min >= n.p0 && a.max < n.p1) {
        result = of(n.b);
      } else if (a.max < n.p0 || a.min >= n.p1) {
        result = of(n.c);
      } else {
        const Bounds b = of(n.b), c = of(n.c);
        result = {std::min(b.min, c.min), std::max(b.max, c.max)};
      }
      break;
    }
    case DensityOp::kYGradient: {
      const double bottom = settings_.generated.min_y + cell_y * settings_.cell_height;
      const double a = clamped_map(bottom, n.p0, n.p1, n.p2, n.p3);
      const double b = clamped_map(bottom + settings_.cell_height - 1, n.p0, n.p1, n.p2, n.p3);
      result = {std::min(a, b), std::max(a, b)};
      break;
    }
    case DensityOp::kInterpolated: {
      const double* const v = corners_.values[static_cast<std::size_t>(n.index)].data() +
                              static_cast<std::size_t>((cell_x * corners_.corners_z + cell_z) * corners_.corners_y + cell_y);
      const std::int32_t to_z = corners_.corners_y, to_x = corners_.corners_z * corners_.corners_y;
      const double values[] = {v[0], v[1], v[to_x], v[to_x + 1], v[to_z], v[to_z + 1], v[to_x + to_z], v[to_x + to_z + 1]};
      const auto [low, high] = std::ranges::minmax(values);
      // Interpolation may round past a corner by an ulp or two.
      const double slack = 1e-12 * std::max(std::abs(low), std::abs(high));
      result = {low - slack, high + slack};
      break;
    }
    default:
      break;
  }
  bounds_known_[at] = bounds_stamp_;
  bounds_[at] = result;
  return result;
}

void NoiseStage::decide_cells(std::int32_t cell_x, std::int32_t cell_z, const Beardifier* beardifier,
                              std::int32_t min_x, std::int32_t min_z, std::uint8_t* cells) {
  const bool has_beard = beardifier != nullptr && !beardifier->is_empty();
  for (std::int32_t cell_y = 0; cell_y < cells_y_; ++cell_y) {
    cells[cell_y] = kMixed;
    const std::int32_t y = settings_.generated.min_y + cell_y * settings_.cell_height;
    const std::int32_t top = y + settings_.cell_height - 1;
    if (has_beard) {
      const std::int32_t x = min_x + cell_x * settings_.cell_width, z = min_z + cell_z * settings_.cell_width;
      const Box box{x, y, z, x + settings_.cell_width - 1, top, z + settings_.cell_width - 1};
      if (beardifier->affected().intersects(box)) continue;
    }
    ++bounds_stamp_;
    const Bounds b = bounds(program_->router().final_density, cell_x, cell_y, cell_z);
    if (b.min > 0.0) {
      cells[cell_y] = kRock;
      if (!settings_.has_ore_veins || top < kVeinMinY || y > kVeinMaxY) {
        cells[cell_y] = kRockNoVein;
      } else {
        const Bounds toggle = bounds(program_->router().vein_toggle, cell_x, cell_y, cell_z);
        if (std::max(std::abs(toggle.min), std::abs(toggle.max)) < kVeinThreshold) cells[cell_y] = kRockNoVein;
      }
    } else if (b.max <= 0.0 && y > aquifer_.skip_above_y()) {
      cells[cell_y] = kOpen;
    }
  }
}

BlockState NoiseStage::vein_or_rock(std::int32_t x, std::int32_t y, std::int32_t z, double toggle,
                                    std::int32_t lane) {
  const VeinType& vein = toggle > 0.0 ? copper_vein() : iron_vein();
  const double veininess = std::abs(toggle);
  const std::int32_t edge = std::min(vein.max_y - y, y - vein.min_y);
  if (edge < 0) return settings_.default_block;
  if (veininess + clamped_map(edge, 0.0, 20.0, -0.2, 0.0) < kVeinThreshold) return settings_.default_block;
  Random random = ore_random_.at(x, y, z);
  if (random.next_float() > 0.7F) return settings_.default_block;
  const std::uint64_t one = std::uint64_t{1} << lane;
  if (veins_eval_.lanes(program_->router().vein_ridged, one)[lane] >= 0.0) return settings_.default_block;
  const double richness = clamped_map(veininess, kVeinThreshold, static_cast<double>(0.6F),
                                      static_cast<double>(0.1F), static_cast<double>(0.3F));
  if (static_cast<double>(random.next_float()) < richness &&
      veins_eval_.lanes(program_->router().vein_gap, one)[lane] > static_cast<double>(-0.3F)) {
    return random.next_float() < 0.02F ? vein.raw_ore : vein.ore;
  }
  return vein.filler;
}

template <typename Put>
void NoiseStage::fill_column(std::int32_t x, std::int32_t z, std::int32_t corner_x, std::int32_t corner_z,
                             const Beardifier* beardifier, const std::uint8_t* cells, Put&& put) {
  const std::int32_t width = settings_.cell_width, height = settings_.cell_height;
  const double fx = static_cast<double>(floor_mod(x, width)) / width;
  const double fz = static_cast<double>(floor_mod(z, width)) / width;
  std::array<std::int32_t, kLanes> y{}, corner_y{};
  std::array<double, kLanes> fy{};
  std::int32_t cell = cells_y_ - 1;
  while (cell >= 0) {
    const std::int32_t bottom = settings_.generated.min_y + cell * height;
    if (cells[cell] == kRockNoVein) {
      for (std::int32_t i = height - 1; i >= 0; --i) put(bottom + i, settings_.default_block, false);
      --cell;
      continue;
    }
    if (cells[cell] == kOpen) {
      for (std::int32_t i = height - 1; i >= 0; --i) put(bottom + i, *aquifer_.at(x, bottom + i, z, -1.0), false);
      --cell;
      continue;
    }
    // A batch of cells of one kind, from the top down; cells of other kinds between them end it.
    const std::uint8_t kind = cells[cell];
    std::int32_t n = 0;
    std::uint64_t veined = 0;
    while (cell >= 0 && cells[cell] == kind && n + height <= kLanes) {
      const std::int32_t cell_bottom = settings_.generated.min_y + cell * height;
      if (settings_.has_ore_veins && cell_bottom <= kVeinMaxY && cell_bottom + height > kVeinMinY) {
        veined |= ((std::uint64_t{1} << height) - 1) << n;
      }
      for (std::int32_t i = height - 1; i >= 0; --i, ++n) {
        const auto lane = static_cast<std::size_t>(n);
        corner_y[lane] = cell;
        y[lane] = cell_bottom + i;
        fy[lane] = static_cast<double>(i) / height;
      }
      --cell;
    }
    const double* density = nullptr;
    if (kind == kMixed) {
      blocks_eval_.at(x, z, y.data(), n, window_);
      blocks_eval_.set_cells(&corners_, corner_x, corner_z, fx, fz, corner_y.data(), fy.data(),
                             DensityEvaluator::LerpOrder::kXyz);
      density = blocks_eval_.lanes(program_->router().final_density);
    }
    const double* toggle = nullptr;
    if (veined != 0) {
      veins_eval_.at(x, z, y.data(), n, window_);
      veins_eval_.set_cells(&corners_, corner_x, corner_z, fx, fz, corner_y.data(), fy.data(),
                            DensityEvaluator::LerpOrder::kYxz);
      toggle = veins_eval_.lanes(program_->router().vein_toggle, veined);
    }
    for (std::int32_t lane = 0; lane < n; ++lane) {
      const std::int32_t block_y = y[static_cast<std::size_t>(lane)];
      double d = 1.0;
      if (kind == kMixed) {
        d = density[lane];
        if (beardifier != nullptr) d += beardifier->density(x, block_y, z);
      }
      // Far out in the end the density is not a number; the game leaves air there.
      if (!(d > 0.0)) {
        if (const auto open = aquifer_.at(x, block_y, z, d)) {
          put(block_y, *open, aquifer_.flows());
          continue;
        }
      }
      put(block_y,
          (veined >> lane & 1) != 0 ? vein_or_rock(x, block_y, z, toggle[lane], lane) : settings_.default_block, false);
    }
  }
}

void NoiseStage::fill(ProtoChunk& chunk, const Beardifier& beardifier) {
  const std::int32_t min_x = chunk.pos().x * 16, min_z = chunk.pos().z * 16;
  const std::int32_t cells = 16 / settings_.cell_width;
  fill_corners(min_x, min_z, cells);
  aquifer_.begin(chunk.pos(), window_);
  const Beardifier* const beard = beardifier.is_empty() ? nullptr : &beardifier;
  std::vector<std::uint8_t> kinds(static_cast<std::size_t>(cells_y_));
  std::vector<BlockState>& blocks = chunk.raw();
  for (std::int32_t cell_x = 0; cell_x < cells; ++cell_x) {
    for (std::int32_t cell_z = 0; cell_z < cells; ++cell_z) {
      decide_cells(cell_x, cell_z, beard, min_x, min_z, kinds.data());
      for (std::int32_t dx = 0; dx < settings_.cell_width; ++dx) {
        for (std::int32_t dz = 0; dz < settings_.cell_width; ++dz) {
          const std::int32_t x = min_x + cell_x * settings_.cell_width + dx;
          const std::int32_t z = min_z + cell_z * settings_.cell_width + dz;
          fill_column(x, z, cell_x, cell_z, beard, kinds.data(), [&](std::int32_t y, BlockState s, bool flows) {
            blocks[chunk.index(x, y, z)] = s;
            if (flows && fluid(s) != Fluid::kNone) chunk.post_processing.push_back({x, y, z});
          });
        }
      }
    }
  }
  chunk.prime_heights({HeightKind::kWorldSurfaceWg, HeightKind::kOceanFloorWg});
}

void NoiseStage::begin_aquifer(ChunkPos chunk) {
  window_ = {chunk.x * 4, chunk.z * 4, 5};
  aquifer_.begin(chunk, window_);
}

void NoiseStage::column(std::int32_t x, std::int32_t z, std::vector<BlockState>& states) {
  const std::int32_t width = settings_.cell_width;
  const std::int32_t min_x = floor_div(x, width) * width, min_z = floor_div(z, width) * width;
  fill_corners(min_x, min_z, 1);
  aquifer_.begin(ChunkPos::of({x, 0, z}), window_);
  states.assign(static_cast<std::size_t>(settings_.generated.height), blocks::kAir);
  std::vector<std::uint8_t> kinds(static_cast<std::size_t>(cells_y_));
  decide_cells(0, 0, nullptr, min_x, min_z, kinds.data());
  fill_column(x, z, 0, 0, nullptr, kinds.data(), [&](std::int32_t y, BlockState s, bool) {
    states[static_cast<std::size_t>(y - settings_.generated.min_y)] = s;
  });
}

std::int32_t NoiseStage::first_free_height(std::int32_t x, std::int32_t z, HeightKind kind) {
  HZ_CHECK(kind == HeightKind::kWorldSurfaceWg || kind == HeightKind::kOceanFloorWg);
  std::vector<BlockState> states;
  column(x, z, states);
  for (std::size_t i = states.size(); i-- > 0;) {
    const bool counts = kind == HeightKind::kWorldSurfaceWg ? !is_air(states[i]) : blocks_motion(states[i]);
    if (counts) return settings_.generated.min_y + static_cast<std::int32_t>(i) + 1;
  }
  return settings_.generated.min_y;
}

}  // namespace horizon::worldgen
