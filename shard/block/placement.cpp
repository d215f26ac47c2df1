#include "shard/block/placement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

namespace horizon::shard {
namespace {

constexpr std::array<std::string_view, 6> kNames{"down", "up", "north", "south", "west", "east"};
constexpr std::array<BlockPos, 6> kSteps{
    {{0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}};

std::size_t index(Direction d) { return static_cast<std::size_t>(d); }
bool is_horizontal(Direction d) { return index(d) >= 2; }
Direction opposite(Direction d) { return static_cast<Direction>(index(d) ^ 1); }
BlockPos beside(BlockPos p, Direction d) {
  const BlockPos s = kSteps[index(d)];
  return {p.x + s.x, p.y + s.y, p.z + s.z};
}

constexpr std::array<Direction, 4> kHorizontal{Direction::kNorth, Direction::kSouth, Direction::kWest,
                                               Direction::kEast};

/// Seen from above.
Direction clockwise(Direction d) {
  switch (d) {
    case Direction::kNorth:
      return Direction::kEast;
    case Direction::kEast:
      return Direction::kSouth;
    case Direction::kSouth:
      return Direction::kWest;
    default:
      return Direction::kNorth;
  }
}

std::optional<Direction> direction_of(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Direction>(found - kNames.begin());
}

Direction look_horizontal(float yaw) {
  constexpr std::array<Direction, 4> kQuarters{Direction::kSouth, Direction::kWest, Direction::kNorth,
                                               Direction::kEast};
  return kQuarters[static_cast<std::size_t>(std::lround(std::floor(yaw / 90.0F + 0.5F))) & 3];
}

/// The axis that the look is nearest to.
Direction look(const PlaceContext& c) {
  constexpr double kRadians = std::numbers::pi / 180;
  const double flat = std::cos(c.pitch * kRadians) *
                      std::max(std::abs(std::sin(c.yaw * kRadians)), std::abs(std::cos(c.yaw * kRadians)));
  const double down = std::sin(c.pitch * kRadians);
  if (std::abs(down) > flat) return down > 0 ? Direction::kDown : Direction::kUp;
  return look_horizontal(c.yaw);
}

/// Sixteenths of a turn.
std::string sixteenths(float degrees) {
  return std::to_string(static_cast<std::uint32_t>(std::lround(std::floor(degrees * 16.0F / 360.0F + 0.5F))) &
                        15);
}

/// Sets a property where the block has it.
void put(BlockState& state, std::string_view name, std::string_view value) {
  if (const auto changed = game::with_property(state, name, value)) state = *changed;
}

bool has(BlockState state, std::string_view name) { return !game::property(state, name).empty(); }
std::string_view name_of(BlockState state) { return game::block_name(game::block_of(state)); }
bool is_stairs(BlockState state) { return name_of(state).ends_with("_stairs"); }
bool is_door(std::string_view name) { return name.ends_with("_door"); }
bool is_pane(std::string_view name) { return name.ends_with("_pane") || name.ends_with("_bars"); }

/// The variant of a block for the side of another ("torch" -> "wall_torch"), when there is one.
std::optional<game::BlockId> wall_variant(std::string_view name) {
  for (const std::string_view part : {"hanging_sign", "torch", "sign", "banner", "head", "skull", "fan"}) {
    if (!name.ends_with(part)) continue;
    std::string wall(name.substr(0, name.size() - part.size()));
    wall += "wall_";
    wall += part;
    return game::find_block(wall);
  }
  return std::nullopt;
}

/// Faces where the player looks; others with a horizontal facing look back at the player.
bool faces_along(std::string_view name) {
  return name.ends_with("_stairs") || name.ends_with("_bed") || is_door(name) ||
         name.ends_with("_fence_gate") || name.ends_with("campfire") || name == "minecraft:bell" ||
         name == "minecraft:decorated_pot" || name == "minecraft:calibrated_sculk_sensor";
}

/// Faces the way of the side that was clicked, up and down too.
bool faces_clicked_side(std::string_view name) {
  return name.ends_with("_rod") || name.ends_with("shulker_box") || name.ends_with("amethyst_bud") ||
         name.ends_with("amethyst_cluster");
}

/// Grows on faces of its neighbours: a property for each face.
bool clings(std::string_view name) {
  return name == "minecraft:vine" || name == "minecraft:glow_lichen" || name == "minecraft:sculk_vein" ||
         name == "minecraft:resin_clump";
}

/// Full water stands there, which a block with the property takes in.
bool is_water_source(BlockState state) {
  const std::string_view name = name_of(state);
  if (name == "minecraft:water") return game::property(state, "level") == "0";
  return name == "minecraft:seagrass" || name == "minecraft:tall_seagrass" ||
         name == "minecraft:bubble_column" || game::property(state, "waterlogged") == "true";
}

/// The world as it will be with the changes made so far.
class Planned {
 public:
  explicit Planned(const BlockAccess& blocks) : blocks_(blocks) {}

  std::optional<BlockState> block(BlockPos pos) const {
    for (const BlockChange& change : changes_) {
      if (change.pos == pos) return change.state;
    }
    return blocks_.block(pos);
  }
  BlockState block_or_air(BlockPos pos) const { return block(pos).value_or(game::kAir); }
  void set(BlockPos pos, BlockState state) {
    for (BlockChange& change : changes_) {
      if (change.pos != pos) continue;
      change.state = state;
      return;
    }
    changes_.push_back({pos, state});
  }
  const std::vector<BlockChange>& changes() const { return changes_; }
  std::vector<BlockChange> take() { return std::move(changes_); }

 private:
  const BlockAccess& blocks_;
  std::vector<BlockChange> changes_;
};

/// A fence, pane or wall joins what stands `towards` it.
bool joins(std::string_view name, BlockState other, Direction towards) {
  const std::string_view other_name = name_of(other);
  if (game::is_full_cube(other)) {
    return !game::is_leaves(other) && !other_name.ends_with("pumpkin") && other_name != "minecraft:melon" &&
           other_name != "minecraft:jack_o_lantern" && other_name != "minecraft:barrier" &&
           !other_name.ends_with("shulker_box");
  }
  const bool is_fence = name.ends_with("_fence");
  const bool is_wall = name.ends_with("_wall");
  if (is_fence && other_name.ends_with("_fence")) {
    return (name == "minecraft:nether_brick_fence") == (other_name == "minecraft:nether_brick_fence");
  }
  if (!is_fence && (is_pane(other_name) || other_name.ends_with("_wall"))) return true;
  if ((is_fence || is_wall) && other_name.ends_with("_fence_gate")) {
    const auto facing = direction_of(game::property(other, "facing"));
    return facing && index(*facing) / 2 != index(towards) / 2;
  }
  if (is_stairs(other)) return game::property(other, "facing") == kNames[index(opposite(towards))];
  return false;
}

/// Straight, or a corner with the stairs before or behind.
std::string_view stairs_shape(const Planned& world, BlockPos pos, BlockState state) {
  const auto facing = direction_of(game::property(state, "facing"));
  if (!facing) return "straight";
  const auto same_half = [&](BlockState other) {
    return is_stairs(other) && game::property(other, "half") == game::property(state, "half");
  };
  const auto continues = [&](Direction d) {
    const BlockState other = world.block_or_air(beside(pos, d));
    return same_half(other) && game::property(other, "facing") == game::property(state, "facing");
  };
  const auto turn = [&](Direction d) -> std::optional<Direction> {
    const BlockState other = world.block_or_air(beside(pos, d));
    if (!same_half(other)) return std::nullopt;
    const auto turned = direction_of(game::property(other, "facing"));
    if (!turned || index(*turned) / 2 == index(*facing) / 2) return std::nullopt;
    return turned;
  };
  const Direction left = opposite(clockwise(*facing));
  if (const auto front = turn(*facing); front && !continues(opposite(*front))) {
    return *front == left ? "outer_left" : "outer_right";
  }
  if (const auto back = turn(opposite(*facing)); back && !continues(*back)) {
    return *back == left ? "inner_left" : "inner_right";
  }
  return "straight";
}

/// The state of a fence, pane, wall or stairs as its neighbours want it; of others unchanged.
BlockState connected(const Planned& world, BlockPos pos, BlockState state) {
  const std::string_view name = name_of(state);
  if (is_stairs(state)) {
    put(state, "shape", stairs_shape(world, pos, state));
    return state;
  }
  const bool is_wall = name.ends_with("_wall");
  if (!is_wall && !name.ends_with("_fence") && !is_pane(name)) return state;
  for (const Direction d : kHorizontal) {
    const bool is_joined = joins(name, world.block_or_air(beside(pos, d)), d);
    put(state, kNames[index(d)], is_wall ? (is_joined ? "low" : "none") : (is_joined ? "true" : "false"));
  }
  if (is_wall) {
    const auto side = [&](std::string_view s) { return game::property(state, s) != "none"; };
    const bool is_straight =
        side("north") == side("south") && side("west") == side("east") && side("north") != side("west");
    const BlockState above = world.block_or_air(beside(pos, Direction::kUp));
    put(state, "up", is_straight && game::is_air(above) ? "false" : "true");
  }
  return state;
}

void connect_around(Planned& world) {
  const std::vector<BlockChange> made = world.changes();
  for (const BlockChange& change : made) world.set(change.pos, connected(world, change.pos, change.state));
  for (const BlockChange& change : made) {
    for (const Direction d : kHorizontal) {
      const BlockPos at = beside(change.pos, d);
      const auto state = world.block(at);
      if (!state) continue;
      const BlockState updated = connected(world, at, *state);
      if (updated != *state) world.set(at, updated);
    }
  }
}

/// The other half of a door, a tall plant or a bed.
std::optional<BlockPos> other_half(BlockPos pos, BlockState state) {
  const std::string_view half = game::property(state, "half");
  if (half == "upper") return beside(pos, Direction::kDown);
  if (half == "lower") return beside(pos, Direction::kUp);
  const std::string_view part = game::property(state, "part");
  const auto facing = direction_of(game::property(state, "facing"));
  if (part.empty() || !facing) return std::nullopt;
  return beside(pos, part == "foot" ? *facing : opposite(*facing));
}

BlockState left_behind(BlockState state) {
  const std::string_view name = name_of(state);
  const bool is_wet = game::property(state, "waterlogged") == "true" || name.ends_with("seagrass") ||
                      name.starts_with("minecraft:kelp");
  return is_wet ? game::default_state(*game::find_block("minecraft:water")) : game::kAir;
}

/// Clears the other half of what stood at `pos` when only one half is taken.
void clear_other_half(const BlockAccess& blocks, Planned& world, BlockPos pos, BlockState before) {
  const auto half = other_half(pos, before);
  if (!half) return;
  const auto other = world.block(*half);
  if (other && game::block_of(*other) == game::block_of(before) && blocks.block(*half) == other) {
    world.set(*half, left_behind(*other));
  }
}

/// What one more of the same block makes of the one that stands there: a double slab, a thicker layer of
/// snow, another candle. `is_clicked`: the item was used on that block itself, not on its neighbour.
std::optional<BlockState> stacked(BlockState there, game::BlockId block, const PlaceContext& c,
                                  bool is_clicked) {
  if (game::block_of(there) != block) return std::nullopt;
  const std::string_view type = game::property(there, "type");
  if (game::block_name(block).ends_with("_slab")) {
    if (type == "double") return std::nullopt;
    const bool is_upper = c.cursor.y > 0.5;
    const bool fits = type == "bottom" ? c.face == Direction::kUp || (is_upper && is_horizontal(c.face))
                                       : c.face == Direction::kDown || (!is_upper && is_horizontal(c.face));
    if (is_clicked && !fits) return std::nullopt;
    put(there, "type", "double");
    put(there, "waterlogged", "false");
    return there;
  }
  if (has(there, "layers") && is_clicked && c.face != Direction::kUp) return std::nullopt;
  if (!has(there, "layers") && c.is_sneaking) return std::nullopt;
  for (const std::string_view count :
       {"layers", "candles", "pickles", "eggs", "flower_amount", "segment_amount"}) {
    const std::string_view now = game::property(there, count);
    if (now.size() != 1) continue;
    return game::with_property(there, count, std::string(1, static_cast<char>(now[0] + 1)));
  }
  if (clings(game::block_name(block))) {
    const std::string_view side = kNames[index(opposite(c.face))];
    if (!is_clicked && game::property(there, side) == "false")
      return game::with_property(there, side, "true");
  }
  return std::nullopt;
}

/// On which side a door hangs: at its neighbours if they differ, else where the player points.
std::string_view hinge(const Planned& world, BlockPos pos, Direction facing, Vec3 cursor) {
  const BlockPos left = beside(pos, opposite(clockwise(facing)));
  const BlockPos right = beside(pos, clockwise(facing));
  const auto solid = [&](BlockPos at) { return game::is_full_cube(world.block_or_air(at)) ? 1 : 0; };
  const auto lower_door = [&](BlockPos at) {
    const BlockState state = world.block_or_air(at);
    return is_door(name_of(state)) && game::property(state, "half") == "lower";
  };
  const std::int32_t lean =
      solid(right) + solid(beside(right, Direction::kUp)) - solid(left) - solid(beside(left, Direction::kUp));
  const bool door_left = lower_door(left);
  const bool door_right = lower_door(right);
  if ((door_left && !door_right) || lean > 0) return "right";
  if ((door_right && !door_left) || lean < 0) return "left";
  const BlockPos step = kSteps[index(facing)];
  const bool is_left = (step.x >= 0 || cursor.z >= 0.5) && (step.x <= 0 || cursor.z <= 0.5) &&
                       (step.z >= 0 || cursor.x <= 0.5) && (step.z <= 0 || cursor.x >= 0.5);
  return is_left ? "left" : "right";
}

/// Turns a block of its default state as the player's look and the clicked side say. `is_wall_block`: it is
/// the variant for the side of another block.
void orient(BlockState& state, const PlaceContext& c, bool is_wall_block) {
  const std::string_view name = name_of(state);
  const Direction ahead = look_horizontal(c.yaw);
  const bool on_side = is_horizontal(c.face);
  if (has(state, "axis")) put(state, "axis", index(c.face) < 2 ? "y" : index(c.face) < 4 ? "z" : "x");
  if (has(state, "facing")) {
    Direction facing = faces_along(name) ? ahead : opposite(ahead);
    if (name.ends_with("wall_hanging_sign")) {
      // Hangs beside the block: across the clicked side, towards the player.
      if (index(facing) / 2 == index(c.face) / 2) facing = clockwise(facing);
    } else if (is_wall_block) {
      facing = c.face;
    } else if (has(state, "face")) {
      put(state, "face",
          c.face == Direction::kUp     ? "floor"
          : c.face == Direction::kDown ? "ceiling"
                                       : "wall");
      facing = on_side ? c.face : ahead;
    } else if (game::with_property(state, "facing", "up")) {
      facing = faces_clicked_side(name) ? c.face : name == "minecraft:observer" ? look(c) : opposite(look(c));
    } else if (name == "minecraft:hopper") {
      facing = on_side ? opposite(c.face) : Direction::kDown;
    } else if (name == "minecraft:cocoa" || (name == "minecraft:bell" && on_side)) {
      facing = on_side ? opposite(c.face) : ahead;
    } else if (on_side && (name == "minecraft:ladder" || name == "minecraft:tripwire_hook" ||
                           name.ends_with("_trapdoor"))) {
      facing = c.face;
    } else if (name.ends_with("anvil")) {
      facing = clockwise(ahead);
    }
    put(state, "facing", kNames[index(facing)]);
  }
  const bool is_upper = c.face == Direction::kDown || (on_side && c.cursor.y > 0.5);
  if (is_stairs(state) || name.ends_with("_trapdoor")) put(state, "half", is_upper ? "top" : "bottom");
  if (name.ends_with("_slab")) put(state, "type", is_upper ? "top" : "bottom");
  if (has(state, "rotation")) {
    const bool is_head = name.ends_with("_skull") || name.ends_with("_head");
    put(state, "rotation", sixteenths(is_head ? c.yaw : c.yaw + 180));
  }
  if (name.ends_with("lantern")) put(state, "hanging", c.face == Direction::kDown ? "true" : "false");
  if (name == "minecraft:bell") {
    put(state, "attachment", on_side ? "single_wall" : c.face == Direction::kDown ? "ceiling" : "floor");
  }
  if (name.ends_with("rail") && (ahead == Direction::kWest || ahead == Direction::kEast)) {
    put(state, "shape", "east_west");
  }
  if (clings(name)) {
    for (const std::string_view side : kNames) put(state, side, "false");
    put(state, kNames[index(opposite(c.face))], "true");
  }
  // What a player plants does not decay.
  if (game::is_leaves(state)) put(state, "persistent", "true");
}

bool is_in_the_way(const BlockChange& change, std::span<const EntityBox> bodies) {
  const Vec3 at{static_cast<double>(change.pos.x), static_cast<double>(change.pos.y),
                static_cast<double>(change.pos.z)};
  for (const game::Box& b : game::collision_boxes(change.state)) {
    const Vec3 low = at + Vec3{b.min_x, b.min_y, b.min_z};
    const Vec3 high = at + Vec3{b.max_x, b.max_y, b.max_z};
    for (const EntityBox& body : bodies) {
      if (low.x < body.max.x && high.x > body.min.x && low.y < body.max.y && high.y > body.min.y &&
          low.z < body.max.z && high.z > body.min.z) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

bool within_reach(Vec3 eye, BlockPos pos, bool is_creative) {
  const double range = (is_creative ? 5.0 : 4.5) + 1.0;
  const auto gap = [](double v, double low) { return std::max({low - v, 0.0, v - (low + 1)}); };
  return Vec3{gap(eye.x, pos.x), gap(eye.y, pos.y), gap(eye.z, pos.z)}.length_squared() < range * range;
}

std::vector<BlockChange> dig(const BlockAccess& blocks, BlockPos pos) {
  const auto state = blocks.block(pos);
  if (!state || game::is_air(*state) || pos.y < kMinY || pos.y > kMaxY) return {};
  const std::string_view name = name_of(*state);
  if (name == "minecraft:water" || name == "minecraft:lava" || name == "minecraft:bubble_column") return {};
  Planned world(blocks);
  world.set(pos, left_behind(*state));
  clear_other_half(blocks, world, pos, *state);
  connect_around(world);
  return world.take();
}

std::optional<std::vector<BlockChange>> place(const BlockAccess& blocks, const PlaceContext& c,
                                              std::span<const EntityBox> bodies) {
  if (c.item >= game::item_count()) return std::nullopt;
  const auto block = game::block_of_item(c.item);
  const auto clicked = blocks.block(c.clicked);
  if (!block || game::is_air(game::default_state(*block)) || !clicked) return std::nullopt;

  Planned world(blocks);
  const auto merged = [&](BlockPos at, BlockState state) -> std::optional<std::vector<BlockChange>> {
    world.set(at, state);
    if (is_in_the_way(world.changes().front(), bodies)) return std::nullopt;
    connect_around(world);
    return world.take();
  };
  const auto in_height = [](BlockPos at) { return at.y >= kMinY && at.y <= kMaxY; };

  if (!in_height(c.clicked)) return std::nullopt;
  if (const auto more = stacked(*clicked, *block, c, true)) return merged(c.clicked, *more);
  // Nobody can aim at air: who clicks on it has not heard yet that the block is gone, and sees the new one beside it.
  const bool replaces_clicked =
      game::is_replaceable(*clicked) && !game::is_air(*clicked) && game::block_of(*clicked) != *block;
  const BlockPos pos = replaces_clicked ? c.clicked : beside(c.clicked, c.face);
  const auto before = blocks.block(pos);
  if (!before || !in_height(pos)) return std::nullopt;
  if (!replaces_clicked) {
    if (const auto more = stacked(*before, *block, c, false)) return merged(pos, *more);
  }
  if (!game::is_replaceable(*before) || game::block_of(*before) == *block) return std::nullopt;

  BlockState state = game::default_state(*block);
  bool is_wall_block = false;
  if (const auto wall = wall_variant(name_of(state))) {
    const bool hangs = name_of(state).ends_with("hanging_sign");
    const bool stands = game::is_full_cube(world.block_or_air(beside(pos, Direction::kDown)));
    // In the place of grass it stands where it can.
    is_wall_block = is_horizontal(c.face) && !(replaces_clicked && stands && !hangs);
    if (!is_wall_block && (hangs ? c.face == Direction::kUp : c.face == Direction::kDown && !stands)) {
      return std::nullopt;
    }
    if (is_wall_block) state = game::default_state(*wall);
  }
  orient(state, c, is_wall_block);
  const auto fill_with_water = [](BlockState& s, BlockState there) {
    put(s, "waterlogged", is_water_source(there) ? "true" : "false");
  };
  fill_with_water(state, *before);

  const Direction ahead = look_horizontal(c.yaw);
  const bool is_tall = game::property(state, "half") == "lower";
  if (is_door(name_of(state))) put(state, "hinge", hinge(world, pos, ahead, c.cursor));
  world.set(pos, state);
  BlockPos second = pos;
  if (is_tall || has(state, "part")) {
    second = beside(pos, is_tall ? Direction::kUp : ahead);
    const auto there = blocks.block(second);
    if (!there || !in_height(second) || !game::is_replaceable(*there)) return std::nullopt;
    BlockState end = state;
    if (is_tall) {
      put(end, "half", "upper");
    } else {
      put(end, "part", "head");
    }
    fill_with_water(end, *there);
    world.set(second, end);
    clear_other_half(blocks, world, second, *there);
  }
  clear_other_half(blocks, world, pos, *before);
  connect_around(world);
  for (const BlockChange& change : world.changes()) {
    if ((change.pos == pos || change.pos == second) && is_in_the_way(change, bodies)) return std::nullopt;
  }
  return world.take();
}

}  // namespace horizon::shard
