#include <algorithm>
#include <bit>
#include <bitset>
#include <map>
#include <set>
#include <string>

#include "common/game/game.hpp"
#include "shard/worldgen/feature/feature.hpp"

namespace horizon::worldgen {

namespace {

constexpr std::size_t kMaxBiomes = 256;
/// Steps that structures may stand in, also where no biome lists features.
constexpr std::int32_t kDecorationSteps = 11;

const FeatureFactories& factories() {
  static const FeatureFactories kFactories = [] {
    FeatureFactories all;
    add_selector_features(all);
    add_tree_features(all);
    add_underground_features(all);
    add_vegetation_features(all);
    add_ocean_features(all);
    add_nether_features(all);
    add_end_features(all);
    return all;
  }();
  return kFactories;
}

std::string_view biome_name(BiomeId biome) {
  for (const game::Registry& registry : game::registries()) {
    if (registry.name == "minecraft:worldgen/biome") return registry.entries.at(biome).name;
  }
  throw FigureError("there are no biomes");
}

/// Loads definitions by name once, also those that others refer to.
class Loader final : public FeatureLoader {
 public:
  Loader(const Figures& figures, const TemplateSource* templates)
      : figures_(figures), templates_(templates) {}

  std::shared_ptr<const Feature> configured(const Json& json) override {
    if (!json.is_string()) return make_configured(json);
    return by_name("configured_feature", json.get_ref<const std::string&>(), configured_,
                   [this](const Json& definition) { return make_configured(definition); });
  }
  std::shared_ptr<const PlacedFeature> placed(const Json& json) override {
    if (!json.is_string()) return make_placed(json);
    return placed_by_name(json.get_ref<const std::string&>());
  }
  std::shared_ptr<const PlacedFeature> placed_by_name(const std::string& name) {
    return by_name("placed_feature", name, placed_,
                   [this](const Json& definition) { return make_placed(definition); });
  }
  const Figures& figures() const override { return figures_; }
  const TemplateSource* templates() const override { return templates_; }

 private:
  template <typename T>
  using Named = std::unordered_map<std::string, std::shared_ptr<const T>>;

  template <typename T, typename Make>
  std::shared_ptr<const T> by_name(std::string_view registry, const std::string& name, Named<T>& known,
                                   const Make& make) {
    const std::string full = with_namespace(name);
    if (const auto it = known.find(full); it != known.end()) {
      // An empty entry is one whose definition is being read further up.
      if (it->second == nullptr) throw FigureError(std::string(registry) + " " + full + " contains itself");
      return it->second;
    }
    known[full] = nullptr;
    try {
      return known[full] = make(figures_.get(registry, full));
    } catch (const FigureError& error) {
      known.erase(full);
      throw FigureError(std::string(registry) + " " + full + ": " + error.what());
    }
  }

  std::shared_ptr<const Feature> make_configured(const Json& definition) {
    const std::string_view type = type_of(definition);
    const auto it = factories().find(type);
    if (it == factories().end()) throw FigureError("unknown feature \"" + std::string(type) + "\"");
    return it->second(field(definition, "config"), *this);
  }

  std::shared_ptr<const PlacedFeature> make_placed(const Json& definition) {
    std::shared_ptr<const Feature> feature = configured(field(definition, "feature"));
    std::vector<std::shared_ptr<const Placement>> steps;
    const Json& placement = field(definition, "placement");
    if (!placement.is_array()) throw FigureError("\"placement\" must be a list");
    for (const Json& step : placement) steps.push_back(Placement::parse(step));
    return std::make_shared<PlacedFeature>(std::move(feature), std::move(steps));
  }

  const Figures& figures_;
  const TemplateSource* templates_;
  Named<Feature> configured_;
  Named<PlacedFeature> placed_;
};

using Listed = std::vector<std::vector<const PlacedFeature*>>;  ///< by step

/// The order of all features: each biome's list is kept, and what the lists leave open follows from the
/// numbers that features get in order of their first appearance.
class FeatureOrder {
 public:
  explicit FeatureOrder(const std::vector<Listed>& biomes) {
    for (const Listed& listed : biomes) add_biome(listed);
    for (const auto& [node, followers] : followers_) visit(node);
    steps_.resize(step_count_);
    for (auto it = finished_.rbegin(); it != finished_.rend(); ++it) {
      steps_[static_cast<std::size_t>(it->step)].push_back(by_number_[static_cast<std::size_t>(it->number)]);
    }
  }
  const Listed& steps() const { return steps_; }

 private:
  struct Node {
    std::int32_t step, number;
    auto operator<=>(const Node&) const = default;
  };

  void add_biome(const Listed& listed) {
    step_count_ = std::max(step_count_, listed.size());
    std::set<Node>* previous = nullptr;
    for (std::size_t step = 0; step < listed.size(); ++step) {
      for (const PlacedFeature* feature : listed[step]) {
        const auto [entry, is_new] =
            numbers_.try_emplace(feature, static_cast<std::int32_t>(by_number_.size()));
        if (is_new) by_number_.push_back(feature);
        const Node node{static_cast<std::int32_t>(step), entry->second};
        if (previous != nullptr) previous->insert(node);
        previous = &followers_[node];
      }
    }
  }

  /// Depth first: a feature is finished after all that follow it.
  void visit(const Node& node) {
    if (done_.contains(node)) return;
    if (!open_.insert(node).second)
      throw FigureError("the biomes list their features in contradicting orders");
    for (const Node& follower : followers_.at(node)) visit(follower);
    open_.erase(node);
    done_.insert(node);
    finished_.push_back(node);
  }

