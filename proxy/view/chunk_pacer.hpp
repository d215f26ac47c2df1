#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace horizon::proxy {

/// How many chunks a client may be sent in this tick.
///
/// Chunks leave in batches, at most one unacknowledged until the client has acknowledged its first, and ten
/// after that; each tick adds the client's wanted number to a quota of which whole chunks are taken. Source:
/// protocol 775, "chunk batch" packets.
class ChunkPacer {
 public:
  static constexpr float kStartChunksPerTick = 9;
  static constexpr float kMinChunksPerTick = 0.01F;
  static constexpr float kMaxChunksPerTick = 64;
  static constexpr std::int32_t kMaxBatches = 10;

  /// The client has a batch; clamped to 0.01 to 64, NaN reads as 0.01.
  void acknowledge(float chunks_per_tick) {
    unacknowledged_ = std::max(0, unacknowledged_ - 1);
    wanted_ = std::isnan(chunks_per_tick) ? kMinChunksPerTick
                                          : std::clamp(chunks_per_tick, kMinChunksPerTick, kMaxChunksPerTick);
    if (unacknowledged_ == 0) quota_ = 1;
    allowed_batches_ = kMaxBatches;
  }
  /// Chunks that may leave in this tick; 0 while too many batches are under way. Call once a tick.
  std::size_t quota() {
    if (unacknowledged_ >= allowed_batches_) return 0;
    quota_ = std::min(quota_ + wanted_, std::max(1.0F, wanted_));
    return static_cast<std::size_t>(quota_);
  }
  /// A batch of `chunks` left.
  void sent(std::size_t chunks) {
    quota_ -= static_cast<float>(chunks);
    ++unacknowledged_;
  }

 private:
  float wanted_ = kStartChunksPerTick;
  float quota_ = 0;
  std::int32_t unacknowledged_ = 0;
  std::int32_t allowed_batches_ = 1;
};

}  // namespace horizon::proxy
