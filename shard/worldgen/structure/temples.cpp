#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "shard/worldgen/structure/block_piece.hpp"
#include "shard/worldgen/structure/template_piece.hpp"

namespace horizon::worldgen {

namespace {

// --- What the buildings are made of --------------------------------------

enum Material : std::uint8_t {
  kAir,
  // Desert pyramid.
  kSandstone,
  kCutSandstone,
  kChiseledSandstone,
  kSandstoneSlab,
  kSandstoneStairsNorth,
  kSandstoneStairsSouth,
  kSandstoneStairsWest,
  kSandstoneStairsEast,
  kOrangeTerracotta,
  kBlueTerracotta,
  kSand,
  kTnt,
  kPressurePlate,
  // Jungle temple.
  kMossyCobblestone,
  kChiseledBricks,
  kCobblestoneStairsNorth,
  kCobblestoneStairsSouth,
  kCobblestoneStairsWest,
  kCobblestoneStairsEast,
  kHookNorth,
  kHookSouth,
  kHookWest,
  kHookEast,
  kTripwireNs,
  kTripwireWe,
  kWireNs,
  kWireWe,
  kWireNw,
  kWireSw,
  kWireNorthUpSouth,
  kWireCross,
  kVineSouth,
  kVineEast,
  kLever,
  kPistonUp,
  kPistonWest,
  kRepeater,
  // Swamp hut.
  kPlanks,
  kLog,
  kFence,
  kPottedMushroom,
  kCraftingTable,
  kCauldron,
  kSpruceStairsNorth,
  kSpruceStairsSouth,
  kSpruceStairsWest,
  kSpruceStairsEast,
  kSpruceCornerNw,
  kSpruceCornerNe,
  kSpruceCornerSw,
  kSpruceCornerSe,
  kFixedMaterials,
  /// Cobblestone or mossy cobblestone, drawn for each block.
  kOldStones = kFixedMaterials,
};

const std::array<BlockState, kFixedMaterials> kStates = {
    blocks::kAir,
    state("sandstone"),
    state("cut_sandstone"),
    state("chiseled_sandstone"),
    state("sandstone_slab"),
    state("sandstone_stairs[facing=north]"),
    state("sandstone_stairs[facing=south]"),
    state("sandstone_stairs[facing=west]"),
    state("sandstone_stairs[facing=east]"),
    state("orange_terracotta"),
    state("blue_terracotta"),
    blocks::kSand,
    state("tnt"),
    state("stone_pressure_plate"),
    state("mossy_cobblestone"),
    state("chiseled_stone_bricks"),
    state("cobblestone_stairs[facing=north]"),
    state("cobblestone_stairs[facing=south]"),
    state("cobblestone_stairs[facing=west]"),
    state("cobblestone_stairs[facing=east]"),
    state("tripwire_hook[facing=north,attached=true]"),
    state("tripwire_hook[facing=south,attached=true]"),
    state("tripwire_hook[facing=west,attached=true]"),
    state("tripwire_hook[facing=east,attached=true]"),
    state("tripwire[north=true,south=true,attached=true]"),
    state("tripwire[west=true,east=true,attached=true]"),
    state("redstone_wire[north=side,south=side]"),
    state("redstone_wire[west=side,east=side]"),
    state("redstone_wire[north=side,west=side]"),
    state("redstone_wire[south=side,west=side]"),
    state("redstone_wire[north=side,south=up]"),
    state("redstone_wire[north=side,south=side,east=side,west=side]"),
    state("vine[south=true]"),
    state("vine[east=true]"),
    state("lever[facing=north,face=wall]"),
    state("sticky_piston[facing=up]"),
    state("sticky_piston[facing=west]"),
    state("repeater[facing=north]"),
    state("spruce_planks"),
    state("oak_log"),
    state("oak_fence"),
    state("potted_red_mushroom"),
    state("crafting_table"),
    state("cauldron"),
    state("spruce_stairs[facing=north]"),
    state("spruce_stairs[facing=south]"),
    state("spruce_stairs[facing=west]"),
    state("spruce_stairs[facing=east]"),
    state("spruce_stairs[facing=north,shape=outer_right]"),
    state("spruce_stairs[facing=north,shape=outer_left]"),
    state("spruce_stairs[facing=south,shape=outer_left]"),
    state("spruce_stairs[facing=south,shape=outer_right]"),
};

/// A box of one material, ends included.
struct Part {
  std::int8_t x0, y0, z0, x1, y1, z1;
  Material material;
};
/// One block.
constexpr Part dot(std::int32_t x, std::int32_t y, std::int32_t z, Material material) {
  const auto bx = static_cast<std::int8_t>(x), by = static_cast<std::int8_t>(y),
             bz = static_cast<std::int8_t>(z);
  return {bx, by, bz, bx, by, bz, material};
}
constexpr Material swapped_sides(Material material) {
  switch (material) {
    case kSandstoneStairsWest:
      return kSandstoneStairsEast;
    case kSandstoneStairsEast:
      return kSandstoneStairsWest;
    default:
      return material;
  }
}

/// A building as tables of parts. Parts may overlap: later ones win.
class Building : public BlockPiece {
 public:
  struct Size {
    std::int32_t width, height, length;
  };

