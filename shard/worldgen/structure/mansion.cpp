#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shard/worldgen/structure/structure.hpp"
#include "shard/worldgen/structure/template_piece.hpp"

namespace horizon::worldgen {

namespace {

const BlockState kCobblestone = state("cobblestone"), kChest = state("chest");
const BlockSet kLiquids = BlockSet::of({"water", "lava", "bubble_column"});

/// Nothing stands below this.
constexpr std::int32_t kMinY = 60;

// --- The plan ------------------------------------------------------------

/// A cell of a floor's plan is 8 blocks wide; y of the plan leads south.
constexpr std::int32_t kPlanSide = 11;
constexpr std::int32_t kCell = 8;
constexpr std::int32_t kEntranceX = 7, kEntranceY = 4;

enum Use : std::int32_t { kClear = 0, kCorridor = 1, kRoom = 2, kStartRoom = 3, kBlocked = 5 };

/// What a floor's list of rooms holds for a cell: a number, the room's size, and flags.
constexpr std::int32_t kRoomNumber = 0xffff;
constexpr std::int32_t kSize1x1 = 0x10000, kSize1x2 = 0x20000, kSize2x2 = 0x40000, kSizeMask = 0xf0000;
constexpr std::int32_t kIsOrigin = 0x100000, kHasDoor = 0x200000, kHasStairs = 0x400000,
                       kIsLanding = 0x800000;

class Plan {
 public:
  std::int32_t get(std::int32_t x, std::int32_t y) const {
    return is_inside(x, y) ? cells_[index(x, y)] : kBlocked;
  }
  void set(std::int32_t x, std::int32_t y, std::int32_t value) {
    if (is_inside(x, y)) cells_[index(x, y)] = value;
  }
  void set(std::int32_t x0, std::int32_t y0, std::int32_t x1, std::int32_t y1, std::int32_t value) {
    for (std::int32_t y = y0; y <= y1; ++y) {
      for (std::int32_t x = x0; x <= x1; ++x) set(x, y, value);
    }
  }
  void replace(std::int32_t x, std::int32_t y, std::int32_t from, std::int32_t to) {
    if (get(x, y) == from) set(x, y, to);
  }
  bool is_beside(std::int32_t x, std::int32_t y, std::int32_t value) const {
    return get(x - 1, y) == value || get(x + 1, y) == value || get(x, y + 1) == value ||
           get(x, y - 1) == value;
  }
  bool is_house(std::int32_t x, std::int32_t y) const {
    const std::int32_t use = get(x, y);
    return use >= kCorridor && use < kBlocked;
  }

 private:
  static bool is_inside(std::int32_t x, std::int32_t y) {
    return x >= 0 && x < kPlanSide && y >= 0 && y < kPlanSide;
  }
  static std::size_t index(std::int32_t x, std::int32_t y) {
    return static_cast<std::size_t>(y * kPlanSide + x);
  }
  std::array<std::int32_t, kPlanSide * kPlanSide> cells_{};
};

class MansionPlan {
 public:
  explicit MansionPlan(Random& random) : random_(random) {
    constexpr std::int32_t x = kEntranceX;
    constexpr std::int32_t y = kEntranceY;
    base_.set(x, y, x + 1, y + 1, kStartRoom);
    base_.set(x - 1, y, x - 1, y + 1, kRoom);
    base_.set(x + 2, y - 2, x + 3, y + 3, kBlocked);
    base_.set(x + 1, y - 2, x + 1, y - 1, kCorridor);
    base_.set(x + 1, y + 2, x + 1, y + 3, kCorridor);
    base_.set(x - 1, y - 1, kCorridor);
    base_.set(x - 1, y + 2, kCorridor);
    base_.set(0, 0, kPlanSide, 1, kBlocked);
    base_.set(0, 9, kPlanSide, kPlanSide, kBlocked);
    dig_corridor(base_, x, y - 2, Direction::kWest, 6);
    dig_corridor(base_, x, y + 3, Direction::kWest, 6);
    dig_corridor(base_, x - 2, y - 1, Direction::kWest, 3);
    dig_corridor(base_, x - 2, y + 2, Direction::kWest, 3);
    while (fill_notches(base_)) {
    }
    divide(base_, rooms_[0]);
    divide(base_, rooms_[1]);
    for (const std::size_t floor : {0U, 1U}) rooms_[floor].set(x + 1, y, x + 1, y + 1, kIsLanding);
    plan_third_floor();
    divide(third_, rooms_[2]);
  }

