#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/biome/multi_noise.hpp"
#include "shard/worldgen/structure/block_piece.hpp"
#include "shard/worldgen/structure/template_piece.hpp"

namespace horizon::worldgen {

namespace {

const BlockId kIronChainId = block("iron_chain");
const BlockState kIronChain = state("iron_chain"), kCobweb = state("cobweb"), kRail = state("rail"),
                 kTorchNorth = state("wall_torch[facing=north]"),
                 kTorchSouth = state("wall_torch[facing=south]");

/// What a mineshaft is built of, and where it stops.
struct Style {
  Style(std::string_view wood, const Figures& figures)
      : log(state(std::string(wood) + "_log")),
        planks(state(std::string(wood) + "_planks")),
        fence(state(std::string(wood) + "_fence")) {
    for (const Json& entry : figures.get("tag_biome", "mineshaft_blocking")) {
      const auto index = static_cast<std::size_t>(biome_id(entry.get<std::string>()));
      if (closed_biomes.size() <= index) closed_biomes.resize(index + 1);
      closed_biomes[index] = true;
    }
  }
  bool is_closed(BiomeId biome) const { return biome < closed_biomes.size() && closed_biomes[biome]; }

  BlockState log, planks, fence;
  std::vector<bool> closed_biomes;  ///< by BiomeId
};

class ShaftPiece;

/// A mineshaft that is being made: depth first, each piece with all that follows from it.
struct Growth {
  static constexpr std::int32_t kMaxDepth = 8, kMaxDistance = 80;

  Random& random;
  std::shared_ptr<const Style> style;
  Pieces pieces{};

  /// A piece behind `exit`, which `depth` pieces lie before; null where none came to be.
  std::shared_ptr<ShaftPiece> grow(const BlockPiece::Exit& exit, std::int32_t depth);

 private:
  std::shared_ptr<ShaftPiece> make(const BlockPiece::Exit& exit, std::int32_t depth);
  /// Nothing where another piece is.
  std::optional<Box> find_room(const BlockPiece::Exit& exit, std::int32_t dx, std::int32_t dy,
                               std::int32_t width, std::int32_t height, std::int32_t length) const {
    const Box box = BlockPiece::orient_box(exit.foot.x, exit.foot.y, exit.foot.z, dx, dy, 0, width, height,
                                           length, exit.direction);
    if (BlockPiece::find_collision(pieces, box) != nullptr) return std::nullopt;
    return box;
  }
};

class ShaftPiece : public BlockPiece {
 public:
  /// Makes the pieces that follow. Only while the structure is being made.
  virtual void grow(Growth& growth) = 0;
  void place(PiecePlacing& placing) const final {
    if (!is_in_bad_place(placing)) build(placing);
  }

 protected:
  ShaftPiece(std::shared_ptr<const Style> style, Box bounds, std::optional<Direction> orientation,
             std::int32_t depth)
      : BlockPiece(bounds, orientation, depth), style_(std::move(style)) {}

  virtual void build(PiecePlacing& placing) const = 0;
  const Style& style() const { return *style_; }

  /// What other pieces of the mine built stays.
  bool can_replace(const PiecePlacing& placing, std::int32_t x, std::int32_t y,
                   std::int32_t z) const override {
    const BlockId there = game::block_of(get_block(placing, x, y, z));
    return there != game::block_of(style().planks) && there != game::block_of(style().log) &&
           there != game::block_of(style().fence) && there != kIronChainId;
  }
  void carve(PiecePlacing& placing, const Box& b) const {
    generate_box(placing, b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z, blocks::kCaveAir,
                 blocks::kCaveAir, false);
  }
  /// Planks where the floor does not carry.
  void lay_planks(PiecePlacing& placing, std::int32_t x, std::int32_t y, std::int32_t z) const {
    if (!is_interior(placing, x, y, z)) return;
    const BlockPos p = world(x, y, z);
    if (!is_face_sturdy(placing.region.get(p), Direction::kUp)) placing.region.set(p, style().planks);
  }

