#include "shard/worldgen/terrain/beardifier.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "shard/worldgen/terrain/math.hpp"

namespace horizon::worldgen {

namespace {

constexpr std::int32_t kReach = 12;       ///< blocks around a piece that it shapes
constexpr std::int32_t kKernel = 2 * kReach;
constexpr std::int32_t kMargin = 24;

double square_length(double x, double y, double z) { return x * x + y * y + z * z; }

const std::vector<float>& kernel() {
  static const std::vector<float> kWeights = [] {
    std::vector<float> weights;
    weights.reserve(kKernel * kKernel * kKernel);
    for (std::int32_t z = -kReach; z < kReach; ++z) {
      for (std::int32_t x = -kReach; x < kReach; ++x) {
        for (std::int32_t y = -kReach; y < kReach; ++y) {
          weights.push_back(static_cast<float>(std::pow(std::numbers::e, -square_length(x, y + 0.5, z) / 16.0)));
        }
      }
    }
    return weights;
  }();
  return kWeights;
}

/// The classic inverse square root with one Newton step: the game's own error is part of the result.
double rough_inverse_sqrt(double x) {
  const double half = 0.5 * x;
  const std::int64_t guess = 6910469410427058090LL - (std::bit_cast<std::int64_t>(x) >> 1);
  const double y = std::bit_cast<double>(guess);
  return y * (1.5 - half * y * y);
}

double bury(double dx, double dy, double dz) {
  return clamped_map(std::sqrt(square_length(dx, dy, dz)), 0.0, 6.0, 1.0, 0.0);
}

double beard(std::int32_t dx, std::int32_t dy, std::int32_t dz, std::int32_t to_ground) {
  const std::int32_t x = dx + kReach, y = dy + kReach, z = dz + kReach;
  const auto is_inside = [](std::int32_t i) { return i >= 0 && i < kKernel; };
  if (!is_inside(x) || !is_inside(y) || !is_inside(z)) return 0.0;
  const double height = static_cast<double>(to_ground) + 0.5;
  const double value = -height * rough_inverse_sqrt(square_length(dx, height, dz) / 2.0) / 2.0;
  return value * static_cast<double>(kernel()[static_cast<std::size_t>((z * kKernel + x) * kKernel + y)]);
}

}  // namespace

Beardifier::Beardifier(std::span<const std::shared_ptr<const StructureStart>> starts, ChunkPos chunk) {
  const std::int32_t min_x = chunk.x * 16, min_z = chunk.z * 16;
  const auto include = [this](const Box& box) {
    if (has_any_) {
      affected_.encapsulate(box);
    } else {
      affected_ = box;
      has_any_ = true;
    }
  };
  for (const auto& start : starts) {
    const TerrainAdaptation adaptation = start->structure->adaptation;
    if (adaptation == TerrainAdaptation::kNone) continue;
    for (const auto& piece : start->pieces) {
      if (!piece->box().intersects(min_x - kReach, min_z - kReach, min_x + 15 + kReach, min_z + 15 + kReach)) continue;
      if (!piece->is_jigsaw() || piece->projection() == Projection::kRigid) {
        rigids_.push_back({piece->box(), adaptation, piece->is_jigsaw() ? piece->ground_level_delta() : 0});
        include(piece->box());
      }
      for (const JigsawJunction& j : piece->junctions()) {
        if (j.source_x > min_x - kReach && j.source_z > min_z - kReach && j.source_x < min_x + 15 + kReach &&
            j.source_z < min_z + 15 + kReach) {
          junctions_.push_back(j);
          include({j.source_x, j.source_ground_y, j.source_z, j.source_x, j.source_ground_y, j.source_z});
        }
      }
    }
  }
  if (has_any_) affected_ = affected_.inflated(kMargin);
}

double Beardifier::density(std::int32_t x, std::int32_t y, std::int32_t z) const {
  if (!has_any_ || !affected_.contains({x, y, z})) return 0.0;
  double sum = 0.0;
  for (const Rigid& r : rigids_) {
    const std::int32_t dx = std::max(0, std::max(r.box.min_x - x, x - r.box.max_x));
    const std::int32_t dz = std::max(0, std::max(r.box.min_z - z, z - r.box.max_z));
    const std::int32_t ground = r.box.min_y + r.ground_level_delta;
    const std::int32_t to_ground = y - ground;
    switch (r.adaptation) {
      case TerrainAdaptation::kNone:
        break;
      case TerrainAdaptation::kBury:
        sum += bury(dx, static_cast<double>(to_ground) / 2.0, dz);
        break;
      case TerrainAdaptation::kBeardThin:
        sum += beard(dx, to_ground, dz, to_ground) * 0.8;
        break;
      case TerrainAdaptation::kBeardBox:
        sum += beard(dx, std::max(0, std::max(ground - y, y - r.box.max_y)), dz, to_ground) * 0.8;
        break;
      case TerrainAdaptation::kEncapsulate: {
        const double dy = std::max(0, std::max(r.box.min_y - y, y - r.box.max_y));
        sum += bury(dx / 2.0, dy / 2.0, dz / 2.0) * 0.8;
        break;
      }
    }
  }
  for (const JigsawJunction& j : junctions_) {
    const std::int32_t dy = y - j.source_ground_y;
    sum += beard(x - j.source_x, dy, z - j.source_z, dy) * 0.4;
  }
  return sum;
}

}  // namespace horizon::worldgen
