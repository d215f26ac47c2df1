#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/base/result.hpp"

/// How packets travel in a TCP stream: a varint length of 3 bytes at most, then the packet, or, when
/// compression is on, the varint size of the inflated packet (0: not compressed) and the packet in a zlib
/// stream.
namespace horizon::protocol {

/// The bytes of one packet ready for the socket, made once and shared by all who get it.
using SharedFrame = std::shared_ptr<const std::vector<std::uint8_t>>;

inline constexpr std::size_t kMaxFrame = (1 << 21) - 1;
inline constexpr std::size_t kMaxInflated = 8 * 1024 * 1024;
inline constexpr std::int32_t kNoCompression = -1;
inline constexpr int kDefaultCompressionLevel = 4;

/// Frames `packet` (id and body). Packets of at least `threshold` bytes are compressed; kNoCompression is the
/// form before login_compression. Any thread. REQUIRES: the frame is at most kMaxFrame bytes.
SharedFrame make_frame(std::span<const std::uint8_t> packet, std::int32_t threshold,
                       int level = kDefaultCompressionLevel);

/// Like make_frame but an Error when the packet is too large for a frame.
Result<SharedFrame> try_make_frame(std::span<const std::uint8_t> packet, std::int32_t threshold,
                                   int level = kDefaultCompressionLevel);

/// `packet` in a zlib stream. The compressor belongs to the thread and is reused.
std::vector<std::uint8_t> compress_packet(std::span<const std::uint8_t> packet,
                                          int level = kDefaultCompressionLevel);

/// The opposite, when the result has exactly `size` bytes.
Result<std::vector<std::uint8_t>> decompress_packet(std::span<const std::uint8_t> zlib, std::size_t size);

/// Cuts a stream of bytes into packets. One per connection and thread.
///
/// Holds at most one frame of `max_frame` bytes and what came with it in one feed: take packets between
/// feeds.
class FrameReader {
 public:
  struct Limits {
    std::size_t max_frame = kMaxFrame;
    std::size_t max_inflated = kMaxInflated;
    /// Unread bytes above which feed() refuses.
    std::size_t max_buffered = kMaxFrame + 256 * 1024;
  };

  FrameReader();
  explicit FrameReader(const Limits& limits) : limits_(limits) {}

  /// The threshold of login_compression; holds for frames that are taken afterwards.
  void set_threshold(std::int32_t threshold) { threshold_ = threshold; }
  std::int32_t threshold() const { return threshold_; }

  Result<void> feed(std::span<const std::uint8_t> bytes);
  /// The next packet (id and body), nullopt when more bytes are needed. After an Error the stream is lost:
  /// the same Error comes back each time.
  Result<std::optional<std::vector<std::uint8_t>>> next();

  std::size_t buffered() const { return buffer_.size() - begin_; }

 private:
  Error fail(ErrorCode code, std::string message);

  Limits limits_;
  std::int32_t threshold_ = kNoCompression;
  std::vector<std::uint8_t> buffer_;
  std::size_t begin_ = 0;
  std::optional<Error> error_;
};

/// Takes the id off a packet: the id and the body behind it.
struct PacketView {
  std::int32_t id = 0;
  std::span<const std::uint8_t> body;
};
Result<PacketView> split_packet(std::span<const std::uint8_t> packet);

}  // namespace horizon::protocol
