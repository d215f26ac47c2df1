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
  kStones,  ///< drawn block by block
  kBricks,
  kAir,
  kSlab,
  kDoubleSlab,
  kBrickSlab,
  kCobblestone,
  kPlanks,
  kBooks,
  kWater,
  kLava,
  kTorch,
  kTorchNorth,
  kTorchSouth,
  kTorchWest,
  kTorchEast,
  kLadderSouth,
  kLadderWest,
  kCobbleStairsSouth,
  kBrickStairsNorth,
  kBarsW,
  kBarsE,
  kBarsWe,
  kBarsNs,
  kBarsNse,
  kFenceW,
  kFenceE,
  kFenceWe,
  kFenceNs,
  kFenceNe,
  kFenceNw,
  kFenceSe,
  kFenceSw,
  kFenceNswe,
  kWoodDoor,
  kWoodDoorTop,
  kIronDoor,
  kIronDoorTop,
  kCellDoor,
  kCellDoorTop,
  kButtonNorth,
  kButtonSouth,
  kPortal,
  kMaterials,
};

const std::array<BlockState, kMaterials> kStates = {
    blocks::kAir,
    state("stone_bricks"),
    blocks::kCaveAir,
    state("smooth_stone_slab"),
    state("smooth_stone_slab[type=double]"),
    state("stone_brick_slab"),
    state("cobblestone"),
    state("oak_planks"),
    state("bookshelf"),
    blocks::kWater,
    blocks::kLava,
    state("torch"),
    state("wall_torch[facing=north]"),
    state("wall_torch[facing=south]"),
    state("wall_torch[facing=west]"),
    state("wall_torch[facing=east]"),
    state("ladder[facing=south]"),
    state("ladder[facing=west]"),
    state("cobblestone_stairs[facing=south]"),
    state("stone_brick_stairs[facing=north]"),
    state("iron_bars[west=true]"),
    state("iron_bars[east=true]"),
    state("iron_bars[west=true,east=true]"),
    state("iron_bars[north=true,south=true]"),
    state("iron_bars[north=true,south=true,east=true]"),
    state("oak_fence[west=true]"),
    state("oak_fence[east=true]"),
    state("oak_fence[west=true,east=true]"),
    state("oak_fence[north=true,south=true]"),
    state("oak_fence[north=true,east=true]"),
    state("oak_fence[north=true,west=true]"),
    state("oak_fence[south=true,east=true]"),
    state("oak_fence[south=true,west=true]"),
    state("oak_fence[north=true,south=true,west=true,east=true]"),
    state("oak_door"),
    state("oak_door[half=upper]"),
    state("iron_door"),
    state("iron_door[half=upper]"),
    state("iron_door[facing=west]"),
    state("iron_door[facing=west,half=upper]"),
    state("stone_button[facing=north]"),
    state("stone_button[facing=south]"),
    state("end_portal"),
};

/// A box of one material, ends included.
struct Part {
  std::int8_t x0, y0, z0, x1, y1, z1;
  Material material;
};
/// One block.
constexpr Part dot(std::int8_t x, std::int8_t y, std::int8_t z, Material material) {
  return {x, y, z, x, y, z, material};
}

/// Old masonry on the surface of a box, with nothing inside.
BlockState choose_stone(Random& random, std::int32_t, std::int32_t, std::int32_t, bool is_edge) {
  static const BlockState kCracked = state("cracked_stone_bricks"), kMossy = state("mossy_stone_bricks"),
                          kInfested = state("infested_stone_bricks");
  if (!is_edge) return blocks::kCaveAir;
  const float choice = random.next_float();
  if (choice < 0.2F) return kCracked;
  if (choice < 0.5F) return kMossy;
  return choice < 0.55F ? kInfested : kStates[kBricks];
}

// --- Doors, from their lower corner --------------------------------------

enum class Door : std::uint8_t { kOpening, kWood, kGrates, kIron };

constexpr Part kOpeningParts[] = {{0, 0, 0, 2, 2, 0, kAir}};
constexpr Part kWoodDoorParts[] = {{0, 0, 0, 0, 2, 0, kBricks},
                                   dot(1, 2, 0, kBricks),
                                   {2, 0, 0, 2, 2, 0, kBricks},
                                   dot(1, 0, 0, kWoodDoor),
                                   dot(1, 1, 0, kWoodDoorTop)};
constexpr Part kGratesParts[] = {{1, 0, 0, 1, 1, 0, kAir},
                                 {0, 0, 0, 0, 1, 0, kBarsW},
                                 {0, 2, 0, 2, 2, 0, kBarsWe},
                                 {2, 0, 0, 2, 1, 0, kBarsE}};
