#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shard/worldgen/base/figures.hpp"
#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/base/random.hpp"
#include "shard/worldgen/base/region.hpp"

namespace horizon::worldgen {

class FeatureSet;
class PlacedFeature;
class TemplateSource;

/// What placement knows besides the blocks.
struct PlaceContext {
  Region& region;
  const FeatureSet& features;
  /// The height that terrain is made in (nether and end: 0 to 128), for vertical anchors.
  Heights generated;
  /// The feature whose biome check is running: biomes without it are skipped. Null outside decoration.
  const PlacedFeature* top = nullptr;
};

/// A feature with its configuration ("configured feature"). Immutable; safe from any thread.
class Feature {
 public:
  virtual ~Feature() = default;
  /// Draws from `random` exactly as the game does. True when the game's place() returns true.
  virtual bool place(PlaceContext& context, Random& random, BlockPos origin) const = 0;
};

/// Builds features from definitions; what a factory needs to resolve names inside a configuration.
class FeatureLoader {
 public:
  virtual ~FeatureLoader() = default;
  /// A configured feature by name, or inline. Throws FigureError.
  virtual std::shared_ptr<const Feature> configured(const Json& name_or_definition) = 0;
  /// A placed feature by name, or inline.
  virtual std::shared_ptr<const PlacedFeature> placed(const Json& name_or_definition) = 0;
  virtual const Figures& figures() const = 0;
  /// Structure templates (for fossils); null without vanilla data.
  virtual const TemplateSource* templates() const = 0;
};

/// Makes a feature from the "config" object of a configured feature.
using FeatureFactory = std::function<std::shared_ptr<const Feature>(const Json& config, FeatureLoader& loader)>;
using FeatureFactories = std::unordered_map<std::string_view, FeatureFactory>;

/// Each file of this folder adds its features by type name without namespace ("ore", "tree").
void add_selector_features(FeatureFactories& factories);
void add_tree_features(FeatureFactories& factories);
void add_underground_features(FeatureFactories& factories);
void add_vegetation_features(FeatureFactories& factories);
void add_ocean_features(FeatureFactories& factories);
void add_nether_features(FeatureFactories& factories);
void add_end_features(FeatureFactories& factories);

/// One step of a placement ("placement modifier"): turns one position into none or several.
class Placement {
 public:
  virtual ~Placement() = default;
  /// Calls `emit` for each position in the game's order. The game streams depth first: the positions that
  /// follow from one are fully placed before the next is drawn.
  virtual void positions(PlaceContext& context, Random& random, BlockPos p,
                         const std::function<void(BlockPos)>& emit) const = 0;
  static std::shared_ptr<const Placement> parse(const Json& json);
};

/// A feature with the steps that choose its positions.
class PlacedFeature {
 public:
  PlacedFeature(std::shared_ptr<const Feature> feature, std::vector<std::shared_ptr<const Placement>> steps)
      : feature_(std::move(feature)), steps_(std::move(steps)) {}
  /// True when at least one position was placed. `context.top` decides what a biome step checks.
  bool place(PlaceContext& context, Random& random, BlockPos origin) const;

 private:
  std::shared_ptr<const Feature> feature_;
  std::vector<std::shared_ptr<const Placement>> steps_;
};

/// All features of a dimension, in the game's order.
///
/// Decoration runs step by step; within a step, the features of all biomes of the nine chunks, in an order that
/// the game derives from the biomes' lists (a topological sort).
class FeatureSet {
 public:
  /// `biomes`: those that the dimension's biome source can give, in the source's own order (the sort depends on
  /// it). Throws FigureError naming the definition.
  FeatureSet(const Figures& figures, const std::vector<BiomeId>& biomes, Heights generated,
             const TemplateSource* templates);
  ~FeatureSet();
  FeatureSet(const FeatureSet&) = delete;
  FeatureSet& operator=(const FeatureSet&) = delete;

  /// Places structure pieces between the features of a step: called once per step before its features.
  using StructuresOfStep = std::function<void(std::int32_t step, std::int64_t decoration_seed, Random& random)>;
  /// Decorates the centre chunk of `region`.
  void decorate(Region& region, const StructuresOfStep& structures) const;

  /// Whether a biome lists the feature (biome placement step).
  bool biome_has(BiomeId biome, const PlacedFeature* feature) const;
  /// Biomes that the game lets bone meal work in: not needed here. By name, for structures that place a feature
  /// (jigsaw feature elements). Throws FigureError.
  std::shared_ptr<const PlacedFeature> placed(std::string_view name) const;
  Heights generated() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace horizon::worldgen
