#include "shard/worldgen/structure/block_piece.hpp"

#include <algorithm>
#include <utility>

namespace horizon::worldgen {

namespace {

/// Blocks that look at their neighbours when the chunk comes to life.
bool waits_for_neighbours(BlockState s) {
  static const BlockSet kShapedByNeighbours = BlockSet::of(
      {"nether_brick_fence", "torch", "wall_torch", "oak_fence", "spruce_fence", "dark_oak_fence",
       "pale_oak_fence", "acacia_fence", "birch_fence", "jungle_fence", "ladder", "iron_bars"});
  return fluid(s) != Fluid::kNone || kShapedByNeighbours.contains(s);
}

}  // namespace

bool BlockPiece::is_replaceable(BlockState s) {
  static const BlockSet kGivesWay =
      BlockSet::of({"glow_lichen", "seagrass", "tall_seagrass", "water", "lava", "bubble_column"});
  return is_air(s) || kGivesWay.contains(s);
}

StructurePiece* BlockPiece::find_collision(const Pieces& pieces, const Box& box) {
  for (const auto& piece : pieces) {
    if (piece->box().intersects(box)) return piece.get();
  }
  return nullptr;
}

Box BlockPiece::orient_box(std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t dx, std::int32_t dy,
                           std::int32_t dz, std::int32_t width, std::int32_t height, std::int32_t length,
                           Direction direction) {
  const std::int32_t y0 = y + dy, y1 = y + height - 1 + dy;
  switch (direction) {
    case Direction::kNorth:
      return {x + dx, y0, z - length + 1 + dz, x + width - 1 + dx, y1, z + dz};
    case Direction::kWest:
      return {x - length + 1 + dz, y0, z + dx, x + dz, y1, z + width - 1 + dx};
    case Direction::kEast:
      return {x + dz, y0, z + dx, x + length - 1 + dz, y1, z + width - 1 + dx};
    default:
      return {x + dx, y0, z + dz, x + width - 1 + dx, y1, z + length - 1 + dz};
  }
}

Box BlockPiece::make_bounding_box(std::int32_t x, std::int32_t y, std::int32_t z, Direction direction,
                                  std::int32_t width, std::int32_t height, std::int32_t length) {
  const bool is_along_z = direction == Direction::kNorth || direction == Direction::kSouth;
  const std::int32_t x_size = is_along_z ? width : length, z_size = is_along_z ? length : width;
  return {x, y, z, x + x_size - 1, y + height - 1, z + z_size - 1};
}

BlockPiece::Exit BlockPiece::exit(Direction direction, std::int32_t up, std::int32_t along) const {
  const std::int32_t y = box_.min_y + up;
  switch (direction) {
    case Direction::kNorth:
      return {{box_.min_x + along, y, box_.min_z - 1}, direction};
    case Direction::kWest:
      return {{box_.min_x - 1, y, box_.min_z + along}, direction};
    case Direction::kEast:
      return {{box_.max_x + 1, y, box_.min_z + along}, direction};
    default:
      return {{box_.min_x + along, y, box_.max_z + 1}, direction};
  }
}

void BlockPiece::set_orientation(std::optional<Direction> orientation) {
  orientation_ = orientation;
  const bool is_mirrored = orientation == Direction::kSouth || orientation == Direction::kWest;
  const bool is_turned = orientation == Direction::kWest || orientation == Direction::kEast;
  mirror_ = is_mirrored ? Mirror::kLeftRight : Mirror::kNone;
  rotation_ = is_turned ? Rotation::kClockwise90 : Rotation::kNone;
}

std::int32_t BlockPiece::world_x(std::int32_t x, std::int32_t z) const {
  if (!orientation_) return x;
  switch (*orientation_) {
    case Direction::kNorth:
    case Direction::kSouth:
      return box_.min_x + x;
    case Direction::kWest:
      return box_.max_x - z;
    case Direction::kEast:
      return box_.min_x + z;
    default:
      return x;
  }
}

std::int32_t BlockPiece::world_z(std::int32_t x, std::int32_t z) const {
  if (!orientation_) return z;
  switch (*orientation_) {
    case Direction::kNorth:
      return box_.max_z - z;
    case Direction::kSouth:
      return box_.min_z + z;
    case Direction::kWest:
    case Direction::kEast:
      return box_.min_z + x;
    default:
      return z;
  }
}

void BlockPiece::place_block(PiecePlacing& placing, BlockState s, std::int32_t x, std::int32_t y,
                             std::int32_t z) const {
  const BlockPos p = world(x, y, z);
  if (!placing.writable.contains(p) || !can_replace(placing, x, y, z)) return;
  s = rotate(worldgen::mirror(s, mirror_), rotation_);
  placing.region.set(p, s);
  if (waits_for_neighbours(s)) placing.region.mark_for_post_processing(p);
}

BlockState BlockPiece::get_block(const PiecePlacing& placing, std::int32_t x, std::int32_t y,
                                 std::int32_t z) const {
  const BlockPos p = world(x, y, z);
  return placing.writable.contains(p) ? placing.region.get(p) : blocks::kAir;
}

bool BlockPiece::is_interior(const PiecePlacing& placing, std::int32_t x, std::int32_t y,
                             std::int32_t z) const {
  const BlockPos p = world(x, y + 1, z);
  return placing.writable.contains(p) && p.y < placing.region.height(HeightKind::kOceanFloorWg, p.x, p.z);
}

void BlockPiece::generate_air_box(PiecePlacing& placing, std::int32_t x0, std::int32_t y0, std::int32_t z0,
                                  std::int32_t x1, std::int32_t y1, std::int32_t z1) const {
  generate_box(placing, x0, y0, z0, x1, y1, z1, blocks::kAir, blocks::kAir, false);
}

void BlockPiece::generate_box(PiecePlacing& placing, std::int32_t x0, std::int32_t y0, std::int32_t z0,
                              std::int32_t x1, std::int32_t y1, std::int32_t z1, BlockState edge,
                              BlockState fill, bool skips_air) const {
  for (std::int32_t y = y0; y <= y1; ++y) {
    for (std::int32_t x = x0; x <= x1; ++x) {
      for (std::int32_t z = z0; z <= z1; ++z) {
        if (skips_air && is_air(get_block(placing, x, y, z))) continue;
        const bool is_edge = y == y0 || y == y1 || x == x0 || x == x1 || z == z0 || z == z1;
        place_block(placing, is_edge ? edge : fill, x, y, z);
      }
    }
  }
}

void BlockPiece::fill_box(PiecePlacing& placing, std::int32_t x0, std::int32_t y0, std::int32_t z0,
                          std::int32_t x1, std::int32_t y1, std::int32_t z1, BlockState s) const {
  const Box whole = Box::from_corners(world(x0, y0, z0), world(x1, y1, z1));
  if (!whole.intersects(placing.writable)) return;
  const Box& limit = placing.writable;
  const Box part{std::max(whole.min_x, limit.min_x), std::max(whole.min_y, limit.min_y),
                 std::max(whole.min_z, limit.min_z), std::min(whole.max_x, limit.max_x),
                 std::min(whole.max_y, limit.max_y), std::min(whole.max_z, limit.max_z)};
  s = rotate(worldgen::mirror(s, mirror_), rotation_);
  const bool is_marked = waits_for_neighbours(s);
  for (std::int32_t y = part.min_y; y <= part.max_y; ++y) {
    for (std::int32_t z = part.min_z; z <= part.max_z; ++z) {
      for (std::int32_t x = part.min_x; x <= part.max_x; ++x) {
        placing.region.set({x, y, z}, s);
        if (is_marked) placing.region.mark_for_post_processing({x, y, z});
      }
    }
  }
}

void BlockPiece::generate_box(PiecePlacing& placing, std::int32_t x0, std::int32_t y0, std::int32_t z0,
                              std::int32_t x1, std::int32_t y1, std::int32_t z1, bool skips_air,
                              const BlockSelector& selector) const {
  for (std::int32_t y = y0; y <= y1; ++y) {
    for (std::int32_t x = x0; x <= x1; ++x) {
      for (std::int32_t z = z0; z <= z1; ++z) {
        if (skips_air && is_air(get_block(placing, x, y, z))) continue;
        const bool is_edge = y == y0 || y == y1 || x == x0 || x == x1 || z == z0 || z == z1;
        place_block(placing, selector(placing.random, x, y, z, is_edge), x, y, z);
      }
    }
  }
}

void BlockPiece::generate_maybe_box(PiecePlacing& placing, float probability, std::int32_t x0,
                                    std::int32_t y0, std::int32_t z0, std::int32_t x1, std::int32_t y1,
                                    std::int32_t z1, BlockState edge, BlockState fill, bool skips_air,
                                    bool must_be_interior) const {
  for (std::int32_t y = y0; y <= y1; ++y) {
    for (std::int32_t x = x0; x <= x1; ++x) {
      for (std::int32_t z = z0; z <= z1; ++z) {
        if (placing.random.next_float() > probability) continue;
        if (skips_air && is_air(get_block(placing, x, y, z))) continue;
        if (must_be_interior && !is_interior(placing, x, y, z)) continue;
        const bool is_edge = y == y0 || y == y1 || x == x0 || x == x1 || z == z0 || z == z1;
        place_block(placing, is_edge ? edge : fill, x, y, z);
      }
    }
  }
}

void BlockPiece::maybe_generate_block(PiecePlacing& placing, float probability, std::int32_t x,
                                      std::int32_t y, std::int32_t z, BlockState s) const {
  if (placing.random.next_float() < probability) place_block(placing, s, x, y, z);
}

void BlockPiece::generate_upper_half_sphere(PiecePlacing& placing, std::int32_t x0, std::int32_t y0,
                                            std::int32_t z0, std::int32_t x1, std::int32_t y1,
                                            std::int32_t z1, BlockState fill, bool skips_air) const {
  const auto width = static_cast<float>(x1 - x0 + 1), height = static_cast<float>(y1 - y0 + 1),
             length = static_cast<float>(z1 - z0 + 1);
  const float centre_x = static_cast<float>(x0) + width / 2.0F,
              centre_z = static_cast<float>(z0) + length / 2.0F;
  for (std::int32_t y = y0; y <= y1; ++y) {
    const float dy = static_cast<float>(y - y0) / height;
    for (std::int32_t x = x0; x <= x1; ++x) {
      const float dx = (static_cast<float>(x) - centre_x) / (width * 0.5F);
      for (std::int32_t z = z0; z <= z1; ++z) {
        const float dz = (static_cast<float>(z) - centre_z) / (length * 0.5F);
        if (skips_air && is_air(get_block(placing, x, y, z))) continue;
        if (dx * dx + dy * dy + dz * dz <= 1.05F) place_block(placing, fill, x, y, z);
      }
    }
  }
}

void BlockPiece::fill_column_down(PiecePlacing& placing, BlockState s, std::int32_t x, std::int32_t start_y,
                                  std::int32_t z) const {
  BlockPos p = world(x, start_y, z);
  if (!placing.writable.contains(p)) return;
  while (is_replaceable(placing.region.get(p)) && p.y > placing.region.min_y() + 1) {
    placing.region.set(p, s);
    p = below(p);
  }
}

BlockState BlockPiece::reorient(const Region& region, BlockPos p, BlockState chest) {
  static const BlockId kChest = block("chest");
  std::optional<Direction> wall;
  for (const Direction d : kHorizontal) {
    const BlockState near = region.get(offset(p, d));
    if (is(near, kChest)) return chest;
    if (!is_solid_render(near)) continue;
    if (wall) {
      wall.reset();
      break;
    }
    wall = d;
  }
  const auto facing = [&](Direction d) { return with(chest, properties::kFacing, name(d)); };
  if (wall) return facing(opposite(*wall));
  Direction d = parse_direction(value_text(chest, properties::kFacing));
  if (is_solid_render(region.get(offset(p, d)))) d = opposite(d);
  if (is_solid_render(region.get(offset(p, d)))) d = clockwise(d);
  if (is_solid_render(region.get(offset(p, d)))) d = opposite(d);
  return facing(d);
}

bool BlockPiece::create_chest(PiecePlacing& placing, std::int32_t x, std::int32_t y, std::int32_t z,
                              std::string_view loot) const {
  return create_chest(placing, world(x, y, z), loot);
}

bool BlockPiece::create_chest(PiecePlacing& placing, BlockPos p, std::string_view loot,
                              std::optional<BlockState> chest) {
  static const BlockState kChest = state("chest");
  Region& region = placing.region;
  if (!placing.writable.contains(p) || is(region.get(p), game::block_of(kChest))) return false;
  region.set(p, chest ? *chest : reorient(region, p, kChest));
  region.set_loot(p, loot, placing.random.next_long());
  return true;
}

bool BlockPiece::create_dispenser(PiecePlacing& placing, std::int32_t x, std::int32_t y, std::int32_t z,
                                  Direction facing, std::string_view loot) const {
  static const BlockState kDispenser = state("dispenser");
  const BlockPos p = world(x, y, z);
  if (!placing.writable.contains(p) || is(placing.region.get(p), game::block_of(kDispenser))) return false;
  place_block(placing, with(kDispenser, properties::kFacing, name(facing)), x, y, z);
  placing.region.set_loot(p, loot, placing.random.next_long());
  return true;
}

void BlockPiece::place_spawner(PiecePlacing& placing, BlockPos p, std::string_view mob) {
  static const BlockState kSpawner = state("spawner");
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
  placing.region.set(p, kSpawner);
  placing.region.set_block_entity(p, std::move(data));
}

Box bounds_of(const Pieces& pieces) {
  Box bounds = pieces.front()->box();
  for (const auto& piece : pieces) bounds.encapsulate(piece->box());
  return bounds;
}

void move_vertically(Pieces& pieces, std::int32_t dy) {
  for (const auto& piece : pieces) piece->move(0, dy, 0);
}

std::int32_t move_below_sea_level(Pieces& pieces, std::int32_t sea_level, std::int32_t min_y, Random& random,
                                  std::int32_t margin) {
  const std::int32_t max_top = sea_level - margin;
  const Box bounds = bounds_of(pieces);
  std::int32_t top = bounds.y_span() + min_y + 1;
  if (top < max_top) top += random.next_int(max_top - top);
  const std::int32_t dy = top - bounds.max_y;
  move_vertically(pieces, dy);
  return dy;
}

}  // namespace horizon::worldgen
