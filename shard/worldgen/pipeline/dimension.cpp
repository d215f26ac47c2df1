#include "shard/worldgen/pipeline/dimension.hpp"

#include <algorithm>

#include "common/base/result.hpp"

namespace horizon::worldgen {

namespace {

Json default_biome_source(DimensionId id) {
  switch (id) {
    case DimensionId::kOverworld:
      return {{"type", "minecraft:multi_noise"}, {"preset", "minecraft:overworld"}};
    case DimensionId::kNether:
      return {{"type", "minecraft:multi_noise"}, {"preset", "minecraft:nether"}};
    case DimensionId::kEnd:
      return {{"type", "minecraft:the_end"}};
  }
  return {};
}

std::size_t slot(ChunkPos pos, std::size_t slots) {
  return (static_cast<std::uint32_t>(pos.x) + static_cast<std::uint32_t>(pos.z) * 31U) % slots;
}

constexpr std::size_t kBiomeCacheChunks = 512;
constexpr std::size_t kCarverCacheChunks = 4096;

}  // namespace

Heights heights_of(DimensionId id) { return id == DimensionId::kOverworld ? Heights{-64, 384} : Heights{0, 256}; }

std::string_view name_of(DimensionId id) {
  constexpr std::array<std::string_view, 3> kNames = {"overworld", "the_nether", "the_end"};
  return kNames[static_cast<std::size_t>(id)];
}

/// Answers structures' questions about terrain, from any thread: evaluators are lent out one a caller.
class Dimension::Probe : public TerrainProbe {
 public:
  explicit Probe(const Dimension& dimension) : dimension_(dimension) {}

  std::int32_t first_free_height(std::int32_t x, std::int32_t z, HeightKind kind) const override {
    const Lent lent(*this);
    return lent->noise.first_free_height(x, z, kind);
  }
  std::vector<BlockState> column(std::int32_t x, std::int32_t z) const override {
    const Lent lent(*this);
    std::vector<BlockState> states;
    lent->noise.column(x, z, states);
    return states;
  }
  BiomeId biome(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) const override {
    const Lent lent(*this);
    return lent->sampler.at(quart_x, quart_y, quart_z);
  }
  Heights heights() const override { return dimension_.heights(); }
  Heights generated() const override { return dimension_.terrain_.generated; }
  std::int32_t sea_level() const override { return dimension_.terrain_.sea_level; }

 private:
  struct Evaluators {
    explicit Evaluators(const Dimension& d)
        : noise(d.program_, d.terrain_), sampler(d.biome_source_, d.program_, noise.flats()) {}
    NoiseStage noise;
    BiomeSource::Sampler sampler;
  };
  class Lent {
   public:
    explicit Lent(const Probe& probe) : probe_(probe) {
      {
        std::lock_guard lock(probe.free_mutex_);
        if (!probe.free_.empty()) {
          evaluators_ = std::move(probe.free_.back());
          probe.free_.pop_back();
        }
      }
      if (!evaluators_) evaluators_ = std::make_unique<Evaluators>(probe.dimension_);
    }
    ~Lent() {
      std::lock_guard lock(probe_.free_mutex_);
      probe_.free_.push_back(std::move(evaluators_));
    }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    Evaluators* operator->() const { return evaluators_.get(); }

   private:
    const Probe& probe_;
    std::unique_ptr<Evaluators> evaluators_;
  };

  const Dimension& dimension_;
  mutable std::mutex free_mutex_;
  mutable std::vector<std::unique_ptr<Evaluators>> free_;
};

Dimension::Dimension(const Figures& figures, const DimensionOptions& options, const TemplateSource* templates)
    : options_(options),
      spawn_targets_(field(figures.get("noise_settings", options.settings), "spawn_target")),
      terrain_(TerrainSettings::parse(figures.get("noise_settings", options.settings), heights_of(options.id))),
      program_(figures, figures.get("noise_settings", options.settings), options.seed),
      biome_source_(figures, options.biome_source.is_null() ? default_biome_source(options.id) : options.biome_source),
      zoom_(options.seed),
      climates_(figures),
      surface_(std::make_unique<SurfaceRules>(field(figures.get("noise_settings", options.settings), "surface_rule"),
                                              terrain_, program_, climates_)),
      carvers_(figures, biome_source_.possible(), options.seed),
      features_(std::make_unique<FeatureSet>(figures, biome_source_.possible(), terrain_.generated, templates)),
      probe_(std::make_unique<Probe>(*this)) {
  if (options.has_structures) {
    structures_ =
        std::make_unique<StructureIndex>(figures, options.seed, *probe_, biome_source_.possible(), templates);
  }
}

Dimension::~Dimension() = default;

const TerrainProbe& Dimension::probe() const { return *probe_; }

/// The biomes that chunks store, also of neighbours.
class StageWorker::StoredBiomes : public BiomeWindow {
 public:
  explicit StoredBiomes(StageWorker& worker) : worker_(worker), heights_(worker.dimension_->heights()) {}
  BiomeId at(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) override {
    const ChunkPos chunk{quart_x >> 2, quart_z >> 2};
    if (biomes_ == nullptr || chunk != chunk_) {
      biomes_ = &worker_.biomes_of(chunk);
      chunk_ = chunk;
    }
    const std::int32_t y = std::clamp(quart_y - (heights_.min_y >> 2), 0, heights_.height / 4 - 1);
    return (*biomes_)[static_cast<std::size_t>(y << 4 | (quart_z & 3) << 2 | (quart_x & 3))];
  }

