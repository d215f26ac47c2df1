#include "shard/worldgen/pipeline/chunk_pipeline.hpp"

#include <algorithm>

#include "common/base/result.hpp"

namespace horizon::worldgen {

namespace {

/// How far two decorations can meet: each reads and writes one chunk around its own.
constexpr std::int32_t kMeet = 2;

/// By (x mod 3) * 3 + z mod 3. Of all orders of nine ranks this one needs the fewest chunks around an area.
constexpr std::array<std::int32_t, 9> kRanks = {0, 8, 1, 4, 7, 3, 5, 6, 2};

std::int32_t mod3(std::int32_t v) { return ((v % 3) + 3) % 3; }

template <typename Visit>
void around(ChunkPos pos, std::int32_t reach, Visit&& visit) {
  for (std::int32_t dz = -reach; dz <= reach; ++dz) {
    for (std::int32_t dx = -reach; dx <= reach; ++dx) visit(ChunkPos{pos.x + dx, pos.z + dz});
  }
}

std::shared_ptr<const PackedChunk> pack(ProtoChunk& chunk) {
  auto packed = std::make_shared<PackedChunk>();
  packed->pos = chunk.pos();
  packed->heights = chunk.heights();
  packed->stage = chunk.stage;
  packed->sections.resize(chunk.raw().size() / 4096);
  for (std::size_t i = 0; i < packed->sections.size(); ++i) packed->sections[i].assign(chunk.raw().data() + i * 4096);
  packed->biomes = chunk.biomes();
  packed->height_maps = chunk.height_maps();
  packed->block_entities = std::move(chunk.block_entities);
  packed->entities = std::move(chunk.entities);
  packed->post_processing = std::move(chunk.post_processing);
  return packed;
}

std::unique_ptr<ProtoChunk> unpack(const PackedChunk& packed) {
  auto chunk = std::make_unique<ProtoChunk>(packed.pos, packed.heights);
  chunk->stage = packed.stage;
  for (std::size_t i = 0; i < packed.sections.size(); ++i) {
    BlockState* const blocks = chunk->raw().data() + i * 4096;
    const world::BlockContainer& section = packed.sections[i];
    if (section.is_uniform()) {
      std::fill_n(blocks, 4096, section.get(0));
    } else {
      for (std::int32_t k = 0; k < 4096; ++k) blocks[k] = section.get(k);
    }
  }
  chunk->biomes() = packed.biomes;
  chunk->height_maps() = packed.height_maps;
  chunk->block_entities = packed.block_entities;
  chunk->entities = packed.entities;
  chunk->post_processing = packed.post_processing;
  return chunk;
}

}  // namespace

struct ChunkPipeline::Task {
  enum class Kind : std::uint8_t { kCarve, kDecorate } kind = Kind::kCarve;
  ChunkPos pos;
};

/// A stage worker out of the idle ones.
class ChunkPipeline::Lent {
 public:
  explicit Lent(ChunkPipeline& pipeline, std::unique_lock<std::mutex>& lock) : pipeline_(pipeline) {
    if (!pipeline.idle_workers_.empty()) {
      worker_ = std::move(pipeline.idle_workers_.back());
      pipeline.idle_workers_.pop_back();
      lock.unlock();
    } else {
      lock.unlock();
      worker_ = std::make_unique<StageWorker>(*pipeline.dimension_);
    }
  }
  /// REQUIRES: the pipeline's lock is held again.
  void give_back() { pipeline_.idle_workers_.push_back(std::move(worker_)); }
  StageWorker* operator->() const { return worker_.get(); }

