#pragma once

#include <cstdint>
#include <string>

#include "shard/worldgen/tool/area.hpp"

namespace horizon::worldgen {

struct PregenOptions {
  WorldOptions world;
  std::string vanilla_data;
  /// A block.
  std::int32_t center_x = 0, center_z = 0;
  std::int32_t radius = 0;  ///< in chunks around the centre's
  std::int32_t threads = 1;
};

/// Makes a square of chunks through the features and prints how long it took and a digest of it. Stores nothing.
int run_pregen(const PregenOptions& options);

}  // namespace horizon::worldgen
