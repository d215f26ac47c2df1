#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace horizon::shard {

enum class Phase : std::uint8_t { kInput, kHandoffs, kPublish };
inline constexpr std::size_t kPhases = 3;

/// How long the last ticks and their phases took.
///
/// Belongs to the tick thread.
class TickTimes {
 public:
  static constexpr std::size_t kWindow = 100;
  using Clock = std::chrono::steady_clock;

  void begin_tick();
  /// The phase that runs ends here, `next` begins.
  void begin_phase(Phase next);
  void end_tick();

  struct Report {
    double average_ms = 0, p50_ms = 0, p95_ms = 0, p99_ms = 0;
    std::array<double, kPhases> phase_ms{};
  };
  Report report() const;

 private:
  void close_phase(Clock::time_point now);

  std::array<double, kWindow> ticks_ms_{};
  std::size_t count_ = 0;
  /// Exponential averages over about a window.
  std::array<double, kPhases> phase_ms_{};
  std::array<double, kPhases> current_ms_{};
  Clock::time_point tick_start_;
  Clock::time_point phase_start_;
  int phase_ = -1;
};

}  // namespace horizon::shard
