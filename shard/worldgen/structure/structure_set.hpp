#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shard/worldgen/structure/structure.hpp"

namespace horizon::worldgen {

/// Which chunks a set of structures may start in. Immutable but for ring positions, which are found when
/// asked for; thread-safe.
class StructurePlacement;

/// The structures of a dimension: where they start, and what they put into chunks.
///
/// Thread-safe. Starts are made once and kept; memory is bounded by forgetting the older half of the chunks
/// that were asked about (a start that is needed again is made again, equal).
class StructureIndex {
 public:
  /// `figures`, `terrain` and `templates` (may be null) must outlive it. Throws FigureError naming the
  /// definition.
  StructureIndex(const Figures& figures, std::int64_t seed, const TerrainProbe& terrain,
                 const std::vector<BiomeId>& possible_biomes, const TemplateSource* templates);
  ~StructureIndex();
  StructureIndex(const StructureIndex&) = delete;
  StructureIndex& operator=(const StructureIndex&) = delete;

  using Starts = std::vector<std::shared_ptr<const StructureStart>>;
  /// Starts whose origin is this chunk.
  std::shared_ptr<const Starts> starts_at(ChunkPos chunk);
  /// Starts within 8 chunks whose box touches the chunk: by structure, in the order in which the game goes
  /// through the references of a structure.
  std::shared_ptr<const Starts> touching_shared(ChunkPos chunk);
  Starts touching(ChunkPos chunk) { return *touching_shared(chunk); }

  /// Places the pieces of one decoration step in the centre of `region`. Seeds `random` for each structure of
  /// the step, as the game does even where nothing stands.
  void place(Region& region, const FeatureSet& features, std::int32_t step, std::int64_t decoration_seed,
             Random& random);

  /// Structures that are left out because there are no templates, sorted.
  std::vector<std::string> missing_structures() const;
  /// The nearest start of one of `names` around `from`, searched as far as `radius` (in the placement's
  /// spacings), and its name: what /locate finds. Names that are unknown are ignored.
  std::optional<std::pair<BlockPos, std::string>> locate(const std::vector<std::string>& names, BlockPos from,
                                                         std::int32_t radius);

 private:
  struct Entry {
    const Structure* structure;
    std::int32_t weight;
  };
  struct Set {
    std::string name;
    std::shared_ptr<const StructurePlacement> placement;
    std::vector<Entry> entries;
  };
  std::shared_ptr<const StructureStart> try_start(const Structure& structure, ChunkPos chunk,
                                                  bool& is_missing) const;
  Starts make_starts(ChunkPos chunk) const;

  const Figures& figures_;
  std::int64_t seed_;
  const TerrainProbe& terrain_;
  const TemplateSource* templates_;
  std::vector<std::shared_ptr<Structure>> structures_;  ///< in registry order
  std::unordered_map<std::string, std::shared_ptr<const StructurePlacement>> placements_;  ///< by set
  std::vector<Set> sets_;  ///< with structures that can stand in the dimension

  /// Chunks asked about lately, and those before.
  struct Cache {
    std::unordered_map<ChunkPos, std::shared_ptr<const Starts>> current, previous;
    std::shared_ptr<const Starts> find(ChunkPos chunk);
    void add(ChunkPos chunk, std::shared_ptr<const Starts> starts);
  };
  std::mutex cache_mutex_;
  Cache starts_, touching_;
};

}  // namespace horizon::worldgen