constexpr Part kIronDoorParts[] = {{0, 0, 0, 0, 2, 0, kBricks}, dot(1, 2, 0, kBricks),
                                   {2, 0, 0, 2, 2, 0, kBricks}, dot(1, 0, 0, kIronDoor),
                                   dot(1, 1, 0, kIronDoorTop),  dot(2, 1, 1, kButtonNorth),
                                   dot(2, 1, -1, kButtonSouth)};

std::span<const Part> door_parts(Door door) {
  switch (door) {
    case Door::kWood:
      return kWoodDoorParts;
    case Door::kGrates:
      return kGratesParts;
    case Door::kIron:
      return kIronDoorParts;
    default:
      return kOpeningParts;
  }
}

Door random_door(Random& random) {
  constexpr std::array kDoors = {Door::kOpening, Door::kOpening, Door::kWood, Door::kGrates, Door::kIron};
  return kDoors[static_cast<std::size_t>(random.next_int(5))];
}

// --- Layouts -------------------------------------------------------------

constexpr Part kSpiralParts[] = {dot(2, 6, 1, kBricks), dot(1, 5, 1, kBricks), dot(1, 6, 1, kSlab),
                                 dot(1, 5, 2, kBricks), dot(1, 4, 3, kBricks), dot(1, 5, 3, kSlab),
                                 dot(2, 4, 3, kBricks), dot(3, 3, 3, kBricks), dot(3, 4, 3, kSlab),
                                 dot(3, 3, 2, kBricks), dot(3, 2, 1, kBricks), dot(3, 3, 1, kSlab),
                                 dot(2, 2, 1, kBricks), dot(1, 1, 1, kBricks), dot(1, 2, 1, kSlab),
                                 dot(1, 1, 2, kBricks), dot(1, 1, 3, kSlab)};

constexpr Part kChestCorridorParts[] = {{3, 1, 2, 3, 1, 4, kBricks}, dot(3, 1, 1, kBrickSlab),
                                        dot(3, 1, 5, kBrickSlab),    dot(3, 2, 2, kBrickSlab),
                                        dot(3, 2, 4, kBrickSlab),    {2, 1, 2, 2, 1, 4, kBrickSlab}};

constexpr Part kStraightStairsParts[] = {{1, 6, 1, 3, 6, 1, kCobbleStairsSouth}, {1, 5, 1, 3, 5, 1, kBricks},
                                         {1, 5, 2, 3, 5, 2, kCobbleStairsSouth}, {1, 4, 2, 3, 4, 2, kBricks},
                                         {1, 4, 3, 3, 4, 3, kCobbleStairsSouth}, {1, 3, 3, 3, 3, 3, kBricks},
                                         {1, 3, 4, 3, 3, 4, kCobbleStairsSouth}, {1, 2, 4, 3, 2, 4, kBricks},
                                         {1, 2, 5, 3, 2, 5, kCobbleStairsSouth}, {1, 1, 5, 3, 1, 5, kBricks},
                                         {1, 1, 6, 3, 1, 6, kCobbleStairsSouth}};

constexpr Part kRoomOpenings[] = {
    {4, 1, 10, 6, 3, 10, kAir}, {0, 1, 4, 0, 3, 6, kAir}, {10, 1, 4, 10, 3, 6, kAir}};
constexpr Part kPillarParts[] = {
    {5, 1, 5, 5, 3, 5, kBricks}, dot(4, 3, 5, kTorchWest),  dot(6, 3, 5, kTorchEast),
    dot(5, 3, 4, kTorchSouth),   dot(5, 3, 6, kTorchNorth), {4, 1, 4, 4, 1, 6, kSlab},
    {6, 1, 4, 6, 1, 6, kSlab},   dot(5, 1, 4, kSlab),       dot(5, 1, 6, kSlab)};
constexpr Part kFountainParts[] = {{3, 1, 3, 3, 1, 7, kBricks}, {7, 1, 3, 7, 1, 7, kBricks},
                                   {3, 1, 3, 7, 1, 3, kBricks}, {3, 1, 7, 7, 1, 7, kBricks},
                                   {5, 1, 5, 5, 3, 5, kBricks}, dot(5, 4, 5, kWater)};
constexpr Part kStoreParts[] = {
    {1, 3, 1, 1, 3, 9, kCobblestone}, {9, 3, 1, 9, 3, 9, kCobblestone}, {1, 3, 1, 9, 3, 1, kCobblestone},
    {1, 3, 9, 9, 3, 9, kCobblestone}, dot(5, 1, 4, kCobblestone),       dot(5, 1, 6, kCobblestone),
    dot(5, 3, 4, kCobblestone),       dot(5, 3, 6, kCobblestone),       dot(4, 1, 5, kCobblestone),
    dot(6, 1, 5, kCobblestone),       dot(4, 3, 5, kCobblestone),       dot(6, 3, 5, kCobblestone),
    {4, 1, 4, 4, 3, 4, kCobblestone}, {6, 1, 4, 6, 3, 4, kCobblestone}, {4, 1, 6, 4, 3, 6, kCobblestone},
    {6, 1, 6, 6, 3, 6, kCobblestone}, dot(5, 3, 5, kTorchNorth),        {2, 3, 2, 3, 3, 8, kPlanks},
    {4, 3, 2, 6, 3, 3, kPlanks},      {4, 3, 7, 6, 3, 8, kPlanks},      {7, 3, 2, 8, 3, 8, kPlanks},
    {9, 1, 3, 9, 3, 3, kLadderWest}};

