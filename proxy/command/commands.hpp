#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/ids.hpp"
#include "common/protocol/play.hpp"
#include "common/text/component.hpp"

namespace horizon::proxy {

struct PlayerEntry {
  std::uint64_t session = 0;
  std::string name;
  Uuid uuid;
  Vec3 position;
  std::int32_t game_mode = 0;
};

struct ShardTimes {
  ShardId shard = 0;
  double average_ms = 0, p50_ms = 0, p95_ms = 0, p99_ms = 0;
};

/// What commands do to the server.
class CommandTarget {
 public:
  virtual ~CommandTarget() = default;
  virtual std::vector<PlayerEntry> players() const = 0;
  virtual std::int32_t max_players() const = 0;
  virtual void broadcast(const text::Component& message) = 0;
  virtual void teleport(std::uint64_t session, Vec3 to, std::optional<std::pair<float, float>> rotation) = 0;
  virtual void set_game_mode(std::uint64_t session, std::int32_t mode) = 0;
  virtual std::vector<ShardTimes> shard_times() const = 0;
  virtual void request_stop() = 0;
};

/// Who runs a command and hears of it.
struct CommandSource {
  /// Null on the console.
  const PlayerEntry* player = nullptr;
  /// 0 to 4; the console has 4.
  std::int32_t level = 0;
  std::function<void(const text::Component&)> reply;
  std::string name() const { return player != nullptr ? player->name : "Server"; }
};

/// The commands of the server: one table, from which players' clients get their tree and lines are executed.
///
/// Belongs to the I/O thread. Replies are in vanilla's words.
class Commands {
 public:
  explicit Commands(CommandTarget& target);

  /// Runs `line` (without a leading slash).
  void run(CommandSource& source, std::string_view line);
  /// The tree of the `commands` packet.
  protocol::play::clientbound::Commands tree() const;

  /// Value of a game rule by its name without namespace; nullopt when there is no such rule.
  std::optional<std::string> game_rule(std::string_view name) const;

 private:
  struct Call;
  struct Command {
    std::string_view name;
    std::int32_t level;
    std::vector<std::string_view> usages;
    void (Commands::*run)(Call&);
  };

  void stop(Call& call);
  void list(Call& call);
  void say(Call& call);
  void teleport(Call& call);
  void tick(Call& call);
  void gamerule(Call& call);
  void gamemode(Call& call);
  void help(Call& call);

  CommandTarget& target_;
  std::vector<Command> commands_;
  std::map<std::string, std::string, std::less<>> game_rules_;
};

}  // namespace horizon::proxy
