#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "shard/worldgen/structure/block_piece.hpp"
#include "shard/worldgen/structure/piece_deck.hpp"

namespace horizon::worldgen {

namespace {

// --- What the pieces are made of -----------------------------------------

enum Material : std::uint8_t {
  kAir,
  kBricks,
  kFence,
  kFenceW,
  kFenceE,
  kFenceWe,
  kFenceNs,
  kFenceNsw,
  kFenceNse,
  kFenceNw,
  kFenceNe,
  kFenceSw,
  kFenceSe,
  kStairsNorth,
  kStairsSouth,
  kStairsWest,
  kStairsEast,
  kSoulSand,
  kWart,
  kLava,
  kMaterials,
};

const std::array<BlockState, kMaterials> kStates = {
    blocks::kAir,
    state("nether_bricks"),
    state("nether_brick_fence"),
    state("nether_brick_fence[west=true]"),
    state("nether_brick_fence[east=true]"),
    state("nether_brick_fence[west=true,east=true]"),
    state("nether_brick_fence[north=true,south=true]"),
    state("nether_brick_fence[north=true,south=true,west=true]"),
    state("nether_brick_fence[north=true,south=true,east=true]"),
    state("nether_brick_fence[north=true,west=true]"),
    state("nether_brick_fence[north=true,east=true]"),
    state("nether_brick_fence[south=true,west=true]"),
    state("nether_brick_fence[south=true,east=true]"),
    state("nether_brick_stairs[facing=north]"),
    state("nether_brick_stairs[facing=south]"),
    state("nether_brick_stairs[facing=west]"),
    state("nether_brick_stairs[facing=east]"),
    state("soul_sand"),
    state("nether_wart"),
    blocks::kLava,
};

/// A box of one material, ends included.
struct Part {
  std::int8_t x0, y0, z0, x1, y1, z1;
  Material material = kBricks;
};
/// One block.
constexpr Part dot(std::int8_t x, std::int8_t y, std::int8_t z, Material material = kBricks) {
  return {x, y, z, x, y, z, material};
}
/// Columns that stand on the ground, from below the piece's bottom.
struct Footing {
  std::int8_t x0, z0, x1, z1;
};
/// Where the next pieces begin. Ahead: `across` is sideways; to a side: along the wall.
struct Opening {
  enum class Side : std::uint8_t { kAhead, kLeft, kRight } side;
  std::int8_t up, across;
  bool leads_inside;  ///< to the pieces of the castle, not of the bridges
};
using enum Opening::Side;

// --- Layouts: bridges ----------------------------------------------------

constexpr Part kBridgeParts[] = {{0, 3, 0, 4, 4, 18},
                                 {1, 5, 0, 3, 7, 18, kAir},
                                 {0, 5, 0, 0, 5, 18},
                                 {4, 5, 0, 4, 5, 18},
                                 {0, 2, 0, 4, 2, 5},
                                 {0, 2, 13, 4, 2, 18},
                                 {0, 0, 0, 4, 1, 3},
                                 {0, 0, 15, 4, 1, 18},
                                 {0, 1, 1, 0, 4, 1, kFenceNse},
                                 {0, 3, 4, 0, 4, 4, kFenceNse},
                                 {0, 3, 14, 0, 4, 14, kFenceNse},
                                 {0, 1, 17, 0, 4, 17, kFenceNse},
                                 {4, 1, 1, 4, 4, 1, kFenceNsw},
                                 {4, 3, 4, 4, 4, 4, kFenceNsw},
                                 {4, 3, 14, 4, 4, 14, kFenceNsw},
                                 {4, 1, 17, 4, 4, 17, kFenceNsw}};
constexpr Footing kBridgeFootings[] = {{0, 0, 4, 2}, {0, 16, 4, 18}};
constexpr Opening kBridgeOpenings[] = {{kAhead, 3, 1, false}};

constexpr Part kBridgeCrossingParts[] = {
    {7, 3, 0, 11, 4, 18}, {0, 3, 7, 18, 4, 11},  {8, 5, 0, 10, 7, 18, kAir}, {0, 5, 8, 18, 7, 10, kAir},
    {7, 5, 0, 7, 5, 7},   {7, 5, 11, 7, 5, 18},  {11, 5, 0, 11, 5, 7},       {11, 5, 11, 11, 5, 18},
    {0, 5, 7, 7, 5, 7},   {11, 5, 7, 18, 5, 7},  {0, 5, 11, 7, 5, 11},       {11, 5, 11, 18, 5, 11},
    {7, 2, 0, 11, 2, 5},  {7, 2, 13, 11, 2, 18}, {7, 0, 0, 11, 1, 3},        {7, 0, 15, 11, 1, 18},
    {0, 2, 7, 5, 2, 11},  {13, 2, 7, 18, 2, 11}, {0, 0, 7, 3, 1, 11},        {15, 0, 7, 18, 1, 11}};
constexpr Footing kBridgeCrossingFootings[] = {
    {7, 0, 11, 2}, {7, 16, 11, 18}, {0, 7, 2, 11}, {16, 7, 18, 11}};
constexpr Opening kBridgeCrossingOpenings[] = {
    {kAhead, 3, 8, false}, {kLeft, 3, 8, false}, {kRight, 3, 8, false}};

constexpr Part kRoomParts[] = {
    {0, 0, 0, 6, 1, 6}, {0, 2, 0, 6, 7, 6, kAir},     {0, 2, 0, 1, 6, 0}, {0, 2, 6, 1, 6, 6},
    {5, 2, 0, 6, 6, 0}, {5, 2, 6, 6, 6, 6},           {0, 2, 0, 0, 6, 1}, {0, 2, 5, 0, 6, 6},
    {6, 2, 0, 6, 6, 1}, {6, 2, 5, 6, 6, 6},           {2, 6, 0, 4, 6, 0}, {2, 5, 0, 4, 5, 0, kFenceWe},
    {2, 6, 6, 4, 6, 6}, {2, 5, 6, 4, 5, 6, kFenceWe}, {0, 6, 2, 0, 6, 4}, {0, 5, 2, 0, 5, 4, kFenceNs},
    {6, 6, 2, 6, 6, 4}, {6, 5, 2, 6, 5, 4, kFenceNs}};
constexpr Footing kRoomFootings[] = {{0, 0, 6, 6}};
constexpr Opening kRoomOpenings[] = {{kAhead, 0, 2, false}, {kLeft, 0, 2, false}, {kRight, 0, 2, false}};

constexpr Part kStairsRoomParts[] = {{0, 0, 0, 6, 1, 6},
                                     {0, 2, 0, 6, 10, 6, kAir},
                                     {0, 2, 0, 1, 8, 0},
                                     {5, 2, 0, 6, 8, 0},
                                     {0, 2, 1, 0, 8, 6},
                                     {6, 2, 1, 6, 8, 6},
                                     {1, 2, 6, 5, 8, 6},
                                     {0, 3, 2, 0, 5, 4, kFenceNs},
                                     {6, 3, 2, 6, 5, 2, kFenceNs},
                                     {6, 3, 4, 6, 5, 4, kFenceNs},
                                     dot(5, 2, 5),
                                     {4, 2, 5, 4, 3, 5},
                                     {3, 2, 5, 3, 4, 5},
                                     {2, 2, 5, 2, 5, 5},
                                     {1, 2, 5, 1, 6, 5},
                                     {1, 7, 1, 5, 7, 4},
                                     {6, 8, 2, 6, 8, 4, kAir},
                                     {2, 6, 0, 4, 8, 0},
                                     {2, 5, 0, 4, 5, 0, kFenceWe}};
constexpr Opening kStairsRoomOpenings[] = {{kRight, 6, 2, false}};

constexpr Part kThroneParts[] = {
    {0, 2, 0, 6, 7, 7, kAir}, {1, 0, 0, 5, 1, 7},           {1, 2, 1, 5, 2, 7},
    {1, 3, 2, 5, 3, 7},       {1, 4, 3, 5, 4, 7},           {1, 2, 0, 1, 4, 2},
    {5, 2, 0, 5, 4, 2},       {1, 5, 2, 1, 5, 3},           {5, 5, 2, 5, 5, 3},
    {0, 5, 3, 0, 5, 8},       {6, 5, 3, 6, 5, 8},           {1, 5, 8, 5, 5, 8},
    dot(1, 6, 3, kFenceW),    dot(5, 6, 3, kFenceE),        dot(0, 6, 3, kFenceNe),
    dot(6, 6, 3, kFenceNw),   {0, 6, 4, 0, 6, 7, kFenceNs}, {6, 6, 4, 6, 6, 7, kFenceNs},
    dot(0, 6, 8, kFenceSe),   dot(6, 6, 8, kFenceSw),       {1, 6, 8, 5, 6, 8, kFenceWe},
    dot(1, 7, 8, kFenceE),    {2, 7, 8, 4, 7, 8, kFenceWe}, dot(5, 7, 8, kFenceW),
    dot(2, 8, 8, kFenceE),    dot(3, 8, 8, kFenceWe),       dot(4, 8, 8, kFenceW)};

// --- Layouts: the castle's halls -----------------------------------------

constexpr Part kHallParts[] = {{0, 3, 0, 12, 4, 12},   {0, 5, 0, 12, 13, 12, kAir}, {0, 5, 0, 1, 12, 12},
                               {11, 5, 0, 12, 12, 12}, {2, 5, 11, 4, 12, 12},       {8, 5, 11, 10, 12, 12},
                               {5, 9, 11, 7, 12, 12},  {2, 5, 0, 4, 12, 1},         {8, 5, 0, 10, 12, 1},
                               {5, 9, 0, 7, 12, 1},    {2, 11, 2, 10, 12, 10}};
constexpr Part kHallBelowParts[] = {{4, 2, 0, 8, 2, 12}, {0, 2, 4, 12, 2, 8}, {4, 0, 0, 8, 1, 3},
                                    {4, 0, 9, 8, 1, 12}, {0, 0, 4, 3, 1, 8},  {9, 0, 4, 12, 1, 8}};
constexpr Footing kHallFootings[] = {{4, 0, 8, 2}, {4, 10, 8, 12}, {0, 4, 2, 8}, {10, 4, 12, 8}};

constexpr Part kGateParts[] = {{5, 8, 0, 7, 8, 0, kFence}};
constexpr Part kLavaWellParts[] = {
    {5, 5, 5, 7, 5, 7}, {6, 1, 6, 6, 4, 6, kAir}, dot(6, 0, 6), dot(6, 5, 6, kLava)};
constexpr Opening kEntranceOpenings[] = {{kAhead, 3, 5, true}};

/// The stairs to the battlements, and two beds of wart beside them.
constexpr Part kWartRoomParts[] = {{5, 5, 4, 7, 5, 4, kStairsNorth},
                                   {5, 6, 5, 7, 6, 5, kStairsNorth},
                                   {5, 5, 5, 7, 5, 5},
                                   {5, 7, 5, 7, 10, 5, kAir},
                                   {5, 7, 6, 7, 7, 6, kStairsNorth},
                                   {5, 5, 6, 7, 6, 6},
                                   {5, 8, 6, 7, 11, 6, kAir},
                                   {5, 8, 7, 7, 8, 7, kStairsNorth},
                                   {5, 5, 7, 7, 7, 7},
                                   {5, 9, 7, 7, 12, 7, kAir},
                                   {5, 9, 8, 7, 9, 8, kStairsNorth},
                                   {5, 5, 8, 7, 8, 8},
                                   {5, 10, 8, 7, 13, 8, kAir},
                                   {5, 10, 9, 7, 10, 9, kStairsNorth},
                                   {5, 8, 9, 7, 9, 9},
                                   {5, 11, 9, 7, 14, 9, kAir},
                                   {5, 11, 10, 7, 11, 10, kStairsNorth},
                                   {5, 8, 10, 7, 10, 10},
                                   {5, 12, 10, 7, 15, 10, kAir},
                                   {5, 12, 11, 7, 12, 11, kStairsNorth},
                                   {5, 6, 7, 5, 7, 7, kFenceNse},
                                   {7, 6, 7, 7, 7, 7, kFenceNsw},
                                   {5, 13, 12, 7, 13, 12, kAir},
                                   {2, 5, 2, 3, 5, 3},
                                   {2, 5, 9, 3, 5, 10},
                                   {2, 5, 4, 2, 5, 8},
                                   {9, 5, 2, 10, 5, 3},
                                   {9, 5, 9, 10, 5, 10},
                                   {10, 5, 4, 10, 5, 8},
                                   {4, 5, 2, 4, 5, 3, kStairsWest},
                                   {4, 5, 9, 4, 5, 10, kStairsWest},
                                   {8, 5, 2, 8, 5, 3, kStairsEast},
                                   {8, 5, 9, 8, 5, 10, kStairsEast},
                                   {3, 4, 4, 4, 4, 8, kSoulSand},
                                   {8, 4, 4, 9, 4, 8, kSoulSand},
                                   {3, 5, 4, 4, 5, 8, kWart},
                                   {8, 5, 4, 9, 5, 8, kWart}};
constexpr Opening kWartRoomOpenings[] = {{kAhead, 3, 5, true}, {kAhead, 11, 5, true}};

// --- Layouts: the castle's corridors -------------------------------------

constexpr Part kCorridorParts[] = {
    {0, 0, 0, 4, 1, 4},           {0, 2, 0, 4, 5, 4, kAir},     {0, 2, 0, 0, 5, 4},
    {4, 2, 0, 4, 5, 4},           {0, 3, 1, 0, 4, 1, kFenceNs}, {0, 3, 3, 0, 4, 3, kFenceNs},
    {4, 3, 1, 4, 4, 1, kFenceNs}, {4, 3, 3, 4, 4, 3, kFenceNs}, {0, 6, 0, 4, 6, 4}};
constexpr Footing kCorridorFootings[] = {{0, 0, 4, 4}};
constexpr Opening kCorridorOpenings[] = {{kAhead, 0, 1, true}};

constexpr Part kCorridorCrossingParts[] = {{0, 0, 0, 4, 1, 4}, {0, 2, 0, 4, 5, 4, kAir}, {0, 2, 0, 0, 5, 0},
                                           {4, 2, 0, 4, 5, 0}, {0, 2, 4, 0, 5, 4},       {4, 2, 4, 4, 5, 4},
                                           {0, 6, 0, 4, 6, 4}};
constexpr Opening kCorridorCrossingOpenings[] = {
    {kAhead, 0, 1, true}, {kLeft, 0, 1, true}, {kRight, 0, 1, true}};

constexpr Part kRightTurnParts[] = {
    {0, 0, 0, 4, 1, 4},           {0, 2, 0, 4, 5, 4, kAir}, {0, 2, 0, 0, 5, 4}, {0, 3, 1, 0, 4, 1, kFenceNs},
    {0, 3, 3, 0, 4, 3, kFenceNs}, {4, 2, 0, 4, 5, 0},       {1, 2, 4, 4, 5, 4}, {1, 3, 4, 1, 4, 4, kFenceWe},
    {3, 3, 4, 3, 4, 4, kFenceWe}, {0, 6, 0, 4, 6, 4}};
constexpr Opening kRightTurnOpenings[] = {{kRight, 0, 1, true}};

constexpr Part kLeftTurnParts[] = {
    {0, 0, 0, 4, 1, 4},           {0, 2, 0, 4, 5, 4, kAir}, {4, 2, 0, 4, 5, 4}, {4, 3, 1, 4, 4, 1, kFenceNs},
    {4, 3, 3, 4, 4, 3, kFenceNs}, {0, 2, 0, 0, 5, 0},       {0, 2, 4, 3, 5, 4}, {1, 3, 4, 1, 4, 4, kFenceWe},
    {3, 3, 4, 3, 4, 4, kFenceWe}, {0, 6, 0, 4, 6, 4}};
constexpr Opening kLeftTurnOpenings[] = {{kLeft, 0, 1, true}};

constexpr Footing kCorridorStairsFootings[] = {{0, 0, 4, 9}};

constexpr Part kBalconyParts[] = {
    {0, 0, 0, 8, 1, 8},           {0, 2, 0, 8, 5, 8, kAir},     {0, 6, 0, 8, 6, 5},
    {0, 2, 0, 2, 5, 0},           {6, 2, 0, 8, 5, 0},           {1, 3, 0, 1, 4, 0, kFenceWe},
    {7, 3, 0, 7, 4, 0, kFenceWe}, {0, 2, 4, 8, 2, 8},           {1, 1, 4, 2, 2, 4, kAir},
    {6, 1, 4, 7, 2, 4, kAir},     {1, 3, 8, 7, 3, 8, kFenceWe}, dot(0, 3, 8, kFenceSe),
    dot(8, 3, 8, kFenceSw),       {0, 3, 6, 0, 3, 7, kFenceNs}, {8, 3, 6, 8, 3, 7, kFenceNs},
    {0, 3, 4, 0, 5, 5},           {8, 3, 4, 8, 5, 5},           {1, 3, 5, 2, 5, 5},
    {6, 3, 5, 7, 5, 5},           {1, 4, 5, 1, 5, 5, kFenceWe}, {7, 4, 5, 7, 5, 5, kFenceWe}};
constexpr Footing kBalconyFootings[] = {{0, 0, 8, 5}};

// --- Kinds ---------------------------------------------------------------

enum Kind : PieceDeck::Kind {
  kBridge,
  kBridgeCrossing,
  kRoom,
  kStairsRoom,
  kThrone,
  kEntrance,
  kCorridor,
  kCorridorCrossing,
  kRightTurn,
  kLeftTurn,
  kCorridorStairs,
  kBalcony,
  kWartRoom,
  kBridgeEnd,  ///< a bridge that breaks off
  kKinds,
};

struct Plan {
  /// Where the box begins, seen from the entrance, and its size.
  std::int32_t dx, dy, width, height, length;
  std::span<const Part> parts;
  std::span<const Footing> footings;
  std::span<const Opening> openings;
};

constexpr std::array<Plan, kKinds> kPlans = {{
    {-1, -3, 5, 10, 19, kBridgeParts, kBridgeFootings, kBridgeOpenings},
    {-8, -3, 19, 10, 19, kBridgeCrossingParts, kBridgeCrossingFootings, kBridgeCrossingOpenings},
    {-2, 0, 7, 9, 7, kRoomParts, kRoomFootings, kRoomOpenings},
    {-2, 0, 7, 11, 7, kStairsRoomParts, kRoomFootings, kStairsRoomOpenings},
    {-2, 0, 7, 8, 9, kThroneParts, kRoomFootings, {}},
    {-5, -3, 13, 14, 13, kHallParts, kHallFootings, kEntranceOpenings},
    {-1, 0, 5, 7, 5, kCorridorParts, kCorridorFootings, kCorridorOpenings},
    {-1, 0, 5, 7, 5, kCorridorCrossingParts, kCorridorFootings, kCorridorCrossingOpenings},
    {-1, 0, 5, 7, 5, kRightTurnParts, kCorridorFootings, kRightTurnOpenings},
    {-1, 0, 5, 7, 5, kLeftTurnParts, kCorridorFootings, kLeftTurnOpenings},
    {-1, -7, 5, 14, 10, {}, kCorridorStairsFootings, kCorridorOpenings},
    {-3, 0, 9, 7, 9, kBalconyParts, kBalconyFootings, {}},
    {-5, -3, 13, 14, 13, kHallParts, kHallFootings, kWartRoomOpenings},
    {-1, -3, 5, 10, 8, {}, {}, {}},
}};

struct Growth;

/// Any piece of a fortress. Immutable; its chest or spawner stands in one chunk, so no piece has to remember
/// that it made one.
class FortressPiece final : public BlockPiece {
 public:
  FortressPiece(Kind kind, Box bounds, Direction direction, std::int32_t depth)
      : BlockPiece(bounds, direction, depth), kind_(kind) {}
  /// Draws what differs between pieces of the kind.
  FortressPiece(Kind kind, Box bounds, Direction direction, std::int32_t depth, Random& random)
      : FortressPiece(kind, bounds, direction, depth) {
    if (kind == kBridgeEnd) own_seed_ = random.next_int();
    if (kind == kRightTurn || kind == kLeftTurn) has_chest_ = random.next_int(3) == 0;
  }

