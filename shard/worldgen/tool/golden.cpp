#include "shard/worldgen/tool/golden.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "shard/worldgen/figures/pack.hpp"
#include "shard/worldgen/tool/area.hpp"

namespace horizon::worldgen {

namespace {

constexpr std::size_t kSectionBlocks = 4096;
/// No dimension of the game is higher.
constexpr std::int32_t kMaxHeight = 4064;

template <typename T>
T integer_of(const Json& value, std::string_view what) {
  if (!value.is_number_integer()) throw FigureError(std::string(what) + ": an integer was expected");
  return value.get<T>();
}

const Json& array_of(const Json& value, std::string_view what, std::size_t size = 0) {
  if (!value.is_array() || (size != 0 && value.size() != size)) {
    throw FigureError(std::string(what) + ": a list" + (size == 0 ? "" : " of " + std::to_string(size)) +
                      " was expected");
  }
  return value;
}

DimensionId dimension_of(const std::string& name) {
  const auto id = find_dimension(name);
  if (!id) throw FigureError("no dimension is named \"" + name + "\"");
  return *id;
}

std::int64_t seed_of(const Json& root) { return integer_of<std::int64_t>(field(root, "seed"), "\"seed\""); }

std::string digest_of(const Json& value) {
  constexpr std::size_t kHexDigits = 32;
  if (!value.is_string() || value.get_ref<const std::string&>().size() != kHexDigits) {
    throw FigureError("an MD5 of 32 hexadecimal digits was expected, not " + value.dump());
  }
  return value.get<std::string>();
}

GoldenStages read_stages(const Json& root) {
  GoldenStages golden;
  golden.version = text(root, "game_version");
  golden.seed = seed_of(root);
  for (const auto& [name, json] : field(root, "dimensions").items()) {
    GoldenStages::Part part{dimension_of(name), {}};
    for (const Json& chunk : array_of(field(json, "chunks"), "\"chunks\"")) {
      GoldenStages::Chunk entry{{integer(chunk, "x"), integer(chunk, "z")}, {}};
      for (const auto& [stage, digest] : field(chunk, "stages").items()) {
        if (const auto known = find_stage(stage)) {
          entry.digests.emplace_back(*known, digest_of(digest));
        } else if (std::ranges::find(golden.unknown_stages, stage) == golden.unknown_stages.end()) {
          golden.unknown_stages.push_back(stage);
        }
      }
      part.chunks.push_back(std::move(entry));
    }
    golden.parts.push_back(std::move(part));
  }
  return golden;
}

GoldenBiomes read_biomes(const Json& root) {
  GoldenBiomes golden;
  golden.seed = seed_of(root);
  for (const auto& [name, json] : root.items()) {
    if (!json.is_object()) continue;
    GoldenBiomes::Part part{dimension_of(name), integer(json, "min_section_y"), integer(json, "max_section_y"), {}};
    for (const Json& row : array_of(field(json, "hashes"), "\"hashes\"")) {
      array_of(row, "a row of \"hashes\"", 3);
      part.digests.push_back({{integer_of<std::int32_t>(row[0], "x"), integer_of<std::int32_t>(row[1], "z")},
                              digest_of(row[2])});
    }
    golden.parts.push_back(std::move(part));
  }
  return golden;
}

GoldenBlocks read_blocks(const Json& root) {
  GoldenBlocks golden;
  golden.dimension = dimension_of(text(root, "dimension"));
  golden.seed = seed_of(root);
  const Json& chunk = array_of(field(root, "chunk"), "\"chunk\"", 2);
  golden.chunk = {integer_of<std::int32_t>(chunk[0], "x"), integer_of<std::int32_t>(chunk[1], "z")};
  const auto stage = find_stage(text(root, "stage"));
  if (!stage || *stage < Stage::kNoise) throw FigureError("unknown stage \"" + text(root, "stage") + "\"");
  golden.stage = *stage;
  golden.heights = {integer(root, "min_y"), integer(root, "height")};
  if (golden.heights.height <= 0 || golden.heights.height > kMaxHeight) throw FigureError("\"height\" is out of range");
  golden.has_structures = bool_or(root, "structures", false);
  if (text(root, "order") != GoldenBlocks::kOrder) throw FigureError("unknown order \"" + text(root, "order") + "\"");
  std::vector<BlockState> palette;
  for (const Json& name : array_of(field(root, "palette"), "\"palette\"")) {
    palette.push_back(parse_golden_state(name.get_ref<const std::string&>()));
  }
  const auto total = static_cast<std::size_t>(golden.heights.height) * 256;
  for (const Json& run : array_of(field(root, "runs"), "\"runs\"")) {
    array_of(run, "a row of \"runs\"", 2);
    const auto entry = integer_of<std::size_t>(run[0], "a palette index");
    const auto count = integer_of<std::size_t>(run[1], "a run's length");
    if (entry >= palette.size()) throw FigureError("palette index " + std::to_string(entry) + " is out of range");
    if (count > total - golden.states.size()) throw FigureError("the runs are longer than the chunk");
    golden.states.insert(golden.states.end(), count, palette[entry]);
  }
  if (golden.states.size() != total) throw FigureError("the runs are shorter than the chunk");
  if (const auto undecided = root.find("undecided"); undecided != root.end()) {
    for (const Json& index : array_of(*undecided, "\"undecided\"")) {
      golden.undecided.push_back(integer_of<std::uint32_t>(index, "an index of \"undecided\""));
    }
    std::ranges::sort(golden.undecided);
  }
  return golden;
}

template <typename Row>
std::vector<Row> read_rows(const Json& root) {
  std::vector<Row> rows;
  rows.reserve(root.size());
  for (const Json& json : root) {
    Row row{};
    array_of(json, "a row", row.size());
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = integer_of<typename Row::value_type>(json[i], "a row");
    rows.push_back(row);
  }
  return rows;
}

std::vector<GoldenSamples> read_samples(const Json& functions) {
  std::vector<GoldenSamples> list;
  for (const auto& [name, rows] : functions.items()) {
    GoldenSamples samples{name, {}};
    for (const Json& row : array_of(rows, name)) {
      array_of(row, name, 4);
      samples.rows.push_back({row[0].get<double>(), row[1].get<double>(), row[2].get<double>(), row[3].get<double>()});
    }
    list.push_back(std::move(samples));
  }
  return list;
}

GoldenDensity read_density(const Json& root) {
  return {dimension_of(text(root, "dimension")), seed_of(root), read_samples(field(root, "functions")),
          read_samples(field(root, "router"))};
}

/// "noise_seed0": dimension -> name -> rows; the seed stands in the key.
std::vector<GoldenDerived::Part> read_derived_parts(const Json& root, std::string_view prefix) {
  std::vector<GoldenDerived::Part> parts;
  for (const auto& [key, dimensions] : root.items()) {
    if (!key.starts_with(prefix)) continue;
    std::int64_t seed = 0;
    const char* const end = key.data() + key.size();
    if (std::from_chars(key.data() + prefix.size(), end, seed).ptr != end) {
      throw FigureError("\"" + key + "\": a seed was expected after \"" + std::string(prefix) + "\"");
    }
    for (const auto& [name, functions] : dimensions.items()) {
      parts.push_back({dimension_of(name), seed, read_samples(functions)});
    }
  }
  return parts;
}

constexpr std::string_view kNoisePrefix = "noise_seed", kRouterPrefix = "router_seed";

/// Some files hold numbers that JSON does not know (NaN, Infinity, -Infinity): they become null.
std::string without_odd_numbers(const std::string& json) {
  constexpr std::array<std::string_view, 3> kOdd = {"-Infinity", "Infinity", "NaN"};
  std::string result;
  result.reserve(json.size());
  bool is_text = false;
  for (std::size_t i = 0; i < json.size();) {
    if (!is_text) {
      const std::string_view rest = std::string_view(json).substr(i);
      const auto odd = std::ranges::find_if(kOdd, [&](std::string_view word) { return rest.starts_with(word); });
      if (odd != kOdd.end()) {
        result += "null";
        i += odd->size();
        continue;
      }
    }
    if (json[i] == '"') is_text = !is_text;
    if (json[i] == '\\' && is_text && i + 1 < json.size()) result += json[i++];
    result += json[i++];
  }
  return result;
}

bool has_member(const Json& object, std::string_view key) {
  return std::ranges::any_of(object, [&](const Json& value) { return value.is_object() && value.contains(key); });
}

Golden read(const Json& root) {
  if (root.is_array()) {
    const std::size_t columns = !root.empty() && root[0].is_array() ? root[0].size() : 0;
    if (columns == std::tuple_size_v<decltype(GoldenClimates::rows)::value_type>) {
      return GoldenClimates{read_rows<decltype(GoldenClimates::rows)::value_type>(root)};
    }
    if (columns == std::tuple_size_v<decltype(GoldenZoom::rows)::value_type>) {
      return GoldenZoom{read_rows<decltype(GoldenZoom::rows)::value_type>(root)};
    }
    throw FigureError("a list whose rows are neither climates (9 numbers) nor zoom samples (6 numbers)");
  }
  if (!root.is_object() || root.empty()) throw FigureError("neither an object nor a list of rows");
  if (root.contains("dimensions")) return read_stages(root);
  if (has_member(root, "hashes")) return read_biomes(root);
  if (root.contains("palette")) return read_blocks(root);
  if (root.contains("functions") && root.contains("router")) return read_density(root);
  if (root.contains("random") || root.contains("position_seed")) {
    return GoldenDerived{root.value("random", Json::object()), root.value("position_seed", Json::array()),
                         read_derived_parts(root, kNoisePrefix), read_derived_parts(root, kRouterPrefix)};
  }
  if (has_member(root, "_class")) return GoldenNothing{"the form of the density functions"};
  if (std::ranges::all_of(root, [](const Json& value) { return value.is_array(); })) {
    return GoldenNothing{"which chunks' noise stage needs structures"};
  }
  throw FigureError("not a golden file of a known kind");
}

}  // namespace

struct Md5::Context {
  EVP_MD_CTX* md = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(md); }
};

