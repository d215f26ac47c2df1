#include "shard/worldgen/base/shape_update.hpp"

#include "shard/worldgen/base/survival.hpp"

namespace horizon::worldgen {

void update_shapes_at_edge(Region& region, const BlockShape& shape) {
  shape.faces([&](BlockPos p, Direction d) {
    const BlockPos near = offset(p, d);
    const BlockState own = region.get(p), other = region.get(near);
    const BlockState new_own = update_shape(region, own, p, d, other);
    if (own != new_own) region.set(p, new_own);
    const BlockState new_other = update_shape(region, other, near, opposite(d), new_own);
    if (other != new_other) region.set(near, new_other);
  });
}

}  // namespace horizon::worldgen