constexpr Part kPrisonParts[] = {
    {1, 1, 10, 3, 3, 10, kAir},   {4, 1, 1, 4, 3, 1, kStones}, {4, 1, 3, 4, 3, 3, kStones},
    {4, 1, 7, 4, 3, 7, kStones},  {4, 1, 9, 4, 3, 9, kStones}, {4, 1, 4, 4, 3, 4, kBarsNs},
    {4, 1, 5, 4, 3, 5, kBarsNse}, {4, 1, 6, 4, 3, 6, kBarsNs}, {5, 1, 5, 7, 3, 5, kBarsWe},
    dot(4, 3, 2, kBarsNs),        dot(4, 3, 8, kBarsNs),       dot(4, 1, 2, kCellDoor),
    dot(4, 2, 2, kCellDoorTop),   dot(4, 1, 8, kCellDoor),     dot(4, 2, 8, kCellDoorTop)};

constexpr Part kLibraryParts[] = {
    {1, 1, 1, 1, 4, 13, kBooks},     {12, 1, 1, 12, 4, 13, kBooks}, {1, 1, 1, 1, 4, 1, kPlanks},
    {12, 1, 1, 12, 4, 1, kPlanks},   {1, 1, 5, 1, 4, 5, kPlanks},   {12, 1, 5, 12, 4, 5, kPlanks},
    {1, 1, 9, 1, 4, 9, kPlanks},     {12, 1, 9, 12, 4, 9, kPlanks}, {1, 1, 13, 1, 4, 13, kPlanks},
    {12, 1, 13, 12, 4, 13, kPlanks}, dot(2, 3, 1, kTorchEast),      dot(11, 3, 1, kTorchWest),
    dot(2, 3, 5, kTorchEast),        dot(11, 3, 5, kTorchWest),     dot(2, 3, 9, kTorchEast),
    dot(11, 3, 9, kTorchWest),       dot(2, 3, 13, kTorchEast),     dot(11, 3, 13, kTorchWest),
    {3, 1, 3, 4, 3, 3, kBooks},      {6, 1, 3, 7, 3, 3, kBooks},    {9, 1, 3, 10, 3, 3, kBooks},
    {3, 1, 5, 4, 3, 5, kBooks},      {6, 1, 5, 7, 3, 5, kBooks},    {9, 1, 5, 10, 3, 5, kBooks},
    {3, 1, 7, 4, 3, 7, kBooks},      {6, 1, 7, 7, 3, 7, kBooks},    {9, 1, 7, 10, 3, 7, kBooks},
    {3, 1, 9, 4, 3, 9, kBooks},      {6, 1, 9, 7, 3, 9, kBooks},    {9, 1, 9, 10, 3, 9, kBooks},
    {3, 1, 11, 4, 3, 11, kBooks},    {6, 1, 11, 7, 3, 11, kBooks},  {9, 1, 11, 10, 3, 11, kBooks}};
