#include "shard/worldgen/structure/templates.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>

#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/structure/archive.hpp"

namespace horizon::worldgen {

namespace {

constexpr std::int32_t kMaxSide = 512;
constexpr std::size_t kMaxBlocks = 2'000'000;
constexpr std::size_t kMaxMemory = std::size_t{256} << 20;  ///< of a file's tags

const nbt::List* list_of(const nbt::Value& value, std::string_view key) {
  const nbt::Value* entry = value.find(key);
  return entry == nullptr ? nullptr : entry->get<nbt::List>();
}

std::array<double, 3> numbers_of(const nbt::Value& value, std::string_view key) {
  std::array<double, 3> numbers{};
  if (const nbt::List* list = list_of(value, key)) {
    for (std::size_t i = 0; i < 3 && i < list->values.size(); ++i) numbers[i] = list->values[i].as_double();
  }
  return numbers;
}

BlockPos position_of(const nbt::Value& value, std::string_view key) {
  const auto n = numbers_of(value, key);
  const auto coordinate = [](double d) {
    return static_cast<std::int32_t>(std::clamp(d, -1.0 * kMaxSide, 1.0 * kMaxSide));
  };
  return {coordinate(n[0]), coordinate(n[1]), coordinate(n[2])};
}

std::shared_ptr<const nbt::Compound> compound_of(const nbt::Value& value, std::string_view key) {
  const nbt::Value* entry = value.find(key);
  const nbt::Compound* compound = entry == nullptr ? nullptr : entry->get<nbt::Compound>();
  return compound == nullptr ? nullptr : std::make_shared<const nbt::Compound>(*compound);
}

/// {"Name", "Properties"}; what this version does not know reads as air, and an unknown property is left out,
/// as in the game.
BlockState state_of(const nbt::Value& value) {
  const nbt::Value* name = value.find("Name");
  const std::string* text = name == nullptr ? nullptr : name->get<std::string>();
  const auto id = text == nullptr ? std::nullopt : game::find_block(with_namespace(*text));
  if (!id) return blocks::kAir;
  BlockState s = game::default_state(*id);
  const nbt::Value* properties = value.find("Properties");
  if (const nbt::Compound* entries = properties == nullptr ? nullptr : properties->get<nbt::Compound>()) {
    for (const auto& [key, property] : entries->entries) {
      if (const std::string* property_text = property.get<std::string>()) {
        if (const auto changed = game::with_property(s, key, *property_text)) s = *changed;
      }
    }
  }
  return s;
}

std::vector<TemplateBlock> palette_of(const nbt::List& palette, const nbt::List& blocks) {
  std::vector<BlockState> states;
  for (const nbt::Value& entry : palette.values) states.push_back(state_of(entry));
  // The game places full blocks first, then others, then those with data, each by y, x, z.
  std::array<std::vector<TemplateBlock>, 3> groups;
  for (const nbt::Value& entry : blocks.values) {
    const nbt::Value* index = entry.find("state");
    const std::int64_t i = index == nullptr ? 0 : index->as_int();
    TemplateBlock b{position_of(entry, "pos"),
                    i >= 0 && static_cast<std::size_t>(i) < states.size()
                        ? states[static_cast<std::size_t>(i)]
                        : blocks::kAir,
                    compound_of(entry, "nbt")};
    const std::size_t group = b.data != nullptr ? 2 : (is_collision_full(b.state) ? 0 : 1);
    groups[group].push_back(std::move(b));
  }
  std::vector<TemplateBlock> ordered;
  for (auto& group : groups) {
    std::ranges::stable_sort(group, [](const TemplateBlock& a, const TemplateBlock& b) {
      return std::array{a.pos.y, a.pos.x, a.pos.z} < std::array{b.pos.y, b.pos.x, b.pos.z};
    });
    std::ranges::move(group, std::back_inserter(ordered));
  }
  return ordered;
}

Result<std::shared_ptr<const Template>> load(const std::vector<std::uint8_t>& bytes,
                                             const std::string& name) {
  auto unpacked = gunzip(bytes, name);
  if (!unpacked) return unpacked.error();
  nbt::Limits limits;
  limits.quota = kMaxMemory;
  const auto root = nbt::read_named(*unpacked, nullptr, limits);
  if (!root) return Error{root.error().code, name + ": " + root.error().message};
  auto made = std::make_shared<Template>();
  made->size = position_of(*root, "size");
  if (made->size.x < 0 || made->size.y < 0 || made->size.z < 0)
    return Error{ErrorCode::kMalformed, name + ": negative size"};
  const nbt::List* blocks = list_of(*root, "blocks");
  if (blocks == nullptr) return Error{ErrorCode::kMalformed, name + ": no list of blocks"};
  if (blocks->values.size() > kMaxBlocks)
    return Error{ErrorCode::kLimit, name + ": more than 2,000,000 blocks"};
  if (const nbt::List* palettes = list_of(*root, "palettes")) {
    for (const nbt::Value& palette : palettes->values) {
      if (const nbt::List* list = palette.get<nbt::List>())
        made->palettes.push_back(palette_of(*list, *blocks));
    }
  } else if (const nbt::List* palette = list_of(*root, "palette")) {
    made->palettes.push_back(palette_of(*palette, *blocks));
  }
  if (const nbt::List* entities = list_of(*root, "entities")) {
    for (const nbt::Value& entity : entities->values) {
      auto data = compound_of(entity, "nbt");
      if (data == nullptr) continue;
      const auto pos = numbers_of(entity, "pos");
      made->entities.push_back({{pos[0], pos[1], pos[2]}, position_of(entity, "blockPos"), std::move(data)});
    }
  }
  return std::shared_ptr<const Template>(std::move(made));
}

/// Everything in one archive, by what the game calls it.
class ArchiveTemplates : public TemplateSource {
 public:
  /// `structure_prefix`: the path in the archive before a template's name.
  ArchiveTemplates(std::shared_ptr<const Archive> archive, std::string structure_prefix,
                   std::string worldgen_prefix)
      : archive_(std::move(archive)),
        structure_prefix_(std::move(structure_prefix)),
        worldgen_prefix_(std::move(worldgen_prefix)) {
    files_ = archive_->list();
  }

