#include "proxy/director/shard_processes.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "common/base/result.hpp"

extern char** environ;

namespace horizon::proxy {

ShardProcesses::ShardProcesses(asio::io_context& io, std::string program, std::vector<std::string> arguments)
    : io_(io), program_(std::move(program)), arguments_(std::move(arguments)) {
  int ends[2];
  HZ_CHECK(pipe2(ends, O_CLOEXEC) == 0);
  lifeline_read_ = ends[0];
  lifeline_write_ = ends[1];
}

ShardProcesses::~ShardProcesses() {
  stop(std::chrono::milliseconds(0));
  close(lifeline_read_);
  close(lifeline_write_);
}

void ShardProcesses::start(std::int32_t count) {
  for (ShardId id = 0; id < count; ++id) {
    children_.push_back(std::make_unique<Child>(io_, id));
    spawn(*children_.back());
  }
}

void ShardProcesses::spawn(Child& child) {
  // The child reads the pipe as its standard input. All else is closed: Asio's sockets are not close-on-exec,
  // and a child that held a client's connection would keep it open after us.
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, lifeline_read_, STDIN_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  // A group of its own: Ctrl-C at the console stops the proxy, which stops the shards when the players are
  // gone.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);

  std::vector<std::string> words{program_, "--id", std::to_string(child.id), "--lifeline-fd", "0"};
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int failed = posix_spawn(&child.pid, program_.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  child.started = std::chrono::steady_clock::now();
  if (failed != 0) {
    spdlog::error("Shard {} cannot be started from {}: {}", child.id, program_, std::strerror(failed));
    child.pid = -1;
    respawn_later(child);
    return;
  }
  wait_for_exit(child);
}

void ShardProcesses::wait_for_exit(Child& child) {
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, child.pid, 0));
  HZ_CHECK(fd >= 0);
  child.exited.assign(fd);
  child.exited.async_wait(asio::posix::stream_descriptor::wait_read, [this, &child](asio::error_code error) {
    if (error || stopping_) return;
    int status = 0;
    waitpid(child.pid, &status, 0);
    if (WIFSIGNALED(status)) {
      spdlog::warn("Shard {} died of signal {}", child.id, WTERMSIG(status));
    } else {
      spdlog::warn("Shard {} exited with code {}", child.id, WEXITSTATUS(status));
    }
    child.pid = -1;
    child.exited.close();
    if (std::chrono::steady_clock::now() - child.started > kHealthyAge)
      child.backoff = std::chrono::milliseconds(0);
    respawn_later(child);
  });
}

void ShardProcesses::respawn_later(Child& child) {
  child.retry.expires_after(child.backoff);
  child.backoff = child.backoff.count() == 0 ? kFirstBackoff : std::min(child.backoff * 2, kMaxBackoff);
  child.retry.async_wait([this, &child](asio::error_code error) {
    if (error || stopping_) return;
    spdlog::info("Shard {} starts again", child.id);
    spawn(child);
  });
}

void ShardProcesses::stop(std::chrono::milliseconds patience) {
  if (stopping_) return;
  stopping_ = true;
  for (auto& child : children_) {
    child->retry.cancel();
    if (child->pid > 0) kill(child->pid, SIGTERM);
  }
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (auto& child : children_) {
    if (child->pid <= 0) continue;
    int status = 0;
    while (waitpid(child->pid, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() >= deadline) {
        spdlog::warn("Shard {} does not stop; it is killed", child->id);
        kill(child->pid, SIGKILL);
        waitpid(child->pid, &status, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    child->pid = -1;
  }
}

}  // namespace horizon::proxy
