#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/feature/underground.hpp"

namespace horizon::worldgen::underground {

namespace {

const BlockId kSculkId = block("sculk"), kVeinId = block("sculk_vein"), kLichenId = block("glow_lichen"),
              kCatalystId = block("sculk_catalyst"), kMovingPistonId = block("moving_piston"),
              kSensorId = block("sculk_sensor"), kShriekerId = block("sculk_shrieker");
const BlockState kSculk = state("sculk"), kVein = state("sculk_vein"), kCatalyst = state("sculk_catalyst"),
                 kSensor = state("sculk_sensor"), kShrieker = state("sculk_shrieker[can_summon=true]");

/// By Direction.
const std::array kSides = {properties::kDown,  properties::kUp,   properties::kNorth,
                           properties::kSouth, properties::kWest, properties::kEast};

PropertyId side(Direction d) { return kSides[static_cast<std::size_t>(d)]; }
bool covers(BlockState s, Direction d) { return bool_value(s, side(d)); }
bool covers_any(BlockState s) {
  return std::ranges::any_of(kDirections, [&](Direction d) { return covers(s, d); });
}
bool is_water_source(BlockState s) { return fluid(s) == Fluid::kWater && is_fluid_source(s); }
bool can_cling(const Region& region, BlockPos p, Direction d) {
  return carries_cover(region.get(offset(p, d)), opposite(d));
}
bool same_axis(Direction a, Direction b) { return a == b || a == opposite(b); }
std::int32_t manhattan(BlockPos a, BlockPos b) {
  return std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z);
}
double distance_squared(BlockPos a, BlockPos b) {
  const auto x = static_cast<double>(a.x - b.x), y = static_cast<double>(a.y - b.y),
             z = static_cast<double>(a.z - b.z);
  return x * x + y * y + z * z;
}

std::array<Direction, 6> shuffled_directions(Random& random) {
  std::array<Direction, 6> directions = kDirections;
  shuffle(directions, random);
  return directions;
}

/// A block that covers sides of others (glow lichen, sculk vein) and how it spreads. Everything it places is
/// looked at again when the chunk comes to life.
class Cover {
 public:
  explicit Cover(BlockId id) : id_(id), plain_(game::default_state(id)), is_vein_(id == kVeinId) {}

  BlockId id() const { return id_; }

  /// The state that covers side `d` at `p` as well, where `old` is now; nothing where that cannot be.
  std::optional<BlockState> added(const Region& region, BlockState old, BlockPos p, Direction d) const {
    if (!can_add(region, old, p, d)) return std::nullopt;
    BlockState s = plain_;
    if (is(old, id_)) {
      s = old;
    } else if (is_water_source(old)) {
      s = with_bool(s, properties::kWaterlogged, true);
    }
    return with_bool(s, side(d), true);
  }

  enum class Reach : std::uint8_t { kSameBlock, kEverywhere };

  /// From the cover on side `face` of `s` at `p` towards another side: onto that side, to the neighbour's
  /// same side, or around the edge, where first possible.
  bool spread(Region& region, BlockState s, BlockPos p, Direction face, Direction towards,
              Reach reach) const {
    if (same_axis(face, towards)) return false;
    if (!is_foreign_source(s) && !(covers(s, face) && !covers(s, towards))) return false;
    const BlockPos beside = offset(p, towards);
    const std::array<std::pair<BlockPos, Direction>, 3> targets = {
        {{p, towards}, {beside, face}, {offset(beside, face), opposite(towards)}}};
    const std::size_t count = reach == Reach::kSameBlock ? 1 : targets.size();
    for (std::size_t i = 0; i < count; ++i) {
      const auto [target, d] = targets[i];
      const BlockState old = region.get(target);
      if (!can_replace(region, p, target, d, old)) continue;
      const std::optional<BlockState> changed = added(region, old, target, d);
      if (!changed) continue;
      region.mark_for_post_processing(target);
      return region.set(target, *changed);
    }
    return false;
  }

  bool spread_once(Region& region, BlockState s, BlockPos p, Direction face, Random& random) const {
    for (const Direction towards : shuffled_directions(random)) {
      if (spread(region, s, p, face, towards, Reach::kEverywhere)) return true;
    }
    return false;
  }

  /// From all sides in all directions; whether anything grew.
  bool spread_all(Region& region, BlockState s, BlockPos p, Reach reach) const {
    bool grew = false;
    for (const Direction face : kDirections) {
      if (!is_foreign_source(s) && !covers(s, face)) continue;
      for (const Direction towards : kDirections) grew |= spread(region, s, p, face, towards, reach);
    }
    return grew;
  }

