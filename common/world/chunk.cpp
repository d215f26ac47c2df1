#include "common/world/chunk.hpp"

#include <algorithm>
#include <atomic>

#include "common/game/game.hpp"

namespace horizon::world {
namespace {

const std::shared_ptr<Section>& empty_section() {
  static const auto section = std::make_shared<Section>();
  return section;
}

/// Copies what a snapshot still holds.
template <class T>
void make_unshared(std::shared_ptr<T>& value) {
  if (value.use_count() > 1) {
    value = std::make_shared<T>(*value);
    return;
  }
  // use_count() orders nothing: the reads of a worker that has just dropped its copy must come before our
  // writes.
  std::atomic_thread_fence(std::memory_order_acquire);
}

std::size_t light_section(std::int32_t y) { return static_cast<std::size_t>((y - kMinY + 16) >> 4); }

bool counts_for(std::size_t kind, BlockState state) {
  if (kind == 0) return !game::is_air(state);
  return game::blocks_motion(state) && (kind == 1 || !game::is_leaves(state));
}

std::size_t kind_index(Heightmap kind) {
  return kind == Heightmap::kWorldSurface ? 0 : kind == Heightmap::kMotionBlocking ? 1 : 2;
}

}  // namespace

std::uint8_t LightLayer::get(std::int32_t x, std::int32_t y, std::int32_t z, std::uint8_t missing) const {
  const auto& section = sections[light_section(y)];
  return section ? section->get(section_index(x, y, z)) : missing;
}

void LightLayer::set(std::int32_t x, std::int32_t y, std::int32_t z, std::uint8_t value,
                     std::uint8_t missing) {
  auto& section = sections[light_section(y)];
  if (!section) {
    section = std::make_shared<NibbleArray>();
    section->bytes.fill(static_cast<std::uint8_t>(missing | missing << 4));
  } else {
    make_unshared(section);
  }
  section->set(section_index(x, y, z), value);
}

Chunk::Chunk(ChunkPos pos) : pos_(pos) {
  sections_.fill(empty_section());
  for (auto& map : heights_) map.fill(static_cast<std::int16_t>(kMinY));
}

BlockState Chunk::block(std::int32_t x, std::int32_t y, std::int32_t z) const {
  if (y < kMinY || y > kMaxY) return game::kAir;
  return sections_[static_cast<std::size_t>((y - kMinY) >> 4)]->blocks.get(section_index(x, y, z));
}

Section& Chunk::writable_section(std::int32_t index) {
  auto& section = sections_[static_cast<std::size_t>(index)];
  make_unshared(section);
  return *section;
}

BlockState Chunk::set_block(std::int32_t x, std::int32_t y, std::int32_t z, BlockState state) {
  HZ_CHECK(y >= kMinY && y <= kMaxY);
  const BlockState known = block(x, y, z);
  if (known == state) return known;
  Section& section = writable_section((y - kMinY) >> 4);
  section.blocks.set(section_index(x, y, z), state);
  section.non_air = static_cast<std::uint16_t>(section.non_air + !game::is_air(state) - !game::is_air(known));
  section.fluids =
      static_cast<std::uint16_t>(section.fluids + game::has_fluid(state) - game::has_fluid(known));
  const auto column = static_cast<std::size_t>((z & 15) << 4 | (x & 15));
  for (std::size_t kind = 0; kind < heights_.size(); ++kind) {
    std::int16_t& height = heights_[kind][column];
    if (counts_for(kind, state)) {
      height = std::max(height, static_cast<std::int16_t>(y + 1));
    } else if (height == y + 1) {
      std::int32_t top = y - 1;
      while (top >= kMinY && !counts_for(kind, block(x, top, z))) --top;
      height = static_cast<std::int16_t>(top + 1);
    }
  }
  return known;
}

void Chunk::rebuild_heightmaps() {
  for (auto& map : heights_) map.fill(static_cast<std::int16_t>(kMinY));
  std::array<std::int32_t, 3> left{256, 256, 256};
  for (std::int32_t index = kSections - 1; index >= 0; --index) {
    const Section& here = section(index);
    if (here.non_air == 0) continue;
    for (std::int32_t y = 15; y >= 0; --y) {
      const auto height = static_cast<std::int16_t>(kMinY + index * 16 + y + 1);
      for (std::int32_t column = 0; column < 256; ++column) {
        const BlockState state = here.blocks.get(y << 8 | column);
        for (std::size_t kind = 0; kind < heights_.size(); ++kind) {
          std::int16_t& known = heights_[kind][static_cast<std::size_t>(column)];
          if (known != kMinY || !counts_for(kind, state)) continue;
          known = height;
          --left[kind];
        }
      }
      if (left == std::array<std::int32_t, 3>{}) return;
    }
  }
}

std::int32_t Chunk::height(Heightmap kind, std::int32_t x, std::int32_t z) const {
  return heights_[kind_index(kind)][static_cast<std::size_t>((z & 15) << 4 | (x & 15))];
}

}  // namespace horizon::world
