#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "common/game/game.hpp"
#include "shard/worldgen/structure/block_piece.hpp"
#include "shard/worldgen/structure/structure.hpp"
#include "shard/worldgen/structure/template_piece.hpp"

namespace horizon::worldgen {

namespace {

// --- Materials and boxes -------------------------------------------------

/// None of them has a direction, so that boxes can be filled in world coordinates. `kFlood` is water below
/// the sea's surface and air above it, and leaves ice alone; `kRoof` is prismarine, but only where water is.
enum class Material : std::uint8_t { kGrey, kLight, kDark, kLamp, kGold, kSponge, kFlood, kRoof };
using enum Material;

const std::array kStates = {state("prismarine"),  state("prismarine_bricks"), state("dark_prismarine"),
                            state("sea_lantern"), state("gold_block"),        state("wet_sponge"),
                            state("water"),       state("prismarine")};
const BlockSet kNotFlooded = BlockSet::of({"ice", "packed_ice", "blue_ice", "water"});

/// A box in the piece's own coordinates, ends included.
struct Part {
  Material material;
  std::int8_t x0, y0, z0, x1, y1, z1;
};

constexpr Part cuboid(Material m, int x0, int y0, int z0, int x1, int y1, int z1) {
  return {m,
          static_cast<std::int8_t>(x0),
          static_cast<std::int8_t>(y0),
          static_cast<std::int8_t>(z0),
          static_cast<std::int8_t>(x1),
          static_cast<std::int8_t>(y1),
          static_cast<std::int8_t>(z1)};
}
constexpr Part dot(Material m, int x, int y, int z) { return cuboid(m, x, y, z, x, y, z); }

class MonumentPiece : public BlockPiece {
 protected:
  MonumentPiece(Box bounds, Direction direction) : BlockPiece(bounds, direction) {}

  void lay(PiecePlacing& placing, const Part& part) const {
    const BlockPos a{world_x(part.x0, part.z0), world_y(part.y0), world_z(part.x0, part.z0)};
    const BlockPos b{world_x(part.x1, part.z1), world_y(part.y1), world_z(part.x1, part.z1)};
    const Box whole = Box::from_corners(a, b);
    const Box& limit = placing.writable;
    const std::int32_t max_x = std::min(whole.max_x, limit.max_x);
    const std::int32_t max_y = std::min(whole.max_y, limit.max_y);
    const std::int32_t max_z = std::min(whole.max_z, limit.max_z);
    Region& region = placing.region;
    for (std::int32_t y = std::max(whole.min_y, limit.min_y); y <= max_y; ++y) {
      BlockState s = kStates[static_cast<std::size_t>(part.material)];
      if (part.material == kFlood && y >= region.sea_level()) s = blocks::kAir;
      for (std::int32_t z = std::max(whole.min_z, limit.min_z); z <= max_z; ++z) {
        for (std::int32_t x = std::max(whole.min_x, limit.min_x); x <= max_x; ++x) {
          const BlockPos p{x, y, z};
          if (part.material == kFlood && kNotFlooded.contains(region.get(p))) continue;
          if (part.material == kRoof && region.get(p) != blocks::kWater) continue;
          region.set(p, s);
          if (s == blocks::kWater) region.mark_for_post_processing(p);
        }
      }
    }
  }
  void lay(PiecePlacing& placing, std::span<const Part> parts) const {
    for (const Part& part : parts) lay(placing, part);
  }

  /// An elder guardian, in the chunk that its block belongs to.
  void spawn_elder(PiecePlacing& placing, std::int32_t x, std::int32_t y, std::int32_t z) const {
    const BlockPos p{world_x(x, z), world_y(y), world_z(x, z)};
    if (!placing.writable.contains(p)) return;
    placing.region.add_entity(make_mob(placing.region, "minecraft:elder_guardian", bottom_centre(p)), p);
  }
};

// --- The plan of rooms ---------------------------------------------------

constexpr std::int32_t kCell = 8;        ///< blocks along a room
constexpr std::int32_t kCellHeight = 4;  ///< and up
constexpr std::int32_t kGridSide = 5;
constexpr std::int32_t kGridFloor = kGridSide * kGridSide;
constexpr std::int32_t kGridSize = 3 * kGridFloor;
/// Cells beyond the grid: what the top and both wings are in the graph.
constexpr std::int32_t kTopCell = kGridSize, kLeftWingCell = kGridSize + 1, kRightWingCell = kGridSize + 2;
constexpr std::int32_t kNobody = -1;

constexpr std::size_t side(Direction d) { return static_cast<std::size_t>(d); }
constexpr std::int32_t cell_index(std::int32_t x, std::int32_t y, std::int32_t z) {
  return y * kGridFloor + z * kGridSide + x;
}

struct Cell {
  bool exists = false, is_claimed = false, is_source = false;
  std::array<std::int32_t, 6> neighbour{kNobody, kNobody, kNobody, kNobody, kNobody, kNobody};
  std::array<bool, 6> is_open{};
  std::int32_t last_scan = 0;
};

/// What a room must know of one of its cells to be built.
struct CellView {
  std::array<bool, 6> is_open{};
  bool has_room_above = false;
  bool open(Direction d) const { return is_open[side(d)]; }
};

enum class RoomKind : std::uint8_t {
  kEntry,
  kCore,
  kDoubleXY,
  kDoubleYZ,
  kDoubleZ,
  kDoubleX,
  kDoubleY,
  kSimpleTop,
  kSimple,
};

struct RoomSize {
  std::int32_t width, height, depth;  ///< in cells
};
constexpr RoomSize size_of(RoomKind kind) {
  switch (kind) {
    case RoomKind::kCore:
      return {2, 2, 2};
    case RoomKind::kDoubleXY:
      return {2, 2, 1};
    case RoomKind::kDoubleYZ:
      return {1, 2, 2};
    case RoomKind::kDoubleZ:
      return {1, 1, 2};
    case RoomKind::kDoubleX:
      return {2, 1, 1};
    case RoomKind::kDoubleY:
      return {1, 2, 1};
    default:
      return {1, 1, 1};
  }
}

/// Which cells are there, which are joined, and which joints stay open. "North" leads to greater z here: the
/// monument's own coordinates begin at its front.
class RoomPlan {
 public:
  explicit RoomPlan(Random& random) {
    for (std::int32_t x = 0; x < kGridSide; ++x) {
      for (std::int32_t z = 0; z < 4; ++z) at(x, 0, z).exists = at(x, 1, z).exists = true;
    }
    for (std::int32_t x = 1; x < 4; ++x) {
      for (std::int32_t z = 0; z < 2; ++z) at(x, 2, z).exists = true;
    }
    for (std::int32_t x = 0; x < kGridSide; ++x) {
      for (std::int32_t y = 0; y < 3; ++y) {
        for (std::int32_t z = 0; z < kGridSide; ++z) {
          if (x + 1 < kGridSide) join_if_both(cell_index(x, y, z), Direction::kEast, cell_index(x + 1, y, z));
          if (y + 1 < 3) join_if_both(cell_index(x, y, z), Direction::kUp, cell_index(x, y + 1, z));
          if (z + 1 < kGridSide)
            join_if_both(cell_index(x, y, z), Direction::kNorth, cell_index(x, y, z + 1));
        }
      }
    }
    join(cell_index(2, 2, 0), Direction::kUp, kTopCell);
    join(cell_index(0, 1, 0), Direction::kSouth, kLeftWingCell);
    join(cell_index(4, 1, 0), Direction::kSouth, kRightWingCell);
    for (const std::int32_t extra : {kTopCell, kLeftWingCell, kRightWingCell}) cell(extra).is_claimed = true;

    source_ = cell_index(2, 0, 0);
    cell(source_).is_source = true;
    core_ = cell_index(random.next_int(4), 0, 2);
    for (const std::int32_t base : {core_, next(core_, Direction::kEast), next(core_, Direction::kNorth),
                                    next(next(core_, Direction::kEast), Direction::kNorth)}) {
      cell(base).is_claimed = true;
      cell(next(base, Direction::kUp)).is_claimed = true;
    }

    for (std::int32_t i = 0; i < kGridSize; ++i) {
      if (!cell(i).exists) continue;
      open_all(i);
      order_.push_back(i);
    }
    // The wings stay shut on their side: from there the entrance is never found, so the way to them stays.
    open_all(kTopCell);
    shuffle(order_, random);
    close_some(random);
  }

  std::int32_t source() const { return source_; }
  std::int32_t core() const { return core_; }
  /// The grid's cells as they were shuffled.
  const std::vector<std::int32_t>& order() const { return order_; }
  bool is_claimed(std::int32_t i) const { return cells_[static_cast<std::size_t>(i)].is_claimed; }
  void claim(std::int32_t i) { cell(i).is_claimed = true; }
  std::int32_t next(std::int32_t i, Direction d) const {
    return cells_[static_cast<std::size_t>(i)].neighbour[side(d)];
  }
  bool is_open(std::int32_t i, Direction d) const {
    return cells_[static_cast<std::size_t>(i)].is_open[side(d)];
  }
  /// The neighbour behind an open joint that no room has taken yet, or kNobody.
  std::int32_t free_next(std::int32_t i, Direction d) const {
    if (!is_open(i, d)) return kNobody;
    const std::int32_t n = next(i, d);
    return is_claimed(n) ? kNobody : n;
  }
  CellView view(std::int32_t i) const {
    return {cells_[static_cast<std::size_t>(i)].is_open, next(i, Direction::kUp) != kNobody};
  }