 private:
  /// In the chunk's part of the piece: a biome that mineshafts leave alone, or a liquid on the faces around
  /// it.
  bool is_in_bad_place(const PiecePlacing& placing) const {
    static const BlockSet kLiquids = BlockSet::of({"water", "lava", "bubble_column"});
    const Region& region = placing.region;
    const Box around = box_.inflated(1);
    const Box& limit = placing.writable;
    const std::int32_t x0 = std::max(around.min_x, limit.min_x), x1 = std::min(around.max_x, limit.max_x);
    const std::int32_t y0 = std::max(around.min_y, limit.min_y), y1 = std::min(around.max_y, limit.max_y);
    const std::int32_t z0 = std::max(around.min_z, limit.min_z), z1 = std::min(around.max_z, limit.max_z);
    if (style().is_closed(region.biome({(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2}))) return true;
    const auto is_wet = [&](std::int32_t x, std::int32_t y, std::int32_t z) {
      return kLiquids.contains(region.get(x, y, z));
    };
    for (std::int32_t x = x0; x <= x1; ++x) {
      for (std::int32_t z = z0; z <= z1; ++z) {
        if (is_wet(x, y0, z) || is_wet(x, y1, z)) return true;
      }
    }
    for (std::int32_t y = y0; y <= y1; ++y) {
      for (std::int32_t x = x0; x <= x1; ++x) {
        if (is_wet(x, y, z0) || is_wet(x, y, z1)) return true;
      }
      for (std::int32_t z = z0; z <= z1; ++z) {
        if (is_wet(x0, y, z) || is_wet(x1, y, z)) return true;
      }
    }
    return false;
  }

  std::shared_ptr<const Style> style_;
};

// --- The room in the middle ----------------------------------------------

class Room final : public ShaftPiece {
 public:
  static std::shared_ptr<Room> make(Random& random, const std::shared_ptr<const Style>& style, std::int32_t x,
                                    std::int32_t z) {
    const std::int32_t max_x = x + 7 + random.next_int(6);
    const std::int32_t max_y = 54 + random.next_int(6);
    const std::int32_t max_z = z + 7 + random.next_int(6);
    return std::make_shared<Room>(style, Box{x, 50, z, max_x, max_y, max_z});
  }
  Room(std::shared_ptr<const Style> style, Box bounds)
      : ShaftPiece(std::move(style), bounds, std::nullopt, 0) {}

  /// Through all four walls, wherever there is space.
  void grow(Growth& growth) override {
    const std::int32_t storeys = std::max(1, box_.y_span() - 4);
    for (const Direction side : {Direction::kNorth, Direction::kSouth, Direction::kWest, Direction::kEast}) {
      const bool is_along_x = side == Direction::kNorth || side == Direction::kSouth;
      const std::int32_t span = is_along_x ? box_.x_span() : box_.z_span();
      for (std::int32_t along = 0; along < span; along += 4) {
        along += growth.random.next_int(span);
        if (along + 3 > span) break;
        const std::int32_t up = growth.random.next_int(storeys) + 1;
        if (const auto child = growth.grow(exit(side, up, along), depth())) {
          openings_.push_back(opening(side, child->box()));
        }
      }
    }
  }

  void move(std::int32_t dx, std::int32_t dy, std::int32_t dz) override {
    ShaftPiece::move(dx, dy, dz);
    for (Box& opening : openings_) opening = opening.moved(dx, dy, dz);
  }

 private:
  /// The two layers of the wall in front of a child.
  Box opening(Direction side, const Box& child) const {
    Box b = child;
    if (side == Direction::kNorth) b.min_z = box_.min_z, b.max_z = box_.min_z + 1;
    if (side == Direction::kSouth) b.min_z = box_.max_z - 1, b.max_z = box_.max_z;
    if (side == Direction::kWest) b.min_x = box_.min_x, b.max_x = box_.min_x + 1;
    if (side == Direction::kEast) b.min_x = box_.max_x - 1, b.max_x = box_.max_x;
    return b;
  }

  void build(PiecePlacing& placing) const override {
    Box floor = box_;
    floor.min_y += 1;
    floor.max_y = std::min(box_.min_y + 3, box_.max_y);
    carve(placing, floor);
    for (Box opening : openings_) {
      opening.min_y = opening.max_y - 2;
      carve(placing, opening);
    }
    generate_upper_half_sphere(placing, box_.min_x, box_.min_y + 4, box_.min_z, box_.max_x, box_.max_y,
                               box_.max_z, blocks::kCaveAir, false);
  }

  std::vector<Box> openings_;  ///< towards the children, in the walls
};

// --- Corridors -----------------------------------------------------------

/// The one piece of a mineshaft with a memory: it has at most one spawner, and the first chunk whose place
/// for it (drawn anew in each chunk) fits keeps it. That chunk may be made again with the same result.
class Corridor final : public ShaftPiece {
 public:
  static constexpr std::int32_t kSection = 5;  ///< blocks between two supports