 protected:
  Building(const Box& bounds, Direction direction) : BlockPiece(bounds, direction) {}

  void lay(PiecePlacing& placing, const Part& part) const {
    if (part.material != kOldStones) {
      fill_box(placing, part.x0, part.y0, part.z0, part.x1, part.y1, part.z1, kStates[part.material]);
      return;
    }
    static const BlockState kCobblestone = state("cobblestone");
    static const BlockSelector kSelector = [](Random& random, std::int32_t, std::int32_t, std::int32_t,
                                              bool) {
      return random.next_float() < 0.4F ? kCobblestone : kStates[kMossyCobblestone];
    };
    generate_box(placing, part.x0, part.y0, part.z0, part.x1, part.y1, part.z1, false, kSelector);
  }
  void lay(PiecePlacing& placing, std::span<const Part> parts) const {
    for (const Part& part : parts) lay(placing, part);
  }
  /// The parts, and their mirror images in the other half of a building whose last x is `last_x`.
  void lay_both(PiecePlacing& placing, std::span<const Part> parts, std::int32_t last_x) const {
    for (const Part& part : parts) {
      lay(placing, part);
      lay(placing,
          Part{static_cast<std::int8_t>(last_x - part.x1), part.y0, part.z0,
               static_cast<std::int8_t>(last_x - part.x0), part.y1, part.z1, swapped_sides(part.material)});
    }
  }
};

// --- Buildings that settle on the ground ---------------------------------

/// What a building does with the heights under it.
enum class Ground : std::uint8_t {
  kMean,    ///< of its columns in the chunk that comes first
  kLowest,  ///< of all its columns, sunk by up to two blocks
};

/// A building somewhere at the start's chunk. It finds the ground when its first chunk is placed, as the game
/// does: what features put there by then counts, and the chunks that follow build on at that height.
template <typename Kind>
class SettlingPiece final : public StructurePiece {
 public:
  static std::shared_ptr<SettlingPiece> make(ChunkPos chunk, Random& random) {
    const Direction direction = kHorizontal[static_cast<std::size_t>(random.next_int(4))];
    constexpr std::int32_t kWaitingHeight = 64;
    const Box bounds =
        BlockPiece::make_bounding_box(chunk.x * 16, kWaitingHeight, chunk.z * 16, direction,
                                      Kind::kSize.width, Kind::kSize.height, Kind::kSize.length);
    return std::make_shared<SettlingPiece>(bounds, direction);
  }
  SettlingPiece(const Box& bounds, Direction direction) : StructurePiece(bounds), direction_(direction) {}

  void place(PiecePlacing& placing) const override {
    if (settle(placing)) building().place(placing);
  }
  /// At its height, or where it waits as long as it has none.
  Kind building() const {
    const std::lock_guard lock(mutex_);
    return Kind(settled_ ? box_.moved(0, settled_->floor - box_.min_y, 0) : box_, direction_);
  }

 private:
  struct Settled {
    std::int32_t ground, floor;
  };

  bool settle(PiecePlacing& placing) const {
    // Drawn for each chunk, though only the first draw counts.
    const std::int32_t sunk = Kind::kGround == Ground::kLowest ? placing.random.next_int(3) : 0;
    const std::lock_guard lock(mutex_);
    // Below zero, the height reads as not yet found.
    if (settled_ && settled_->ground >= 0) return true;
    const std::optional<std::int32_t> ground = find_ground(placing);
    if (ground) settled_ = {*ground, *ground - sunk};
    return ground.has_value();
  }

  std::optional<std::int32_t> find_ground(const PiecePlacing& placing) const {
    std::int32_t lowest = placing.region.max_y() + 1, total = 0, count = 0;
    for (std::int32_t z = box_.min_z; z <= box_.max_z; ++z) {
      for (std::int32_t x = box_.min_x; x <= box_.max_x; ++x) {
        const bool is_in_chunk = x >= placing.writable.min_x && x <= placing.writable.max_x &&
                                 z >= placing.writable.min_z && z <= placing.writable.max_z;
        if (Kind::kGround == Ground::kMean && !is_in_chunk) continue;
        const std::int32_t height = placing.region.height(HeightKind::kMotionBlockingNoLeaves, x, z);
        lowest = std::min(lowest, height);
        total += height;
        ++count;
      }
    }
    if (count == 0) return std::nullopt;
    return Kind::kGround == Ground::kMean ? total / count : lowest;
  }