 private:
  StageWorker& worker_;
  Heights heights_;
  ChunkPos chunk_;
  const std::vector<BiomeId>* biomes_ = nullptr;
};

class StageWorker::SourceBiomes : public BiomeWindow {
 public:
  explicit SourceBiomes(StageWorker& worker) : worker_(worker) {}
  BiomeId at(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) override {
    return worker_.sampler_.at(quart_x, quart_y, quart_z);
  }

 private:
  StageWorker& worker_;
};

StageWorker::StageWorker(const Dimension& dimension)
    : dimension_(&dimension),
      noise_(dimension.program(), dimension.terrain()),
      sampler_(dimension.biome_source(), dimension.program(), noise_.flats()),
      biome_cache_(kBiomeCacheChunks),
      carver_biomes_(kCarverCacheChunks) {}

StageWorker::~StageWorker() = default;

const std::vector<BiomeId>& StageWorker::biomes_of(ChunkPos chunk) {
  CachedBiomes& entry = biome_cache_[slot(chunk, kBiomeCacheChunks)];
  if (entry.pos != chunk || entry.biomes.empty()) {
    sampler_.fill(chunk, dimension_->heights(), entry.biomes);
    entry.pos = chunk;
  }
  return entry.biomes;
}

BiomeId StageWorker::carver_biome(ChunkPos chunk) {
  CachedBiome& entry = carver_biomes_[slot(chunk, kCarverCacheChunks)];
  if (entry.pos != chunk) entry = {chunk, sampler_.at(chunk.x * 4, 0, chunk.z * 4)};
  return entry.biome;
}

void StageWorker::advance(ProtoChunk& chunk, Stage stage) {
  HZ_CHECK(stage <= Stage::kCarvers);
  const Dimension& d = *dimension_;
  if (chunk.stage < Stage::kBiomes && stage >= Stage::kBiomes) {
    chunk.biomes() = biomes_of(chunk.pos());
    chunk.stage = Stage::kBiomes;
  }
  if (chunk.stage < Stage::kNoise && stage >= Stage::kNoise) {
    Beardifier beardifier;
    if (d.structures() != nullptr) {
      const auto starts = d.structures()->touching(chunk.pos());
      beardifier = Beardifier(starts, chunk.pos());
    }
    noise_.fill(chunk, beardifier);
    chunk.stage = Stage::kNoise;
  }
  if (chunk.stage < Stage::kSurface && stage >= Stage::kSurface) {
    StoredBiomes biomes(*this);
    d.surface().apply(chunk, biomes, d.zoom(), noise_.flats());
    chunk.stage = Stage::kSurface;
  }
  if (chunk.stage < Stage::kCarvers && stage >= Stage::kCarvers) {
    noise_.begin_aquifer(chunk.pos());
    SourceBiomes biomes(*this);
    Carvers::Work work{chunk, noise_, d.surface(), biomes, d.zoom(), carver_mask_};
    d.carvers().carve(work, [this](ChunkPos source) { return carver_biome(source); });
    chunk.prime_heights({HeightKind::kWorldSurface, HeightKind::kOceanFloor, HeightKind::kMotionBlocking,
                         HeightKind::kMotionBlockingNoLeaves});
    chunk.stage = Stage::kCarvers;
  }
}

void StageWorker::decorate(const std::array<ProtoChunk*, 9>& chunks) {
  for (const ProtoChunk* chunk : chunks) HZ_CHECK(chunk->stage >= Stage::kCarvers);
  HZ_CHECK(chunks[4]->stage == Stage::kCarvers);
  const Dimension& d = *dimension_;
  Region region(chunks, d.options().seed, d.options().id, d.terrain().sea_level, d.zoom());
  d.features().decorate(region, [&](std::int32_t step, std::int64_t decoration_seed, Random& random) {
    if (d.structures() != nullptr) {
      d.structures()->place(region, d.features(), step, decoration_seed, random);
    }
  });
  chunks[4]->stage = Stage::kFeatures;
}

}  // namespace horizon::worldgen