  std::size_t step_count_ = 0;
  std::unordered_map<const PlacedFeature*, std::int32_t> numbers_;
  std::vector<const PlacedFeature*> by_number_;
  std::map<Node, std::set<Node>> followers_;
  std::set<Node> open_, done_;
  std::vector<Node> finished_;
  Listed steps_;
};

/// Features of a step, a bit each.
using FeatureBits = std::vector<std::uint64_t>;

}  // namespace

struct FeatureSet::Parts {
  Heights generated;
  std::unordered_map<std::string, std::shared_ptr<const PlacedFeature>> placed;
  std::unordered_map<std::string, std::string> errors;  ///< why a placed feature could not be loaded
  Listed steps;
  std::vector<std::vector<FeatureBits>> of_biome;  ///< by BiomeId, then step; empty for biomes of elsewhere
  std::unordered_map<const PlacedFeature*, std::bitset<kMaxBiomes>> biomes_of;
};

FeatureSet::FeatureSet(const Figures& figures, const std::vector<BiomeId>& biomes, Heights generated,
                       const TemplateSource* templates)
    : parts_(std::make_unique<Parts>()) {
  parts_->generated = generated;
  Loader loader(figures, templates);
  // All of them, as structures ask for some that no biome lists. A broken one only matters to who uses it.
  for (const std::string& name : figures.names("placed_feature")) {
    try {
      parts_->placed[name] = loader.placed_by_name(name);
    } catch (const FigureError& error) {
      parts_->errors[name] = error.what();
    }
  }

  std::vector<Listed> listed;
  for (const BiomeId biome : biomes) {
    const std::string_view name = biome_name(biome);
    Listed& steps = listed.emplace_back();
    try {
      const Json& features = field(figures.get("biome", name), "features");
      if (!features.is_array()) throw FigureError("\"features\" must be a list");
      for (const Json& step : features) {
        auto& of_step = steps.emplace_back();
        const auto add = [&](const Json& entry) {
          if (!entry.is_string()) throw FigureError("\"features\" must be lists of names");
          of_step.push_back(placed(entry.get_ref<const std::string&>()).get());
          parts_->biomes_of[of_step.back()].set(biome);
        };
        if (step.is_array()) {
          for (const Json& entry : step) add(entry);
        } else {
          add(step);
        }
      }
    } catch (const FigureError& error) {
      throw FigureError("biome " + std::string(name) + ": " + error.what());
    }
  }

  parts_->steps = FeatureOrder(listed).steps();
  parts_->of_biome.resize(kMaxBiomes);
  for (std::size_t i = 0; i < biomes.size(); ++i) {
    auto& bits_of_steps = parts_->of_biome[biomes[i]];
    bits_of_steps.resize(parts_->steps.size());
    for (std::size_t step = 0; step < parts_->steps.size(); ++step) {
      const auto& order = parts_->steps[step];
      FeatureBits& bits = bits_of_steps[step];
      bits.resize((order.size() + 63) / 64);
      if (step >= listed[i].size()) continue;
      for (const PlacedFeature* feature : listed[i][step]) {
        const auto index = static_cast<std::size_t>(std::ranges::find(order, feature) - order.begin());
        bits[index / 64] |= std::uint64_t{1} << (index % 64);
      }
    }
  }
}

FeatureSet::~FeatureSet() = default;

void FeatureSet::decorate(Region& region, const StructuresOfStep& structures) const {
  const ChunkPos centre = region.centre();
  const BlockPos origin{centre.x * 16, region.min_y(), centre.z * 16};
  Random random = Random::xoroshiro_bits(0);
  const std::int64_t seed = random.set_decoration_seed(region.seed(), origin.x, origin.z);

  std::bitset<kMaxBiomes> present;
  for (std::int32_t dz = -1; dz <= 1; ++dz) {
    for (std::int32_t dx = -1; dx <= 1; ++dx) {
      const ProtoChunk* chunk = region.chunk_at(origin.x + dx * 16, origin.z + dz * 16);
      for (const BiomeId biome : chunk->biomes()) present.set(biome);
    }
  }

  PlaceContext context{region, *this, parts_->generated};
  FeatureBits here;
  const auto feature_steps = static_cast<std::int32_t>(parts_->steps.size());
  for (std::int32_t step = 0; step < std::max(kDecorationSteps, feature_steps); ++step) {
    if (structures) structures(step, seed, random);
    if (step >= feature_steps) continue;
    const auto& order = parts_->steps[static_cast<std::size_t>(step)];
    here.assign((order.size() + 63) / 64, 0);
    for (std::size_t biome = 0; biome < kMaxBiomes; ++biome) {
      if (!present[biome] || parts_->of_biome[biome].empty()) continue;
      const FeatureBits& bits = parts_->of_biome[biome][static_cast<std::size_t>(step)];
      for (std::size_t i = 0; i < here.size(); ++i) here[i] |= bits[i];
    }
    for (std::size_t word = 0; word < here.size(); ++word) {
      for (std::uint64_t left = here[word]; left != 0; left &= left - 1) {
        const std::size_t index = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        random.set_feature_seed(seed, static_cast<std::int32_t>(index), step);
        context.top = order[index];
        order[index]->place(context, random, origin);
      }
    }
  }
}

bool FeatureSet::biome_has(BiomeId biome, const PlacedFeature* feature) const {
  const auto it = parts_->biomes_of.find(feature);
  return it != parts_->biomes_of.end() && it->second[biome];
}

std::shared_ptr<const PlacedFeature> FeatureSet::placed(std::string_view name) const {
  const std::string full = with_namespace(name);
  if (const auto it = parts_->placed.find(full); it != parts_->placed.end()) return it->second;
  if (const auto it = parts_->errors.find(full); it != parts_->errors.end()) throw FigureError(it->second);
  throw FigureError("no placed feature is named " + full);
}

Heights FeatureSet::generated() const { return parts_->generated; }

}  // namespace horizon::worldgen