  const Plan& base() const { return base_; }
  const Plan& third() const { return third_; }
  const Plan& floor(std::size_t i) const { return i == 2 ? third_ : base_; }
  const Plan& rooms(std::size_t i) const { return rooms_[i]; }
  bool is_room(std::int32_t x, std::int32_t y, std::size_t floor, std::int32_t number) const {
    return (rooms_[floor].get(x, y) & kRoomNumber) == number;
  }
  /// Where the other half of a room of two cells lies.
  std::optional<Direction> other_half(std::int32_t x, std::int32_t y, std::size_t floor,
                                      std::int32_t number) const {
    for (const Direction d : kHorizontal) {
      if (is_room(x + step(d).x, y + step(d).z, floor, number)) return d;
    }
    return {};
  }

 private:
  void dig_corridor(Plan& plan, std::int32_t x, std::int32_t y, Direction heading, std::int32_t depth) {
    /// In the order of the game's two-dimensional numbers.
    constexpr std::array kByNumber = {Direction::kSouth, Direction::kWest, Direction::kNorth,
                                      Direction::kEast};
    if (depth <= 0) return;
    const std::int32_t ahead_x = x + step(heading).x;
    const std::int32_t ahead_y = y + step(heading).z;
    plan.set(x, y, kCorridor);
    plan.replace(ahead_x, ahead_y, kClear, kCorridor);
    for (std::int32_t attempt = 0; attempt < 8; ++attempt) {
      const Direction next = kByNumber[static_cast<std::size_t>(random_.next_int(4))];
      if (next == opposite(heading)) continue;
      if (next == Direction::kEast && random_.next_bool()) continue;
      const BlockPos s = step(next);
      if (plan.get(ahead_x + s.x, ahead_y + s.z) == kClear &&
          plan.get(ahead_x + s.x * 2, ahead_y + s.z * 2) == kClear) {
        dig_corridor(plan, ahead_x + s.x, ahead_y + s.z, next, depth - 1);
        break;
      }
    }
    const BlockPos right = step(clockwise(heading));
    const BlockPos left = step(counter_clockwise(heading));
    for (const BlockPos s : {right, left}) plan.replace(x + s.x, y + s.z, kClear, kRoom);
    for (const BlockPos s : {right, left}) plan.replace(ahead_x + s.x, ahead_y + s.z, kClear, kRoom);
    plan.replace(ahead_x + step(heading).x, ahead_y + step(heading).z, kClear, kRoom);
    for (const BlockPos s : {right, left}) plan.replace(x + s.x * 2, y + s.z * 2, kClear, kRoom);
  }

  static bool fill_notches(Plan& plan) {
    bool has_changed = false;
    for (std::int32_t y = 0; y < kPlanSide; ++y) {
      for (std::int32_t x = 0; x < kPlanSide; ++x) {
        if (plan.get(x, y) != kClear) continue;
        const int sides = plan.is_house(x + 1, y) + plan.is_house(x - 1, y) + plan.is_house(x, y + 1) +
                          plan.is_house(x, y - 1);
        const int corners = plan.is_house(x + 1, y + 1) + plan.is_house(x - 1, y + 1) +
                            plan.is_house(x + 1, y - 1) + plan.is_house(x - 1, y - 1);
        if (sides >= 3 || (sides == 2 && corners <= 1)) {
          plan.set(x, y, kRoom);
          has_changed = true;
        }
      }
    }
    return has_changed;
  }

