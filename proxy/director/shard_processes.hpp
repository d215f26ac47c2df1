#pragma once

#include <sys/types.h>

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "common/base/ids.hpp"

namespace horizon::proxy {

/// The shards as child processes: started, started again when they die, stopped, and never left behind.
///
/// Belongs to the I/O thread. Each child gets the read end of a pipe whose write end only this process holds
/// (`--lifeline-fd`): however this process dies, the kernel closes it and the child exits. A child that dies
/// is started again at once, and with growing delays while it keeps dying young.
class ShardProcesses {
 public:
  static constexpr std::chrono::milliseconds kFirstBackoff{250};
  static constexpr std::chrono::milliseconds kMaxBackoff{5000};
  static constexpr std::chrono::seconds kHealthyAge{30};

  /// `program` and `arguments` (without --id and --lifeline-fd, which are added).
  ShardProcesses(asio::io_context& io, std::string program, std::vector<std::string> arguments);
  ~ShardProcesses();

  void start(std::int32_t count);
  /// SIGTERM to all, SIGKILL to those that are still there after `patience`. Blocks for that long at most.
  void stop(std::chrono::milliseconds patience);

 private:
  struct Child {
    Child(asio::io_context& io, ShardId shard) : id(shard), exited(io), retry(io) {}
    ShardId id;
    pid_t pid = -1;
    asio::posix::stream_descriptor exited;  ///< a pidfd: readable when the child has exited
    asio::steady_timer retry;
    std::chrono::steady_clock::time_point started;
    std::chrono::milliseconds backoff{0};
  };
  void spawn(Child& child);
  void wait_for_exit(Child& child);
  void respawn_later(Child& child);

  asio::io_context& io_;
  std::string program_;
  std::vector<std::string> arguments_;
  int lifeline_read_ = -1;
  int lifeline_write_ = -1;
  std::vector<std::unique_ptr<Child>> children_;
  bool stopping_ = false;
};

}  // namespace horizon::proxy
