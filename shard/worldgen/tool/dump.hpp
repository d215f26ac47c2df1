#pragma once

#include <cstdint>
#include <string>

#include "shard/worldgen/tool/area.hpp"

namespace horizon::worldgen {

struct DumpOptions {
  WorldOptions world;
  std::string vanilla_data;
  Stage stage = Stage::kFeatures;
  ChunkPos chunk;
  std::int32_t threads = 1;
};

/// Prints a chunk in the form of the golden block files. The features are those of the chunk in the middle of 3 × 3
/// decorated ones.
int run_dump(const DumpOptions& options);

}  // namespace horizon::worldgen
