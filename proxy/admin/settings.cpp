#include "proxy/admin/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <string_view>

namespace horizon::proxy {
namespace {

constexpr std::uintmax_t kMaxFileBytes = 1 << 20;

constexpr std::string_view kDefaults =
    "#Minecraft server properties\n"
    "#online-mode=true is not available yet: this server trusts the names that clients give\n"
    "online-mode=false\n"
    "server-port=25565\n"
    "server-ip=\n"
    "motd=A Minecraft Server\n"
    "max-players=20\n"
    "level-seed=\n"
    "level-type=minecraft\\:normal\n"
    "gamemode=survival\n"
    "difficulty=easy\n"
    "view-distance=10\n"
    "simulation-distance=10\n"
    "network-compression-threshold=256\n";

/// Keys of vanilla's file that have no effect here yet. Source: server.properties of the vanilla server.
constexpr std::array<std::string_view, 50> kVanillaKeys{"accepts-transfers",
                                                        "allow-flight",
                                                        "broadcast-console-to-ops",
                                                        "broadcast-rcon-to-ops",
                                                        "bug-report-link",
                                                        "enable-code-of-conduct",
                                                        "enable-jmx-monitoring",
                                                        "enable-query",
                                                        "enable-rcon",
                                                        "enable-status",
                                                        "enforce-secure-profile",
                                                        "enforce-whitelist",
                                                        "entity-broadcast-range-percentage",
                                                        "force-gamemode",
                                                        "function-permission-level",
                                                        "generate-structures",
                                                        "generator-settings",
                                                        "hide-online-players",
                                                        "initial-disabled-packs",
                                                        "initial-enabled-packs",
                                                        "log-ips",
                                                        "management-server-allowed-origins",
                                                        "management-server-enabled",
                                                        "management-server-host",
                                                        "management-server-port",
                                                        "management-server-secret",
                                                        "management-server-tls-enabled",
                                                        "management-server-tls-keystore",
                                                        "management-server-tls-keystore-password",
                                                        "max-chained-neighbor-updates",
                                                        "max-tick-time",
                                                        "max-world-size",
                                                        "op-permission-level",
                                                        "pause-when-empty-seconds",
                                                        "player-idle-timeout",
                                                        "prevent-proxy-connections",
                                                        "query.port",
                                                        "rate-limit",
                                                        "rcon.password",
                                                        "rcon.port",
                                                        "region-file-compression",
                                                        "require-resource-pack",
                                                        "resource-pack",
                                                        "resource-pack-id",
                                                        "resource-pack-prompt",
                                                        "resource-pack-sha1",
                                                        "spawn-protection",
                                                        "status-heartbeat-interval",
                                                        "sync-chunk-writes",
                                                        "text-filtering-config"};

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out.push_back(static_cast<char>(0xc0 | code >> 6));
    out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else {
    out.push_back(static_cast<char>(0xe0 | code >> 12));
    out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  }
}

std::string unescape(std::string_view raw) {
  std::string out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      out.push_back(raw[i]);
      continue;
    }
    const char c = raw[++i];
    switch (c) {
      case 't':
        out.push_back('\t');
        break;
      case 'n':
        out.push_back('\n');
        break;
      case 'r':
        out.push_back('\r');
        break;
      case 'f':
        out.push_back('\f');
        break;
      case 'u': {
        std::uint32_t code = 0;
        const auto [end, error] =
            std::from_chars(raw.data() + i + 1, raw.data() + std::min(raw.size(), i + 5), code, 16);
        if (error == std::errc() && end == raw.data() + i + 5) {
          append_utf8(out, code);
          i += 4;
        }
        break;
      }
      default:
        out.push_back(c);
    }
  }
  return out;
}

bool ends_in_odd_backslashes(std::string_view line) {
  std::size_t n = 0;
  while (n < line.size() && line[line.size() - 1 - n] == '\\') ++n;
  return n % 2 == 1;
}

/// Reads the value of one key at a time and remembers the first error.
class Checker {
 public:
  Checker(std::string file, const Property& property) : file_(std::move(file)), property_(property) {}

  template <class T>
  std::optional<Error> integer(T& out, std::int64_t min, std::int64_t max) const {
    std::int64_t value = 0;
    const char* begin = property_.value.data();
    const char* end = begin + property_.value.size();
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end || value < min || value > max) {
      return fail("a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    }
    out = static_cast<T>(value);
    return std::nullopt;
  }
  std::optional<Error> boolean(bool& out) const {
    if (property_.value != "true" && property_.value != "false") return fail("true or false");
    out = property_.value == "true";
    return std::nullopt;
  }
  /// The index of the value among `names`; a number that is such an index is taken too, as vanilla does.
  std::optional<Error> choice(std::int32_t& out, const std::vector<std::string_view>& names) const {
    std::string allowed;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (property_.value == names[i] || property_.value == std::to_string(i)) {
        out = static_cast<std::int32_t>(i);
        return std::nullopt;
      }
      allowed += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    return fail("one of " + allowed);
  }
  Error fail(const std::string& allowed) const {
    return {ErrorCode::kConfig, file_ + ":" + std::to_string(property_.line) + ": " + property_.key + "=" +
                                    property_.value + " is not allowed; it must be " + allowed};
  }

 private:
  std::string file_;
  const Property& property_;
};

}  // namespace

