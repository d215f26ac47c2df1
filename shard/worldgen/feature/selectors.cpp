#include <algorithm>
#include <array>
#include <optional>

#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/feature/feature.hpp"

namespace horizon::worldgen {

namespace {

using Placed = std::shared_ptr<const PlacedFeature>;

/// Features inside features are placed without a biome check of their own.
bool place_inner(const PlacedFeature& feature, const PlaceContext& context, Random& random, BlockPos origin) {
  PlaceContext inner = context;
  inner.top = nullptr;
  return feature.place(inner, random, origin);
}

class NoOp final : public Feature {
 public:
  bool place(PlaceContext&, Random&, BlockPos) const override { return true; }
};

/// Tries one after the other by chance, else the default.
class RandomSelector final : public Feature {
 public:
  RandomSelector(const Json& config, FeatureLoader& loader)
      : default_(loader.placed(field(config, "default"))) {
    const Json& list = field(config, "features");
    if (!list.is_array()) throw FigureError("\"features\" must be a list");
    for (const Json& entry : list) {
      entries_.push_back(
          {static_cast<float>(number(entry, "chance")), loader.placed(field(entry, "feature"))});
    }
  }
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    for (const Entry& entry : entries_) {
      if (random.next_float() < entry.chance) return place_inner(*entry.feature, context, random, origin);
    }
    return place_inner(*default_, context, random, origin);
  }

 private:
  struct Entry {
    float chance;
    Placed feature;
  };
  std::vector<Entry> entries_;
  Placed default_;
};

class SimpleRandomSelector final : public Feature {
 public:
  SimpleRandomSelector(const Json& config, FeatureLoader& loader) {
    const Json& list = field(config, "features");
    if (list.is_array()) {
      for (const Json& entry : list) features_.push_back(loader.placed(entry));
    } else {
      features_.push_back(loader.placed(list));
    }
    if (features_.empty()) throw FigureError("\"features\" is empty");
  }
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    const std::int32_t index = random.next_int(static_cast<std::int32_t>(features_.size()));
    return place_inner(*features_[static_cast<std::size_t>(index)], context, random, origin);
  }

 private:
  std::vector<Placed> features_;
};

class RandomBooleanSelector final : public Feature {
 public:
  RandomBooleanSelector(const Json& config, FeatureLoader& loader)
      : if_true_(loader.placed(field(config, "feature_true"))),
        if_false_(loader.placed(field(config, "feature_false"))) {}
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    return place_inner(random.next_bool() ? *if_true_ : *if_false_, context, random, origin);
  }

 private:
  Placed if_true_, if_false_;
};

bool is_double_plant(BlockState s) {
  static const BlockSet kDoublePlants =
      BlockSet::of({"tall_grass", "large_fern", "pitcher_plant", "sunflower", "lilac", "rose_bush", "peony",
                    "small_dripleaf", "tall_seagrass", "pitcher_crop"});
  return kDoublePlants.contains(s);
}

void place_double_plant(Region& region, BlockState s, BlockPos p) {
  const auto soaked = [&](BlockState half, BlockPos at) {
    return with_bool(half, properties::kWaterlogged, region.fluid_at(at) == Fluid::kWater);
  };
  region.set(p, soaked(with(s, properties::kHalf, "lower"), p));
  region.set(above(p), soaked(with(s, properties::kHalf, "upper"), above(p)));
}

/// A pale moss carpet that climbs what stands beside it, by chance two blocks high.
void place_moss_carpet(Region& region, BlockPos p) {
  static const BlockState kCarpet = state("pale_moss_carpet");
  static const PropertyId kBase = property_id("bottom");
  static const BlockState kTopper = with_bool(kCarpet, kBase, false);
  // In the order of kHorizontal.
  static const std::array<PropertyId, 4> kSides = {properties::kNorth, properties::kEast, properties::kSouth,
                                                   properties::kWest};
  const BlockState carpet = connected_moss_carpet(region, kCarpet, p, true);
  region.set(p, carpet);
  const BlockPos over = above(p);
  const BlockState there = region.get(over);
  if (is(there, game::block_of(kCarpet)) ? bool_value(there, kBase) : !can_be_replaced(there)) return;
  BlockState topper = connected_moss_carpet(region, kTopper, over, true);
  Random& random = region.level_random();
  for (std::size_t i = 0; i < kSides.size(); ++i) {
    if (value_text(topper, kSides[i]) != "none" && !random.next_bool())
      topper = with(topper, kSides[i], "none");
  }
  if (!moss_carpet_has_faces(topper) || topper == there) return;
  region.set(over, topper);
  region.set(p, connected_moss_carpet(region, carpet, p, true));
}

class SimpleBlock final : public Feature {
 public:
  explicit SimpleBlock(const Json& config) : to_place_(StateProvider::parse(field(config, "to_place"))) {}
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    static const BlockId kMossCarpet = block("pale_moss_carpet");
    Region& region = context.region;
    const std::optional<BlockState> chosen = to_place_->get_optional(region, random, origin);
    if (!chosen || !can_survive(region, *chosen, origin)) return false;
    if (is_double_plant(*chosen)) {
      if (!region.is_air(above(origin))) return false;
      place_double_plant(region, *chosen, origin);
    } else if (is(*chosen, kMossCarpet)) {
      place_moss_carpet(region, origin);
    } else {
      region.set(origin, *chosen);
    }
    return true;
  }

 private:
  std::shared_ptr<const StateProvider> to_place_;
};

