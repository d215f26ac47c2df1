#include "common/protocol/buffer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace horizon::protocol {

namespace {

// The scaled vector: 15 bits for each component in -1 to 1, times a whole scale whose low 2 bits stand in
// front.
constexpr double kLpQuantum = 32766.0;
constexpr double kLpSmallest = 3.051944088384301e-5;
constexpr double kLpLargest = 1.7179869183e10;

double lp_limit(double v) { return std::isnan(v) ? 0.0 : std::clamp(v, -kLpLargest, kLpLargest); }

std::uint64_t lp_pack(double unit) {
  return static_cast<std::uint64_t>(std::floor((unit * 0.5 + 0.5) * kLpQuantum + 0.5));
}

double lp_unpack(std::uint64_t packed, int shift) {
  const double quantized = std::min(static_cast<double>(packed >> shift & 0x7fff), kLpQuantum);
  return quantized * 2.0 / kLpQuantum - 1.0;
}

// Reads one character of UTF-8 at `i` and moves past it; false when it is not valid (overlong, surrogate, cut
// off).
bool next_utf8(std::string_view s, std::size_t& i, std::uint32_t& code) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(s[at]); };
  const std::uint8_t first = byte(i);
  if (first < 0x80) {
    code = first;
    ++i;
    return true;
  }
  std::size_t more = 0;
  std::uint32_t least = 0;
  if ((first & 0xe0) == 0xc0) {
    more = 1, least = 0x80, code = first & 0x1f;
  } else if ((first & 0xf0) == 0xe0) {
    more = 2, least = 0x800, code = first & 0x0f;
  } else if ((first & 0xf8) == 0xf0) {
    more = 3, least = 0x10000, code = first & 0x07;
  } else {
    return false;
  }
  if (s.size() - i <= more) return false;
  for (std::size_t k = 1; k <= more; ++k) {
    if ((byte(i + k) & 0xc0) != 0x80) return false;
    code = code << 6 | (byte(i + k) & 0x3f);
  }
  if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
  i += more + 1;
  return true;
}

}  // namespace

std::int64_t utf16_length(std::string_view utf8) {
  std::int64_t units = 0;
  for (std::size_t i = 0; i < utf8.size();) {
    std::uint32_t code = 0;
    if (!next_utf8(utf8, i, code)) return -1;
    units += code > 0xffff ? 2 : 1;
  }
  return units;
}

std::int8_t to_angle(float degrees) {
  if (!std::isfinite(degrees)) return 0;
  const double turn = std::fmod(static_cast<double>(degrees), 360.0) * (256.0 / 360.0);
  return static_cast<std::int8_t>(
      static_cast<std::uint8_t>(static_cast<std::int32_t>(std::floor(turn)) & 0xff));
}

float from_angle(std::int8_t angle) { return static_cast<float>(angle) * (360.0F / 256.0F); }

void append_varint(std::vector<std::uint8_t>& out, std::int32_t v) {
  auto bits = static_cast<std::uint32_t>(v);
  while (bits >= 0x80) {
    out.push_back(static_cast<std::uint8_t>(bits | 0x80));
    bits >>= 7;
  }
  out.push_back(static_cast<std::uint8_t>(bits));
}

std::size_t varint_size(std::int32_t v) {
  auto bits = static_cast<std::uint32_t>(v);
  std::size_t size = 1;
  while (bits >= 0x80) {
    bits >>= 7;
    ++size;
  }
  return size;
}

void Writer::f32(float v) { u32(std::bit_cast<std::uint32_t>(v)); }

void Writer::f64(double v) { u64(std::bit_cast<std::uint64_t>(v)); }

void Writer::varint(std::int32_t v) { append_varint(bytes_, v); }

void Writer::varlong(std::int64_t v) {
  auto bits = static_cast<std::uint64_t>(v);
  while (bits >= 0x80) {
    u8(static_cast<std::uint8_t>(bits | 0x80));
    bits >>= 7;
  }
  u8(static_cast<std::uint8_t>(bits));
}

void Writer::string(std::string_view v) {
  varint(static_cast<std::int32_t>(v.size()));
  bytes_.insert(bytes_.end(), v.begin(), v.end());
}

void Writer::block_pos(BlockPos v) {
  const auto bits = [](std::int32_t c, std::uint64_t mask) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(c)) & mask;
  };
  u64(bits(v.x, 0x3ffffff) << 38 | bits(v.z, 0x3ffffff) << 12 | bits(v.y, 0xfff));
}

void Writer::angle(float degrees) { i8(to_angle(degrees)); }

void Writer::lp_vec3(Vec3 v) {
  const double x = lp_limit(v.x), y = lp_limit(v.y), z = lp_limit(v.z);
  const double largest = std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
  if (largest < kLpSmallest) return u8(0);
  const double scale = std::ceil(largest);
  const auto whole = static_cast<std::uint64_t>(scale);
  const bool more = whole > 3;
  const std::uint64_t packed = (whole & 3) | (more ? 4U : 0U) | lp_pack(x / scale) << 3 |
                               lp_pack(y / scale) << 18 | lp_pack(z / scale) << 33;
  u8(static_cast<std::uint8_t>(packed));
  u8(static_cast<std::uint8_t>(packed >> 8));
  u32(static_cast<std::uint32_t>(packed >> 16));
  if (more) varint(static_cast<std::int32_t>(static_cast<std::uint32_t>(whole >> 2)));
}

void Reader::fail(ErrorCode code, std::string_view field, std::string_view what) {
  if (failed_) return;
  failed_ = true;
  error_.code = code;
  error_.message.append(packet_).append(".").append(field);
  error_.message.append(" at byte ").append(std::to_string(offset_)).append(": ").append(what);
}