Md5::Md5() : context_(std::make_unique<Context>()) {
  HZ_CHECK(context_->md != nullptr && EVP_DigestInit_ex(context_->md, EVP_md5(), nullptr) == 1);
}
Md5::~Md5() = default;

void Md5::update(std::span<const std::uint8_t> bytes) {
  HZ_CHECK(EVP_DigestUpdate(context_->md, bytes.data(), bytes.size()) == 1);
}
void Md5::update(std::string_view text) {
  update({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string Md5::hex() {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  HZ_CHECK(EVP_DigestFinal_ex(context_->md, digest.data(), &size) == 1);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

std::string block_digest(const ProtoChunk& chunk) {
  Md5 md5;
  std::array<std::uint8_t, kSectionBlocks * 4> bytes{};
  const std::span<const BlockState> blocks(chunk.raw());
  for (std::size_t from = 0; from < blocks.size(); from += kSectionBlocks) {
    const auto section = blocks.subspan(from, kSectionBlocks);
    if (std::ranges::all_of(section, [](BlockState s) { return is_air(s); })) {
      md5.update(std::string_view("\0", 1));
      continue;
    }
    for (std::size_t i = 0; i < kSectionBlocks; ++i) {
      bytes[i * 4 + 2] = static_cast<std::uint8_t>(section[i] >> 8);
      bytes[i * 4 + 3] = static_cast<std::uint8_t>(section[i]);
    }
    md5.update(bytes);
  }
  return md5.hex();
}

std::string biome_digest(const ProtoChunk& chunk) {
  Md5 md5;
  const std::span<const BiomeId> biomes(chunk.biomes());
  auto section = static_cast<std::uint8_t>(chunk.heights().min_y >> 4);
  for (std::size_t from = 0; from < biomes.size(); from += 64) {
    std::string text(1, static_cast<char>(section++));
    for (const BiomeId biome : biomes.subspan(from, 64)) text += biome_path(biome);
    md5.update(text);
  }
  return md5.hex();
}

Result<Golden> read_golden(const std::string& path) {
  const auto bytes = read_maybe_gzip(path);
  if (!bytes) return bytes.error();
  try {
    return read(Json::parse(without_odd_numbers(*bytes)));
  } catch (const std::exception& error) {
    return Error{ErrorCode::kMalformed, path + ": " + error.what()};
  }
}

std::string state_text(BlockState s) {
  const BlockId block = game::block_of(s);
  std::string text(without_minecraft(game::block_name(block)));
  char separator = '[';
  for (const game::Property& property : game::block_properties(block)) {
    text += separator;
    text += property.name;
    text += '=';
    text += game::property(s, property.name);
    separator = ',';
  }
  return separator == '[' ? text : text + ']';
}

BlockState parse_golden_state(const std::string& text) {
  const std::size_t hash = text.find('#');
  if (hash == std::string::npos) return parse_state_text(text);
  const auto block = game::find_block(with_namespace(text.substr(0, hash)));
  if (!block) throw FigureError("no block is named \"" + text.substr(0, hash) + "\"");
  const auto [first, count] = game::state_range(*block);
  std::uint32_t k = 0;
  const char* const end = text.data() + text.size();
  if (const auto parsed = std::from_chars(text.data() + hash + 1, end, k);
      parsed.ec != std::errc() || parsed.ptr != end || k >= count) {
    throw FigureError("\"" + text + "\": the block has states 0 to " + std::to_string(count - 1));
  }
  return static_cast<BlockState>(first + k);
}

}  // namespace horizon::worldgen
