#include <algorithm>

#include "shard/worldgen/feature/trees.hpp"

namespace horizon::worldgen {

std::vector<BlockPos> DecorationWork::lowest() const {
  if (roots.empty()) return logs;
  std::vector<BlockPos> positions;
  if (!logs.empty() && roots.front().y == logs.front().y) positions = logs;
  positions.insert(positions.end(), roots.begin(), roots.end());
  return positions;
}

namespace {

float chance(const Json& json, std::string_view key) { return static_cast<float>(number(json, key)); }

/// The sides of a trunk or leaf that vines are tried on, each with the face of the vine that holds on.
struct VineSide {
  Direction side;
  PropertyId face;
};
const std::array<VineSide, 4>& vine_sides() {
  static const std::array<VineSide, 4> kSides = {{{Direction::kWest, properties::kEast},
                                                  {Direction::kEast, properties::kWest},
                                                  {Direction::kNorth, properties::kSouth},
                                                  {Direction::kSouth, properties::kNorth}}};
  return kSides;
}
BlockState vine(PropertyId face) {
  static const BlockState kVine = state("vine");
  return with_bool(kVine, face, true);
}

class TrunkVine : public TreeDecorator {
 public:
  void place(DecorationWork& work) const override {
    for (const BlockPos log : work.logs) {
      for (const auto& [side, face] : vine_sides()) {
        if (work.random.next_int(3) <= 0) continue;
        const BlockPos p = offset(log, side);
        if (work.is_air(p)) work.set(p, vine(face));
      }
    }
  }
};

class LeaveVine : public TreeDecorator {
 public:
  explicit LeaveVine(const Json& json) : chance_(chance(json, "probability")) {}
  void place(DecorationWork& work) const override {
    for (const BlockPos leaf : work.leaves) {
      for (const auto& [side, face] : vine_sides()) {
        if (work.random.next_float() >= chance_) continue;
        BlockPos p = offset(leaf, side);
        if (!work.is_air(p)) continue;
        work.set(p, vine(face));
        p = below(p);
        for (std::int32_t left = 4; left > 0 && work.is_air(p); --left, p = below(p)) work.set(p, vine(face));
      }
    }
  }

 private:
  float chance_;
};

class PaleMoss : public TreeDecorator {
 public:
  PaleMoss(const Json& json, FeatureLoader& loader)
      : leaves_(chance(json, "leaves_probability")),
        trunk_(chance(json, "trunk_probability")),
        ground_(chance(json, "ground_probability")),
        patch_(loader.configured("minecraft:pale_moss_patch")) {}
  void place(DecorationWork& work) const override {
    std::vector<BlockPos> logs = work.logs;
    shuffle(logs, work.random);
    if (logs.empty()) return;
    const BlockPos lowest = *std::ranges::min_element(logs, {}, &BlockPos::y);
    if (work.random.next_float() < ground_) patch_->place(work.context, work.random, above(lowest));
    hang(work, work.logs, trunk_);
    hang(work, work.leaves, leaves_);
  }

 private:
  static void hang(DecorationWork& work, const std::vector<BlockPos>& from, float probability) {
    static const PropertyId kTip = property_id("tip");
    static const BlockState kMoss = state("pale_hanging_moss");
    for (const BlockPos p : from) {
      if (work.random.next_float() >= probability || !work.is_air(below(p))) continue;
      BlockPos moss = below(p);
      while (work.is_air(below(moss)) && !(work.random.next_float() < 0.5F)) {
        work.set(moss, with_bool(kMoss, kTip, false));
        moss = below(moss);
      }
      work.set(moss, with_bool(kMoss, kTip, true));
    }
  }

  float leaves_, trunk_, ground_;
  std::shared_ptr<const Feature> patch_;
};

class CreakingHeart : public TreeDecorator {
 public:
  explicit CreakingHeart(const Json& json) : chance_(chance(json, "probability")) {}
  void place(DecorationWork& work) const override {
    static const BlockSet kLogs = BlockSet::tag("logs");
    static const BlockState kHeart = state("creaking_heart[creaking_heart_state=dormant,natural=true]");
    if (work.logs.empty() || work.random.next_float() >= chance_) return;
    std::vector<BlockPos> logs = work.logs;
    shuffle(logs, work.random);
    const auto target = std::ranges::find_if(logs, [&](BlockPos p) {
      return std::ranges::all_of(kDirections,
                                 [&](Direction d) { return kLogs.contains(work.region.get(offset(p, d))); });
    });
    if (target != logs.end()) work.set(*target, kHeart);
  }

 private:
  float chance_;
};

class Cocoa : public TreeDecorator {
 public:
  explicit Cocoa(const Json& json) : chance_(chance(json, "probability")) {}
  void place(DecorationWork& work) const override {
    static const BlockState kCocoa = state("cocoa");
    if (work.random.next_float() >= chance_ || work.logs.empty()) return;
    const std::int32_t bottom = work.logs.front().y;
    for (const BlockPos log : work.logs) {
      if (log.y - bottom > 2) continue;
      for (const Direction d : kHorizontal) {
        if (work.random.next_float() > 0.25F) continue;
        const BlockPos p = offset(log, opposite(d));
        if (!work.is_air(p)) continue;
        const BlockState grown = with_int(kCocoa, properties::kAge, work.random.next_int(3));
        work.set(p, with(grown, properties::kFacing, name(d)));
      }
    }
  }