/// The gallery of a tall library, with its chandelier.
constexpr Part kGalleryParts[] = {{1, 6, 1, 1, 9, 13, kBooks},
                                  {12, 6, 1, 12, 9, 13, kBooks},
                                  {1, 6, 1, 1, 9, 1, kPlanks},
                                  {12, 6, 1, 12, 9, 1, kPlanks},
                                  {1, 6, 5, 1, 9, 5, kPlanks},
                                  {12, 6, 5, 12, 9, 5, kPlanks},
                                  {1, 6, 9, 1, 9, 9, kPlanks},
                                  {12, 6, 9, 12, 9, 9, kPlanks},
                                  {1, 6, 13, 1, 9, 13, kPlanks},
                                  {12, 6, 13, 12, 9, 13, kPlanks},
                                  {1, 5, 1, 3, 5, 13, kPlanks},
                                  {10, 5, 1, 12, 5, 13, kPlanks},
                                  {4, 5, 1, 9, 5, 2, kPlanks},
                                  {4, 5, 12, 9, 5, 13, kPlanks},
                                  {8, 5, 11, 9, 5, 11, kPlanks},
                                  dot(9, 5, 10, kPlanks),
                                  {3, 6, 3, 3, 6, 11, kFenceNs},
                                  {10, 6, 3, 10, 6, 9, kFenceNs},
                                  {4, 6, 2, 9, 6, 2, kFenceWe},
                                  {4, 6, 12, 7, 6, 12, kFenceWe},
                                  dot(3, 6, 2, kFenceNe),
                                  dot(3, 6, 12, kFenceSe),
                                  dot(10, 6, 2, kFenceNw),
                                  dot(8, 6, 12, kFenceSw),
                                  dot(8, 6, 11, kFenceNe),
                                  dot(9, 6, 11, kFenceSw),
                                  dot(9, 6, 10, kFenceNe),
                                  dot(10, 6, 10, kFenceSw),
                                  {10, 1, 13, 10, 7, 13, kLadderSouth},
                                  {6, 8, 7, 6, 9, 7, kFenceE},
                                  {7, 8, 7, 7, 9, 7, kFenceW},
                                  {6, 7, 7, 7, 7, 7, kFenceNswe},
                                  dot(5, 7, 7, kFenceE),
                                  dot(8, 7, 7, kFenceW),
                                  dot(6, 7, 6, kFenceNe),
                                  dot(6, 7, 8, kFenceSe),
                                  dot(7, 7, 6, kFenceNw),
                                  dot(7, 7, 8, kFenceSw),
                                  dot(5, 8, 7, kTorch),
                                  dot(8, 8, 7, kTorch),
                                  dot(6, 8, 6, kTorch),
                                  dot(6, 8, 8, kTorch),
                                  dot(7, 8, 6, kTorch),
                                  dot(7, 8, 8, kTorch)};

constexpr Part kFiveWaysParts[] = {
    {5, 1, 10, 7, 3, 10, kAir},  {1, 2, 1, 8, 2, 6, kStones},     {4, 1, 5, 4, 4, 9, kStones},
    {8, 1, 5, 8, 4, 9, kStones}, {1, 4, 7, 3, 4, 9, kStones},     {1, 3, 5, 3, 3, 6, kStones},
    {1, 3, 4, 3, 3, 4, kSlab},   {1, 4, 6, 3, 4, 6, kSlab},       {5, 1, 7, 7, 1, 8, kStones},
    {5, 1, 9, 7, 1, 9, kSlab},   {5, 2, 7, 7, 2, 7, kSlab},       {4, 5, 7, 4, 5, 9, kSlab},
    {8, 5, 7, 8, 5, 9, kSlab},   {5, 5, 7, 7, 5, 9, kDoubleSlab}, dot(6, 5, 6, kTorchSouth)};

constexpr Part kPortalRoomParts[] = {{1, 6, 1, 1, 6, 14, kStones},
                                     {9, 6, 1, 9, 6, 14, kStones},
                                     {2, 6, 1, 8, 6, 2, kStones},
                                     {2, 6, 14, 8, 6, 14, kStones},
                                     {1, 1, 1, 2, 1, 4, kStones},
                                     {8, 1, 1, 9, 1, 4, kStones},
                                     {1, 1, 1, 1, 1, 3, kLava},
                                     {9, 1, 1, 9, 1, 3, kLava},
                                     {3, 1, 8, 7, 1, 12, kStones},
                                     {4, 1, 9, 6, 1, 11, kLava},
                                     {0, 3, 3, 0, 4, 3, kBarsNs},
                                     {10, 3, 3, 10, 4, 3, kBarsNs},
                                     {0, 3, 5, 0, 4, 5, kBarsNs},
                                     {10, 3, 5, 10, 4, 5, kBarsNs},
                                     {0, 3, 7, 0, 4, 7, kBarsNs},
                                     {10, 3, 7, 10, 4, 7, kBarsNs},
                                     {0, 3, 9, 0, 4, 9, kBarsNs},
                                     {10, 3, 9, 10, 4, 9, kBarsNs},
                                     {0, 3, 11, 0, 4, 11, kBarsNs},
                                     {10, 3, 11, 10, 4, 11, kBarsNs},
                                     {0, 3, 13, 0, 4, 13, kBarsNs},
                                     {10, 3, 13, 10, 4, 13, kBarsNs},
                                     {2, 3, 15, 2, 4, 15, kBarsWe},
                                     {4, 3, 15, 4, 4, 15, kBarsWe},
                                     {6, 3, 15, 6, 4, 15, kBarsWe},
                                     {8, 3, 15, 8, 4, 15, kBarsWe},
                                     {4, 1, 5, 6, 1, 7, kStones},
                                     {4, 2, 6, 6, 2, 7, kStones},
                                     {4, 3, 7, 6, 3, 7, kStones},
                                     {4, 1, 4, 6, 1, 4, kBrickStairsNorth},
                                     {4, 2, 5, 6, 2, 5, kBrickStairsNorth},
                                     {4, 3, 6, 6, 3, 6, kBrickStairsNorth}};
constexpr Part kPortalParts[] = {{4, 3, 9, 6, 3, 11, kPortal}};

