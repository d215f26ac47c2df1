#include "shard/worldgen/structure/structure_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "shard/worldgen/biome/multi_noise.hpp"
#include "shard/worldgen/terrain/math.hpp"

namespace horizon::worldgen {

namespace {

constexpr std::int32_t kReach = 8;  ///< chunks that a start can reach
constexpr std::size_t kCachedChunks = 16384;
/// By how much the box of a start that shapes the terrain is larger than its pieces.
constexpr std::int32_t kAdaptationMargin = 12;

std::int32_t step_of(std::string_view name) {
  constexpr std::array<std::string_view, 11> kSteps = {"raw_generation",        "lakes",
                                                       "local_modifications",   "underground_structures",
                                                       "surface_structures",    "strongholds",
                                                       "underground_ores",      "underground_decoration",
                                                       "fluid_springs",         "vegetal_decoration",
                                                       "top_layer_modification"};
  const auto it = std::ranges::find(kSteps, name);
  if (it == kSteps.end()) throw FigureError("unknown decoration step \"" + std::string(name) + "\"");
  return static_cast<std::int32_t>(it - kSteps.begin());
}

TerrainAdaptation adaptation_of(std::string_view name) {
  if (name == "none") return TerrainAdaptation::kNone;
  if (name == "bury") return TerrainAdaptation::kBury;
  if (name == "beard_thin") return TerrainAdaptation::kBeardThin;
  if (name == "beard_box") return TerrainAdaptation::kBeardBox;
  if (name == "encapsulate") return TerrainAdaptation::kEncapsulate;
  throw FigureError("unknown terrain_adaptation \"" + std::string(name) + "\"");
}

/// A biome, a list, or a tag (from "tag_biome"), by id.
std::vector<bool> biome_set(const Json& json, const Figures& figures) {
  std::vector<bool> biomes(256);
  const auto add = [&](const auto& self, const Json& entry) -> void {
    if (entry.is_array()) {
      for (const Json& part : entry) self(self, part);
      return;
    }
    const std::string& name = entry.get_ref<const std::string&>();
    if (name.starts_with('#')) {
      self(self, figures.get("tag_biome", std::string_view(name).substr(1)));
    } else {
      biomes[biome_id(name)] = true;
    }
  };
  add(add, json);
  return biomes;
}

/// The order in which the game's open hash set of longs gives back chunk positions: by slot, from the last.
class ReferenceSet {
 public:
  void add(ChunkPos pos) {
    const std::uint64_t key = pos.packed();
    if (key == 0) {
      has_zero_ = true;
      return;
    }
    if (count_ + 1 > keys_.size() * 3 / 4) rehash(keys_.size() * 2);
    if (insert(key)) ++count_;
  }
  std::vector<ChunkPos> order() const {
    std::vector<ChunkPos> list;
    if (has_zero_) list.push_back(ChunkPos{});
    for (std::size_t i = keys_.size(); i-- > 0;) {
      if (keys_[i] != 0) list.push_back(ChunkPos::unpack(keys_[i]));
    }
    return list;
  }

