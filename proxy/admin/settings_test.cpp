#include "proxy/admin/settings.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace horizon::proxy {
namespace {

class SettingsFile : public ::testing::Test {
 protected:
  SettingsFile()
      : path_(std::filesystem::path(::testing::TempDir()) /
              ("horizon_settings_test." + std::to_string(getpid()) + ".properties")) {
    std::filesystem::remove(path_);
  }
  ~SettingsFile() override { std::filesystem::remove(path_); }
  Result<Settings> load(const std::string& text) {
    std::ofstream(path_) << text;
    return load_settings(path_);
  }
  std::filesystem::path path_;
};

TEST_F(SettingsFile, ReadsJavasPropertiesFormat) {
  const auto s = load(
      "#comment\n! another\nonline-mode=false\nmotd : caf\\u00e9 \\\n   on two lines\nserver-port 25570\n"
      "level-type=minecraft\\:flat\r\nnetwork-compression-threshold=-1\n");
  ASSERT_TRUE(s.ok()) << s.error().message;
  EXPECT_EQ(s->motd, "caf\xc3\xa9 on two lines");
  EXPECT_EQ(s->server_port, 25570);
  EXPECT_TRUE(s->is_flat);
  EXPECT_EQ(s->compression_threshold, -1);
}

TEST_F(SettingsFile, HasVanillasDefaults) {
  const auto s = load("online-mode=false\n");
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->server_port, 25565);
  EXPECT_EQ(s->max_players, 20);
  EXPECT_EQ(s->view_distance, 10);
  EXPECT_EQ(s->difficulty, 1);
  EXPECT_EQ(s->game_mode, 0);
  EXPECT_EQ(s->compression_threshold, 256);
  EXPECT_EQ(s->motd, "A Minecraft Server");
}

TEST_F(SettingsFile, RefusesOnlineModeUnlessItIsSaidToBeOff) {
  for (const char* text : {"", "online-mode=true\n", "online-mode=maybe\n"}) {
    const auto s = load(text);
    ASSERT_FALSE(s.ok()) << text;
    EXPECT_NE(s.error().message.find("online-mode"), std::string::npos);
  }
}

TEST_F(SettingsFile, NamesFileLineKeyAndWhatIsAllowed) {
  for (const char* bad :
       {"server-port=0", "server-port=65536", "view-distance=1", "view-distance=ten", "gamemode=god",
        "level-type=round", "network-compression-threshold=-2", "max-players=-1"}) {
    const auto s = load("online-mode=false\n" + std::string(bad) + "\n");
    ASSERT_FALSE(s.ok()) << bad;
    EXPECT_NE(s.error().message.find(path_.string() + ":2: " + bad), std::string::npos) << s.error().message;
    EXPECT_NE(s.error().message.find("must be"), std::string::npos);
  }
}

TEST_F(SettingsFile, SaysWhichKeysItDoesNotKnow) {
  const auto s = load("online-mode=false\nfoo=1\nenable-rcon=true\n");
  ASSERT_TRUE(s.ok());
  ASSERT_EQ(s->warnings.size(), 2U);
  EXPECT_NE(s->warnings[0].find(":2: unknown key foo"), std::string::npos);
  EXPECT_NE(s->warnings[1].find(":3: enable-rcon has no effect"), std::string::npos);
}

TEST_F(SettingsFile, IsWrittenWhenThereIsNone) {
  const auto s = load_settings(path_);
  ASSERT_TRUE(s.ok()) << s.error().message;
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_TRUE(s->warnings.empty());
}

TEST(LevelSeed, IsANumberOrJavasHashOfTheText) {
  EXPECT_EQ(parse_seed("-42"), -42);
  EXPECT_EQ(parse_seed("9223372036854775807"), INT64_MAX);
  // Values of Java's String.hashCode.
  EXPECT_EQ(parse_seed("hello"), 99162322);
  EXPECT_EQ(parse_seed("Hello World"), -862545276);
  EXPECT_EQ(parse_seed("polygenelubricants"), INT32_MIN);
}

}  // namespace
}  // namespace horizon::proxy