 private:
  Cell& cell(std::int32_t i) { return cells_[static_cast<std::size_t>(i)]; }
  Cell& at(std::int32_t x, std::int32_t y, std::int32_t z) { return cell(cell_index(x, y, z)); }
  void join(std::int32_t a, Direction d, std::int32_t b) {
    cell(a).neighbour[side(d)] = b;
    cell(b).neighbour[side(opposite(d))] = a;
  }
  void join_if_both(std::int32_t a, Direction d, std::int32_t b) {
    if (cell(a).exists && cell(b).exists) join(a, d, b);
  }
  void open_all(std::int32_t i) {
    for (const Direction d : kDirections) cell(i).is_open[side(d)] = next(i, d) != kNobody;
  }
  bool reaches_source(std::int32_t i, std::int32_t scan) {
    Cell& c = cell(i);
    if (c.is_source) return true;
    c.last_scan = scan;
    for (const Direction d : kDirections) {
      const std::int32_t n = c.neighbour[side(d)];
      if (n != kNobody && c.is_open[side(d)] && cell(n).last_scan != scan && reaches_source(n, scan))
        return true;
    }
    return false;
  }
  /// Shuts up to two joints of each cell, as long as both sides still find the entrance.
  void close_some(Random& random) {
    std::int32_t scan = 1;
    for (const std::int32_t i : order_) {
      std::int32_t closed = 0;
      for (std::int32_t attempt = 0; attempt < 5 && closed < 2; ++attempt) {
        const auto d = static_cast<Direction>(random.next_int(6));
        if (!cell(i).is_open[side(d)]) continue;
        const std::int32_t n = next(i, d);
        bool& ours = cell(i).is_open[side(d)];
        bool& theirs = cell(n).is_open[side(opposite(d))];
        ours = theirs = false;
        if (reaches_source(i, scan++) && reaches_source(n, scan++)) {
          ++closed;
        } else {
          ours = theirs = true;
        }
      }
    }
  }