  void grow(Growth& growth) const;
  void place(PiecePlacing& placing) const override;

 private:
  void lay(PiecePlacing& placing, const Part& part) const {
    fill_box(placing, part.x0, part.y0, part.z0, part.x1, part.y1, part.z1, kStates[part.material]);
  }
  void lay(PiecePlacing& placing, std::span<const Part> parts) const {
    for (const Part& part : parts) lay(placing, part);
  }
  void lay_hall(PiecePlacing& placing) const;
  void lay_corridor_stairs(PiecePlacing& placing) const;
  void lay_bridge_end(PiecePlacing& placing) const;
  void lay_footings(PiecePlacing& placing) const {
    for (const Footing& footing : kPlans[kind_].footings) {
      for (std::int32_t x = footing.x0; x <= footing.x1; ++x) {
        for (std::int32_t z = footing.z0; z <= footing.z1; ++z)
          fill_column_down(placing, kStates[kBricks], x, -1, z);
      }
    }
  }

  Kind kind_;
  std::int32_t own_seed_ = 0;  ///< of a broken end's shape, which is one in all chunks
  bool has_chest_ = false;
};

// --- How it grows --------------------------------------------------------

struct Growth {
  static constexpr std::int32_t kMaxDepth = 30, kMaxDistance = 112, kLowestY = 10;

