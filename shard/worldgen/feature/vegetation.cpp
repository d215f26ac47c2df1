#include <array>

#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/feature/trees.hpp"

namespace horizon::worldgen {

namespace {

/// A patch of ground on a floor or ceiling with plants on it.
class VegetationPatch : public Feature {
 public:
  VegetationPatch(const Json& json, FeatureLoader& loader, bool is_waterlogged)
      : is_waterlogged_(is_waterlogged),
        replaceable_(BlockSet::parse(field(json, "replaceable"))),
        ground_(StateProvider::parse(field(json, "ground_state"))),
        vegetation_(loader.placed(field(json, "vegetation_feature"))),
        inwards_(text(json, "surface") == "ceiling" ? Direction::kUp : Direction::kDown),
        depth_(IntProvider::parse(field(json, "depth"))),
        radius_(IntProvider::parse(field(json, "xz_radius"))),
        vertical_range_(integer(json, "vertical_range")),
        extra_bottom_(static_cast<float>(number(json, "extra_bottom_block_chance"))),
        vegetation_chance_(static_cast<float>(number(json, "vegetation_chance"))),
        extra_edge_(static_cast<float>(number(json, "extra_edge_column_chance"))) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    const std::int32_t x_radius = radius_.sample(random) + 1;
    const std::int32_t z_radius = radius_.sample(random) + 1;
    std::vector<BlockPos> surface = place_ground(context.region, random, origin, x_radius, z_radius);
    if (is_waterlogged_) surface = flood(context.region, surface);
    // The plants stand on their own, outside of the biome check that led here.
    PlaceContext inner{context.region, context.features, context.generated, nullptr};
    for (const BlockPos p : surface) {
      if (vegetation_chance_ > 0.0F && random.next_float() < vegetation_chance_) plant(inner, random, p);
    }
    return !surface.empty();
  }

 private:
  std::vector<BlockPos> place_ground(Region& region, Random& random, BlockPos origin, std::int32_t x_radius,
                                     std::int32_t z_radius) const {
    const Direction outwards = opposite(inwards_);
    std::vector<BlockPos> surface;
    for (std::int32_t dx = -x_radius; dx <= x_radius; ++dx) {
      const bool is_x_edge = dx == -x_radius || dx == x_radius;
      for (std::int32_t dz = -z_radius; dz <= z_radius; ++dz) {
        const bool is_z_edge = dz == -z_radius || dz == z_radius;
        if (is_x_edge && is_z_edge) continue;
        if ((is_x_edge || is_z_edge) && (extra_edge_ == 0.0F || random.next_float() > extra_edge_)) continue;
        BlockPos p = offset(origin, dx, 0, dz);
        for (std::int32_t i = 0; region.is_air(p) && i < vertical_range_; ++i) p = offset(p, inwards_);
        for (std::int32_t i = 0; !region.is_air(p) && i < vertical_range_; ++i) p = offset(p, outwards);
        const BlockPos ground = offset(p, inwards_);
        if (!region.is_air(p) || !is_face_sturdy(region.get(ground), outwards)) continue;
        std::int32_t depth = depth_.sample(random);
        if (extra_bottom_ > 0.0F && random.next_float() < extra_bottom_) ++depth;
        if (place_column(region, random, ground, depth)) surface.push_back(ground);
      }
    }
    return surface;
  }

  bool place_column(Region& region, Random& random, BlockPos p, std::int32_t depth) const {
    for (std::int32_t i = 0; i < depth; ++i) {
      const BlockState s = ground_->get(region, random, p);
      const BlockState there = region.get(p);
      if (game::block_of(s) == game::block_of(there)) continue;
      if (!replaceable_.contains(there)) return i != 0;
      region.set(p, s);
      p = offset(p, inwards_);
    }
    return true;
  }

  static std::vector<BlockPos> flood(Region& region, const std::vector<BlockPos>& surface) {
    constexpr std::array kSides = {Direction::kNorth, Direction::kEast, Direction::kSouth, Direction::kWest,
                                   Direction::kDown};
    std::vector<BlockPos> enclosed;
    for (const BlockPos p : surface) {
      bool is_exposed = false;
      for (const Direction d : kSides) {
        is_exposed = is_exposed || !is_face_sturdy(region.get(offset(p, d)), opposite(d));
      }
      if (!is_exposed) enclosed.push_back(p);
    }
    for (const BlockPos p : enclosed) region.set(p, blocks::kWater);
    return enclosed;
  }

  void plant(PlaceContext& context, Random& random, BlockPos ground) const {
    if (!is_waterlogged_) {
      vegetation_->place(context, random, offset(ground, opposite(inwards_)));
      return;
    }
    // In a pool the plant stands in the water's place.
    if (!vegetation_->place(context, random, offset(below(ground), opposite(inwards_)))) return;
    const BlockState placed = context.region.get(ground);
    if (has_property(placed, properties::kWaterlogged) && !bool_value(placed, properties::kWaterlogged)) {
      context.region.set(ground, with_bool(placed, properties::kWaterlogged, true));
    }
  }

  bool is_waterlogged_;
  BlockSet replaceable_;
  std::shared_ptr<const StateProvider> ground_;
  std::shared_ptr<const PlacedFeature> vegetation_;
  Direction inwards_;
  IntProvider depth_, radius_;
  std::int32_t vertical_range_;
  float extra_bottom_, vegetation_chance_, extra_edge_;
};

class Vines : public Feature {
 public:
  bool place(PlaceContext& context, Random&, BlockPos origin) const override {
    static const BlockState kVine = state("vine");
    static const std::array<PropertyId, 6> kFaces = {properties::kUp,    properties::kUp,
                                                     properties::kNorth, properties::kSouth,
                                                     properties::kWest,  properties::kEast};
    Region& region = context.region;
    if (!region.is_air(origin)) return false;
    for (const Direction d : kDirections) {
      if (d == Direction::kDown || !carries_cover(region.get(offset(origin, d)), opposite(d))) continue;
      region.set(origin, with_bool(kVine, kFaces[static_cast<std::size_t>(d)], true));
      return true;
    }
    return false;
  }
};

}  // namespace

void add_vegetation_features(FeatureFactories& factories) {
  factories["vegetation_patch"] = [](const Json& json, FeatureLoader& loader) {
    return std::make_shared<VegetationPatch>(json, loader, false);
  };
  factories["waterlogged_vegetation_patch"] = [](const Json& json, FeatureLoader& loader) {
    return std::make_shared<VegetationPatch>(json, loader, true);
  };
  factories["vines"] = [](const Json&, FeatureLoader&) { return std::make_shared<Vines>(); };
}

}  // namespace horizon::worldgen
