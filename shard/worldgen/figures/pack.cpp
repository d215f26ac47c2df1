#include "shard/worldgen/figures/pack.hpp"

#include <libdeflate.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "shard/worldgen/base/figures.hpp"

namespace horizon::worldgen {

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;

constexpr std::array kRegistries = {"noise",
                                    "noise_settings",
                                    "density_function",
                                    "biome",
                                    "configured_carver",
                                    "configured_feature",
                                    "placed_feature",
                                    "structure",
                                    "structure_set",
                                    "template_pool",
                                    "processor_list",
                                    "flat_level_generator_preset",
                                    "world_preset"};

/// Java's rounding of a parameter: (long)(value * 10000f) in float arithmetic.
std::int64_t quantise(const Json& value) {
  return static_cast<std::int64_t>(value.get<float>() * 10000.0F);
}

Json pack_points(const Json& list) {
  constexpr std::array kAxes = {"temperature", "humidity", "continentalness", "erosion", "depth", "weirdness"};
  std::map<std::string, std::int32_t> ids;
  Json biomes = Json::array();
  Json points = Json::array();
  for (const Json& entry : list) {
    const std::string& biome = text(entry, "biome");
    const auto [it, is_new] = ids.try_emplace(biome, static_cast<std::int32_t>(ids.size()));
    if (is_new) biomes.push_back(biome);
    Json row = Json::array({it->second});
    const Json& parameters = field(entry, "parameters");
    for (const char* axis : kAxes) {
      const Json& range = field(parameters, axis);
      row.push_back(quantise(range.is_array() ? range[0] : range));
      row.push_back(quantise(range.is_array() ? range[1] : range));
    }
    row.push_back(quantise(field(parameters, "offset")));
    points.push_back(std::move(row));
  }
  return {{"biomes", biomes}, {"points", points}};
}

void resolve_tag(const Json& tags, const std::string& key, std::set<std::string>& seen, std::vector<std::string>& out) {
  const auto it = tags.find(key);
  if (it == tags.end()) throw FigureError("no tag \"" + key + "\"");
  for (const Json& value : it->is_array() ? *it : field(*it, "values")) {
    const std::string name = value.is_string() ? value.get<std::string>() : text(value, "id");
    if (name.starts_with('#')) {
      resolve_tag(tags, "minecraft:worldgen/biome/" + std::string(without_minecraft(std::string_view(name).substr(1))),
                  seen, out);
    } else if (seen.insert(name).second) {
      out.push_back(name);
    }
  }
}

Json load(const std::string& folder, const std::string& registry) {
  auto bytes = read_maybe_gzip(folder + "/" + registry + ".json.gz");
  if (!bytes) bytes = read_maybe_gzip(folder + "/" + registry + ".json");
  if (!bytes) throw FigureError(bytes.error().message);
  return Json::parse(*bytes);
}

}  // namespace

Result<std::string> read_maybe_gzip(const std::string& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) return Error{ErrorCode::kIo, path + ": cannot be opened: " + std::strerror(errno)};
  std::string bytes;
  std::vector<char> buffer(1 << 16);
  int read = 0;
  while ((read = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) > 0) {
    bytes.append(buffer.data(), static_cast<std::size_t>(read));
    if (bytes.size() > kMaxFileBytes) return Error{ErrorCode::kLimit, path + ": more than 256 MiB"};
  }
  if (read < 0) return Error{ErrorCode::kMalformed, path + ": broken gzip data"};
  return bytes;
}

Result<void> pack_figures(const std::string& worldgen, const std::string& tags, const std::string& output) {
  try {
    Json root = Json::object();
    for (const std::string registry : kRegistries) root[registry] = load(worldgen, registry);
    const Json points = load(worldgen, "multi_noise_biome_source_parameters");
    for (const auto& [name, list] : points.items()) {
      root["biome_points"][name] = pack_points(list);
    }
    auto tag_bytes = read_maybe_gzip(tags);
    if (!tag_bytes) return tag_bytes.error();
    const Json all_tags = Json::parse(*tag_bytes);
    const std::string prefix = "minecraft:worldgen/biome/";
    for (const auto& [key, value] : all_tags.items()) {
      if (!key.starts_with(prefix)) continue;
      std::set<std::string> seen;
      std::vector<std::string> biomes;
      resolve_tag(all_tags, key, seen, biomes);
      root["tag_biome"]["minecraft:" + key.substr(prefix.size())] = biomes;
    }
    const std::vector<std::uint8_t> bytes = Json::to_msgpack(root);
    const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> deflater(
        libdeflate_alloc_compressor(12), libdeflate_free_compressor);
    std::vector<std::uint8_t> packed(4 + libdeflate_deflate_compress_bound(deflater.get(), bytes.size()));
    const auto size = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(packed.data(), &size, sizeof size);
    packed.resize(4 + libdeflate_deflate_compress(deflater.get(), bytes.data(), bytes.size(), packed.data() + 4,
                                                  packed.size() - 4));
    std::ofstream file(output, std::ios::binary);
    file.write(reinterpret_cast<const char*>(packed.data()), static_cast<std::streamsize>(packed.size()));
    if (!file.flush()) return Error{ErrorCode::kIo, output + ": cannot be written"};
    return {};
  } catch (const std::exception& error) {
    return Error{ErrorCode::kMalformed, worldgen + ": " + error.what()};
  }
}

}  // namespace horizon::worldgen