  Random& random;
  Pieces pieces{};
  std::vector<std::shared_ptr<FortressPiece>> pending{};
  PieceDeck bridges{{{kBridge, 30, 0, true},
                     {kBridgeCrossing, 10, 4},
                     {kRoom, 10, 4},
                     {kStairsRoom, 10, 3},
                     {kThrone, 5, 2},
                     {kEntrance, 5, 1}}};
  PieceDeck castle{{{kCorridor, 25, 0, true},
                    {kCorridorCrossing, 15, 5},
                    {kRightTurn, 5, 10},
                    {kLeftTurn, 5, 10},
                    {kCorridorStairs, 10, 3, true},
                    {kBalcony, 7, 2},
                    {kWartRoom, 5, 2}}};
  std::optional<PieceDeck::Kind> last{};

  /// A new piece behind `exit`, to be grown from later.
  void grow(const BlockPiece::Exit& exit, std::int32_t depth, bool leads_inside) {
    const Box& start = pieces.front()->box();
    if (std::abs(exit.foot.x - start.min_x) > kMaxDistance ||
        std::abs(exit.foot.z - start.min_z) > kMaxDistance) {
      // The game makes an end here and then forgets it; what remains is the draw.
      make(kBridgeEnd, exit, depth);
      return;
    }
    if (auto piece = choose(leads_inside ? castle : bridges, exit, depth + 1)) {
      pieces.push_back(piece);
      pending.push_back(std::move(piece));
    }
  }

