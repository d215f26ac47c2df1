#include "shard/worldgen/tool/check.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "shard/worldgen/tool/area.hpp"
#include "shard/worldgen/tool/golden.hpp"
#include "shard/worldgen/tool/progress.hpp"

namespace horizon::worldgen {

namespace {

/// Differences that are printed.
constexpr std::size_t kShown = 10;
/// Chunks of one cluster have a neighbour at most this far away.
constexpr std::int32_t kClusterReach = 2;
/// Clusters were this long and wide when the files were made.
constexpr std::int32_t kClusterSide = 10;

std::string text_of(ChunkPos p) { return std::to_string(p.x) + " " + std::to_string(p.z); }
std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// How much of one thing is equal.
class Tally {
 public:
  void count(bool is_equal) {
    ++total_;
    if (is_equal) ++matched_;
  }
  /// `describe` is asked for the first differences only.
  template <typename Describe>
  void count(bool is_equal, Describe&& describe) {
    count(is_equal);
    if (!is_equal && differing_.size() < kShown) differing_.push_back(describe());
  }
  bool is_equal() const { return matched_ == total_; }
  void print(const std::string& what) const {
    std::printf("  %s: %zu/%zu\n", what.c_str(), matched_, total_);
    if (!differing_.empty()) std::printf("    first differing:\n");
    for (const std::string& line : differing_) std::printf("      %s\n", line.c_str());
    std::fflush(stdout);
  }

