#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace horizon {

/// What horizon.toml says. All of it is optional: without the file a proxy starts its shards itself.
struct ConfigFile {
  struct Area {
    std::int32_t shard = 0;
    std::optional<std::int32_t> min_x, max_x, min_z, max_z;
  };
  struct Director {
    std::string listen = "127.0.0.1:0";
    std::vector<Area> areas;
  } director;

  struct Proxy {
    /// The proxy starts and watches its shards. False: they are started by somebody else (compose, systemd).
    bool spawn_shards = true;
    std::optional<std::int32_t> shards;
  } proxy;

  /// For a shard that is started by itself.
  struct Shard {
    std::optional<std::int32_t> id;
    std::optional<std::string> listen;
    std::optional<std::string> advertise;
    std::optional<std::string> director;
    std::optional<std::int32_t> workers;
  } shard;
};

/// Defaults when the file is absent. An error names file, line and key; unknown keys are errors.
Result<ConfigFile> load_config_file(const std::filesystem::path& file);

}  // namespace horizon
