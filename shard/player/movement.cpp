#include "shard/player/movement.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/game/game.hpp"

namespace horizon::shard {
namespace {

constexpr double kWidth = 0.6;
constexpr double kEpsilon = 1.0e-7;
/// A step is only tried by one who stands: something right below the feet.
constexpr double kBelowFeet = 1.0e-3;
/// Boxes that overlap by less only touch.
constexpr double kTouching = 1.0e-5;

/// Calls `visit(box)` for each collision box that touches `area`.
template <class F>
void for_boxes(const BlockAccess& blocks, const EntityBox& area, F visit) {
  // Shapes reach at most half a block above their cell (fences).
  const BlockPos low = (area.min - Vec3{kEpsilon, 0.5 + kEpsilon, kEpsilon}).block();
  const BlockPos high = (area.max + Vec3{kEpsilon, kEpsilon, kEpsilon}).block();
  for (std::int32_t cx = low.x >> 4; cx <= high.x >> 4; ++cx) {
    for (std::int32_t cz = low.z >> 4; cz <= high.z >> 4; ++cz) {
      const world::Chunk* chunk = blocks.chunk({cx, cz});
      if (chunk == nullptr) continue;
      for (std::int32_t x = std::max(low.x, cx * 16); x <= std::min(high.x, cx * 16 + 15); ++x) {
        for (std::int32_t z = std::max(low.z, cz * 16); z <= std::min(high.z, cz * 16 + 15); ++z) {
          for (std::int32_t y = std::max(low.y, kMinY); y <= std::min(high.y, kMaxY); ++y) {
            const BlockState state = chunk->block(x, y, z);
            if (state == game::kAir) continue;
            for (const game::Box& b : game::collision_boxes(state)) {
              visit(EntityBox{{x + double{b.min_x}, y + double{b.min_y}, z + double{b.min_z}},
                              {x + double{b.max_x}, y + double{b.max_y}, z + double{b.max_z}}});
            }
          }
        }
      }
    }
  }
}

EntityBox shifted(const EntityBox& box, Vec3 by) { return {box.min + by, box.max + by}; }

EntityBox stretched(const EntityBox& box, Vec3 by) {
  EntityBox out = box;
  (by.x < 0 ? out.min.x : out.max.x) += by.x;
  (by.y < 0 ? out.min.y : out.max.y) += by.y;
  (by.z < 0 ? out.min.z : out.max.z) += by.z;
  return out;
}

/// How far `box` can go by `delta` along one axis (`along`), given the two others.
double limit(const EntityBox& box, const std::vector<EntityBox>& obstacles, double Vec3::*along,
             double Vec3::*a, double Vec3::*b, double delta) {
  if (delta == 0) return 0;
  for (const EntityBox& o : obstacles) {
    if (o.max.*a <= box.min.*a + kEpsilon || o.min.*a >= box.max.*a - kEpsilon) continue;
    if (o.max.*b <= box.min.*b + kEpsilon || o.min.*b >= box.max.*b - kEpsilon) continue;
    if (delta > 0 && o.min.*along >= box.max.*along - kEpsilon) {
      delta = std::min(delta, o.min.*along - box.max.*along);
    } else if (delta < 0 && o.max.*along <= box.min.*along + kEpsilon) {
      delta = std::max(delta, o.max.*along - box.min.*along);
    }
  }
  return std::abs(delta) < kEpsilon ? 0 : delta;
}

Vec3 slide(EntityBox box, const std::vector<EntityBox>& obstacles, Vec3 delta) {
  Vec3 done;
  done.y = limit(box, obstacles, &Vec3::y, &Vec3::x, &Vec3::z, delta.y);
  box = shifted(box, {0, done.y, 0});
  const bool z_first = std::abs(delta.x) < std::abs(delta.z);
  const auto along_x = [&] {
    done.x = limit(box, obstacles, &Vec3::x, &Vec3::y, &Vec3::z, delta.x);
    box = shifted(box, {done.x, 0, 0});
  };
  const auto along_z = [&] {
    done.z = limit(box, obstacles, &Vec3::z, &Vec3::x, &Vec3::y, delta.z);
    box = shifted(box, {0, 0, done.z});
  };
  if (z_first) {
    along_z();
    along_x();
  } else {
    along_x();
    along_z();
  }
  return done;
}

double horizontal_squared(Vec3 v) { return v.x * v.x + v.z * v.z; }

EntityBox deflated(const EntityBox& box, double by) {
  return {box.min + Vec3{by, by, by}, box.max - Vec3{by, by, by}};
}

bool overlap(const EntityBox& a, const EntityBox& b) {
  return a.min.x < b.max.x && a.max.x > b.min.x && a.min.y < b.max.y && a.max.y > b.min.y &&
         a.min.z < b.max.z && a.max.z > b.min.z;
}

/// Something is in the way at `to` that was not at `from`.
bool enters_block(const BlockAccess& blocks, const EntityBox& from, const EntityBox& to) {
  bool found = false;
  for_boxes(blocks, to, [&](const EntityBox& o) { found = found || (overlap(o, to) && !overlap(o, from)); });
  return found;
}

bool is_in_fluid(const BlockAccess& blocks, Vec3 feet) {
  const auto state = blocks.block(feet.block());
  return state && game::has_fluid(*state);
}

/// The rule "moved wrongly" for one pose: far from where collisions let the box go, or inside of something
/// new. Who is stuck in a block may get out of it.
bool is_possible(const BlockAccess& blocks, const MoveInput& move, bool is_sneaking, bool is_gliding) {
  const Vec3 delta = move.to - move.from;
  const EntityBox box = player_box(move.from, is_sneaking, is_gliding);
  Vec3 residual = delta - collide(blocks, box, delta);
  if (residual == Vec3{}) return true;
  const EntityBox before = deflated(box, kTouching);
  if (enters_block(blocks, before, deflated(player_box(move.to, is_sneaking, is_gliding), kTouching)))
    return false;
  if (residual.y > -0.5 && residual.y < 0.5) residual.y = 0;
  const bool is_far = !move.is_creative && residual.length_squared() > MovementCheck::kWrongly;
  return !is_far || is_obstructed(blocks, before);
}

}  // namespace

EntityBox player_box(Vec3 feet, bool is_sneaking, bool is_gliding) {
  const double height = is_gliding ? 0.6 : is_sneaking ? 1.5 : 1.8;
  return {feet - Vec3{kWidth / 2, 0, kWidth / 2}, feet + Vec3{kWidth / 2, height, kWidth / 2}};
}

Vec3 collide(const BlockAccess& blocks, const EntityBox& box, Vec3 delta) {
  std::vector<EntityBox> obstacles;
  const EntityBox area = stretched(stretched(box, delta), {0, MovementCheck::kStepHeight, 0});
  for_boxes(blocks, stretched(area, {0, -kBelowFeet, 0}),
            [&](const EntityBox& o) { obstacles.push_back(o); });
  if (obstacles.empty()) return delta;
  const Vec3 flat = slide(box, obstacles, delta);
  if (flat.x == delta.x && flat.z == delta.z) return flat;
  const bool stands = (delta.y < 0 && flat.y != delta.y) ||
                      limit(box, obstacles, &Vec3::y, &Vec3::x, &Vec3::z, -kBelowFeet) != -kBelowFeet;
  if (!stands) return flat;
  // Up the step, across, and down again onto it.
  const double up = limit(box, obstacles, &Vec3::y, &Vec3::x, &Vec3::z, MovementCheck::kStepHeight);
  const EntityBox raised = shifted(box, {0, up, 0});
  Vec3 stepped = slide(raised, obstacles, {delta.x, 0, delta.z});
  const double down =
      limit(shifted(raised, stepped), obstacles, &Vec3::y, &Vec3::x, &Vec3::z, -up + std::min(0.0, delta.y));
  stepped.y = up + down;
  return horizontal_squared(stepped) > horizontal_squared(flat) ? stepped : flat;
}

bool is_obstructed(const BlockAccess& blocks, const EntityBox& box) {
  bool found = false;
  for_boxes(blocks, box, [&](const EntityBox& o) { found = found || overlap(o, box); });
  return found;
}

MoveOutcome MovementCheck::check(const BlockAccess& blocks, const MoveInput& move) {
  const Vec3 to = move.to;
  if (!std::isfinite(to.x) || !std::isfinite(to.y) || !std::isfinite(to.z) ||
      std::abs(to.x) > kMaxCoordinate || std::abs(to.z) > kMaxCoordinate || std::abs(to.y) > kMaxHeight) {
    return {MoveVerdict::kInvalid, move.from};
  }
  if (!has_start_) {
    has_start_ = true;
    start_ = move.from;
  }
  ++moves_;
  // After a stall many packets come in one tick; each is then measured on its own.
  const bool is_stalled = moves_ > kMaxCountedMoves;
  const double distance = (to - (is_stalled ? move.from : start_)).length_squared();
  const double allowed = (move.is_gliding ? kTooQuicklyGliding : kTooQuickly) * (is_stalled ? 1 : moves_);
  if (distance > allowed) return {MoveVerdict::kTooQuickly, move.from};
  if (move.may_pass_blocks) return {MoveVerdict::kAccepted, to};

  if (is_possible(blocks, move, move.is_sneaking, move.is_gliding)) return {MoveVerdict::kAccepted, to};
  // Without room for it the client keeps a lower pose than its keys say; swimming and crawling it is lowest.
  if (!move.is_sneaking && is_obstructed(blocks, deflated(player_box(move.from), kTouching)) &&
      is_possible(blocks, move, true, false)) {
    return {MoveVerdict::kAccepted, to};
  }
  const bool is_low = is_in_fluid(blocks, move.from) ||
                      is_obstructed(blocks, deflated(player_box(move.from, true), kTouching));
  if (is_low && is_possible(blocks, move, false, true)) return {MoveVerdict::kAccepted, to};
  return {MoveVerdict::kWrongly, move.from};
}

}  // namespace horizon::shard
