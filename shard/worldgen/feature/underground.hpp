#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>

#include "shard/worldgen/base/blocks.hpp"
#include "shard/worldgen/base/region.hpp"
#include "shard/worldgen/feature/feature.hpp"

/// What the files of the underground features share; for them only.
namespace horizon::worldgen::underground {

/// The parts of add_underground_features().
void add_ore(FeatureFactories& factories);
void add_dripstone(FeatureFactories& factories);
void add_geode(FeatureFactories& factories);
void add_sculk(FeatureFactories& factories);
void add_ice(FeatureFactories& factories);
void add_fossil(FeatureFactories& factories);
void add_pools(FeatureFactories& factories);  ///< disk, lake, spring_feature, underwater_magma

/// A factory for a feature that is built from its configuration, or from nothing.
template <std::derived_from<Feature> F>
FeatureFactory factory() {
  return [](const Json& config, [[maybe_unused]] FeatureLoader& loader) -> std::shared_ptr<const Feature> {
    if constexpr (std::constructible_from<F, const Json&, FeatureLoader&>) {
      return std::make_shared<const F>(config, loader);
    } else if constexpr (std::constructible_from<F, const Json&>) {
      return std::make_shared<const F>(config);
    } else {
      return std::make_shared<const F>();
    }
  };
}

inline float float_field(const Json& object, std::string_view key) {
  return static_cast<float>(number(object, key));
}
inline float float_or(const Json& object, std::string_view key, float fallback) {
  return static_cast<float>(number_or(object, key, static_cast<double>(fallback)));
}

/// All positions of a box, x fastest, then y, then z.
template <typename Visit>
void for_each_in_box(BlockPos low, BlockPos high, Visit&& visit) {
  for (std::int32_t z = low.z; z <= high.z; ++z) {
    for (std::int32_t y = low.y; y <= high.y; ++y) {
      for (std::int32_t x = low.x; x <= high.x; ++x) visit(BlockPos{x, y, z});
    }
  }
}

inline bool is_water(BlockState s) {
  static const BlockId kWaterBlock = block("water");
  return is(s, kWaterBlock);
}
inline bool is_lava(BlockState s) {
  static const BlockId kLavaBlock = block("lava");
  return is(s, kLavaBlock);
}
/// A block of air, or of water in any height.
inline bool is_air_or_water(BlockState s) { return game::is_air(s) || is_water(s); }

inline void set_unless(Region& region, BlockPos p, BlockState s, const BlockSet& kept) {
  if (!kept.contains(region.get(p))) region.set(p, s);
}

/// Up to two blocks above a changed one look at their neighbours later on.
inline void mark_above(Region& region, BlockPos p) {
  for (std::int32_t i = 1; i <= 2; ++i) {
    const BlockPos over = above(p, i);
    if (region.is_air(over)) return;
    region.mark_for_post_processing(over);
  }
}

/// The open part of a column: the first blocks below and above that bound it, where they were found.
struct OpenColumn {
  std::optional<std::int32_t> floor, ceiling;
};
/// Walks up and down from `p` while `is_open`, at most `range` - 1 steps; an end counts when `is_edge`.
template <typename Open, typename Edge>
std::optional<OpenColumn> scan_column(const Region& region, BlockPos p, std::int32_t range, Open&& is_open,
                                      Edge&& is_edge) {
  if (!is_open(region.get(p))) return std::nullopt;
  const auto end = [&](std::int32_t step) -> std::optional<std::int32_t> {
    BlockPos at = p;
    for (std::int32_t i = 1; i < range && is_open(region.get(at)); ++i) at.y += step;
    if (is_edge(region.get(at))) return at.y;
    return std::nullopt;
  };
  return OpenColumn{.floor = end(-1), .ceiling = end(1)};
}

}  // namespace horizon::worldgen::underground
