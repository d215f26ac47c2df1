#pragma once

#include <cstdint>

#include "common/base/ids.hpp"
#include "shard/block/block_access.hpp"

namespace horizon::shard {

/// A box in the world's coordinates.
struct EntityBox {
  Vec3 min, max;
};

enum class MoveVerdict : std::uint8_t { kAccepted, kTooQuickly, kWrongly, kInvalid };

struct MoveInput {
  Vec3 from, to;
  bool is_sneaking = false;
  bool is_gliding = false;
  /// Spectators.
  bool may_pass_blocks = false;
  bool is_creative = false;
};

struct MoveOutcome {
  MoveVerdict verdict = MoveVerdict::kAccepted;
  Vec3 position;
};

/// Vanilla's two checks of a player's own movement: "moved too quickly" and "moved wrongly".
///
/// Belongs to the tick thread. Where a chunk is not here nothing is known to be in the way.
/// Source of rules and figures: the vanilla server's handling of movement packets.
class MovementCheck {
 public:
  static constexpr double kMaxCoordinate = 3.0e7;
  static constexpr double kMaxHeight = 2.0e7;
  /// Squared blocks a move above what the packets of a tick explain.
  static constexpr double kTooQuickly = 100;
  static constexpr double kTooQuicklyGliding = 300;
  static constexpr double kWrongly = 0.0625;
  static constexpr double kStepHeight = 0.6;
  /// Packets of one tick that raise the allowed distance; after more the factor is 1.
  static constexpr std::int32_t kMaxCountedMoves = 5;

  void begin_tick() {
    moves_ = 0;
    has_start_ = false;
  }
  MoveOutcome check(const BlockAccess& blocks, const MoveInput& move);

 private:
  std::int32_t moves_ = 0;
  bool has_start_ = false;
  Vec3 start_;
};

/// The box of a player with its feet at `feet`: 0.6 wide; 1.8 high, 1.5 sneaking, 0.6 gliding.
EntityBox player_box(Vec3 feet, bool is_sneaking = false, bool is_gliding = false);

/// Moves `box` by `delta` until something is in the way, climbing steps: the displacement that is left.
Vec3 collide(const BlockAccess& blocks, const EntityBox& box, Vec3 delta);

/// True when a block's collision shape overlaps the box.
bool is_obstructed(const BlockAccess& blocks, const EntityBox& box);

}  // namespace horizon::shard
