#include "shard/worldgen/feature/underground.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "common/nbt/nbt.hpp"
#include "shard/worldgen/base/biome_climate.hpp"
#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/base/survival.hpp"

namespace horizon::worldgen {

namespace underground {
namespace {

const BlockId kChestId = block("chest"), kSpawnerId = block("spawner"), kSandId = block("sand");
const BlockState kChest = state("chest"), kSpawner = state("spawner");

// --- Monster rooms -------------------------------------------------------

/// A chest looks away from the one wall behind it, else wherever it is free.
BlockState turned_chest(const Region& region, BlockPos p) {
  const auto is_shut = [&](Direction d) { return is_solid_render(region.get(offset(p, d))); };
  std::optional<Direction> wall;
  for (const Direction d : kHorizontal) {
    if (is(region.get(offset(p, d)), kChestId)) return kChest;
    if (!is_shut(d)) continue;
    if (wall) {
      wall.reset();
      break;
    }
    wall = d;
  }
  Direction facing = Direction::kNorth;
  if (wall) {
    facing = opposite(*wall);
  } else if (is_shut(Direction::kNorth)) {
    facing = Direction::kSouth;
    if (is_shut(Direction::kSouth)) facing = is_shut(Direction::kWest) ? Direction::kEast : Direction::kWest;
  }
  return with(kChest, properties::kFacing, name(facing));
}

nbt::Compound spawner_data(std::string_view mob) {
  nbt::Compound entity, spawn, data;
  entity.set("id", mob);
  spawn.set("entity", std::move(entity));
  data.set("Delay", std::int16_t{20})
      .set("MinSpawnDelay", std::int16_t{200})
      .set("MaxSpawnDelay", std::int16_t{800})
      .set("SpawnCount", std::int16_t{4})
      .set("MaxNearbyEntities", std::int16_t{6})
      .set("RequiredPlayerRange", std::int16_t{16})
      .set("SpawnRange", std::int16_t{4})
      .set("SpawnData", std::move(spawn))
      .set("SpawnPotentials", nbt::List{});
  return data;
}

class MonsterRoom final : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    const std::int32_t x_radius = random.next_int(2) + 2;
    const std::int32_t z_radius = random.next_int(2) + 2;
    const Room room{origin, x_radius + 1, z_radius + 1};
    if (!has_place(region, room)) return false;
    build(region, random, room);
    for (std::int32_t i = 0; i < 2; ++i) place_chest(region, random, origin, x_radius, z_radius);

    set_unless(region, origin, kSpawner, kept_);
    if (is(region.get(origin), kSpawnerId)) {
      static constexpr std::array<std::string_view, 4> kMobs = {"minecraft:skeleton", "minecraft:zombie",
                                                                "minecraft:zombie", "minecraft:spider"};
      region.set_block_entity(origin, spawner_data(kMobs[static_cast<std::size_t>(random.next_int(4))]));
    }
    return true;
  }

 private:
  /// The walls are `x_wall` and `z_wall` away from the middle, the floor 1 below and the ceiling 4 above.
  struct Room {
    BlockPos middle;
    std::int32_t x_wall, z_wall;
    bool is_wall(std::int32_t dx, std::int32_t dz) const {
      return std::abs(dx) == x_wall || std::abs(dz) == z_wall;
    }
  };
  static constexpr std::int32_t kFloor = -1, kCeiling = 4;

  /// Closed above and below, with one to five ways in.
  static bool has_place(const Region& region, const Room& room) {
    std::int32_t doors = 0;
    for (std::int32_t dx = -room.x_wall; dx <= room.x_wall; ++dx) {
      for (std::int32_t dy = kFloor; dy <= kCeiling; ++dy) {
        for (std::int32_t dz = -room.z_wall; dz <= room.z_wall; ++dz) {
          const BlockPos p = offset(room.middle, dx, dy, dz);
          if ((dy == kFloor || dy == kCeiling) && !is_solid(region.get(p))) return false;
          if (dy == 0 && room.is_wall(dx, dz) && region.is_air(p) && region.is_air(above(p))) ++doors;
        }
      }
    }
    return doors >= 1 && doors <= 5;
  }

  void build(Region& region, Random& random, const Room& room) const {
    for (std::int32_t dx = -room.x_wall; dx <= room.x_wall; ++dx) {
      for (std::int32_t dy = kCeiling - 1; dy >= kFloor; --dy) {
        for (std::int32_t dz = -room.z_wall; dz <= room.z_wall; ++dz) {
          const BlockPos p = offset(room.middle, dx, dy, dz);
          const BlockState s = region.get(p);
          if (!room.is_wall(dx, dz) && dy != kFloor) {
            if (!is(s, kChestId) && !is(s, kSpawnerId)) set_unless(region, p, blocks::kCaveAir, kept_);
          } else if (p.y >= region.min_y() && !is_solid(region.get(below(p)))) {
            region.set(p, blocks::kCaveAir);
          } else if (is_solid(s) && !is(s, kChestId)) {
            const bool is_mossy = dy == kFloor && random.next_int(4) != 0;
            set_unless(region, p, is_mossy ? mossy_ : cobblestone_, kept_);
          }
        }
      }
    }
  }