  Direction direction_;
  mutable std::mutex mutex_;
  mutable std::optional<Settled> settled_;  ///< guarded by mutex_
};

/// A structure of one building.
template <typename Kind>
class SingleBuilding : public Structure {
 public:
  std::optional<GenerationPoint> find(StartContext& context) const override {
    const ChunkPos chunk = context.chunk;
    if (Kind::kMustBeDry) {
      const auto heights =
          corner_heights(context.terrain, chunk.x * 16, Kind::kSize.width, chunk.z * 16, Kind::kSize.length);
      if (*std::ranges::min_element(heights) < context.terrain.sea_level()) return std::nullopt;
    }
    return GenerationPoint{
        on_top_of_chunk_centre(context, HeightKind::kWorldSurfaceWg),
        [chunk](Random& random) { return Pieces{SettlingPiece<Kind>::make(chunk, random)}; }};
  }
};

// --- Desert pyramid ------------------------------------------------------

/// Parts on the left that the right half mirrors: towers, entrance and the rooms beside it.
constexpr Part kPyramidSides[] = {
    {0, 0, 0, 4, 9, 4, kSandstone},       {1, 1, 1, 3, 8, 3, kAir},
    {1, 10, 1, 3, 10, 3, kSandstone},     dot(2, 10, 0, kSandstoneStairsNorth),
    dot(2, 10, 4, kSandstoneStairsSouth), dot(0, 10, 2, kSandstoneStairsEast),
    dot(4, 10, 2, kSandstoneStairsWest),
};
constexpr Part kPyramidEntrance[] = {
    {8, 0, 0, 12, 4, 4, kSandstone},     {9, 1, 0, 11, 3, 4, kAir},    {9, 1, 1, 9, 3, 1, kCutSandstone},
    {11, 1, 1, 11, 3, 1, kCutSandstone}, dot(10, 3, 1, kCutSandstone),
};
constexpr Part kPyramidPassages[] = {
    {4, 1, 1, 8, 3, 3, kSandstone},
    {5, 2, 2, 7, 2, 2, kAir},
    {4, 1, 2, 8, 2, 2, kAir},
};
constexpr Part kPyramidCeiling[] = {
    {5, 4, 5, 15, 4, 15, kSandstone},
    {9, 4, 9, 11, 4, 11, kAir},
};
constexpr Part kPyramidWings[] = {
    {8, 1, 8, 8, 3, 8, kCutSandstone},
    {8, 1, 12, 8, 3, 12, kCutSandstone},
    {1, 1, 5, 4, 4, 11, kSandstone},
    {6, 7, 9, 6, 7, 11, kSandstone},
    {5, 5, 9, 5, 7, 11, kCutSandstone},
    {5, 5, 10, 5, 6, 10, kAir},
    dot(6, 6, 10, kAir),
    {2, 4, 4, 2, 6, 4, kAir},
    dot(2, 4, 5, kSandstoneStairsNorth),
    dot(2, 3, 4, kSandstoneStairsNorth),
    {1, 1, 3, 2, 2, 3, kSandstone},
    dot(1, 1, 2, kSandstone),
    dot(1, 2, 2, kSandstoneSlab),
    dot(2, 1, 2, kSandstoneStairsWest),
    {4, 3, 5, 4, 3, 17, kSandstone},
};
/// Not quite mirror images.
constexpr Part kPyramidAisles[] = {
    {3, 1, 5, 4, 2, 16, kAir},
    {15, 1, 5, 16, 2, 16, kAir},
};
constexpr Part kPyramidFloor[] = {
    {10, 0, 7, 10, 0, 8, kOrangeTerracotta}, {10, 0, 12, 10, 0, 13, kOrangeTerracotta},
    {7, 0, 10, 8, 0, 10, kOrangeTerracotta}, {12, 0, 10, 13, 0, 10, kOrangeTerracotta},
    dot(9, 0, 9, kOrangeTerracotta),         dot(11, 0, 9, kOrangeTerracotta),
    dot(9, 0, 11, kOrangeTerracotta),        dot(11, 0, 11, kOrangeTerracotta),
    dot(10, 0, 10, kBlueTerracotta),
};
/// What a tower's wall shows, from height 2 up: beside the middle, and in it.
constexpr std::array<std::pair<Material, Material>, 7> kTowerPattern = {{
    {kCutSandstone, kOrangeTerracotta},
    {kCutSandstone, kOrangeTerracotta},
    {kOrangeTerracotta, kChiseledSandstone},
    {kCutSandstone, kOrangeTerracotta},
    {kOrangeTerracotta, kChiseledSandstone},
    {kOrangeTerracotta, kOrangeTerracotta},
    {kCutSandstone, kCutSandstone},
}};
constexpr Part kPyramidGate[] = {
    {8, 4, 0, 12, 6, 0, kCutSandstone},
    dot(8, 6, 0, kAir),
    dot(12, 6, 0, kAir),
    dot(9, 5, 0, kOrangeTerracotta),
    dot(10, 5, 0, kChiseledSandstone),
    dot(11, 5, 0, kOrangeTerracotta),
};
/// The shaft with the trap; its four niches take the chests.
constexpr Part kPyramidTreasury[] = {
    {8, -14, 8, 12, -11, 12, kCutSandstone}, {8, -10, 8, 12, -10, 12, kChiseledSandstone},
    {8, -9, 8, 12, -9, 12, kCutSandstone},   {8, -8, 8, 12, -1, 12, kSandstone},
    {9, -11, 9, 11, -1, 11, kAir},           dot(10, -11, 10, kPressurePlate),
    {9, -13, 9, 11, -13, 11, kTnt},
};
constexpr Part kCellarSteps[] = {
    dot(13, -1, 17, kSandstoneStairsWest),
    dot(14, -2, 17, kSandstoneStairsWest),
    dot(15, -3, 17, kSandstoneStairsWest),
    {12, 0, 17, 16, 0, 17, kSand},
    dot(14, -1, 17, kSand),
    dot(15, -2, 17, kSand),
    dot(16, -2, 17, kSandstone),
    dot(16, -3, 17, kSand),
};
constexpr Part kCellarFloor[] = {
    dot(16, -4, 13, kBlueTerracotta),    dot(17, -4, 12, kOrangeTerracotta),
    dot(17, -4, 14, kOrangeTerracotta),  dot(15, -4, 12, kOrangeTerracotta),
    dot(15, -4, 14, kOrangeTerracotta),  dot(18, -4, 13, kOrangeTerracotta),
    dot(14, -4, 13, kOrangeTerracotta),  dot(16, -4, 15, kOrangeTerracotta),
    dot(16, -4, 11, kOrangeTerracotta),  dot(19, -4, 13, kOrangeTerracotta),
    dot(13, -4, 13, kOrangeTerracotta),  dot(16, -4, 16, kOrangeTerracotta),
    dot(16, -4, 10, kOrangeTerracotta),  dot(20, -3, 13, kCutSandstone),
    dot(20, -2, 13, kChiseledSandstone), dot(12, -3, 13, kCutSandstone),
    dot(12, -2, 13, kChiseledSandstone), dot(16, -3, 9, kCutSandstone),
    dot(16, -2, 9, kChiseledSandstone),
};
/// The sand that fills the cellar, with its four doorways.
constexpr Part kCellarSand[] = {
    {14, -3, 11, 18, -1, 15, kSand}, {19, -3, 13, 19, -2, 13, kSand}, {13, -3, 13, 13, -2, 13, kSand},
    {16, -3, 16, 16, -2, 16, kSand}, {16, -3, 10, 16, -2, 10, kSand},
};
constexpr Part kCellarRoof{14, 0, 11, 18, 0, 15, kSand};

/// A random source that only the world's seed and a position decide.
Random random_at(std::int64_t seed, BlockPos p) {
  Random source = Random::legacy(seed);
  return PositionalRandom(source).at(p.x, p.y, p.z);
}

class DesertPyramid final : public Building {
 public:
  static constexpr Size kSize{21, 15, 21};
  static constexpr Ground kGround = Ground::kLowest;
  static constexpr bool kMustBeDry = true;
  static constexpr std::int32_t kLast = kSize.width - 1;