  /// Joins cells to rooms of one, two or four, in random order, and picks each room's door.
  void divide(const Plan& plan, Plan& rooms) {
    std::vector<std::pair<std::int32_t, std::int32_t>> cells;
    for (std::int32_t y = 0; y < kPlanSide; ++y) {
      for (std::int32_t x = 0; x < kPlanSide; ++x) {
        if (plan.get(x, y) == kRoom) cells.emplace_back(x, y);
      }
    }
    shuffle(cells, random_);
    const auto is_free = [&](std::int32_t x, std::int32_t y) {
      return rooms.get(x, y) == 0 && plan.get(x, y) == kRoom;
    };
    std::int32_t number = 10;
    for (const auto& [x, y] : cells) {
      if (rooms.get(x, y) != 0) continue;
      constexpr std::array<std::pair<std::int32_t, std::int32_t>, 3> kSquares = {{{1, 1}, {-1, 1}, {-1, -1}}};
      constexpr std::array<std::pair<std::int32_t, std::int32_t>, 4> kPairs = {
          {{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
      std::int32_t dx = 0;
      std::int32_t dy = 0;
      std::int32_t size = kSize1x1;
      for (const auto& [sx, sy] : kSquares) {
        if (!is_free(x + sx, y) || !is_free(x, y + sy) || !is_free(x + sx, y + sy)) continue;
        dx = sx;
        dy = sy;
        size = kSize2x2;
        break;
      }
      for (std::size_t i = 0; i < kPairs.size() && size == kSize1x1; ++i) {
        const auto& [px, py] = kPairs[i];
        if (!is_free(x + px, y + py)) continue;
        dx = px;
        dy = py;
        size = kSize1x2;
      }
      const std::int32_t x0 = std::min(x, x + dx);
      const std::int32_t x1 = std::max(x, x + dx);
      const std::int32_t y0 = std::min(y, y + dy);
      const std::int32_t y1 = std::max(y, y + dy);

      std::int32_t door_x = random_.next_bool() ? x0 : x1;
      std::int32_t door_y = random_.next_bool() ? y0 : y1;
      std::int32_t door = kHasDoor;
      // Tried after the drawn cell: the opposite one, then the two others.
      const auto flip_x = [&] { door_x = x0 + x1 - door_x; };
      const auto flip_y = [&] { door_y = y0 + y1 - door_y; };
      const auto is_at_corridor = [&] { return plan.is_beside(door_x, door_y, kCorridor); };
      if (!is_at_corridor()) {
        flip_x();
        flip_y();
        if (!is_at_corridor()) {
          flip_y();
          if (!is_at_corridor()) {
            flip_x();
            flip_y();
            if (!is_at_corridor()) {
              door = 0;
              door_x = x0;
              door_y = y0;
            }
          }
        }
      }
      for (std::int32_t ry = y0; ry <= y1; ++ry) {
        for (std::int32_t rx = x0; rx <= x1; ++rx) {
          const std::int32_t origin = rx == door_x && ry == door_y ? kIsOrigin | door : 0;
          rooms.set(rx, ry, origin | size | number);
        }
      }
      ++number;
    }
  }

  /// The third floor stands on the part that a corridor reaches from a room of two cells with stairs.
  void plan_third_floor() {
    Plan& second = rooms_[1];
    std::vector<std::pair<std::int32_t, std::int32_t>> candidates;
    for (std::int32_t y = 0; y < kPlanSide; ++y) {
      for (std::int32_t x = 0; x < kPlanSide; ++x) {
        const std::int32_t room = second.get(x, y);
        if ((room & kSizeMask) == kSize1x2 && (room & kHasDoor) != 0) candidates.emplace_back(x, y);
      }
    }
    if (candidates.empty()) return third_.set(0, 0, kPlanSide, kPlanSide, kBlocked);
    const auto [stairs_x, stairs_y] =
        candidates[static_cast<std::size_t>(random_.next_int(static_cast<std::int32_t>(candidates.size())))];
    const std::int32_t room = second.get(stairs_x, stairs_y);
    second.set(stairs_x, stairs_y, room | kHasStairs);
    const Direction d = other_half(stairs_x, stairs_y, 1, room & kRoomNumber).value_or(Direction::kUp);
    const std::int32_t end_x = stairs_x + step(d).x;
    const std::int32_t end_y = stairs_y + step(d).z;
    for (std::int32_t y = 0; y < kPlanSide; ++y) {
      for (std::int32_t x = 0; x < kPlanSide; ++x) {
        if (!base_.is_house(x, y)) {
          third_.set(x, y, kBlocked);
        } else if (x == stairs_x && y == stairs_y) {
          third_.set(x, y, kStartRoom);
        } else if (x == end_x && y == end_y) {
          third_.set(x, y, kStartRoom);
          rooms_[2].set(x, y, kIsLanding);
        }
      }
    }
    std::vector<Direction> ways;
    for (const Direction way : kHorizontal) {
      if (third_.get(end_x + step(way).x, end_y + step(way).z) == kClear) ways.push_back(way);
    }
    if (ways.empty()) {
      third_.set(0, 0, kPlanSide, kPlanSide, kBlocked);
      second.set(stairs_x, stairs_y, room);
      return;
    }
    const Direction way =
        ways[static_cast<std::size_t>(random_.next_int(static_cast<std::int32_t>(ways.size())))];
    dig_corridor(third_, end_x + step(way).x, end_y + step(way).z, way, 4);
    while (fill_notches(third_)) {
    }
  }

  Random& random_;
  Plan base_, third_;
  std::array<Plan, 3> rooms_;
};

// --- Pieces --------------------------------------------------------------

class MansionPiece final : public TemplatePiece {
 public:
  MansionPiece(const TemplateSource& templates, std::string_view name, BlockPos position, Rotation rotation,
               Mirror mirror)
      : TemplatePiece(template_or_empty(templates, "woodland_mansion/" + std::string(name)), position,
                      settings(rotation, mirror)) {}

 protected:
  void data_marker(PiecePlacing& placing, std::string_view marker, BlockPos p) const override {
    Region& region = placing.region;
    if (marker.starts_with("Chest")) {
      if (!placing.writable.contains(p) || is(region.get(p), game::block_of(kChest))) return;
      region.set(p, chest(marker));
      const std::int64_t loot_seed = placing.random.next_long();
      region.set_loot(p, "chests/woodland_mansion", loot_seed);
      return;
    }
    if (marker == "Mage") {
      station(region, "minecraft:evoker", p, 1);
    } else if (marker == "Warrior") {
      station(region, "minecraft:vindicator", p, 1);
    } else if (marker == "Group of Allays") {
      station(region, "minecraft:allay", p, region.level_random().next_int(3) + 1);
    }
  }

 private:
  static TemplatePlacing settings(Rotation rotation, Mirror mirror) {
    TemplatePlacing result;
    result.rotation = rotation;
    result.mirror = mirror;
    result.ignore_entities = true;
    result.processors = {ignore_structure_blocks()};
    return result;
  }

  BlockState chest(std::string_view marker) const {
    using Facing = std::pair<std::string_view, Direction>;
    constexpr std::array kFacings = {
        Facing{"ChestWest", Direction::kWest}, Facing{"ChestEast", Direction::kEast},
        Facing{"ChestSouth", Direction::kSouth}, Facing{"ChestNorth", Direction::kNorth}};
    for (const auto& [name, direction] : kFacings) {
      if (marker == name) {
        return with(kChest, properties::kFacing, worldgen::name(rotate(direction, rotation())));
      }
    }
    return kChest;
  }

  static void station(Region& region, std::string_view id, BlockPos p, std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) {
      nbt::Compound mob = make_mob(region, id, bottom_centre(p));
      if (id == "minecraft:vindicator") {
        hold(mob, "mainhand", "minecraft:iron_axe");
        region.level_random().next_float();  // whether the axe is enchanted: not in a new world
      }
      region.add_entity(std::move(mob), p);
      region.set(p, blocks::kAir);
    }
  }
};

/// How the outer wall is followed: where the next part begins, and which way it looks.
struct Walk {
  BlockPos position;
  Rotation rotation = Rotation::kNone;
  std::string_view wall;
};

/// `p` moved east and south as seen by `rotation`.
BlockPos moved(BlockPos p, Rotation rotation, std::int32_t east, std::int32_t south, std::int32_t up = 0) {
  const BlockPos o = rotate(BlockPos{east, up, south}, rotation);
  return {p.x + o.x, p.y + o.y, p.z + o.z};
}

constexpr Rotation kRight = Rotation::kClockwise90, kBack = Rotation::kClockwise180,
                   kLeft = Rotation::kCounterclockwise90, kAhead = Rotation::kNone;

/// How a room's template is put when its door and its other half (or, of rooms of four, its side) look like
/// this.
struct RoomFit {
  Direction door, other;
  enum class Entrance : std::uint8_t { kSide, kFront, kSecret } entrance;
  std::int32_t east, south;
  Rotation rotation;
  Mirror mirror;
};
constexpr auto kSideDoor = RoomFit::Entrance::kSide;
constexpr auto kFrontDoor = RoomFit::Entrance::kFront;
constexpr auto kNoDoor = RoomFit::Entrance::kSecret;
constexpr std::array kPairFits = {
    RoomFit{Direction::kEast, Direction::kSouth, kSideDoor, 1, 0, kAhead, Mirror::kNone},
    RoomFit{Direction::kEast, Direction::kNorth, kSideDoor, 1, 6, kAhead, Mirror::kLeftRight},
    RoomFit{Direction::kWest, Direction::kNorth, kSideDoor, 7, 6, kBack, Mirror::kNone},
    RoomFit{Direction::kWest, Direction::kSouth, kSideDoor, 7, 0, kAhead, Mirror::kFrontBack},
    RoomFit{Direction::kSouth, Direction::kEast, kSideDoor, 1, 0, kRight, Mirror::kLeftRight},
    RoomFit{Direction::kSouth, Direction::kWest, kSideDoor, 7, 0, kRight, Mirror::kNone},
    RoomFit{Direction::kNorth, Direction::kWest, kSideDoor, 7, 6, kRight, Mirror::kFrontBack},
    RoomFit{Direction::kNorth, Direction::kEast, kSideDoor, 1, 6, kLeft, Mirror::kNone},
    RoomFit{Direction::kSouth, Direction::kNorth, kFrontDoor, 1, -8, kAhead, Mirror::kNone},
    RoomFit{Direction::kNorth, Direction::kSouth, kFrontDoor, 7, 14, kBack, Mirror::kNone},
    RoomFit{Direction::kWest, Direction::kEast, kFrontDoor, 15, 0, kRight, Mirror::kNone},
    RoomFit{Direction::kEast, Direction::kWest, kFrontDoor, -7, 6, kLeft, Mirror::kNone},
    RoomFit{Direction::kUp, Direction::kEast, kNoDoor, 15, 0, kRight, Mirror::kNone},
    RoomFit{Direction::kUp, Direction::kSouth, kNoDoor, 1, 0, kAhead, Mirror::kNone}};
constexpr std::array kSquareFits = {
    RoomFit{Direction::kEast, Direction::kSouth, kSideDoor, -7, 0, kAhead, Mirror::kNone},
    RoomFit{Direction::kEast, Direction::kNorth, kSideDoor, -7, 6, kAhead, Mirror::kLeftRight},
    RoomFit{Direction::kNorth, Direction::kEast, kSideDoor, 1, 14, kLeft, Mirror::kNone},
    RoomFit{Direction::kNorth, Direction::kWest, kSideDoor, 7, 14, kLeft, Mirror::kLeftRight},
    RoomFit{Direction::kSouth, Direction::kWest, kSideDoor, 7, -8, kRight, Mirror::kNone},
    RoomFit{Direction::kSouth, Direction::kEast, kSideDoor, 1, -8, kRight, Mirror::kLeftRight},
    RoomFit{Direction::kWest, Direction::kNorth, kSideDoor, 15, 6, kBack, Mirror::kNone},
    RoomFit{Direction::kWest, Direction::kSouth, kSideDoor, 15, 0, kAhead, Mirror::kFrontBack}};

const RoomFit* find_fit(std::span<const RoomFit> fits, Direction door, Direction other) {
  for (const RoomFit& fit : fits) {
    if (fit.door == door && fit.other == other) return &fit;
  }
  return nullptr;
}

class MansionBuilder {
 public:
  MansionBuilder(const TemplateSource& templates, Random& random, BlockPos origin, Rotation rotation)
      : templates_(templates), random_(random), origin_(origin), rotation_(rotation), plan_(random) {}

  Pieces build() {
    outer_walls();
    roof(above(origin_, 16), plan_.base(), &plan_.third());
    roof(above(origin_, 27), plan_.third(), nullptr);
    for (std::size_t floor = 0; floor < 3; ++floor) {
      corridors(floor);
      rooms(floor);
    }
    return std::move(pieces_);
  }

 private:
  void add(std::string_view name, BlockPos p, Rotation rotation, Mirror mirror = Mirror::kNone) {
    pieces_.push_back(std::make_shared<MansionPiece>(templates_, name, p, rotation, mirror));
  }
  /// Adds a piece that stands at (east, south) of `p` and is turned from there by `turn`.
  void add_at(std::string_view name, BlockPos p, std::int32_t east, std::int32_t south,
              Rotation turn = kAhead, std::int32_t up = 0) {
    add(name, moved(p, rotation_, east, south, up), turned(rotation_, turn));
  }
  /// The corner of a cell whose plan starts at `floor`.
  BlockPos cell(BlockPos floor, std::int32_t x, std::int32_t y) const {
    return moved(floor, rotation_, (x - kStartX) * kCell, kCell + (y - kStartY) * kCell);
  }

  // Walls

  void outer_walls() {
    Walk first{origin_, rotation_, "wall_flat"};
    add("entrance", moved(first.position, rotation_, -9, 0), rotation_);
    first.position = moved(first.position, rotation_, 0, 16);
    Walk second{above(first.position, 8), rotation_, "wall_window"};
    follow_wall(first, plan_.base(), kStartX, kStartY, kStartX, kEntranceY);
    follow_wall(second, plan_.base(), kStartX, kStartY, kStartX, kEntranceY);

    Walk third{above(first.position, 19), first.rotation, "wall_window"};
    const Plan& plan = plan_.third();
    for (std::int32_t y = 0; y < kPlanSide; ++y) {
      for (std::int32_t x = kPlanSide - 1; x >= 0; --x) {
        if (!plan.is_house(x, y)) continue;
        third.position = cell(third.position, x, y);
        wall(third);
        return follow_wall(third, plan, x, y, x, y);
      }
    }
  }

  void follow_wall(Walk& walk, const Plan& plan, std::int32_t x, std::int32_t y, std::int32_t end_x,
                   std::int32_t end_y) {
    Direction d = Direction::kSouth;
    const auto is_done = [&] { return x == end_x && y == end_y && d == Direction::kSouth; };
    do {
      const BlockPos ahead = step(d);
      const BlockPos left = step(counter_clockwise(d));
      if (!plan.is_house(x + ahead.x, y + ahead.z)) {
        outer_corner(walk);
        d = clockwise(d);
        if (!is_done()) wall(walk);
        continue;
      }
      const bool is_inner_corner = plan.is_house(x + ahead.x + left.x, y + ahead.z + left.z);
      x += ahead.x;
      y += ahead.z;
      if (is_inner_corner) {
        inner_corner(walk);
        d = counter_clockwise(d);
      } else if (!is_done()) {
        wall(walk);
      }
    } while (!is_done());
  }

  void wall(Walk& walk) {
    add(walk.wall, moved(walk.position, walk.rotation, 7, 0), walk.rotation);
    walk.position = moved(walk.position, walk.rotation, 0, 8);
  }
  void outer_corner(Walk& walk) {
    walk.position = moved(walk.position, walk.rotation, 0, -1);
    add("wall_corner", walk.position, walk.rotation);
    walk.position = moved(walk.position, walk.rotation, 6, -7);
    walk.rotation = turned(walk.rotation, kRight);
  }
  static void inner_corner(Walk& walk) {
    walk.position = moved(walk.position, walk.rotation, 8, 6);
    walk.rotation = turned(walk.rotation, kLeft);
  }

  // Roofs

  void roof(BlockPos base, const Plan& plan, const Plan* above_plan) {
    const auto for_each = [&](bool is_covered, auto&& body) {
      for (std::int32_t y = 0; y < kPlanSide; ++y) {
        for (std::int32_t x = 0; x < kPlanSide; ++x) {
          if (!plan.is_house(x, y)) continue;
          if ((above_plan != nullptr && above_plan->is_house(x, y)) == is_covered)
            body(cell(base, x, y), x, y);
        }
      }
    };
    for_each(false, [&](BlockPos p, std::int32_t x, std::int32_t y) { roof_faces(p, plan, x, y); });
    if (above_plan != nullptr) {
      for_each(true, [&](BlockPos p, std::int32_t x, std::int32_t y) { parapet(p, plan, x, y); });
    }
    for_each(false, [&](BlockPos p, std::int32_t x, std::int32_t y) { roof_corners(p, plan, x, y); });
  }

  void roof_faces(BlockPos p, const Plan& plan, std::int32_t x, std::int32_t y) {
    add_at("roof", p, 0, 0, kAhead, 3);
    if (!plan.is_house(x + 1, y)) add_at("roof_front", p, 6, 0);
    if (!plan.is_house(x - 1, y)) add_at("roof_front", p, 0, 7, kBack);
    if (!plan.is_house(x, y - 1)) add_at("roof_front", p, -1, 0, kLeft);
    if (!plan.is_house(x, y + 1)) add_at("roof_front", p, 6, 6, kRight);
  }

  /// Where the third floor's wall stands on the edge.
  void parapet(BlockPos p, const Plan& plan, std::int32_t x, std::int32_t y) {
    const bool east = !plan.is_house(x + 1, y);
    const bool west = !plan.is_house(x - 1, y);
    const bool north = !plan.is_house(x, y - 1);
    const bool south = !plan.is_house(x, y + 1);
    if (east) add_at("small_wall", p, 7, 0);
    if (west) add_at("small_wall", p, -1, 6, kBack);
    if (north) add_at("small_wall", p, 0, -1, kLeft);
    if (south) add_at("small_wall", p, 6, 7, kRight);
    if (east && north) add_at("small_wall_corner", p, 7, -2);
    if (east && south) add_at("small_wall_corner", p, 8, 7, kRight);
    if (west && north) add_at("small_wall_corner", p, -2, -1, kLeft);
    if (west && south) add_at("small_wall_corner", p, -1, 8, kBack);
  }

  void roof_corners(BlockPos p, const Plan& plan, std::int32_t x, std::int32_t y) {
    if (!plan.is_house(x + 1, y)) {
      if (!plan.is_house(x, y + 1)) {
        add_at("roof_corner", p, 6, 6);
      } else if (plan.is_house(x + 1, y + 1)) {
        add_at("roof_inner_corner", p, 6, 5);
      }
      if (!plan.is_house(x, y - 1)) {
        add_at("roof_corner", p, 6, 0, kLeft);
      } else if (plan.is_house(x + 1, y - 1)) {
        add_at("roof_inner_corner", p, 9, -2, kRight);
      }
    }
    if (!plan.is_house(x - 1, y)) {
      if (!plan.is_house(x, y + 1)) {
        add_at("roof_corner", p, 0, 6, kRight);
      } else if (plan.is_house(x - 1, y + 1)) {
        add_at("roof_inner_corner", p, -3, 8, kLeft);
      }
      if (!plan.is_house(x, y - 1)) {
        add_at("roof_corner", p, 0, 0, kBack);
      } else if (plan.is_house(x - 1, y - 1)) {
        add_at("roof_inner_corner", p, 0, 1, kBack);
      }
    }
  }

  // Floors

  BlockPos floor_origin(std::size_t floor) const {
    constexpr std::array kHeights = {0, 8, 19};
    return above(origin_, kHeights[floor]);
  }

  void corridors(std::size_t floor) {
    const Plan& plan = plan_.floor(floor);
    const Plan& numbers = plan_.rooms(floor);
    const bool is_ground = floor == 0;
    const auto goes_on = [&](std::int32_t x, std::int32_t y) {
      return plan.get(x, y) == kCorridor || (numbers.get(x, y) & kIsLanding) != 0;
    };
    for (std::int32_t y = 0; y < kPlanSide; ++y) {
      for (std::int32_t x = 0; x < kPlanSide; ++x) {
        if (plan.get(x, y) != kCorridor) continue;
        const BlockPos p = cell(floor_origin(floor), x, y);
        add_at("corridor_floor", p, 0, 0);
        if (goes_on(x, y - 1)) add_at("carpet_north", p, 1, 0, kAhead, 1);
        if (goes_on(x + 1, y)) add_at("carpet_east", p, 5, 1, kAhead, 1);
        if (goes_on(x, y + 1)) add_at(is_ground ? "carpet_south_1" : "carpet_south_2", p, -1, 5);
        if (goes_on(x - 1, y)) add_at(is_ground ? "carpet_west_1" : "carpet_west_2", p, -1, -1);
      }
    }
  }

  void rooms(std::size_t floor) {
    const Plan& plan = plan_.floor(floor);
    const Plan& numbers = plan_.rooms(floor);
    const std::string_view wall_name = floor == 0 ? "indoors_wall_1" : "indoors_wall_2";
    const std::string_view door_name = floor == 0 ? "indoors_door_1" : "indoors_door_2";
    std::vector<Direction> ways;
    for (std::int32_t y = 0; y < kPlanSide; ++y) {
      for (std::int32_t x = 0; x < kPlanSide; ++x) {
        const bool is_stairwell = floor == 2 && plan.get(x, y) == kStartRoom;
        if (plan.get(x, y) != kRoom && !is_stairwell) continue;
        const std::int32_t room = numbers.get(x, y);
        const std::int32_t size = room & kSizeMask;
        const std::int32_t number = room & kRoomNumber;
        const bool is_landing = is_stairwell && (room & kIsLanding) != 0;

        ways.clear();
        if ((room & kHasDoor) != 0) {
          for (const Direction d : kHorizontal) {
            if (plan.get(x + step(d).x, y + step(d).z) == kCorridor) ways.push_back(d);
          }
        }
        // Up means the room's first cell without a door: a secret room.
        std::optional<Direction> door;
        if (!ways.empty()) {
          door = ways[static_cast<std::size_t>(random_.next_int(static_cast<std::int32_t>(ways.size())))];
        } else if ((room & kIsOrigin) != 0) {
          door = Direction::kUp;
        }

        const BlockPos p = moved(cell(floor_origin(floor), x, y), rotation_, -1, 0);
        const auto wall_or_door = [&](Direction d) { return door == d ? door_name : wall_name; };
        const auto is_other_room = [&](std::int32_t ox, std::int32_t oy) {
          return plan.is_house(ox, oy) && !plan_.is_room(ox, oy, floor, number);
        };
        if (is_other_room(x - 1, y)) add_at(wall_or_door(Direction::kWest), p, 0, 0);
        if (plan.get(x + 1, y) == kCorridor && !is_landing) add_at(wall_or_door(Direction::kEast), p, 8, 0);
        if (is_other_room(x, y + 1)) add_at(wall_or_door(Direction::kSouth), p, 7, 7, kRight);
        if (plan.get(x, y - 1) == kCorridor && !is_landing) {
          add_at(wall_or_door(Direction::kNorth), p, 7, -1, kRight);
        }

        if (size == kSize1x1) {
          single_room(p, door, floor);
        } else if (size == kSize1x2 && door) {
          const auto other = plan_.other_half(x, y, floor, number);
          if (other) pair_room(p, *door, *other, floor, (room & kHasStairs) != 0);
        } else if (size == kSize2x2 && door && door != Direction::kUp) {
          Direction side = clockwise(*door);
          if (!plan_.is_room(x + step(side).x, y + step(side).z, floor, number)) side = opposite(side);
          square_room(p, *door, side, floor);
        } else if (size == kSize2x2 && door == Direction::kUp) {
          add_at("2x2_s1", p, 1, 0);
        }
      }
    }
  }

  std::string pick(std::string_view prefix, std::int32_t count) {
    return std::string(prefix) + std::to_string(random_.next_int(count) + 1);
  }

  void single_room(BlockPos p, std::optional<Direction> door, std::size_t floor) {
    std::string name = floor == 0 ? pick("1x1_a", 5) : pick("1x1_b", 5);
    Rotation turn = kAhead;
    BlockPos corner{1, 0, 0};
    if (door == Direction::kNorth) {
      turn = kLeft;
      corner = {1, 0, 6};
    } else if (door == Direction::kWest) {
      turn = kBack;
      corner = {7, 0, 6};
    } else if (door == Direction::kSouth) {
      turn = kRight;
      corner = {7, 0, 0};
    } else if (door != Direction::kEast) {
      name = pick("1x1_as", 4);
    }
    add_at(name, p, corner.x, corner.z, turn);
  }

  void pair_room(BlockPos p, Direction door, Direction other, std::size_t floor, bool has_stairs) {
    const RoomFit* fit = find_fit(kPairFits, door, other);
    if (fit == nullptr) return;
    std::string name;
    switch (fit->entrance) {
      case RoomFit::Entrance::kSide:
        name = floor == 0 ? pick("1x2_a", 9) : (has_stairs ? "1x2_c_stairs" : pick("1x2_c", 4));
        break;
      case RoomFit::Entrance::kFront:
        name = floor == 0 ? pick("1x2_b", 5) : (has_stairs ? "1x2_d_stairs" : pick("1x2_d", 5));
        break;
      case RoomFit::Entrance::kSecret:
        name = floor == 0 ? pick("1x2_s", 2) : pick("1x2_se", 1);
        break;
    }
    put_room(name, p, *fit);
  }

  void square_room(BlockPos p, Direction door, Direction other, std::size_t floor) {
    const std::string name = floor == 0 ? pick("2x2_a", 4) : pick("2x2_b", 5);
    put_room(name, p, *find_fit(kSquareFits, door, other));
  }

  void put_room(std::string_view name, BlockPos p, const RoomFit& fit) {
    add(name, moved(p, rotation_, fit.east, fit.south), turned(rotation_, fit.rotation), fit.mirror);
  }

  static constexpr std::int32_t kStartX = kEntranceX + 1, kStartY = kEntranceY + 1;

  const TemplateSource& templates_;
  Random& random_;
  BlockPos origin_;
  Rotation rotation_;
  MansionPlan plan_;
  Pieces pieces_;
};

class WoodlandMansion final : public Structure {
 public:
  std::optional<GenerationPoint> find(StartContext& context) const override {
    if (context.templates == nullptr) return {};
    const Rotation rotation = random_rotation(context.random);
    const BlockPos start = lowest_of_square(context, rotation);
    if (start.y < kMinY) return {};
    return GenerationPoint{start, [templates = context.templates, start, rotation](Random& random) {
                             return MansionBuilder(*templates, random, start, rotation).build();
                           }};
  }

  /// Stands the house on cobblestone wherever its lowest blocks hang over a slope.
  void after_place(PiecePlacing& placing, const Pieces& pieces) const override {
    if (pieces.empty()) return;
    Region& region = placing.region;
    Box whole = pieces.front()->box();
    for (const auto& piece : pieces) whole.encapsulate(piece->box());
    const Box& area = placing.writable;
    for (std::int32_t x = area.min_x; x <= area.max_x; ++x) {
      for (std::int32_t z = area.min_z; z <= area.max_z; ++z) {
        const BlockPos base{x, whole.min_y, z};
        if (region.is_air(base) || !whole.contains(base)) continue;
        if (std::ranges::none_of(pieces, [&](const auto& piece) { return piece->box().contains(base); }))
          continue;
        for (BlockPos p = below(base); p.y > region.min_y(); --p.y) {
          const BlockState s = region.get(p);
          if (!is_air(s) && !kLiquids.contains(s)) break;
          region.set(p, kCobblestone);
        }
      }
    }
  }

  bool needs_templates() const override { return true; }
};

}  // namespace

void add_mansion(StructureFactories& factories) {
  factories["woodland_mansion"] = [](const Json&, const StructureLoader&) {
    return std::make_shared<WoodlandMansion>();
  };
}

}  // namespace horizon::worldgen