 private:
  ChunkPipeline& pipeline_;
  std::unique_ptr<StageWorker> worker_;
};

ChunkPipeline::ChunkPipeline(const Dimension& dimension)
    : dimension_(&dimension), current_(std::make_shared<Generation>()), previous_(std::make_shared<Generation>()) {}

ChunkPipeline::~ChunkPipeline() = default;

std::int32_t ChunkPipeline::rank(ChunkPos pos) {
  return kRanks[static_cast<std::size_t>(mod3(pos.x) * 3 + mod3(pos.z))];
}

std::vector<ChunkPos> ChunkPipeline::needed_decorations(const Generation& generation, ChunkPos pos) const {
  std::vector<ChunkPos> found, open;
  std::unordered_map<ChunkPos, bool> seen;
  const auto add = [&](ChunkPos p) {
    const auto it = generation.entries.find(p);
    if ((it == generation.entries.end() || !it->second.is_decorated) && seen.emplace(p, true).second) open.push_back(p);
  };
  around(pos, 1, add);
  while (!open.empty()) {
    const ChunkPos p = open.back();
    open.pop_back();
    found.push_back(p);
    const std::int32_t own = rank(p);
    around(p, kMeet, [&](ChunkPos near) {
      if (rank(near) < own) add(near);
    });
  }
  // Lowest rank first; among equals the nearest.
  std::ranges::sort(found, [&](ChunkPos a, ChunkPos b) {
    const std::int32_t ra = rank(a), rb = rank(b), da = chebyshev(a, pos), db = chebyshev(b, pos);
    if (ra != rb) return ra < rb;
    return da != db ? da < db : a < b;
  });
  return found;
}

bool ChunkPipeline::take_task(Generation& generation, std::vector<ChunkPos>& decorations, Task& task) {
  auto& entries = generation.entries;
  std::erase_if(decorations, [&](ChunkPos p) { return entries[p].is_decorated; });
  for (const ChunkPos p : decorations) {
    const std::int32_t own = rank(p);
    bool is_ready = !entries[p].is_busy;
    ChunkPos uncarved = p;
    bool has_uncarved = false;
    around(p, 1, [&](ChunkPos near) {
      Entry& e = entries[near];
      if (!e.is_carved && !e.is_busy && !has_uncarved) {
        uncarved = near;
        has_uncarved = true;
      }
      is_ready = is_ready && e.is_carved && !e.is_busy;
    });
    if (has_uncarved) {
      task = {Task::Kind::kCarve, uncarved};
      entries[uncarved].is_busy = true;
      return true;
    }
    if (!is_ready) continue;
    around(p, kMeet, [&](ChunkPos near) {
      if (rank(near) >= own) return;
      const auto it = entries.find(near);
      if (it == entries.end() || !it->second.is_decorated) is_ready = false;
    });
    if (!is_ready) continue;
    task = {Task::Kind::kDecorate, p};
    around(p, 1, [&](ChunkPos near) { entries[near].is_busy = true; });
    return true;
  }
  return false;
}

void ChunkPipeline::heat(Entry& entry, ChunkPos pos) {
  if (entry.hot) return;
  entry.hot = entry.packed ? unpack(*entry.packed) : std::make_unique<ProtoChunk>(pos, dimension_->heights());
  entry.packed.reset();
}

void ChunkPipeline::run(Generation& generation, const Task& task, std::unique_lock<std::mutex>& lock) {
  // References into the map stay valid while other threads add entries; a busy entry is this thread's alone.
  std::array<Entry*, 9> nine{};
  std::size_t count = 0;
  around(task.pos, task.kind == Task::Kind::kDecorate ? 1 : 0, [&](ChunkPos p) {
    Entry& e = generation.entries[p];
    if (!e.hot) ++generation.hot;
    nine[count++] = &e;
  });
  Lent worker(*this, lock);
  if (task.kind == Task::Kind::kCarve) {
    heat(*nine[0], task.pos);
    worker->advance(*nine[0]->hot, Stage::kCarvers);
  } else {
    std::array<ProtoChunk*, 9> chunks{};
    for (std::size_t i = 0; i < 9; ++i) {
      const auto offset = static_cast<std::int32_t>(i);
      heat(*nine[i], {task.pos.x + offset % 3 - 1, task.pos.z + offset / 3 - 1});
      chunks[i] = nine[i]->hot.get();
    }
    worker->decorate(chunks);
  }
  lock.lock();
  worker.give_back();
  for (std::size_t i = 0; i < count; ++i) {
    nine[i]->is_busy = false;
    nine[i]->last_use = ++uses_;
  }
  if (task.kind == Task::Kind::kCarve) {
    nine[0]->is_carved = true;
  } else {
    nine[4]->is_decorated = true;
  }
  task_done_.notify_all();
}

void ChunkPipeline::cool_down(Generation& generation, std::unique_lock<std::mutex>& lock) {
  // Packs half of the hot chunks at once, so that the search for the oldest pays off.
  if (generation.hot <= kHotChunks) return;
  std::vector<std::pair<std::uint64_t, Entry*>> idle;
  for (auto& [pos, entry] : generation.entries) {
    if (entry.hot && !entry.is_busy) idle.emplace_back(entry.last_use, &entry);
  }
  const std::size_t surplus = std::min(idle.size(), generation.hot - kHotChunks / 2);
  std::ranges::nth_element(idle, idle.begin() + static_cast<std::ptrdiff_t>(surplus == 0 ? 0 : surplus - 1));
  idle.resize(surplus);
  for (auto& [use, entry] : idle) entry->is_busy = true;
  generation.hot -= surplus;
  lock.unlock();
  for (auto& [use, entry] : idle) {
    entry->packed = pack(*entry->hot);
    entry->hot.reset();
  }
  lock.lock();
  for (auto& [use, entry] : idle) entry->is_busy = false;
  task_done_.notify_all();
}

std::shared_ptr<const PackedChunk> ChunkPipeline::finish(Generation& generation, ChunkPos pos,
                                                         std::unique_lock<std::mutex>& lock) {
  Entry& entry = generation.entries[pos];
  task_done_.wait(lock, [&] { return !entry.is_busy; });
  if (entry.hot) {
    entry.is_busy = true;
    --generation.hot;
    lock.unlock();
    entry.packed = pack(*entry.hot);
    entry.hot.reset();
    lock.lock();
    entry.is_busy = false;
    task_done_.notify_all();
  }
  entry.is_finished = true;
  return entry.packed;
}

std::shared_ptr<const PackedChunk> ChunkPipeline::get(ChunkPos pos, const std::atomic<bool>* cancelled) {
  std::unique_lock lock(state_mutex_);
  for (const auto& generation : {current_, previous_}) {
    const auto it = generation->entries.find(pos);
    if (it != generation->entries.end() && it->second.is_finished) return it->second.packed;
  }
  if (current_->entries.size() >= kGenerationChunks) {
    // Callers that still work on the old generations keep them alive.
    previous_ = std::move(current_);
    current_ = std::make_shared<Generation>();
  }
  const std::shared_ptr<Generation> generation = current_;
  std::vector<ChunkPos> decorations = needed_decorations(*generation, pos);
  while (true) {
    if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) return nullptr;
    Task task;
    if (take_task(*generation, decorations, task)) {
      run(*generation, task, lock);
      cool_down(*generation, lock);
    } else if (decorations.empty()) {
      return finish(*generation, pos, lock);
    } else {
      task_done_.wait(lock);
    }
  }
}

}  // namespace horizon::worldgen
