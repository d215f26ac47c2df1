#include "shard/light/light_engine.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "common/game/game.hpp"

namespace horizon::shard {
namespace {

using world::Chunk;
using world::kLightSections;
using world::LightLayer;
using world::NibbleArray;

constexpr std::int32_t kFullLight = 15;
constexpr std::int32_t kLightMinY = kMinY - 16;
constexpr std::int32_t kLightMaxY = kMaxY + 16;
static_assert(kLightMaxY - kLightMinY + 1 == kLightSections * 16);

/// A block as light sees it: the filter in the low nibble, the emission in the high one.
using Optics = std::uint8_t;
constexpr Optics kOpaque = 15;

Optics optics_of(BlockState state) {
  return static_cast<Optics>(game::light_filter(state) | game::light_emission(state) << 4);
}
constexpr std::int32_t filter_of(Optics optics) { return optics & 15; }
constexpr std::int32_t emission_of(Optics optics) { return optics >> 4; }

/// What light loses on entering a block.
constexpr std::int32_t loss_into(Optics optics) { return std::max(1, filter_of(optics)); }

std::shared_ptr<NibbleArray> filled_array(std::uint8_t byte) {
  auto array = std::make_shared<NibbleArray>();
  array->bytes.fill(byte);
  return array;
}
/// The statics keep a reference, so that a writer always finds these shared and copies them.
const std::shared_ptr<NibbleArray>& full_array() {
  static const std::shared_ptr<NibbleArray> array = filled_array(0xff);
  return array;
}
const std::shared_ptr<NibbleArray>& dark_array() {
  static const std::shared_ptr<NibbleArray> array = filled_array(0);
  return array;
}

// --- From scratch --------------------------------------------------------

constexpr std::int32_t kWidth = 48;
constexpr std::int32_t kRow = kWidth * kWidth;

/// The blocks around one chunk and their light, in layers of 48 × 48 (y, z, x).
///
/// The outermost columns, and one layer below and above, are opaque: the flood needs no bounds. Light from
/// there is more than 15 blocks away from the middle chunk. Layer 1 is kLightMinY.
class Neighbourhood {
 public:
  void load(const std::array<const Chunk*, 9>& around);
  void light_sky();
  void light_blocks();
  void store_sky(LightLayer& layer) const;
  void store_blocks(LightLayer& layer) const;

 private:
  void load_section(const world::Section& section, std::size_t first);
  void flood();
  bool has_all(std::int32_t light_section, std::uint8_t level) const;
  std::shared_ptr<NibbleArray> pack(std::int32_t light_section) const;

