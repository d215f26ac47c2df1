#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace horizon::worldgen {

/// A line on stderr with what is done, how fast, and how long the rest takes. Thread-safe.
class Progress {
 public:
  enum class WithoutTerminal : std::uint8_t {
    kSilent,
    kLines,  ///< a plain line now and then, for logs
  };
  Progress(std::string title, std::uint64_t total, WithoutTerminal without_terminal = WithoutTerminal::kSilent);
  /// Takes the line away again.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::uint64_t n = 1);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(Clock::time_point now);

  std::string title_;
  std::uint64_t total_;
  bool is_terminal_, is_shown_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  bool is_drawn_ = false;
  Clock::time_point start_, last_draw_;
};

}  // namespace horizon::worldgen
