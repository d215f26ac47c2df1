#include "shard/worldgen/tool/area.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include "shard/worldgen/tool/progress.hpp"

namespace horizon::worldgen {

namespace {

/// Registries that the operator's copy of the game may replace or add to.
constexpr std::array kReplaceable = {"noise",
                                     "noise_settings",
                                     "density_function",
                                     "biome",
                                     "configured_carver",
                                     "configured_feature",
                                     "placed_feature",
                                     "structure",
                                     "structure_set",
                                     "template_pool",
                                     "processor_list"};

constexpr std::array<std::pair<std::string_view, Stage>, 5> kStages = {{{"biomes", Stage::kBiomes},
                                                                       {"noise", Stage::kNoise},
                                                                       {"surface", Stage::kSurface},
                                                                       {"carvers", Stage::kCarvers},
                                                                       {"features", Stage::kFeatures}}};

/// Chunks this far apart along a column's neighbour have nothing in common.
constexpr std::int32_t kApart = 3;

void advance(StageWorker& worker, ProtoChunk& chunk, Stage last, const ChunkWatcher& watch) {
  for (const auto& [name, stage] : kStages) {
    if (stage > last || stage > Stage::kCarvers) break;
    worker.advance(chunk, stage);
    if (watch) watch(chunk, stage);
  }
}

}  // namespace

std::optional<DimensionId> find_dimension(std::string_view name) {
  name = without_minecraft(name);
  if (name == "overworld") return DimensionId::kOverworld;
  if (name == "the_nether" || name == "nether") return DimensionId::kNether;
  if (name == "the_end" || name == "end") return DimensionId::kEnd;
  return std::nullopt;
}

std::optional<Stage> find_stage(std::string_view name) {
  name = without_minecraft(name);
  const auto it = std::ranges::find(kStages, name, [](const auto& entry) { return entry.first; });
  if (it == kStages.end()) return std::nullopt;
  return it->second;
}

std::string_view stage_name(Stage stage) {
  const auto it = std::ranges::find(kStages, stage, [](const auto& entry) { return entry.second; });
  return it == kStages.end() ? "?" : it->first;
}

std::string_view biome_path(BiomeId biome) {
  static const game::Registry& kBiomes = *std::ranges::find(
      game::registries(), std::string_view("minecraft:worldgen/biome"), [](const game::Registry& r) { return r.name; });
  return without_minecraft(kBiomes.entries[biome].name);
}

std::string default_settings(DimensionId dimension) {
  switch (dimension) {
    case DimensionId::kOverworld:
      return "overworld";
    case DimensionId::kNether:
      return "nether";
    case DimensionId::kEnd:
      return "end";
  }
  return {};
}

WorldData::WorldData(const std::string& vanilla_data) : figures_(Figures::from_builtin()) {
  if (vanilla_data.empty()) return;
  auto opened = open_vanilla_data(vanilla_data);
  if (!opened) throw std::runtime_error(opened.error().message);
  templates_ = *opened;
  for (const char* registry : kReplaceable) {
    for (auto& [name, definition] : templates_->definitions(registry)) {
      figures_.set(registry, name, std::move(definition));
    }
  }
}

std::unique_ptr<Dimension> WorldData::open(const WorldOptions& options) {
  if (!options.settings.empty() && options.dimension != DimensionId::kOverworld) {
    throw FigureError("the settings \"" + options.settings + "\" are for the overworld");
  }
  DimensionOptions dimension_options;
  dimension_options.id = options.dimension;
  dimension_options.seed = options.seed;
  dimension_options.settings = options.settings.empty() ? default_settings(options.dimension) : options.settings;
  dimension_options.has_structures = options.has_structures;
  auto dimension = std::make_unique<Dimension>(figures_, dimension_options, templates_.get());
  if (has_told_missing_ || dimension->structures() == nullptr) return dimension;
  std::string missing;
  for (const std::string& name : dimension->structures()->missing_structures()) {
    missing += (missing.empty() ? "" : ", ") + std::string(without_minecraft(name));
  }
  if (!missing.empty()) {
    has_told_missing_ = true;
    std::fprintf(stderr, "Structures made of the game's templates are left out (%s): see --vanilla-data\n",
                 missing.c_str());
  }
  return dimension;
}

void run_parallel(std::int32_t threads, const std::function<void()>& body) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&] {
    try {
      body();
    } catch (...) {
      std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::int32_t i = 1; i < threads; ++i) others.emplace_back(guarded);
    guarded();
  }
  if (failure) std::rethrow_exception(failure);
}

void make_chunks(const Dimension& dimension, std::span<const ChunkPos> chunks, Stage stage, std::int32_t threads,
                 const ChunkWatcher& watch, Progress* progress) {
  std::atomic<std::size_t> next = 0;
  const auto useful = static_cast<std::int32_t>(std::min(chunks.size(), static_cast<std::size_t>(threads)));
  run_parallel(useful, [&] {
    StageWorker worker(dimension);
    for (std::size_t i = next++; i < chunks.size(); i = next++) {
      ProtoChunk chunk(chunks[i], dimension.heights());
      advance(worker, chunk, stage, watch);
      if (progress != nullptr) progress->add();
    }
  });
}