  /// Three tries to find a place at exactly one wall.
  void place_chest(Region& region, Random& random, BlockPos origin, std::int32_t x_radius,
                   std::int32_t z_radius) const {
    for (std::int32_t i = 0; i < 3; ++i) {
      const std::int32_t dx = random.next_int(x_radius * 2 + 1) - x_radius;
      const std::int32_t dz = random.next_int(z_radius * 2 + 1) - z_radius;
      const BlockPos p = offset(origin, dx, 0, dz);
      if (!region.is_air(p)) continue;
      const auto walls =
          std::ranges::count_if(kHorizontal, [&](Direction d) { return is_solid(region.get(offset(p, d))); });
      if (walls != 1) continue;
      set_unless(region, p, turned_chest(region, p), kept_);
      if (is(region.get(p), kChestId)) region.set_loot(p, "chests/simple_dungeon", random.next_long());
      return;
    }
  }

  BlockSet kept_ = BlockSet::tag("features_cannot_replace");
  BlockState cobblestone_ = state("cobblestone"), mossy_ = state("mossy_cobblestone");
};

// --- On the surface ------------------------------------------------------

class FreezeTopLayer final : public Feature {
 public:
  bool place(PlaceContext& context, Random&, BlockPos origin) const override {
    Region& region = context.region;
    const BiomeClimates& climates = builtin_climates();
    for (std::int32_t dx = 0; dx < 16; ++dx) {
      for (std::int32_t dz = 0; dz < 16; ++dz) {
        const std::int32_t x = origin.x + dx, z = origin.z + dz;
        const BlockPos top{x, region.height(HeightKind::kMotionBlocking, x, z), z};
        const BlockPos ground = below(top);
        const BiomeId biome = region.biome(top);
        if (climates.should_freeze(biome, region, ground, false)) region.set(ground, blocks::kIce);
        if (!climates.should_snow(biome, region, top)) continue;
        region.set(top, blocks::kSnow);
        const BlockState s = region.get(ground);
        if (has_property(s, properties::kSnowy)) region.set(ground, with_bool(s, properties::kSnowy, true));
      }
    }
    return true;
  }
};

/// Three small balls, each a little lower than the one before.
class BlockBlob final : public Feature {
 public:
  explicit BlockBlob(const Json& config)
      : state_(parse_state(field(config, "state"))),
        ground_(BlockPredicate::parse(field(config, "can_place_on"))) {}

  bool place(PlaceContext& context, Random& random, BlockPos p) const override {
    Region& region = context.region;
    const std::int32_t lowest = region.min_y() + 3;
    while (p.y > lowest && !ground_->test(region, below(p))) --p.y;
    if (p.y <= lowest) return false;
    for (std::int32_t i = 0; i < 3; ++i) {
      const std::int32_t x = random.next_int(2);
      const std::int32_t y = random.next_int(2);
      const std::int32_t z = random.next_int(2);
      const float radius = static_cast<float>(x + y + z) * 0.333F + 0.5F;
      const auto limit = static_cast<double>(radius * radius);
      for_each_in_box(offset(p, -x, -y, -z), offset(p, x, y, z), [&](BlockPos at) {
        const std::int32_t dx = at.x - p.x, dy = at.y - p.y, dz = at.z - p.z;
        if (static_cast<double>(dx * dx + dy * dy + dz * dz) <= limit) region.set(at, state_);
      });
      const std::int32_t east = random.next_int(2);
      const std::int32_t down = random.next_int(2);
      const std::int32_t south = random.next_int(2);
      p = offset(p, east - 1, -down, south - 1);
    }
    return true;
  }

 private:
  BlockState state_;
  std::shared_ptr<const BlockPredicate> ground_;
};

/// A position in one word, as the game stores it: 26 bits of x, 26 of z, 12 of y.
std::int64_t packed(BlockPos p) {
  constexpr std::uint64_t kHorizontalMask = (std::uint64_t{1} << 26) - 1;
  const auto x = static_cast<std::uint64_t>(static_cast<std::int64_t>(p.x)) & kHorizontalMask;
  const auto z = static_cast<std::uint64_t>(static_cast<std::int64_t>(p.z)) & kHorizontalMask;
  const auto y = static_cast<std::uint64_t>(static_cast<std::int64_t>(p.y)) & 0xFFF;
  return static_cast<std::int64_t>(x << 38 | z << 12 | y);
}

class DesertWell final : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    BlockPos p = above(origin);
    while (region.is_air(p) && p.y > region.min_y() + 2) --p.y;
    if (!is(region.get(p), kSandId)) return false;
    for (std::int32_t x = -2; x <= 2; ++x) {
      for (std::int32_t z = -2; z <= 2; ++z) {
        if (region.is_air(offset(p, x, -1, z)) && region.is_air(offset(p, x, -2, z))) return false;
      }
    }
    build(region, p);

