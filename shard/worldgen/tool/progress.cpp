#include "shard/worldgen/tool/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace horizon::worldgen {

namespace {

constexpr std::chrono::milliseconds kTerminalInterval{100};
constexpr std::chrono::seconds kLineInterval{10};
constexpr std::size_t kBarWidth = 28;

std::string clock_text(double seconds) {
  const auto s = static_cast<std::uint64_t>(seconds);
  char text[32];
  if (s >= 3600) {
    std::snprintf(text, sizeof text, "%llu:%02llu:%02llu", static_cast<unsigned long long>(s / 3600),
                  static_cast<unsigned long long>(s / 60 % 60), static_cast<unsigned long long>(s % 60));
  } else {
    std::snprintf(text, sizeof text, "%llu:%02llu", static_cast<unsigned long long>(s / 60),
                  static_cast<unsigned long long>(s % 60));
  }
  return text;
}

}  // namespace

Progress::Progress(std::string title, std::uint64_t total, WithoutTerminal without_terminal)
    : title_(std::move(title)),
      total_(total),
      is_terminal_(isatty(STDERR_FILENO) != 0),
      is_shown_(is_terminal_ || without_terminal == WithoutTerminal::kLines),
      start_(Clock::now()),
      last_draw_(start_) {}

Progress::~Progress() {
  if (is_drawn_ && is_terminal_) {
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
  }
}

void Progress::add(std::uint64_t n) {
  std::lock_guard lock(mutex_);
  done_ += n;
  if (!is_shown_) return;
  const Clock::time_point now = Clock::now();
  const Clock::duration interval = is_terminal_ ? Clock::duration(kTerminalInterval) : Clock::duration(kLineInterval);
  if (now - last_draw_ < interval) return;
  last_draw_ = now;
  draw(now);
}

void Progress::draw(Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  const double left = rate > 0 ? static_cast<double>(total_ - std::min(done_, total_)) / rate : 0;
  const double part = total_ > 0 ? std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_)) : 1.0;
  char figures[96];
  std::snprintf(figures, sizeof figures, "%llu/%llu  %.1f/s  ETA %s", static_cast<unsigned long long>(done_),
                static_cast<unsigned long long>(total_), rate, clock_text(left).c_str());
  if (is_terminal_) {
    std::string bar(kBarWidth, ' ');
    std::fill_n(bar.begin(), static_cast<std::size_t>(part * static_cast<double>(kBarWidth)), '=');
    std::fprintf(stderr, "\r\x1b[K%s [%s] %s", title_.c_str(), bar.c_str(), figures);
    std::fflush(stderr);
  } else {
    std::fprintf(stderr, "%s %s\n", title_.c_str(), figures);
  }
  is_drawn_ = true;
}

}  // namespace horizon::worldgen