  std::array<Cell, kGridSize + 3> cells_;
  std::vector<std::int32_t> order_;
  std::int32_t source_ = 0, core_ = 0;
};

// --- Rooms as tables -----------------------------------------------------

/// Parts that are laid when a cell's side is open (or shut).
struct Doorway {
  std::uint8_t cell;
  Direction direction;
  bool when_open;
  std::array<Part, 4> parts;
  std::uint8_t count;
};
template <typename... Parts>
constexpr Doorway when_open(int cell, Direction d, Parts... parts) {
  return {static_cast<std::uint8_t>(cell), d, true, {parts...}, sizeof...(parts)};
}
template <typename... Parts>
constexpr Doorway when_shut(int cell, Direction d, Parts... parts) {
  return {static_cast<std::uint8_t>(cell), d, false, {parts...}, sizeof...(parts)};
}

constexpr auto kS = Direction::kSouth;
constexpr auto kN = Direction::kNorth;
constexpr auto kW = Direction::kWest;
constexpr auto kE = Direction::kEast;

/// The same parts on all four sides of a square room of 8, as the tables below need them often.
constexpr Part south_door(int x, int y) { return cuboid(kFlood, x, y, 0, x + 1, y + 1, 0); }
constexpr Part north_door(int x, int y, int z) { return cuboid(kFlood, x, y, z, x + 1, y + 1, z); }
constexpr Part west_door(int y, int z) { return cuboid(kFlood, 0, y, z, 0, y + 1, z + 1); }
constexpr Part east_door(int x, int y, int z) { return cuboid(kFlood, x, y, z, x, y + 1, z + 1); }

constexpr std::array kClosedFloor = {cuboid(kGrey, 0, 0, 0, 7, 0, 7)};
constexpr std::array kHoleFloor = {cuboid(kGrey, 0, 0, 0, 2, 0, 7),  cuboid(kGrey, 5, 0, 0, 7, 0, 7),
                                   cuboid(kGrey, 3, 0, 0, 4, 0, 2),  cuboid(kGrey, 3, 0, 5, 4, 0, 7),
                                   cuboid(kLight, 3, 0, 2, 4, 0, 2), cuboid(kLight, 3, 0, 5, 4, 0, 5),
                                   cuboid(kLight, 2, 0, 3, 2, 0, 4), cuboid(kLight, 5, 0, 3, 5, 0, 4)};

constexpr std::array kEntry = {
    cuboid(kLight, 0, 3, 0, 2, 3, 7), cuboid(kLight, 5, 3, 0, 7, 3, 7), cuboid(kLight, 0, 2, 0, 1, 2, 7),
    cuboid(kLight, 6, 2, 0, 7, 2, 7), cuboid(kLight, 0, 1, 0, 0, 1, 7), cuboid(kLight, 7, 1, 0, 7, 1, 7),
    cuboid(kLight, 0, 1, 7, 7, 3, 7), cuboid(kLight, 1, 1, 0, 2, 3, 0), cuboid(kLight, 5, 1, 0, 6, 3, 0)};
constexpr std::array kEntryDoors = {when_open(0, kN, north_door(3, 1, 7)),
                                    when_open(0, kW, cuboid(kFlood, 0, 1, 3, 1, 2, 4)),
                                    when_open(0, kE, cuboid(kFlood, 6, 1, 3, 7, 2, 4))};

/// Simple room with a closet of lamps in each corner.
constexpr std::array kClosets = {cuboid(kLight, 0, 1, 0, 2, 1, 2),
                                 cuboid(kLight, 0, 3, 0, 2, 3, 2),
                                 cuboid(kGrey, 0, 2, 0, 0, 2, 2),
                                 cuboid(kGrey, 1, 2, 0, 2, 2, 0),
                                 dot(kLamp, 1, 2, 1),
                                 cuboid(kLight, 5, 1, 0, 7, 1, 2),
                                 cuboid(kLight, 5, 3, 0, 7, 3, 2),
                                 cuboid(kGrey, 7, 2, 0, 7, 2, 2),
                                 cuboid(kGrey, 5, 2, 0, 6, 2, 0),
                                 dot(kLamp, 6, 2, 1),
                                 cuboid(kLight, 0, 1, 5, 2, 1, 7),
                                 cuboid(kLight, 0, 3, 5, 2, 3, 7),
                                 cuboid(kGrey, 0, 2, 5, 0, 2, 7),
                                 cuboid(kGrey, 1, 2, 7, 2, 2, 7),
                                 dot(kLamp, 1, 2, 6),
                                 cuboid(kLight, 5, 1, 5, 7, 1, 7),
                                 cuboid(kLight, 5, 3, 5, 7, 3, 7),
                                 cuboid(kGrey, 7, 2, 5, 7, 2, 7),
                                 cuboid(kGrey, 5, 2, 7, 6, 2, 7),
                                 dot(kLamp, 6, 2, 6)};
constexpr std::array kClosetDoors = {
    when_open(0, kS, cuboid(kLight, 3, 3, 0, 4, 3, 0)),
    when_shut(0, kS, cuboid(kLight, 3, 3, 0, 4, 3, 1), cuboid(kGrey, 3, 2, 0, 4, 2, 0),
              cuboid(kLight, 3, 1, 0, 4, 1, 1)),
    when_open(0, kN, cuboid(kLight, 3, 3, 7, 4, 3, 7)),
    when_shut(0, kN, cuboid(kLight, 3, 3, 6, 4, 3, 7), cuboid(kGrey, 3, 2, 7, 4, 2, 7),
              cuboid(kLight, 3, 1, 6, 4, 1, 7)),
    when_open(0, kW, cuboid(kLight, 0, 3, 3, 0, 3, 4)),
    when_shut(0, kW, cuboid(kLight, 0, 3, 3, 1, 3, 4), cuboid(kGrey, 0, 2, 3, 0, 2, 4),
              cuboid(kLight, 0, 1, 3, 1, 1, 4)),
    when_open(0, kE, cuboid(kLight, 7, 3, 3, 7, 3, 4)),
    when_shut(0, kE, cuboid(kLight, 6, 3, 3, 7, 3, 4), cuboid(kGrey, 7, 2, 3, 7, 2, 4),
              cuboid(kLight, 6, 1, 3, 7, 1, 4))};

/// Simple room with four lit pillars.
constexpr std::array kPillars = {cuboid(kLight, 2, 1, 2, 2, 3, 2),
                                 cuboid(kLight, 2, 1, 5, 2, 3, 5),
                                 cuboid(kLight, 5, 1, 5, 5, 3, 5),
                                 cuboid(kLight, 5, 1, 2, 5, 3, 2),
                                 dot(kLamp, 2, 2, 2),
                                 dot(kLamp, 2, 2, 5),
                                 dot(kLamp, 5, 2, 5),
                                 dot(kLamp, 5, 2, 2),
                                 cuboid(kLight, 0, 1, 0, 1, 3, 0),
                                 cuboid(kLight, 0, 1, 1, 0, 3, 1),
                                 cuboid(kLight, 0, 1, 7, 1, 3, 7),
                                 cuboid(kLight, 0, 1, 6, 0, 3, 6),
                                 cuboid(kLight, 6, 1, 7, 7, 3, 7),
                                 cuboid(kLight, 7, 1, 6, 7, 3, 6),
                                 cuboid(kLight, 6, 1, 0, 7, 3, 0),
                                 cuboid(kLight, 7, 1, 1, 7, 3, 1),
                                 dot(kGrey, 1, 2, 0),
                                 dot(kGrey, 0, 2, 1),
                                 dot(kGrey, 1, 2, 7),
                                 dot(kGrey, 0, 2, 6),
                                 dot(kGrey, 6, 2, 7),
                                 dot(kGrey, 7, 2, 6),
                                 dot(kGrey, 6, 2, 0),
                                 dot(kGrey, 7, 2, 1)};
constexpr std::array kPillarWalls = {
    when_shut(0, kS, cuboid(kLight, 1, 3, 0, 6, 3, 0), cuboid(kGrey, 1, 2, 0, 6, 2, 0),
              cuboid(kLight, 1, 1, 0, 6, 1, 0)),
    when_shut(0, kN, cuboid(kLight, 1, 3, 7, 6, 3, 7), cuboid(kGrey, 1, 2, 7, 6, 2, 7),
              cuboid(kLight, 1, 1, 7, 6, 1, 7)),
    when_shut(0, kW, cuboid(kLight, 0, 3, 1, 0, 3, 6), cuboid(kGrey, 0, 2, 1, 0, 2, 6),
              cuboid(kLight, 0, 1, 1, 0, 1, 6)),
    when_shut(0, kE, cuboid(kLight, 7, 3, 1, 7, 3, 6), cuboid(kGrey, 7, 2, 1, 7, 2, 6),
              cuboid(kLight, 7, 1, 1, 7, 1, 6))};

/// Four walls with a dark band: the third simple room and the room of sponges.
constexpr std::array kBandedWalls = {
    cuboid(kLight, 0, 1, 0, 0, 1, 7), cuboid(kLight, 7, 1, 0, 7, 1, 7), cuboid(kLight, 1, 1, 0, 6, 1, 0),
    cuboid(kLight, 1, 1, 7, 6, 1, 7), cuboid(kDark, 0, 2, 0, 0, 2, 7),  cuboid(kDark, 7, 2, 0, 7, 2, 7),
    cuboid(kDark, 1, 2, 0, 6, 2, 0),  cuboid(kDark, 1, 2, 7, 6, 2, 7),  cuboid(kLight, 0, 3, 0, 0, 3, 7),
    cuboid(kLight, 7, 3, 0, 7, 3, 7), cuboid(kLight, 1, 3, 0, 6, 3, 0), cuboid(kLight, 1, 3, 7, 6, 3, 7),
    cuboid(kDark, 0, 1, 3, 0, 2, 4),  cuboid(kDark, 7, 1, 3, 7, 2, 4),  cuboid(kDark, 3, 1, 0, 4, 2, 0),
    cuboid(kDark, 3, 1, 7, 4, 2, 7)};
constexpr std::array kBandedDoors = {when_open(0, kS, south_door(3, 1)),
                                     when_open(0, kN, north_door(3, 1, 7)), when_open(0, kW, west_door(1, 3)),
                                     when_open(0, kE, east_door(7, 1, 3))};
constexpr std::array kSpongeDoors = {when_open(0, kS, south_door(3, 1))};
constexpr std::array kCentrePillar = {cuboid(kLight, 3, 1, 3, 4, 1, 4), cuboid(kGrey, 3, 2, 3, 4, 2, 4),
                                      cuboid(kLight, 3, 3, 3, 4, 3, 4)};

constexpr std::array kDoubleY = {cuboid(kLight, 0, 4, 0, 0, 4, 7), cuboid(kLight, 7, 4, 0, 7, 4, 7),
                                 cuboid(kLight, 1, 4, 0, 6, 4, 0), cuboid(kLight, 1, 4, 7, 6, 4, 7),
                                 cuboid(kLight, 2, 4, 1, 2, 4, 2), dot(kLight, 1, 4, 2),
                                 cuboid(kLight, 5, 4, 1, 5, 4, 2), dot(kLight, 6, 4, 2),
                                 cuboid(kLight, 2, 4, 5, 2, 4, 6), dot(kLight, 1, 4, 5),
                                 cuboid(kLight, 5, 4, 5, 5, 4, 6), dot(kLight, 6, 4, 5)};
/// One storey's wall on one side; `at` is the wall's x or z.
constexpr Doorway storey_gate(int cell, Direction d, int at, int y) {
  return d == kS || d == kN
             ? when_open(cell, d, cuboid(kLight, 2, y, at, 2, y + 2, at),
                         cuboid(kLight, 5, y, at, 5, y + 2, at), cuboid(kLight, 3, y + 2, at, 4, y + 2, at))
             : when_open(cell, d, cuboid(kLight, at, y, 2, at, y + 2, 2),
                         cuboid(kLight, at, y, 5, at, y + 2, 5), cuboid(kLight, at, y + 2, 3, at, y + 2, 4));
}
constexpr Doorway storey_wall(int cell, Direction d, int at, int y) {
  return d == kS || d == kN ? when_shut(cell, d, cuboid(kLight, 0, y, at, 7, y + 2, at),
                                        cuboid(kGrey, 0, y + 1, at, 7, y + 1, at))
                            : when_shut(cell, d, cuboid(kLight, at, y, 0, at, y + 2, 7),
                                        cuboid(kGrey, at, y + 1, 0, at, y + 1, 7));
}
constexpr std::array kDoubleYSides = {
    storey_gate(0, kS, 0, 1), storey_wall(0, kS, 0, 1), storey_gate(0, kN, 7, 1), storey_wall(0, kN, 7, 1),
    storey_gate(0, kW, 0, 1), storey_wall(0, kW, 0, 1), storey_gate(0, kE, 7, 1), storey_wall(0, kE, 7, 1),
    storey_gate(1, kS, 0, 5), storey_wall(1, kS, 0, 5), storey_gate(1, kN, 7, 5), storey_wall(1, kN, 7, 5),
    storey_gate(1, kW, 0, 5), storey_wall(1, kW, 0, 5), storey_gate(1, kE, 7, 5), storey_wall(1, kE, 7, 5)};

constexpr std::array kDoubleX = {cuboid(kLight, 0, 3, 0, 0, 3, 7),
                                 cuboid(kLight, 15, 3, 0, 15, 3, 7),
                                 cuboid(kLight, 1, 3, 0, 15, 3, 0),
                                 cuboid(kLight, 1, 3, 7, 14, 3, 7),
                                 cuboid(kGrey, 0, 2, 0, 0, 2, 7),
                                 cuboid(kGrey, 15, 2, 0, 15, 2, 7),
                                 cuboid(kGrey, 1, 2, 0, 15, 2, 0),
                                 cuboid(kGrey, 1, 2, 7, 14, 2, 7),
                                 cuboid(kLight, 0, 1, 0, 0, 1, 7),
                                 cuboid(kLight, 15, 1, 0, 15, 1, 7),
                                 cuboid(kLight, 1, 1, 0, 15, 1, 0),
                                 cuboid(kLight, 1, 1, 7, 14, 1, 7),
                                 cuboid(kLight, 5, 1, 0, 10, 1, 4),
                                 cuboid(kGrey, 6, 2, 0, 9, 2, 3),
                                 cuboid(kLight, 5, 3, 0, 10, 3, 4),
                                 dot(kLamp, 6, 2, 3),
                                 dot(kLamp, 9, 2, 3)};
constexpr std::array kDoubleXDoors = {
    when_open(0, kS, south_door(3, 1)),     when_open(0, kN, north_door(3, 1, 7)),
    when_open(0, kW, west_door(1, 3)),      when_open(1, kS, south_door(11, 1)),
    when_open(1, kN, north_door(11, 1, 7)), when_open(1, kE, east_door(15, 1, 3))};

constexpr std::array kDoubleZ = {cuboid(kLight, 0, 3, 0, 0, 3, 15),
                                 cuboid(kLight, 7, 3, 0, 7, 3, 15),
                                 cuboid(kLight, 1, 3, 0, 7, 3, 0),
                                 cuboid(kLight, 1, 3, 15, 6, 3, 15),
                                 cuboid(kGrey, 0, 2, 0, 0, 2, 15),
                                 cuboid(kGrey, 7, 2, 0, 7, 2, 15),
                                 cuboid(kGrey, 1, 2, 0, 7, 2, 0),
                                 cuboid(kGrey, 1, 2, 15, 6, 2, 15),
                                 cuboid(kLight, 0, 1, 0, 0, 1, 15),
                                 cuboid(kLight, 7, 1, 0, 7, 1, 15),
                                 cuboid(kLight, 1, 1, 0, 7, 1, 0),
                                 cuboid(kLight, 1, 1, 15, 6, 1, 15),
                                 cuboid(kLight, 1, 1, 1, 1, 1, 2),
                                 cuboid(kLight, 6, 1, 1, 6, 1, 2),
                                 cuboid(kLight, 1, 3, 1, 1, 3, 2),
                                 cuboid(kLight, 6, 3, 1, 6, 3, 2),
                                 cuboid(kLight, 1, 1, 13, 1, 1, 14),
                                 cuboid(kLight, 6, 1, 13, 6, 1, 14),
                                 cuboid(kLight, 1, 3, 13, 1, 3, 14),
                                 cuboid(kLight, 6, 3, 13, 6, 3, 14),
                                 cuboid(kLight, 2, 1, 6, 2, 3, 6),
                                 cuboid(kLight, 5, 1, 6, 5, 3, 6),
                                 cuboid(kLight, 2, 1, 9, 2, 3, 9),
                                 cuboid(kLight, 5, 1, 9, 5, 3, 9),
                                 cuboid(kLight, 3, 2, 6, 4, 2, 6),
                                 cuboid(kLight, 3, 2, 9, 4, 2, 9),
                                 cuboid(kLight, 2, 2, 7, 2, 2, 8),
                                 cuboid(kLight, 5, 2, 7, 5, 2, 8),
                                 dot(kLamp, 2, 2, 5),
                                 dot(kLamp, 5, 2, 5),
                                 dot(kLamp, 2, 2, 10),
                                 dot(kLamp, 5, 2, 10),
                                 dot(kLight, 2, 3, 5),
                                 dot(kLight, 5, 3, 5),
                                 dot(kLight, 2, 3, 10),
                                 dot(kLight, 5, 3, 10)};
constexpr std::array kDoubleZDoors = {
    when_open(0, kS, south_door(3, 1)), when_open(0, kE, east_door(7, 1, 3)),
    when_open(0, kW, west_door(1, 3)),  when_open(1, kN, north_door(3, 1, 15)),
    when_open(1, kW, west_door(1, 11)), when_open(1, kE, east_door(7, 1, 11))};

constexpr std::array kDoubleXY = {cuboid(kLight, 2, 1, 3, 2, 7, 4),
                                  cuboid(kLight, 3, 1, 2, 4, 7, 2),
                                  cuboid(kLight, 3, 1, 5, 4, 7, 5),
                                  cuboid(kLight, 13, 1, 3, 13, 7, 4),
                                  cuboid(kLight, 11, 1, 2, 12, 7, 2),
                                  cuboid(kLight, 11, 1, 5, 12, 7, 5),
                                  cuboid(kLight, 5, 1, 3, 5, 3, 4),
                                  cuboid(kLight, 10, 1, 3, 10, 3, 4),
                                  cuboid(kLight, 5, 7, 2, 10, 7, 5),
                                  cuboid(kLight, 5, 5, 2, 5, 7, 2),
                                  cuboid(kLight, 10, 5, 2, 10, 7, 2),
                                  cuboid(kLight, 5, 5, 5, 5, 7, 5),
                                  cuboid(kLight, 10, 5, 5, 10, 7, 5),
                                  dot(kLight, 6, 6, 2),
                                  dot(kLight, 9, 6, 2),
                                  dot(kLight, 6, 6, 5),
                                  dot(kLight, 9, 6, 5),
                                  cuboid(kLight, 5, 4, 3, 6, 4, 4),
                                  cuboid(kLight, 9, 4, 3, 10, 4, 4),
                                  dot(kLamp, 5, 4, 2),
                                  dot(kLamp, 5, 4, 5),
                                  dot(kLamp, 10, 4, 2),
                                  dot(kLamp, 10, 4, 5)};
constexpr std::array kDoubleXYDoors = {
    when_open(0, kS, south_door(3, 1)),     when_open(0, kN, north_door(3, 1, 7)),
    when_open(0, kW, west_door(1, 3)),      when_open(1, kS, south_door(11, 1)),
    when_open(1, kN, north_door(11, 1, 7)), when_open(1, kE, east_door(15, 1, 3)),
    when_open(2, kS, south_door(3, 5)),     when_open(2, kN, north_door(3, 5, 7)),
    when_open(2, kW, west_door(5, 3)),      when_open(3, kS, south_door(11, 5)),
    when_open(3, kN, north_door(11, 5, 7)), when_open(3, kE, east_door(15, 5, 3))};

/// A door of the upper storey with the balcony that leads to it; `x0` is the balcony's first column, `x` that
/// of its posts.
constexpr Doorway balcony(int cell, Direction d, Part door, int x0, int x, int z) {
  return when_open(cell, d, door, cuboid(kLight, x0, 4, z, x0 + 1, 4, z + 3),
                   cuboid(kLight, x, 1, z, x, 3, z), cuboid(kLight, x, 1, z + 3, x, 3, z + 3));
}
constexpr std::array kDoubleYZDoors = {
    when_open(0, kS, south_door(3, 1)),         when_open(0, kE, east_door(7, 1, 3)),
    when_open(0, kW, west_door(1, 3)),          when_open(1, kN, north_door(3, 1, 15)),
    when_open(1, kW, west_door(1, 11)),         when_open(1, kE, east_door(7, 1, 11)),
    when_open(2, kS, south_door(3, 5)),         balcony(2, kE, east_door(7, 5, 3), 5, 6, 2),
    balcony(2, kW, west_door(5, 3), 1, 1, 2),   when_open(3, kN, north_door(3, 5, 15)),
    balcony(3, kW, west_door(5, 11), 1, 1, 10), balcony(3, kE, east_door(7, 5, 11), 5, 6, 10)};

constexpr std::array kCoreCentre = {cuboid(kDark, 6, 3, 6, 9, 6, 9),
                                    cuboid(kGold, 7, 4, 7, 8, 5, 8),
                                    dot(kLamp, 6, 3, 6),
                                    dot(kLamp, 6, 3, 9),
                                    dot(kLamp, 9, 3, 6),
                                    dot(kLamp, 9, 3, 9),
                                    dot(kLamp, 6, 6, 6),
                                    dot(kLamp, 6, 6, 9),
                                    dot(kLamp, 9, 6, 6),
                                    dot(kLamp, 9, 6, 9),
                                    cuboid(kLight, 5, 1, 6, 5, 2, 6),
                                    cuboid(kLight, 5, 1, 9, 5, 2, 9),
                                    cuboid(kLight, 10, 1, 6, 10, 2, 6),
                                    cuboid(kLight, 10, 1, 9, 10, 2, 9),
                                    cuboid(kLight, 6, 1, 5, 6, 2, 5),
                                    cuboid(kLight, 9, 1, 5, 9, 2, 5),
                                    cuboid(kLight, 6, 1, 10, 6, 2, 10),
                                    cuboid(kLight, 9, 1, 10, 9, 2, 10),
                                    cuboid(kLight, 5, 2, 5, 5, 6, 5),
                                    cuboid(kLight, 5, 2, 10, 5, 6, 10),
                                    cuboid(kLight, 10, 2, 5, 10, 6, 5),
                                    cuboid(kLight, 10, 2, 10, 10, 6, 10),
                                    cuboid(kLight, 5, 7, 1, 5, 7, 6),
                                    cuboid(kLight, 10, 7, 1, 10, 7, 6),
                                    cuboid(kLight, 5, 7, 9, 5, 7, 14),
                                    cuboid(kLight, 10, 7, 9, 10, 7, 14),
                                    cuboid(kLight, 1, 7, 5, 6, 7, 5),
                                    cuboid(kLight, 1, 7, 10, 6, 7, 10),
                                    cuboid(kLight, 9, 7, 5, 14, 7, 5),
                                    cuboid(kLight, 9, 7, 10, 14, 7, 10),
                                    cuboid(kLight, 2, 1, 2, 2, 1, 3),
                                    dot(kLight, 3, 1, 2),
                                    cuboid(kLight, 13, 1, 2, 13, 1, 3),
                                    dot(kLight, 12, 1, 2),
                                    cuboid(kLight, 2, 1, 12, 2, 1, 13),
                                    dot(kLight, 3, 1, 13),
                                    cuboid(kLight, 13, 1, 12, 13, 1, 13),
                                    dot(kLight, 12, 1, 13)};

constexpr Material banded(int y) { return y == 2 || y == 6 ? kGrey : kLight; }

std::vector<Part> make_core() {
  std::vector<Part> parts = {cuboid(kLight, 0, 7, 0, 0, 7, 15), cuboid(kLight, 15, 7, 0, 15, 7, 15),
                             cuboid(kLight, 1, 7, 0, 15, 7, 0), cuboid(kLight, 1, 7, 15, 14, 7, 15)};
  for (int y = 1; y <= 6; ++y) {
    const Material m = banded(y);
    for (const int x : {0, 15}) {
      parts.insert(parts.end(),
                   {cuboid(m, x, y, 0, x, y, 1), cuboid(m, x, y, 6, x, y, 9), cuboid(m, x, y, 14, x, y, 15)});
    }
    parts.insert(parts.end(), {dot(m, 1, y, 0), cuboid(m, 6, y, 0, 9, y, 0), dot(m, 14, y, 0),
                               cuboid(m, 1, y, 15, 14, y, 15)});
  }
  parts.insert(parts.end(), kCoreCentre.begin(), kCoreCentre.end());
  return parts;
}
const std::vector<Part> kCore = make_core();

std::vector<Part> make_double_xy() {
  std::vector<Part> parts;
  for (int y = 1; y <= 7; ++y) {
    const Material m = banded(y);
    parts.insert(parts.end(), {cuboid(m, 0, y, 0, 0, y, 7), cuboid(m, 15, y, 0, 15, y, 7),
                               cuboid(m, 1, y, 0, 15, y, 0), cuboid(m, 1, y, 7, 14, y, 7)});
  }
  parts.insert(parts.end(), kDoubleXY.begin(), kDoubleXY.end());
  return parts;
}
const std::vector<Part> kDoubleXYParts = make_double_xy();

std::vector<Part> make_double_yz() {
  std::vector<Part> parts;
  for (int y = 1; y <= 7; ++y) {
    const Material m = banded(y);
    parts.insert(parts.end(),
                 {cuboid(m, 0, y, 0, 0, y, 15), cuboid(m, 7, y, 0, 7, y, 15), cuboid(m, 1, y, 0, 6, y, 0),
                  cuboid(m, 1, y, 15, 6, y, 15), cuboid(m == kGrey ? kLamp : kDark, 3, y, 7, 4, y, 8)});
  }
  return parts;
}
const std::vector<Part> kDoubleYZParts = make_double_yz();

class Room final : public MonumentPiece {
 public:
  /// `cells` in the order that the tables name them: own cell first.
  Room(RoomKind kind, Direction direction, Box bounds, bool is_raised, std::span<const CellView> cells,
       std::int32_t design)
      : MonumentPiece(bounds, direction), kind_(kind), is_raised_(is_raised), design_(design) {
    std::ranges::copy(cells, cells_.begin());
  }