  DesertPyramid(const Box& bounds, Direction direction) : Building(bounds, direction) {}

  void place(PiecePlacing& placing) const override {
    lay_steps(placing);
    lay_both(placing, kPyramidSides, kLast);
    lay(placing, kPyramidEntrance);
    lay_both(placing, kPyramidPassages, kLast);
    lay(placing, kPyramidCeiling);
    lay_both(placing, kPyramidWings, kLast);
    lay(placing, kPyramidAisles);
    for (std::int32_t z = 5; z <= 17; z += 2) {
      lay_both(placing, std::array{dot(4, 1, z, kCutSandstone), dot(4, 2, z, kChiseledSandstone)}, kLast);
    }
    lay(placing, kPyramidFloor);
    lay_tower_walls(placing);
    lay(placing, kPyramidGate);
    lay_treasury(placing);
    lay_cellar(placing);
  }

  /// Where the cellar's sand may hide something, sorted by y, z and x.
  std::vector<BlockPos> sand_positions() const {
    std::vector<BlockPos> positions;
    for (const Part& part : kCellarSand) {
      for (std::int32_t x = part.x0; x <= part.x1; ++x) {
        for (std::int32_t y = part.y0; y <= part.y1; ++y) {
          for (std::int32_t z = part.z0; z <= part.z1; ++z) positions.push_back(world(x, y, z));
        }
      }
    }
    std::ranges::sort(positions, {}, [](BlockPos p) { return std::array{p.y, p.z, p.x}; });
    return positions;
  }
  /// The one block of the fallen roof that hides something.
  BlockPos suspicious_roof(std::int64_t seed) const {
    const Part& roof = kCellarRoof;
    Random random = random_at(seed, world(roof.x0, roof.y0, roof.z0));
    const std::int32_t x = random.next_int_between(roof.x0, roof.x1);
    const std::int32_t z = random.next_int_between(roof.z0, roof.z1);
    return world(x, roof.y0, z);
  }