 private:
  float chance_;
};

class Beehive : public TreeDecorator {
 public:
  explicit Beehive(const Json& json) : chance_(chance(json, "probability")) {}
  void place(DecorationWork& work) const override {
    static const BlockState kNest = state("bee_nest[facing=south]");
    constexpr std::array kSides = {Direction::kEast, Direction::kSouth, Direction::kWest};
    Random& random = work.random;
    if (work.logs.empty() || random.next_float() >= chance_) return;
    const std::int32_t lowest = work.logs.front().y;
    const std::int32_t y = work.leaves.empty() ? std::min(lowest + 1 + random.next_int(3), work.logs.back().y)
                                               : std::max(work.leaves.front().y - 1, lowest + 1);
    std::vector<BlockPos> places;
    for (const BlockPos log : work.logs) {
      if (log.y != y) continue;
      for (const Direction d : kSides) places.push_back(offset(log, d));
    }
    if (places.empty()) return;
    shuffle(places, random);
    const auto hive = std::ranges::find_if(
        places, [&](BlockPos p) { return work.is_air(p) && work.is_air(offset(p, Direction::kSouth)); });
    if (hive == places.end()) return;
    work.set(*hive, kNest);
    if (!work.region.can_write(*hive)) return;
    std::vector<nbt::Value> bees;
    const std::int32_t count = 2 + random.next_int(2);
    for (std::int32_t i = 0; i < count; ++i) {
      nbt::Compound entity, bee;
      entity.set("id", "minecraft:bee");
      bee.set("entity_data", std::move(entity));
      bee.set("ticks_in_hive", random.next_int(599));
      bee.set("min_ticks_in_hive", std::int32_t{600});
      bees.emplace_back(std::move(bee));
    }
    nbt::Compound data;
    data.set("bees", nbt::make_list(std::move(bees)));
    work.region.set_block_entity(*hive, std::move(data));
  }

 private:
  float chance_;
};

class AlterGround : public TreeDecorator {
 public:
  explicit AlterGround(const Json& json) : provider_(StateProvider::parse(field(json, "provider"))) {}
  void place(DecorationWork& work) const override {
    const std::vector<BlockPos> lowest = work.lowest();
    if (lowest.empty()) return;
    const std::int32_t y = lowest.front().y;
    for (const BlockPos p : lowest) {
      if (p.y != y) continue;
      circle(work, offset(p, -1, 0, -1));
      circle(work, offset(p, 2, 0, -1));
      circle(work, offset(p, -1, 0, 2));
      circle(work, offset(p, 2, 0, 2));
      for (std::int32_t i = 0; i < 5; ++i) {
        const std::int32_t place = work.random.next_int(64);
        const std::int32_t x = place % 8, z = place / 8;
        if (x == 0 || x == 7 || z == 0 || z == 7) circle(work, offset(p, x - 3, 0, z - 3));
      }
    }
  }

 private:
  void circle(DecorationWork& work, BlockPos p) const {
    for (std::int32_t x = -2; x <= 2; ++x) {
      for (std::int32_t z = -2; z <= 2; ++z) {
        if (std::abs(x) != 2 || std::abs(z) != 2) alter(work, offset(p, x, 0, z));
      }
    }
  }
  void alter(DecorationWork& work, BlockPos p) const {
    for (std::int32_t dy = 2; dy >= -3; --dy) {
      const BlockPos at = above(p, dy);
      if (const auto s = provider_->get_optional(work.region, work.random, at)) {
        work.set(at, *s);
        return;
      }
      if (!work.is_air(at) && dy < 0) return;
    }
  }

  std::shared_ptr<const StateProvider> provider_;
};

std::vector<Direction> parse_directions(const Json& json) {
  std::vector<Direction> directions;
  for (const Json& d : field(json, "directions")) directions.push_back(parse_direction(d.get<std::string>()));
  if (directions.empty()) throw FigureError("\"directions\" is empty");
  return directions;
}
Direction random_of(const std::vector<Direction>& directions, Random& random) {
  return directions[static_cast<std::size_t>(random.next_int(static_cast<std::int32_t>(directions.size())))];
}

class AttachedToLeaves : public TreeDecorator {
 public:
  explicit AttachedToLeaves(const Json& json)
      : chance_(chance(json, "probability")),
        exclusion_xz_(integer(json, "exclusion_radius_xz")),
        exclusion_y_(integer(json, "exclusion_radius_y")),
        empty_(integer(json, "required_empty_blocks")),
        provider_(StateProvider::parse(field(json, "block_provider"))),
        directions_(parse_directions(json)) {}
  void place(DecorationWork& work) const override {
    std::vector<BlockPos> leaves = work.leaves;
    shuffle(leaves, work.random);
    PositionSet excluded;
    for (const BlockPos leaf : leaves) {
      const Direction d = random_of(directions_, work.random);
      const BlockPos p = offset(leaf, d);
      if (excluded.contains(p) || work.random.next_float() >= chance_ || !has_room(work, leaf, d)) continue;
      for (std::int32_t x = -exclusion_xz_; x <= exclusion_xz_; ++x) {
        for (std::int32_t y = -exclusion_y_; y <= exclusion_y_; ++y) {
          for (std::int32_t z = -exclusion_xz_; z <= exclusion_xz_; ++z) excluded.insert(offset(p, x, y, z));
        }
      }
      work.set(p, provider_->get(work.region, work.random, p));
    }
  }