  std::int32_t sections_ = 0;
  std::vector<Optics> optics_;
  std::vector<std::uint8_t> light_;
  std::vector<std::uint32_t> sources_;
  /// Cells by level; a cell whose level rose since stands in a higher bucket too.
  std::array<std::vector<std::uint32_t>, kFullLight + 1> buckets_;
};

bool is_clear(const world::Section& section) {
  // The ids themselves in place of a palette: more than 256 states are not all clear.
  if (section.blocks.bits() > 8) return false;
  return std::ranges::all_of(section.blocks.palette(),
                             [](BlockState state) { return optics_of(state) == 0; });
}

void Neighbourhood::load(const std::array<const Chunk*, 9>& around) {
  std::int32_t highest = kSections - 1;
  const auto is_clear_at = [&](std::int32_t s) {
    return std::ranges::all_of(around, [&](const Chunk* chunk) { return is_clear(chunk->section(s)); });
  };
  while (highest >= 0 && is_clear_at(highest)) --highest;
  // The section below the world, those up to the highest, and one more that block light can rise into.
  sections_ = highest + 3;
  const std::size_t layers = static_cast<std::size_t>(sections_) * 16;
  optics_.assign((layers + 2) * kRow, 0);
  light_.resize(optics_.size());
  sources_.clear();
  for (std::size_t i = 0; i < 9; ++i) {
    const std::size_t corner = i / 3 * 16 * kWidth + i % 3 * 16;
    for (std::int32_t s = 0; s <= highest; ++s) {
      load_section(around[i]->section(s), (static_cast<std::size_t>(s + 1) * 16 + 1) * kRow + corner);
    }
  }
  std::fill_n(optics_.begin(), kRow, kOpaque);
  std::fill_n(optics_.end() - kRow, kRow, kOpaque);
  for (std::size_t row = kRow; row < optics_.size() - kRow; row += kRow) {
    Optics* cells = optics_.data() + row;
    std::memset(cells, kOpaque, kWidth);
    std::memset(cells + kRow - kWidth, kOpaque, kWidth);
    for (std::int32_t z = 1; z < kWidth - 1; ++z) {
      cells[z * kWidth] = kOpaque;
      cells[z * kWidth + kWidth - 1] = kOpaque;
    }
  }
}

void Neighbourhood::load_section(const world::Section& section, std::size_t first) {
  const world::BlockContainer& blocks = section.blocks;
  std::array<Optics, 4096> cells;
  bool shines = false;
  if (blocks.bits() <= 8) {
    std::array<Optics, 256> of_entry{};
    const std::size_t entries = std::min<std::size_t>(blocks.palette().size(), of_entry.size());
    bool clear = true;
    for (std::size_t i = 0; i < entries; ++i) {
      of_entry[i] = optics_of(blocks.palette()[i]);
      clear = clear && of_entry[i] == 0;
      shines = shines || emission_of(of_entry[i]) > 0;
    }
    if (clear) return;
    if (blocks.is_uniform()) {
      cells.fill(of_entry[0]);
    } else {
      const std::int32_t bits = blocks.bits();
      const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
      const std::size_t per_word = static_cast<std::size_t>(64 / bits);
      std::size_t at = 0;
      for (std::uint64_t word : blocks.words()) {
        const std::size_t end = std::min<std::size_t>(at + per_word, cells.size());
        for (; at < end; ++at, word >>= bits) cells[at] = of_entry[word & mask];
      }
    }
  } else {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = optics_of(blocks.get(static_cast<std::int32_t>(i)));
    }
    shines = true;
  }
  for (std::size_t y = 0; y < 16; ++y) {
    for (std::size_t z = 0; z < 16; ++z) {
      std::memcpy(optics_.data() + first + y * kRow + z * kWidth, cells.data() + y * 256 + z * 16, 16);
    }
  }
  if (!shines) return;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (emission_of(cells[i]) == 0) continue;
    sources_.push_back(
        static_cast<std::uint32_t>(first + (i >> 8) * kRow + (i >> 4 & 15) * kWidth + (i & 15)));
  }
}

void Neighbourhood::light_sky() {
  const std::int32_t layers = sections_ * 16;
  std::fill(light_.begin(), light_.end(), std::uint8_t{0});
  // Straight down: 15 until the first block that takes light away. heights: the lowest lit layer.
  std::array<std::uint8_t, kRow> open;
  open.fill(kFullLight);
  std::array<std::int16_t, kRow> heights{};
  std::int32_t layer = layers;
  for (; layer >= 1; --layer) {
    const Optics* optics = optics_.data() + static_cast<std::size_t>(layer) * kRow;
    std::uint8_t* light = light_.data() + static_cast<std::size_t>(layer) * kRow;
    std::uint8_t any = 0;
    for (std::size_t c = 0; c < kRow; ++c) {
      const std::uint8_t passes = (optics[c] & 15) == 0 ? open[c] : std::uint8_t{0};
      open[c] = passes;
      light[c] = passes;
      heights[c] = static_cast<std::int16_t>(heights[c] + (passes != 0));
      any |= passes;
    }
    if (any == 0) break;
  }
  for (std::int16_t& height : heights) height = static_cast<std::int16_t>(layers + 1 - height);
  // The topmost section is clear, so that no column is closed at the top.
  // Only cells over a floor or beside a darker column have anything to give. The rim takes nothing.
  const auto height_beside = [&](std::int32_t x, std::int32_t z) -> std::int32_t {
    if (x == 0 || x == kWidth - 1 || z == 0 || z == kWidth - 1) return 0;
    return heights[static_cast<std::size_t>(z * kWidth + x)];
  };
  for (std::int32_t z = 1; z < kWidth - 1; ++z) {
    for (std::int32_t x = 1; x < kWidth - 1; ++x) {
      const std::int32_t height = height_beside(x, z);
      const std::int32_t end = std::max({height + 1, height_beside(x - 1, z), height_beside(x + 1, z),
                                         height_beside(x, z - 1), height_beside(x, z + 1)});
      for (std::int32_t y = height; y < end; ++y) {
        buckets_[kFullLight].push_back(static_cast<std::uint32_t>(y * kRow + z * kWidth + x));
      }
    }
  }
  flood();
}

