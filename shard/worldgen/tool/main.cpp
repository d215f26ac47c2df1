#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "shard/worldgen/figures/pack.hpp"
#include "shard/worldgen/tool/check.hpp"
#include "shard/worldgen/tool/dump.hpp"
#include "shard/worldgen/tool/map.hpp"
#include "shard/worldgen/tool/pregen.hpp"

namespace {

using namespace horizon::worldgen;

/// As the server takes level-seed: a number as it is, other text by its hash.
std::int64_t parse_seed(const std::string& text) {
  std::int64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  return error == std::errc() && end == text.data() + text.size() ? seed : java_hash(text);
}

// --- Options of several commands -----------------------------------------

void add_dimension(CLI::App& command, const std::function<void(DimensionId)>& set) {
  command
      .add_option_function<std::string>("--dimension", [set](const std::string& name) { set(*find_dimension(name)); },
                                        "overworld, the_nether or the_end")
      ->check([](const std::string& name) {
        return find_dimension(name) ? "" : "no dimension is named \"" + name + "\"";
      });
}

std::string check_stage(const std::string& name) {
  return find_stage(name) ? "" : "no stage is named \"" + name + "\": biomes, noise, surface, carvers, features";
}
/// Stages that have blocks.
std::string check_block_stage(const std::string& name) {
  if (const auto stage = find_stage(name); stage && *stage >= Stage::kNoise) return "";
  return "no stage with blocks is named \"" + name + "\": noise, surface, carvers, features";
}
void add_stage(CLI::App& command, Stage& stage) {
  command
      .add_option_function<std::string>("--stage", [&stage](const std::string& name) { stage = *find_stage(name); },
                                        "noise, surface, carvers or features (default)")
      ->check(check_block_stage);
}

void add_world(CLI::App& command, WorldOptions& world) {
  command
      .add_option_function<std::string>("--seed", [&world](const std::string& s) { world.seed = parse_seed(s); },
                                        "A number, or text as in level-seed")
      ->required();
  add_dimension(command, [&world](DimensionId id) { world.dimension = id; });
  command.add_option("--settings", world.settings, "Another overworld: large_biomes or amplified")
      ->check(CLI::IsMember({"large_biomes", "amplified"}));
  command.add_flag("!--no-structures", world.has_structures, "A world without structures");
}

void add_vanilla_data(CLI::App& command, std::string& path) {
  command
      .add_option("--vanilla-data", path,
                  "Your own copy of the game (server jar, or a data pack's folder), for the structures made of its "
                  "templates")
      ->check(CLI::ExistingPath);
}

void add_threads(CLI::App& command, std::int32_t& threads) {
  threads = static_cast<std::int32_t>(std::max(1U, std::thread::hardware_concurrency()));
  command.add_option("--threads", threads, "Default: one for each core")->check(CLI::Range(1, 1024));
}

template <typename Target>
void add_pair(CLI::App& command, const std::string& name, Target set, const std::string& description,
              bool is_required) {
  command
      .add_option_function<std::vector<std::int32_t>>(
          name, [set](const std::vector<std::int32_t>& v) { set(v[0], v[1]); }, description)
      ->expected(2)
      ->type_name("X Z")
      ->required(is_required);
}

// --- Commands ------------------------------------------------------------

/// Sets up a command and returns what runs it.
using Run = std::function<int()>;

Run add_check(CLI::App& command) {
  auto options = std::make_shared<CheckOptions>();
  command.add_option("files", options->files, "Golden files; their content says of which kind they are")->required();
  add_vanilla_data(command, options->vanilla_data);
  command.add_option("--limit", options->limit, "At most so many chunks of a dimension (features: whole clusters)")
      ->check(CLI::PositiveNumber);
  command
      .add_option_function<std::vector<std::string>>(
          "--stages",
          [options](const std::vector<std::string>& names) {
            for (const std::string& name : names) options->stages.push_back(*find_stage(name));
          },
          "Only these: biomes, noise, surface, carvers, features")
      ->delimiter(',')
      ->check(check_stage);
  add_dimension(command, [options](DimensionId id) { options->dimension = id; });
  add_threads(command, options->threads);
  return [options] { return run_check(*options); };
}

Run add_dump(CLI::App& command) {
  auto options = std::make_shared<DumpOptions>();
  add_world(command, options->world);
  add_stage(command, options->stage);
  add_pair(command, "--chunk", [options](auto x, auto z) { options->chunk = {x, z}; }, "Which chunk", true);
  add_vanilla_data(command, options->vanilla_data);
  add_threads(command, options->threads);
  return [options] { return run_dump(*options); };
}

Run add_map(CLI::App& command) {
  auto options = std::make_shared<MapOptions>();
  add_world(command, options->world);
  command.add_option("output", options->output, "The PNG file to write")->required();
  command.add_option("--size", options->size, "Pixels on a side")->capture_default_str()->check(CLI::Range(1, 16384));
  command.add_option("--scale", options->scale, "Blocks to a pixel")->capture_default_str()->check(CLI::Range(1, 1024));
  add_pair(
      command, "--center", [options](auto x, auto z) { options->center_x = x, options->center_z = z; },
      "The block in the middle", false);
  command.add_option("--kind", options->kind, "surface (default) or biomes")
      ->transform(CLI::CheckedTransformer(std::map<std::string, MapOptions::Kind>{
          {"surface", MapOptions::Kind::kSurface}, {"biomes", MapOptions::Kind::kBiomes}}));
  command.add_option("--height", options->height, "Biomes: at this y instead of at the top");
  add_stage(command, options->stage);
  add_vanilla_data(command, options->vanilla_data);
  add_threads(command, options->threads);
  return [options] { return run_map(*options); };
}

Run add_pregen(CLI::App& command) {
  auto options = std::make_shared<PregenOptions>();
  add_world(command, options->world);
  add_pair(
      command, "--center", [options](auto x, auto z) { options->center_x = x, options->center_z = z; },
      "The block in the middle", true);
  command.add_option("--radius", options->radius, "Chunks around the one in the middle")
      ->required()
      ->check(CLI::Range(0, 4096));
  add_vanilla_data(command, options->vanilla_data);
  add_threads(command, options->threads);
  return [options] { return run_pregen(*options); };
}

Run add_pack(CLI::App& command) {
  struct Paths {
    std::string worldgen, tags, output;
  };
  auto paths = std::make_shared<Paths>();
  command.add_option("worldgen", paths->worldgen, "Folder with one JSON file a registry")
      ->required()
      ->check(CLI::ExistingDirectory);
  command.add_option("tags", paths->tags, "JSON file of all tags")->required()->check(CLI::ExistingFile);
  command.add_option("output", paths->output, "The table to write")->required();
  return [paths] {
    const auto packed = pack_figures(paths->worldgen, paths->tags, paths->output);
    if (packed) return 0;
    std::fprintf(stderr, "%s\n", packed.error().message.c_str());
    return 2;
  };
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Horizon's world generator on the command line.");
  app.require_subcommand(1);
  Run run;
  const auto add = [&](const char* name, const char* description, Run (*set_up)(CLI::App&)) {
    CLI::App* const command = app.add_subcommand(name, description);
    command->callback([&run, chosen = set_up(*command)] { run = chosen; });
  };
  add("check", "Compare golden files with what the generator makes", add_check);
  add("dump", "Print one chunk in the form of the golden block files", add_dump);
  add("map", "Draw a part of a world as a PNG, seen from above", add_map);
  add("pregen", "Make a square of chunks, measure it and print a digest to compare runs by; nothing is stored yet",
      add_pregen);
  add("pack", "Write the table of definitions that the program carries", add_pack);
  CLI11_PARSE(app, argc, argv);
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