  void place(PiecePlacing& placing) const override {
    switch (kind_) {
      case RoomKind::kEntry:
        lay(placing, kEntry);
        doors(placing, kEntryDoors);
        return;
      case RoomKind::kCore:
        lay(placing, cuboid(kRoof, 1, 8, 0, 14, 8, 14));
        lay(placing, kCore);
        return;
      case RoomKind::kSimple:
        floor(placing, 0, 0, 0);
        roof(placing, 0, cuboid(kRoof, 1, 4, 1, 6, 4, 6));
        return simple(placing);
      case RoomKind::kSimpleTop:
        floor(placing, 0, 0, 0);
        roof(placing, 0, cuboid(kRoof, 1, 4, 1, 6, 4, 6));
        sponges(placing);
        lay(placing, kBandedWalls);
        doors(placing, kSpongeDoors);
        return;
      case RoomKind::kDoubleY:
        floor(placing, 0, 0, 0);
        roof(placing, 1, cuboid(kRoof, 1, 8, 1, 6, 8, 6));
        lay(placing, kDoubleY);
        doors(placing, kDoubleYSides);
        return;
      case RoomKind::kDoubleX:
        floor(placing, 1, kCell, 0);
        floor(placing, 0, 0, 0);
        roof(placing, 0, cuboid(kRoof, 1, 4, 1, 7, 4, 6));
        roof(placing, 1, cuboid(kRoof, 8, 4, 1, 14, 4, 6));
        lay(placing, kDoubleX);
        doors(placing, kDoubleXDoors);
        return;
      case RoomKind::kDoubleZ:
        floor(placing, 1, 0, kCell);
        floor(placing, 0, 0, 0);
        roof(placing, 0, cuboid(kRoof, 1, 4, 1, 6, 4, 7));
        roof(placing, 1, cuboid(kRoof, 1, 4, 8, 6, 4, 14));
        lay(placing, kDoubleZ);
        doors(placing, kDoubleZDoors);
        return;
      case RoomKind::kDoubleXY:
        floor(placing, 1, kCell, 0);
        floor(placing, 0, 0, 0);
        roof(placing, 2, cuboid(kRoof, 1, 8, 1, 7, 8, 6));
        roof(placing, 3, cuboid(kRoof, 8, 8, 1, 14, 8, 6));
        lay(placing, kDoubleXYParts);
        doors(placing, kDoubleXYDoors);
        return;
      case RoomKind::kDoubleYZ:
        floor(placing, 1, 0, kCell);
        floor(placing, 0, 0, 0);
        roof(placing, 2, cuboid(kRoof, 1, 8, 1, 6, 8, 7));
        roof(placing, 3, cuboid(kRoof, 1, 8, 8, 6, 8, 14));
        lay(placing, kDoubleYZParts);
        doors(placing, kDoubleYZDoors);
        return;
    }
  }

