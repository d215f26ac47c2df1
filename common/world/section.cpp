#include "common/world/section.hpp"

#include <algorithm>

#include "common/base/result.hpp"
#include "common/game/game.hpp"

namespace horizon::world {

template <std::int32_t kSize, std::int32_t kMinBits, std::int32_t kMaxPaletteBits, std::int32_t kDirectBits>
void PalettedContainer<kSize, kMinBits, kMaxPaletteBits, kDirectBits>::put_raw(std::int32_t index,
                                                                               std::uint32_t value) {
  const std::int32_t per_word = 64 / bits_;
  std::uint64_t& word = words_[static_cast<std::size_t>(index / per_word)];
  const std::int32_t shift = index % per_word * bits_;
  const std::uint64_t mask = ((std::uint64_t{1} << bits_) - 1) << shift;
  word = (word & ~mask) | std::uint64_t{value} << shift;
}

template <std::int32_t kSize, std::int32_t kMinBits, std::int32_t kMaxPaletteBits, std::int32_t kDirectBits>
void PalettedContainer<kSize, kMinBits, kMaxPaletteBits, kDirectBits>::repack(std::int32_t bits) {
  std::array<std::uint16_t, kSize> ids;
  for (std::int32_t i = 0; i < kSize; ++i) ids[static_cast<std::size_t>(i)] = get(i);
  std::array<std::uint32_t, kSize> raw;
  for (std::int32_t i = 0; i < kSize; ++i) {
    const auto k = static_cast<std::size_t>(i);
    raw[k] = bits == kDirectBits ? ids[k] : (bits_ == 0 ? 0 : raw_at(i));
  }
  bits_ = bits;
  if (bits == kDirectBits) palette_.clear();
  words_.assign(static_cast<std::size_t>(words_for(bits)), 0);
  for (std::int32_t i = 0; i < kSize; ++i) put_raw(i, raw[static_cast<std::size_t>(i)]);
}

template <std::int32_t kSize, std::int32_t kMinBits, std::int32_t kMaxPaletteBits, std::int32_t kDirectBits>
std::uint16_t PalettedContainer<kSize, kMinBits, kMaxPaletteBits, kDirectBits>::set(std::int32_t index,
                                                                                    std::uint16_t id) {
  const std::uint16_t before = get(index);
  if (before == id) return before;
  if (bits_ == kDirectBits) {
    put_raw(index, id);
    return before;
  }
  const auto known = std::find(palette_.begin(), palette_.end(), id);
  const auto entry = static_cast<std::uint32_t>(known - palette_.begin());
  if (known == palette_.end()) {
    std::int32_t bits = std::max(bits_, kMinBits);
    while ((std::size_t{1} << bits) < palette_.size() + 1) ++bits;
    if (bits > kMaxPaletteBits) {
      repack(kDirectBits);
      put_raw(index, id);
      return before;
    }
    if (bits != bits_) repack(bits);
    palette_.push_back(id);
  }
  put_raw(index, entry);
  return before;
}

template <std::int32_t kSize, std::int32_t kMinBits, std::int32_t kMaxPaletteBits, std::int32_t kDirectBits>
void PalettedContainer<kSize, kMinBits, kMaxPaletteBits, kDirectBits>::assign(const std::uint16_t* ids) {
  std::vector<std::uint16_t> palette;
  std::array<std::uint16_t, kSize> raw;
  bool is_direct = false;
  std::uint16_t last_entry = 0;
  for (std::size_t i = 0; i < kSize; ++i) {
    if (palette.empty() || palette[last_entry] != ids[i]) {
      const auto known = std::find(palette.begin(), palette.end(), ids[i]);
      last_entry = static_cast<std::uint16_t>(known - palette.begin());
      if (known == palette.end()) palette.push_back(ids[i]);
      if (palette.size() > std::size_t{1} << kMaxPaletteBits) {
        is_direct = true;
        break;
      }
    }
    raw[i] = last_entry;
  }
  if (palette.size() == 1) {
    fill(ids[0]);
    return;
  }
  std::int32_t bits = kMinBits;
  while (!is_direct && (std::size_t{1} << bits) < palette.size()) ++bits;
  bits_ = is_direct ? kDirectBits : bits;
  palette_ = is_direct ? std::vector<std::uint16_t>{} : std::move(palette);
  words_.assign(static_cast<std::size_t>(words_for(bits_)), 0);
  for (std::int32_t i = 0; i < kSize; ++i) {
    put_raw(i, is_direct ? ids[static_cast<std::size_t>(i)] : raw[static_cast<std::size_t>(i)]);
  }
}

template <std::int32_t kSize, std::int32_t kMinBits, std::int32_t kMaxPaletteBits, std::int32_t kDirectBits>
void PalettedContainer<kSize, kMinBits, kMaxPaletteBits, kDirectBits>::fill(std::uint16_t id) {
  bits_ = 0;
  palette_.assign(1, id);
  words_.clear();
}

template <std::int32_t kSize, std::int32_t kMinBits, std::int32_t kMaxPaletteBits, std::int32_t kDirectBits>
bool PalettedContainer<kSize, kMinBits, kMaxPaletteBits, kDirectBits>::restore(
    std::int32_t bits, std::vector<std::uint16_t> palette, std::vector<std::uint64_t> words) {
  const bool is_palette = bits >= kMinBits && bits <= kMaxPaletteBits;
  if (bits != 0 && bits != kDirectBits && !is_palette) return false;
  if (words.size() != static_cast<std::size_t>(words_for(bits))) return false;
  if (bits == 0    ? palette.size() != 1
      : is_palette ? palette.empty() || palette.size() > std::size_t{1} << bits
                   : !palette.empty()) {
    return false;
  }
  PalettedContainer candidate;
  candidate.bits_ = bits;
  candidate.palette_ = std::move(palette);
  candidate.words_ = std::move(words);
  if (is_palette) {
    for (std::int32_t i = 0; i < kSize; ++i) {
      if (candidate.raw_at(i) >= candidate.palette_.size()) return false;
    }
  }
  *this = std::move(candidate);
  return true;
}

template class PalettedContainer<4096, 4, 8, 15>;
template class PalettedContainer<64, 1, 3, 7>;

void Section::recount() {
  non_air = 0;
  fluids = 0;
  if (blocks.is_uniform()) {
    const BlockState state = blocks.get(0);
    non_air = game::is_air(state) ? 0 : 4096;
    fluids = game::has_fluid(state) ? 4096 : 0;
    return;
  }
  for (std::int32_t i = 0; i < 4096; ++i) {
    const BlockState state = blocks.get(i);
    if (!game::is_air(state)) ++non_air;
    if (game::has_fluid(state)) ++fluids;
  }
}

}  // namespace horizon::world
