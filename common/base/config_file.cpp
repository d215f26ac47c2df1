#include "common/base/config_file.hpp"

#include <initializer_list>
#include <limits>
#include <string_view>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace horizon {
namespace {

/// Takes values out of tables and remembers the first thing that is wrong.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  void fail(const toml::node& node, const std::string& what) {
    if (!error_) {
      error_ =
          Error{ErrorCode::kConfig, file_ + ":" + std::to_string(node.source().begin.line) + ": " + what};
    }
  }
  void keys(const toml::table& table, std::string_view where, std::initializer_list<std::string_view> known) {
    for (const auto& [key, node] : table) {
      bool is_known = false;
      for (const std::string_view k : known) is_known = is_known || key.str() == k;
      if (!is_known) fail(node, "unknown key " + path(where, key.str()));
    }
  }
  template <class Target>
  void integer(const toml::table& table, std::string_view where, std::string_view key, Target& out,
               std::int64_t min, std::int64_t max) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < min || *value > max) {
      fail(*node, path(where, key) + " must be a whole number from " + std::to_string(min) + " to " +
                      std::to_string(max));
      return;
    }
    out = static_cast<std::int32_t>(*value);
  }
  template <class Target>
  void string(const toml::table& table, std::string_view where, std::string_view key, Target& out) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const auto value = node->value_exact<std::string>();
    if (!value) {
      fail(*node, path(where, key) + " must be a string");
      return;
    }
    out = *value;
  }
  void boolean(const toml::table& table, std::string_view where, std::string_view key, bool& out) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const auto value = node->value_exact<bool>();
    if (!value) {
      fail(*node, path(where, key) + " must be true or false");
      return;
    }
    out = *value;
  }
  const toml::table* table(const toml::table& parent, std::string_view key) {
    const toml::node* node = parent.get(key);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) fail(*node, std::string(key) + " must be a table");
    return node->as_table();
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  static std::string path(std::string_view where, std::string_view key) {
    return where.empty() ? std::string(key) : std::string(where) + "." + std::string(key);
  }
  std::string file_;
  std::optional<Error> error_;
};

constexpr std::int64_t kMaxShard = 1023;
constexpr std::int64_t kMaxChunk = 1 << 24;

}  // namespace

Result<ConfigFile> load_config_file(const std::filesystem::path& file) {
  ConfigFile config;
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return config;
  const toml::parse_result parsed = toml::parse_file(file.string());
  if (!parsed) {
    return Error{ErrorCode::kConfig, file.string() + ":" +
                                         std::to_string(parsed.error().source().begin.line) + ": " +
                                         std::string(parsed.error().description())};
  }
  const toml::table& root = parsed.table();
  Reader read(file.string());
  read.keys(root, "", {"director", "proxy", "shard"});
  if (const toml::table* t = read.table(root, "director")) {
    read.keys(*t, "director", {"listen", "area"});
    read.string(*t, "director", "listen", config.director.listen);
    if (const toml::node* areas = t->get("area")) {
      if (!areas->is_array_of_tables()) read.fail(*areas, "director.area must be [[director.area]] tables");
      if (const toml::array* list = areas->as_array()) {
        for (const toml::node& node : *list) {
          const toml::table* area = node.as_table();
          if (area == nullptr) continue;
          ConfigFile::Area& out = config.director.areas.emplace_back();
          read.keys(*area, "director.area", {"shard", "min_x", "max_x", "min_z", "max_z"});
          if (area->get("shard") == nullptr) read.fail(node, "director.area needs a shard");
          read.integer(*area, "director.area", "shard", out.shard, 0, kMaxShard);
          read.integer(*area, "director.area", "min_x", out.min_x, -kMaxChunk, kMaxChunk);
          read.integer(*area, "director.area", "max_x", out.max_x, -kMaxChunk, kMaxChunk);
          read.integer(*area, "director.area", "min_z", out.min_z, -kMaxChunk, kMaxChunk);
          read.integer(*area, "director.area", "max_z", out.max_z, -kMaxChunk, kMaxChunk);
        }
      }
    }
  }
  if (const toml::table* t = read.table(root, "proxy")) {
    read.keys(*t, "proxy", {"spawn_shards", "shards"});
    read.boolean(*t, "proxy", "spawn_shards", config.proxy.spawn_shards);
    read.integer(*t, "proxy", "shards", config.proxy.shards, 1, kMaxShard + 1);
  }
  if (const toml::table* t = read.table(root, "shard")) {
    read.keys(*t, "shard", {"id", "listen", "advertise", "director", "workers"});
    read.integer(*t, "shard", "id", config.shard.id, 0, kMaxShard);
    read.string(*t, "shard", "listen", config.shard.listen);
    read.string(*t, "shard", "advertise", config.shard.advertise);
    read.string(*t, "shard", "director", config.shard.director);
    read.integer(*t, "shard", "workers", config.shard.workers, 1, 256);
  }
  if (read.error()) return *read.error();
  return config;
}

}  // namespace horizon
