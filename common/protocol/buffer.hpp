#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/ids.hpp"
#include "common/base/result.hpp"

namespace horizon::protocol {

/// The protocol's limit of a string, in UTF-16 units.
inline constexpr std::int32_t kMaxString = 32767;
inline constexpr std::size_t kMaxVarIntBytes = 5;
inline constexpr std::size_t kMaxVarLongBytes = 10;

/// Appends values in the protocol's form, numbers big-endian.
class Writer {
 public:
  Writer() = default;
  explicit Writer(std::size_t reserve) { bytes_.reserve(reserve); }

  void u8(std::uint8_t v) { bytes_.push_back(v); }
  void i8(std::int8_t v) { bytes_.push_back(static_cast<std::uint8_t>(v)); }
  void u16(std::uint16_t v) { big_endian<2>(v); }
  void i16(std::int16_t v) { big_endian<2>(static_cast<std::uint16_t>(v)); }
  void u32(std::uint32_t v) { big_endian<4>(v); }
  void i32(std::int32_t v) { big_endian<4>(static_cast<std::uint32_t>(v)); }
  void u64(std::uint64_t v) { big_endian<8>(v); }
  void i64(std::int64_t v) { big_endian<8>(static_cast<std::uint64_t>(v)); }
  void f32(float v);
  void f64(double v);
  void boolean(bool v) { u8(v ? 1 : 0); }
  void varint(std::int32_t v);
  void varlong(std::int64_t v);
  /// Length in bytes as a varint, then UTF-8.
  void string(std::string_view v);
  void bytes(std::span<const std::uint8_t> v) { bytes_.insert(bytes_.end(), v.begin(), v.end()); }
  void uuid(Uuid v) {
    u64(v.high);
    u64(v.low);
  }
  /// x in 26 bits, z in 26, y in 12.
  void block_pos(BlockPos v);
  /// Degrees as 1/256 of a turn.
  void angle(float degrees);
  /// A vector whose components share one scale: 1 byte when zero, else 6 and more.
  void lp_vec3(Vec3 v);

  std::size_t size() const { return bytes_.size(); }
  std::span<const std::uint8_t> view() const { return bytes_; }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }
  /// For those who append with other writers of vectors.
  std::vector<std::uint8_t>& buffer() { return bytes_; }

 private:
  template <int N>
  void big_endian(std::uint64_t v) {
    for (int shift = (N - 1) * 8; shift >= 0; shift -= 8)
      bytes_.push_back(static_cast<std::uint8_t>(v >> shift));
  }

  std::vector<std::uint8_t> bytes_;
};

/// Reads values in the protocol's form out of borrowed bytes.
///
/// The first failure sticks: all later reads return zero and consume nothing, so that a caller reads a whole
/// packet and asks once. The names of packet and fields must outlive the reader (they are literals).
class Reader {
 public:
  Reader(std::span<const std::uint8_t> bytes, std::string_view packet) : bytes_(bytes), packet_(packet) {}

  std::uint8_t u8(std::string_view field) { return static_cast<std::uint8_t>(big_endian<1>(field)); }
  std::int8_t i8(std::string_view field) { return static_cast<std::int8_t>(big_endian<1>(field)); }
  std::uint16_t u16(std::string_view field) { return static_cast<std::uint16_t>(big_endian<2>(field)); }
  std::int16_t i16(std::string_view field) { return static_cast<std::int16_t>(big_endian<2>(field)); }
  std::uint32_t u32(std::string_view field) { return static_cast<std::uint32_t>(big_endian<4>(field)); }
  std::int32_t i32(std::string_view field) { return static_cast<std::int32_t>(big_endian<4>(field)); }
  std::uint64_t u64(std::string_view field) { return big_endian<8>(field); }
  std::int64_t i64(std::string_view field) { return static_cast<std::int64_t>(big_endian<8>(field)); }
  float f32(std::string_view field);
  double f64(std::string_view field);
  /// Any byte but 0 is true, as in the game.
  bool boolean(std::string_view field) { return u8(field) != 0; }
  /// At most 5 bytes.
  std::int32_t varint(std::string_view field);
  /// At most 10 bytes.
  std::int64_t varlong(std::string_view field);
  /// A count of elements: 0 to `max`, and no more than the bytes that are left could hold at one byte each.
  std::int32_t count(std::string_view field, std::int32_t max);
  /// Valid UTF-8 of at most `max_units` UTF-16 units.
  std::string string(std::string_view field, std::int32_t max_units = kMaxString);
  /// A view into the borrowed bytes.
  std::span<const std::uint8_t> bytes(std::string_view field, std::size_t size);
  /// All that is left, when it is at most `max` bytes.
  std::span<const std::uint8_t> rest(std::string_view field, std::size_t max);
  Uuid uuid(std::string_view field);
  BlockPos block_pos(std::string_view field);
  /// Degrees, -180 to 180.
  float angle(std::string_view field);
  Vec3 lp_vec3(std::string_view field);

  std::size_t remaining() const { return failed_ ? 0 : bytes_.size() - offset_; }
  std::size_t offset() const { return offset_; }
  /// What is not read yet.
  std::span<const std::uint8_t> unread() const {
    return failed_ ? std::span<const std::uint8_t>{} : bytes_.subspan(offset_);
  }
  /// Fails when bytes are left over.
  void expect_end();

  bool ok() const { return !failed_; }
  /// Records a failure found by the caller; the first one stays.
  void fail(ErrorCode code, std::string_view field, std::string_view what);
  /// REQUIRES: !ok(). "set_health.food at byte 4: 1 byte needed, 0 left".
  const Error& error() const { return error_; }

 private:
  bool need(std::string_view field, std::size_t size);
  template <std::size_t N>
  std::uint64_t big_endian(std::string_view field) {
    if (!need(field, N)) return 0;
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < N; ++i) v = v << 8 | bytes_[offset_ + i];
    offset_ += N;
    return v;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t offset_ = 0;
  std::string_view packet_;
  bool failed_ = false;
  Error error_;
};

/// Appends a varint to any vector of bytes.
void append_varint(std::vector<std::uint8_t>& out, std::int32_t v);
/// 1 to 5.
std::size_t varint_size(std::int32_t v);
/// Length in UTF-16 units of valid UTF-8, or -1 when it is not valid.
std::int64_t utf16_length(std::string_view utf8);
/// Degrees to 1/256 turns and back.
std::int8_t to_angle(float degrees);
float from_angle(std::int8_t angle);

}  // namespace horizon::protocol
