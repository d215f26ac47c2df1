#include <malloc.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <asio/signal_set.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "common/base/config_file.hpp"
#include "common/base/log.hpp"
#include "common/game/game.hpp"
#include "proxy/admin/console.hpp"
#include "proxy/admin/settings.hpp"
#include "proxy/director/shard_processes.hpp"
#include "proxy/server.hpp"

namespace {

using namespace horizon;

/// A heap for each thread costs more memory here than the rare contention costs time.
constexpr int kMallocArenas = 2;
constexpr std::chrono::milliseconds kShardPatience{5000};

std::vector<proxy::PinnedArea> pinned_areas(const ConfigFile& config) {
  std::vector<proxy::PinnedArea> areas;
  for (const ConfigFile::Area& a : config.director.areas)
    areas.push_back({a.shard, a.min_x, a.max_x, a.min_z, a.max_z});
  return areas;
}

}  // namespace

int main(int argc, char** argv) {
  const auto started = std::chrono::steady_clock::now();
  mallopt(M_ARENA_MAX, kMallocArenas);

  CLI::App app("Horizon, a Minecraft server of many processes: the proxy, with the director in it.");
  std::filesystem::path dir = ".";
  std::int32_t shards = 0;
  app.add_option("--dir", dir, "Folder of server.properties and horizon.toml")->check(CLI::ExistingDirectory);
  app.add_option("--shards", shards, "Shards of the world; default: one for each core")
      ->check(CLI::Range(1, 1024));
  CLI11_PARSE(app, argc, argv);

  start_log("Server thread");
  const auto config = load_config_file(dir / "horizon.toml");
  if (!config.ok()) {
    spdlog::error("{}", config.error().message);
    return 1;
  }
  const auto settings = proxy::load_settings(dir / "server.properties");
  if (!settings.ok()) {
    spdlog::error("{}", settings.error().message);
    return 1;
  }
  if (shards == 0) {
    shards = config->proxy.shards.value_or(
        static_cast<std::int32_t>(std::max(1U, std::thread::hardware_concurrency())));
  }
  const auto areas = pinned_areas(*config);
  if (const auto wrong = proxy::Director::check(shards, areas)) {
    spdlog::error("{}: {}", (dir / "horizon.toml").string(), *wrong);
    return 1;
  }
  spdlog::info("Starting minecraft server version {}", game::kVersionName);
  for (const std::string& warning : settings->warnings) spdlog::warn("{}", warning);
  spdlog::info("Default game type: {}",
               std::array{"SURVIVAL", "CREATIVE", "ADVENTURE",
                          "SPECTATOR"}[static_cast<std::size_t>(settings->game_mode)]);
  spdlog::info("Starting Minecraft server on {}:{}", settings->server_ip.empty() ? "*" : settings->server_ip,
               settings->server_port);
  spdlog::warn("**** SERVER IS RUNNING IN OFFLINE/INSECURE MODE! Anybody may join under any name.");

  asio::io_context io(1);
  proxy::Server server(io, {*settings, shards, config->director.listen, areas, started});
  if (const auto opened = server.start(); !opened.ok()) {
    spdlog::error("{}", opened.error().message);
    return 1;
  }
  std::unique_ptr<proxy::ShardProcesses> processes;
  if (config->proxy.spawn_shards) {
    processes = std::make_unique<proxy::ShardProcesses>(
        io, (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "horizon-shard").string(),
        std::vector<std::string>{"--director", "127.0.0.1:" + std::to_string(server.director_port())});
    processes->start(shards);
  }
  proxy::Console console(io, [&](const std::string& line) { server.run_console_line(line); });
  asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](asio::error_code error, int) {
    if (!error) server.run_console_line("stop");
  });
  io.run();
  if (processes) processes->stop(kShardPatience);
  return 0;
}
