#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/base/result.hpp"
#include "common/nbt/nbt.hpp"
#include "shard/worldgen/structure/structure.hpp"

namespace horizon::worldgen {

/// One block of a template, relative to its corner.
struct TemplateBlock {
  BlockPos pos;
  BlockState state = 0;
  std::shared_ptr<const nbt::Compound> data;  ///< null without block entity
};
struct TemplateEntity {
  Vec3 pos;
  BlockPos block;
  std::shared_ptr<const nbt::Compound> data;
};

/// A structure template: size and palettes of blocks in the order that the game places them (full blocks, then
/// others, then those with data).
struct Template {
  BlockPos size;
  std::vector<std::vector<TemplateBlock>> palettes;
  std::vector<TemplateEntity> entities;
};

/// Reads templates from the operator's own copy of the game: a server jar (also the bundler's, with the inner jar
/// in META-INF/versions), an unpacked data pack (folder with data/minecraft/structure), a folder `structure`, or a
/// .tar.gz of one. Loads lazily, keeps what it loaded. Thread-safe.
class TemplateSource {
 public:
  virtual ~TemplateSource() = default;
  /// Null when the source has no such template ("igloo/top", with or without "minecraft:").
  virtual std::shared_ptr<const Template> get(std::string_view name) const = 0;
  /// Raw JSON files under data/minecraft/worldgen/<registry>/, to lay over the built-in figures.
  virtual std::vector<std::pair<std::string, Json>> definitions(std::string_view registry) const = 0;
};

/// The error names the path and what was expected there.
Result<std::shared_ptr<const TemplateSource>> open_vanilla_data(const std::string& path);

}  // namespace horizon::worldgen
