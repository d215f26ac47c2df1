#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shard/worldgen/pipeline/dimension.hpp"

namespace horizon::worldgen {

class Progress;

// --- Names ---------------------------------------------------------------

/// "overworld", "minecraft:the_nether", "nether", "end" ...
std::optional<DimensionId> find_dimension(std::string_view name);
/// "biomes", "noise", "surface", "carvers", "features", with or without namespace.
std::optional<Stage> find_stage(std::string_view name);
std::string_view stage_name(Stage stage);
/// "plains": the biome's name without its namespace.
std::string_view biome_path(BiomeId biome);
/// The noise settings that a dimension has when nobody says otherwise.
std::string default_settings(DimensionId dimension);

// --- Worlds --------------------------------------------------------------

/// What a command line says of the world.
struct WorldOptions {
  DimensionId dimension = DimensionId::kOverworld;
  std::int64_t seed = 0;
  /// "large_biomes", "amplified"; empty: the dimension's own.
  std::string settings;
  bool has_structures = true;
};

/// The figures that worlds are made from, with the operator's copy of the game laid over the built-in ones.
class WorldData {
 public:
  /// `vanilla_data` may be empty. Throws std::runtime_error.
  explicit WorldData(const std::string& vanilla_data);

  const Figures& figures() const { return figures_; }
  /// Throws FigureError. Says on stderr, once, which structures have to be left out. The data must outlive it.
  std::unique_ptr<Dimension> open(const WorldOptions& options);

 private:
  Figures figures_;
  std::shared_ptr<const TemplateSource> templates_;
  bool has_told_missing_ = false;
};

// --- Chunks --------------------------------------------------------------

/// Runs `body` on `threads` threads, one of them the caller's, and throws the first exception of any of them after all
/// have ended.
void run_parallel(std::int32_t threads, const std::function<void()>& body);

/// Is told of each chunk at each stage from the biomes on; at the features when nothing changes the chunk any more.
/// Called from several threads at once, for one chunk from one at a time.
using ChunkWatcher = std::function<void(const ProtoChunk& chunk, Stage stage)>;

/// Brings each chunk by itself to `stage`, at most the carvers. `progress` (may be null) counts chunks.
void make_chunks(const Dimension& dimension, std::span<const ChunkPos> chunks, Stage stage, std::int32_t threads,
                 const ChunkWatcher& watch, Progress* progress);

/// Ends included.
struct ChunkBounds {
  std::int32_t min_x = 0, min_z = 0, max_x = -1, max_z = -1;

  static ChunkBounds around(ChunkPos centre, std::int32_t radius) {
    return {centre.x - radius, centre.z - radius, centre.x + radius, centre.z + radius};
  }
  void include(ChunkPos p);
  std::int32_t width() const { return max_x - min_x + 1; }
  std::int32_t depth() const { return max_z - min_z + 1; }
  std::size_t count() const { return static_cast<std::size_t>(width()) * static_cast<std::size_t>(depth()); }
  bool contains(ChunkPos p) const { return p.x >= min_x && p.x <= max_x && p.z >= min_z && p.z <= max_z; }
};

/// A rectangle of chunks that is decorated from west to east, each column from north to south; the ring around it only
/// comes to the carvers.
///
/// Two chunks more than two apart do not meet, so threads work on several columns, each three chunks behind the one to
/// its west: the result is that of one chunk after the other.
///
///   column x        done done done done  >
///   column x + 1    done  >
///
/// Memory: the columns at work and the few around them, whatever the width.
class DecoratedArea {
 public:
  /// `progress` may be null; it counts decorated chunks. All must outlive the area.
  DecoratedArea(const Dimension& dimension, ChunkBounds bounds, const ChunkWatcher& watch, Progress* progress);
  /// Makes and forgets all chunks. Once only.
  void run(std::int32_t threads);

 private:
  /// Columns of `columns_` count from the ring's western one; their chunks from the ring's northern one.
  struct Column {
    std::vector<std::unique_ptr<ProtoChunk>> chunks;
    std::vector<bool> is_carved;
    std::int32_t decorated = 0;
    bool is_busy = false;
  };
  void work();
  void step(StageWorker& worker, std::unique_lock<std::mutex>& lock);
  std::optional<std::int32_t> ready_column() const;
  bool is_surrounded(std::int32_t column, std::int32_t row) const;
  void decorate(StageWorker& worker, std::int32_t column, std::unique_lock<std::mutex>& lock);
  void carve_next(StageWorker& worker, std::unique_lock<std::mutex>& lock);
  void let_go(std::int32_t column);
  bool is_done() const { return oldest_ == bounds_.width(); }

  const Dimension& dimension_;
  ChunkBounds bounds_;
  const ChunkWatcher& watch_;
  Progress* progress_;
  std::int32_t ahead_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Column> columns_;
  std::int32_t oldest_ = 0;  ///< first column (counted without the ring) that is not decorated
  std::int32_t carve_column_ = 0, carve_row_ = 0;
  bool has_failed_ = false;
};

}  // namespace horizon::worldgen
