#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace horizon::proxy {

/// What server.properties says; the names and defaults are vanilla's.
struct Settings {
  std::string server_ip;
  std::uint16_t server_port = 25565;
  std::string motd = "A Minecraft Server";
  std::int32_t max_players = 20;
  std::int64_t seed = 0;
  bool is_flat = false;
  std::int32_t view_distance = 10;
  std::int32_t simulation_distance = 10;
  std::int32_t game_mode = 0;
  std::int32_t difficulty = 1;
  bool hardcore = false;
  std::int32_t compression_threshold = 256;
  std::string level_name = "world";
  /// For the operator: keys that are unknown, or known to vanilla and without effect here.
  std::vector<std::string> warnings;
};

/// Reads `file` (Java's properties format). Writes a file with defaults when there is none. An error names
/// file, line, key, value and what is allowed. Online mode does not exist yet: anything but online-mode=false
/// is an error, so that no server is offline without its operator having said so.
Result<Settings> load_settings(const std::filesystem::path& file);

/// The seed that vanilla makes of a level-seed: a number as it is, other text by Java's String.hashCode,
/// empty random.
std::int64_t parse_seed(const std::string& text);

/// A key and its value, with the line it stands on.
struct Property {
  std::string key;
  std::string value;
  std::int32_t line = 0;
};
/// Java's properties format: comments, escapes, continued lines, `=`, `:` or space between key and value.
std::vector<Property> parse_properties(const std::string& text);

}  // namespace horizon::proxy