  std::shared_ptr<const Template> get(std::string_view name) const override {
    const std::string key(without_minecraft(name));
    std::lock_guard lock(loaded_mutex_);
    if (const auto it = loaded_.find(key); it != loaded_.end()) return it->second;
    std::shared_ptr<const Template> made;
    const std::string path = structure_prefix_ + key + ".nbt";
    if (auto bytes = archive_->read(path)) {
      auto result = load(*bytes, path);
      if (result) {
        made = *result;
      } else {
        spdlog::error("Structure template left out: {}", result.error().message);
      }
    }
    loaded_.emplace(key, made);
    return made;
  }

  std::vector<std::pair<std::string, Json>> definitions(std::string_view registry) const override {
    std::vector<std::pair<std::string, Json>> list;
    if (worldgen_prefix_.empty()) return list;
    const std::string prefix = worldgen_prefix_ + std::string(registry) + "/";
    constexpr std::string_view kSuffix = ".json";
    for (const std::string& path : files_) {
      if (!path.starts_with(prefix) || !path.ends_with(kSuffix)) continue;
      auto bytes = archive_->read(path);
      if (!bytes) throw FigureError(bytes.error().message);
      try {
        list.emplace_back(
            "minecraft:" + path.substr(prefix.size(), path.size() - prefix.size() - kSuffix.size()),
            Json::parse(*bytes));
      } catch (const Json::exception& error) {
        throw FigureError(path + ": " + error.what());
      }
    }
    return list;
  }

 private:
  std::shared_ptr<const Archive> archive_;
  std::string structure_prefix_, worldgen_prefix_;
  std::vector<std::string> files_;
  mutable std::mutex loaded_mutex_;
  mutable std::unordered_map<std::string, std::shared_ptr<const Template>> loaded_;
};

}  // namespace

Result<std::shared_ptr<const TemplateSource>> open_vanilla_data(const std::string& path) {
  auto opened = open_archive(path);
  if (!opened) return opened.error();
  std::shared_ptr<const Archive> archive = *opened;
  // A server's jar holds the game's own jar.
  for (const std::string& file : archive->list()) {
    if (!file.starts_with("META-INF/versions/") || !file.ends_with(".jar")) continue;
    auto bytes = archive->read(file);
    if (!bytes) return bytes.error();
    auto inner = open_zip(std::move(*bytes), path + "!" + file);
    if (!inner) return inner.error();
    archive = *inner;
    break;
  }
  const std::vector<std::string> files = archive->list();
  const auto has = [&](std::string_view prefix) {
    return std::ranges::any_of(files, [&](const std::string& f) { return f.starts_with(prefix); });
  };
  const auto make = [&](std::string structures, std::string worldgen) {
    return std::shared_ptr<const TemplateSource>(
        std::make_shared<ArchiveTemplates>(archive, std::move(structures), std::move(worldgen)));
  };
  if (has("data/minecraft/structure/")) return make("data/minecraft/structure/", "data/minecraft/worldgen/");
  if (has("structure/")) return make("structure/", "worldgen/");
  if (has("igloo/")) return make("", "");
  return Error{ErrorCode::kNotFound,
               path +
                   ": holds no data/minecraft/structure folder; it must be the server's jar, or "
                   "an unpacked data pack"};
}

}  // namespace horizon::worldgen