 private:
  bool has_room(const DecorationWork& work, BlockPos leaf, Direction d) const {
    for (std::int32_t i = 1; i <= empty_; ++i) {
      if (!work.is_air(offset(leaf, d, i))) return false;
    }
    return true;
  }

  float chance_;
  std::int32_t exclusion_xz_, exclusion_y_, empty_;
  std::shared_ptr<const StateProvider> provider_;
  std::vector<Direction> directions_;
};

class AttachedToLogs : public TreeDecorator {
 public:
  explicit AttachedToLogs(const Json& json)
      : chance_(chance(json, "probability")),
        provider_(StateProvider::parse(field(json, "block_provider"))),
        directions_(parse_directions(json)) {}
  void place(DecorationWork& work) const override {
    std::vector<BlockPos> logs = work.logs;
    shuffle(logs, work.random);
    for (const BlockPos log : logs) {
      const BlockPos p = offset(log, random_of(directions_, work.random));
      if (work.random.next_float() <= chance_ && work.is_air(p)) {
        work.set(p, provider_->get(work.region, work.random, p));
      }
    }
  }

 private:
  float chance_;
  std::shared_ptr<const StateProvider> provider_;
  std::vector<Direction> directions_;
};

class PlaceOnGround : public TreeDecorator {
 public:
  explicit PlaceOnGround(const Json& json)
      : tries_(int_or(json, "tries", 128)),
        radius_(int_or(json, "radius", 2)),
        height_(int_or(json, "height", 1)),
        provider_(StateProvider::parse(field(json, "block_state_provider"))) {}
  void place(DecorationWork& work) const override {
    static const BlockId kVine = block("vine");
    const std::vector<BlockPos> lowest = work.lowest();
    if (lowest.empty()) return;
    const std::int32_t y = lowest.front().y;
    Box box{lowest.front().x, y, lowest.front().z, lowest.front().x, y, lowest.front().z};
    for (const BlockPos p : lowest) {
      if (p.y == y) box.encapsulate(p);
    }
    Region& region = work.region;
    for (std::int32_t i = 0; i < tries_; ++i) {
      const std::int32_t x = work.random.next_int_between(box.min_x - radius_, box.max_x + radius_);
      const std::int32_t at_y = work.random.next_int_between(y - height_, y + height_);
      const std::int32_t z = work.random.next_int_between(box.min_z - radius_, box.max_z + radius_);
      const BlockPos ground{x, at_y, z}, p = above(ground);
      const BlockState there = region.get(p);
      if ((is_air(there) || is(there, kVine)) && is_solid_render(region.get(ground)) &&
          region.height(HeightKind::kMotionBlockingNoLeaves, x, z) <= p.y) {
        work.set(p, provider_->get(region, work.random, p));
      }
    }
  }

 private:
  std::int32_t tries_, radius_, height_;
  std::shared_ptr<const StateProvider> provider_;
};

}  // namespace

std::unique_ptr<const TreeDecorator> TreeDecorator::parse(const Json& json, FeatureLoader& loader) {
  const std::string_view type = type_of(json);
  if (type == "trunk_vine") return std::make_unique<TrunkVine>();
  if (type == "leave_vine") return std::make_unique<LeaveVine>(json);
  if (type == "pale_moss") return std::make_unique<PaleMoss>(json, loader);
  if (type == "creaking_heart") return std::make_unique<CreakingHeart>(json);
  if (type == "cocoa") return std::make_unique<Cocoa>(json);
  if (type == "beehive") return std::make_unique<Beehive>(json);
  if (type == "alter_ground") return std::make_unique<AlterGround>(json);
  if (type == "attached_to_leaves") return std::make_unique<AttachedToLeaves>(json);
  if (type == "attached_to_logs") return std::make_unique<AttachedToLogs>(json);
  if (type == "place_on_ground") return std::make_unique<PlaceOnGround>(json);
  throw FigureError("unknown tree decorator \"" + std::string(type) + "\"");
}

std::vector<std::unique_ptr<const TreeDecorator>> TreeDecorator::parse_list(const Json& json,
                                                                            FeatureLoader& loader) {
  std::vector<std::unique_ptr<const TreeDecorator>> list;
  for (const Json& entry : json) list.push_back(parse(entry, loader));
  return list;
}

}  // namespace horizon::worldgen