 private:
  std::size_t matched_ = 0, total_ = 0;
  std::vector<std::string> differing_;
};

struct Cluster {
  ChunkBounds bounds;
  std::vector<ChunkPos> chunks;  ///< those that the file has
};

/// Chunks that hang together, by the least x.
std::vector<Cluster> find_clusters(const std::vector<ChunkPos>& chunks) {
  std::unordered_set<ChunkPos> left(chunks.begin(), chunks.end());
  std::vector<Cluster> clusters;
  for (const ChunkPos first : chunks) {
    if (left.erase(first) == 0) continue;
    Cluster cluster;
    cluster.chunks.push_back(first);
    for (std::size_t i = 0; i < cluster.chunks.size(); ++i) {
      const ChunkPos p = cluster.chunks[i];
      cluster.bounds.include(p);
      for (std::int32_t dx = -kClusterReach; dx <= kClusterReach; ++dx) {
        for (std::int32_t dz = -kClusterReach; dz <= kClusterReach; ++dz) {
          const ChunkPos near{p.x + dx, p.z + dz};
          if (left.erase(near) != 0) cluster.chunks.push_back(near);
        }
      }
    }
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

/// Chunks at an edge behind which more of the sample may have been decorated than the file shows.
std::size_t count_uncertain(const Cluster& cluster) {
  const ChunkBounds& b = cluster.bounds;
  const bool is_narrow = b.width() < kClusterSide, is_short = b.depth() < kClusterSide;
  return static_cast<std::size_t>(std::ranges::count_if(cluster.chunks, [&](ChunkPos p) {
    return (is_narrow && (p.x == b.min_x || p.x == b.max_x)) || (is_short && (p.z == b.min_z || p.z == b.max_z));
  }));
}

class Checker {
 public:
  explicit Checker(const CheckOptions& options) : options_(options), data_(options.vanilla_data) {}

  /// True when all is equal.
  bool check(const std::string& file, const Golden& golden) {
    std::printf("%s\n", file.c_str());
    is_equal_ = true;
    std::visit([this](const auto& content) { compare(content); }, golden);
    std::fflush(stdout);
    return is_equal_;
  }

 private:
  bool wants(Stage stage) const {
    return options_.stages.empty() || std::ranges::find(options_.stages, stage) != options_.stages.end();
  }
  bool wants(DimensionId dimension) const { return !options_.dimension || *options_.dimension == dimension; }
  void conclude(const std::string& what, const Tally& tally) {
    tally.print(what);
    is_equal_ = is_equal_ && tally.is_equal();
  }
  static void skip(const std::string& why) { std::printf("  skipped: %s\n", why.c_str()); }

  void compare(const GoldenStages& golden);
  void compare_stages(std::int64_t seed, const GoldenStages::Part& part);
  void compare(const GoldenBiomes& golden);
  void compare(const GoldenBlocks& golden);
  void compare(const GoldenClimates& golden);
  void compare(const GoldenZoom& golden);
  void compare(const GoldenDensity& golden);
  void compare(const GoldenDerived& golden);
  void compare(const GoldenNothing& golden) {
    std::printf("  nothing to check: it only says %s\n", golden.what.c_str());
  }

  DensityProgram program(DimensionId dimension, std::int64_t seed) const {
    return {data_.figures(), data_.figures().get("noise_settings", default_settings(dimension)), seed};
  }
  void compare_density(const std::string& what, DimensionId dimension, std::int64_t seed,
                       const std::vector<GoldenSamples>& functions, const std::vector<GoldenSamples>& router);

  const CheckOptions& options_;
  WorldData data_;
  bool is_equal_ = true;
};

// --- Stages --------------------------------------------------------------

void Checker::compare(const GoldenStages& golden) {
  if (golden.version != game::kVersionName) {
    skip("digests of " + golden.version + ", and this generator is that of " + std::string(game::kVersionName));
    return;
  }
  for (const std::string& stage : golden.unknown_stages) skip(stage + ": not a stage that is made here");
  for (const GoldenStages::Part& part : golden.parts) {
    if (wants(part.dimension)) compare_stages(golden.seed, part);
  }
}

void Checker::compare_stages(std::int64_t seed, const GoldenStages::Part& part) {
  struct Expected {
    std::vector<std::pair<Stage, std::string>> digests;
    std::vector<Stage> equal;  ///< written by whoever makes the chunk
  };
  const std::string name(name_of(part.dimension));
  std::unordered_map<ChunkPos, Expected> expected;
  std::vector<ChunkPos> chunks;
  Stage last = Stage::kEmpty;
  for (const GoldenStages::Chunk& chunk : part.chunks) {
    Expected entry;
    for (const auto& digest : chunk.digests) {
      if (wants(digest.first)) entry.digests.push_back(digest);
    }
    if (entry.digests.empty()) continue;
    for (const auto& [stage, digest] : entry.digests) last = std::max(last, stage);
    if (expected.emplace(chunk.pos, std::move(entry)).second) chunks.push_back(chunk.pos);
  }
  if (chunks.empty()) return;

  std::vector<Cluster> clusters;
  if (last == Stage::kFeatures) {
    clusters = find_clusters(chunks);
    std::size_t kept = 0, taken = 0;
    while (kept < clusters.size() && taken < options_.limit.value_or(SIZE_MAX)) taken += clusters[kept++].chunks.size();
    clusters.resize(kept);
    std::unordered_set<ChunkPos> made;
    for (const Cluster& cluster : clusters) made.insert(cluster.chunks.begin(), cluster.chunks.end());
    std::erase_if(chunks, [&](ChunkPos p) { return !made.contains(p); });
  } else if (options_.limit) {
    chunks.resize(std::min(chunks.size(), *options_.limit));
  }

  const auto dimension = data_.open({.dimension = part.dimension, .seed = seed});
  const ChunkWatcher watch = [&](const ProtoChunk& chunk, Stage stage) {
    const auto it = expected.find(chunk.pos());
    if (it == expected.end()) return;
    for (const auto& [golden_stage, digest] : it->second.digests) {
      if (golden_stage == stage && block_digest(chunk) == digest) it->second.equal.push_back(stage);
    }
  };
  if (last == Stage::kFeatures) {
    std::size_t total = 0, uncertain = 0;
    for (const Cluster& cluster : clusters) {
      total += cluster.bounds.count();
      uncertain += count_uncertain(cluster);
    }
    if (uncertain != 0) {
      std::printf(
          "  %s: clusters smaller than %d by %d: the features of at least %zu chunks may hang on chunks that the file "
          "does not have\n",
          name.c_str(), kClusterSide, kClusterSide, uncertain);
    }
    Progress progress(name, total);
    const auto at_once = std::clamp(static_cast<std::int32_t>(clusters.size()), 1, options_.threads);
    std::atomic<std::size_t> next = 0;
    run_parallel(at_once, [&] {
      for (std::size_t i = next++; i < clusters.size(); i = next++) {
        DecoratedArea(*dimension, clusters[i].bounds, watch, &progress).run(options_.threads / at_once);
      }
    });
  } else {
    Progress progress(name, chunks.size());
    make_chunks(*dimension, chunks, last, options_.threads, watch, &progress);
  }

  std::map<Stage, Tally> tallies;
  for (const ChunkPos p : chunks) {
    const Expected& entry = expected.at(p);
    for (const auto& [stage, digest] : entry.digests) {
      tallies[stage].count(std::ranges::find(entry.equal, stage) != entry.equal.end(), [&] { return text_of(p); });
    }
  }
  for (const auto& [stage, tally] : tallies) conclude(name + " " + std::string(stage_name(stage)), tally);
}

void Checker::compare(const GoldenBiomes& golden) {
  if (!wants(Stage::kBiomes)) return skip("biomes are not among --stages");
  for (const GoldenBiomes::Part& part : golden.parts) {
    if (!wants(part.dimension)) continue;
    const Heights heights = heights_of(part.dimension);
    if (part.min_section != heights.min_y >> 4 || part.max_section != heights.max_y() >> 4) {
      throw FigureError("sections " + std::to_string(part.min_section) + " to " + std::to_string(part.max_section) +
                        " are not those of " + std::string(name_of(part.dimension)));
    }
    const std::size_t count = std::min(part.digests.size(), options_.limit.value_or(SIZE_MAX));
    std::vector<ChunkPos> chunks;
    std::unordered_map<ChunkPos, std::string> made;
    for (std::size_t i = 0; i < count; ++i) {
      chunks.push_back(part.digests[i].first);
      made.try_emplace(part.digests[i].first);
    }
    const auto dimension =
        data_.open({.dimension = part.dimension, .seed = golden.seed, .has_structures = false});
    {
      Progress progress(std::string(name_of(part.dimension)), chunks.size());
      make_chunks(
          *dimension, chunks, Stage::kBiomes, options_.threads,
          [&](const ProtoChunk& chunk, Stage) { made.find(chunk.pos())->second = biome_digest(chunk); }, &progress);
    }
    Tally tally;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [pos, digest] = part.digests[i];
      tally.count(made.at(pos) == digest, [&, p = pos] { return text_of(p); });
    }
    conclude(std::string(name_of(part.dimension)) + " biomes", tally);
  }
}

// --- Blocks --------------------------------------------------------------

void Checker::compare(const GoldenBlocks& golden) {
  if (!wants(golden.stage) || !wants(golden.dimension)) return skip("not among --stages and --dimension");
  const auto dimension = data_.open(
      {.dimension = golden.dimension, .seed = golden.seed, .has_structures = golden.has_structures});
  Tally tally;
  const auto compare_chunk = [&](const ProtoChunk& chunk) {
    for (std::int32_t x = 0; x < 16; ++x) {
      for (std::int32_t y = golden.heights.min_y; y <= golden.heights.max_y(); ++y) {
        for (std::int32_t z = 0; z < 16; ++z) {
          const std::size_t index = golden.index(x, y, z);
          if (std::ranges::binary_search(golden.undecided, index)) continue;
          const BlockState wanted = golden.states[index], made = chunk.get(x, y, z);
          tally.count(wanted == made, [&] {
            return std::to_string(golden.chunk.x * 16 + x) + " " + std::to_string(y) + " " +
                   std::to_string(golden.chunk.z * 16 + z) + ": " + state_text(made) + " instead of " +
                   state_text(wanted);
          });
        }
      }
    }
  };
  const ChunkWatcher watch = [&](const ProtoChunk& chunk, Stage stage) {
    if (stage == golden.stage && chunk.pos() == golden.chunk) compare_chunk(chunk);
  };
  if (golden.stage == Stage::kFeatures) {
    DecoratedArea(*dimension, ChunkBounds::around(golden.chunk, 1), watch, nullptr).run(options_.threads);
  } else {
    make_chunks(*dimension, std::array{golden.chunk}, golden.stage, 1, watch, nullptr);
  }
  conclude(std::string(name_of(golden.dimension)) + " " + std::string(stage_name(golden.stage)) + " chunk " +
               text_of(golden.chunk) + ", blocks",
           tally);
}

// --- Samples -------------------------------------------------------------

void Checker::compare(const GoldenClimates& golden) {
  if (!wants(DimensionId::kOverworld)) return skip("not of --dimension");
  const DensityProgram density = program(DimensionId::kOverworld, GoldenClimates::kSeed);
  const BiomeSource source(data_.figures(), {{"type", "minecraft:multi_noise"}, {"preset", "minecraft:overworld"}});
  FlatColumns flats(density);
  BiomeSource::Sampler sampler(source, density, flats);
  Tally tally;
  for (const auto& row : golden.rows) {
    const Climate climate = sampler.climate(static_cast<std::int32_t>(row[0]), static_cast<std::int32_t>(row[1]),
                                            static_cast<std::int32_t>(row[2]));
    tally.count(std::equal(climate.begin(), climate.end(), row.begin() + 3), [&] {
      return "cell " + std::to_string(row[0]) + " " + std::to_string(row[1]) + " " + std::to_string(row[2]);
    });
  }
  conclude("overworld climates", tally);
}

void Checker::compare(const GoldenZoom& golden) {
  const BiomeZoom zoom(GoldenZoom::kSeed);
  Tally tally;
  for (const auto& row : golden.rows) {
    tally.count(zoom.quart_of({row[0], row[1], row[2]}) == BlockPos{row[3], row[4], row[5]}, [&] {
      return "block " + std::to_string(row[0]) + " " + std::to_string(row[1]) + " " + std::to_string(row[2]);
    });
  }
  conclude("biome zoom", tally);
}

NodeId router_entry(const DensityProgram& program, const std::string& name) {
  const DensityProgram::Router& r = program.router();
  const std::array<std::pair<std::string_view, NodeId>, 15> entries = {{
      {"barrier", r.barrier},
      {"fluid_level_floodedness", r.floodedness},
      {"fluid_level_spread", r.spread},
      {"lava", r.lava},
      {"temperature", r.temperature},
      {"vegetation", r.vegetation},
      {"continents", r.continents},
      {"erosion", r.erosion},
      {"depth", r.depth},
      {"ridges", r.ridges},
      {"preliminary_surface_level", r.preliminary_surface},
      {"final_density", r.final_density},
      {"vein_toggle", r.vein_toggle},
      {"vein_ridged", r.vein_ridged},
      {"vein_gap", r.vein_gap},
  }};
  const auto it = std::ranges::find(entries, name, [](const auto& entry) { return entry.first; });
  if (it == entries.end()) throw FigureError("no router entry is named \"" + name + "\"");
  return it->second;
}

void Checker::compare_density(const std::string& what, DimensionId dimension, std::int64_t seed,
                              const std::vector<GoldenSamples>& functions, const std::vector<GoldenSamples>& router) {
  DensityProgram density = program(dimension, seed);
  // The evaluator measures the program, so all is compiled before.
  std::vector<std::pair<NodeId, const GoldenSamples*>> nodes;
  for (const GoldenSamples& samples : functions) nodes.emplace_back(density.compile(samples.name), &samples);
  for (const GoldenSamples& samples : router) nodes.emplace_back(router_entry(density, samples.name), &samples);
  DensityEvaluator evaluator(density, nullptr);
  for (const auto& [node, samples] : nodes) {
    Tally tally;
    for (const GoldenSamples::Row& row : samples->rows) {
      evaluator.at(static_cast<std::int32_t>(row.x), static_cast<std::int32_t>(row.y),
                   static_cast<std::int32_t>(row.z), {});
      const double value = evaluator.value(node);
      tally.count(value == row.value, [&, r = row] {
        return text_of(r.x) + " " + text_of(r.y) + " " + text_of(r.z) + ": " + text_of(value) + " instead of " +
               text_of(r.value);
      });
    }
    conclude(what + samples->name, tally);
  }
}

void Checker::compare(const GoldenDensity& golden) {
  if (!wants(golden.dimension)) return skip("not of --dimension");
  compare_density(std::string(name_of(golden.dimension)) + " ", golden.dimension, golden.seed, golden.functions,
                  golden.router);
}

// --- Derived values ------------------------------------------------------

/// The values of `kind` ("int_100") that a fresh source gives, one for each of `wanted`; null for a kind that is not
/// known. Longs stand as text in the files.
Json draw(const std::string& kind, Random random, std::int64_t seed, std::size_t count) {
  constexpr std::string_view kBounded = "int_";
  if (kind.starts_with("positional_")) {
    const PositionalRandom positional(random);
    random = kind == "positional_at_1_2_3" ? positional.at(1, 2, 3) : positional.named("minecraft:terrain");
  } else if (kind == "large_feature_seed_chunk_3_minus7") {
    random.set_large_feature_seed(seed, 3, -7);
  }
  Json values = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    if (kind == "int") {
      values.push_back(random.next_int());
    } else if (kind.starts_with(kBounded)) {
      values.push_back(random.next_int(std::stoi(kind.substr(kBounded.size()))));
    } else if (kind == "float") {
      values.push_back(static_cast<double>(random.next_float()));
    } else if (kind == "double") {
      values.push_back(random.next_double());
    } else if (kind == "gaussian") {
      values.push_back(random.next_gaussian());
    } else if (kind == "boolean") {
      values.push_back(random.next_bool());
    } else if (kind == "long" || kind == "positional_at_1_2_3" || kind == "positional_from_hash_minecraft_terrain" ||
               kind == "large_feature_seed_chunk_3_minus7") {
      values.push_back(std::to_string(random.next_long()));
    } else {
      return {};
    }
  }
  return values;
}

void Checker::compare(const GoldenDerived& golden) {
  Tally random;
  for (const auto& [seed_text, sources] : golden.random.items()) {
    const std::int64_t seed = std::stoll(seed_text);
    for (const auto& [source, kinds] : sources.items()) {
      if (source == "zoom_seed") {
        random.count(std::to_string(BiomeZoom(seed).seed()) == kinds, [&] { return "zoom seed of " + seed_text; });
        continue;
      }
      if (source != "legacy" && source != "xoroshiro") {
        skip("random source \"" + source + "\" is not known");
        continue;
      }
      for (const auto& [kind, values] : kinds.items()) {
        const Json drawn =
            draw(kind, source == "legacy" ? Random::legacy(seed) : Random::xoroshiro(seed), seed, values.size());
        if (drawn.is_null()) {
          skip("draw \"" + kind + "\" is not known");
        } else {
          random.count(drawn == values,
                       [&, s = source, k = kind] { return s + " of " + seed_text + ", " + k + ": " + drawn.dump(); });
        }
      }
    }
  }
  conclude("random sources", random);
  Tally positions;
  for (const Json& row : golden.position_seeds) {
    const std::int64_t seed = position_seed(row.at(0), row.at(1), row.at(2));
    positions.count(std::to_string(seed) == row.at(3), [&] { return row.dump() + ": " + std::to_string(seed); });
  }
  conclude("position seeds", positions);
  for (const GoldenDerived::Part& part : golden.noises) {
    if (!wants(part.dimension)) continue;
    DensityProgram density = program(part.dimension, part.seed);
    Tally noises;
    for (const GoldenSamples& samples : part.samples) {
      const NormalNoise& noise = density.named_noise(samples.name);
      noises.count(std::ranges::all_of(samples.rows,
                                       [&](const GoldenSamples::Row& r) { return noise.get(r.x, r.y, r.z) == r.value; }),
                   [&] { return samples.name; });
    }
    conclude(std::string(name_of(part.dimension)) + " noises of seed " + std::to_string(part.seed), noises);
  }
  for (const GoldenDerived::Part& part : golden.routers) {
    if (!wants(part.dimension)) continue;
    compare_density(std::string(name_of(part.dimension)) + " router, seed " + std::to_string(part.seed) + ", ",
                    part.dimension, part.seed, {}, part.samples);
  }
}

}  // namespace

int run_check(const CheckOptions& options) {
  Checker checker(options);
  bool is_equal = true, is_readable = true;
  const auto complain = [&](const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    is_readable = false;
  };
  for (const std::string& file : options.files) {
    const auto golden = read_golden(file);
    if (!golden) {
      complain(golden.error().message);
      continue;
    }
    try {
      is_equal = checker.check(file, *golden) && is_equal;
    } catch (const std::exception& error) {
      complain(file + ": " + error.what());
    }
  }
  if (!is_readable) return 2;
  return is_equal ? 0 : 1;
}

}  // namespace horizon::worldgen
