#include "shard/tick/jobs.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

namespace horizon::shard {

WorkerPool::WorkerPool(int threads, std::function<void(Completion)> deliver) : deliver_(std::move(deliver)) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

WorkerPool::~WorkerPool() {
  {
    std::lock_guard lock(queue_mutex_);
    stopping_ = true;
  }
  queue_changed_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void WorkerPool::submit(std::uint32_t priority, Job job) {
  {
    std::lock_guard lock(queue_mutex_);
    queue_.push({priority, next_order_++, std::move(job)});
  }
  queue_changed_.notify_one();
}

void WorkerPool::run() {
  // The tick must get the core when both want it; on Linux the niceness of a thread is its own.
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 10);
  for (;;) {
    Job job;
    {
      std::unique_lock lock(queue_mutex_);
      queue_changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (stopping_) return;
      // The entry is popped at once: moving the job out does not disturb the heap's order.
      job = std::move(const_cast<Entry&>(queue_.top()).job);
      queue_.pop();
    }
    if (Completion done = job()) deliver_(std::move(done));
  }
}

}  // namespace horizon::shard