void Neighbourhood::light_blocks() {
  if (sources_.empty()) return;
  std::fill(light_.begin(), light_.end(), std::uint8_t{0});
  for (const std::uint32_t cell : sources_) {
    // Zero on the rim, which was closed after the sources were found.
    const std::int32_t level = emission_of(optics_[cell]);
    light_[cell] = static_cast<std::uint8_t>(level);
    if (level > 1) buckets_[static_cast<std::size_t>(level)].push_back(cell);
  }
  flood();
}

void Neighbourhood::flood() {
  // Highest level first: a cell is final when its bucket is reached. Straight down needs no rule here:
  // light_sky has lit all that 15 reaches, and a source of block light of 15 loses one downwards like
  // everywhere.
  constexpr std::array<std::int32_t, 6> kSteps = {-1, 1, -kWidth, kWidth, -kRow, kRow};
  for (std::int32_t level = kFullLight; level > 1; --level) {
    std::vector<std::uint32_t>& bucket = buckets_[static_cast<std::size_t>(level)];
    for (const std::uint32_t cell : bucket) {
      if (light_[cell] != level) continue;
      for (const std::int32_t step : kSteps) {
        const std::size_t next = static_cast<std::size_t>(static_cast<std::int32_t>(cell) + step);
        if (light_[next] >= level - 1) continue;
        const std::int32_t reached = level - loss_into(optics_[next]);
        if (reached <= light_[next]) continue;
        light_[next] = static_cast<std::uint8_t>(reached);
        if (reached > 1)
          buckets_[static_cast<std::size_t>(reached)].push_back(static_cast<std::uint32_t>(next));
      }
    }
    bucket.clear();
  }
  buckets_[1].clear();
}

bool Neighbourhood::has_all(std::int32_t light_section, std::uint8_t level) const {
  std::array<std::uint8_t, 16> expected;
  expected.fill(level);
  for (std::int32_t y = 0; y < 16; ++y) {
    for (std::int32_t z = 0; z < 16; ++z) {
      const std::int32_t cell = (light_section * 16 + y + 1) * kRow + (z + 16) * kWidth + 16;
      if (std::memcmp(light_.data() + cell, expected.data(), expected.size()) != 0) return false;
    }
  }
  return true;
}

std::shared_ptr<NibbleArray> Neighbourhood::pack(std::int32_t light_section) const {
  auto array = std::make_shared<NibbleArray>();
  std::uint8_t* out = array->bytes.data();
  for (std::int32_t y = 0; y < 16; ++y) {
    for (std::int32_t z = 0; z < 16; ++z) {
      const std::uint8_t* in = light_.data() + (light_section * 16 + y + 1) * kRow + (z + 16) * kWidth + 16;
      for (std::int32_t x = 0; x < 16; x += 2) *out++ = static_cast<std::uint8_t>(in[x] | in[x + 1] << 4);
    }
  }
  return array;
}

void Neighbourhood::store_sky(LightLayer& layer) const {
  bool is_above_all = true;
  for (std::int32_t s = kLightSections - 1; s >= 0; --s) {
    std::shared_ptr<NibbleArray>& section = layer.sections[static_cast<std::size_t>(s)];
    if (s >= sections_ || has_all(s, kFullLight)) {
      section = is_above_all ? nullptr : full_array();
      continue;
    }
    is_above_all = false;
    section = has_all(s, 0) ? dark_array() : pack(s);
  }
}

void Neighbourhood::store_blocks(LightLayer& layer) const {
  for (std::int32_t s = 0; s < kLightSections; ++s) {
    const bool is_dark = sources_.empty() || s >= sections_ || has_all(s, 0);
    layer.sections[static_cast<std::size_t>(s)] = is_dark ? nullptr : pack(s);
  }
}

}  // namespace

void light_chunk(const std::array<const world::Chunk*, 9>& around, world::Chunk& target) {
  // About a megabyte, kept by each thread that lights chunks.
  thread_local Neighbourhood neighbourhood;
  neighbourhood.load(around);
  neighbourhood.light_sky();
  neighbourhood.store_sky(target.sky_light());
  neighbourhood.light_blocks();
  neighbourhood.store_blocks(target.block_light());
}

