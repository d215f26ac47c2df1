#include "shard/tick/tick_times.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace horizon::shard {
namespace {

double milliseconds(TickTimes::Clock::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

}  // namespace

void TickTimes::begin_tick() {
  tick_start_ = Clock::now();
  current_ms_.fill(0);
  phase_ = -1;
}

void TickTimes::close_phase(Clock::time_point now) {
  if (phase_ >= 0) current_ms_[static_cast<std::size_t>(phase_)] += milliseconds(now - phase_start_);
  phase_start_ = now;
}

void TickTimes::begin_phase(Phase next) {
  close_phase(Clock::now());
  phase_ = static_cast<int>(next);
}

void TickTimes::end_tick() {
  const Clock::time_point now = Clock::now();
  close_phase(now);
  phase_ = -1;
  ticks_ms_[count_++ % kWindow] = milliseconds(now - tick_start_);
  for (std::size_t i = 0; i < kPhases; ++i) {
    phase_ms_[i] += (current_ms_[i] - phase_ms_[i]) / static_cast<double>(std::min(count_, kWindow));
  }
}

TickTimes::Report TickTimes::report() const {
  const std::size_t n = std::min(count_, kWindow);
  Report out;
  if (n == 0) return out;
  std::array<double, kWindow> sorted = ticks_ms_;
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(n));
  const auto at = [&](double q) {
    return sorted[std::min(n - 1, static_cast<std::size_t>(q * static_cast<double>(n)))];
  };
  out.average_ms = std::accumulate(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(n), 0.0) /
                   static_cast<double>(n);
  out.p50_ms = at(0.50);
  out.p95_ms = at(0.95);
  out.p99_ms = at(0.99);
  out.phase_ms = phase_ms_;
  return out;
}

}  // namespace horizon::shard
