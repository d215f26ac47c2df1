#include "proxy/command/commands.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace horizon::proxy {
namespace {

class FakeServer final : public CommandTarget {
 public:
  std::vector<PlayerEntry> players() const override { return online; }
  std::int32_t max_players() const override { return 20; }
  void broadcast(const text::Component& message) override { said.push_back(message.to_plain()); }
  void teleport(std::uint64_t session, Vec3 to, std::optional<std::pair<float, float>>) override {
    teleports.emplace_back(session, to);
  }
  void set_game_mode(std::uint64_t session, std::int32_t mode) override { modes.emplace_back(session, mode); }
  std::vector<ShardTimes> shard_times() const override { return {{0, 1.25, 1, 2, 3}}; }
  void request_stop() override { stopped = true; }

  std::vector<PlayerEntry> online;
  std::vector<std::string> said;
  std::vector<std::pair<std::uint64_t, Vec3>> teleports;
  std::vector<std::pair<std::uint64_t, std::int32_t>> modes;
  bool stopped = false;
};

class CommandsTest : public ::testing::Test {
 protected:
  CommandsTest() : commands_(server_) {
    server_.online = {{1, "Alice", {1, 2}, {0, 64, 0}, 0}, {2, "Bob", {3, 4}, {10, 70, -5}, 0}};
  }
  std::vector<std::string> run(const std::string& line, std::int32_t level = 4, const PlayerEntry* player = nullptr) {
    std::vector<std::string> replies;
    CommandSource source;
    source.player = player;
    source.level = level;
    source.reply = [&](const text::Component& message) { replies.push_back(message.to_plain()); };
    commands_.run(source, line);
    return replies;
  }
  FakeServer server_;
  Commands commands_;
};

using Lines = std::vector<std::string>;

TEST_F(CommandsTest, UnknownOnesAreAnsweredInVanillasWords) {
  EXPECT_EQ(run("foo bar"), (Lines{"Unknown or incomplete command, see below for error", "foo<--[HERE]"}));
  EXPECT_EQ(run("averylongcommandname"),
            (Lines{"Unknown or incomplete command, see below for error", "...ommandname<--[HERE]"}));
  EXPECT_EQ(run("say"), (Lines{"Unknown or incomplete command, see below for error", "say<--[HERE]"}));
}

TEST_F(CommandsTest, ListNamesThePlayers) {
  EXPECT_EQ(run("list"), (Lines{"There are 2 of a max of 20 players online: Alice, Bob"}));
  EXPECT_EQ(run("/list uuids"),
            (Lines{"There are 2 of a max of 20 players online: Alice (00000000-0000-0001-0000-000000000002), Bob "
                   "(00000000-0000-0003-0000-000000000004)"}));
}

TEST_F(CommandsTest, SayKeepsEveryCharacter) {
  run("say  100% %s  done");
  EXPECT_EQ(server_.said, (Lines{"[Server] 100% %s  done"}));
}

TEST_F(CommandsTest, TeleportTakesEveryForm) {
  EXPECT_EQ(run("tp Alice 100 64 -3.5").size(), 1U);
  EXPECT_EQ(run("tp Alice Bob"), (Lines{"Teleported Alice to Bob"}));
  run("tp ~ ~2 ~", 4, &server_.online[1]);
  const std::vector<std::pair<std::uint64_t, Vec3>> wanted{
      {1, {100.5, 64, -3.5}}, {1, {10, 70, -5}}, {2, {10, 72, -5}}};
  EXPECT_EQ(server_.teleports, wanted);
  EXPECT_EQ(run("tp Nobody 1 2 3"), (Lines{"No player was found"}));
  EXPECT_EQ(run("tp Alice 1 x 3")[0], "Expected double");
  EXPECT_EQ(run("tp Alice 1e9 0 0"), (Lines{"Invalid position for teleport"}));
  EXPECT_EQ(server_.teleports.size(), 3U);
}

TEST_F(CommandsTest, GameRulesAreQueriedSetAndChecked) {
  EXPECT_EQ(run("gamerule keep_inventory"), (Lines{"Gamerule minecraft:keep_inventory is currently set to: false"}));
  EXPECT_EQ(run("gamerule minecraft:keep_inventory true"),
            (Lines{"Gamerule minecraft:keep_inventory is now set to: true"}));
  EXPECT_EQ(commands_.game_rule("keep_inventory"), "true");
  EXPECT_EQ(run("gamerule keep_inventory 7")[0], "Invalid boolean, expected 'true' or 'false' but found '7'");
  EXPECT_EQ(run("gamerule no_such_rule")[0], "Incorrect argument for command");
  EXPECT_EQ(commands_.game_rule("keep_inventory"), "true");
}

TEST_F(CommandsTest, PlayersWithoutLevelReachNothingThatChangesTheServer) {
  for (const char* line : {"stop", "say hi", "tp Alice Bob", "gamerule keep_inventory true", "gamemode creative"}) {
    EXPECT_EQ(run(line, 0, &server_.online[0])[0], "Unknown or incomplete command, see below for error") << line;
  }
  EXPECT_FALSE(server_.stopped);
  EXPECT_TRUE(server_.said.empty() && server_.teleports.empty() && server_.modes.empty());
}

TEST_F(CommandsTest, StopAndGamemodeReachTheServer) {
  run("gamemode creative Bob");
  EXPECT_EQ(server_.modes, (std::vector<std::pair<std::uint64_t, std::int32_t>>{{2, 1}}));
  EXPECT_EQ(run("stop"), (Lines{"Stopping the server"}));
  EXPECT_TRUE(server_.stopped);
}

}  // namespace
}  // namespace horizon::proxy