 private:
  void lay_steps(PiecePlacing& placing) const {
    const BlockState sandstone = kStates[kSandstone];
    fill_box(placing, 0, -4, 0, kLast, 0, kLast, sandstone);
    for (std::int32_t i = 1; i <= 9; ++i) {
      fill_box(placing, i, i, i, kLast - i, i, kLast - i, sandstone);
      fill_box(placing, i + 1, i, i + 1, kLast - 1 - i, i, kLast - 1 - i, blocks::kAir);
    }
    for (std::int32_t x = 0; x <= kLast; ++x) {
      for (std::int32_t z = 0; z <= kLast; ++z) fill_column_down(placing, sandstone, x, -5, z);
    }
  }

  /// Both towers bear the pattern on their outer side and on their front.
  void lay_tower_walls(PiecePlacing& placing) const {
    for (std::size_t i = 0; i < kTowerPattern.size(); ++i) {
      const auto y = static_cast<std::int8_t>(i + 2);
      const auto [beside, middle] = kTowerPattern[i];
      lay_both(placing,
               std::array{Part{0, y, 1, 0, y, 3, beside}, dot(0, y, 2, middle),
                          Part{1, y, 0, 3, y, 0, beside}, dot(2, y, 0, middle)},
               kLast);
    }
  }

  void lay_treasury(PiecePlacing& placing) const {
    lay(placing, kPyramidTreasury);
    for (const Direction d : kHorizontal) {
      const BlockPos niche = offset({10, -11, 10}, d, 2), back = offset(niche, d);
      lay(placing, dot(niche.x, -11, niche.z, kAir));
      lay(placing, dot(niche.x, -10, niche.z, kAir));
      lay(placing, dot(back.x, -10, back.z, kChiseledSandstone));
      lay(placing, dot(back.x, -11, back.z, kCutSandstone));
    }
    for (const Direction d : kHorizontal) {
      const BlockPos niche = offset({10, -11, 10}, d, 2);
      create_chest(placing, niche.x, niche.y, niche.z, "minecraft:chests/desert_pyramid");
    }
  }

  void lay_cellar(PiecePlacing& placing) const {
    lay(placing, kCellarSteps);
    Random& random = placing.region.level_random();
    const bool is_first_sand = random.next_bool();
    lay(placing, dot(15, -1, 17, is_first_sand ? kSand : kSandstone));
    lay(placing, dot(16, -1, 17, is_first_sand ? kSandstone : kSand));

    // The walls replace what is solid; caves stay open.
    constexpr std::array kRows = {kCutSandstone, kChiseledSandstone, kCutSandstone};
    for (std::size_t i = 0; i < kRows.size(); ++i) {
      const std::int32_t y = static_cast<std::int32_t>(i) - 3;
      const BlockState s = kStates[kRows[i]];
      generate_box(placing, 13, y, 10, 13, y, 15, s, s, true);
      generate_box(placing, 19, y, 10, 19, y, 15, s, s, true);
      generate_box(placing, 13, y, 10, 19, y, 11, s, s, true);
      generate_box(placing, 13, y, 16, 19, y, 16, s, s, true);
    }
    for (std::int32_t x = kCellarRoof.x0; x <= kCellarRoof.x1; ++x) {
      for (std::int32_t z = kCellarRoof.z0; z <= kCellarRoof.z1; ++z) {
        lay(placing, dot(x, kCellarRoof.y0, z, random.next_float() < 0.33F ? kSandstone : kSand));
      }
    }
    lay(placing, kCellarFloor);
  }
};

/// What the game calls a position's long: 26 bits of x, 26 of z, 12 of y.
std::int64_t packed(BlockPos p) {
  const auto bits = [](std::int32_t v, int count) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(v)) & ((std::uint64_t{1} << count) - 1);
  };
  return static_cast<std::int64_t>(bits(p.x, 26) << 38 | bits(p.z, 26) << 12 | bits(p.y, 12));
}

class DesertPyramidStructure final : public SingleBuilding<DesertPyramid> {
 public:
  /// Sand fills the cellar last, and hides the finds: they are drawn alike for each chunk.
  void after_place(PiecePlacing& placing, const Pieces& pieces) const override {
    const auto& piece = static_cast<const SettlingPiece<DesertPyramid>&>(*pieces.front());
    const DesertPyramid pyramid = piece.building();
    const std::int64_t seed = placing.region.seed();
    hide(placing, pyramid.suspicious_roof(seed));
    std::vector<BlockPos> positions = pyramid.sand_positions();
    Random random = random_at(seed, pyramid.box().center());
    shuffle(positions, random);
    const auto finds = static_cast<std::size_t>(random.next_int_range(5, 8));
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (i < finds) {
        hide(placing, positions[i]);
      } else if (placing.writable.contains(positions[i])) {
        placing.region.set(positions[i], blocks::kSand);
      }
    }
  }

 private:
  static void hide(PiecePlacing& placing, BlockPos p) {
    static const BlockState kSuspiciousSand = state("suspicious_sand");
    if (!placing.writable.contains(p)) return;
    placing.region.set(p, kSuspiciousSand);
    placing.region.set_loot(p, "minecraft:archaeology/desert_pyramid", packed(p));
  }
};