// --- Incremental ---------------------------------------------------------

namespace {

enum class Kind : std::uint8_t { kSky, kBlock };

constexpr std::array<BlockPos, 6> kDirections = {BlockPos{0, -1, 0}, BlockPos{0, 1, 0},  BlockPos{-1, 0, 0},
                                                 BlockPos{1, 0, 0},  BlockPos{0, 0, -1}, BlockPos{0, 0, 1}};
constexpr std::size_t kDown = 0;

constexpr BlockPos beside(BlockPos pos, BlockPos step) {
  return {pos.x + step.x, pos.y + step.y, pos.z + step.z};
}

/// One kind of light of the loaded chunks, for the length of one run.
///
/// Light reaches few chunks, so that a small table by the low bits of the position saves nearly every lookup.
class Field {
 public:
  Field(Kind kind, const LightUpdater::ChunkAt& chunk_at, std::unordered_map<ChunkPos, ChangedLight>& changed)
      : kind_(kind), missing_(kind == Kind::kSky ? kFullLight : 0), chunk_at_(chunk_at), changed_(changed) {}

  /// False where no chunk is, or beyond the light sections.
  bool seek(BlockPos pos) {
    if (pos.y < kLightMinY || pos.y > kLightMaxY) return false;
    const ChunkPos chunk = ChunkPos::of(pos);
    slot_ = &slots_[static_cast<std::size_t>((chunk.x & 3) | (chunk.z & 3) << 2)];
    if (!slot_->is_known || slot_->pos != chunk) *slot_ = {chunk, true, chunk_at_(chunk), nullptr};
    pos_ = pos;
    return slot_->chunk != nullptr;
  }

  // Of the block that the last successful seek() found.
  std::int32_t level() const {
    const std::shared_ptr<NibbleArray>& section = layer().sections[section_index()];
    return section ? section->get(world::section_index(pos_.x, pos_.y, pos_.z)) : missing_;
  }
  void set_level(std::int32_t level) {
    layer().set(pos_.x & 15, pos_.y, pos_.z & 15, static_cast<std::uint8_t>(level), missing_);
    if (slot_->changed == nullptr) slot_->changed = &changed_[slot_->pos];
    std::uint32_t& bits = kind_ == Kind::kSky ? slot_->changed->sky_sections : slot_->changed->block_sections;
    bits |= 1u << section_index();
  }
  Optics optics() const {
    if (pos_.y < kMinY || pos_.y > kMaxY) return 0;
    const world::Section& section = slot_->chunk->section((pos_.y - kMinY) >> 4);
    return optics_of(section.blocks.get(world::section_index(pos_.x, pos_.y, pos_.z)));
  }
  std::int32_t emission() const { return kind_ == Kind::kSky ? 0 : emission_of(optics()); }

  /// What `level` becomes on entering the block in direction `direction`.
  std::int32_t enter(std::int32_t level, std::size_t direction) const {
    const Optics entered = optics();
    if (falls_freely(level, direction) && filter_of(entered) == 0) return kFullLight;
    return level - loss_into(entered);
  }
  bool falls_freely(std::int32_t level, std::size_t direction) const {
    return kind_ == Kind::kSky && direction == kDown && level == kFullLight;
  }

 private:
  struct Slot {
    ChunkPos pos;
    bool is_known = false;
    Chunk* chunk = nullptr;
    ChangedLight* changed = nullptr;
  };

  LightLayer& layer() const {
    return kind_ == Kind::kSky ? slot_->chunk->sky_light() : slot_->chunk->block_light();
  }
  std::size_t section_index() const { return static_cast<std::size_t>((pos_.y - kLightMinY) >> 4); }

