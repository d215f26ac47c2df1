#pragma once

#include "shard/worldgen/base/region.hpp"

namespace horizon::worldgen {

/// The blocks' own rules, as far as the generator asks for them.

/// BlockState.canSurvive.
bool can_survive(const Region& region, BlockState s, BlockPos p);
/// BlockState.updateShape: what the state becomes when its neighbour in `direction` is `neighbour`.
BlockState update_shape(const Region& region, BlockState s, BlockPos p, Direction direction, BlockState neighbour);
/// Block.updateFromNeighbourShapes: update_shape for the six sides in the game's order (west, east, north,
/// south, down, up).
BlockState updated_from_neighbours(const Region& region, BlockState s, BlockPos p);
/// isFaceSturdy(FULL / CENTER / RIGID): the side carries a full block, a post, or a rim.
enum class Support : std::uint8_t { kFull, kCenter, kRigid };
bool is_face_sturdy(BlockState s, Direction face, Support support = Support::kFull);
/// isCollisionShapeFullBlock.
bool is_collision_full(BlockState s);
/// Vines, lichen and the like cling to this side: it is whole, of what supports or of what stops movement.
bool carries_cover(BlockState s, Direction face);
/// The sides that a pale moss carpet has at `p`; `create_sides` makes new ones where there is something to climb.
BlockState connected_moss_carpet(const Region& region, BlockState carpet, BlockPos p, bool create_sides);
/// Whether a pale moss carpet's state is more than nothing.
bool moss_carpet_has_faces(BlockState carpet);
/// Fire takes hold of this block.
bool is_flammable(BlockState s);

}  // namespace horizon::worldgen
