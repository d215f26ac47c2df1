#include "shard/worldgen/tool/dump.hpp"

#include <array>
#include <cstdio>
#include <unordered_map>

#include "shard/worldgen/tool/golden.hpp"

namespace horizon::worldgen {

namespace {

Json describe(const ProtoChunk& chunk, const DumpOptions& options) {
  Json palette = Json::array(), runs = Json::array();
  std::unordered_map<BlockState, std::size_t> index;
  const auto add = [&](BlockState s) {
    const auto [it, is_new] = index.try_emplace(s, index.size());
    if (is_new) palette.push_back(state_text(s));
    if (runs.empty() || runs.back()[0] != it->second) {
      runs.push_back({it->second, 1});
    } else {
      runs.back()[1] = runs.back()[1].get<std::size_t>() + 1;
    }
  };
  const Heights heights = chunk.heights();
  for (std::int32_t x = 0; x < 16; ++x) {
    for (std::int32_t y = heights.min_y; y <= heights.max_y(); ++y) {
      for (std::int32_t z = 0; z < 16; ++z) add(chunk.get(x, y, z));
    }
  }
  return {{"seed", options.world.seed},
          {"dimension", "minecraft:" + std::string(name_of(options.world.dimension))},
          {"chunk", {chunk.pos().x, chunk.pos().z}},
          {"stage", stage_name(options.stage)},
          {"structures", options.world.has_structures},
          {"min_y", heights.min_y},
          {"height", heights.height},
          {"order", GoldenBlocks::kOrder},
          {"palette", std::move(palette)},
          {"runs", std::move(runs)}};
}

}  // namespace

int run_dump(const DumpOptions& options) {
  WorldData data(options.vanilla_data);
  const auto dimension = data.open(options.world);
  Json dump;
  const ChunkWatcher watch = [&](const ProtoChunk& chunk, Stage stage) {
    if (stage == options.stage && chunk.pos() == options.chunk) dump = describe(chunk, options);
  };
  if (options.stage == Stage::kFeatures) {
    DecoratedArea(*dimension, ChunkBounds::around(options.chunk, 1), watch, nullptr).run(options.threads);
  } else {
    make_chunks(*dimension, std::array{options.chunk}, options.stage, 1, watch, nullptr);
  }
  std::printf("%s\n", dump.dump().c_str());
  return 0;
}

}  // namespace horizon::worldgen