// --- Pieces --------------------------------------------------------------

enum Kind : PieceDeck::Kind {
  kStraight,
  kPrison,
  kLeftTurn,
  kRightTurn,
  kRoom,
  kStraightStairs,
  kSpiral,
  kFiveWays,
  kChestCorridor,
  kLibrary,
  kPortalRoom,
  kFiller,  ///< a stub between pieces that almost meet
};

/// Where the box begins, seen from the entrance, and its size.
struct Shape {
  std::int32_t dx, dy, width, height, length;
};
constexpr std::array<Shape, kFiller + 1> kShapes = {{{-1, -1, 5, 5, 7},
                                                     {-1, -1, 9, 5, 11},
                                                     {-1, -1, 5, 5, 5},
                                                     {-1, -1, 5, 5, 5},
                                                     {-4, -1, 11, 7, 11},
                                                     {-1, -7, 5, 11, 8},
                                                     {-1, -7, 5, 11, 5},
                                                     {-4, -3, 10, 9, 11},
                                                     {-1, -1, 5, 5, 7},
                                                     {-4, -1, 14, 11, 15},
                                                     {-4, -1, 11, 8, 16},
                                                     {-1, -1, 5, 5, 4}}};
constexpr Shape kLowLibrary = {-4, -1, 14, 6, 15};

Box place_shape(const Shape& shape, const BlockPiece::Exit& exit) {
  const auto& [foot, direction] = exit;
  return BlockPiece::orient_box(foot.x, foot.y, foot.z, shape.dx, shape.dy, 0, shape.width, shape.height,
                                shape.length, direction);
}

struct Growth;

/// Any piece of a stronghold. Immutable; its chests and the spawner stand in one chunk each, so no piece has
/// to remember that it made them.
class StrongholdPiece final : public BlockPiece {
 public:
  /// Draws its door and what else differs between pieces of its kind.
  StrongholdPiece(Kind kind, Box bounds, Direction direction, std::int32_t depth, Random& random)
      : BlockPiece(bounds, direction, depth), kind_(kind) {
    if (kind == kPortalRoom || kind == kFiller) return;
    door_ = random_door(random);
    if (kind == kStraight) {
      opens_left_ = random.next_int(2) == 0;
      opens_right_ = random.next_int(2) == 0;
    } else if (kind == kRoom) {
      design_ = random.next_int(5);
    } else if (kind == kFiveWays) {
      opens_left_ = random.next_bool();
      opens_left_high_ = random.next_bool();
      opens_right_ = random.next_bool();
      opens_right_high_ = random.next_int(3) > 0;
    }
  }
  /// The stairs that everything grows from.
  static std::shared_ptr<StrongholdPiece> make_start(std::int32_t x, std::int32_t z, Direction direction) {
    const Shape& shape = kShapes[kSpiral];
    const Box bounds = make_bounding_box(x, 64, z, direction, shape.width, shape.height, shape.length);
    return std::shared_ptr<StrongholdPiece>(new StrongholdPiece(bounds, direction));
  }

  void grow(Growth& growth) const;
  void place(PiecePlacing& placing) const override;

 private:
  StrongholdPiece(Box bounds, Direction direction)
      : BlockPiece(bounds, direction), kind_(kSpiral), is_start_(true) {}

  void lay(PiecePlacing& placing, std::span<const Part> parts, std::int32_t dx = 0, std::int32_t dy = 0,
           std::int32_t dz = 0) const {
    for (const Part& part : parts) {
      const std::int32_t x0 = part.x0 + dx, y0 = part.y0 + dy, z0 = part.z0 + dz;
      const std::int32_t x1 = part.x1 + dx, y1 = part.y1 + dy, z1 = part.z1 + dz;
      if (part.material == kStones) {
        generate_box(placing, x0, y0, z0, x1, y1, z1, false, choose_stone);
      } else {
        fill_box(placing, x0, y0, z0, x1, y1, z1, kStates[part.material]);
      }
    }
  }
  /// The outer walls, of what is not air.
  void lay_walls(PiecePlacing& placing, bool skips_air = true) const {
    const std::int32_t x1 = (looks_along_z() ? box_.x_span() : box_.z_span()) - 1;
    const std::int32_t z1 = (looks_along_z() ? box_.z_span() : box_.x_span()) - 1;
    generate_box(placing, 0, 0, 0, x1, box_.y_span() - 1, z1, skips_air, choose_stone);
  }
  void lay_door(PiecePlacing& placing, Door door, std::int32_t x, std::int32_t y, std::int32_t z) const {
    lay(placing, door_parts(door), x, y, z);
  }
  void lay_opening(PiecePlacing& placing, std::int32_t x, std::int32_t y0, std::int32_t z0, std::int32_t y1,
                   std::int32_t z1) const {
    fill_box(placing, x, y0, z0, x, y1, z1, blocks::kCaveAir);
  }
  /// A turn's opening is on the side where its own x is 0.
  bool turns_to_low_x() const { return (kind_ == kLeftTurn) == turns_with_left(); }
  bool turns_with_left() const {
    return orientation() == Direction::kNorth || orientation() == Direction::kEast;
  }