bool Reader::need(std::string_view field, std::size_t size) {
  if (failed_) return false;
  const std::size_t left = bytes_.size() - offset_;
  if (size <= left) return true;
  fail(ErrorCode::kMalformed, field,
       std::to_string(size) + (size == 1 ? " byte needed, " : " bytes needed, ") + std::to_string(left) +
           " left");
  return false;
}

void Reader::expect_end() {
  if (failed_ || offset_ == bytes_.size()) return;
  fail(ErrorCode::kMalformed, "end", std::to_string(bytes_.size() - offset_) + " bytes left over");
}

float Reader::f32(std::string_view field) { return std::bit_cast<float>(u32(field)); }

double Reader::f64(std::string_view field) { return std::bit_cast<double>(u64(field)); }

std::int32_t Reader::varint(std::string_view field) {
  std::uint32_t v = 0;
  for (std::size_t i = 0; i < kMaxVarIntBytes; ++i) {
    if (!need(field, 1)) return 0;
    const std::uint8_t b = bytes_[offset_++];
    v |= static_cast<std::uint32_t>(b & 0x7f) << (7 * i);
    if ((b & 0x80) == 0) return static_cast<std::int32_t>(v);
  }
  fail(ErrorCode::kMalformed, field, "a varint of more than 5 bytes");
  return 0;
}

std::int64_t Reader::varlong(std::string_view field) {
  std::uint64_t v = 0;
  for (std::size_t i = 0; i < kMaxVarLongBytes; ++i) {
    if (!need(field, 1)) return 0;
    const std::uint8_t b = bytes_[offset_++];
    v |= static_cast<std::uint64_t>(b & 0x7f) << (7 * i);
    if ((b & 0x80) == 0) return static_cast<std::int64_t>(v);
  }
  fail(ErrorCode::kMalformed, field, "a varlong of more than 10 bytes");
  return 0;
}

std::int32_t Reader::count(std::string_view field, std::int32_t max) {
  const std::int32_t n = varint(field);
  if (failed_) return 0;
  if (n < 0) {
    fail(ErrorCode::kMalformed, field, "a negative count: " + std::to_string(n));
    return 0;
  }
  if (n > max) {
    fail(ErrorCode::kLimit, field, "a count of " + std::to_string(n) + ", at most " + std::to_string(max));
    return 0;
  }
  if (!need(field, static_cast<std::size_t>(n))) return 0;
  return n;
}

std::string Reader::string(std::string_view field, std::int32_t max_units) {
  const std::int32_t size = varint(field);
  if (failed_) return {};
  // One UTF-16 unit takes at most 3 bytes of UTF-8.
  if (size < 0 || static_cast<std::int64_t>(size) > static_cast<std::int64_t>(max_units) * 3) {
    fail(size < 0 ? ErrorCode::kMalformed : ErrorCode::kLimit, field,
         "a string of " + std::to_string(size) + " bytes, at most " + std::to_string(max_units) +
             " characters");
    return {};
  }
  const auto raw = bytes(field, static_cast<std::size_t>(size));
  const std::string_view text(reinterpret_cast<const char*>(raw.data()), raw.size());
  const std::int64_t units = utf16_length(text);
  if (units < 0) {
    fail(ErrorCode::kMalformed, field, "not UTF-8");
    return {};
  }
  if (units > max_units) {
    fail(ErrorCode::kLimit, field,
         "a string of " + std::to_string(units) + " characters, at most " + std::to_string(max_units));
    return {};
  }
  return std::string(text);
}

std::span<const std::uint8_t> Reader::bytes(std::string_view field, std::size_t size) {
  if (!need(field, size)) return {};
  const auto view = bytes_.subspan(offset_, size);
  offset_ += size;
  return view;
}

std::span<const std::uint8_t> Reader::rest(std::string_view field, std::size_t max) {
  if (failed_) return {};
  const std::size_t left = bytes_.size() - offset_;
  if (left > max) {
    fail(ErrorCode::kLimit, field, std::to_string(left) + " bytes, at most " + std::to_string(max));
    return {};
  }
  return bytes(field, left);
}

Uuid Reader::uuid(std::string_view field) {
  if (!need(field, 16)) return {};
  Uuid v;
  v.high = u64(field);
  v.low = u64(field);
  return v;
}

BlockPos Reader::block_pos(std::string_view field) {
  const auto v = static_cast<std::int64_t>(u64(field));
  const auto shifted = static_cast<std::uint64_t>(v);
  return {static_cast<std::int32_t>(v >> 38),
          static_cast<std::int32_t>(static_cast<std::int64_t>(shifted << 52) >> 52),
          static_cast<std::int32_t>(static_cast<std::int64_t>(shifted << 26) >> 38)};
}

float Reader::angle(std::string_view field) { return from_angle(i8(field)); }

Vec3 Reader::lp_vec3(std::string_view field) {
  const std::uint64_t low = u8(field);
  if (low == 0) return {};
  const std::uint64_t middle = u8(field);
  const std::uint64_t high = u32(field);
  const std::uint64_t packed = high << 16 | middle << 8 | low;
  std::uint64_t scale = low & 3;
  if (low & 4) scale |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(varint(field))) << 2;
  if (failed_) return {};
  const auto factor = static_cast<double>(scale);
  return {lp_unpack(packed, 3) * factor, lp_unpack(packed, 18) * factor, lp_unpack(packed, 33) * factor};
}

}  // namespace horizon::protocol