 private:
  bool insert(std::uint64_t key) {
    std::uint64_t h = key * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 32;
    h ^= h >> 16;
    std::size_t at = static_cast<std::uint32_t>(h) & (keys_.size() - 1);
    while (keys_[at] != 0) {
      if (keys_[at] == key) return false;
      at = (at + 1) & (keys_.size() - 1);
    }
    keys_[at] = key;
    return true;
  }
  void rehash(std::size_t size) {
    const std::vector<std::uint64_t> old = std::exchange(keys_, std::vector<std::uint64_t>(size));
    for (std::size_t i = old.size(); i-- > 0;) {
      if (old[i] != 0) insert(old[i]);
    }
  }
  std::vector<std::uint64_t> keys_ = std::vector<std::uint64_t>(32);
  std::size_t count_ = 0;
  bool has_zero_ = false;
};

}  // namespace

// --- Placement -----------------------------------------------------------

class StructurePlacement {
 public:
  StructurePlacement(const Json& json, const Figures& figures, std::int64_t seed, const TerrainProbe& terrain)
      : seed_(seed), terrain_(terrain) {
    const std::string_view type = type_of(json);
    salt_ = integer(json, "salt");
    frequency_ = static_cast<float>(number_or(json, "frequency", 1.0));
    if (const auto method = json.find("frequency_reduction_method"); method != json.end()) {
      const std::string& name = method->get_ref<const std::string&>();
      if (name == "legacy_type_1") {
        reduction_ = Reduction::kLegacy1;
      } else if (name == "legacy_type_2") {
        reduction_ = Reduction::kLegacy2;
      } else if (name == "legacy_type_3") {
        reduction_ = Reduction::kLegacy3;
      } else if (name != "default") {
        throw FigureError("unknown frequency_reduction_method \"" + name + "\"");
      }
    }
    if (const auto offset = json.find("locate_offset"); offset != json.end()) {
      locate_offset_ = {offset->at(0).get<std::int32_t>(), offset->at(1).get<std::int32_t>(),
                        offset->at(2).get<std::int32_t>()};
    }
    if (const auto zone = json.find("exclusion_zone"); zone != json.end()) {
      excluded_set_ = with_namespace(text(*zone, "other_set"));
      excluded_chunks_ = integer(*zone, "chunk_count");
    }
    if (type == "random_spread") {
      spacing_ = integer(json, "spacing");
      separation_ = integer(json, "separation");
      if (spacing_ <= separation_ || separation_ < 0)
        throw FigureError("spacing must be larger than separation");
      if (const auto spread = json.find("spread_type"); spread != json.end()) {
        is_triangular_ = spread->get_ref<const std::string&>() == "triangular";
      }
    } else if (type == "concentric_rings") {
      is_rings_ = true;
      preferred_ = biome_set(field(json, "preferred_biomes"), figures);
      find_rings(integer(json, "distance"), integer(json, "spread"), integer(json, "count"));
    } else {
      throw FigureError("unknown placement type \"" + std::string(type) + "\"");
    }
  }

  /// `placement_of` gives another set's placement by name, or null.
  template <typename PlacementOf>
  bool is_start(ChunkPos chunk, PlacementOf&& placement_of) const {
    if (!is_candidate(chunk)) return false;
    if (frequency_ < 1.0F && !passes_frequency(chunk)) return false;
    if (excluded_set_.empty()) return true;
    const StructurePlacement* other = placement_of(excluded_set_);
    if (other == nullptr) return true;
    for (std::int32_t x = chunk.x - excluded_chunks_; x <= chunk.x + excluded_chunks_; ++x) {
      for (std::int32_t z = chunk.z - excluded_chunks_; z <= chunk.z + excluded_chunks_; ++z) {
        if (other->is_start({x, z}, placement_of)) return false;
      }
    }
    return true;
  }

  /// The chunk of its grid cell that `chunk`'s cell chose (random spread only).
  ChunkPos candidate(ChunkPos chunk) const {
    const std::int32_t cell_x = floor_div(chunk.x, spacing_), cell_z = floor_div(chunk.z, spacing_);
    Random random = Random::legacy(0);
    random.set_large_feature_with_salt(seed_, cell_x, cell_z, salt_);
    const auto spread = [&] {
      const std::int32_t limit = spacing_ - separation_;
      if (!is_triangular_) return random.next_int(limit);
      const std::int32_t first = random.next_int(limit);
      return (first + random.next_int(limit)) / 2;
    };
    const std::int32_t x = spread();
    return {cell_x * spacing_ + x, cell_z * spacing_ + spread()};
  }
  std::int32_t spacing() const { return spacing_; }
  bool is_rings() const { return is_rings_; }
  BlockPos locate_offset() const { return locate_offset_; }
  std::size_t ring_count() const { return rings_.size(); }
  ChunkPos ring_position(std::size_t i) const { return position(rings_[i]); }

 private:
  enum class Reduction : std::uint8_t { kDefault, kLegacy1, kLegacy2, kLegacy3 };
  /// A stronghold's place before and after the search for a biome that suits it, which takes thousands of
  /// look-ups.
  struct Ring {
    std::int32_t x, z;
    Random search;
    mutable bool is_known = false;
    mutable ChunkPos position;
  };