 private:
  bool can_add(const Region& region, BlockState old, BlockPos p, Direction d) const {
    return !(is(old, id_) && covers(old, d)) && can_cling(region, p, d);
  }

  /// Veins also spread from blocks that are none.
  bool is_foreign_source(BlockState s) const { return is_vein_ && !is(s, id_); }

  bool can_replace(const Region& region, BlockPos from, BlockPos p, Direction d, BlockState old) const {
    if (is_vein_) {
      static const BlockSet kFire = BlockSet::tag("fire");
      const BlockState against = region.get(offset(p, d));
      if (is(against, kSculkId) || is(against, kCatalystId) || is(against, kMovingPistonId)) return false;
      if (manhattan(from, p) == 2 && is_face_sturdy(region.get(offset(from, opposite(d))), d)) return false;
      if (fluid(old) != Fluid::kNone && !is_water_source(old)) return false;
      if (kFire.contains(old)) return false;
      if (can_be_replaced(old)) return true;
    }
    return game::is_air(old) || is(old, id_) || (is_water(old) && is_fluid_source(old));
  }

  BlockId id_;
  BlockState plain_;
  bool is_vein_;
};

const Cover& vein() {
  static const Cover kCover(kVeinId);
  return kCover;
}

// --- Multiface growth ----------------------------------------------------

class MultifaceGrowth final : public Feature {
 public:
  explicit MultifaceGrowth(const Json& config)
      : cover_(parse_cover(config)),
        spread_chance_(float_or(config, "chance_of_spreading", 0.5F)),
        ground_(BlockSet::parse(field(config, "can_be_placed_on"))) {
    if (bool_or(config, "can_place_on_ceiling", false)) sides_.push(Direction::kUp);
    if (bool_or(config, "can_place_on_floor", false)) sides_.push(Direction::kDown);
    if (bool_or(config, "can_place_on_wall", false)) {
      for (const Direction d : kHorizontal) sides_.push(d);
    }
  }

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    const BlockState old = region.get(origin);
    if (!is_air_or_water(old)) return false;
    const Sides searched = sides_.shuffled(random);
    if (place_at(region, random, origin, old, searched)) return true;
    // The game means to search farther and farther away, but looks at the direct neighbour every time.
    for (const Direction d : searched) {
      const Sides sides = sides_.without(opposite(d)).shuffled(random);
      const BlockPos beside = offset(origin, d);
      const BlockState s = region.get(beside);
      if (!is_air_or_water(s) && !is(s, cover_.id())) continue;
      if (place_at(region, random, beside, s, sides)) return true;
    }
    return false;
  }

 private:
  /// A short list of directions.
  class Sides {
   public:
    void push(Direction d) { values_[count_++] = d; }
    std::size_t size() const { return count_; }
    Direction& operator[](std::size_t i) { return values_[i]; }
    const Direction* begin() const { return values_.data(); }
    const Direction* end() const { return values_.data() + count_; }
    Sides without(Direction excluded) const {
      Sides rest;
      for (const Direction d : *this) {
        if (d != excluded) rest.push(d);
      }
      return rest;
    }
    Sides shuffled(Random& random) const {
      Sides copy = *this;
      shuffle(copy, random);
      return copy;
    }

   private:
    std::array<Direction, 6> values_{};
    std::size_t count_ = 0;
  };

  static Cover parse_cover(const Json& config) {
    if (!config.contains("block")) return Cover(kLichenId);
    const std::string& name = text(config, "block");
    const auto id = game::find_block(with_namespace(name));
    if (!id || (*id != kLichenId && *id != kVeinId)) {
      throw FigureError("\"" + name + "\" does not grow over several sides");
    }
    return Cover(*id);
  }

  bool place_at(Region& region, Random& random, BlockPos p, BlockState old, const Sides& sides) const {
    for (const Direction d : sides) {
      if (!ground_.contains(region.get(offset(p, d)))) continue;
      const std::optional<BlockState> grown = cover_.added(region, old, p, d);
      if (!grown) return false;
      region.set(p, *grown);
      region.mark_for_post_processing(p);
      if (random.next_float() < spread_chance_) cover_.spread_once(region, *grown, p, d, random);
      return true;
    }
    return false;
  }

  Cover cover_;
  float spread_chance_;
  BlockSet ground_;
  Sides sides_;
};

// --- Sculk patches -------------------------------------------------------