  Corridor(std::shared_ptr<const Style> style, Box bounds, Direction direction, std::int32_t depth,
           Random& random)
      : ShaftPiece(std::move(style), bounds, direction, depth),
        sections_((looks_along_z() ? bounds.z_span() : bounds.x_span()) / kSection) {
    has_rails_ = random.next_int(3) == 0;
    has_spiders_ = !has_rails_ && random.next_int(23) == 0;
  }

  void grow(Growth& growth) override {
    Random& random = growth.random;
    const Direction direction = *orientation();
    // The end: on, or to a side of the last section.
    const std::int32_t choice = random.next_int(4);
    const std::int32_t up = random.next_int(3) - 1;
    if (choice <= 1) {
      growth.grow(exit(direction, up, 0), depth());
    } else {
      const bool is_towards_high = direction == Direction::kSouth || direction == Direction::kEast;
      const std::int32_t along = is_towards_high ? length() - 4 : 0;
      growth.grow(exit(choice == 2 ? left_side() : right_side(), up, along), depth());
    }
    if (depth() >= Growth::kMaxDepth) return;
    for (std::int32_t along = 3; along + 3 < length(); along += kSection) {
      const std::int32_t side = random.next_int(5);
      if (side > 1) continue;
      growth.grow(exit(side == 0 ? left_side() : right_side(), 0, along), depth() + 1);
    }
  }

 private:
  /// In blocks, of the box.
  std::int32_t length() const { return looks_along_z() ? box_.z_span() : box_.x_span(); }

  void build(PiecePlacing& placing) const override {
    const std::int32_t end = sections_ * kSection - 1;
    carve(placing, {0, 0, 0, 2, 1, end});
    generate_maybe_box(placing, 0.8F, 0, 2, 0, 2, 2, end, blocks::kCaveAir, blocks::kCaveAir, false, false);
    if (has_spiders_) {
      generate_maybe_box(placing, 0.6F, 0, 0, 0, 2, 1, end, kCobweb, blocks::kCaveAir, false, true);
    }
    bool seeks_spawner = has_spiders_ && may_have_spawner(placing.chunk);
    for (std::int32_t i = 0; i < sections_; ++i) {
      const std::int32_t z = 2 + i * kSection;
      build_support(placing, z);
      spin_webs(placing, z);
      if (placing.random.next_int(100) == 0) leave_minecart(placing, 2, 0, z - 1);
      if (placing.random.next_int(100) == 0) leave_minecart(placing, 0, 0, z + 1);
      if (seeks_spawner) seeks_spawner = !try_spawner(placing, z - 1 + placing.random.next_int(3));
    }
    for (std::int32_t x = 0; x <= 2; ++x) {
      for (std::int32_t z = 0; z <= end; ++z) lay_planks(placing, x, -1, z);
    }
    hold_up_floor(placing, 2);
    if (sections_ > 1) hold_up_floor(placing, end - 2);
    if (has_rails_) lay_rails(placing, end);
  }

  void build_support(PiecePlacing& placing, std::int32_t z) const {
    for (std::int32_t x = 0; x <= 2; ++x) {
      if (is_air(get_block(placing, x, 3, z))) return;
    }
    const BlockState west_post = with_bool(style().fence, properties::kWest, true);
    const BlockState east_post = with_bool(style().fence, properties::kEast, true);
    generate_box(placing, 0, 0, z, 0, 1, z, west_post, blocks::kCaveAir, false);
    generate_box(placing, 2, 0, z, 2, 1, z, east_post, blocks::kCaveAir, false);
    if (placing.random.next_int(4) == 0) {
      place_block(placing, style().planks, 0, 2, z);
      place_block(placing, style().planks, 2, 2, z);
      return;
    }
    for (std::int32_t x = 0; x <= 2; ++x) place_block(placing, style().planks, x, 2, z);
    maybe_generate_block(placing, 0.05F, 1, 2, z - 1, kTorchSouth);
    maybe_generate_block(placing, 0.05F, 1, 2, z + 1, kTorchNorth);
  }

