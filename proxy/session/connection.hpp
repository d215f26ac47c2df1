#pragma once

#include <array>
#include <asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/protocol/frame.hpp"

namespace horizon::proxy {

/// A client's TCP connection: bytes in, packets out of them; frames in, gathered writes out of them.
///
/// Belongs to the I/O thread. Frames queue until flush(); one write is under way at a time. More than
/// kMaxQueuedBytes waiting means a client that does not read: `on_closed` says so.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  static constexpr std::size_t kMaxQueuedBytes = std::size_t{16} << 20;
  static constexpr std::size_t kReadBytes = 16 * 1024;

  struct Callbacks {
    /// A whole packet, id first.
    std::function<void(std::span<const std::uint8_t>)> on_packet;
    /// Bytes before the first packet: true when they were a legacy ping, which the callee answers.
    std::function<bool(std::span<const std::uint8_t>)> on_first_bytes;
    /// Once: the other side closed, an error, or a stream that is not the protocol (`is_malformed`).
    std::function<void(const std::string& reason, bool is_malformed)> on_closed;
  };

  Connection(asio::ip::tcp::socket socket, Callbacks callbacks);
  void start();
  void queue(protocol::SharedFrame frame);
  void queue_raw(std::vector<std::uint8_t> bytes);
  bool has_queued() const { return !queued_.empty(); }
  void flush();
  /// Sends what is queued, then closes. Nothing is read any more and no callback follows.
  void close_after_flush();
  void close();
  void set_threshold(std::int32_t threshold) { frames_.set_threshold(threshold); }
  const std::string& remote() const { return remote_; }

 private:
  void read();
  void consume(std::size_t size);
  void fail(const std::string& reason, bool is_malformed);

  asio::ip::tcp::socket socket_;
  Callbacks callbacks_;
  protocol::FrameReader frames_;
  std::string remote_;
  std::array<std::uint8_t, kReadBytes> buffer_;
  std::vector<protocol::SharedFrame> queued_;
  std::vector<protocol::SharedFrame> writing_;
  std::size_t queued_bytes_ = 0;
  bool is_first_ = true;
  bool is_closing_ = false;
  bool is_closed_ = false;
};

}  // namespace horizon::proxy
