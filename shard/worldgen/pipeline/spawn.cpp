#include "shard/worldgen/pipeline/spawn.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "shard/worldgen/base/survival.hpp"

namespace horizon::worldgen {

namespace {

constexpr std::int64_t kSearchRadius = 2048;

/// Distance of a climate from a target of the noise settings' spawn_target.
struct Target {
  std::array<std::pair<std::int64_t, std::int64_t>, 6> ranges;  ///< in the order of Climate
  std::int64_t offset;

  std::int64_t distance(const Climate& climate) const {
    std::int64_t sum = offset * offset;
    for (std::size_t i = 0; i < 6; ++i) {
      const std::int64_t value = climate[i];
      const std::int64_t out = std::max<std::int64_t>({value - ranges[i].second, ranges[i].first - value, 0});
      sum += out * out;
    }
    return sum;
  }
};

std::vector<Target> parse_targets(const Json& list) {
  constexpr std::array kAxes = {"temperature", "humidity", "continentalness", "erosion", "depth", "weirdness"};
  std::vector<Target> targets;
  for (const Json& json : list) {
    Target target{};
    for (std::size_t i = 0; i < kAxes.size(); ++i) {
      const Json& range = field(json, kAxes[i]);
      const bool is_range = range.is_array() && range.size() == 2;
      if (!is_range && !range.is_number()) throw FigureError("spawn_target needs numbers or ranges");
      target.ranges[i] = {quantise_climate((is_range ? range[0] : range).get<double>()),
                          quantise_climate((is_range ? range[1] : range).get<double>())};
    }
    target.offset = quantise_climate(number(json, "offset"));
    targets.push_back(target);
  }
  return targets;
}

/// The chunk whose climate suits a start best, near the origin.
ChunkPos climate_spawn(const Dimension& dimension) {
  const std::vector<Target> targets = parse_targets(dimension.spawn_targets());
  if (targets.empty()) return {};
  FlatColumns flats(dimension.program());
  BiomeSource::Sampler sampler(dimension.biome_source(), dimension.program(), flats);
  struct Best {
    std::int32_t x, z;
    std::int64_t fitness;
  };
  const auto at = [&](std::int32_t x, std::int32_t z) {
    Climate climate = sampler.climate(x >> 2, 0, z >> 2);
    climate[4] = 0;
    std::int64_t least = INT64_MAX;
    for (const Target& target : targets) least = std::min(least, target.distance(climate));
    return Best{x, z, least * kSearchRadius * kSearchRadius + std::int64_t{x} * x + std::int64_t{z} * z};
  };
  Best best = at(0, 0);
  const auto search = [&](float max_radius, float step) {
    const Best origin = best;
    float angle = 0.0F, radius = step;
    while (radius <= max_radius) {
      const auto dx = static_cast<std::int32_t>(std::sin(static_cast<double>(angle)) * static_cast<double>(radius));
      const auto dz = static_cast<std::int32_t>(std::cos(static_cast<double>(angle)) * static_cast<double>(radius));
      const Best candidate = at(origin.x + dx, origin.z + dz);
      if (candidate.fitness < best.fitness) best = candidate;
      angle += step / radius;
      if (static_cast<double>(angle) > std::numbers::pi * 2.0) {
        angle = 0.0F;
        radius += step;
      }
    }
  };
  search(2048.0F, 512.0F);
  search(512.0F, 32.0F);
  return ChunkPos::of({best.x, 0, best.z});
}

std::optional<BlockPos> spawn_in_chunk(const PackedChunk& chunk) {
  const auto block = [&](std::int32_t x, std::int32_t y, std::int32_t z) -> BlockState {
    if (!chunk.heights.contains(y)) return blocks::kAir;
    const std::int32_t from_bottom = y - chunk.heights.min_y;
    return chunk.sections[static_cast<std::size_t>(from_bottom >> 4)].get(world::section_index(x, from_bottom, z));
  };
  for (std::int32_t x = 0; x < 16; ++x) {
    for (std::int32_t z = 0; z < 16; ++z) {
      const auto highest = [&](HeightKind kind) {
        return chunk.height_maps[static_cast<std::size_t>(kind)][static_cast<std::size_t>(z << 4 | x)] - 1;
      };
      const std::int32_t top = highest(HeightKind::kMotionBlocking);
      if (top < chunk.heights.min_y) continue;
      const std::int32_t surface = highest(HeightKind::kWorldSurface);
      if (surface <= top && surface > highest(HeightKind::kOceanFloor)) continue;
      for (std::int32_t y = top + 1; y >= chunk.heights.min_y; --y) {
        const BlockState s = block(x, y, z);
        if (fluid(s) != Fluid::kNone) break;
        if (is_collision_full(s)) return BlockPos{chunk.pos.x * 16 + x, y + 1, chunk.pos.z * 16 + z};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

BlockPos find_spawn(const Dimension& dimension, ChunkPipeline& pipeline) {
  const ChunkPos centre = climate_spawn(dimension);
  std::int32_t x = 0, z = 0, dx = 0, dz = -1;
  for (std::int32_t i = 0; i < 11 * 11; ++i) {
    if (const auto found = spawn_in_chunk(*pipeline.get({centre.x + x, centre.z + z}))) return *found;
    if (x == z || (x < 0 && x == -z) || (x > 0 && x == 1 - z)) {
      const std::int32_t turn = dx;
      dx = -dz;
      dz = turn;
    }
    x += dx;
    z += dz;
  }
  return {centre.x * 16 + 8, 64, centre.z * 16 + 8};
}

}  // namespace horizon::worldgen