  void spin_webs(PiecePlacing& placing, std::int32_t z) const {
    struct Corner {
      std::int32_t dz;
      float probability;
    };
    for (const Corner corner : {Corner{-1, 0.1F}, Corner{1, 0.1F}, Corner{-2, 0.05F}, Corner{2, 0.05F}}) {
      for (const std::int32_t x : {0, 2}) {
        const std::int32_t web_z = z + corner.dz;
        if (is_interior(placing, x, 2, web_z) && placing.random.next_float() < corner.probability &&
            has_hold(placing, world(x, 2, web_z))) {
          place_block(placing, kCobweb, x, 2, web_z);
        }
      }
    }
  }
  /// Two solid neighbours.
  static bool has_hold(const PiecePlacing& placing, BlockPos p) {
    return std::ranges::count_if(kDirections, [&](Direction d) {
             const BlockPos beside = offset(p, d);
             return placing.writable.contains(beside) &&
                    is_face_sturdy(placing.region.get(beside), opposite(d));
           }) >= 2;
  }

  /// A minecart with a chest, on a piece of rail.
  void leave_minecart(PiecePlacing& placing, std::int32_t x, std::int32_t y, std::int32_t z) const {
    static const BlockState kRailNs = with(kRail, properties::kShape, "north_south"),
                            kRailWe = with(kRail, properties::kShape, "east_west");
    Region& region = placing.region;
    const BlockPos p = world(x, y, z);
    if (!placing.writable.contains(p) || !region.is_air(p) || region.is_air(below(p))) return;
    place_block(placing, placing.random.next_bool() ? kRailNs : kRailWe, x, y, z);
    nbt::Compound cart = entity_data("minecraft:chest_minecart", {p.x + 0.5, p.y + 0.5, p.z + 0.5});
    cart.set("LootTable", "minecraft:chests/abandoned_mineshaft")
        .set("LootTableSeed", placing.random.next_long());
    region.add_entity(std::move(cart), p);
  }

  /// Far outside of the world.
  static constexpr std::uint64_t kNoChunk =
      ChunkPos{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::min()}.packed();
  bool may_have_spawner(ChunkPos chunk) const {
    const std::uint64_t owner = spawner_chunk_.load(std::memory_order_relaxed);
    return owner == kNoChunk || owner == chunk.packed();
  }
  bool try_spawner(PiecePlacing& placing, std::int32_t z) const {
    const BlockPos p = world(1, 0, z);
    if (!placing.writable.contains(p) || !is_interior(placing, 1, 0, z)) return false;
    std::uint64_t owner = kNoChunk;
    const std::uint64_t self = placing.chunk.packed();
    if (spawner_chunk_.compare_exchange_strong(owner, self, std::memory_order_relaxed) || owner == self) {
      place_spawner(placing, p, "minecraft:cave_spider");
    }
    return true;
  }

  /// Posts down to the ground, or chains up to the ceiling, below both ends of a support that stands on
  /// planks.
  void hold_up_floor(PiecePlacing& placing, std::int32_t z) const {
    for (const std::int32_t x : {0, 2}) {
      if (is(get_block(placing, x, -1, z), game::block_of(style().planks))) hold_up(placing, world(x, -1, z));
    }
  }
  void hold_up(PiecePlacing& placing, BlockPos top) const {
    constexpr std::int32_t kLongestPost = 20, kLongestChain = 50;
    if (!placing.writable.contains(top)) return;
    Region& region = placing.region;
    bool looks_down = true, looks_up = true;
    for (std::int32_t distance = 1; looks_down || looks_up; ++distance) {
      if (looks_down) {
        const BlockPos p = below(top, distance);
        const BlockState s = region.get(p);
        const bool is_free = is_replaceable(s) && !is(s, game::block_of(blocks::kLava));
        if (!is_free && is_face_sturdy(s, Direction::kUp)) {
          fill_column(region, p.y + 1, top, top.y, style().log);
          return;
        }
        looks_down = distance <= kLongestPost && is_free && p.y > region.min_y() + 1;
      }
      if (looks_up) {
        const BlockPos p = above(top, distance);
        const BlockState s = region.get(p);
        const bool is_free = is_replaceable(s);
        if (!is_free && carries_chain(s)) {
          region.set(above(top), style().fence);
          fill_column(region, top.y + 2, top, p.y, kIronChain);
          return;
        }
        looks_up = distance <= kLongestChain && is_free && p.y < region.max_y();
      }
    }
  }
  /// From `y0` to below `y1`.
  static void fill_column(Region& region, std::int32_t y0, BlockPos column, std::int32_t y1, BlockState s) {
    for (std::int32_t y = y0; y < y1; ++y) region.set({column.x, y, column.z}, s);
  }
  static bool carries_chain(BlockState s) {
    static const BlockSet kUnstable = BlockSet::tag("unstable_bottom_center"), kFalling = make_falling();
    return !kUnstable.contains(s) && is_face_sturdy(s, Direction::kDown, Support::kCenter) &&
           !kFalling.contains(s);
  }
  static BlockSet make_falling() {
    BlockSet falling =
        BlockSet::of({"sand", "red_sand", "gravel", "anvil", "chipped_anvil", "damaged_anvil", "dragon_egg"});
    for (const std::string_view colour :
         {"white", "orange", "magenta", "light_blue", "yellow", "lime", "pink", "gray", "light_gray", "cyan",
          "purple", "blue", "brown", "green", "red", "black"}) {
      falling.insert(block(std::string(colour) + "_concrete_powder"));
    }
    return falling;
  }