// --- Jungle temple -------------------------------------------------------

constexpr Part kTempleShell[] = {
    {0, -4, 0, 11, 0, 14, kOldStones},
    {2, 1, 2, 9, 2, 2, kOldStones},
    {2, 1, 12, 9, 2, 12, kOldStones},
    {2, 1, 3, 2, 2, 11, kOldStones},
    {9, 1, 3, 9, 2, 11, kOldStones},
    {1, 3, 1, 10, 6, 1, kOldStones},
    {1, 3, 13, 10, 6, 13, kOldStones},
    {1, 3, 2, 1, 6, 12, kOldStones},
    {10, 3, 2, 10, 6, 12, kOldStones},
    {2, 3, 2, 9, 3, 12, kOldStones},
    {2, 6, 2, 9, 6, 12, kOldStones},
    {3, 7, 3, 8, 7, 11, kOldStones},
    {4, 8, 4, 7, 8, 10, kOldStones},
    {3, 1, 3, 8, 2, 11, kAir},
    {4, 3, 6, 7, 3, 9, kAir},
    {2, 4, 2, 9, 5, 12, kAir},
    {4, 6, 5, 7, 6, 9, kAir},
    {5, 7, 6, 6, 7, 8, kAir},
    {5, 1, 2, 6, 2, 2, kAir},
    {5, 2, 12, 6, 2, 12, kAir},
    {5, 5, 1, 6, 5, 1, kAir},
    {5, 5, 13, 6, 5, 13, kAir},
    dot(1, 5, 5, kAir),
    dot(10, 5, 5, kAir),
    dot(1, 5, 9, kAir),
    dot(10, 5, 9, kAir),
};
constexpr Part kTempleTop[] = {
    {2, 7, 2, 2, 9, 2, kOldStones},
    {9, 7, 2, 9, 9, 2, kOldStones},
    {2, 7, 12, 2, 9, 12, kOldStones},
    {9, 7, 12, 9, 9, 12, kOldStones},
    dot(4, 9, 4, kOldStones),
    dot(7, 9, 4, kOldStones),
    dot(4, 9, 10, kOldStones),
    dot(7, 9, 10, kOldStones),
    {5, 9, 7, 6, 9, 7, kOldStones},
    {5, 9, 6, 6, 9, 6, kCobblestoneStairsNorth},
    {5, 9, 8, 6, 9, 8, kCobblestoneStairsSouth},
    {4, 0, 0, 7, 0, 0, kCobblestoneStairsNorth},
    dot(4, 1, 8, kCobblestoneStairsNorth),
    dot(4, 2, 9, kCobblestoneStairsNorth),
    dot(4, 3, 10, kCobblestoneStairsNorth),
    dot(7, 1, 8, kCobblestoneStairsNorth),
    dot(7, 2, 9, kCobblestoneStairsNorth),
    dot(7, 3, 10, kCobblestoneStairsNorth),
    dot(4, 1, 9, kOldStones),
    dot(7, 1, 9, kOldStones),
    {4, 1, 10, 7, 2, 10, kOldStones},
    {5, 4, 5, 6, 4, 5, kOldStones},
    dot(4, 4, 5, kCobblestoneStairsEast),
    dot(7, 4, 5, kCobblestoneStairsWest),
};
constexpr Part kTempleCellar[] = {
    {1, -3, 12, 10, -1, 13, kAir},
    {1, -3, 1, 3, -1, 13, kAir},
    {1, -3, 1, 9, -1, 5, kAir},
};
constexpr Part kFirstTrap[] = {
    {2, -2, 1, 5, -2, 1, kOldStones},
    {7, -2, 1, 9, -2, 1, kOldStones},
    dot(6, -3, 1, kOldStones),
    dot(6, -1, 1, kOldStones),
    dot(1, -3, 8, kHookEast),
    dot(4, -3, 8, kHookWest),
    {2, -3, 8, 3, -3, 8, kTripwireWe},
    {5, -3, 2, 5, -3, 7, kWireNs},
    dot(5, -3, 1, kWireNw),
    dot(4, -3, 1, kWireWe),
    dot(3, -3, 1, kMossyCobblestone),
};
constexpr Part kSecondTrap[] = {
    dot(3, -2, 2, kVineSouth),         dot(7, -3, 1, kHookNorth),        dot(7, -3, 5, kHookSouth),
    {7, -3, 2, 7, -3, 4, kTripwireNs}, dot(8, -3, 6, kWireWe),           dot(9, -3, 6, kWireSw),
    dot(9, -3, 5, kWireNorthUpSouth),  dot(9, -3, 4, kMossyCobblestone), dot(9, -2, 4, kWireNs),
};
constexpr Part kTrapVines[] = {{8, -2, 3, 8, -1, 3, kVineEast}};
/// The walls around the chest, then the levers' riddle.
constexpr Part kTempleRiddle[] = {
    dot(9, -3, 2, kMossyCobblestone),
    dot(8, -3, 1, kMossyCobblestone),
    dot(4, -3, 5, kMossyCobblestone),
    {5, -2, 5, 5, -1, 5, kMossyCobblestone},
    dot(6, -3, 5, kMossyCobblestone),
    {7, -2, 5, 7, -1, 5, kMossyCobblestone},
    dot(8, -3, 5, kMossyCobblestone),
    {9, -1, 1, 9, -1, 5, kOldStones},
    {8, -3, 8, 10, -1, 10, kAir},
    {8, -2, 11, 10, -2, 11, kChiseledBricks},
    {8, -2, 12, 10, -2, 12, kLever},
    {8, -3, 8, 8, -3, 10, kOldStones},
    {10, -3, 8, 10, -3, 10, kOldStones},
    dot(10, -2, 9, kMossyCobblestone),
    {8, -2, 9, 8, -2, 10, kWireNs},
    dot(10, -1, 9, kWireCross),
    dot(9, -2, 8, kPistonUp),
    {10, -2, 8, 10, -1, 8, kPistonWest},
    dot(10, -2, 10, kRepeater),
};