void ChunkBounds::include(ChunkPos p) {
  if (max_x < min_x) {
    *this = {p.x, p.z, p.x, p.z};
    return;
  }
  min_x = std::min(min_x, p.x);
  min_z = std::min(min_z, p.z);
  max_x = std::max(max_x, p.x);
  max_z = std::max(max_z, p.z);
}

DecoratedArea::DecoratedArea(const Dimension& dimension, ChunkBounds bounds, const ChunkWatcher& watch,
                             Progress* progress)
    : dimension_(dimension),
      bounds_(bounds),
      watch_(watch),
      progress_(progress),
      columns_(static_cast<std::size_t>(bounds.width() + 2)) {
  const auto rows = static_cast<std::size_t>(bounds.depth() + 2);
  for (Column& column : columns_) {
    column.chunks.resize(rows);
    column.is_carved.resize(rows);
  }
}

void DecoratedArea::run(std::int32_t threads) {
  // Enough carved chunks that no thread waits for the ground of the next columns.
  ahead_ = 3 + 2 * threads;
  run_parallel(threads, [this] { work(); });
}

void DecoratedArea::work() {
  std::unique_lock lock(mutex_, std::defer_lock);
  try {
    StageWorker worker(dimension_);
    lock.lock();
    while (!is_done() && !has_failed_) step(worker, lock);
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    has_failed_ = true;
    changed_.notify_all();
    throw;
  }
}

void DecoratedArea::step(StageWorker& worker, std::unique_lock<std::mutex>& lock) {
  if (const auto column = ready_column()) {
    decorate(worker, *column, lock);
  } else if (carve_column_ < static_cast<std::int32_t>(columns_.size()) && carve_column_ < oldest_ + ahead_) {
    carve_next(worker, lock);
  } else {
    changed_.wait(lock);
  }
}

bool DecoratedArea::is_surrounded(std::int32_t column, std::int32_t row) const {
  for (std::int32_t x = column; x < column + 3; ++x) {
    for (std::int32_t z = row; z < row + 3; ++z) {
      if (!columns_[static_cast<std::size_t>(x)].is_carved[static_cast<std::size_t>(z)]) return false;
    }
  }
  return true;
}

std::optional<std::int32_t> DecoratedArea::ready_column() const {
  for (std::int32_t i = oldest_; i < std::min(bounds_.width(), oldest_ + ahead_); ++i) {
    const Column& column = columns_[static_cast<std::size_t>(i + 1)];
    if (column.decorated == bounds_.depth()) continue;
    const std::int32_t western = i == 0 ? bounds_.depth() : columns_[static_cast<std::size_t>(i)].decorated;
    if (western < std::min(bounds_.depth(), column.decorated + kApart)) return std::nullopt;
    if (!column.is_busy && is_surrounded(i, column.decorated)) return i;
  }
  return std::nullopt;
}

void DecoratedArea::decorate(StageWorker& worker, std::int32_t column, std::unique_lock<std::mutex>& lock) {
  Column& middle = columns_[static_cast<std::size_t>(column + 1)];
  const std::int32_t row = middle.decorated;
  std::array<ProtoChunk*, 9> nine{};
  for (std::int32_t z = 0; z < 3; ++z) {
    for (std::int32_t x = 0; x < 3; ++x) {
      nine[static_cast<std::size_t>(z * 3 + x)] =
          columns_[static_cast<std::size_t>(column + x)].chunks[static_cast<std::size_t>(row + z)].get();
    }
  }
  middle.is_busy = true;
  lock.unlock();
  worker.decorate(nine);
  if (progress_ != nullptr) progress_->add();
  lock.lock();
  ++middle.decorated;
  if (middle.decorated == bounds_.depth()) {
    lock.unlock();
    let_go(column);
    if (column + 1 == bounds_.width()) let_go(column + 1);
    lock.lock();
    ++oldest_;
  }
  middle.is_busy = false;
  changed_.notify_all();
}

void DecoratedArea::carve_next(StageWorker& worker, std::unique_lock<std::mutex>& lock) {
  const std::int32_t x = carve_column_, z = carve_row_;
  if (++carve_row_ == bounds_.depth() + 2) {
    carve_row_ = 0;
    ++carve_column_;
  }
  const ChunkPos pos{bounds_.min_x - 1 + x, bounds_.min_z - 1 + z};
  lock.unlock();
  auto chunk = std::make_unique<ProtoChunk>(pos, dimension_.heights());
  advance(worker, *chunk, Stage::kCarvers, bounds_.contains(pos) ? watch_ : ChunkWatcher());
  lock.lock();
  Column& column = columns_[static_cast<std::size_t>(x)];
  column.chunks[static_cast<std::size_t>(z)] = std::move(chunk);
  column.is_carved[static_cast<std::size_t>(z)] = true;
  changed_.notify_all();
}

/// No decoration reaches the column (counted with the ring) any more.
void DecoratedArea::let_go(std::int32_t column) {
  for (auto& chunk : columns_[static_cast<std::size_t>(column)].chunks) {
    if (watch_ && bounds_.contains(chunk->pos())) watch_(*chunk, Stage::kFeatures);
    chunk.reset();
  }
}

}  // namespace horizon::worldgen
