#include "shard/worldgen/structure/structure.hpp"

#include <array>

namespace horizon::worldgen {

const std::vector<JigsawJunction>& StructurePiece::junctions() const {
  static const std::vector<JigsawJunction> kNone;
  return kNone;
}

Direction rotate(Direction d, Rotation rotation) {
  if (!is_horizontal(d)) return d;
  switch (rotation) {
    case Rotation::kNone:
      return d;
    case Rotation::kClockwise90:
      return clockwise(d);
    case Rotation::kClockwise180:
      return opposite(d);
    case Rotation::kCounterclockwise90:
      return counter_clockwise(d);
  }
  return d;
}

BlockPos transform(BlockPos p, Mirror mirror, Rotation rotation, BlockPos pivot) {
  if (mirror == Mirror::kLeftRight) p.z = -p.z;
  if (mirror == Mirror::kFrontBack) p.x = -p.x;
  switch (rotation) {
    case Rotation::kNone:
      return p;
    case Rotation::kClockwise90:
      return {pivot.x + pivot.z - p.z, p.y, pivot.z - pivot.x + p.x};
    case Rotation::kClockwise180:
      return {pivot.x + pivot.x - p.x, p.y, pivot.z + pivot.z - p.z};
    case Rotation::kCounterclockwise90:
      return {pivot.x - pivot.z + p.z, p.y, pivot.x + pivot.z - p.x};
  }
  return p;
}

BlockPos rotate(BlockPos p, Rotation rotation) { return transform(p, Mirror::kNone, rotation, {}); }

Rotation random_rotation(Random& random) { return static_cast<Rotation>(random.next_int(4)); }

namespace {

const std::array<PropertyId, 4>& sides() {
  // In the order of kHorizontal.
  static const std::array<PropertyId, 4> kSides = {properties::kNorth, properties::kEast, properties::kSouth,
                                                   properties::kWest};
  return kSides;
}
std::size_t side_index(Direction d) {
  for (std::size_t i = 0; i < 4; ++i) {
    if (kHorizontal[i] == d) return i;
  }
  return 0;
}

/// Each side's value goes to the side that `map` gives. Values of the four sides number alike.
template <typename Map>
BlockState move_sides(BlockState s, Map&& map) {
  if (!has_property(s, properties::kNorth) || !has_property(s, properties::kEast)) return s;
  BlockState result = s;
  for (std::size_t i = 0; i < 4; ++i) {
    result = with_index(result, sides()[side_index(map(kHorizontal[i]))], value_index(s, sides()[i]));
  }
  return result;
}

bool is_rail(BlockState s) {
  static const BlockSet kRails = BlockSet::tag("rails");
  return kRails.contains(s);
}

/// A rail's shape as the two sides that it joins ("north_south", "ascending_east", "south_west").
template <typename Map>
BlockState move_rail(BlockState s, Map&& map) {
  const std::string shape(value_text(s, properties::kShape));
  constexpr std::string_view kAscending = "ascending_";
  if (shape.starts_with(kAscending)) {
    return with(
        s, properties::kShape,
        std::string(kAscending) + std::string(name(map(parse_direction(shape.substr(kAscending.size()))))));
  }
  const std::size_t bar = shape.find('_');
  const Direction a = map(parse_direction(shape.substr(0, bar))),
                  b = map(parse_direction(shape.substr(bar + 1)));
  const BlockState one = with(s, properties::kShape, std::string(name(a)) + "_" + std::string(name(b)));
  if (value_text(one, properties::kShape) == std::string(name(a)) + "_" + std::string(name(b))) return one;
  return with(s, properties::kShape, std::string(name(b)) + "_" + std::string(name(a)));
}

/// "north_up": front, then top, of jigsaws and crafters.
template <typename Map>
BlockState move_orientation(BlockState s, Map&& map) {
  static const PropertyId kOrientation = property_id("orientation");
  const std::string_view value = value_text(s, kOrientation);
  if (value.empty()) return s;
  const std::size_t bar = value.find('_');
  const Direction front = map(parse_direction(value.substr(0, bar))),
                  top = map(parse_direction(value.substr(bar + 1)));
  return with(s, kOrientation, std::string(name(front)) + "_" + std::string(name(top)));
}

}  // namespace

BlockState rotate(BlockState s, Rotation rotation) {
  if (rotation == Rotation::kNone) return s;
  static const PropertyId kRotation = property_id("rotation");
  const auto map = [rotation](Direction d) { return rotate(d, rotation); };
  if (const std::string_view facing = value_text(s, properties::kFacing); !facing.empty()) {
    return with(s, properties::kFacing, name(map(parse_direction(facing))));
  }
  if (is_rail(s)) return move_rail(s, map);
  if (const std::string_view axis = value_text(s, properties::kAxis); !axis.empty()) {
    if (axis == "y" || rotation == Rotation::kClockwise180) return s;
    return with(s, properties::kAxis, axis == "x" ? "z" : "x");
  }
  if (has_property(s, kRotation)) {
    const std::int32_t quarter = static_cast<std::int32_t>(rotation) * 4;
    return with_int(s, kRotation, (int_value(s, kRotation) + quarter) % 16);
  }
  return move_orientation(move_sides(s, map), map);
}

BlockState mirror(BlockState s, Mirror mirror) {
  if (mirror == Mirror::kNone) return s;
  static const PropertyId kRotation = property_id("rotation"), kHinge = property_id("hinge");
  static const BlockSet kStairs = BlockSet::tag("stairs");
  const auto flips = [mirror](Direction d) {
    const bool is_z = d == Direction::kNorth || d == Direction::kSouth;
    return is_horizontal(d) && (mirror == Mirror::kLeftRight) == is_z;
  };
  const auto map = [&](Direction d) { return flips(d) ? opposite(d) : d; };
  if (const std::string_view facing = value_text(s, properties::kFacing); !facing.empty()) {
    const Direction d = parse_direction(facing);
    if (kStairs.contains(s)) {
      if (!flips(d)) return s;
      const std::string_view shape = value_text(s, properties::kShape);
      s = with(s, properties::kFacing, name(opposite(d)));
      if (shape == "outer_left") return with(s, properties::kShape, "outer_right");
      if (shape == "outer_right") return with(s, properties::kShape, "outer_left");
      // Mirrored front to back, the game keeps inner corners as they were.
      if (mirror == Mirror::kFrontBack) return s;
      if (shape == "inner_left") return with(s, properties::kShape, "inner_right");
      if (shape == "inner_right") return with(s, properties::kShape, "inner_left");
      return s;
    }
    s = with(s, properties::kFacing, name(map(d)));
    if (has_property(s, kHinge)) s = with(s, kHinge, value_text(s, kHinge) == "left" ? "right" : "left");
    return s;
  }
  if (is_rail(s)) return move_rail(s, map);
  if (has_property(s, kRotation)) {
    const std::int32_t turn = int_value(s, kRotation), signed_turn = turn > 8 ? turn - 16 : turn;
    return with_int(s, kRotation, ((mirror == Mirror::kLeftRight ? 8 : 0) - signed_turn + 16) % 16);
  }
  return move_orientation(move_sides(s, map), map);
}

}  // namespace horizon::worldgen
