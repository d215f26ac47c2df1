#include "proxy/command/commands.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <random>

namespace horizon::proxy {
namespace {

using protocol::play::CommandNode;
using text::Component;

// Parser ids of the `commands` packet. Source: minecraft-data 26.1, protocol.json.
constexpr std::int32_t kParserString = 5;
/// Level that changes the world. Source: the vanilla server.
constexpr std::int32_t kGameMaster = 2;
constexpr std::int32_t kOwner = 4;
constexpr double kMaxTeleport = 3.0e7;

struct GameRuleDefault {
  std::string_view name;
  std::string_view value;
  bool is_boolean;
};
/// Names and defaults of 26.1's game rules.
constexpr GameRuleDefault kGameRules[] = {
    {"advance_time", "true", true},
    {"advance_weather", "true", true},
    {"allow_entering_nether_using_portals", "true", true},
    {"block_drops", "true", true},
    {"block_explosion_drop_decay", "true", true},
    {"command_blocks_work", "true", true},
    {"command_block_output", "true", true},
    {"drowning_damage", "true", true},
    {"elytra_movement_check", "true", true},
    {"ender_pearls_vanish_on_death", "true", true},
    {"entity_drops", "true", true},
    {"fall_damage", "true", true},
    {"fire_damage", "true", true},
    {"fire_spread_radius_around_player", "128", false},
    {"forgive_dead_players", "true", true},
    {"freeze_damage", "true", true},
    {"global_sound_events", "true", true},
    {"immediate_respawn", "false", true},
    {"keep_inventory", "false", true},
    {"lava_source_conversion", "false", true},
    {"limited_crafting", "false", true},
    {"locator_bar", "true", true},
    {"log_admin_commands", "true", true},
    {"max_block_modifications", "32768", false},
    {"max_command_forks", "65536", false},
    {"max_command_sequence_length", "65536", false},
    {"max_entity_cramming", "24", false},
    {"max_minecart_speed", "8", false},
    {"max_snow_accumulation_height", "1", false},
    {"mob_drops", "true", true},
    {"mob_explosion_drop_decay", "true", true},
    {"mob_griefing", "true", true},
    {"natural_health_regeneration", "true", true},
    {"player_movement_check", "true", true},
    {"players_nether_portal_creative_delay", "0", false},
    {"players_nether_portal_default_delay", "80", false},
    {"players_sleeping_percentage", "100", false},
    {"projectiles_can_break_blocks", "true", true},
    {"pvp", "true", true},
    {"raids", "true", true},
    {"random_tick_speed", "3", false},
    {"reduced_debug_info", "false", true},
    {"respawn_radius", "10", false},
    {"send_command_feedback", "true", true},
    {"show_advancement_messages", "true", true},
    {"show_death_messages", "true", true},
    {"spawner_blocks_work", "true", true},
    {"spawn_mobs", "true", true},
    {"spawn_monsters", "true", true},
    {"spawn_patrols", "true", true},
    {"spawn_phantoms", "true", true},
    {"spawn_wandering_traders", "true", true},
    {"spawn_wardens", "true", true},
    {"spectators_generate_chunks", "true", true},
    {"spread_vines", "true", true},
    {"tnt_explodes", "true", true},
    {"tnt_explosion_drop_decay", "false", true},
    {"universal_anger", "false", true},
    {"water_source_conversion", "true", true},
};

constexpr std::array<std::string_view, 4> kGameModes{"survival", "creative", "adventure", "spectator"};
constexpr std::array<std::string_view, 4> kGameModeTitles{"Survival Mode", "Creative Mode", "Adventure Mode",
                                                          "Spectator Mode"};

struct Word {
  std::string_view text;
  std::size_t at;
};

std::vector<Word> split(std::string_view line) {
  std::vector<Word> words;
  std::size_t i = 0;
  while (i < line.size()) {
    if (line[i] == ' ') {
      ++i;
      continue;
    }
    const std::size_t end = std::min(line.find(' ', i), line.size());
    words.push_back({line.substr(i, end - i), i});
    i = end;
  }
  return words;
}

std::string number(double v) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.1f", v);
  return buffer;
}

/// A translation that reads as `english` (with %s for the arguments) where the key is unknown, as on the
/// console.
Component words(std::string_view english, std::string_view key, std::vector<Component> args = {}) {
  return Component::translate(key, std::move(args)).fallback(english);
}

}  // namespace

/// One run of a command: its words, and what is answered.
struct Commands::Call {
  CommandSource& source;
  std::string_view line;
  std::vector<Word> words;