constexpr std::int32_t kGrowthCost = 50, kNoGrowthRadius = 1, kDecayRate = 5, kAdditionalDecayRate = 10;
constexpr std::int32_t kMaxGrowthRadius = 24;
constexpr double kMaxDistance = 15.0;  ///< on the plane, from the patch's origin

const BlockSet& sculk_replaceable() {
  static const BlockSet kSet = BlockSet::tag("sculk_replaceable");
  return kSet;
}
const BlockSet& sculk_replaceable_world_gen() {
  static const BlockSet kSet = BlockSet::tag("sculk_replaceable_world_gen");
  return kSet;
}

/// What a charge sits in.
enum class Ground : std::uint8_t { kFullSculk, kThinVein, kOther };
Ground ground_of(BlockState s) {
  return is(s, kSculkId) ? Ground::kFullSculk : (is(s, kVeinId) ? Ground::kThinVein : Ground::kOther);
}
bool is_sculk(BlockState s) { return ground_of(s) != Ground::kOther; }

using SideMask = std::uint8_t;
constexpr SideMask bit(Direction d) { return static_cast<SideMask>(1U << static_cast<unsigned>(d)); }

SideMask covered_sides(BlockState s) {
  SideMask mask = 0;
  if (is(s, kVeinId)) {
    for (const Direction d : kDirections) mask |= covers(s, d) ? bit(d) : SideMask{0};
  }
  return mask;
}

/// The neighbours that share a side or an edge, x fastest, then y, then z.
constexpr std::array<BlockPos, 18> kNeighbours = [] {
  std::array<BlockPos, 18> all{};
  std::size_t n = 0;
  for (std::int32_t z = -1; z <= 1; ++z) {
    for (std::int32_t y = -1; y <= 1; ++y) {
      for (std::int32_t x = -1; x <= 1; ++x) {
        const bool is_corner = x != 0 && y != 0 && z != 0;
        const bool is_middle = x == 0 && y == 0 && z == 0;
        if (!is_corner && !is_middle) all[n++] = {x, y, z};
      }
    }
  }
  return all;
}();

/// Charges that wander over sculk and turn the blocks around into more of it.
class Spreader {
 public:
  Spreader(Region& region, Random& random, BlockPos origin)
      : region_(region), random_(random), origin_(origin) {}

