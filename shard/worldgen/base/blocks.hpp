#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/ids.hpp"
#include "common/game/game.hpp"
#include "shard/worldgen/base/figures.hpp"

namespace horizon::worldgen {

using game::BlockId;

// --- Names ---------------------------------------------------------------

/// A block by its name, with or without "minecraft:". For names in our own code: an unknown one aborts.
BlockId block(std::string_view name);
/// A state by text, properties that are not named have the block's defaults: "oak_log[axis=x]". Aborts like
/// block().
BlockState state(std::string_view text);
/// The same for text from outside. Throws FigureError.
BlockState parse_state_text(std::string_view text);
/// {"Name": "minecraft:oak_log", "Properties": {"axis": "x"}}. Throws FigureError.
BlockState parse_state(const Json& json);
inline bool is(BlockState s, BlockId b) { return game::block_of(s) == b; }

// --- Properties ----------------------------------------------------------

/// A property name ("axis", "waterlogged") as a small number: look it up once, at start.
using PropertyId = std::uint8_t;
PropertyId property_id(std::string_view name);
/// Index of the state's value in the property's list of values; -1 when the block has no such property.
std::int32_t value_index(BlockState s, PropertyId p);
inline bool has_property(BlockState s, PropertyId p) { return value_index(s, p) >= 0; }
/// Unchanged when the block has no such property. REQUIRES: index within the property's values.
BlockState with_index(BlockState s, PropertyId p, std::int32_t index);
/// Unchanged when the block has no such property or value. A few comparisons of short text.
BlockState with(BlockState s, PropertyId p, std::string_view value);
/// Booleans number their states true first.
inline BlockState with_bool(BlockState s, PropertyId p, bool value) { return with_index(s, p, value ? 0 : 1); }
inline bool bool_value(BlockState s, PropertyId p) { return value_index(s, p) == 0; }
/// Integer properties by value ("distance", "age", "level"): text conversion is done for you.
BlockState with_int(BlockState s, PropertyId p, std::int32_t value);
/// The value of an integer property, or `fallback`.
std::int32_t int_value(BlockState s, PropertyId p, std::int32_t fallback = 0);
/// The text of the state's value, empty without the property.
std::string_view value_text(BlockState s, PropertyId p);
/// `from`'s values of all properties that `to`'s block has too (BlockState.withPropertiesOf).
BlockState with_properties_of(BlockState to, BlockState from);

namespace properties {
inline const PropertyId kAxis = property_id("axis"), kFacing = property_id("facing"),
                        kWaterlogged = property_id("waterlogged"), kHalf = property_id("half"),
                        kAge = property_id("age"), kDistance = property_id("distance"),
                        kPersistent = property_id("persistent"), kSnowy = property_id("snowy"),
                        kNorth = property_id("north"), kSouth = property_id("south"), kEast = property_id("east"),
                        kWest = property_id("west"), kUp = property_id("up"), kDown = property_id("down"),
                        kLevel = property_id("level"), kLayers = property_id("layers"),
                        kType = property_id("type"), kShape = property_id("shape");
}  // namespace properties

// --- Fluids and shapes ---------------------------------------------------

enum class Fluid : std::uint8_t { kNone, kWater, kLava };

/// What the generator asks of a state in its inner loops.
struct StateTraits {
  Fluid fluid = Fluid::kNone;
  std::uint8_t fluid_amount = 0;
  /// Bit k: the state counts for HeightKind k.
  std::uint8_t height_bits = 0;
  bool is_air = false, is_fluid_source = false, is_solid = false, is_solid_render = false, blocks_motion = false;
};
static_assert(sizeof(StateTraits) == 8);
/// By state. For code that runs after static initialisation or in files that include this header.
const StateTraits* make_state_traits();
inline const StateTraits* const kStateTraits = make_state_traits();

inline bool is_air(BlockState s) { return kStateTraits[s].is_air; }
/// Also of waterlogged blocks and of plants that only live under water.
inline Fluid fluid(BlockState s) { return kStateTraits[s].fluid; }
/// 8 for a source (and in waterlogged blocks), 1 to 7 flowing, 8 falling (is_source false), 0 without fluid.
inline std::int32_t fluid_amount(BlockState s) { return kStateTraits[s].fluid_amount; }
inline bool is_fluid_source(BlockState s) { return kStateTraits[s].is_fluid_source; }
/// The block's own figure "solid" (BlockStateBase.isSolid, legacySolid): what features mean by a solid block.
inline bool is_solid(BlockState s) { return kStateTraits[s].is_solid; }
/// Has a full collision cube and no transparency (isSolidRender): shuts light fully.
inline bool is_solid_render(BlockState s) { return kStateTraits[s].is_solid_render; }
/// blocksMotion(): solid, and neither cobweb nor bamboo sapling. Heightmaps OCEAN_FLOOR count this.
inline bool blocks_motion(BlockState s) { return kStateTraits[s].blocks_motion; }
/// canBeReplaced() without context.
bool can_be_replaced(BlockState s);

// --- Sets ----------------------------------------------------------------

/// Blocks by name, list or tag. Constant time.
class BlockSet {
 public:
  BlockSet() = default;
  /// "#minecraft:dirt", "minecraft:stone", or a list of names. Throws FigureError.
  static BlockSet parse(const Json& json);
  /// A tag of the game by its name without "#"; aborts when unknown. For tags that our own code names.
  static BlockSet tag(std::string_view name);
  static BlockSet of(std::initializer_list<std::string_view> names);