  void say(const Component& message) const { source.reply(message); }
  /// An error at a word, in vanilla's form: the message, then the line with a mark.
  void fail(const Component& message, std::size_t word) const {
    source.reply(Component(message).color("red"));
    const std::size_t at = word < words.size() ? words[word].at + words[word].text.size() : line.size();
    const std::size_t from = at > 10 ? at - 10 : 0;
    std::string context = from > 0 ? "..." : "";
    context += line.substr(from, at - from);
    source.reply(Component::literal(context).color("red").append(
        proxy::words("<--[HERE]", "command.context.here").color("red").italic()));
  }
  void incomplete() const {
    fail(proxy::words("Unknown or incomplete command, see below for error", "command.unknown.command"),
         words.size());
  }
  void bad_argument(std::size_t word) const {
    fail(proxy::words("Incorrect argument for command", "command.unknown.argument"), word);
  }

  /// A selector or a name; empty (and answered) when nobody fits.
  std::vector<PlayerEntry> targets(std::size_t word, const CommandTarget& target) const {
    const std::string_view name = words[word].text;
    const std::vector<PlayerEntry> all = target.players();
    std::vector<PlayerEntry> found;
    if (name == "@a" || name == "@e") {
      found = all;
    } else if (name == "@s" && source.player != nullptr) {
      found.push_back(*source.player);
    } else if ((name == "@p" || name == "@r") && !all.empty()) {
      if (name == "@p" && source.player != nullptr) {
        found.push_back(*source.player);
      } else {
        static std::minstd_rand random{std::random_device{}()};
        found.push_back(all[random() % all.size()]);
      }
    } else {
      std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                   [&](const PlayerEntry& p) { return p.name == name || to_string(p.uuid) == name; });
    }
    if (found.empty())
      say(proxy::words("No player was found", "argument.entity.notfound.player").color("red"));
    return found;
  }
  /// Three coordinates from `word` on, `~` relative to the source; nullopt and answered when they are wrong.
  std::optional<Vec3> position(std::size_t word) const {
    if (word + 3 > words.size()) {
      fail(proxy::words("Incomplete (expected 3 coordinates)", "argument.pos3d.incomplete"), words.size());
      return std::nullopt;
    }
    const Vec3 base = source.player != nullptr ? source.player->position : Vec3{};
    const std::array<double, 3> from{base.x, base.y, base.z};
    std::array<double, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) {
      std::string_view text = words[word + i].text;
      const bool is_relative = !text.empty() && text[0] == '~';
      if (is_relative) text.remove_prefix(1);
      double value = 0;
      if (!text.empty()) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
          fail(proxy::words("Expected double", "parsing.double.expected"), word + i);
          return std::nullopt;
        }
      } else if (!is_relative) {
        return std::nullopt;
      }
      // A whole number means the middle of the block, but not for height. Source: the vanilla server.
      const bool is_whole = text.find('.') == std::string_view::npos;
      out[i] = is_relative ? from[i] + value : value + (is_whole && i != 1 ? 0.5 : 0.0);
    }
    if (std::abs(out[0]) > kMaxTeleport || std::abs(out[2]) > kMaxTeleport || std::abs(out[1]) > 2.0e7) {
      say(proxy::words("Invalid position for teleport", "commands.teleport.invalidPosition").color("red"));
      return std::nullopt;
    }
    return Vec3{out[0], out[1], out[2]};
  }
};

Commands::Commands(CommandTarget& target)
    : target_(target),
      commands_{{"gamemode", kGameMaster, {"<gamemode> [<target>]"}, &Commands::gamemode},
                {"gamerule", kGameMaster, {"<rule> [<value>]"}, &Commands::gamerule},
                {"help", 0, {"[<command>]"}, &Commands::help},
                {"list", 0, {"[uuids]"}, &Commands::list},
                {"say", kGameMaster, {"<message>"}, &Commands::say},
                {"stop", kOwner, {""}, &Commands::stop},
                {"teleport",
                 kGameMaster,
                 {"<location>", "<destination>", "<targets> <location>", "<targets> <destination>"},
                 &Commands::teleport},
                {"tick", 3, {"query"}, &Commands::tick},
                {"tp", kGameMaster, {"-> teleport"}, &Commands::teleport}} {
  for (const GameRuleDefault& rule : kGameRules) game_rules_[std::string(rule.name)] = rule.value;
}

std::optional<std::string> Commands::game_rule(std::string_view name) const {
  const auto it = game_rules_.find(name);
  if (it == game_rules_.end()) return std::nullopt;
  return it->second;
}