 private:
  /// Rooms on the ground stand on the monument's own floor.
  void floor(PiecePlacing& placing, std::size_t cell, std::int32_t x, std::int32_t z) const {
    if (!is_raised_) return;
    const std::span<const Part> parts = cells_[cell].open(Direction::kDown)
                                            ? std::span<const Part>(kHoleFloor)
                                            : std::span<const Part>(kClosedFloor);
    for (const Part& p : parts)
      lay(placing, cuboid(p.material, p.x0 + x, p.y0, p.z0 + z, p.x1 + x, p.y1, p.z1 + z));
  }
  void roof(PiecePlacing& placing, std::size_t cell, const Part& part) const {
    if (!cells_[cell].has_room_above) lay(placing, part);
  }
  void doors(PiecePlacing& placing, std::span<const Doorway> doorways) const {
    for (const Doorway& d : doorways) {
      if (cells_[d.cell].open(d.direction) == d.when_open) lay(placing, std::span(d.parts).first(d.count));
    }
  }

  void simple(PiecePlacing& placing) const {
    const CellView& cell = cells_[0];
    const bool has_pillar = design_ != 0 && placing.random.next_bool() && !cell.open(Direction::kDown) &&
                            !cell.open(Direction::kUp) && std::ranges::count(cell.is_open, true) > 1;
    if (design_ == 0) {
      lay(placing, kClosets);
      doors(placing, kClosetDoors);
    } else if (design_ == 1) {
      lay(placing, kPillars);
      doors(placing, kPillarWalls);
    } else {
      lay(placing, kBandedWalls);
      doors(placing, kBandedDoors);
    }
    if (has_pillar) lay(placing, kCentrePillar);
  }

  void sponges(PiecePlacing& placing) const {
    for (int x = 1; x <= 6; ++x) {
      for (int z = 1; z <= 6; ++z) {
        if (placing.random.next_int(3) == 0) continue;
        const int y = placing.random.next_int(4) == 0 ? 2 : 3;
        lay(placing, cuboid(kSponge, x, y, z, x, 3, z));
      }
    }
  }

  RoomKind kind_;
  bool is_raised_;
  std::int32_t design_;
  std::array<CellView, 4> cells_{};
};

std::vector<Part> make_wing_hall() {
  std::vector<Part> parts;
  for (int i = 0; i < 4; ++i) parts.push_back(cuboid(kLight, 10 - i, 3 - i, 20 - i, 12 + i, 3 - i, 20));
  parts.insert(parts.end(), {cuboid(kLight, 7, 0, 6, 15, 0, 16), cuboid(kLight, 6, 0, 6, 6, 3, 20),
                             cuboid(kLight, 16, 0, 6, 16, 3, 20), cuboid(kLight, 7, 1, 7, 7, 1, 20),
                             cuboid(kLight, 15, 1, 7, 15, 1, 20), cuboid(kLight, 7, 1, 6, 9, 3, 6),
                             cuboid(kLight, 13, 1, 6, 15, 3, 6), cuboid(kLight, 8, 1, 7, 9, 1, 7),
                             cuboid(kLight, 13, 1, 7, 14, 1, 7), cuboid(kLight, 9, 0, 5, 13, 0, 5),
                             cuboid(kDark, 10, 0, 7, 12, 0, 7), cuboid(kDark, 8, 0, 10, 8, 0, 12),
                             cuboid(kDark, 14, 0, 10, 14, 0, 12)});
  for (int z = 18; z >= 7; z -= 3) parts.insert(parts.end(), {dot(kLamp, 6, 3, z), dot(kLamp, 16, 3, z)});
  parts.insert(parts.end(), {dot(kLamp, 10, 0, 10), dot(kLamp, 12, 0, 10), dot(kLamp, 10, 0, 12),
                             dot(kLamp, 12, 0, 12), dot(kLamp, 8, 3, 6), dot(kLamp, 14, 3, 6)});
  for (const int z : {4, 18}) {
    for (const int x : {4, 18}) {
      parts.insert(parts.end(), {dot(kLight, x, 2, z), dot(kLamp, x, 1, z), dot(kLight, x, 0, z)});
    }
  }
  parts.insert(parts.end(), {dot(kLight, 9, 7, 20), dot(kLight, 13, 7, 20),
                             cuboid(kLight, 6, 0, 21, 7, 4, 21), cuboid(kLight, 15, 0, 21, 16, 4, 21)});
  return parts;
}

std::vector<Part> make_wing_gallery() {
  std::vector<Part> parts = {cuboid(kLight, 9, 3, 18, 13, 3, 20), cuboid(kLight, 9, 0, 18, 9, 2, 18),
                             cuboid(kLight, 13, 0, 18, 13, 2, 18)};
  for (const int x : {9, 13}) {
    parts.insert(parts.end(), {dot(kLight, x, 6, 20), dot(kLamp, x, 5, 20), dot(kLight, x, 4, 20)});
  }
  parts.push_back(cuboid(kLight, 7, 3, 7, 15, 3, 14));
  for (const int x : {10, 12}) {
    parts.insert(parts.end(),
                 {cuboid(kLight, x, 0, 10, x, 6, 10), cuboid(kLight, x, 0, 12, x, 6, 12),
                  dot(kLamp, x, 0, 10), dot(kLamp, x, 0, 12), dot(kLamp, x, 4, 10), dot(kLamp, x, 4, 12)});
  }
  for (const int x : {8, 14}) {
    parts.insert(parts.end(), {cuboid(kLight, x, 0, 7, x, 2, 7), cuboid(kLight, x, 0, 14, x, 2, 14)});
  }
  parts.insert(parts.end(), {cuboid(kDark, 8, 3, 8, 8, 3, 13), cuboid(kDark, 14, 3, 8, 14, 3, 13)});
  return parts;
}

class WingRoom final : public MonumentPiece {
 public:
  WingRoom(Direction direction, Box bounds, bool is_gallery)
      : MonumentPiece(bounds, direction), is_gallery_(is_gallery) {}

