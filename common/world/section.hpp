#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/base/ids.hpp"

namespace horizon::world {

/// Index of a block in its section: y, z, x.
constexpr std::int32_t section_index(std::int32_t x, std::int32_t y, std::int32_t z) {
  return (y & 15) << 8 | (z & 15) << 4 | (x & 15);
}

/// Ids of `kSize` cells behind a palette: one value for all, or packed indices of 4 to 8 bits into a palette,
/// or the ids themselves. The shape of the protocol's paletted container, kept in memory as it goes over the
/// wire.
template <std::int32_t kSize, std::int32_t kMinBits, std::int32_t kMaxPaletteBits, std::int32_t kDirectBits>
class PalettedContainer {
 public:
  explicit PalettedContainer(std::uint16_t fill = 0) : palette_{fill} {}

  std::uint16_t get(std::int32_t index) const {
    if (bits_ == 0) return palette_[0];
    const std::uint32_t raw = raw_at(index);
    return bits_ == kDirectBits ? static_cast<std::uint16_t>(raw) : palette_[raw];
  }
  /// Returns what was there.
  std::uint16_t set(std::int32_t index, std::uint16_t id);
  /// Replaces all cells: `ids` has kSize entries.
  void assign(const std::uint16_t* ids);
  void fill(std::uint16_t id);
  bool is_uniform() const { return bits_ == 0; }

  std::int32_t bits() const { return bits_; }
  const std::vector<std::uint16_t>& palette() const { return palette_; }
  const std::vector<std::uint64_t>& words() const { return words_; }
  /// For decoders. False (and unchanged) when the parts do not fit together or an index points past the
  /// palette.
  bool restore(std::int32_t bits, std::vector<std::uint16_t> palette, std::vector<std::uint64_t> words);
  static constexpr std::int32_t words_for(std::int32_t bits) {
    return bits == 0 ? 0 : (kSize + 64 / bits - 1) / (64 / bits);
  }

 private:
  std::uint32_t raw_at(std::int32_t index) const {
    const std::int32_t per_word = 64 / bits_;
    const std::uint64_t word = words_[static_cast<std::size_t>(index / per_word)];
    return static_cast<std::uint32_t>(word >> (index % per_word * bits_) & ((std::uint64_t{1} << bits_) - 1));
  }
  void put_raw(std::int32_t index, std::uint32_t value);
  void repack(std::int32_t bits);

  std::int32_t bits_ = 0;
  std::vector<std::uint16_t> palette_;
  std::vector<std::uint64_t> words_;
};

/// Block states: palettes of 4 to 8 bits, then 15 bits direct (protocol 775).
using BlockContainer = PalettedContainer<4096, 4, 8, 15>;
/// Biomes in cells of 4×4×4: palettes of 1 to 3 bits, then direct with the bits of the registry (65 biomes:
/// 7).
using BiomeContainer = PalettedContainer<64, 1, 3, 7>;

/// A cube of 16 blocks.
struct Section {
  BlockContainer blocks;
  BiomeContainer biomes;
  /// Blocks that are not air, cave air or void air; blocks with a fluid in them.
  std::uint16_t non_air = 0;
  std::uint16_t fluids = 0;
  /// Counts anew after `blocks` was assigned.
  void recount();
};

}  // namespace horizon::world