void Commands::run(CommandSource& source, std::string_view line) {
  if (!line.empty() && line[0] == '/') line.remove_prefix(1);
  Call call{source, line, split(line)};
  if (call.words.empty()) return;
  const auto it = std::find_if(commands_.begin(), commands_.end(), [&](const Command& c) {
    return c.name == call.words[0].text && source.level >= c.level;
  });
  if (it == commands_.end()) {
    call.fail(words("Unknown or incomplete command, see below for error", "command.unknown.command"), 0);
    return;
  }
  (this->*it->run)(call);
}

protocol::play::clientbound::Commands Commands::tree() const {
  protocol::play::clientbound::Commands out;
  out.nodes.emplace_back();
  const auto add = [&](std::int32_t parent, std::uint8_t flags, std::string_view name,
                       std::int32_t parser = 0, std::vector<std::uint8_t> properties = {}) {
    CommandNode node;
    node.flags = flags;
    node.name = name;
    node.parser = parser;
    node.properties = std::move(properties);
    const auto index = static_cast<std::int32_t>(out.nodes.size());
    out.nodes.push_back(std::move(node));
    out.nodes[static_cast<std::size_t>(parent)].children.push_back(index);
    return index;
  };
  constexpr std::uint8_t kRun = CommandNode::kExecutable;
  // Players have level 0 until operators exist: they are shown what they may use.
  const std::int32_t list = add(0, CommandNode::kLiteral | kRun, "list");
  add(list, CommandNode::kLiteral | kRun, "uuids");
  const std::int32_t help = add(0, CommandNode::kLiteral | kRun, "help");
  add(help, CommandNode::kArgument | kRun, "command", kParserString, {2});
  return out;
}

void Commands::stop(Call& call) {
  call.say(words("Stopping the server", "commands.stop.stopping"));
  target_.request_stop();
}

void Commands::list(Call& call) {
  const bool with_uuids = call.words.size() > 1 && call.words[1].text == "uuids";
  if (call.words.size() > (with_uuids ? 2U : 1U)) return call.bad_argument(1);
  const std::vector<PlayerEntry> players = target_.players();
  std::string names;
  for (const PlayerEntry& p : players) {
    names += (names.empty() ? "" : ", ") + p.name;
    if (with_uuids) names += " (" + to_string(p.uuid) + ")";
  }
  const std::string count = std::to_string(players.size());
  const std::string most = std::to_string(target_.max_players());
  call.say(words("There are %s of a max of %s players online: %s", "commands.list.players",
                 {Component::literal(count), Component::literal(most), Component::literal(names)}));
}

void Commands::say(Call& call) {
  if (call.words.size() < 2) return call.incomplete();
  const std::string message(call.line.substr(call.words[1].at));
  target_.broadcast(words("[%s] %s", "chat.type.announcement",
                          {Component::literal(call.source.name()), Component::literal(message)}));
}

void Commands::teleport(Call& call) {
  const auto looks_like_position = [&](std::size_t word) {
    const char c = call.words[word].text[0];
    return c == '~' || c == '-' || c == '.' || (c >= '0' && c <= '9');
  };
  if (call.words.size() < 2) return call.incomplete();
  std::vector<PlayerEntry> who;
  std::size_t next = 1;
  const bool moves_source = call.words.size() == 2 || looks_like_position(1);
  if (!moves_source) {
    who = call.targets(1, target_);
    next = 2;
  } else if (call.source.player != nullptr) {
    who.push_back(*call.source.player);
  } else {
    call.say(
        words("An entity is required to run this command here", "permissions.requires.entity").color("red"));
    return;
  }
  if (who.empty()) return;
  const std::string whom = who.size() == 1 ? who[0].name : std::to_string(who.size()) + " entities";
  if (!looks_like_position(next)) {
    const std::vector<PlayerEntry> to = call.targets(next, target_);
    if (to.empty()) return;
    if (to.size() > 1) {
      call.say(words("Only one entity is allowed, but the provided selector allows more than one",
                     "argument.entity.toomany")
                   .color("red"));
      return;
    }
    for (const PlayerEntry& p : who) target_.teleport(p.session, to[0].position, std::nullopt);
    call.say(words("Teleported %s to %s", "commands.teleport.success.entity.single",
                   {Component::literal(whom), Component::literal(to[0].name)}));
    return;
  }
  const std::optional<Vec3> to = call.position(next);
  if (!to) return;
  std::optional<std::pair<float, float>> rotation;
  if (call.words.size() == next + 5) {
    std::array<float, 2> angles{};
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string_view text = call.words[next + 3 + i].text;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), angles[i]);
      if (error != std::errc() || end != text.data() + text.size()) return call.bad_argument(next + 3 + i);
    }
    rotation = {angles[0], angles[1]};
  } else if (call.words.size() != next + 3) {
    return call.bad_argument(next + 3);
  }
  for (const PlayerEntry& p : who) target_.teleport(p.session, *to, rotation);
  call.say(words("Teleported %s to %s, %s, %s", "commands.teleport.success.location.single",
                 {Component::literal(whom), Component::literal(std::to_string(to->x)),
                  Component::literal(std::to_string(to->y)), Component::literal(std::to_string(to->z))}));
}