  void add(std::int32_t charge) {
    for (; charge > 0 && count_ < cursors_.size(); charge -= kMaxCharge) {
      Cursor& cursor = cursors_[count_++] = {};
      cursor.pos = origin_;
      cursor.charge = std::min(charge, kMaxCharge);
    }
  }
  void update(bool spreads_veins) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      Cursor cursor = cursors_[i];
      update(cursor, spreads_veins);
      if (cursor.charge > 0) cursors_[kept++] = cursor;
    }
    count_ = kept;
  }
  void clear() { count_ = 0; }

 private:
  static constexpr std::int32_t kMaxCharge = 1000;

  struct Cursor {
    BlockPos pos;
    std::int32_t charge = 0;
    std::int32_t decay_delay = 1, update_delay = 0;
    std::optional<SideMask> sides;  ///< of the last sculk; none before the first
  };

  void update(Cursor& cursor, bool spreads_veins) {
    if (cursor.charge <= 0) return;
    if (cursor.update_delay > 0) {
      --cursor.update_delay;
      return;
    }
    BlockState here = region_.get(cursor.pos);
    Ground ground = ground_of(here);
    if (spreads_veins && spread_vein(cursor, here, ground) && ground != Ground::kFullSculk) {
      here = region_.get(cursor.pos);
      ground = ground_of(here);
    }

    cursor.charge = use_charge(cursor, ground, spreads_veins);
    if (cursor.charge <= 0) {
      discharge(ground, here, cursor.pos);
      return;
    }
    if (const std::optional<BlockPos> next = next_position(cursor.pos)) {
      discharge(ground, here, cursor.pos);
      cursor.pos = *next;
      const BlockPos centre{origin_.x, next->y, origin_.z};
      if (!(distance_squared(*next, centre) < kMaxDistance * kMaxDistance)) {
        cursor.charge = 0;
        return;
      }
      here = region_.get(*next);
    }
    if (is_sculk(here)) cursor.sides = covered_sides(here);
    cursor.decay_delay = ground == Ground::kOther ? std::max(cursor.decay_delay - 1, 0) : 1;
    cursor.update_delay = 1;
  }

  bool spread_vein(const Cursor& cursor, BlockState here, Ground ground) {
    if (ground == Ground::kOther) {
      if (!cursor.sides) return vein().spread_all(region_, here, cursor.pos, Cover::Reach::kSameBlock);
      if (*cursor.sides != 0) {
        return (game::is_air(here) || is_water_source(here)) && regrow(cursor.pos, here, *cursor.sides);
      }
    }
    return vein().spread_all(region_, here, cursor.pos, Cover::Reach::kEverywhere);
  }

  /// Puts back a vein that was there before.
  bool regrow(BlockPos p, BlockState old, SideMask sides) {
    BlockState s = kVein;
    bool has_side = false;
    for (const Direction d : kDirections) {
      if ((sides & bit(d)) == 0 || !can_cling(region_, p, d)) continue;
      s = with_bool(s, side(d), true);
      has_side = true;
    }
    if (!has_side) return false;
    if (fluid(old) != Fluid::kNone) s = with_bool(s, properties::kWaterlogged, true);
    region_.set(p, s);
    return true;
  }

  std::int32_t use_charge(const Cursor& cursor, Ground ground, bool spreads_veins) {
    switch (ground) {
      case Ground::kFullSculk:
        return use_on_sculk(cursor);
      case Ground::kThinVein:
        if (spreads_veins && convert_support(cursor.pos)) return cursor.charge - 1;
        return random_.next_int(kDecayRate) == 0 ? cursor.charge / 2 : cursor.charge;
      case Ground::kOther:
        break;
    }
    return cursor.decay_delay > 0 ? cursor.charge : 0;
  }

  std::int32_t use_on_sculk(const Cursor& cursor) {
    if (random_.next_int(kDecayRate) != 0) return cursor.charge;
    const bool is_near =
        distance_squared(cursor.pos, origin_) < static_cast<double>(kNoGrowthRadius * kNoGrowthRadius);
    if (!is_near && has_room_for_growth(cursor.pos)) {
      if (random_.next_int(kGrowthCost) < cursor.charge) {
        const BlockPos over = above(cursor.pos);
        BlockState growth = random_.next_int(11) == 0 ? kShrieker : kSensor;
        if (region_.fluid_at(over) != Fluid::kNone)
          growth = with_bool(growth, properties::kWaterlogged, true);
        region_.set(over, growth);
      }
      return std::max(0, cursor.charge - kGrowthCost);
    }
    if (random_.next_int(kAdditionalDecayRate) != 0) return cursor.charge;
    return cursor.charge - (is_near ? 1 : decay(cursor));
  }

  /// The farther from the origin, the more is lost.
  std::int32_t decay(const Cursor& cursor) const {
    constexpr std::int32_t kReach = kMaxGrowthRadius - kNoGrowthRadius;
    const float outside = static_cast<float>(std::sqrt(distance_squared(cursor.pos, origin_))) -
                          static_cast<float>(kNoGrowthRadius);
    const float share = std::min(1.0F, outside * outside / static_cast<float>(kReach * kReach));
    return std::max(1, static_cast<std::int32_t>(static_cast<float>(cursor.charge) * share * 0.5F));
  }

  bool has_room_for_growth(BlockPos p) const {
    if (!is_air_or_water(region_.get(above(p)))) return false;
    std::int32_t growths = 0;
    for_each_in_box(offset(p, -4, 0, -4), offset(p, 4, 2, 4), [&](BlockPos near) {
      const BlockState s = region_.get(near);
      if (is(s, kSensorId) || is(s, kShriekerId)) ++growths;
    });
    return growths <= 2;
  }

  /// Turns a block that the vein at `p` covers into sculk, which grows veins of its own.
  bool convert_support(BlockPos p) {
    const BlockState s = region_.get(p);
    for (const Direction d : shuffled_directions(random_)) {
      if (!covers(s, d)) continue;
      const BlockPos support = offset(p, d);
      if (!sculk_replaceable_world_gen().contains(region_.get(support))) continue;
      region_.set(support, kSculk);
      vein().spread_all(region_, kSculk, support, Cover::Reach::kEverywhere);
      for (const Direction around : kDirections) {
        if (around == opposite(d)) continue;
        const BlockPos beside = offset(support, around);
        const BlockState other = region_.get(beside);
        if (is(other, kVeinId)) discharge(Ground::kThinVein, other, beside);
      }
      return true;
    }
    return false;
  }

  /// A vein that a charge leaves withers where it covers sculk.
  void discharge(Ground ground, BlockState s, BlockPos p) {
    if (ground != Ground::kThinVein || !is(s, kVeinId)) return;
    for (const Direction d : kDirections) {
      if (covers(s, d) && is(region_.get(offset(p, d)), kSculkId)) s = with_bool(s, side(d), false);
    }
    if (!covers_any(s)) s = region_.fluid_at(p) == Fluid::kNone ? blocks::kAir : blocks::kWater;
    region_.set(p, s);
  }

  /// The first neighbour with something to convert, else the last that a charge can go to.
  std::optional<BlockPos> next_position(BlockPos p) {
    std::array<BlockPos, 18> steps = kNeighbours;
    shuffle(steps, random_);
    std::optional<BlockPos> next;
    for (const BlockPos step : steps) {
      const BlockPos to = offset(p, step.x, step.y, step.z);
      const BlockState s = region_.get(to);
      if (!is_sculk(s) || !is_way_open(p, step)) continue;
      next = to;
      if (covers_replaceable(s, to)) break;
    }
    return next;
  }

  bool covers_replaceable(BlockState s, BlockPos p) const {
    return is(s, kVeinId) && std::ranges::any_of(kDirections, [&](Direction d) {
             return covers(s, d) && sculk_replaceable().contains(region_.get(offset(p, d)));
           });
  }

  /// Around an edge, one of the two ways must not be shut.
  bool is_way_open(BlockPos from, BlockPos step) const {
    if (std::abs(step.x) + std::abs(step.y) + std::abs(step.z) == 1) return true;
    const auto is_open = [&](Direction d) {
      return !is_face_sturdy(region_.get(offset(from, d)), opposite(d));
    };
    return (step.x != 0 && is_open(step.x < 0 ? Direction::kWest : Direction::kEast)) ||
           (step.y != 0 && is_open(step.y < 0 ? Direction::kDown : Direction::kUp)) ||
           (step.z != 0 && is_open(step.z < 0 ? Direction::kNorth : Direction::kSouth));
  }

  Region& region_;
  Random& random_;
  BlockPos origin_;
  std::array<Cursor, 32> cursors_{};
  std::size_t count_ = 0;
};

