// The game's own chunks: tests/run.sh checks more of them with the tool.
#include "shard/worldgen/tool/check.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace horizon::worldgen {
namespace {

const std::string kData = "../shared/data/";

class GoldenWorld : public testing::TestWithParam<DimensionId> {};

TEST_P(GoldenWorld, EqualsTheGameAtEveryStage) {
  const std::string file = kData + "worldgen/golden/stage_hashes_26.1.json.gz";
  const std::string templates = kData + "datapack-26.1/structure.tar.gz";
  if (!std::filesystem::exists(file) || !std::filesystem::exists(templates)) {
    GTEST_SKIP() << file << " is absent: nothing to compare with";
  }
  CheckOptions options;
  options.files = {file};
  options.vanilla_data = templates;
  options.limit = 100;
  options.dimension = GetParam();
  EXPECT_EQ(run_check(options), 0);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, GoldenWorld,
                         testing::Values(DimensionId::kOverworld, DimensionId::kNether, DimensionId::kEnd));

}  // namespace
}  // namespace horizon::worldgen