  void place(PiecePlacing& placing) const override {
    static const std::vector<Part> kHall = make_wing_hall();
    static const std::vector<Part> kGallery = make_wing_gallery();
    lay(placing, is_gallery_ ? kGallery : kHall);
    if (is_gallery_) {
      spawn_elder(placing, 11, 5, 13);
    } else {
      spawn_elder(placing, 11, 2, 16);
    }
  }

 private:
  bool is_gallery_;
};

std::vector<Part> make_penthouse() {
  std::vector<Part> parts = {cuboid(kLight, 2, -1, 2, 11, -1, 11), cuboid(kGrey, 0, -1, 0, 1, -1, 11),
                             cuboid(kGrey, 12, -1, 0, 13, -1, 11), cuboid(kGrey, 2, -1, 0, 11, -1, 1),
                             cuboid(kGrey, 2, -1, 12, 11, -1, 13), cuboid(kLight, 0, 0, 0, 0, 0, 13),
                             cuboid(kLight, 13, 0, 0, 13, 0, 13),  cuboid(kLight, 1, 0, 0, 12, 0, 0),
                             cuboid(kLight, 1, 0, 13, 12, 0, 13)};
  for (int i = 2; i <= 11; i += 3) {
    parts.insert(parts.end(), {dot(kLamp, 0, 0, i), dot(kLamp, 13, 0, i), dot(kLamp, i, 0, 0)});
  }
  parts.insert(parts.end(), {cuboid(kLight, 2, 0, 3, 4, 0, 9), cuboid(kLight, 9, 0, 3, 11, 0, 9),
                             cuboid(kLight, 4, 0, 9, 9, 0, 11), dot(kLight, 5, 0, 8), dot(kLight, 8, 0, 8),
                             dot(kLight, 10, 0, 10), dot(kLight, 3, 0, 10), cuboid(kDark, 3, 0, 3, 3, 0, 7),
                             cuboid(kDark, 10, 0, 3, 10, 0, 7), cuboid(kDark, 6, 0, 10, 7, 0, 10)});
  for (const int x : {3, 10}) {
    for (int z = 2; z <= 8; z += 3) parts.push_back(cuboid(kLight, x, 0, z, x, 2, z));
  }
  parts.insert(parts.end(), {cuboid(kLight, 5, 0, 10, 5, 2, 10), cuboid(kLight, 8, 0, 10, 8, 2, 10),
                             cuboid(kDark, 6, -1, 7, 7, -1, 8), cuboid(kFlood, 6, -1, 3, 7, -1, 4)});
  return parts;
}

class Penthouse final : public MonumentPiece {
 public:
  Penthouse(Direction direction, Box bounds) : MonumentPiece(bounds, direction) {}

