#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "common/world/section.hpp"
#include "shard/worldgen/pipeline/dimension.hpp"

namespace horizon::worldgen {

/// A chunk at rest: palettes instead of an array. Immutable once finished; shared by all who read it.
struct PackedChunk {
  ChunkPos pos;
  Heights heights;
  Stage stage = Stage::kEmpty;
  std::vector<world::BlockContainer> sections;  ///< from the lowest up
  std::vector<BiomeId> biomes;                  ///< as ProtoChunk::biomes()
  std::array<std::array<std::int16_t, 256>, kHeightKinds> height_maps;
  std::vector<std::pair<BlockPos, nbt::Compound>> block_entities;
  std::vector<nbt::Compound> entities;
  std::vector<BlockPos> post_processing;
};

/// Makes chunks of a dimension through the features, each once, by as many threads as call it.
///
/// The blocks of a chunk depend on the order in which it and its neighbours are decorated: a tree may stand where
/// another chunk's tree would. In the game that order is the players' path; here it is fixed, so that any process
/// makes the same world whatever it was asked for first: chunks have one of nine ranks by their coordinates modulo 3,
/// and a chunk is decorated after all of lower rank within two chunks. Two chunks of one rank are too far apart to
/// meet. To finish one chunk takes up to 89 decorations, 21 × 21 chunks take 811: the rest is there when the
/// neighbourhood is asked for.
///
///   get(pos): for each chunk that pos depends on, lowest rank first
///     carve it and its eight neighbours (noise, surface, carvers: independent of everything)
///     decorate it once all lower ranks around are done
///   the nine around pos decorated -> pos is finished, packed and shared
///
/// Thread-safe. Tasks are shared out among the callers; a caller without a task waits for those of others. Memory: at
/// most 2 × kGenerationChunks packed chunks and kHotChunks arrays: when one generation of chunks is full, a new one
/// begins from nothing, and the one before it is forgotten.
class ChunkPipeline {
 public:
  explicit ChunkPipeline(const Dimension& dimension);
  ~ChunkPipeline();

  /// The finished chunk; null when `cancelled` (may be null) became true before it was done.
  std::shared_ptr<const PackedChunk> get(ChunkPos pos, const std::atomic<bool>* cancelled = nullptr);

  /// 0 to 8: who of two chunks within reach of each other is decorated first.
  static std::int32_t rank(ChunkPos pos);

  static constexpr std::size_t kGenerationChunks = 8192;
  static constexpr std::size_t kHotChunks = 128;

 private:
  struct Entry {
    /// The chunk is in one of the three: nothing yet, an array, or packed.
    std::unique_ptr<ProtoChunk> hot;
    std::shared_ptr<const PackedChunk> packed;
    std::uint64_t last_use = 0;
    bool is_carved = false, is_decorated = false, is_finished = false;
    bool is_busy = false;  ///< a task reads or writes it
  };
  struct Generation {
    std::unordered_map<ChunkPos, Entry> entries;
    std::size_t hot = 0;
  };
  struct Task;
  class Lent;

  std::vector<ChunkPos> needed_decorations(const Generation& generation, ChunkPos pos) const;
  bool take_task(Generation& generation, std::vector<ChunkPos>& decorations, Task& task);
  void run(Generation& generation, const Task& task, std::unique_lock<std::mutex>& lock);
  void heat(Entry& entry, ChunkPos pos);
  void cool_down(Generation& generation, std::unique_lock<std::mutex>& lock);
  std::shared_ptr<const PackedChunk> finish(Generation& generation, ChunkPos pos, std::unique_lock<std::mutex>& lock);

  const Dimension* dimension_;
  std::mutex state_mutex_;
  std::condition_variable task_done_;
  std::shared_ptr<Generation> current_, previous_;
  std::uint64_t uses_ = 0;
  std::vector<std::unique_ptr<StageWorker>> idle_workers_;
};

}  // namespace horizon::worldgen