  bool is_candidate(ChunkPos chunk) const {
    if (!is_rings_) return candidate(chunk) == chunk;
    // The search goes at most 112 blocks from the middle of the first guess.
    constexpr std::int32_t kSearchChunks = 8;
    return std::ranges::any_of(rings_, [&](const Ring& ring) {
      return chebyshev({ring.x, ring.z}, chunk) <= kSearchChunks && position(ring) == chunk;
    });
  }

  bool passes_frequency(ChunkPos chunk) const {
    Random random = Random::legacy(0);
    switch (reduction_) {
      case Reduction::kDefault:
        random.set_large_feature_with_salt(seed_, salt_, chunk.x, chunk.z);
        return random.next_float() < frequency_;
      case Reduction::kLegacy1:
        random.set_seed(
            static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::int64_t>(
                (chunk.x >> 4) ^ static_cast<std::int32_t>(static_cast<std::uint32_t>(chunk.z >> 4) << 4)))) ^
            seed_);
        random.next_int();
        return random.next_int(static_cast<std::int32_t>(1.0F / frequency_)) == 0;
      case Reduction::kLegacy2:
        random.set_large_feature_with_salt(seed_, chunk.x, chunk.z, 10387320);
        return random.next_float() < frequency_;
      case Reduction::kLegacy3:
        random.set_large_feature_seed(seed_, chunk.x, chunk.z);
        return random.next_double() < static_cast<double>(frequency_);
    }
    return false;
  }

  void find_rings(std::int32_t distance, std::int32_t spread, std::int32_t count) {
    if (count < 0 || count > 4095 || spread < 0)
      throw FigureError("concentric rings: count must be 0 to 4095");
    Random random = Random::legacy(seed_);
    double angle = random.next_double() * std::numbers::pi * 2.0;
    std::int32_t in_circle = 0, circle = 0;
    const auto round = [](double v) { return static_cast<std::int32_t>(std::floor(v + 0.5)); };
    for (std::int32_t i = 0; i < count; ++i) {
      const double radius =
          4 * distance + distance * circle * 6 + (random.next_double() - 0.5) * distance * 2.5;
      const std::int32_t x = round(std::cos(angle) * radius), z = round(std::sin(angle) * radius);
      rings_.push_back({x, z, random.fork(), false, {}});
      angle += std::numbers::pi * 2.0 / spread;
      if (++in_circle == spread) {
        ++circle;
        in_circle = 0;
        spread += 2 * spread / (circle + 1);
        spread = std::min(spread, count - i);
        angle += random.next_double() * std::numbers::pi * 2.0;
      }
    }
  }

  ChunkPos position(const Ring& ring) const {
    std::lock_guard lock(rings_mutex_);
    if (ring.is_known) return ring.position;
    constexpr std::int32_t kRadius = 112 >> 2;
    const std::int32_t centre_x = (ring.x * 16 + 8) >> 2, centre_z = (ring.z * 16 + 8) >> 2;
    Random random = ring.search;
    ring.position = {ring.x, ring.z};
    std::int32_t found = 0;
    for (std::int32_t z = -kRadius; z <= kRadius; ++z) {
      for (std::int32_t x = -kRadius; x <= kRadius; ++x) {
        if (!preferred_[terrain_.biome(centre_x + x, 0, centre_z + z)]) continue;
        if (found == 0 || random.next_int(found + 1) == 0) {
          ring.position = {(centre_x + x) >> 2, (centre_z + z) >> 2};
        }
        ++found;
      }
    }
    ring.is_known = true;
    return ring.position;
  }

  std::int64_t seed_;
  const TerrainProbe& terrain_;
  std::int32_t salt_ = 0, spacing_ = 1, separation_ = 0, excluded_chunks_ = 0;
  float frequency_ = 1;
  Reduction reduction_ = Reduction::kDefault;
  bool is_triangular_ = false, is_rings_ = false;
  BlockPos locate_offset_;
  std::string excluded_set_;
  std::vector<bool> preferred_;
  std::vector<Ring> rings_;
  mutable std::mutex rings_mutex_;
};