std::vector<Property> parse_properties(const std::string& text) {
  std::vector<Property> out;
  std::istringstream in(text);
  std::string line;
  std::int32_t number = 0;
  while (std::getline(in, line)) {
    const std::int32_t first = ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::size_t start = line.find_first_not_of(" \t\f");
    if (start == std::string::npos || line[start] == '#' || line[start] == '!') continue;
    std::string logical = line.substr(start);
    while (ends_in_odd_backslashes(logical)) {
      logical.pop_back();
      if (!std::getline(in, line)) break;
      ++number;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      start = line.find_first_not_of(" \t\f");
      if (start != std::string::npos) logical += line.substr(start);
    }
    std::size_t end = 0;
    while (end < logical.size() && std::string_view("=: \t\f").find(logical[end]) == std::string_view::npos) {
      end += logical[end] == '\\' ? 2 : 1;
    }
    end = std::min(end, logical.size());
    std::size_t value = logical.find_first_not_of(" \t\f", end);
    if (value != std::string::npos && (logical[value] == '=' || logical[value] == ':')) {
      value = logical.find_first_not_of(" \t\f", value + 1);
    }
    out.push_back({unescape(std::string_view(logical).substr(0, end)),
                   value == std::string::npos ? "" : unescape(std::string_view(logical).substr(value)),
                   first});
  }
  return out;
}

std::int64_t parse_seed(const std::string& text) {
  if (text.empty()) {
    std::random_device random;
    return static_cast<std::int64_t>(std::uint64_t{random()} << 32 | random());
  }
  std::int64_t number = 0;
  const char* begin = text.data() + (text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error == std::errc() && stop == end) return number;
  // String.hashCode over UTF-16 units.
  std::uint32_t hash = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    std::uint32_t code = length == 1 ? c : c & (0xffU >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
    }
    i += length;
    if (code >= 0x10000) {
      hash = hash * 31 + (0xd800 + ((code - 0x10000) >> 10));
      hash = hash * 31 + (0xdc00 + ((code - 0x10000) & 0x3ff));
    } else {
      hash = hash * 31 + code;
    }
  }
  return static_cast<std::int32_t>(hash);
}

Result<Settings> load_settings(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) {
    std::ofstream out(file);
    out << kDefaults;
    out.close();
    if (!out) return Error{ErrorCode::kIo, name + " does not exist and cannot be written"};
  }
  if (std::filesystem::file_size(file, failed) > kMaxFileBytes || failed) {
    return Error{ErrorCode::kConfig, name + " cannot be read or is larger than 1 MiB"};
  }
  std::ifstream in(file);
  std::stringstream content;
  content << in.rdbuf();
  if (!in) return Error{ErrorCode::kIo, name + " cannot be read"};

  Settings s;
  bool says_offline = false;
  std::string seed;
  for (const Property& p : parse_properties(content.str())) {
    const Checker check(name, p);
    std::optional<Error> error;
    if (p.key == "server-port") {
      error = check.integer(s.server_port, 1, 65535);
    } else if (p.key == "server-ip") {
      s.server_ip = p.value;
    } else if (p.key == "motd") {
      s.motd = p.value;
    } else if (p.key == "max-players") {
      error = check.integer(s.max_players, 0, INT32_MAX);
    } else if (p.key == "level-seed") {
      seed = p.value;
    } else if (p.key == "level-name") {
      if (p.value.empty()) error = check.fail("the name of a folder");
      s.level_name = p.value;
    } else if (p.key == "level-type") {
      if (p.value == "flat" || p.value == "minecraft:flat") {
        s.is_flat = true;
      } else if (p.value == "normal" || p.value == "minecraft:normal" || p.value == "default") {
        s.is_flat = false;
      } else {
        error = check.fail("normal or flat");
      }
    } else if (p.key == "view-distance") {
      error = check.integer(s.view_distance, 2, 32);
    } else if (p.key == "simulation-distance") {
      error = check.integer(s.simulation_distance, 2, 32);
    } else if (p.key == "online-mode") {
      bool online = true;
      error = check.boolean(online);
      says_offline = !error && !online;
    } else if (p.key == "gamemode") {
      error = check.choice(s.game_mode, {"survival", "creative", "adventure", "spectator"});
    } else if (p.key == "difficulty") {
      error = check.choice(s.difficulty, {"peaceful", "easy", "normal", "hard"});
    } else if (p.key == "hardcore") {
      error = check.boolean(s.hardcore);
    } else if (p.key == "network-compression-threshold") {
      error = check.integer(s.compression_threshold, -1, 1 << 21);
    } else {
      const bool is_vanilla =
          std::find(kVanillaKeys.begin(), kVanillaKeys.end(), p.key) != kVanillaKeys.end();
      s.warnings.push_back(name + ":" + std::to_string(p.line) + ": " +
                           (is_vanilla ? p.key + " has no effect in this version" : "unknown key " + p.key));
    }
    if (error) return *error;
  }
  if (!says_offline) {
    return Error{
        ErrorCode::kConfig,
        name +
            ": online-mode is true (vanilla's default), but this version cannot check accounts yet. Set "
            "online-mode=false to run without, which lets anybody join under any name"};
  }
  s.seed = parse_seed(seed);
  return s;
}

}  // namespace horizon::proxy
