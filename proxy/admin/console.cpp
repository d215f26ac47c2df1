#include "proxy/admin/console.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <asio/buffer.hpp>
#include <utility>

namespace horizon::proxy {

Console::Console(asio::io_context& io, std::function<void(const std::string&)> on_line)
    : input_(io), on_line_(std::move(on_line)) {
  const int fd = dup(STDIN_FILENO);
  if (fd < 0) return;
  asio::error_code error;
  // epoll refuses files that are always ready.
  input_.assign(fd, error);
  if (!error) {
    read();
    return;
  }
  ssize_t n = 0;
  while ((n = ::read(fd, buffer_.data(), buffer_.size())) > 0) take(static_cast<std::size_t>(n));
  close(fd);
}

void Console::read() {
  input_.async_read_some(asio::buffer(buffer_), [this](asio::error_code error, std::size_t n) {
    if (error) return;
    take(n);
    read();
  });
}

void Console::take(std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const char c = buffer_[i];
    if (c == '\n') {
      if (is_too_long_) {
        spdlog::warn("A console line of more than {} characters was ignored", kMaxLine);
      } else if (!line_.empty()) {
        on_line_(line_);
      }
      line_.clear();
      is_too_long_ = false;
    } else if (c != '\r') {
      if (line_.size() < kMaxLine) {
        line_.push_back(c);
      } else {
        is_too_long_ = true;
      }
    }
  }
}

}  // namespace horizon::proxy