  void lay_rails(PiecePlacing& placing, std::int32_t end) const {
    static const BlockState kRailNs = with(kRail, properties::kShape, "north_south");
    for (std::int32_t z = 0; z <= end; ++z) {
      const BlockState floor = get_block(placing, 1, -1, z);
      if (is_air(floor) || !is_solid_render(floor)) continue;
      maybe_generate_block(placing, is_interior(placing, 1, 0, z) ? 0.7F : 0.9F, 1, 0, z, kRailNs);
    }
  }

  std::int32_t sections_;
  bool has_rails_ = false, has_spiders_ = false;
  /// The chunk that has the spawner.
  mutable std::atomic<std::uint64_t> spawner_chunk_{kNoChunk};
};

// --- Crossings and stairs ------------------------------------------------

class Crossing final : public ShaftPiece {
 public:
  static constexpr std::int32_t kStorey = 3;

  Crossing(std::shared_ptr<const Style> style, Box bounds, Direction from, std::int32_t depth)
      : ShaftPiece(std::move(style), bounds, std::nullopt, depth), from_(from) {}

  void grow(Growth& growth) override {
    // On each storey in an order of its own, on the lower one without the way that leads back.
    for (const Direction d : ways_on()) growth.grow(exit(d, 0, 1), depth());
    if (!has_two_storeys()) return;
    for (const Direction d : {Direction::kNorth, Direction::kWest, Direction::kEast, Direction::kSouth}) {
      if (growth.random.next_bool()) growth.grow(exit(d, kStorey + 1, 1), depth());
    }
  }

 private:
  bool has_two_storeys() const { return box_.y_span() > kStorey; }
  std::array<Direction, 3> ways_on() const {
    using enum Direction;
    switch (from_) {
      case kSouth:
        return {kSouth, kWest, kEast};
      case kWest:
        return {kNorth, kSouth, kWest};
      case kEast:
        return {kNorth, kSouth, kEast};
      default:
        return {kNorth, kWest, kEast};
    }
  }

  void build(PiecePlacing& placing) const override {
    const Box& b = box_;
    if (has_two_storeys()) {
      carve_storey(placing, b.min_y, b.min_y + kStorey - 1);
      carve_storey(placing, b.max_y - 2, b.max_y);
      carve(placing,
            {b.min_x + 1, b.min_y + kStorey, b.min_z + 1, b.max_x - 1, b.min_y + kStorey, b.max_z - 1});
    } else {
      carve_storey(placing, b.min_y, b.max_y);
    }
    for (const std::int32_t x : {b.min_x + 1, b.max_x - 1}) {
      for (const std::int32_t z : {b.min_z + 1, b.max_z - 1}) {
        if (is_air(get_block(placing, x, b.max_y + 1, z))) continue;
        for (std::int32_t y = b.min_y; y <= b.max_y; ++y) place_block(placing, style().planks, x, y, z);
      }
    }
    for (std::int32_t x = b.min_x; x <= b.max_x; ++x) {
      for (std::int32_t z = b.min_z; z <= b.max_z; ++z) lay_planks(placing, x, b.min_y - 1, z);
    }
  }
  /// All but the four corners.
  void carve_storey(PiecePlacing& placing, std::int32_t y0, std::int32_t y1) const {
    carve(placing, {box_.min_x + 1, y0, box_.min_z, box_.max_x - 1, y1, box_.max_z});
    carve(placing, {box_.min_x, y0, box_.min_z + 1, box_.max_x, y1, box_.max_z - 1});
  }

  Direction from_;  ///< where it was entered to
};

class Stairs final : public ShaftPiece {
 public:
  Stairs(std::shared_ptr<const Style> style, Box bounds, Direction direction, std::int32_t depth)
      : ShaftPiece(std::move(style), bounds, direction, depth) {}

