#include "common/base/config_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace horizon {
namespace {

class Config : public ::testing::Test {
 protected:
  Config()
      : path_(std::filesystem::path(::testing::TempDir()) /
              ("horizon_config_test." + std::to_string(getpid()) + ".toml")) {}
  ~Config() override { std::filesystem::remove(path_); }
  Result<ConfigFile> load(const std::string& text) {
    std::ofstream(path_) << text;
    return load_config_file(path_);
  }
  std::filesystem::path path_;
};

TEST_F(Config, IsOptional) {
  const auto c = load_config_file(path_.string() + ".absent");
  ASSERT_TRUE(c.ok());
  EXPECT_TRUE(c->proxy.spawn_shards);
  EXPECT_TRUE(c->director.areas.empty());
}

TEST_F(Config, PinsAreas) {
  const auto c = load("[[director.area]]\nshard = 0\nmax_x = -1\n[[director.area]]\nshard = 1\nmin_x = 0\n");
  ASSERT_TRUE(c.ok()) << c.error().message;
  ASSERT_EQ(c->director.areas.size(), 2U);
  EXPECT_EQ(c->director.areas[0].max_x, -1);
  EXPECT_FALSE(c->director.areas[0].min_x.has_value());
  EXPECT_EQ(c->director.areas[1].shard, 1);
  EXPECT_EQ(c->director.areas[1].min_x, 0);
}

TEST_F(Config, NamesFileLineAndKeyOfWhatIsWrong) {
  const std::pair<const char*, const char*> bad[] = {
      {"[proxy]\nspwan_shards = false\n", ":2: unknown key proxy.spwan_shards"},
      {"[proxy]\n\nshards = \"two\"\n", ":3: proxy.shards must be a whole number from 1"},
      {"[director]\nlisten = 7000\n", ":2: director.listen must be a string"},
      {"[[director.area]]\nmin_x = 0\n", "director.area needs a shard"},
      {"[shard]\nid = -1\n", ":2: shard.id must be a whole number from 0"},
      {"[proxy\n", ":1: "},
  };
  for (const auto& [text, message] : bad) {
    const auto c = load(text);
    ASSERT_FALSE(c.ok()) << text;
    EXPECT_NE(c.error().message.find(path_.string()), std::string::npos);
    EXPECT_NE(c.error().message.find(message), std::string::npos) << c.error().message;
  }
}

}  // namespace
}  // namespace horizon