class JungleTemple final : public Building {
 public:
  static constexpr Size kSize{12, 10, 15};
  static constexpr Ground kGround = Ground::kMean;
  static constexpr bool kMustBeDry = true;

  JungleTemple(const Box& bounds, Direction direction) : Building(bounds, direction) {}

  void place(PiecePlacing& placing) const override {
    constexpr std::string_view kLoot = "minecraft:chests/jungle_temple",
                               kArrows = "minecraft:chests/jungle_temple_dispenser";
    lay(placing, kTempleShell);
    lay_battlements(placing);
    lay(placing, kTempleTop);
    for (std::int8_t i = 0; i < 4; ++i) {
      const auto y = static_cast<std::int8_t>(-i), z = static_cast<std::int8_t>(6 + i);
      lay(placing, Part{5, y, z, 6, y, z, kCobblestoneStairsSouth});
      lay(placing, Part{5, y, static_cast<std::int8_t>(z + 1), 6, y, static_cast<std::int8_t>(z + 3), kAir});
    }
    lay(placing, kTempleCellar);
    for (std::int8_t z = 1; z <= 13; z = static_cast<std::int8_t>(z + 2)) {
      lay(placing, Part{1, -3, z, 1, -2, z, kOldStones});
    }
    for (std::int8_t z = 2; z <= 12; z = static_cast<std::int8_t>(z + 2)) {
      lay(placing, Part{1, -1, z, 3, -1, z, kOldStones});
    }
    lay(placing, kFirstTrap);
    create_dispenser(placing, 3, -2, 1, Direction::kNorth, kArrows);
    lay(placing, kSecondTrap);
    create_dispenser(placing, 9, -2, 3, Direction::kWest, kArrows);
    lay(placing, kTrapVines);
    create_chest(placing, 8, -3, 3, kLoot);
    lay(placing, kTempleRiddle);
    create_chest(placing, 9, -3, 10, kLoot);
  }

 private:
  void lay_battlements(PiecePlacing& placing) const {
    for (const std::int8_t z : {std::int8_t{0}, std::int8_t{14}}) {
      for (const std::int8_t x : {std::int8_t{2}, std::int8_t{4}, std::int8_t{7}, std::int8_t{9}}) {
        lay(placing, Part{x, 4, z, x, 5, z, kOldStones});
      }
    }
    lay(placing, Part{5, 6, 0, 6, 6, 0, kOldStones});
    for (const std::int8_t x : {std::int8_t{0}, std::int8_t{11}}) {
      for (std::int8_t z = 2; z <= 12; z = static_cast<std::int8_t>(z + 2)) {
        lay(placing, Part{x, 4, z, x, 5, z, kOldStones});
      }
      lay(placing, dot(x, 6, 5, kOldStones));
      lay(placing, dot(x, 6, 9, kOldStones));
    }
  }
};

// --- Swamp hut -----------------------------------------------------------

constexpr Part kHutParts[] = {
    {1, 1, 1, 5, 1, 7, kPlanks},
    {1, 4, 2, 5, 4, 7, kPlanks},
    {2, 1, 0, 4, 1, 0, kPlanks},
    {2, 2, 2, 3, 3, 2, kPlanks},
    {1, 2, 3, 1, 3, 6, kPlanks},
    {5, 2, 3, 5, 3, 6, kPlanks},
    {2, 2, 7, 4, 3, 7, kPlanks},
    {1, 0, 2, 1, 3, 2, kLog},
    {5, 0, 2, 5, 3, 2, kLog},
    {1, 0, 7, 1, 3, 7, kLog},
    {5, 0, 7, 5, 3, 7, kLog},
    dot(2, 3, 2, kFence),
    dot(3, 3, 7, kFence),
    dot(1, 3, 4, kAir),
    {5, 3, 4, 5, 3, 5, kAir},
    dot(1, 3, 5, kPottedMushroom),
    dot(3, 2, 6, kCraftingTable),
    dot(4, 2, 6, kCauldron),
    dot(1, 2, 1, kFence),
    dot(5, 2, 1, kFence),
    {0, 4, 1, 6, 4, 1, kSpruceStairsNorth},
    {0, 4, 2, 0, 4, 7, kSpruceStairsEast},
    {6, 4, 2, 6, 4, 7, kSpruceStairsWest},
    {0, 4, 8, 6, 4, 8, kSpruceStairsSouth},
    dot(0, 4, 1, kSpruceCornerNw),
    dot(6, 4, 1, kSpruceCornerNe),
    dot(0, 4, 8, kSpruceCornerSw),
    dot(6, 4, 8, kSpruceCornerSe),
};

