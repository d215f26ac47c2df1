#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace horizon::shard {

/// Runs what takes long away from the tick thread.
///
/// A job gets no reference to what the tick owns; it returns what is to be done with its result, and that
/// runs on the tick thread.
class Jobs {
 public:
  using Completion = std::function<void()>;
  using Job = std::function<Completion()>;
  virtual ~Jobs() = default;
  /// Lower `priority` runs first; equal ones in order.
  virtual void submit(std::uint32_t priority, Job job) = 0;
};

/// A pool of threads at low scheduling priority. `deliver` is called on a worker with a finished job's
/// completion and hands it to the tick thread.
class WorkerPool final : public Jobs {
 public:
  WorkerPool(int threads, std::function<void(Completion)> deliver);
  ~WorkerPool() override;
  void submit(std::uint32_t priority, Job job) override;

 private:
  struct Entry {
    std::uint32_t priority;
    std::uint64_t order;
    Job job;
  };
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.priority != b.priority ? a.priority > b.priority : a.order > b.order;
    }
  };
  void run();

  std::function<void(Completion)> deliver_;
  std::mutex queue_mutex_;
  std::condition_variable queue_changed_;
  std::priority_queue<Entry, std::vector<Entry>, Later> queue_;
  std::uint64_t next_order_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace horizon::shard