    const std::array<BlockPos, 5> pool = {p, offset(p, Direction::kEast), offset(p, Direction::kSouth),
                                          offset(p, Direction::kWest), offset(p, Direction::kNorth)};
    for (const std::int32_t depth : {1, 2}) {
      const BlockPos treasure = below(pool[static_cast<std::size_t>(random.next_int(5))], depth);
      region.set(treasure, suspicious_sand_);
      region.set_loot(treasure, "archaeology/desert_well", packed(treasure));
    }
    return true;
  }

 private:
  void build(Region& region, BlockPos p) const {
    const auto fill = [&](BlockPos low, BlockPos high, BlockState s) {
      for_each_in_box(offset(p, low.x, low.y, low.z), offset(p, high.x, high.y, high.z),
                      [&](BlockPos at) { region.set(at, s); });
    };
    const auto cross = [&](std::int32_t y, BlockState s) {
      fill({-1, y, 0}, {1, y, 0}, s);
      fill({0, y, -1}, {0, y, 1}, s);
    };
    fill({-2, -2, -2}, {2, 0, 2}, sandstone_);
    cross(0, blocks::kWater);
    cross(-1, blocks::kSand);
    // The rim, with a step in the middle of each side.
    for (const std::int32_t edge : {-2, 2}) {
      fill({edge, 1, -2}, {edge, 1, 2}, sandstone_);
      fill({-2, 1, edge}, {2, 1, edge}, sandstone_);
    }
    for (const Direction d : kHorizontal) region.set(offset(above(p), d, 2), slab_);
    // The roof and its four posts.
    fill({-1, 4, -1}, {1, 4, 1}, slab_);
    region.set(above(p, 4), sandstone_);
    for (const std::int32_t x : {-1, 1}) {
      for (const std::int32_t z : {-1, 1}) fill({x, 1, z}, {x, 3, z}, sandstone_);
    }
  }

  BlockState sandstone_ = state("sandstone"), slab_ = state("sandstone_slab"),
             suspicious_sand_ = state("suspicious_sand");
};

// --- Around the spawn ----------------------------------------------------

class BonusChest final : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    const std::array<std::int32_t, 16> xs = shuffled_from(origin.x & ~15, random);
    const std::array<std::int32_t, 16> zs = shuffled_from(origin.z & ~15, random);
    for (const std::int32_t x : xs) {
      for (const std::int32_t z : zs) {
        const BlockPos p{x, region.height(HeightKind::kMotionBlockingNoLeaves, x, z), z};
        if (!game::collision_boxes(region.get(p)).empty()) continue;
        region.set(p, kChest);
        if (is(region.get(p), kChestId)) region.set_loot(p, "chests/spawn_bonus_chest", random.next_long());
        for (const Direction d : kHorizontal) {
          const BlockPos beside = offset(p, d);
          if (can_survive(region, torch_, beside)) region.set(beside, torch_);
        }
        return true;
      }
    }
    return false;
  }

 private:
  static std::array<std::int32_t, 16> shuffled_from(std::int32_t first, Random& random) {
    std::array<std::int32_t, 16> values;
    std::iota(values.begin(), values.end(), first);
    shuffle(values, random);
    return values;
  }

  BlockState torch_ = state("torch");
};

/// The stone square that a world of nothing begins on.
class VoidStartPlatform final : public Feature {
 public:
  bool place(PlaceContext& context, Random&, BlockPos origin) const override {
    constexpr std::int32_t kMiddle = 8, kRadius = 16;
    const ChunkPos chunk = ChunkPos::of(origin);
    if (chebyshev(chunk, ChunkPos{0, 0}) > 1) return true;
    const std::int32_t y = origin.y + 3;
    for (std::int32_t z = chunk.z * 16; z < chunk.z * 16 + 16; ++z) {
      for (std::int32_t x = chunk.x * 16; x < chunk.x * 16 + 16; ++x) {
        if (std::max(std::abs(x - kMiddle), std::abs(z - kMiddle)) > kRadius) continue;
        context.region.set({x, y, z}, x == kMiddle && z == kMiddle ? cobblestone_ : blocks::kStone);
      }
    }
    return true;
  }

 private:
  BlockState cobblestone_ = state("cobblestone");
};

}  // namespace
}  // namespace underground

void add_underground_features(FeatureFactories& factories) {
  using namespace underground;
  add_ore(factories);
  add_dripstone(factories);
  add_geode(factories);
  add_sculk(factories);
  add_ice(factories);
  add_fossil(factories);
  add_pools(factories);
  factories["monster_room"] = factory<MonsterRoom>();
  factories["freeze_top_layer"] = factory<FreezeTopLayer>();
  factories["block_blob"] = factory<BlockBlob>();
  factories["desert_well"] = factory<DesertWell>();
  factories["bonus_chest"] = factory<BonusChest>();
  factories["void_start_platform"] = factory<VoidStartPlatform>();
}

}  // namespace horizon::worldgen