// --- Index ---------------------------------------------------------------

StructureIndex::~StructureIndex() = default;

StructureIndex::StructureIndex(const Figures& figures, std::int64_t seed, const TerrainProbe& terrain,
                               const std::vector<BiomeId>& possible_biomes, const TemplateSource* templates)
    : figures_(figures), seed_(seed), terrain_(terrain), templates_(templates) {
  StructureFactories factories;
  add_mineshaft(factories);
  add_stronghold(factories);
  add_fortress(factories);
  add_monument(factories);
  add_temples(factories);
  add_jigsaw(factories);
  add_template_structures(factories);
  add_mansion(factories);
  add_end_city(factories);
  const StructureLoader loader{figures, templates};
  std::unordered_map<std::string, const Structure*> by_name;
  for (const std::string& name : figures.names("structure")) {
    try {
      const Json& json = figures.get("structure", name);
      const auto factory = factories.find(type_of(json));
      if (factory == factories.end())
        throw FigureError("unknown type \"" + std::string(type_of(json)) + "\"");
      auto structure = factory->second(json, loader);
      structure->name = name;
      structure->biomes = biome_set(field(json, "biomes"), figures);
      structure->step = step_of(text(json, "step"));
      if (json.find("terrain_adaptation") != json.end())
        structure->adaptation = adaptation_of(text(json, "terrain_adaptation"));
      by_name[name] = structure.get();
      structures_.push_back(std::move(structure));
    } catch (const FigureError& error) {
      throw FigureError("structure " + name + ": " + error.what());
    }
  }
  for (const std::string& name : figures.names("structure_set")) {
    try {
      const Json& json = figures.get("structure_set", name);
      Set set;
      set.name = name;
      set.placement = std::make_shared<StructurePlacement>(field(json, "placement"), figures, seed, terrain);
      placements_[name] = set.placement;
      bool is_possible = false;
      for (const Json& entry : field(json, "structures")) {
        const std::string structure = with_namespace(text(entry, "structure"));
        const auto found = by_name.find(structure);
        if (found == by_name.end()) throw FigureError("no structure is named \"" + structure + "\"");
        set.entries.push_back({found->second, integer(entry, "weight")});
        for (const BiomeId biome : possible_biomes) is_possible = is_possible || found->second->biomes[biome];
      }
      if (is_possible) sets_.push_back(std::move(set));
    } catch (const FigureError& error) {
      throw FigureError("structure_set " + name + ": " + error.what());
    }
  }
}

std::shared_ptr<const StructureStart> StructureIndex::try_start(const Structure& structure, ChunkPos chunk,
                                                                bool& is_missing) const {
  Random random = Random::legacy(0);
  random.set_large_feature_seed(seed_, chunk.x, chunk.z);
  const auto is_valid_biome = [&structure](BiomeId biome) {
    return static_cast<bool>(structure.biomes[biome]);
  };
  if (templates_ == nullptr && structure.needs_templates()) {
    // What would stand here cannot be made; nothing else may take its place.
    is_missing = is_valid_biome(terrain_.biome(chunk.x * 4 + 2, terrain_.sea_level() >> 2, chunk.z * 4 + 2));
    return nullptr;
  }
  StartContext context{figures_, terrain_, templates_, seed_, chunk, random, is_valid_biome};
  const auto point = structure.find(context);
  if (!point) return nullptr;
  const BlockPos p = point->position;
  if (!is_valid_biome(terrain_.biome(p.x >> 2, p.y >> 2, p.z >> 2))) return nullptr;
  auto start = std::make_shared<StructureStart>();
  start->structure = &structure;
  start->chunk = chunk;
  start->pieces = point->make_pieces(context.random);
  if (start->pieces.empty()) return nullptr;
  start->box = start->pieces[0]->box();
  for (const auto& piece : start->pieces) start->box.encapsulate(piece->box());
  if (structure.adaptation != TerrainAdaptation::kNone) start->box = start->box.inflated(kAdaptationMargin);
  return start;
}