class SculkPatch final : public Feature {
 public:
  explicit SculkPatch(const Json& config)
      : charges_(integer(config, "charge_count")),
        amount_(integer(config, "amount_per_charge")),
        attempts_(integer(config, "spread_attempts")),
        growth_rounds_(integer(config, "growth_rounds")),
        spread_rounds_(integer(config, "spread_rounds")),
        extra_growths_(IntProvider::parse(field(config, "extra_rare_growths"))),
        catalyst_chance_(float_field(config, "catalyst_chance")) {}

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    Region& region = context.region;
    if (!can_start(region, origin)) return false;
    Spreader spreader(region, random, origin);
    for (std::int32_t round = 0; round < spread_rounds_ + growth_rounds_; ++round) {
      for (std::int32_t i = 0; i < charges_; ++i) spreader.add(amount_);
      for (std::int32_t i = 0; i < attempts_; ++i) spreader.update(round < spread_rounds_);
      spreader.clear();
    }
    if (random.next_float() <= catalyst_chance_ && is_collision_full(region.get(below(origin)))) {
      region.set(origin, kCatalyst);
    }
    const std::int32_t extra = extra_growths_.sample(random);
    for (std::int32_t i = 0; i < extra; ++i) {
      const std::int32_t dx = random.next_int(5) - 2;
      const std::int32_t dz = random.next_int(5) - 2;
      const BlockPos p = offset(origin, dx, 0, dz);
      if (region.is_air(p) && is_face_sturdy(region.get(below(p)), Direction::kUp)) region.set(p, kShrieker);
    }
    return true;
  }

 private:
  static bool can_start(const Region& region, BlockPos p) {
    const BlockState s = region.get(p);
    if (is_sculk(s)) return true;
    if (!game::is_air(s) && !(is_water(s) && is_fluid_source(s))) return false;
    return std::ranges::any_of(kDirections,
                               [&](Direction d) { return is_collision_full(region.get(offset(p, d))); });
  }

  std::int32_t charges_, amount_, attempts_, growth_rounds_, spread_rounds_;
  IntProvider extra_growths_;
  float catalyst_chance_;
};

}  // namespace

void add_sculk(FeatureFactories& factories) {
  factories["multiface_growth"] = factory<MultifaceGrowth>();
  factories["sculk_patch"] = factory<SculkPatch>();
}

}  // namespace horizon::worldgen::underground