  void grow(Growth& growth) override { growth.grow(exit(*orientation(), 0, 0), depth()); }

 private:
  void build(PiecePlacing& placing) const override {
    carve(placing, {0, 5, 0, 2, 7, 1});
    carve(placing, {0, 0, 7, 2, 2, 8});
    for (std::int32_t i = 0; i < 5; ++i) carve(placing, {0, i < 4 ? 4 - i : 1, 2 + i, 2, 7 - i, 2 + i});
  }
};

// --- How it grows --------------------------------------------------------

std::shared_ptr<ShaftPiece> Growth::grow(const BlockPiece::Exit& exit, std::int32_t depth) {
  const Box& start = pieces.front()->box();
  if (depth > kMaxDepth || std::abs(exit.foot.x - start.min_x) > kMaxDistance ||
      std::abs(exit.foot.z - start.min_z) > kMaxDistance) {
    return nullptr;
  }
  auto piece = make(exit, depth + 1);
  if (piece) {
    pieces.push_back(piece);
    piece->grow(*this);
  }
  return piece;
}

std::shared_ptr<ShaftPiece> Growth::make(const BlockPiece::Exit& exit, std::int32_t depth) {
  const std::int32_t choice = random.next_int(100);
  if (choice >= 80) {
    const std::int32_t height = random.next_int(4) == 0 ? 2 * Crossing::kStorey + 1 : Crossing::kStorey;
    const auto box = find_room(exit, -1, 0, 5, height, 5);
    return box ? std::make_shared<Crossing>(style, *box, exit.direction, depth) : nullptr;
  }
  if (choice >= 70) {
    const auto box = find_room(exit, 0, -5, 3, 8, 9);
    return box ? std::make_shared<Stairs>(style, *box, exit.direction, depth) : nullptr;
  }
  for (std::int32_t sections = random.next_int(3) + 2; sections > 0; --sections) {
    const auto box = find_room(exit, 0, 0, 3, 3, sections * Corridor::kSection);
    if (box) return std::make_shared<Corridor>(style, *box, exit.direction, depth, random);
  }
  return nullptr;
}

// --- The structure -------------------------------------------------------

class Mineshaft final : public Structure {
 public:
  Mineshaft(bool is_mesa, const Figures& figures)
      : is_mesa_(is_mesa), style_(std::make_shared<const Style>(is_mesa ? "dark_oak" : "oak", figures)) {}

  /// The pieces are made here: only they say how deep the place is, whose biome decides.
  std::optional<GenerationPoint> find(StartContext& context) const override {
    context.random.next_double();
    const ChunkPos chunk = context.chunk;
    Growth growth{.random = context.random, .style = style_};
    const auto room = Room::make(growth.random, style_, chunk.x * 16 + 2, chunk.z * 16 + 2);
    growth.pieces.push_back(room);
    room->grow(growth);
    const std::int32_t dy = settle(growth.pieces, context);
    return GenerationPoint{{chunk.x * 16 + 8, 50 + dy, chunk.z * 16},
                           [pieces = std::move(growth.pieces)](Random&) { return pieces; }};
  }

 private:
  std::int32_t settle(Pieces& pieces, StartContext& context) const {
    const std::int32_t sea_level = context.terrain.sea_level();
    if (!is_mesa_) {
      return move_below_sea_level(pieces, sea_level, context.terrain.generated().min_y, context.random, 10);
    }
    const BlockPos centre = bounds_of(pieces).center();
    const std::int32_t surface =
        context.terrain.first_free_height(centre.x, centre.z, HeightKind::kWorldSurfaceWg);
    const std::int32_t y =
        surface <= sea_level ? sea_level : context.random.next_int_between(sea_level, surface);
    move_vertically(pieces, y - centre.y);
    return y - centre.y;
  }

  bool is_mesa_;
  std::shared_ptr<const Style> style_;
};

}  // namespace

void add_mineshaft(StructureFactories& factories) {
  factories["mineshaft"] = [](const Json& definition, const StructureLoader& loader) {
    const std::string& type = text(definition, "mineshaft_type");
    if (type != "normal" && type != "mesa") throw FigureError("unknown mineshaft_type \"" + type + "\"");
    return std::make_shared<Mineshaft>(type == "mesa", loader.figures);
  };
}

}  // namespace horizon::worldgen