/// Layers of blocks one after the other in a direction, as many as there is room for.
class BlockColumn final : public Feature {
 public:
  explicit BlockColumn(const Json& config)
      : direction_(parse_direction(text(config, "direction"))),
        allowed_(BlockPredicate::parse(field(config, "allowed_placement"))),
        keeps_tip_(bool_or(config, "prioritize_tip", false)) {
    const Json& layers = field(config, "layers");
    if (!layers.is_array() || layers.size() > kMaxLayers)
      throw FigureError("\"layers\" must be a list of up to 16");
    for (const Json& layer : layers) {
      layers_.push_back(
          {IntProvider::parse(field(layer, "height")), StateProvider::parse(field(layer, "provider"))});
    }
  }

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    std::array<std::int32_t, kMaxLayers> heights{};
    std::int32_t total = 0;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      heights[i] = layers_[i].height.sample(random);
      total += heights[i];
    }
    if (total == 0) return false;
    // The first block is placed whatever is there: only those after it need room.
    for (std::int32_t n = 0; n < total; ++n) {
      if (!allowed_->test(region, offset(origin, direction_, n + 1))) {
        shorten(heights, total - n);
        break;
      }
    }
    BlockPos p = origin;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      for (std::int32_t n = 0; n < heights[i]; ++n) {
        region.set(p, layers_[i].provider->get(region, random, p));
        p = offset(p, direction_);
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kMaxLayers = 16;
  struct Layer {
    IntProvider height;
    std::shared_ptr<const StateProvider> provider;
  };

  void shorten(std::array<std::int32_t, kMaxLayers>& heights, std::int32_t by) const {
    for (std::size_t i = 0; i < layers_.size() && by > 0; ++i) {
      std::int32_t& height = heights[keeps_tip_ ? i : layers_.size() - 1 - i];
      const std::int32_t cut = std::min(height, by);
      height -= cut;
      by -= cut;
    }
  }

  Direction direction_;
  std::shared_ptr<const BlockPredicate> allowed_;
  bool keeps_tip_;
  std::vector<Layer> layers_;
};

class BlockPile final : public Feature {
 public:
  explicit BlockPile(const Json& config) : provider_(StateProvider::parse(field(config, "state_provider"))) {}
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    if (origin.y < region.min_y() + 5) return false;
    const std::int32_t x_radius = 2 + random.next_int(2);
    const std::int32_t z_radius = 2 + random.next_int(2);
    for (std::int32_t dz = -z_radius; dz <= z_radius; ++dz) {
      for (std::int32_t dy = 0; dy <= 1; ++dy) {
        for (std::int32_t dx = -x_radius; dx <= x_radius; ++dx) {
          const float wide = random.next_float() * 10.0F;
          const float narrow = random.next_float() * 6.0F;
          if (static_cast<float>(dx * dx + dz * dz) <= wide - narrow ||
              static_cast<double>(random.next_float()) < 0.031) {
            place_one(region, random, offset(origin, dx, dy, dz));
          }
        }
      }
    }
    return true;
  }

 private:
  void place_one(Region& region, Random& random, BlockPos p) const {
    static const BlockId kDirtPath = block("dirt_path");
    if (!region.is_air(p)) return;
    const BlockState ground = region.get(below(p));
    const bool carries = is(ground, kDirtPath) ? random.next_bool() : is_face_sturdy(ground, Direction::kUp);
    if (carries) region.set(p, provider_->get(region, random, p));
  }

  std::shared_ptr<const StateProvider> provider_;
};

class FillLayer final : public Feature {
 public:
  explicit FillLayer(const Json& config)
      : height_(integer(config, "height")), state_(parse_state(field(config, "state"))) {}
  bool place(PlaceContext& context, Random&, BlockPos origin) const override {
    Region& region = context.region;
    for (std::int32_t dx = 0; dx < 16; ++dx) {
      for (std::int32_t dz = 0; dz < 16; ++dz) {
        const BlockPos p{origin.x + dx, region.min_y() + height_, origin.z + dz};
        if (region.is_air(p)) region.set(p, state_);
      }
    }
    return true;
  }

 private:
  std::int32_t height_;
  BlockState state_;
};

class ReplaceBlock final : public Feature {
 public:
  explicit ReplaceBlock(const Json& config) {
    const Json& targets = field(config, "targets");
    if (!targets.is_array()) throw FigureError("\"targets\" must be a list");
    for (const Json& target : targets) {
      targets_.emplace_back(RuleTest::parse(field(target, "target")), parse_state(field(target, "state")));
    }
  }
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    const BlockState there = context.region.get(origin);
    for (const auto& [test, replacement] : targets_) {
      if (test.test(there, random)) {
        context.region.set(origin, replacement);
        break;
      }
    }
    return true;
  }

 private:
  std::vector<std::pair<RuleTest, BlockState>> targets_;
};

template <typename T>
FeatureFactory plain() {
  return [](const Json& config, FeatureLoader&) { return std::make_shared<const T>(config); };
}
template <typename T>
FeatureFactory with_loader() {
  return [](const Json& config, FeatureLoader& loader) { return std::make_shared<const T>(config, loader); };
}

}  // namespace

void add_selector_features(FeatureFactories& factories) {
  factories["no_op"] = [](const Json&, FeatureLoader&) { return std::make_shared<const NoOp>(); };
  factories["random_selector"] = with_loader<RandomSelector>();
  factories["simple_random_selector"] = with_loader<SimpleRandomSelector>();
  factories["random_boolean_selector"] = with_loader<RandomBooleanSelector>();
  factories["simple_block"] = plain<SimpleBlock>();
  factories["block_column"] = plain<BlockColumn>();
  factories["block_pile"] = plain<BlockPile>();
  factories["fill_layer"] = plain<FillLayer>();
  factories["replace_single_block"] = plain<ReplaceBlock>();
}

}  // namespace horizon::worldgen
