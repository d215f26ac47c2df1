#include "common/protocol/frame.hpp"

#include <libdeflate.h>

#include <string>
#include <utility>

#include "common/protocol/buffer.hpp"

namespace horizon::protocol {

namespace {

constexpr std::size_t kMaxLengthBytes = 3;
// No deflate stream grows more than this: a larger claim is a lie, found before memory is spent on it.
constexpr std::size_t kMaxDeflateRatio = 1032;

struct CompressorDeleter {
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};
struct DecompressorDeleter {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

libdeflate_compressor* thread_compressor(int level) {
  thread_local std::unique_ptr<libdeflate_compressor, CompressorDeleter> compressor;
  thread_local int compressor_level = -1;
  if (compressor == nullptr || compressor_level != level) {
    compressor.reset(libdeflate_alloc_compressor(level));
    compressor_level = level;
    HZ_CHECK(compressor != nullptr);
  }
  return compressor.get();
}

libdeflate_decompressor* thread_decompressor() {
  thread_local std::unique_ptr<libdeflate_decompressor, DecompressorDeleter> decompressor(
      libdeflate_alloc_decompressor());
  HZ_CHECK(decompressor != nullptr);
  return decompressor.get();
}

// The zlib stream of `packet`, valid until the thread's next call.
std::span<const std::uint8_t> compress_to_scratch(std::span<const std::uint8_t> packet, int level) {
  thread_local std::vector<std::uint8_t> scratch;
  libdeflate_compressor* compressor = thread_compressor(level);
  const std::size_t bound = libdeflate_zlib_compress_bound(compressor, packet.size());
  if (scratch.size() < bound) scratch.resize(bound);
  const std::size_t size =
      libdeflate_zlib_compress(compressor, packet.data(), packet.size(), scratch.data(), scratch.size());
  HZ_CHECK(size != 0);
  return {scratch.data(), size};
}

enum class Length { kComplete, kIncomplete, kTooLong };

// A varint of at most `max_bytes` at the front of `bytes`.
Length peek_varint(std::span<const std::uint8_t> bytes, std::size_t max_bytes, std::size_t& value,
                   std::size_t& used) {
  value = 0;
  for (std::size_t i = 0; i < max_bytes; ++i) {
    if (i >= bytes.size()) return Length::kIncomplete;
    value |= static_cast<std::size_t>(bytes[i] & 0x7f) << (7 * i);
    if ((bytes[i] & 0x80) == 0) {
      used = i + 1;
      return Length::kComplete;
    }
  }
  return Length::kTooLong;
}

}  // namespace

std::vector<std::uint8_t> compress_packet(std::span<const std::uint8_t> packet, int level) {
  const auto zlib = compress_to_scratch(packet, level);
  return {zlib.begin(), zlib.end()};
}

Result<std::vector<std::uint8_t>> decompress_packet(std::span<const std::uint8_t> zlib, std::size_t size) {
  if (size / kMaxDeflateRatio > zlib.size()) {
    return Error{ErrorCode::kMalformed, "frame: " + std::to_string(zlib.size()) +
                                            " compressed bytes cannot hold " + std::to_string(size)};
  }
  std::vector<std::uint8_t> out(size);
  std::size_t used = 0;
  const libdeflate_result result = libdeflate_zlib_decompress_ex(
      thread_decompressor(), zlib.data(), zlib.size(), out.data(), out.size(), &used, nullptr);
  if (result == LIBDEFLATE_BAD_DATA) return Error{ErrorCode::kMalformed, "frame: not a zlib stream"};
  if (result != LIBDEFLATE_SUCCESS) {
    return Error{ErrorCode::kMalformed,
                 "frame: inflates to another size than the stated " + std::to_string(size)};
  }
  if (used != zlib.size()) {
    return Error{ErrorCode::kMalformed,
                 "frame: " + std::to_string(zlib.size() - used) + " bytes behind the compressed data"};
  }
  return out;
}

Result<SharedFrame> try_make_frame(std::span<const std::uint8_t> packet, std::int32_t threshold, int level) {
  std::span<const std::uint8_t> content = packet;
  std::int32_t stated = 0;
  if (packet.size() > kMaxInflated) {
    return Error{ErrorCode::kLimit, "frame: a packet of " + std::to_string(packet.size()) + " bytes"};
  }
  if (threshold >= 0 && packet.size() >= static_cast<std::size_t>(threshold)) {
    content = compress_to_scratch(packet, level);
    stated = static_cast<std::int32_t>(packet.size());
  }
  const std::size_t length = content.size() + (threshold >= 0 ? varint_size(stated) : 0);
  if (length > kMaxFrame)
    return Error{ErrorCode::kLimit, "frame: " + std::to_string(length) + " bytes to send"};

  auto frame = std::make_shared<std::vector<std::uint8_t>>();
  frame->reserve(length + kMaxLengthBytes);
  append_varint(*frame, static_cast<std::int32_t>(length));
  if (threshold >= 0) append_varint(*frame, stated);
  frame->insert(frame->end(), content.begin(), content.end());
  return SharedFrame(std::move(frame));
}

SharedFrame make_frame(std::span<const std::uint8_t> packet, std::int32_t threshold, int level) {
  Result<SharedFrame> frame = try_make_frame(packet, threshold, level);
  HZ_CHECK(frame.ok());
  return *std::move(frame);
}

FrameReader::FrameReader() : FrameReader(Limits{}) {}

Error FrameReader::fail(ErrorCode code, std::string message) {
  error_ = Error{code, "frame: " + std::move(message)};
  buffer_.clear();
  begin_ = 0;
  return *error_;
}

Result<void> FrameReader::feed(std::span<const std::uint8_t> bytes) {
  if (error_) return *error_;
  if (begin_ == buffer_.size()) {
    buffer_.clear();
    begin_ = 0;
  } else if (begin_ > buffer_.size() / 2) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
  if (buffered() + bytes.size() > limits_.max_buffered) {
    return fail(ErrorCode::kLimit, std::to_string(buffered() + bytes.size()) + " unread bytes, at most " +
                                       std::to_string(limits_.max_buffered));
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return {};
}

Result<std::optional<std::vector<std::uint8_t>>> FrameReader::next() {
  using Packet = std::optional<std::vector<std::uint8_t>>;
  if (error_) return *error_;
  const std::span<const std::uint8_t> unread = std::span<const std::uint8_t>(buffer_).subspan(begin_);

  std::size_t length = 0;
  std::size_t used = 0;
  switch (peek_varint(unread, kMaxLengthBytes, length, used)) {
    case Length::kIncomplete:
      return Packet{};
    case Length::kTooLong:
      return fail(ErrorCode::kMalformed, "a length of more than 3 bytes");
    case Length::kComplete:
      break;
  }
  if (length == 0) return fail(ErrorCode::kMalformed, "a length of 0");
  if (length > limits_.max_frame) {
    return fail(ErrorCode::kLimit,
                std::to_string(length) + " bytes, at most " + std::to_string(limits_.max_frame));
  }
  if (unread.size() - used < length) return Packet{};
  std::span<const std::uint8_t> content = unread.subspan(used, length);
  begin_ += used + length;

  std::size_t inflated = 0;
  if (threshold_ >= 0) {
    if (peek_varint(content, kMaxVarIntBytes, inflated, used) != Length::kComplete) {
      return fail(ErrorCode::kMalformed, "no inflated size");
    }
    content = content.subspan(used);
  }
  if (inflated == 0) {
    if (content.empty()) return fail(ErrorCode::kMalformed, "an empty packet");
    return Packet(std::in_place, content.begin(), content.end());
  }
  if (inflated < static_cast<std::size_t>(threshold_)) {
    return fail(ErrorCode::kMalformed, "compressed at " + std::to_string(inflated) +
                                           " bytes, below the threshold of " + std::to_string(threshold_));
  }
  if (inflated > limits_.max_inflated) {
    return fail(ErrorCode::kLimit, "inflates to " + std::to_string(inflated) + " bytes, at most " +
                                       std::to_string(limits_.max_inflated));
  }
  auto packet = decompress_packet(content, inflated);
  if (!packet) {
    error_ = packet.error();
    buffer_.clear();
    begin_ = 0;
    return *error_;
  }
  return Packet(*std::move(packet));
}

Result<PacketView> split_packet(std::span<const std::uint8_t> packet) {
  Reader r(packet, "packet");
  const std::int32_t id = r.varint("id");
  if (!r.ok()) return r.error();
  return PacketView{id, r.unread()};
}

}  // namespace horizon::protocol