  bool contains(BlockState s) const { return bits_[game::block_of(s)]; }
  bool contains_block(BlockId b) const { return bits_[b]; }
  void insert(BlockId b) { bits_[b] = true; }
  /// In registry order (tags: the tag's own order is not kept).
  std::vector<BlockId> blocks() const;

 private:
  static constexpr std::size_t kMaxBlocks = 2048;
  std::bitset<kMaxBlocks> bits_;
};

// --- Directions ----------------------------------------------------------

/// In the game's order, which random draws and loops follow.
enum class Direction : std::uint8_t { kDown, kUp, kNorth, kSouth, kWest, kEast };
inline constexpr std::array kDirections = {Direction::kDown,  Direction::kUp,   Direction::kNorth,
                                           Direction::kSouth, Direction::kWest, Direction::kEast};
/// Direction.Plane.HORIZONTAL: north, east, south, west.
inline constexpr std::array kHorizontal = {Direction::kNorth, Direction::kEast, Direction::kSouth,
                                           Direction::kWest};

constexpr BlockPos step(Direction d) {
  switch (d) {
    case Direction::kDown:
      return {0, -1, 0};
    case Direction::kUp:
      return {0, 1, 0};
    case Direction::kNorth:
      return {0, 0, -1};
    case Direction::kSouth:
      return {0, 0, 1};
    case Direction::kWest:
      return {-1, 0, 0};
    case Direction::kEast:
      return {1, 0, 0};
  }
  return {};
}
constexpr BlockPos offset(BlockPos p, std::int32_t dx, std::int32_t dy, std::int32_t dz) {
  return {p.x + dx, p.y + dy, p.z + dz};
}
constexpr BlockPos offset(BlockPos p, Direction d, std::int32_t n = 1) {
  const BlockPos s = step(d);
  return {p.x + s.x * n, p.y + s.y * n, p.z + s.z * n};
}
constexpr BlockPos above(BlockPos p, std::int32_t n = 1) { return {p.x, p.y + n, p.z}; }
constexpr BlockPos below(BlockPos p, std::int32_t n = 1) { return {p.x, p.y - n, p.z}; }
constexpr Direction opposite(Direction d) { return static_cast<Direction>(static_cast<std::uint8_t>(d) ^ 1); }
constexpr bool is_horizontal(Direction d) { return d >= Direction::kNorth; }
/// Seen from above.
constexpr Direction clockwise(Direction d) {
  switch (d) {
    case Direction::kNorth:
      return Direction::kEast;
    case Direction::kEast:
      return Direction::kSouth;
    case Direction::kSouth:
      return Direction::kWest;
    case Direction::kWest:
      return Direction::kNorth;
    default:
      return d;
  }
}
constexpr Direction counter_clockwise(Direction d) { return opposite(clockwise(d)); }
/// "north"; and back, FigureError for unknown text.
std::string_view name(Direction d);
Direction parse_direction(std::string_view text);

/// Ends included, as the game's BoundingBox.
struct Box {
  std::int32_t min_x = 0, min_y = 0, min_z = 0, max_x = -1, max_y = -1, max_z = -1;
  bool operator==(const Box&) const = default;
  constexpr bool contains(BlockPos p) const {
    return p.x >= min_x && p.x <= max_x && p.y >= min_y && p.y <= max_y && p.z >= min_z && p.z <= max_z;
  }
  constexpr bool intersects(const Box& o) const {
    return max_x >= o.min_x && min_x <= o.max_x && max_y >= o.min_y && min_y <= o.max_y && max_z >= o.min_z &&
           min_z <= o.max_z;
  }
  constexpr bool intersects(std::int32_t x0, std::int32_t z0, std::int32_t x1, std::int32_t z1) const {
    return max_x >= x0 && min_x <= x1 && max_z >= z0 && min_z <= z1;
  }
  constexpr Box moved(std::int32_t dx, std::int32_t dy, std::int32_t dz) const {
    return {min_x + dx, min_y + dy, min_z + dz, max_x + dx, max_y + dy, max_z + dz};
  }
  constexpr Box inflated(std::int32_t n) const {
    return {min_x - n, min_y - n, min_z - n, max_x + n, max_y + n, max_z + n};
  }
  void encapsulate(const Box& o);
  void encapsulate(BlockPos p);
  constexpr std::int32_t x_span() const { return max_x - min_x + 1; }
  constexpr std::int32_t y_span() const { return max_y - min_y + 1; }
  constexpr std::int32_t z_span() const { return max_z - min_z + 1; }
  constexpr BlockPos center() const {
    return {min_x + (max_x - min_x + 1) / 2, min_y + (max_y - min_y + 1) / 2, min_z + (max_z - min_z + 1) / 2};
  }
  static constexpr Box from_corners(BlockPos a, BlockPos b) {
    return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z,
            a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z};
  }
};

// --- Blocks that code names often ----------------------------------------

namespace blocks {
inline const BlockState kAir = 0, kStone = state("stone"), kDeepslate = state("deepslate[axis=y]"),
                        kWater = state("water"), kLava = state("lava"), kCaveAir = state("cave_air"),
                        kBedrock = state("bedrock"), kDirt = state("dirt"), kGrassBlock = state("grass_block"),
                        kNetherrack = state("netherrack"), kEndStone = state("end_stone"),
                        kSnow = state("snow"), kIce = state("ice"), kGravel = state("gravel"),
                        kSand = state("sand");
}  // namespace blocks

}  // namespace horizon::worldgen