  Kind kind_;
  std::uint8_t missing_;
  const LightUpdater::ChunkAt& chunk_at_;
  std::unordered_map<ChunkPos, ChangedLight>& changed_;
  std::array<Slot, 16> slots_;
  Slot* slot_ = nullptr;
  BlockPos pos_;
};

struct Darkened {
  BlockPos pos;
  std::int32_t before;
};
using Buckets = std::array<std::vector<BlockPos>, kFullLight + 1>;

void queue(Buckets& buckets, BlockPos pos, std::int32_t level) {
  if (level > 1) buckets[static_cast<std::size_t>(level)].push_back(pos);
}

/// Takes away all light that came through the changed blocks. Queues what borders on it, and sources within
/// it.
void darken(Field& field, std::span<const BlockPos> changed, Buckets& buckets) {
  std::vector<Darkened> darkened;
  std::vector<BlockPos> sources;
  const auto take = [&](BlockPos pos, std::int32_t level) {
    field.set_level(0);
    darkened.push_back({pos, level});
  };
  for (const BlockPos pos : changed) {
    if (!field.seek(pos)) continue;
    if (field.emission() > 0) sources.push_back(pos);
    if (const std::int32_t level = field.level(); level > 0) take(pos, level);
  }
  for (std::size_t i = 0; i < darkened.size(); ++i) {
    const Darkened from = darkened[i];
    for (std::size_t direction = 0; direction < kDirections.size(); ++direction) {
      const BlockPos pos = beside(from.pos, kDirections[direction]);
      if (!field.seek(pos)) continue;
      const std::int32_t level = field.level();
      if (level == 0) continue;
      // Brighter than what came from there: it has light of its own.
      if (level > field.enter(from.before, direction)) {
        queue(buckets, pos, level);
        continue;
      }
      if (field.emission() > 0) sources.push_back(pos);
      take(pos, level);
    }
  }
  for (const BlockPos pos : sources) {
    if (!field.seek(pos)) continue;
    const std::int32_t level = field.emission();
    if (level <= field.level()) continue;
    field.set_level(level);
    queue(buckets, pos, level);
  }
}

void brighten(Field& field, Buckets& buckets) {
  for (std::int32_t level = kFullLight; level > 1; --level) {
    std::vector<BlockPos>& bucket = buckets[static_cast<std::size_t>(level)];
    // Free fall appends to the bucket that is being read.
    for (std::size_t i = 0; i < bucket.size(); ++i) {
      const BlockPos from = bucket[i];
      // Darkened after it was queued, or brighter since.
      if (!field.seek(from) || field.level() != level) continue;
      for (std::size_t direction = 0; direction < kDirections.size(); ++direction) {
        const BlockPos pos = beside(from, kDirections[direction]);
        if (!field.seek(pos)) continue;
        const std::int32_t before = field.level();
        if (before >= level - (field.falls_freely(level, direction) ? 0 : 1)) continue;
        const std::int32_t reached = field.enter(level, direction);
        if (reached <= before) continue;
        field.set_level(reached);
        queue(buckets, pos, reached);
      }
    }
    bucket.clear();
  }
}

void repair(Kind kind, const LightUpdater::ChunkAt& chunk_at, std::span<const BlockPos> changed,
            std::unordered_map<ChunkPos, ChangedLight>& result) {
  Field field(kind, chunk_at, result);
  Buckets buckets;
  darken(field, changed, buckets);
  // A block that lets more through than before takes from its neighbours.
  for (const BlockPos at : changed) {
    for (const BlockPos step : kDirections) {
      const BlockPos pos = beside(at, step);
      if (field.seek(pos)) queue(buckets, pos, field.level());
    }
  }
  brighten(field, buckets);
}

}  // namespace

LightUpdater::LightUpdater(ChunkAt chunk_at) : chunk_at_(std::move(chunk_at)) {}

void LightUpdater::block_changed(BlockPos pos, BlockState before, BlockState after) {
  if (pos.y < kMinY || pos.y > kMaxY) return;
  const Optics old_optics = optics_of(before), new_optics = optics_of(after);
  if (filter_of(old_optics) != filter_of(new_optics)) sky_changed_.push_back(pos);
  if (old_optics != new_optics) block_changed_.push_back(pos);
}

std::unordered_map<ChunkPos, ChangedLight> LightUpdater::run() {
  std::unordered_map<ChunkPos, ChangedLight> result;
  if (!sky_changed_.empty()) repair(Kind::kSky, chunk_at_, sky_changed_, result);
  if (!block_changed_.empty()) repair(Kind::kBlock, chunk_at_, block_changed_, result);
  sky_changed_.clear();
  block_changed_.clear();
  return result;
}

}  // namespace horizon::shard
