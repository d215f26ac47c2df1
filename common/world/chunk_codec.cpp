#include <algorithm>
#include <bit>
#include <string>

#include "common/game/game.hpp"
#include "common/protocol/buffer.hpp"
#include "common/world/chunk.hpp"

namespace horizon::world {
namespace {

using protocol::Reader;
using protocol::Writer;

constexpr std::int32_t kHeightmapBits = 9;
constexpr std::int32_t kHeightmapWords = 37;
constexpr std::int32_t kLightBytes = 2048;
constexpr std::array<Heightmap, 3> kHeightmaps{Heightmap::kWorldSurface, Heightmap::kMotionBlocking,
                                               Heightmap::kMotionBlockingNoLeaves};
constexpr std::int32_t kMaxSectionBytes = 1 << 20;
constexpr std::uint32_t kAllLight = (1U << kLightSections) - 1;

template <class Container>
void write_container(Writer& w, const Container& container) {
  w.u8(static_cast<std::uint8_t>(container.bits()));
  if (container.bits() == 0) {
    w.varint(container.palette()[0]);
    return;
  }
  if (!container.palette().empty()) {
    w.varint(static_cast<std::int32_t>(container.palette().size()));
    for (const std::uint16_t id : container.palette()) w.varint(id);
  }
  for (const std::uint64_t word : container.words()) w.u64(word);
}

template <class Container>
void read_container(Reader& r, Container& container, std::int32_t direct_bits, std::int32_t max_palette,
                    std::int32_t ids) {
  const std::int32_t bits = r.u8("bits");
  std::vector<std::uint16_t> palette;
  const auto id = [&] {
    const std::int32_t value = r.varint("palette");
    if (value < 0 || value >= ids)
      r.fail(ErrorCode::kMalformed, "palette", "no such id: " + std::to_string(value));
    return static_cast<std::uint16_t>(value);
  };
  if (bits == 0) {
    palette.push_back(id());
  } else if (bits != direct_bits) {
    const std::int32_t size = r.count("palette size", max_palette);
    for (std::int32_t i = 0; i < size && r.ok(); ++i) palette.push_back(id());
  }
  if (bits > direct_bits) {
    r.fail(ErrorCode::kMalformed, "bits", "too many");
    return;
  }
  std::vector<std::uint64_t> words(static_cast<std::size_t>(Container::words_for(bits)));
  if (r.remaining() < words.size() * 8) {
    r.fail(ErrorCode::kMalformed, "words", "too few bytes");
    return;
  }
  for (std::uint64_t& word : words) word = r.u64("words");
  if (r.ok() && !container.restore(bits, std::move(palette), std::move(words))) {
    r.fail(ErrorCode::kMalformed, "container", "its parts do not fit together");
  }
}

bool is_all_zero(const NibbleArray& array) {
  return std::all_of(array.bytes.begin(), array.bytes.end(), [](std::uint8_t b) { return b == 0; });
}

struct Masks {
  std::uint32_t present = 0;
  std::uint32_t empty = 0;
};

/// A null sky section is full light above all terrain: named by neither mask, the client takes it for that.
Masks masks_of(const LightLayer& layer, std::uint32_t wants) {
  Masks masks;
  for (std::size_t i = 0; i < kLightSections; ++i) {
    const std::uint32_t bit = 1U << i;
    if ((wants & bit) == 0 || !layer.sections[i]) continue;
    (is_all_zero(*layer.sections[i]) ? masks.empty : masks.present) |= bit;
  }
  return masks;
}

void write_mask(Writer& w, std::uint32_t mask) {
  w.varint(mask == 0 ? 0 : 1);
  if (mask != 0) w.u64(mask);
}

void write_light(Writer& w, const Chunk& chunk, std::uint32_t sky_wants, std::uint32_t block_wants) {
  const Masks sky = masks_of(chunk.sky_light(), sky_wants);
  Masks block = masks_of(chunk.block_light(), block_wants);
  block.empty = block_wants & ~block.present;
  write_mask(w, sky.present);
  write_mask(w, block.present);
  write_mask(w, sky.empty);
  write_mask(w, block.empty);
  const auto arrays = [&](const LightLayer& layer, std::uint32_t present) {
    w.varint(std::popcount(present));
    for (std::size_t i = 0; i < kLightSections; ++i) {
      if ((present >> i & 1) == 0) continue;
      w.varint(kLightBytes);
      w.bytes(layer.sections[i]->bytes);
    }
  };
  arrays(chunk.sky_light(), sky.present);
  arrays(chunk.block_light(), block.present);
}

std::uint32_t read_mask(Reader& r, std::string_view name) {
  const std::int32_t words = r.count(name, 1);
  if (words == 0) return 0;
  const std::uint64_t mask = r.u64(name);
  if (mask > kAllLight) r.fail(ErrorCode::kMalformed, name, "more light sections than the world has");
  return static_cast<std::uint32_t>(mask);
}

void read_layer(Reader& r, std::string_view name, LightLayer& layer, std::uint32_t present,
                std::uint32_t empty) {
  if ((present & empty) != 0) r.fail(ErrorCode::kMalformed, name, "a section is both present and empty");
  if (r.count(name, kLightSections) != std::popcount(present)) {
    r.fail(ErrorCode::kMalformed, name, "another number of arrays than the mask says");
  }
  for (std::size_t i = 0; i < kLightSections && r.ok(); ++i) {
    if ((present >> i & 1) != 0) {
      if (r.varint(name) != kLightBytes) r.fail(ErrorCode::kMalformed, name, "not 2048 bytes");
      const auto bytes = r.bytes(name, kLightBytes);
      if (bytes.size() != kLightBytes) return;
      layer.sections[i] = std::make_shared<NibbleArray>();
      std::copy(bytes.begin(), bytes.end(), layer.sections[i]->bytes.begin());
    } else if ((empty >> i & 1) != 0) {
      layer.sections[i] = std::make_shared<NibbleArray>();
    }
  }
}

}  // namespace

std::vector<std::uint8_t> encode_chunk_packet(const Chunk& chunk) {
  Writer w(16 * 1024);
  w.i32(chunk.pos().x);
  w.i32(chunk.pos().z);
  w.varint(static_cast<std::int32_t>(kHeightmaps.size()));
  for (const Heightmap kind : kHeightmaps) {
    w.varint(static_cast<std::int32_t>(kind));
    w.varint(kHeightmapWords);
    std::uint64_t word = 0;
    std::int32_t shift = 0;
    for (std::int32_t column = 0; column < 256; ++column) {
      const auto height = static_cast<std::uint64_t>(chunk.height(kind, column & 15, column >> 4) - kMinY);
      word |= height << shift;
      shift += kHeightmapBits;
      if (shift + kHeightmapBits > 64 || column == 255) {
        w.u64(word);
        word = 0;
        shift = 0;
      }
    }
  }
  Writer sections(12 * 1024);
  for (std::int32_t i = 0; i < kSections; ++i) {
    const Section& section = chunk.section(i);
    sections.u16(section.non_air);
    sections.u16(section.fluids);
    write_container(sections, section.blocks);
    write_container(sections, section.biomes);
  }
  w.varint(static_cast<std::int32_t>(sections.size()));
  w.bytes(sections.view());
  w.varint(0);
  write_light(w, chunk, kAllLight, kAllLight);
  return w.take();
}

std::vector<std::uint8_t> encode_light_update(const Chunk& chunk, std::uint32_t sky_sections,
                                              std::uint32_t block_sections) {
  Writer w(8 * 1024);
  w.varint(chunk.pos().x);
  w.varint(chunk.pos().z);
  write_light(w, chunk, sky_sections, block_sections);
  return w.take();
}

Result<Chunk> decode_chunk_packet(std::span<const std::uint8_t> body) {
  Reader r(body, "level_chunk_with_light");
  const std::int32_t x = r.i32("x");
  Chunk chunk({x, r.i32("z")});
  const std::int32_t maps = r.count("heightmaps", 8);
  for (std::int32_t i = 0; i < maps && r.ok(); ++i) {
    r.varint("heightmap type");
    const std::int32_t words = r.count("heightmap", kHeightmapWords);
    r.bytes("heightmap", static_cast<std::size_t>(words) * 8);
  }
  const auto section_bytes = static_cast<std::size_t>(r.count("section bytes", kMaxSectionBytes));
  const std::size_t sections_at = r.offset();
  for (std::int32_t i = 0; i < kSections && r.ok(); ++i) {
    Section& section = chunk.writable_section(i);
    section.non_air = r.u16("non-air count");
    section.fluids = r.u16("fluid count");
    read_container(r, section.blocks, 15, 256, game::block_state_count());
    read_container(r, section.biomes, 7, 8, 128);
    if (section.blocks.bits() == 15) {
      for (std::int32_t k = 0; k < 4096; ++k) {
        if (section.blocks.get(k) >= game::block_state_count()) {
          r.fail(ErrorCode::kMalformed, "blocks", "no such block state");
          break;
        }
      }
    }
    if (r.ok()) section.recount();
  }
  if (r.ok() && r.offset() - sections_at != section_bytes) {
    r.fail(ErrorCode::kMalformed, "section bytes", "not what the sections take");
  }
  if (r.count("block entities", 0) != 0) r.fail(ErrorCode::kMalformed, "block entities", "not expected");
  const std::uint32_t sky = read_mask(r, "sky mask");
  const std::uint32_t block = read_mask(r, "block mask");
  const std::uint32_t empty_sky = read_mask(r, "empty sky mask");
  const std::uint32_t empty_block = read_mask(r, "empty block mask");
  read_layer(r, "sky light", chunk.sky_light(), sky, empty_sky);
  read_layer(r, "block light", chunk.block_light(), block, 0);
  if ((block & empty_block) != 0)
    r.fail(ErrorCode::kMalformed, "block light", "a section is both present and empty");
  r.expect_end();
  if (!r.ok()) return r.error();
  chunk.rebuild_heightmaps();
  return chunk;
}

}  // namespace horizon::world