  void place(PiecePlacing& placing) const override {
    static const std::vector<Part> kParts = make_penthouse();
    lay(placing, kParts);
    spawn_elder(placing, 6, 1, 6);
  }
};

// --- The shell -----------------------------------------------------------

/// A part of the shell; a chunk that does not touch the given area leaves it out, even where boxes reach
/// further.
struct Section {
  std::int32_t x0, z0, x1, z1;
  std::vector<Part> parts;
};

Section wing(bool is_right) {
  const int x = is_right ? 33 : 0;
  Section s{x, 0, x + 23, 20, {}};
  auto& p = s.parts;
  p = {cuboid(kGrey, x, 0, 0, x + 24, 0, 20), cuboid(kFlood, x, 1, 0, x + 24, 10, 20)};
  for (int i = 0; i < 4; ++i) {
    p.insert(p.end(), {cuboid(kLight, x + i, i + 1, i, x + i, i + 1, 20),
                       cuboid(kLight, x + i + 7, i + 5, i + 7, x + i + 7, i + 5, 20),
                       cuboid(kLight, x + 17 - i, i + 5, i + 7, x + 17 - i, i + 5, 20),
                       cuboid(kLight, x + 24 - i, i + 1, i, x + 24 - i, i + 1, 20),
                       cuboid(kLight, x + i + 1, i + 1, i, x + 23 - i, i + 1, i),
                       cuboid(kLight, x + i + 8, i + 5, i + 7, x + 16 - i, i + 5, i + 7)});
  }
  p.insert(p.end(),
           {cuboid(kGrey, x + 4, 4, 4, x + 6, 4, 20), cuboid(kGrey, x + 7, 4, 4, x + 17, 4, 6),
            cuboid(kGrey, x + 18, 4, 4, x + 20, 4, 20), cuboid(kGrey, x + 11, 8, 11, x + 13, 8, 20)});
  for (const int z : {12, 15, 18}) p.push_back(dot(kLight, x + 12, 9, z));
  const int outer = x + (is_right ? 19 : 5);
  const int inner = x + (is_right ? 5 : 19);
  for (int z = 20; z >= 5; z -= 3) p.push_back(dot(kLight, outer, 5, z));
  for (int z = 19; z >= 7; z -= 3) p.push_back(dot(kLight, inner, 5, z));
  for (int i = 0; i < 4; ++i) p.push_back(dot(kLight, is_right ? x + 7 + i * 3 : x + 17 - i * 3, 5, 5));
  p.insert(p.end(), {dot(kLight, inner, 5, 5), cuboid(kGrey, x + 11, 1, 12, x + 13, 7, 12),
                     cuboid(kGrey, x + 12, 1, 11, x + 12, 7, 13)});
  return s;
}

Section entrance_arches() {
  Section s{22, 5, 35, 17, {cuboid(kFlood, 25, 0, 0, 32, 8, 20)}};
  for (int z = 5; z <= 17; z += 4) {
    s.parts.insert(s.parts.end(), {cuboid(kLight, 24, 2, z, 24, 4, z), cuboid(kLight, 22, 4, z, 23, 4, z),
                                   dot(kLight, 25, 5, z), dot(kLight, 26, 6, z), dot(kLamp, 26, 5, z),
                                   cuboid(kLight, 33, 2, z, 33, 4, z), cuboid(kLight, 34, 4, z, 35, 4, z),
                                   dot(kLight, 32, 5, z), dot(kLight, 31, 6, z), dot(kLamp, 31, 5, z),
                                   cuboid(kGrey, 27, 6, z, 30, 6, z)});
  }
  return s;
}

Section entrance_wall() {
  Section s{15, 20, 42, 21, {}};
  auto& p = s.parts;
  const auto row = [&p](Material m, int x0, int y0, int x1, int y1) {
    p.push_back(cuboid(m, x0, y0, 21, x1, y1, 21));
  };
  row(kGrey, 15, 0, 42, 0);
  row(kFlood, 26, 1, 31, 3);
  row(kGrey, 21, 12, 36, 12);
  row(kGrey, 17, 11, 40, 11);
  row(kGrey, 16, 10, 41, 10);
  row(kGrey, 15, 7, 42, 9);
  row(kGrey, 16, 6, 41, 6);
  row(kGrey, 17, 5, 40, 5);
  row(kGrey, 21, 4, 36, 4);
  row(kGrey, 22, 3, 26, 3);
  row(kGrey, 31, 3, 35, 3);
  row(kGrey, 23, 2, 25, 2);
  row(kGrey, 32, 2, 34, 2);
  p.push_back(cuboid(kLight, 28, 4, 20, 29, 4, 21));
  for (int i = 0; i < 3; ++i) {
    row(kLight, 27 - i, 3 - i, 27 - i, 3 - i);
    row(kLight, 30 + i, 3 - i, 30 + i, 3 - i);
  }
  // Two chevrons, one above the other, and three eyes on each side.
  for (int i = 0; i < 7; ++i) {
    row(kDark, 28 - i, 6 + i, 28 - i, 6 + i);
    row(kDark, 29 + i, 6 + i, 29 + i, 6 + i);
  }
  for (int i = 0; i < 4; ++i) {
    row(kDark, 28 - i, 9 + i, 28 - i, 9 + i);
    row(kDark, 29 + i, 9 + i, 29 + i, 9 + i);
  }
  row(kDark, 28, 12, 29, 12);
  for (int i = 0; i < 3; ++i) {
    row(kDark, 22 - i * 2, 8, 22 - i * 2, 9);
    row(kDark, 35 + i * 2, 8, 35 + i * 2, 9);
  }
  row(kFlood, 15, 13, 42, 15);
  row(kFlood, 15, 1, 15, 6);
  row(kFlood, 16, 1, 16, 5);
  row(kFlood, 17, 1, 20, 4);
  row(kFlood, 21, 1, 21, 3);
  row(kFlood, 22, 1, 22, 2);
  row(kFlood, 23, 1, 24, 1);
  row(kFlood, 42, 1, 42, 6);
  row(kFlood, 41, 1, 41, 5);
  row(kFlood, 37, 1, 40, 4);
  row(kFlood, 36, 1, 36, 3);
  row(kFlood, 33, 1, 34, 1);
  row(kFlood, 35, 1, 35, 2);
  return s;
}

Section roof_tower() {
  Section s{21, 21, 36, 36, {cuboid(kGrey, 21, 0, 22, 36, 0, 36), cuboid(kFlood, 21, 1, 22, 36, 23, 36)}};
  auto& p = s.parts;
  for (int i = 0; i < 4; ++i) {
    const int lo = 21 + i;
    const int hi = 36 - i;
    const int y = 13 + i;
    p.insert(p.end(),
             {cuboid(kLight, lo, y, lo, hi, y, lo), cuboid(kLight, lo, y, hi, hi, y, hi),
              cuboid(kLight, lo, y, lo + 1, lo, y, hi - 1), cuboid(kLight, hi, y, lo + 1, hi, y, hi - 1)});
  }
  p.push_back(cuboid(kGrey, 25, 16, 25, 32, 16, 32));
  for (const int x : {25, 32}) {
    for (const int z : {25, 32}) {
      const int dx = x == 25 ? 1 : -1;
      const int dz = z == 25 ? 1 : -1;
      p.insert(p.end(), {cuboid(kLight, x, 17, z, x, 19, z), dot(kLight, x + dx, 20, z + dz),
                         dot(kLight, x + 2 * dx, 21, z + 2 * dz), dot(kLamp, x + 2 * dx, 20, z + 2 * dz)});
    }
  }
  p.insert(p.end(), {cuboid(kGrey, 28, 21, 27, 29, 21, 27), cuboid(kGrey, 27, 21, 28, 27, 21, 29),
                     cuboid(kGrey, 28, 21, 30, 29, 21, 30), cuboid(kGrey, 30, 21, 28, 30, 21, 29)});
  return s;
}

void add_lower_walls(std::vector<Section>& sections) {
  Section left{0,
               21,
               6,
               58,
               {cuboid(kGrey, 0, 0, 21, 6, 0, 57), cuboid(kFlood, 0, 1, 21, 6, 7, 57),
                cuboid(kGrey, 4, 4, 21, 6, 4, 53)}};
  Section right{51,
                21,
                58,
                58,
                {cuboid(kGrey, 51, 0, 21, 57, 0, 57), cuboid(kFlood, 51, 1, 21, 57, 7, 57),
                 cuboid(kGrey, 51, 4, 21, 53, 4, 53)}};
  Section back{0, 51, 57, 57, {cuboid(kGrey, 7, 0, 51, 50, 0, 57), cuboid(kFlood, 7, 1, 51, 50, 10, 57)}};
  for (int i = 0; i < 4; ++i) {
    left.parts.push_back(cuboid(kLight, i, i + 1, 21, i, i + 1, 57 - i));
    right.parts.push_back(cuboid(kLight, 57 - i, i + 1, 21, 57 - i, i + 1, 57 - i));
    back.parts.push_back(cuboid(kLight, i + 1, i + 1, 57 - i, 56 - i, i + 1, 57 - i));
  }
  for (int z = 23; z < 53; z += 3) {
    left.parts.push_back(dot(kLight, 5, 5, z));
    right.parts.push_back(dot(kLight, 52, 5, z));
  }
  left.parts.insert(left.parts.end(), {dot(kLight, 5, 5, 52), cuboid(kGrey, 4, 1, 52, 6, 3, 52),
                                       cuboid(kGrey, 5, 1, 51, 5, 3, 53)});
  right.parts.insert(right.parts.end(), {dot(kLight, 52, 5, 52), cuboid(kGrey, 51, 1, 52, 53, 3, 52),
                                         cuboid(kGrey, 52, 1, 51, 52, 3, 53)});
  for (Section* s : {&left, &right, &back}) sections.push_back(std::move(*s));
}

void add_middle_walls(std::vector<Section>& sections) {
  Section left{7,
               21,
               13,
               50,
               {cuboid(kGrey, 7, 0, 21, 13, 0, 50), cuboid(kFlood, 7, 1, 21, 13, 10, 50),
                cuboid(kGrey, 11, 8, 21, 13, 8, 53)}};
  Section right{44,
                21,
                50,
                54,
                {cuboid(kGrey, 44, 0, 21, 50, 0, 50), cuboid(kFlood, 44, 1, 21, 50, 10, 50),
                 cuboid(kGrey, 44, 8, 21, 46, 8, 53)}};
  for (int i = 0; i < 4; ++i) {
    left.parts.push_back(cuboid(kLight, i + 7, i + 5, 21, i + 7, i + 5, 54));
    right.parts.push_back(cuboid(kLight, 50 - i, i + 5, 21, 50 - i, i + 5, 54));
  }
  for (int z = 21; z <= 45; z += 3) {
    left.parts.push_back(dot(kLight, 12, 9, z));
    right.parts.push_back(dot(kLight, 45, 9, z));
  }
  Section back{8, 44, 49, 54, {cuboid(kGrey, 14, 0, 44, 43, 0, 50), cuboid(kFlood, 14, 1, 44, 43, 10, 50)}};
  auto& p = back.parts;
  for (int x = 12; x <= 45; x += 3) {
    p.insert(p.end(), {dot(kLight, x, 9, 45), dot(kLight, x, 9, 52)});
    if (x != 12 && x != 18 && x != 24 && x != 33 && x != 39 && x != 45) continue;
    p.insert(p.end(), {dot(kLight, x, 9, 47), dot(kLight, x, 9, 50), cuboid(kLight, x, 10, 45, x, 10, 46),
                       cuboid(kLight, x, 10, 51, x, 10, 52), dot(kLight, x, 11, 47), dot(kLight, x, 11, 50),
                       cuboid(kLight, x, 12, 48, x, 12, 49)});
  }
  for (int i = 0; i < 3; ++i) p.push_back(cuboid(kGrey, 8 + i, 5 + i, 54, 49 - i, 5 + i, 54));
  p.insert(p.end(), {cuboid(kLight, 11, 8, 54, 46, 8, 54), cuboid(kGrey, 14, 8, 44, 43, 8, 53)});
  for (Section* s : {&left, &right, &back}) sections.push_back(std::move(*s));
}

void add_upper_walls(std::vector<Section>& sections) {
  Section left{14,
               21,
               20,
               43,
               {cuboid(kGrey, 14, 0, 21, 20, 0, 43), cuboid(kFlood, 14, 1, 22, 20, 14, 43),
                cuboid(kGrey, 18, 12, 22, 20, 12, 39), cuboid(kLight, 18, 12, 21, 20, 12, 21)}};
  Section right{37,
                21,
                43,
                43,
                {cuboid(kGrey, 37, 0, 21, 43, 0, 43), cuboid(kFlood, 37, 1, 22, 43, 14, 43),
                 cuboid(kGrey, 37, 12, 22, 39, 12, 39), cuboid(kLight, 37, 12, 21, 39, 12, 21)}};
  Section back{15,
               37,
               42,
               43,
               {cuboid(kGrey, 21, 0, 37, 36, 0, 43), cuboid(kFlood, 21, 1, 37, 36, 14, 43),
                cuboid(kGrey, 21, 12, 37, 36, 12, 39)}};
  for (int i = 0; i < 4; ++i) {
    left.parts.push_back(cuboid(kLight, i + 14, i + 9, 21, i + 14, i + 9, 43 - i));
    right.parts.push_back(cuboid(kLight, 43 - i, i + 9, 21, 43 - i, i + 9, 43 - i));
    back.parts.push_back(cuboid(kLight, 15 + i, i + 9, 43 - i, 42 - i, i + 9, 43 - i));
  }
  for (int z = 23; z <= 39; z += 3) {
    left.parts.push_back(dot(kLight, 19, 13, z));
    right.parts.push_back(dot(kLight, 38, 13, z));
  }
  for (int x = 21; x <= 36; x += 3) back.parts.push_back(dot(kLight, x, 13, 38));
  for (Section* s : {&left, &right, &back}) sections.push_back(std::move(*s));
}

std::vector<Section> make_shell() {
  std::vector<Section> sections = {wing(false), wing(true), entrance_arches(), entrance_wall(), roof_tower()};
  add_lower_walls(sections);
  add_middle_walls(sections);
  add_upper_walls(sections);
  return sections;
}

// --- The whole -----------------------------------------------------------

constexpr std::int32_t kSide = 58;
constexpr std::int32_t kHeight = 23;
constexpr std::int32_t kBottom = 39;
/// From the corner to the chunk's own corner, and the reach of the biome check.
constexpr std::int32_t kHalfSide = 29;

/// Where a room lies, with the first cell's front corner at the origin.
Box room_box(Direction direction, std::int32_t cell, RoomSize size) {
  const std::int32_t x = cell % kGridSide * kCell;
  const std::int32_t y = cell / kGridFloor * kCellHeight;
  const std::int32_t z = cell / kGridSide % kGridSide;
  const Box whole = BlockPiece::make_bounding_box(0, 0, 0, direction, size.width * kCell,
                                                  size.height * kCellHeight, size.depth * kCell);
  const std::int32_t backwards = -(z + size.depth) * kCell + 1;
  switch (direction) {
    case Direction::kNorth:
      return whole.moved(x, y, backwards);
    case Direction::kSouth:
      return whole.moved(x, y, z * kCell);
    case Direction::kWest:
      return whole.moved(backwards, y, x);
    default:
      return whole.moved(z * kCell, y, x);
  }
}

class Monument final : public MonumentPiece {
 public:
  Monument(Random& random, std::int32_t west, std::int32_t north, Direction direction)
      : MonumentPiece(make_bounding_box(west, kBottom, north, direction, kSide, kHeight, kSide), direction) {
    RoomPlan plan(random);
    plan.claim(plan.source());
    add_room(plan, direction, RoomKind::kEntry, {plan.source()}, 0);
    add_room(plan, direction, RoomKind::kCore, {plan.core()}, 0);
    for (const std::int32_t cell : plan.order()) {
      if (!plan.is_claimed(cell)) fit_room(plan, direction, cell, random);
    }

    const auto design = static_cast<std::uint32_t>(random.next_int());
    children_.push_back(
        std::make_unique<WingRoom>(direction, local_box(1, 1, 1, 23, 8, 21), (design & 1) != 0));
    children_.push_back(
        std::make_unique<WingRoom>(direction, local_box(34, 1, 1, 56, 8, 21), (design & 1) == 0));
    children_.push_back(std::make_unique<Penthouse>(direction, local_box(22, 13, 22, 35, 17, 35)));
  }