  void place_straight(PiecePlacing& placing) const;
  void place_room(PiecePlacing& placing) const;
  void place_library(PiecePlacing& placing) const;
  void place_five_ways(PiecePlacing& placing) const;
  void place_portal_room(PiecePlacing& placing) const;
  void place_filler(PiecePlacing& placing) const;

  Kind kind_;
  Door door_ = Door::kOpening;
  bool is_start_ = false;
  bool opens_left_ = false, opens_left_high_ = false, opens_right_ = false, opens_right_high_ = false;
  std::int32_t design_ = 0;  ///< of a room
};

// --- How it grows --------------------------------------------------------

/// One attempt at a stronghold.
struct Growth {
  static constexpr std::int32_t kMaxDepth = 50, kMaxDistance = 112, kLowestY = 10;

  Random& random;
  Pieces pieces{};
  std::vector<std::shared_ptr<StrongholdPiece>> pending{};
  PieceDeck deck{{{kStraight, 40, 0},
                  {kPrison, 5, 5},
                  {kLeftTurn, 20, 0},
                  {kRightTurn, 20, 0},
                  {kRoom, 10, 6},
                  {kStraightStairs, 5, 5},
                  {kSpiral, 5, 5},
                  {kFiveWays, 5, 4},
                  {kChestCorridor, 5, 4},
                  {kLibrary, 10, 2, false, 5},
                  {kPortalRoom, 20, 1, false, 6}}};
  std::optional<PieceDeck::Kind> last{};
  bool wants_five_ways = false;  ///< the next piece, if there is room
  bool has_portal_room = false;

  /// A new piece behind `exit`, to be grown from later.
  void grow(const BlockPiece::Exit& exit, std::int32_t depth) {
    const Box& start = pieces.front()->box();
    if (depth > kMaxDepth || std::abs(exit.foot.x - start.min_x) > kMaxDistance ||
        std::abs(exit.foot.z - start.min_z) > kMaxDistance) {
      return;
    }
    if (auto piece = choose(exit, depth + 1)) {
      pieces.push_back(piece);
      pending.push_back(std::move(piece));
    }
  }

 private:
  std::shared_ptr<StrongholdPiece> choose(const BlockPiece::Exit& exit, std::int32_t depth) {
    if (deck.is_exhausted()) return nullptr;
    if (std::exchange(wants_five_ways, false)) {
      if (auto piece = make(kFiveWays, exit, depth)) return piece;
    }
    const auto make_kind = [&](PieceDeck::Kind kind) { return make(static_cast<Kind>(kind), exit, depth); };
    if (auto piece = deck.draw(random, depth, last, make_kind)) return piece;
    return make_filler(exit, depth);
  }

  bool is_free(const Box& box) const {
    return box.min_y > kLowestY && BlockPiece::find_collision(pieces, box) == nullptr;
  }

  std::shared_ptr<StrongholdPiece> make(Kind kind, const BlockPiece::Exit& exit, std::int32_t depth) {
    Box box = place_shape(kShapes[kind], exit);
    if (!is_free(box)) {
      if (kind != kLibrary) return nullptr;
      box = place_shape(kLowLibrary, exit);
      if (!is_free(box)) return nullptr;
    }
    return std::make_shared<StrongholdPiece>(kind, box, exit.direction, depth, random);
  }

  /// Closes a gap to a piece on the same floor; its last blocks are that piece's wall.
  std::shared_ptr<StrongholdPiece> make_filler(const BlockPiece::Exit& exit, std::int32_t depth) {
    Shape shape = kShapes[kFiller];
    const Box whole = place_shape(shape, exit);
    const StructurePiece* other = BlockPiece::find_collision(pieces, whole);
    if (other == nullptr || other->box().min_y != whole.min_y) return nullptr;
    for (std::int32_t length = 2; length >= 1; --length) {
      shape.length = length;
      if (other->box().intersects(place_shape(shape, exit))) continue;
      shape.length = length + 1;
      const Box box = place_shape(shape, exit);
      if (box.min_y <= 1) return nullptr;
      return std::make_shared<StrongholdPiece>(kFiller, box, exit.direction, depth, random);
    }
    return nullptr;
  }
};

