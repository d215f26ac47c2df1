#include "shard/block/placement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace horizon::shard {
namespace {

constexpr std::array<std::string_view, 6> kNames{"down", "up", "north", "south", "west", "east"};
constexpr std::array<BlockPos, 6> kSteps{{{0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}};

std::size_t index(Direction d) { return static_cast<std::size_t>(d); }
bool is_horizontal(Direction d) { return index(d) >= 2; }
Direction opposite(Direction d) { return static_cast<Direction>(index(d) ^ 1); }
BlockPos beside(BlockPos p, Direction d) {
  const BlockPos s = kSteps[index(d)];
  return {p.x + s.x, p.y + s.y, p.z + s.z};
}

Direction look_horizontal(float yaw) {
  constexpr std::array<Direction, 4> kQuarters{Direction::kSouth, Direction::kWest, Direction::kNorth, Direction::kEast};
  return kQuarters[static_cast<std::size_t>(std::lround(std::floor(yaw / 90.0F + 0.5F))) & 3];
}

Direction look(const PlaceContext& c) {
  if (c.pitch > 45) return Direction::kDown;
  if (c.pitch < -45) return Direction::kUp;
  return look_horizontal(c.yaw);
}

/// Sets a property where the block has it.
void put(BlockState& state, std::string_view name, std::string_view value) {
  if (const auto changed = game::with_property(state, name, value)) state = *changed;
}

bool has(BlockState state, std::string_view name) { return !game::property(state, name).empty(); }

bool ends_with(std::string_view name, std::string_view end) { return name.ends_with(end); }

std::string_view name_of(BlockState state) { return game::block_name(game::block_of(state)); }

/// The variant of a block for the side of another ("torch" -> "wall_torch"), when there is one.
std::optional<game::BlockId> wall_variant(std::string_view name) {
  for (const std::string_view part : {"torch", "sign", "banner", "head", "skull", "fan"}) {
    if (!ends_with(name, part)) continue;
    std::string wall(name.substr(0, name.size() - part.size()));
    wall += "wall_" + std::string(part);
    return game::find_block(wall);
  }
  return std::nullopt;
}

/// Blocks that face away from where the player looks; the others with a horizontal facing face along.
bool faces_along(std::string_view name) {
  return ends_with(name, "_stairs") || ends_with(name, "_bed") || ends_with(name, "_door") ||
         ends_with(name, "_fence_gate") || ends_with(name, "campfire");
}

bool is_water_source(BlockState state) {
  return name_of(state) == "minecraft:water" && game::property(state, "level") == "0";
}

bool connects(std::string_view name, BlockState other, Direction towards) {
  const std::string_view other_name = name_of(other);
  const bool is_fence = ends_with(name, "_fence");
  if (game::is_full_cube(other)) {
    return !game::is_leaves(other) && !ends_with(other_name, "pumpkin") && !ends_with(other_name, "melon") &&
           !ends_with(other_name, "barrier") && !ends_with(other_name, "shulker_box");
  }
  if (is_fence && ends_with(other_name, "_fence")) {
    return (name == "minecraft:nether_brick_fence") == (other_name == "minecraft:nether_brick_fence");
  }
  const auto is_pane = [](std::string_view n) { return ends_with(n, "_pane") || ends_with(n, "_bars"); };
  const bool is_wall = ends_with(name, "_wall");
  if (!is_fence && (is_pane(other_name) || ends_with(other_name, "_wall"))) return is_pane(name) || is_wall;
  if ((is_fence || is_wall) && ends_with(other_name, "_fence_gate")) {
    const std::string_view facing = game::property(other, "facing");
    const bool along_x = facing == "north" || facing == "south";
    return along_x == (towards == Direction::kWest || towards == Direction::kEast);
  }
  return false;
}

bool is_connecting(BlockState state) {
  const std::string_view name = name_of(state);
  return ends_with(name, "_fence") || ends_with(name, "_pane") || ends_with(name, "_bars") || ends_with(name, "_wall");
}

/// The sides of a fence, pane or wall as its neighbours want them; `changed` overrides what stands at one place.
BlockState connected(const BlockAccess& blocks, BlockPos pos, BlockState state, const BlockChange& changed) {
  const std::string_view name = name_of(state);
  const bool is_wall = ends_with(name, "_wall");
  for (const Direction d : {Direction::kNorth, Direction::kSouth, Direction::kWest, Direction::kEast}) {
    const BlockPos at = beside(pos, d);
    const BlockState other = at == changed.pos ? changed.state : blocks.block(at).value_or(game::kAir);
    const bool joins = connects(name, other, d);
    put(state, kNames[index(d)], is_wall ? (joins ? "low" : "none") : (joins ? "true" : "false"));
  }
  if (is_wall) {
    const auto side = [&](std::string_view s) { return game::property(state, s) != "none"; };
    const bool is_straight = (side("north") && side("south") && !side("west") && !side("east")) ||
                             (side("west") && side("east") && !side("north") && !side("south"));
    const BlockPos above = beside(pos, Direction::kUp);
    const BlockState top = above == changed.pos ? changed.state : blocks.block(above).value_or(game::kAir);
    put(state, "up", is_straight && game::is_air(top) ? "false" : "true");
  }
  return state;
}

void add_connections(const BlockAccess& blocks, std::vector<BlockChange>& changes) {
  const std::vector<BlockChange> made = changes;
  for (const BlockChange& change : made) {
    for (const Direction d : {Direction::kNorth, Direction::kSouth, Direction::kWest, Direction::kEast}) {
      const BlockPos at = beside(change.pos, d);
      const auto state = blocks.block(at);
      if (!state || !is_connecting(*state)) continue;
      const BlockState updated = connected(blocks, at, *state, change);
      if (updated != *state) changes.push_back({at, updated});
    }
  }
}

/// The other half of a door, a tall plant or a bed.
std::optional<BlockPos> other_half(BlockPos pos, BlockState state) {
  const std::string_view half = game::property(state, "half");
  if (half == "upper") return beside(pos, Direction::kDown);
  if (half == "lower") return beside(pos, Direction::kUp);
  const std::string_view part = game::property(state, "part");
  if (part.empty()) return std::nullopt;
  const auto facing = std::find(kNames.begin(), kNames.end(), game::property(state, "facing"));
  if (facing == kNames.end()) return std::nullopt;
  const auto d = static_cast<Direction>(facing - kNames.begin());
  return beside(pos, part == "foot" ? d : opposite(d));
}

BlockState left_behind(BlockState state) {
  const bool is_wet = game::property(state, "waterlogged") == "true";
  return is_wet ? game::default_state(*game::find_block("minecraft:water")) : game::kAir;
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
  std::vector<BlockChange> changes{{pos, left_behind(*state)}};
  if (const auto half = other_half(pos, *state)) {
    const auto other = blocks.block(*half);
    if (other && game::block_of(*other) == game::block_of(*state)) changes.push_back({*half, left_behind(*other)});
  }
  add_connections(blocks, changes);
  return changes;
}

std::optional<std::vector<BlockChange>> place(const BlockAccess& blocks, const PlaceContext& c,
                                              std::span<const EntityBox> bodies) {
  const auto block = game::block_of_item(c.item);
  const auto clicked = blocks.block(c.clicked);
  if (!block || !clicked) return std::nullopt;
  std::string_view name = game::block_name(*block);
  BlockState state = game::default_state(*block);

  // A slab completes the one that it is put on.
  const auto completes = [&](BlockPos at, std::string_view free_half) -> std::optional<std::vector<BlockChange>> {
    const auto there = blocks.block(at);
    if (!ends_with(name, "_slab") || !there || game::block_of(*there) != *block ||
        game::property(*there, "type") != free_half) {
      return std::nullopt;
    }
    BlockState whole = *there;
    put(whole, "type", "double");
    put(whole, "waterlogged", "false");
    return std::vector<BlockChange>{{at, whole}};
  };
  if (c.face == Direction::kUp) {
    if (auto whole = completes(c.clicked, "bottom")) return whole;
  } else if (c.face == Direction::kDown) {
    if (auto whole = completes(c.clicked, "top")) return whole;
  }

  const BlockPos pos = game::is_replaceable(*clicked) ? c.clicked : beside(c.clicked, c.face);
  if (pos.y < kMinY || pos.y > kMaxY) return std::nullopt;
  const auto before = blocks.block(pos);
  if (!before) return std::nullopt;
  const bool upper_half = c.face == Direction::kDown || (is_horizontal(c.face) && c.cursor.y > 0.5);
  if (auto whole = completes(pos, upper_half ? "bottom" : "top")) return whole;
  if (!game::is_replaceable(*before)) return std::nullopt;

  if (is_horizontal(c.face)) {
    if (const auto wall = wall_variant(name)) {
      state = game::default_state(*wall);
      name = game::block_name(*wall);
      put(state, "facing", kNames[index(c.face)]);
    }
  }
  const Direction ahead = look_horizontal(c.yaw);
  const bool is_wall_block = name.find("wall_") != std::string_view::npos && is_horizontal(c.face);
  if (has(state, "axis")) put(state, "axis", index(c.face) < 2 ? "y" : index(c.face) < 4 ? "z" : "x");
  if (has(state, "facing") && !is_wall_block) {
    if (has(state, "face")) {
      put(state, "face", c.face == Direction::kUp ? "floor" : c.face == Direction::kDown ? "ceiling" : "wall");
      put(state, "facing", kNames[index(is_horizontal(c.face) ? c.face : ahead)]);
    } else if (game::with_property(state, "facing", "up")) {
      const bool on_face = ends_with(name, "_rod") || ends_with(name, "shulker_box") || ends_with(name, "amethyst_bud") ||
                           ends_with(name, "amethyst_cluster");
      const Direction facing = on_face                                ? c.face
                               : ends_with(name, "observer") ? look(c)
                                                                      : opposite(look(c));
      put(state, "facing", kNames[index(facing)]);
    } else if (game::with_property(state, "facing", "down")) {
      put(state, "facing", c.face == Direction::kUp || c.face == Direction::kDown ? "down" : kNames[index(opposite(c.face))]);
    } else if (name == "minecraft:ladder" || (ends_with(name, "_trapdoor") && is_horizontal(c.face))) {
      put(state, "facing", kNames[index(is_horizontal(c.face) ? c.face : opposite(ahead))]);
    } else {
      put(state, "facing", kNames[index(faces_along(name) ? ahead : opposite(ahead))]);
    }
  }
  if (ends_with(name, "_stairs") || ends_with(name, "_trapdoor")) put(state, "half", upper_half ? "top" : "bottom");
  if (ends_with(name, "_slab")) put(state, "type", upper_half ? "top" : "bottom");
  if (has(state, "rotation")) {
    const auto turn = static_cast<std::uint32_t>(std::lround(std::floor((c.yaw + 180.0F) * 16.0F / 360.0F + 0.5F))) & 15;
    put(state, "rotation", std::to_string(turn));
  }
  if (has(state, "waterlogged")) put(state, "waterlogged", is_water_source(*before) ? "true" : "false");

  std::vector<BlockChange> changes;
  if (ends_with(name, "_door") || game::property(state, "half") == "lower") {
    const BlockPos above = beside(pos, Direction::kUp);
    const auto there = blocks.block(above);
    if (!there || above.y > kMaxY || !game::is_replaceable(*there)) return std::nullopt;
    put(state, "half", "lower");
    BlockState upper = state;
    put(upper, "half", "upper");
    put(upper, "waterlogged", "false");
    changes.push_back({above, upper});
  } else if (has(state, "part")) {
    const BlockPos head = beside(pos, ahead);
    const auto there = blocks.block(head);
    if (!there || !game::is_replaceable(*there)) return std::nullopt;
    put(state, "part", "foot");
    BlockState end = state;
    put(end, "part", "head");
    changes.push_back({head, end});
  }
  if (is_connecting(state)) state = connected(blocks, pos, state, {pos, state});
  changes.insert(changes.begin(), {pos, state});

  for (const BlockChange& change : changes) {
    for (const game::Box& b : game::collision_boxes(change.state)) {
      const Vec3 at{static_cast<double>(change.pos.x), static_cast<double>(change.pos.y), static_cast<double>(change.pos.z)};
      const Vec3 low = at + Vec3{b.min_x, b.min_y, b.min_z};
      const Vec3 high = at + Vec3{b.max_x, b.max_y, b.max_z};
      for (const EntityBox& body : bodies) {
        if (low.x < body.max.x && high.x > body.min.x && low.y < body.max.y && high.y > body.min.y &&
            low.z < body.max.z && high.z > body.min.z) {
          return std::nullopt;
        }
      }
    }
  }
  add_connections(blocks, changes);
  return changes;
}

}  // namespace horizon::shard
