#include <algorithm>
#include <array>

#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/feature/trees.hpp"

namespace horizon::worldgen {

namespace {

bool is_water_block(const Region& region, BlockPos p) {
  static const BlockId kWater = block("water");
  return is(region.get(p), kWater);
}

std::int32_t spread(Random& random, std::int32_t bound) {
  const std::int32_t first = random.next_int(bound);
  return first - random.next_int(bound);
}

/// A place on the sea floor within 7 blocks.
BlockPos floor_nearby(const Region& region, Random& random, BlockPos origin) {
  const std::int32_t x = origin.x + spread(random, 8);
  const std::int32_t z = origin.z + spread(random, 8);
  return {x, region.height(HeightKind::kOceanFloor, x, z), z};
}

BlockState pickles(std::int32_t count) {
  static const PropertyId kPickles = property_id("pickles");
  static const BlockState kPickle = state("sea_pickle");
  return with_int(kPickle, kPickles, count);
}

class Seagrass : public Feature {
 public:
  explicit Seagrass(const Json& json) : tall_chance_(static_cast<float>(number(json, "probability"))) {}
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    static const BlockState kShort = state("seagrass"), kTall = state("tall_seagrass[half=lower]"),
                            kTallTop = state("tall_seagrass[half=upper]");
    Region& region = context.region;
    const BlockPos p = floor_nearby(region, random, origin);
    if (!is_water_block(region, p)) return false;
    const bool is_tall = random.next_double() < static_cast<double>(tall_chance_);
    const BlockState s = is_tall ? kTall : kShort;
    if (!can_survive(region, s, p)) return false;
    if (!is_tall) {
      region.set(p, s);
    } else if (is_water_block(region, above(p))) {
      region.set(p, s);
      region.set(above(p), kTallTop);
    }
    return true;
  }

 private:
  float tall_chance_;
};

class Kelp : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    static const BlockState kTop = state("kelp"), kStem = state("kelp_plant");
    static const BlockId kTopBlock = block("kelp");
    Region& region = context.region;
    BlockPos p{origin.x, region.height(HeightKind::kOceanFloor, origin.x, origin.z), origin.z};
    if (!is_water_block(region, p)) return false;
    const auto grown = [&] { return with_int(kTop, properties::kAge, random.next_int(4) + 20); };
    const std::int32_t height = 1 + random.next_int(10);
    bool has_placed = false;
    for (std::int32_t h = 0; h <= height; ++h, p = above(p)) {
      if (is_water_block(region, p) && is_water_block(region, above(p)) && can_survive(region, kStem, p)) {
        if (h == height) {
          region.set(p, grown());
          has_placed = true;
        } else {
          region.set(p, kStem);
        }
      } else if (h > 0) {
        const BlockPos under = below(p);
        if (can_survive(region, kTop, under) && !is(region.get(below(under)), kTopBlock)) {
          region.set(under, grown());
          has_placed = true;
        }
        break;
      }
    }
    return has_placed;
  }
};

class SeaPickle : public Feature {
 public:
  explicit SeaPickle(const Json& json) : count_(IntProvider::parse(field(json, "count"))) {}
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    const std::int32_t count = count_.sample(random);
    bool has_placed = false;
    for (std::int32_t i = 0; i < count; ++i) {
      const BlockPos p = floor_nearby(region, random, origin);
      const BlockState s = pickles(random.next_int(4) + 1);
      if (!is_water_block(region, p) || !can_survive(region, s, p)) continue;
      region.set(p, s);
      has_placed = true;
    }
    return has_placed;
  }

 private:
  IntProvider count_;
};

/// What all corals share: one block of it, with what grows on it.
class Coral : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    static const std::vector<BlockState> kBlocks = members("coral_blocks");
    return build(context.region, random, origin, pick(kBlocks, random));
  }

 protected:
  virtual bool build(Region& region, Random& random, BlockPos origin, BlockState s) const = 0;

  static bool put(Region& region, Random& random, BlockPos p, BlockState s) {
    static const BlockSet kCoralSet = BlockSet::tag("corals");
    static const std::vector<BlockState> kCorals = members("corals"), kWallCorals = members("wall_corals");
    const BlockPos up = above(p);
    if (!(is_water_block(region, p) || kCoralSet.contains(region.get(p))) || !is_water_block(region, up))
      return false;
    region.set(p, s);
    if (random.next_float() < 0.25F) {
      region.set(up, pick(kCorals, random));
    } else if (random.next_float() < 0.05F) {
      region.set(up, pickles(random.next_int(4) + 1));
    }
    for (const Direction d : kHorizontal) {
      if (random.next_float() >= 0.2F) continue;
      const BlockPos side = offset(p, d);
      if (is_water_block(region, side))
        region.set(side, with(pick(kWallCorals, random), properties::kFacing, name(d)));
    }
    return true;
  }

 private:
  static std::vector<BlockState> members(std::string_view tag) {
    std::vector<BlockState> states;
    for (const BlockId b : BlockSet::tag(tag).blocks()) states.push_back(game::default_state(b));
    return states;
  }
  static BlockState pick(const std::vector<BlockState>& states, Random& random) {
    return states[static_cast<std::size_t>(random.next_int(static_cast<std::int32_t>(states.size())))];
  }
};