void Commands::tick(Call& call) {
  if (call.words.size() < 2) return call.incomplete();
  if (call.words[1].text != "query" || call.words.size() > 2) return call.bad_argument(1);
  call.say(words("The game is running normally", "commands.tick.status.running"));
  for (const ShardTimes& t : target_.shard_times()) {
    const std::string shard = "Shard " + std::to_string(t.shard) + ": ";
    call.say(Component::literal(shard + "Target tick rate: 20.0 per second. Average time per tick: " +
                                number(t.average_ms) + "ms (Target: 50.0ms)"));
    call.say(Component::literal(shard + "Percentiles: P50: " + number(t.p50_ms) + "ms P95: " +
                                number(t.p95_ms) + "ms P99: " + number(t.p99_ms) + "ms, sample: 100"));
  }
}

void Commands::gamerule(Call& call) {
  if (call.words.size() < 2) return call.incomplete();
  std::string_view name = call.words[1].text;
  if (name.starts_with("minecraft:")) name.remove_prefix(10);
  const auto rule = std::find_if(std::begin(kGameRules), std::end(kGameRules),
                                 [&](const GameRuleDefault& r) { return r.name == name; });
  if (rule == std::end(kGameRules)) return call.bad_argument(1);
  std::string& value = game_rules_.find(name)->second;
  const std::string full = "minecraft:" + std::string(name);
  if (call.words.size() == 2) {
    call.say(words("Gamerule %s is currently set to: %s", "commands.gamerule.query",
                   {Component::literal(full), Component::literal(value)}));
    return;
  }
  const std::string_view wanted = call.words[2].text;
  if (rule->is_boolean) {
    if (wanted != "true" && wanted != "false") {
      return call.fail(words("Invalid boolean, expected 'true' or 'false' but found '%s'",
                             "parsing.bool.invalid", {Component::literal(wanted)}),
                       2);
    }
  } else {
    std::int32_t parsed = 0;
    const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), parsed);
    if (error != std::errc() || end != wanted.data() + wanted.size()) {
      return call.fail(words("Expected integer", "parsing.int.expected"), 2);
    }
  }
  value = wanted;
  call.say(words("Gamerule %s is now set to: %s", "commands.gamerule.set",
                 {Component::literal(full), Component::literal(value)}));
}

void Commands::gamemode(Call& call) {
  if (call.words.size() < 2) return call.incomplete();
  const auto mode = std::find(kGameModes.begin(), kGameModes.end(), call.words[1].text);
  if (mode == kGameModes.end()) {
    return call.fail(
        words("Unknown game mode: %s", "argument.gamemode.invalid", {Component::literal(call.words[1].text)}),
        1);
  }
  const auto index = static_cast<std::int32_t>(mode - kGameModes.begin());
  std::vector<PlayerEntry> who;
  if (call.words.size() > 2) {
    who = call.targets(2, target_);
  } else if (call.source.player != nullptr) {
    who.push_back(*call.source.player);
  } else {
    call.say(
        words("A player is required to run this command here", "permissions.requires.player").color("red"));
    return;
  }
  for (const PlayerEntry& p : who) {
    target_.set_game_mode(p.session, index);
    const std::string_view title = kGameModeTitles[static_cast<std::size_t>(index)];
    call.say(words("Set %s's game mode to %s", "commands.gamemode.success.other",
                   {Component::literal(p.name),
                    Component::translate("gameMode." + std::string(*mode)).fallback(title)}));
  }
}

void Commands::help(Call& call) {
  bool found = false;
  for (const Command& command : commands_) {
    if (call.source.level < command.level) continue;
    if (call.words.size() > 1 && call.words[1].text != command.name) continue;
    found = true;
    for (const std::string_view usage : command.usages) {
      call.say(Component::literal("/" + std::string(command.name) + (usage.empty() ? "" : " ") +
                                  std::string(usage)));
    }
  }
  if (!found)
    call.say(words("Unknown command or insufficient permissions", "commands.help.failed").color("red"));
}

}  // namespace horizon::proxy