void StrongholdPiece::grow(Growth& growth) const {
  const auto ahead = [&](std::int32_t across, std::int32_t up) {
    growth.grow(exit(*orientation(), up, across), depth());
  };
  const auto left = [&](std::int32_t up, std::int32_t along) {
    growth.grow(exit(left_side(), up, along), depth());
  };
  const auto right = [&](std::int32_t up, std::int32_t along) {
    growth.grow(exit(right_side(), up, along), depth());
  };
  switch (kind_) {
    case kSpiral:
      if (is_start_) growth.wants_five_ways = true;
      ahead(1, 1);
      break;
    case kPrison:
    case kStraightStairs:
    case kChestCorridor:
      ahead(1, 1);
      break;
    case kStraight:
      ahead(1, 1);
      if (opens_left_) left(1, 2);
      if (opens_right_) right(1, 2);
      break;
    case kLeftTurn:
    case kRightTurn:
      if (turns_to_low_x()) {
        left(1, 1);
      } else {
        right(1, 1);
      }
      break;
    case kRoom:
      ahead(4, 1);
      left(1, 4);
      right(1, 4);
      break;
    case kFiveWays: {
      // The game mixes up height and distance of these exits, so that they seldom meet their openings.
      const bool is_turned = orientation() == Direction::kWest || orientation() == Direction::kNorth;
      const std::int32_t low = is_turned ? 5 : 3, high = is_turned ? 3 : 5;
      ahead(5, 1);
      if (opens_left_) left(low, 1);
      if (opens_left_high_) left(high, 7);
      if (opens_right_) right(low, 1);
      if (opens_right_high_) right(high, 7);
      break;
    }
    case kPortalRoom:
      growth.has_portal_room = true;
      break;
    case kLibrary:
    case kFiller:
      break;
  }
}

// --- How it is built -----------------------------------------------------

void StrongholdPiece::place(PiecePlacing& placing) const {
  switch (kind_) {
    case kStraight:
      return place_straight(placing);
    case kRoom:
      return place_room(placing);
    case kLibrary:
      return place_library(placing);
    case kFiveWays:
      return place_five_ways(placing);
    case kPortalRoom:
      return place_portal_room(placing);
    case kFiller:
      return place_filler(placing);
    case kPrison:
      lay_walls(placing);
      lay_door(placing, door_, 1, 1, 0);
      return lay(placing, kPrisonParts);
    case kLeftTurn:
    case kRightTurn:
      lay_walls(placing);
      lay_door(placing, door_, 1, 1, 0);
      return lay_opening(placing, turns_to_low_x() ? 0 : 4, 1, 1, 3, 3);
    case kStraightStairs:
      lay_walls(placing);
      lay_door(placing, door_, 1, 7, 0);
      lay_door(placing, Door::kOpening, 1, 1, 7);
      return lay(placing, kStraightStairsParts);
    case kSpiral:
      lay_walls(placing);
      lay_door(placing, door_, 1, 7, 0);
      lay_door(placing, Door::kOpening, 1, 1, 4);
      return lay(placing, kSpiralParts);
    case kChestCorridor:
      lay_walls(placing);
      lay_door(placing, door_, 1, 1, 0);
      lay_door(placing, Door::kOpening, 1, 1, 6);
      lay(placing, kChestCorridorParts);
      create_chest(placing, 3, 2, 3, "minecraft:chests/stronghold_corridor");
      return;
  }
}

void StrongholdPiece::place_straight(PiecePlacing& placing) const {
  lay_walls(placing);
  lay_door(placing, door_, 1, 1, 0);
  lay_door(placing, Door::kOpening, 1, 1, 6);
  for (const std::int32_t z : {1, 5}) {
    maybe_generate_block(placing, 0.1F, 1, 2, z, kStates[kTorchEast]);
    maybe_generate_block(placing, 0.1F, 3, 2, z, kStates[kTorchWest]);
  }
  if (opens_left_) lay_opening(placing, 0, 1, 2, 3, 4);
  if (opens_right_) lay_opening(placing, 4, 1, 2, 3, 4);
}

void StrongholdPiece::place_room(PiecePlacing& placing) const {
  lay_walls(placing);
  lay_door(placing, door_, 4, 1, 0);
  lay(placing, kRoomOpenings);
  if (design_ == 0) lay(placing, kPillarParts);
  if (design_ == 1) lay(placing, kFountainParts);
  if (design_ == 2) {
    lay(placing, kStoreParts);
    create_chest(placing, 3, 4, 8, "minecraft:chests/stronghold_crossing");
  }
}

void StrongholdPiece::place_library(PiecePlacing& placing) const {
  static constexpr std::string_view kLoot = "minecraft:chests/stronghold_library";
  static const BlockState kCobweb = state("cobweb");
  const bool is_tall = box_.y_span() > kLowLibrary.height;
  lay_walls(placing);
  lay_door(placing, door_, 4, 1, 0);
  generate_maybe_box(placing, 0.07F, 2, 1, 1, 11, 4, 13, kCobweb, kCobweb, false, false);
  lay(placing, kLibraryParts);
  if (is_tall) lay(placing, kGalleryParts);
  create_chest(placing, 3, 3, 5, kLoot);
  if (!is_tall) return;
  place_block(placing, blocks::kCaveAir, 12, 9, 1);
  create_chest(placing, 12, 8, 1, kLoot);
}