class CoralTree : public Coral {
 protected:
  bool build(Region& region, Random& random, BlockPos origin, BlockState s) const override {
    BlockPos p = origin;
    const std::int32_t height = random.next_int(3) + 1;
    for (std::int32_t i = 0; i < height; ++i, p = above(p)) {
      if (!put(region, random, p, s)) return true;
    }
    const auto branches = static_cast<std::size_t>(random.next_int(3) + 2);
    std::array<Direction, 4> directions = kHorizontal;
    shuffle(directions, random);
    for (std::size_t i = 0; i < branches; ++i) {
      const Direction d = directions[i];
      BlockPos at = offset(p, d);
      const std::int32_t length = random.next_int(5) + 2;
      std::int32_t segment = 0;
      for (std::int32_t j = 0; j < length && put(region, random, at, s); ++j) {
        ++segment;
        at = above(at);
        if (j == 0 || (segment >= 2 && random.next_float() < 0.25F)) {
          at = offset(at, d);
          segment = 0;
        }
      }
    }
    return true;
  }
};

class CoralClaw : public Coral {
 protected:
  bool build(Region& region, Random& random, BlockPos origin, BlockState s) const override {
    if (!put(region, random, origin, s)) return false;
    const Direction claw = random_horizontal(random);
    const auto branches = static_cast<std::size_t>(random.next_int(2) + 2);
    std::array<Direction, 3> directions = {claw, clockwise(claw), counter_clockwise(claw)};
    shuffle(directions, random);
    for (std::size_t b = 0; b < branches; ++b) {
      const Direction d = directions[b];
      const std::int32_t sideways = random.next_int(2) + 1;
      BlockPos p = offset(origin, d);
      Direction segment = claw;
      std::int32_t inwards = 0;
      if (d == claw) {
        inwards = random.next_int(3) + 2;
      } else {
        p = above(p);
        segment = random.next_int(2) == 0 ? d : Direction::kUp;
        inwards = random.next_int(3) + 3;
      }
      for (std::int32_t i = 0; i < sideways && put(region, random, p, s); ++i) p = offset(p, segment);
      p = above(offset(p, opposite(segment)));
      for (std::int32_t i = 0; i < inwards; ++i) {
        p = offset(p, claw);
        if (!put(region, random, p, s)) break;
        if (random.next_float() < 0.25F) p = above(p);
      }
    }
    return true;
  }
};

class CoralMushroom : public Coral {
 protected:
  bool build(Region& region, Random& random, BlockPos origin, BlockState s) const override {
    const std::int32_t height = random.next_int(3) + 3, width = random.next_int(3) + 3,
                       length = random.next_int(3) + 3;
    const std::int32_t sink = random.next_int(3) + 1;
    for (std::int32_t x = 0; x <= width; ++x) {
      for (std::int32_t y = 0; y <= height; ++y) {
        for (std::int32_t z = 0; z <= length; ++z) {
          const bool is_x = x == 0 || x == width, is_y = y == 0 || y == height, is_z = z == 0 || z == length;
          // The faces of the box without its edges.
          if ((is_x && is_y) || (is_z && is_y) || (is_x && is_z) || !(is_x || is_y || is_z)) continue;
          if (random.next_float() < 0.1F) continue;
          put(region, random, offset(origin, x, y - sink, z), s);
        }
      }
    }
    return true;
  }
};

}  // namespace

void add_ocean_features(FeatureFactories& factories) {
  factories["seagrass"] = [](const Json& json, FeatureLoader&) { return std::make_shared<Seagrass>(json); };
  factories["kelp"] = [](const Json&, FeatureLoader&) { return std::make_shared<Kelp>(); };
  factories["sea_pickle"] = [](const Json& json, FeatureLoader&) {
    return std::make_shared<SeaPickle>(json);
  };
  factories["coral_tree"] = [](const Json&, FeatureLoader&) { return std::make_shared<CoralTree>(); };
  factories["coral_claw"] = [](const Json&, FeatureLoader&) { return std::make_shared<CoralClaw>(); };
  factories["coral_mushroom"] = [](const Json&, FeatureLoader&) { return std::make_shared<CoralMushroom>(); };
}

}  // namespace horizon::worldgen
