#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

namespace horizon::shard {

/// What other threads hand to the tick thread: calls, in order.
class Inbox {
 public:
  using Event = std::function<void()>;

  void post(Event event) {
    {
      std::lock_guard lock(events_mutex_);
      events_.push_back(std::move(event));
    }
    events_changed_.notify_one();
  }

  /// Waits for events until `deadline` and runs all that are there. True when any ran.
  bool run_until(std::chrono::system_clock::time_point deadline) {
    std::deque<Event> taken;
    {
      std::unique_lock lock(events_mutex_);
      events_changed_.wait_until(lock, deadline, [this] { return !events_.empty(); });
      taken.swap(events_);
    }
    for (Event& event : taken) event();
    return !taken.empty();
  }

 private:
  std::mutex events_mutex_;
  std::condition_variable events_changed_;
  std::deque<Event> events_;
};

}  // namespace horizon::shard