void StrongholdPiece::place_five_ways(PiecePlacing& placing) const {
  lay_walls(placing);
  lay_door(placing, door_, 4, 3, 0);
  if (opens_left_) lay_opening(placing, 0, 3, 1, 5, 3);
  if (opens_right_) lay_opening(placing, 9, 3, 1, 5, 3);
  if (opens_left_high_) lay_opening(placing, 0, 5, 7, 7, 9);
  if (opens_right_high_) lay_opening(placing, 9, 5, 7, 7, 9);
  lay(placing, kFiveWaysParts);
}

void StrongholdPiece::place_portal_room(PiecePlacing& placing) const {
  static const BlockState kFrame = state("end_portal_frame");
  static const PropertyId kEye = property_id("eye");
  lay_walls(placing, false);
  lay_door(placing, Door::kGrates, 4, 1, 0);
  lay(placing, kPortalRoomParts);

  // Each chunk draws the eyes anew: a portal across a border may be complete in one of them only.
  std::array<bool, 12> eyes{};
  bool is_complete = true;
  for (bool& eye : eyes) {
    eye = placing.random.next_float() > 0.9F;
    is_complete &= eye;
  }
  struct Side {
    Direction facing;
    std::int32_t x, z, step_x, step_z;
  };
  constexpr std::array<Side, 4> kSides = {{{Direction::kNorth, 4, 8, 1, 0},
                                           {Direction::kSouth, 4, 12, 1, 0},
                                           {Direction::kEast, 3, 9, 0, 1},
                                           {Direction::kWest, 7, 9, 0, 1}}};
  for (std::size_t i = 0; i < eyes.size(); ++i) {
    const Side& side = kSides[i / 3];
    const auto step = static_cast<std::int32_t>(i % 3);
    const BlockState frame = with(kFrame, properties::kFacing, name(side.facing));
    place_block(placing, with_bool(frame, kEye, eyes[i]), side.x + side.step_x * step, 3,
                side.z + side.step_z * step);
  }
  if (is_complete) lay(placing, kPortalParts);
  if (const BlockPos spawner = world(5, 3, 6); placing.writable.contains(spawner)) {
    place_spawner(placing, spawner, "minecraft:silverfish");
  }
}

void StrongholdPiece::place_filler(PiecePlacing& placing) const {
  const std::int32_t end = (looks_along_z() ? box_.z_span() : box_.x_span()) - 1;
  fill_box(placing, 0, 0, 0, 4, 4, end, kStates[kBricks]);
  fill_box(placing, 1, 1, 0, 3, 3, end, blocks::kCaveAir);
}

// --- The structure -------------------------------------------------------

class Stronghold final : public Structure {
 public:
  std::optional<GenerationPoint> find(StartContext& context) const override {
    const ChunkPos chunk = context.chunk;
    const auto make_pieces = [seed = context.seed, chunk, sea_level = context.terrain.sea_level(),
                              min_y = context.terrain.generated().min_y](Random& random) {
      return grow(random, seed, chunk, sea_level, min_y);
    };
    return GenerationPoint{{chunk.x * 16, 0, chunk.z * 16}, make_pieces};
  }

 private:
  /// Tries, each time with another seed, until there is a portal.
  static Pieces grow(Random& random, std::int64_t seed, ChunkPos chunk, std::int32_t sea_level,
                     std::int32_t min_y) {
    for (std::uint64_t i = 0;; ++i) {
      random.set_large_feature_seed(static_cast<std::int64_t>(static_cast<std::uint64_t>(seed) + i), chunk.x,
                                    chunk.z);
      const Direction direction = kHorizontal[static_cast<std::size_t>(random.next_int(4))];
      const auto start = StrongholdPiece::make_start(chunk.x * 16 + 2, chunk.z * 16 + 2, direction);
      Growth growth{.random = random};
      growth.pieces.push_back(start);
      start->grow(growth);
      while (!growth.pending.empty()) {
        const auto next =
            growth.pending.begin() + random.next_int(static_cast<std::int32_t>(growth.pending.size()));
        const std::shared_ptr<StrongholdPiece> piece = std::move(*next);
        growth.pending.erase(next);
        piece->grow(growth);
      }
      move_below_sea_level(growth.pieces, sea_level, min_y, random, 10);
      if (growth.has_portal_room) return std::move(growth.pieces);
    }
  }
};

}  // namespace

void add_stronghold(StructureFactories& factories) {
  factories["stronghold"] = [](const Json&, const StructureLoader&) {
    return std::make_shared<Stronghold>();
  };
}

}  // namespace horizon::worldgen