 private:
  std::shared_ptr<FortressPiece> choose(PieceDeck& deck, const BlockPiece::Exit& exit, std::int32_t depth) {
    if (!deck.is_exhausted() && depth <= kMaxDepth) {
      const auto make_kind = [&](PieceDeck::Kind kind) { return make(static_cast<Kind>(kind), exit, depth); };
      if (auto piece = deck.draw(random, depth, last, make_kind)) return piece;
    }
    return make(kBridgeEnd, exit, depth);
  }

  std::shared_ptr<FortressPiece> make(Kind kind, const BlockPiece::Exit& exit, std::int32_t depth) {
    const Plan& plan = kPlans[kind];
    const Box box = BlockPiece::orient_box(exit.foot.x, exit.foot.y, exit.foot.z, plan.dx, plan.dy, 0,
                                           plan.width, plan.height, plan.length, exit.direction);
    if (box.min_y <= kLowestY || BlockPiece::find_collision(pieces, box) != nullptr) return nullptr;
    return std::make_shared<FortressPiece>(kind, box, exit.direction, depth, random);
  }
};

void FortressPiece::grow(Growth& growth) const {
  for (const Opening& opening : kPlans[kind_].openings) {
    const Direction direction = opening.side == kAhead  ? *orientation()
                                : opening.side == kLeft ? left_side()
                                                        : right_side();
    growth.grow(exit(direction, opening.up, opening.across), depth(), opening.leads_inside);
  }
  if (kind_ != kBalcony) return;
  const bool is_turned = orientation() == Direction::kWest || orientation() == Direction::kNorth;
  for (const Direction side : {left_side(), right_side()}) {
    const bool leads_inside = growth.random.next_int(8) > 0;
    growth.grow(exit(side, 0, is_turned ? 5 : 1), depth(), leads_inside);
  }
}

// --- How it is built -----------------------------------------------------

void FortressPiece::place(PiecePlacing& placing) const {
  lay(placing, kPlans[kind_].parts);
  switch (kind_) {
    case kThrone:
      if (const BlockPos spawner = world(3, 5, 5); placing.writable.contains(spawner)) {
        place_spawner(placing, spawner, "minecraft:blaze");
      }
      break;
    case kEntrance:
      lay(placing, kGateParts);
      lay_hall(placing);
      lay(placing, kLavaWellParts);
      break;
    case kWartRoom:
      lay_hall(placing);
      lay(placing, kWartRoomParts);
      break;
    case kRightTurn:
    case kLeftTurn:
      if (has_chest_)
        create_chest(placing, kind_ == kRightTurn ? 1 : 3, 2, 3, "minecraft:chests/nether_bridge");
      break;
    case kCorridorStairs:
      lay_corridor_stairs(placing);
      break;
    case kBridgeEnd:
      lay_bridge_end(placing);
      break;
    default:
      break;
  }
  lay_footings(placing);
}

void FortressPiece::lay_hall(PiecePlacing& placing) const {
  for (std::int8_t i = 1; i <= 11; i = static_cast<std::int8_t>(i + 2)) {
    const auto next = static_cast<std::int8_t>(i + 1);
    for (const std::int8_t end : {std::int8_t{0}, std::int8_t{12}}) {
      lay(placing, Part{i, 10, end, i, 11, end, kFenceWe});
      lay(placing, Part{end, 10, i, end, 11, i, kFenceNs});
      lay(placing, dot(i, 13, end));
      lay(placing, dot(end, 13, i));
      if (i == 11) continue;
      lay(placing, dot(next, 13, end, kFenceWe));
      lay(placing, dot(end, 13, next, kFenceNs));
    }
  }
  lay(placing, dot(0, 13, 0, kFenceNe));
  lay(placing, dot(0, 13, 12, kFenceSe));
  lay(placing, dot(12, 13, 12, kFenceSw));
  lay(placing, dot(12, 13, 0, kFenceNw));
  for (std::int8_t z = 3; z <= 9; z = static_cast<std::int8_t>(z + 2)) {
    lay(placing, Part{1, 7, z, 1, 8, z, kFenceNsw});
    lay(placing, Part{11, 7, z, 11, 8, z, kFenceNse});
  }
  lay(placing, kHallBelowParts);
}

void FortressPiece::lay_corridor_stairs(PiecePlacing& placing) const {
  const BlockState bricks = kStates[kBricks], fence = kStates[kFenceNs];
  for (std::int32_t z = 0; z <= 9; ++z) {
    const std::int32_t floor = std::max(1, 7 - z), roof = std::min(std::max(floor + 5, 14 - z), 13);
    fill_box(placing, 0, 0, z, 4, floor, z, bricks);
    fill_box(placing, 1, floor + 1, z, 3, roof - 1, z, kStates[kAir]);
    if (z <= 6) fill_box(placing, 1, floor + 1, z, 3, floor + 1, z, kStates[kStairsSouth]);
    fill_box(placing, 0, roof, z, 4, roof, z, bricks);
    for (const std::int32_t x : {0, 4}) {
      fill_box(placing, x, floor + 1, z, x, roof - 1, z, bricks);
      if (z % 2 == 0) fill_box(placing, x, floor + 2, z, x, floor + 3, z, fence);
    }
  }
}

void FortressPiece::lay_bridge_end(PiecePlacing& placing) const {
  Random random = Random::legacy(own_seed_);
  const auto lay_row = [&](std::int32_t x, std::int32_t y, std::int32_t reach) {
    fill_box(placing, x, y, 0, x, y, random.next_int(reach), kStates[kBricks]);
  };
  for (std::int32_t x = 0; x <= 4; ++x) {
    for (std::int32_t y = 3; y <= 4; ++y) lay_row(x, y, 8);
  }
  lay_row(0, 5, 8);
  lay_row(4, 5, 8);
  for (std::int32_t x = 0; x <= 4; ++x) lay_row(x, 2, 5);
  for (std::int32_t x = 0; x <= 4; ++x) {
    for (std::int32_t y = 0; y <= 1; ++y) lay_row(x, y, 3);
  }
}

// --- The structure -------------------------------------------------------

class Fortress final : public Structure {
 public:
  std::optional<GenerationPoint> find(StartContext& context) const override {
    const ChunkPos chunk = context.chunk;
    return GenerationPoint{{chunk.x * 16, 64, chunk.z * 16},
                           [chunk](Random& random) { return grow(random, chunk); }};
  }

