#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "shard/worldgen/structure/structure.hpp"

namespace horizon::worldgen {

/// A piece that code builds block by block in coordinates of its own: x to the right, y up, z away from its
/// entrance, turned to where the piece looks. Without an orientation the coordinates are the world's.
///
/// Everything is cut off at `placing.writable`.
class BlockPiece : public StructurePiece {
 public:
  std::optional<Direction> orientation() const { return orientation_; }
  /// How many pieces lie between this one and the start ("gen depth").
  std::int32_t depth() const { return depth_; }

  /// The first of the pieces that touches `box`, or null.
  static StructurePiece* find_collision(const Pieces& pieces, const Box& box);
  /// The box of a piece that starts at (x, y, z), is offset sideways by (dx, dy, dz) and looks towards
  /// `direction` (BoundingBox.orientBox).
  static Box orient_box(std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t dx, std::int32_t dy,
                        std::int32_t dz, std::int32_t width, std::int32_t height, std::int32_t length,
                        Direction direction);
  /// The box of a free-standing building of this size (StructurePiece.makeBoundingBox).
  static Box make_bounding_box(std::int32_t x, std::int32_t y, std::int32_t z, Direction direction,
                               std::int32_t width, std::int32_t height, std::int32_t length);
  /// Air, liquids and plants that supports are driven through.
  static bool is_replaceable(BlockState s);

  /// The block in front of an opening, and where it leads: there the next piece begins.
  struct Exit {
    BlockPos foot;
    Direction direction = Direction::kNorth;
  };
  /// Through the wall towards `direction`, `up` above the bottom and `along` from the wall's western or
  /// northern end.
  Exit exit(Direction direction, std::int32_t up, std::int32_t along) const;

 protected:
  explicit BlockPiece(Box bounds, std::optional<Direction> orientation = std::nullopt, std::int32_t depth = 0)
      : StructurePiece(bounds), depth_(depth) {
    set_orientation(orientation);
  }
  void set_orientation(std::optional<Direction> orientation);
  Rotation rotation() const { return rotation_; }
  Mirror mirror() const { return mirror_; }

  std::int32_t world_x(std::int32_t x, std::int32_t z) const;
  std::int32_t world_y(std::int32_t y) const { return orientation_ ? y + box_.min_y : y; }
  std::int32_t world_z(std::int32_t x, std::int32_t z) const;
  BlockPos world(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return {world_x(x, z), world_y(y), world_z(x, z)};
  }

  /// The two sides of a piece with an orientation. They do not turn with it: west or north, east or south.
  Direction left_side() const { return looks_along_z() ? Direction::kWest : Direction::kNorth; }
  Direction right_side() const { return looks_along_z() ? Direction::kEast : Direction::kSouth; }
  bool looks_along_z() const {
    return orientation_ == Direction::kNorth || orientation_ == Direction::kSouth;
  }

  /// Some pieces leave certain blocks alone.
  virtual bool can_replace(const PiecePlacing&, std::int32_t, std::int32_t, std::int32_t) const {
    return true;
  }

  void place_block(PiecePlacing& placing, BlockState s, std::int32_t x, std::int32_t y, std::int32_t z) const;
  /// Air outside of the writable box.
  BlockState get_block(const PiecePlacing& placing, std::int32_t x, std::int32_t y, std::int32_t z) const;
  /// Below the ground's surface (one block up).
  bool is_interior(const PiecePlacing& placing, std::int32_t x, std::int32_t y, std::int32_t z) const;

  void generate_air_box(PiecePlacing& placing, std::int32_t x0, std::int32_t y0, std::int32_t z0,
                        std::int32_t x1, std::int32_t y1, std::int32_t z1) const;
  void generate_box(PiecePlacing& placing, std::int32_t x0, std::int32_t y0, std::int32_t z0, std::int32_t x1,
                    std::int32_t y1, std::int32_t z1, BlockState edge, BlockState fill, bool skips_air) const;
  /// One block all over, whatever was there: a box without draws, clipped before it is walked. Does not ask
  /// can_replace(). REQUIRES: no bound is above its other end.
  void fill_box(PiecePlacing& placing, std::int32_t x0, std::int32_t y0, std::int32_t z0, std::int32_t x1,
                std::int32_t y1, std::int32_t z1, BlockState s) const;
  /// Chooses a block; `is_edge`: on the surface of the box.
  using BlockSelector =
      std::function<BlockState(Random& random, std::int32_t x, std::int32_t y, std::int32_t z, bool is_edge)>;
  void generate_box(PiecePlacing& placing, std::int32_t x0, std::int32_t y0, std::int32_t z0, std::int32_t x1,
                    std::int32_t y1, std::int32_t z1, bool skips_air, const BlockSelector& selector) const;
  void generate_maybe_box(PiecePlacing& placing, float probability, std::int32_t x0, std::int32_t y0,
                          std::int32_t z0, std::int32_t x1, std::int32_t y1, std::int32_t z1, BlockState edge,
                          BlockState fill, bool skips_air, bool must_be_interior) const;
  void maybe_generate_block(PiecePlacing& placing, float probability, std::int32_t x, std::int32_t y,
                            std::int32_t z, BlockState s) const;
  void generate_upper_half_sphere(PiecePlacing& placing, std::int32_t x0, std::int32_t y0, std::int32_t z0,
                                  std::int32_t x1, std::int32_t y1, std::int32_t z1, BlockState fill,
                                  bool skips_air) const;
  void fill_column_down(PiecePlacing& placing, BlockState s, std::int32_t x, std::int32_t start_y,
                        std::int32_t z) const;

  /// True when a chest was put there.
  bool create_chest(PiecePlacing& placing, std::int32_t x, std::int32_t y, std::int32_t z,
                    std::string_view loot) const;
  static bool create_chest(PiecePlacing& placing, BlockPos p, std::string_view loot,
                           std::optional<BlockState> chest = std::nullopt);
  bool create_dispenser(PiecePlacing& placing, std::int32_t x, std::int32_t y, std::int32_t z,
                        Direction facing, std::string_view loot) const;
  /// A spawner of a mob ("minecraft:blaze"). REQUIRES: `p` may be written.
  static void place_spawner(PiecePlacing& placing, BlockPos p, std::string_view mob);
  /// Turns a chest away from the wall behind it.
  static BlockState reorient(const Region& region, BlockPos p, BlockState chest);

  std::int32_t depth_;

 private:
  std::optional<Direction> orientation_;
  Rotation rotation_ = Rotation::kNone;
  Mirror mirror_ = Mirror::kNone;
};

/// The box around all pieces. REQUIRES: there are some.
Box bounds_of(const Pieces& pieces);
void move_vertically(Pieces& pieces, std::int32_t dy);
/// Moves the whole somewhere between the bottom of the world and `margin` below the sea; returns how far up.
std::int32_t move_below_sea_level(Pieces& pieces, std::int32_t sea_level, std::int32_t min_y, Random& random,
                                  std::int32_t margin);

}  // namespace horizon::worldgen
