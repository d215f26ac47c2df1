#include "shard/worldgen/normal.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/base/result.hpp"
#include "common/game/game.hpp"

namespace horizon::shard {
namespace {

constexpr std::int32_t kCellWidth = 4;
constexpr std::int32_t kCellHeight = 8;
constexpr std::int32_t kCornersAcross = 16 / kCellWidth + 1;
constexpr std::int32_t kCornersUp = kWorldHeight / kCellHeight + 1;
/// Above the base height by more than this nothing is solid.
constexpr double kOverhang = 16;
constexpr double kCaveWidth = 0.055;
constexpr std::int32_t kBedrockLayers = 5;
constexpr std::int32_t kSoilDepth = 4;
constexpr std::int32_t kSpawnSearchChunks = 16;

BlockState state(std::string_view name) {
  const auto block = game::find_block(name);
  HZ_CHECK(block.has_value());
  return game::default_state(*block);
}

std::uint16_t biome(std::string_view name) {
  const auto id = game::find_registry_entry("minecraft:worldgen/biome", name);
  HZ_CHECK(id.has_value());
  return static_cast<std::uint16_t>(*id);
}

struct Corner {
  double density;
  double cave_a;
  double cave_b;
};

}  // namespace

NormalGenerator::NormalGenerator(std::int64_t seed)
    : continents_(mix64(static_cast<std::uint64_t>(seed) + 1)),
      hills_(mix64(static_cast<std::uint64_t>(seed) + 2)),
      detail_(mix64(static_cast<std::uint64_t>(seed) + 3)),
      caves_(mix64(static_cast<std::uint64_t>(seed) + 4)),
      forests_(mix64(static_cast<std::uint64_t>(seed) + 5)),
      seed_(static_cast<std::uint64_t>(seed)),
      blocks_{state("minecraft:stone"),       state("minecraft:deepslate"), state("minecraft:dirt"),
              state("minecraft:grass_block"), state("minecraft:sand"),      state("minecraft:water"),
              state("minecraft:bedrock"),     state("minecraft:gravel")},
      biomes_{biome("minecraft:plains"), biome("minecraft:forest"), biome("minecraft:ocean"),
              biome("minecraft:beach"), biome("minecraft:windswept_hills")} {
  spawn_ = find_spawn();
}

double NormalGenerator::base_height(double x, double z) const {
  const double continent = continents_.octaves(x / 640, 0, z / 640, 3);
  const double hills = hills_.octaves(x / 180, 0, z / 180, 4);
  const double roughness = std::clamp(continent * 2 + 0.5, 0.1, 1.0);
  return kSeaLevel + 6 + continent * 46 + hills * 34 * roughness;
}

world::Chunk NormalGenerator::generate(ChunkPos pos) const {
  world::Chunk chunk(pos);
  const std::int32_t x0 = pos.x * 16;
  const std::int32_t z0 = pos.z * 16;

  std::array<double, kCornersAcross * kCornersAcross> base;
  double highest = kSeaLevel - kOverhang;  // cells reach the sea's surface above the deepest floor, too
  for (std::int32_t cz = 0; cz < kCornersAcross; ++cz) {
    for (std::int32_t cx = 0; cx < kCornersAcross; ++cx) {
      const double height = base_height(x0 + cx * kCellWidth, z0 + cz * kCellWidth);
      base[static_cast<std::size_t>(cz * kCornersAcross + cx)] = height;
      highest = std::max(highest, height);
    }
  }
  const auto cells_up = std::clamp<std::int32_t>(
      (static_cast<std::int32_t>(highest + kOverhang) - kMinY) / kCellHeight + 1, 1, kCornersUp - 1);

  std::vector<Corner> corners(static_cast<std::size_t>(kCornersAcross * kCornersAcross * (cells_up + 1)));
  for (std::int32_t cy = 0; cy <= cells_up; ++cy) {
    const double y = kMinY + cy * kCellHeight;
    for (std::int32_t c = 0; c < kCornersAcross * kCornersAcross; ++c) {
      const double x = x0 + c % kCornersAcross * kCellWidth;
      const double z = z0 + c / kCornersAcross * kCellWidth;
      const double height = base[static_cast<std::size_t>(c)];
      // 3D noise matters near the ground alone: far from it the sign is certain.
      const double near_ground = std::abs(height - y) < kOverhang + kCellHeight
                                     ? detail_.octaves(x / 60, y / 45, z / 60, 2) * 10
                                     : 0;
      const bool may_be_cave = y < height + kCellHeight;
      corners[static_cast<std::size_t>(cy * kCornersAcross * kCornersAcross + c)] = {
          height - y + near_ground, may_be_cave ? caves_.octaves(x / 70, y / 45, z / 70, 2) : 1.0,
          may_be_cave ? caves_.octaves(x / 70 + 500, y / 45, z / 70 + 500, 2) : 1.0};
    }
  }

  // Solid or not, column by column from the top: the surface needs to know what is above.
  const std::int32_t top = kMinY + cells_up * kCellHeight - 1;
  std::vector<std::uint16_t> ids(static_cast<std::size_t>(kWorldHeight) * 256, game::kAir);
  for (std::int32_t column = 0; column < 256; ++column) {
    const std::int32_t bx = column & 15;
    const std::int32_t bz = column >> 4;
    const std::int32_t cell = bz / kCellWidth * kCornersAcross + bx / kCellWidth;
    const double tx = bx % kCellWidth / static_cast<double>(kCellWidth);
    const double tz = bz % kCellWidth / static_cast<double>(kCellWidth);
    const auto plane = [&](std::int32_t cy) {
      const Corner* c = &corners[static_cast<std::size_t>(cy * kCornersAcross * kCornersAcross + cell)];
      const auto mix = [&](double Corner::*part) {
        const double near = c[0].*part + tx * (c[1].*part - c[0].*part);
        const double far =
            c[kCornersAcross].*part + tx * (c[kCornersAcross + 1].*part - c[kCornersAcross].*part);
        return near + tz * (far - near);
      };
      return Corner{mix(&Corner::density), mix(&Corner::cave_a), mix(&Corner::cave_b)};
    };
    std::int32_t depth = -1;  // below the last open block; -1 in the open
    std::int32_t surface = kMinY;
    bool is_under_sky = true;
    Corner above = plane(cells_up);
    for (std::int32_t cy = cells_up - 1; cy >= 0; --cy) {
      const Corner below = plane(cy);
      for (std::int32_t dy = kCellHeight - 1; dy >= 0; --dy) {
        const std::int32_t y = kMinY + cy * kCellHeight + dy;
        const double ty = dy / static_cast<double>(kCellHeight);
        const auto mix = [&](double Corner::*part) { return below.*part + ty * (above.*part - below.*part); };
        const bool is_ground = mix(&Corner::density) > 0;
        std::uint16_t& id = ids[static_cast<std::size_t>((y - kMinY) * 256 + column)];
        const std::uint64_t speckle =
            mix64(mix64(seed_ + static_cast<std::uint32_t>(x0 + bx)) +
                  (std::uint64_t{static_cast<std::uint32_t>(z0 + bz)} << 16) + static_cast<std::uint32_t>(y));
        if (y < kMinY + kBedrockLayers && static_cast<std::int32_t>(speckle % kBedrockLayers) >= y - kMinY) {
          id = blocks_.bedrock;
          continue;
        }
        // No caves right under a sea, which would hang in the air.
        const bool is_cave = is_ground && std::abs(mix(&Corner::cave_a)) < kCaveWidth &&
                             std::abs(mix(&Corner::cave_b)) < kCaveWidth &&
                             (surface > kSeaLevel || y < surface - 8);
        if (!is_ground || is_cave) {
          if (!is_ground && is_under_sky && y < kSeaLevel) id = blocks_.water;
          depth = -1;
          continue;
        }
        if (is_under_sky) {
          is_under_sky = false;
          surface = y;
        }
        ++depth;
        const bool is_shore = surface <= kSeaLevel + 1 && surface >= kSeaLevel - 8;
        if (y > surface - kSoilDepth - 4 && depth < kSoilDepth) {
          id = surface < kSeaLevel - 8 ? blocks_.gravel
               : is_shore              ? blocks_.sand
               : depth == 0            ? blocks_.grass
                                       : blocks_.dirt;
        } else {
          id = y < static_cast<std::int32_t>(speckle >> 32 & 7) ? blocks_.deepslate : blocks_.stone;
        }
      }
      above = below;
    }
  }

  std::array<std::uint16_t, 16> column_biomes;
  for (std::int32_t i = 0; i < 16; ++i) {
    const std::int32_t corner = (i >> 2) * kCornersAcross + (i & 3);
    const double height = base[static_cast<std::size_t>(corner)];
    const double forest = forests_.octaves((x0 + (i & 3) * 4) / 200.0, 0, (z0 + (i >> 2) * 4) / 200.0, 2);
    column_biomes[static_cast<std::size_t>(i)] = height < kSeaLevel - 4    ? biomes_.ocean
                                                 : height < kSeaLevel + 2  ? biomes_.beach
                                                 : height > kSeaLevel + 45 ? biomes_.windswept
                                                 : forest > 0.1            ? biomes_.forest
                                                                           : biomes_.plains;
  }
  std::array<std::uint16_t, 64> section_biomes;
  for (std::size_t i = 0; i < 64; ++i) section_biomes[i] = column_biomes[i & 15];
  for (std::int32_t i = 0; i < kSections; ++i) {
    world::Section& section = chunk.writable_section(i);
    section.biomes.assign(section_biomes.data());
    if (kMinY + i * 16 > top && kMinY + i * 16 > kSeaLevel) continue;
    section.blocks.assign(&ids[static_cast<std::size_t>(i) * 4096]);
    section.recount();
  }
  chunk.rebuild_heightmaps();
  return chunk;
}

BlockPos NormalGenerator::find_spawn() const {
  for (std::int32_t radius = 0; radius < kSpawnSearchChunks; ++radius) {
    for (std::int32_t x = -radius; x <= radius; ++x) {
      for (std::int32_t z = -radius; z <= radius; ++z) {
        if (std::max(std::abs(x), std::abs(z)) != radius) continue;
        if (base_height(x * 16 + 8, z * 16 + 8) < kSeaLevel + 4) continue;
        const world::Chunk chunk = generate({x, z});
        const std::int32_t y = chunk.height(world::Heightmap::kMotionBlocking, 8, 8);
        if (y > kSeaLevel && chunk.block(8, y - 1, 8) == blocks_.grass) return {x * 16 + 8, y, z * 16 + 8};
      }
    }
  }
  const world::Chunk chunk = generate({0, 0});
  return {8, std::max(kSeaLevel + 1, chunk.height(world::Heightmap::kMotionBlocking, 8, 8)), 8};
}

}  // namespace horizon::shard
