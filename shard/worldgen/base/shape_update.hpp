#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shard/worldgen/base/region.hpp"

namespace horizon::worldgen {

/// Cells of a box: the blocks that a feature or a template put there.
class BlockShape {
 public:
  explicit BlockShape(const Box& box)
      : box_(box),
        full_(static_cast<std::size_t>(box.x_span()) * static_cast<std::size_t>(box.y_span()) *
              static_cast<std::size_t>(box.z_span())) {}
  const Box& box() const { return box_; }
  bool is_full(BlockPos p) const { return full_[index(p)]; }
  void fill(BlockPos p) { full_[index(p)] = true; }

  /// Calls `visit(position, direction)` for each face between a full cell and one that is not, in the game's order:
  /// along z for each x and y, along y for each z and x, along x for each y and z.
  template <typename Visit>
  void faces(Visit&& visit) const {
    const std::array<std::int32_t, 3> size{box_.x_span(), box_.y_span(), box_.z_span()};
    const auto scan = [&](int a_axis, int b_axis, int c_axis, Direction negative, Direction positive) {
      std::array<std::int32_t, 3> cell{};
      for (cell[static_cast<std::size_t>(a_axis)] = 0;
           cell[static_cast<std::size_t>(a_axis)] < size[static_cast<std::size_t>(a_axis)];
           ++cell[static_cast<std::size_t>(a_axis)]) {
        for (cell[static_cast<std::size_t>(b_axis)] = 0;
             cell[static_cast<std::size_t>(b_axis)] < size[static_cast<std::size_t>(b_axis)];
             ++cell[static_cast<std::size_t>(b_axis)]) {
          bool was_full = false;
          for (std::int32_t c = 0; c <= size[static_cast<std::size_t>(c_axis)]; ++c) {
            cell[static_cast<std::size_t>(c_axis)] = c;
            const BlockPos p{box_.min_x + cell[0], box_.min_y + cell[1], box_.min_z + cell[2]};
            const bool full = c != size[static_cast<std::size_t>(c_axis)] && is_full(p);
            if (!was_full && full) visit(p, negative);
            if (was_full && !full) visit(offset(p, negative), positive);
            was_full = full;
          }
        }
      }
    };
    scan(0, 1, 2, Direction::kNorth, Direction::kSouth);
    scan(2, 0, 1, Direction::kDown, Direction::kUp);
    scan(1, 2, 0, Direction::kWest, Direction::kEast);
  }

 private:
  std::size_t index(BlockPos p) const {
    return static_cast<std::size_t>(((p.x - box_.min_x) * box_.y_span() + (p.y - box_.min_y)) * box_.z_span() +
                                    (p.z - box_.min_z));
  }
  Box box_;
  std::vector<bool> full_;
};

/// Lets the blocks at a shape's surface and their neighbours take the forms that go with each other (the game's
/// updateShapeAtEdge).
void update_shapes_at_edge(Region& region, const BlockShape& shape);

}  // namespace horizon::worldgen
