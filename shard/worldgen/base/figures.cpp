#include "shard/worldgen/base/figures.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>

/// figures_26_1.bin, placed here by figures/figures.S: see figures/pack.hpp for its form.
extern "C" __attribute__((visibility("hidden"))) const unsigned char horizon_worldgen_figures[];
extern "C" __attribute__((visibility("hidden"))) const unsigned char horizon_worldgen_figures_end[];

namespace horizon::worldgen {

std::string with_namespace(std::string_view name) {
  return name.find(':') == std::string_view::npos ? "minecraft:" + std::string(name) : std::string(name);
}

std::string_view without_minecraft(std::string_view name) {
  constexpr std::string_view kPrefix = "minecraft:";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

const Json& field(const Json& object, std::string_view key) {
  if (!object.is_object()) throw FigureError("an object with \"" + std::string(key) + "\" was expected");
  const auto it = object.find(std::string(key));
  if (it == object.end()) throw FigureError("\"" + std::string(key) + "\" is missing");
  return *it;
}

namespace {

double as_number(const Json& value, std::string_view key) {
  if (!value.is_number()) throw FigureError("\"" + std::string(key) + "\" must be a number");
  return value.get<double>();
}
std::int32_t as_integer(const Json& value, std::string_view key) {
  if (!value.is_number_integer()) throw FigureError("\"" + std::string(key) + "\" must be an integer");
  const auto number = value.get<std::int64_t>();
  if (number < INT32_MIN || number > INT32_MAX) throw FigureError("\"" + std::string(key) + "\" is out of range");
  return static_cast<std::int32_t>(number);
}

}  // namespace

double number(const Json& object, std::string_view key) { return as_number(field(object, key), key); }
std::int32_t integer(const Json& object, std::string_view key) { return as_integer(field(object, key), key); }
const std::string& text(const Json& object, std::string_view key) {
  const Json& value = field(object, key);
  if (!value.is_string()) throw FigureError("\"" + std::string(key) + "\" must be text");
  return value.get_ref<const std::string&>();
}
double number_or(const Json& object, std::string_view key, double fallback) {
  const auto it = object.find(std::string(key));
  return it == object.end() ? fallback : as_number(*it, key);
}
std::int32_t int_or(const Json& object, std::string_view key, std::int32_t fallback) {
  const auto it = object.find(std::string(key));
  return it == object.end() ? fallback : as_integer(*it, key);
}
bool bool_or(const Json& object, std::string_view key, bool fallback) {
  const auto it = object.find(std::string(key));
  if (it == object.end()) return fallback;
  if (!it->is_boolean()) throw FigureError("\"" + std::string(key) + "\" must be true or false");
  return it->get<bool>();
}
std::string_view type_of(const Json& object) { return without_minecraft(text(object, "type")); }

const Figures& Figures::builtin() {
  static const Figures kFigures = [] {
    const unsigned char* data = horizon_worldgen_figures;
    const auto packed = static_cast<std::size_t>(horizon_worldgen_figures_end - data);
    std::uint32_t size = 0;
    std::memcpy(&size, data, sizeof size);
    std::vector<std::uint8_t> bytes(size);
    libdeflate_decompressor* inflater = libdeflate_alloc_decompressor();
    const libdeflate_result result = libdeflate_deflate_decompress(inflater, data + sizeof size, packed - sizeof size,
                                                                   bytes.data(), bytes.size(), nullptr);
    libdeflate_free_decompressor(inflater);
    HZ_CHECK(result == LIBDEFLATE_SUCCESS);
    Figures figures;
    const Json root = Json::from_msgpack(bytes);
    for (const auto& [registry, entries] : root.items()) {
      for (const auto& [name, definition] : entries.items()) figures.set(registry, name, definition);
    }
    return figures;
  }();
  return kFigures;
}

const Json* Figures::find(std::string_view registry, std::string_view name) const {
  const auto entries = registries_.find(std::string(registry));
  if (entries == registries_.end()) return nullptr;
  const auto it = entries->second.find(with_namespace(name));
  return it == entries->second.end() ? nullptr : &it->second;
}

const Json& Figures::get(std::string_view registry, std::string_view name) const {
  const Json* definition = find(registry, name);
  if (definition == nullptr) {
    throw FigureError("no " + std::string(registry) + " is named \"" + std::string(name) + "\"");
  }
  return *definition;
}

std::vector<std::string> Figures::names(std::string_view registry) const {
  std::vector<std::string> list;
  if (const auto entries = registries_.find(std::string(registry)); entries != registries_.end()) {
    for (const auto& entry : entries->second) list.push_back(entry.first);
  }
  std::ranges::sort(list);
  return list;
}

void Figures::set(std::string_view registry, std::string_view name, Json definition) {
  registries_[std::string(registry)][with_namespace(name)] = std::move(definition);
}

}  // namespace horizon::worldgen