StructureIndex::Starts StructureIndex::make_starts(ChunkPos chunk) const {
  Starts starts;
  const auto placement_of = [this](const std::string& name) -> const StructurePlacement* {
    const auto it = placements_.find(name);
    return it == placements_.end() ? nullptr : it->second.get();
  };
  for (const Set& set : sets_) {
    if (!set.placement->is_start(chunk, placement_of)) continue;
    bool is_missing = false;
    if (set.entries.size() == 1) {
      if (auto start = try_start(*set.entries[0].structure, chunk, is_missing))
        starts.push_back(std::move(start));
      continue;
    }
    std::vector<Entry> options = set.entries;
    Random random = Random::legacy(0);
    random.set_large_feature_seed(seed_, chunk.x, chunk.z);
    std::int32_t total = 0;
    for (const Entry& option : options) total += option.weight;
    while (!options.empty() && !is_missing) {
      std::int32_t choice = random.next_int(total);
      std::size_t i = 0;
      for (; i + 1 < options.size(); ++i) {
        choice -= options[i].weight;
        if (choice < 0) break;
      }
      if (auto start = try_start(*options[i].structure, chunk, is_missing)) {
        starts.push_back(std::move(start));
        break;
      }
      total -= options[i].weight;
      options.erase(options.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return starts;
}

std::shared_ptr<const StructureIndex::Starts> StructureIndex::Cache::find(ChunkPos chunk) {
  if (const auto it = current.find(chunk); it != current.end()) return it->second;
  const auto it = previous.find(chunk);
  if (it == previous.end()) return nullptr;
  auto starts = it->second;
  current.emplace(chunk, starts);
  return starts;
}

void StructureIndex::Cache::add(ChunkPos chunk, std::shared_ptr<const Starts> starts) {
  if (current.size() >= kCachedChunks) {
    previous = std::move(current);
    current.clear();
  }
  current.emplace(chunk, std::move(starts));
}

std::shared_ptr<const StructureIndex::Starts> StructureIndex::starts_at(ChunkPos chunk) {
  {
    std::lock_guard lock(cache_mutex_);
    if (auto known = starts_.find(chunk)) return known;
  }
  // Two workers may make the same start at once: rare, and both are equal.
  auto made = std::make_shared<const Starts>(make_starts(chunk));
  std::lock_guard lock(cache_mutex_);
  if (auto known = starts_.find(chunk)) return known;
  starts_.add(chunk, made);
  return made;
}

std::shared_ptr<const StructureIndex::Starts> StructureIndex::touching_shared(ChunkPos chunk) {
  {
    std::lock_guard lock(cache_mutex_);
    if (auto known = touching_.find(chunk)) return known;
  }
  const std::int32_t min_x = chunk.x * 16, min_z = chunk.z * 16;
  struct References {
    ReferenceSet chunks;
    std::unordered_map<ChunkPos, std::shared_ptr<const StructureStart>> starts;
  };
  std::unordered_map<const Structure*, References> by_structure;
  for (std::int32_t x = chunk.x - kReach; x <= chunk.x + kReach; ++x) {
    for (std::int32_t z = chunk.z - kReach; z <= chunk.z + kReach; ++z) {
      for (const auto& start : *starts_at({x, z})) {
        if (!start->box.intersects(min_x, min_z, min_x + 15, min_z + 15)) continue;
        References& references = by_structure[start->structure];
        references.chunks.add(start->chunk);
        references.starts[start->chunk] = start;
      }
    }
  }
  auto found = std::make_shared<Starts>();
  for (const auto& structure : structures_) {
    const auto it = by_structure.find(structure.get());
    if (it == by_structure.end()) continue;
    for (const ChunkPos origin : it->second.chunks.order()) found->push_back(it->second.starts.at(origin));
  }
  std::lock_guard lock(cache_mutex_);
  touching_.add(chunk, found);
  return found;
}

void StructureIndex::place(Region& region, const FeatureSet& features, std::int32_t step,
                           std::int64_t decoration_seed, Random& random) {
  const auto starts = touching_shared(region.centre());
  std::int32_t index = 0;
  const ChunkPos chunk = region.centre();
  const Box writable{chunk.x * 16,      region.min_y() + 1, chunk.z * 16,
                     chunk.x * 16 + 15, region.max_y(),     chunk.z * 16 + 15};
  for (const auto& structure : structures_) {
    if (structure->step != step) continue;
    random.set_feature_seed(decoration_seed, index++, step);
    for (const auto& start : *starts) {
      if (start->structure != structure.get()) continue;
      const Box& first = start->pieces[0]->box();
      const BlockPos centre = first.center();
      PiecePlacing placing{
          region, terrain_, features, random, writable, chunk, {centre.x, first.min_y, centre.z}};
      for (const auto& piece : start->pieces) {
        if (piece->box().intersects(writable)) piece->place(placing);
      }
      structure->after_place(placing, start->pieces);
    }
  }
}

std::vector<std::string> StructureIndex::missing_structures() const {
  std::vector<std::string> names;
  if (templates_ != nullptr) return names;
  for (const Set& set : sets_) {
    for (const Entry& entry : set.entries) {
      if (entry.structure->needs_templates()) names.push_back(entry.structure->name);
    }
  }
  std::ranges::sort(names);
  return names;
}

std::optional<std::pair<BlockPos, std::string>> StructureIndex::locate(const std::vector<std::string>& names,
                                                                       BlockPos from, std::int32_t radius) {
  std::optional<std::pair<BlockPos, std::string>> nearest;
  double least = std::numeric_limits<double>::max();
  const auto is_wanted = [&](const Structure& structure) {
    return std::ranges::find(names, structure.name) != names.end();
  };
  const auto squared = [&](BlockPos p) {
    const double dx = p.x - from.x, dy = p.y - from.y, dz = p.z - from.z;
    return dx * dx + dy * dy + dz * dz;
  };
  /// The start of a wanted structure in a chunk, as /locate names its place.
  const auto start_in = [&](const Set& set,
                            ChunkPos chunk) -> std::optional<std::pair<BlockPos, std::string>> {
    for (const auto& start : *starts_at(chunk)) {
      const bool is_of_set =
          std::ranges::any_of(set.entries, [&](const Entry& e) { return e.structure == start->structure; });
      if (!is_of_set || !is_wanted(*start->structure)) continue;
      const BlockPos offset = set.placement->locate_offset();
      return std::pair{BlockPos{chunk.x * 16 + offset.x, offset.y, chunk.z * 16 + offset.z},
                       start->structure->name};
    }
    return std::nullopt;
  };
  std::vector<const Set*> spread;
  for (const Set& set : sets_) {
    if (std::ranges::none_of(set.entries, [&](const Entry& e) { return is_wanted(*e.structure); })) continue;
    if (!set.placement->is_rings()) {
      spread.push_back(&set);
      continue;
    }
    double closest = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < set.placement->ring_count(); ++i) {
      const ChunkPos chunk = set.placement->ring_position(i);
      const double distance = squared({chunk.x * 16 + 8, 32, chunk.z * 16 + 8});
      if (distance >= closest) continue;
      if (auto found = start_in(set, chunk)) {
        closest = distance;
        if (squared(found->first) < least) {
          least = squared(found->first);
          nearest = std::move(found);
        }
      }
    }
  }
  for (std::int32_t r = 0; r <= radius; ++r) {
    bool has_found = false;
    for (const Set* set : spread) {
      bool is_done = false;
      for (std::int32_t x = -r; x <= r && !is_done; ++x) {
        for (std::int32_t z = -r; z <= r && !is_done; ++z) {
          if (std::abs(x) != r && std::abs(z) != r) continue;
          const std::int32_t spacing = set->placement->spacing();
          const ChunkPos chunk =
              set->placement->candidate({(from.x >> 4) + spacing * x, (from.z >> 4) + spacing * z});
          auto found = start_in(*set, chunk);
          if (!found) continue;
          is_done = has_found = true;
          if (squared(found->first) < least) {
            least = squared(found->first);
            nearest = std::move(found);
          }
        }
      }
    }
    if (has_found) break;
  }
  return nearest;
}

}  // namespace horizon::worldgen