  void place(PiecePlacing& placing) const override {
    static const std::vector<Section> kShell = make_shell();
    const std::int32_t water_height = std::max(placing.region.sea_level(), 64) - box_.min_y;
    lay(placing, cuboid(kFlood, 0, 0, 0, kSide, water_height, kSide));
    for (const Section& s : kShell) {
      if (touches(placing.writable, s.x0, s.z0, s.x1, s.z1)) lay(placing, s.parts);
    }
    for (std::int32_t x = 0; x < 7; ++x) {
      for (std::int32_t z = 0; z < 7; ++z) {
        const bool is_rim = x == 0 || x == 6 || z == 0 || z == 6;
        const bool is_entrance = x == 3 && z == 0;
        if (is_rim && !is_entrance) footing(placing, x * 9, z * 9);
      }
    }
    for (int i = 0; i < 5; ++i) {
      const int low = -1 - i;
      const int high = kSide + i;
      lay(placing, cuboid(kFlood, low, i * 2, low, low, 23, high));
      lay(placing, cuboid(kFlood, high, i * 2, low, high, 23, high));
      lay(placing, cuboid(kFlood, low + 1, i * 2, low, high - 1, 23, low));
      lay(placing, cuboid(kFlood, low + 1, i * 2, high, high - 1, 23, high));
    }
    for (const auto& child : children_) {
      if (child->box().intersects(placing.writable)) child->place(placing);
    }
  }

  void move(std::int32_t dx, std::int32_t dy, std::int32_t dz) override {
    BlockPiece::move(dx, dy, dz);
    for (const auto& child : children_) child->move(dx, dy, dz);
  }

 private:
  Box local_box(std::int32_t x0, std::int32_t y0, std::int32_t z0, std::int32_t x1, std::int32_t y1,
                std::int32_t z1) const {
    return Box::from_corners({world_x(x0, z0), world_y(y0), world_z(x0, z0)},
                             {world_x(x1, z1), world_y(y1), world_z(x1, z1)});
  }
  bool touches(const Box& writable, std::int32_t x0, std::int32_t z0, std::int32_t x1,
               std::int32_t z1) const {
    const Box area = local_box(x0, 0, z0, x1, 0, z1);
    return writable.intersects(area.min_x, area.min_z, area.max_x, area.max_z);
  }

  void footing(PiecePlacing& placing, std::int32_t x0, std::int32_t z0) const {
    lay(placing, cuboid(kLight, x0, 0, z0, x0 + 3, 0, z0 + 3));
    for (std::int32_t x = x0; x < x0 + 4; ++x) {
      for (std::int32_t z = z0; z < z0 + 4; ++z) {
        fill_column_down(placing, kStates[static_cast<std::size_t>(kLight)], x, -1, z);
      }
    }
  }

  void add_room(RoomPlan& plan, Direction direction, RoomKind kind, std::initializer_list<std::int32_t> cells,
                std::int32_t design) {
    std::array<CellView, 4> views;
    std::size_t count = 0;
    for (const std::int32_t cell : cells) {
      plan.claim(cell);
      views[count++] = plan.view(cell);
    }
    const std::int32_t first = *cells.begin();
    const Box bounds =
        room_box(direction, first, size_of(kind)).moved(world_x(9, 22), world_y(0), world_z(9, 22));
    children_.push_back(std::make_unique<Room>(kind, direction, bounds, first >= kGridFloor,
                                               std::span(views).first(count), design));
  }

  /// Takes the first shape that free neighbours allow.
  void fit_room(RoomPlan& plan, Direction direction, std::int32_t cell, Random& random) {
    const std::int32_t east = plan.free_next(cell, Direction::kEast);
    const std::int32_t north = plan.free_next(cell, Direction::kNorth);
    const std::int32_t up = plan.free_next(cell, Direction::kUp);
    if (east != kNobody && up != kNobody) {
      if (const std::int32_t far = plan.free_next(east, Direction::kUp); far != kNobody) {
        return add_room(plan, direction, RoomKind::kDoubleXY, {cell, east, up, far}, 0);
      }
    }
    if (north != kNobody && up != kNobody) {
      if (const std::int32_t far = plan.free_next(north, Direction::kUp); far != kNobody) {
        return add_room(plan, direction, RoomKind::kDoubleYZ, {cell, north, up, far}, 0);
      }
    }
    if (north != kNobody) return add_room(plan, direction, RoomKind::kDoubleZ, {cell, north}, 0);
    if (east != kNobody) return add_room(plan, direction, RoomKind::kDoubleX, {cell, east}, 0);
    if (up != kNobody) return add_room(plan, direction, RoomKind::kDoubleY, {cell, up}, 0);
    const bool is_dead_end = std::ranges::none_of(std::array{kW, kE, kN, kS, Direction::kUp},
                                                  [&](Direction d) { return plan.is_open(cell, d); });
    if (is_dead_end) return add_room(plan, direction, RoomKind::kSimpleTop, {cell}, 0);
    const std::int32_t design = random.next_int(3);
    add_room(plan, direction, RoomKind::kSimple, {cell}, design);
  }

  std::vector<std::unique_ptr<MonumentPiece>> children_;
};

class OceanMonument final : public Structure {
 public:
  explicit OceanMonument(const Figures& figures) {
    for (const Json& entry : figures.get("tag_biome", "required_ocean_monument_surrounding")) {
      const auto id =
          game::find_registry_entry("minecraft:worldgen/biome", with_namespace(entry.get<std::string>()));
      if (!id) throw FigureError("unknown biome \"" + entry.get<std::string>() + "\" around monuments");
      const auto index = static_cast<std::size_t>(*id);
      if (surroundings_.size() <= index) surroundings_.resize(index + 1);
      surroundings_[index] = true;
    }
  }

  std::optional<GenerationPoint> find(StartContext& context) const override {
    const ChunkPos chunk = context.chunk;
    if (!is_at_sea(context.terrain, chunk.x * 16 + 9, context.terrain.sea_level(), chunk.z * 16 + 9))
      return {};
    const std::int32_t x = chunk.x * 16 + 8;
    const std::int32_t z = chunk.z * 16 + 8;
    const std::int32_t y = context.terrain.first_occupied_height(x, z, HeightKind::kOceanFloorWg);
    return GenerationPoint{{x, y, z}, [chunk](Random& random) {
                             const Direction direction =
                                 kHorizontal[static_cast<std::size_t>(random.next_int(4))];
                             return Pieces{std::make_shared<Monument>(random, chunk.x * 16 - kHalfSide,
                                                                      chunk.z * 16 - kHalfSide, direction)};
                           }};
  }

 private:
  bool is_at_sea(const TerrainProbe& terrain, std::int32_t x, std::int32_t y, std::int32_t z) const {
    for (std::int32_t qz = (z - kHalfSide) >> 2; qz <= (z + kHalfSide) >> 2; ++qz) {
      for (std::int32_t qx = (x - kHalfSide) >> 2; qx <= (x + kHalfSide) >> 2; ++qx) {
        for (std::int32_t qy = (y - kHalfSide) >> 2; qy <= (y + kHalfSide) >> 2; ++qy) {
          const BiomeId biome = terrain.biome(qx, qy, qz);
          if (biome >= surroundings_.size() || !surroundings_[biome]) return false;
        }
      }
    }
    return true;
  }

  std::vector<bool> surroundings_;  ///< by BiomeId
};

}  // namespace

void add_monument(StructureFactories& factories) {
  factories["ocean_monument"] = [](const Json&, const StructureLoader& loader) {
    return std::make_shared<OceanMonument>(loader.figures);
  };
}

}  // namespace horizon::worldgen
