#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/base/ids.hpp"
#include "common/base/result.hpp"
#include "common/world/section.hpp"

namespace horizon::world {

/// 4 bits for each block of a section, in the protocol's order (y, z, x; low nibble first).
struct NibbleArray {
  std::array<std::uint8_t, 2048> bytes{};
  std::uint8_t get(std::int32_t index) const {
    return static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(index >> 1)] >> ((index & 1) * 4) & 15);
  }
  void set(std::int32_t index, std::uint8_t value) {
    std::uint8_t& b = bytes[static_cast<std::size_t>(index >> 1)];
    const int shift = (index & 1) * 4;
    b = static_cast<std::uint8_t>((b & ~(15 << shift)) | (value & 15) << shift);
  }
};

/// Sections of light: one below the world, the world's, one above it, as the protocol counts them.
inline constexpr std::int32_t kLightSections = kSections + 2;

/// One kind of light (sky or block) of a chunk. A null section is all `fill_above` (sky) or all zero.
struct LightLayer {
  std::array<std::shared_ptr<NibbleArray>, kLightSections> sections;
  /// 0 to 15. REQUIRES: kMinY - 16 <= y < kMinY + kWorldHeight + 16. A null section reads as `missing`.
  std::uint8_t get(std::int32_t x, std::int32_t y, std::int32_t z, std::uint8_t missing) const;
  /// Copies a section that a snapshot shares before it writes.
  void set(std::int32_t x, std::int32_t y, std::int32_t z, std::uint8_t value, std::uint8_t missing);
};

enum class Heightmap : std::uint8_t { kWorldSurface = 1, kMotionBlocking = 4, kMotionBlockingNoLeaves = 5 };

/// One column of the world: 24 sections, heightmaps and light.
///
/// A value: copying it is a snapshot that costs two dozen reference counts. Sections are shared between
/// copies and copied at the first write (a copy handed to a worker never changes under it). Belongs to one
/// thread at a time.
class Chunk {
 public:
  explicit Chunk(ChunkPos pos);

  ChunkPos pos() const { return pos_; }
  /// The same blocks and light at another place; the sections are shared.
  Chunk at(ChunkPos pos) const {
    Chunk copy = *this;
    copy.pos_ = pos;
    return copy;
  }

  /// Air outside the world's height. x and z are taken modulo 16.
  BlockState block(std::int32_t x, std::int32_t y, std::int32_t z) const;
  BlockState block(BlockPos p) const { return block(p.x, p.y, p.z); }
  /// Returns what was there. Keeps counts and heightmaps right. REQUIRES: kMinY <= y <= kMaxY.
  BlockState set_block(std::int32_t x, std::int32_t y, std::int32_t z, BlockState state);
  BlockState set_block(BlockPos p, BlockState state) { return set_block(p.x, p.y, p.z, state); }

  /// `index` 0 is the lowest section.
  const Section& section(std::int32_t index) const { return *sections_[static_cast<std::size_t>(index)]; }
  /// For generators, which fill whole sections: call rebuild_heightmaps() afterwards.
  Section& writable_section(std::int32_t index);
  void rebuild_heightmaps();

  /// The y of the first free block above the highest matching one, kMinY when the column has none.
  std::int32_t height(Heightmap kind, std::int32_t x, std::int32_t z) const;

  LightLayer& sky_light() { return sky_light_; }
  const LightLayer& sky_light() const { return sky_light_; }
  LightLayer& block_light() { return block_light_; }
  const LightLayer& block_light() const { return block_light_; }

 private:
  ChunkPos pos_;
  std::array<std::shared_ptr<Section>, kSections> sections_;
  std::array<std::array<std::int16_t, 256>, 3> heights_{};
  LightLayer sky_light_;
  LightLayer block_light_;
};

/// The body of level_chunk_with_light for protocol 775, without the packet id: position, heightmaps,
/// sections, no block entities, light. Source: protocol 775.
std::vector<std::uint8_t> encode_chunk_packet(const Chunk& chunk);

/// The body of light_update for the given light sections (bit i = light section i of kLightSections).
std::vector<std::uint8_t> encode_light_update(const Chunk& chunk, std::uint32_t sky_sections,
                                              std::uint32_t block_sections);

/// Reads what encode_chunk_packet wrote, light included; never trusts a length. For replicas of neighbour
/// shards.
Result<Chunk> decode_chunk_packet(std::span<const std::uint8_t> body);

}  // namespace horizon::world
