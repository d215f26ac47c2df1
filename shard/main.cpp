#include <malloc.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <string>

#include "common/base/config_file.hpp"
#include "common/base/lifeline.hpp"
#include "common/base/log.hpp"
#include "shard/link/shard_process.hpp"

namespace {

/// See the proxy's main.cpp.
constexpr int kMallocArenas = 2;
horizon::shard::ShardProcess* running = nullptr;

void on_signal(int) {
  if (running != nullptr) running->stop();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace horizon;
  mallopt(M_ARENA_MAX, kMallocArenas);

  CLI::App app("Horizon, a Minecraft server of many processes: one shard of the world.");
  std::filesystem::path dir = ".";
  std::optional<std::int32_t> id;
  std::string director;
  int lifeline = -1;
  app.add_option("--dir", dir, "Folder of horizon.toml")->check(CLI::ExistingDirectory);
  app.add_option("--id", id, "Number of this shard, from 0");
  app.add_option("--director", director, "Address of the director, host:port");
  app.add_option("--lifeline-fd", lifeline, "A pipe; this process ends when its other end is closed");
  CLI11_PARSE(app, argc, argv);

  // A child of the proxy has all it needs on its command line: the file's shard is one that runs by itself.
  const auto config =
      lifeline >= 0 ? Result<ConfigFile>(ConfigFile{}) : load_config_file(dir / "horizon.toml");
  shard::ProcessOptions options;
  options.id = id.value_or(config.ok() ? config->shard.id.value_or(-1) : -1);
  start_log("Shard " + std::to_string(options.id));
  if (!config.ok()) {
    spdlog::error("{}", config.error().message);
    return 1;
  }
  options.listen = config->shard.listen.value_or(options.listen);
  options.advertise = config->shard.advertise.value_or("");
  options.director = director.empty() ? config->shard.director.value_or("") : director;
  options.workers = config->shard.workers.value_or(1);
  if (options.id < 0 || options.director.empty()) {
    spdlog::error(
        "A shard needs its number and its director's address: --id and --director, or shard.id and "
        "shard.director in {}",
        (dir / "horizon.toml").string());
    return 1;
  }
  shard::ShardProcess process(options);
  running = &process;
  std::signal(SIGTERM, on_signal);
  std::signal(SIGINT, on_signal);
  // At once, whatever the other threads do: a shard without its parent serves nobody.
  if (lifeline >= 0) watch_lifeline(lifeline, [] { _exit(0); });
  return process.run();
}
