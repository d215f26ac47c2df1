#pragma once

#include <array>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <functional>
#include <string>

namespace horizon::proxy {

/// Lines of standard input. Its end does not stop the server; a line over kMaxLine is dropped with a warning.
///
/// Belongs to the I/O thread. Regular files and /dev/null, which cannot be waited for, are read once at the
/// start.
class Console {
 public:
  static constexpr std::size_t kMaxLine = 32500;
  Console(asio::io_context& io, std::function<void(const std::string&)> on_line);

 private:
  void read();
  void take(std::size_t size);

  asio::posix::stream_descriptor input_;
  std::function<void(const std::string&)> on_line_;
  std::array<char, 4096> buffer_;
  std::string line_;
  bool is_too_long_ = false;
};

}  // namespace horizon::proxy
