#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace horizon {

/// A block's coordinates in its dimension.
struct BlockPos {
  std::int32_t x = 0, y = 0, z = 0;
  auto operator<=>(const BlockPos&) const = default;
};

/// A chunk column's coordinates: blocks divided by 16.
struct ChunkPos {
  std::int32_t x = 0, z = 0;
  auto operator<=>(const ChunkPos&) const = default;
  static constexpr ChunkPos of(BlockPos block) { return {block.x >> 4, block.z >> 4}; }
  /// Both coordinates in one word, for messages and hash tables.
  constexpr std::uint64_t packed() const {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) |
           static_cast<std::uint64_t>(static_cast<std::uint32_t>(z)) << 32;
  }
  static constexpr ChunkPos unpack(std::uint64_t word) {
    return {static_cast<std::int32_t>(static_cast<std::uint32_t>(word)),
            static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 32))};
  }
};

/// Greatest distance on one axis: the metric of view distances.
constexpr std::int32_t chebyshev(ChunkPos a, ChunkPos b) {
  const std::int32_t dx = a.x < b.x ? b.x - a.x : a.x - b.x;
  const std::int32_t dz = a.z < b.z ? b.z - a.z : a.z - b.z;
  return dx < dz ? dz : dx;
}

inline constexpr std::int32_t kRegionChunks = 8;

/// The unit of ownership: 8 × 8 chunks of one dimension.
struct RegionPos {
  std::int32_t x = 0, z = 0;
  auto operator<=>(const RegionPos&) const = default;
  static constexpr RegionPos of(ChunkPos chunk) { return {chunk.x >> 3, chunk.z >> 3}; }
  constexpr std::uint64_t packed() const { return ChunkPos{x, z}.packed(); }
  static constexpr RegionPos unpack(std::uint64_t word) {
    const ChunkPos c = ChunkPos::unpack(word);
    return {c.x, c.z};
  }
};

struct Vec3 {
  double x = 0, y = 0, z = 0;
  bool operator==(const Vec3&) const = default;
  Vec3 operator+(Vec3 o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec3 operator-(Vec3 o) const { return {x - o.x, y - o.y, z - o.z}; }
  double length_squared() const { return x * x + y * y + z * z; }
  BlockPos block() const {
    return {static_cast<std::int32_t>(std::floor(x)), static_cast<std::int32_t>(std::floor(y)),
            static_cast<std::int32_t>(std::floor(z))};
  }
  ChunkPos chunk() const { return ChunkPos::of(block()); }
};

/// 128 bits, most significant word first, as the protocol sends it.
struct Uuid {
  std::uint64_t high = 0, low = 0;
  auto operator<=>(const Uuid&) const = default;
};

/// "069a79f4-44e9-4726-a5be-fca90e38aaf5".
std::string to_string(Uuid uuid);

using EntityId = std::int32_t;
using ShardId = std::int32_t;
using BlockState = std::uint16_t;
/// Grows with every change of a region's owner, or of who simulates a player (there it is called hop).
using Epoch = std::uint64_t;

inline constexpr std::int32_t kMinY = -64;
inline constexpr std::int32_t kWorldHeight = 384;
inline constexpr std::int32_t kMaxY = kMinY + kWorldHeight - 1;
inline constexpr std::int32_t kSections = kWorldHeight / 16;

/// Spreads the bits of a packed position over a word (splitmix64's finaliser).
constexpr std::uint64_t mix64(std::uint64_t v) {
  v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9ULL;
  v = (v ^ (v >> 27)) * 0x94d049bb133111ebULL;
  return v ^ (v >> 31);
}

}  // namespace horizon

template <>
struct std::hash<horizon::ChunkPos> {
  std::size_t operator()(horizon::ChunkPos p) const noexcept { return horizon::mix64(p.packed()); }
};
template <>
struct std::hash<horizon::RegionPos> {
  std::size_t operator()(horizon::RegionPos p) const noexcept { return horizon::mix64(p.packed()); }
};
template <>
struct std::hash<horizon::Uuid> {
  std::size_t operator()(horizon::Uuid u) const noexcept {
    return horizon::mix64(u.high ^ horizon::mix64(u.low));
  }
};
template <>
struct std::hash<horizon::BlockPos> {
  std::size_t operator()(horizon::BlockPos p) const noexcept {
    return horizon::mix64(horizon::ChunkPos{p.x, p.z}.packed() * 31 + static_cast<std::uint32_t>(p.y));
  }
};