class SwampHut final : public Building {
 public:
  static constexpr Size kSize{7, 7, 9};
  static constexpr Ground kGround = Ground::kMean;
  static constexpr bool kMustBeDry = false;

  SwampHut(const Box& bounds, Direction direction) : Building(bounds, direction) {}

  void place(PiecePlacing& placing) const override {
    lay(placing, kHutParts);
    for (const std::int32_t z : {2, 7}) {
      for (const std::int32_t x : {1, 5}) fill_column_down(placing, kStates[kLog], x, -1, z);
    }
    const BlockPos home = world(2, 2, 5);
    if (!placing.writable.contains(home)) return;
    add_witch(placing.region, home);
    add_cat(placing.region, home);
  }

 private:
  static void add_witch(Region& region, BlockPos home) {
    nbt::Compound witch = make_mob(region, "minecraft:witch", bottom_centre(home));
    witch.set("CanJoinRaid", true);
    region.add_entity(std::move(witch), home);
  }
  static void add_cat(Region& region, BlockPos home) {
    constexpr std::int8_t kRedCollar = 14;
    nbt::Compound cat = make_mob(region, "minecraft:cat", bottom_centre(home));
    // The coat is chosen among those that suit the place: here that is one, but a draw all the same.
    region.level_random().next_int(1);
    const bool is_royal = region.level_random().next_int(2) == 1;
    cat.set("variant", "minecraft:all_black");
    cat.set("sound_variant", is_royal ? "minecraft:royal" : "minecraft:classic");
    cat.set("CollarColor", kRedCollar);
    region.add_entity(std::move(cat), home);
  }
};

// --- Buried treasure -----------------------------------------------------

class TreasurePiece final : public BlockPiece {
 public:
  explicit TreasurePiece(BlockPos p) : BlockPiece(Box::from_corners(p, p)) {}

  void place(PiecePlacing& placing) const override {
    static const BlockSet kBeds = BlockSet::of({"sandstone", "stone", "andesite", "granite", "diorite"});
    Region& region = placing.region;
    BlockPos p{box_.min_x, 0, box_.min_z};
    p.y = region.height(HeightKind::kOceanFloorWg, p.x, p.z);
    for (; p.y > region.min_y(); p = below(p)) {
      const BlockState bed = region.get(below(p));
      if (!kBeds.contains(bed)) continue;
      bury(region, p, bed);
      create_chest(placing, p, "minecraft:chests/buried_treasure");
      return;
    }
  }

 private:
  static bool is_open(BlockState s) {
    static const BlockSet kLiquids = BlockSet::of({"water", "lava"});
    return is_air(s) || kLiquids.contains(s);
  }
  /// Closes the sides that lie open.
  static void bury(Region& region, BlockPos p, BlockState bed) {
    const BlockState there = region.get(p);
    const BlockState cover = is_open(there) ? blocks::kSand : there;
    for (const Direction d : kDirections) {
      const BlockPos side = offset(p, d);
      if (!is_open(region.get(side))) continue;
      // Sand would fall where nothing carries it.
      const bool hangs = d != Direction::kUp && is_open(region.get(below(side)));
      region.set(side, hangs ? bed : cover);
    }
  }
};

class BuriedTreasure final : public Structure {
 public:
  std::optional<GenerationPoint> find(StartContext& context) const override {
    constexpr std::int32_t kWaitingHeight = 90, kInChunk = 9;
    const BlockPos p{context.chunk.x * 16 + kInChunk, kWaitingHeight, context.chunk.z * 16 + kInChunk};
    return GenerationPoint{on_top_of_chunk_centre(context, HeightKind::kOceanFloorWg),
                           [p](Random&) { return Pieces{std::make_shared<TreasurePiece>(p)}; }};
  }
};

template <typename Kind>
StructureFactory factory() {
  return [](const Json&, const StructureLoader&) { return std::make_shared<Kind>(); };
}

}  // namespace

void add_temples(StructureFactories& factories) {
  factories["desert_pyramid"] = factory<DesertPyramidStructure>();
  factories["jungle_temple"] = factory<SingleBuilding<JungleTemple>>();
  factories["swamp_hut"] = factory<SingleBuilding<SwampHut>>();
  factories["buried_treasure"] = factory<BuriedTreasure>();
}

}  // namespace horizon::worldgen