 private:
  static constexpr std::int32_t kLowest = 48, kHighest = 70;

  static Pieces grow(Random& random, ChunkPos chunk) {
    const Direction direction = kHorizontal[static_cast<std::size_t>(random.next_int(4))];
    const Plan& plan = kPlans[kBridgeCrossing];
    const Box bounds = BlockPiece::make_bounding_box(chunk.x * 16 + 2, 64, chunk.z * 16 + 2, direction,
                                                     plan.width, plan.height, plan.length);
    const auto start = std::make_shared<FortressPiece>(kBridgeCrossing, bounds, direction, 0);
    Growth growth{.random = random};
    growth.pieces.push_back(start);
    start->grow(growth);
    while (!growth.pending.empty()) {
      const auto next =
          growth.pending.begin() + random.next_int(static_cast<std::int32_t>(growth.pending.size()));
      const std::shared_ptr<FortressPiece> piece = std::move(*next);
      growth.pending.erase(next);
      piece->grow(growth);
    }
    const Box whole = bounds_of(growth.pieces);
    const std::int32_t room = kHighest - kLowest + 1 - whole.y_span();
    const std::int32_t bottom = room > 1 ? kLowest + random.next_int(room) : kLowest;
    move_vertically(growth.pieces, bottom - whole.min_y);
    return std::move(growth.pieces);
  }
};

}  // namespace

void add_fortress(StructureFactories& factories) {
  factories["fortress"] = [](const Json&, const StructureLoader&) { return std::make_shared<Fortress>(); };
}

}  // namespace horizon::worldgen
