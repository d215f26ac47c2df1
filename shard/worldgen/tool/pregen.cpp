#include "shard/worldgen/tool/pregen.hpp"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <vector>

#include "shard/worldgen/tool/golden.hpp"
#include "shard/worldgen/tool/progress.hpp"

namespace horizon::worldgen {

namespace {

/// Of all threads.
double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace

int run_pregen(const PregenOptions& options) {
  WorldData data(options.vanilla_data);
  const auto dimension = data.open(options.world);
  const ChunkBounds bounds =
      ChunkBounds::around(ChunkPos::of({options.center_x, 0, options.center_z}), options.radius);
  std::vector<std::string> digests(bounds.count());
  const ChunkWatcher watch = [&](const ProtoChunk& chunk, Stage stage) {
    if (stage != Stage::kFeatures) return;
    const std::int32_t x = chunk.pos().x - bounds.min_x, z = chunk.pos().z - bounds.min_z;
    digests[static_cast<std::size_t>(z) * static_cast<std::size_t>(bounds.width()) + static_cast<std::size_t>(x)] =
        block_digest(chunk);
  };
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds();
  {
    Progress progress(std::string(name_of(options.world.dimension)), bounds.count(),
                      Progress::WithoutTerminal::kLines);
    DecoratedArea(*dimension, bounds, watch, &progress).run(options.threads);
  }
  const double cpu = cpu_seconds() - cpu_start;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Md5 all;
  for (const std::string& digest : digests) all.update(digest);
  const auto count = static_cast<double>(digests.size());
  std::printf("chunks: %zu\n", digests.size());
  std::printf("seconds: %.2f\n", seconds);
  std::printf("chunks per second: %.2f\n", count / seconds);
  std::printf("chunks per CPU-second: %.2f\n", count / cpu);
  std::printf("md5: %s\n", all.hex().c_str());
  return 0;
}

}  // namespace horizon::worldgen
