#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shard/worldgen/base/proto_chunk.hpp"

namespace horizon::worldgen {

struct CheckOptions {
  std::vector<std::string> files;
  std::string vanilla_data;
  /// Chunks of a dimension; clusters are not cut.
  std::optional<std::size_t> limit;
  /// Empty: all.
  std::vector<Stage> stages;
  std::optional<DimensionId> dimension;
  std::int32_t threads = 1;
};

/// Compares golden files with what the generator makes, and prints how much of each is equal. 0 when all is, 1 when
/// something differs, 2 when a file cannot be read.
int run_check(const CheckOptions& options);

}  // namespace horizon::worldgen
