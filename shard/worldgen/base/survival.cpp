#include "shard/worldgen/base/survival.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace horizon::worldgen {

using namespace properties;  // NOLINT: the names of properties only

namespace {

/// What plants get to see while a chunk is decorated: no light has been computed yet, and where a sky is, an
/// uncomputed chunk counts as lit by it. Mushrooms ask for less than 13, crops for 8 or more.
std::int32_t raw_brightness(const Region& region) {
  return region.dimension() == DimensionId::kOverworld ? 15 : 0;
}

// --- Sides ----------------------------------------------------------------

/// A rectangle on a side of a block, in block coordinates.
struct Rect {
  double min_u, min_v, max_u, max_v;
};

constexpr double kTiny = 1e-6;
constexpr Rect kWholeSide = {0, 0, 1, 1};

/// The part of `box` on the side `face`, empty when it does not reach that side. On upper and lower sides u
/// is x and v is z; on the others u is the other horizontal axis and v is y.
bool side_of(const game::Box& box, Direction face, Rect& side) {
  // The game looks a ten millionth inside the block.
  constexpr double kInside = 1e-7;
  const auto reaches = [&](float min, float max, bool positive) {
    const double at = positive ? 1.0 - kInside : kInside;
    return static_cast<double>(min)<at&& static_cast<double>(max)> at;
  };
  switch (face) {
    case Direction::kDown:
    case Direction::kUp:
      side = {box.min_x, box.min_z, box.max_x, box.max_z};
      return reaches(box.min_y, box.max_y, face == Direction::kUp);
    case Direction::kNorth:
    case Direction::kSouth:
      side = {box.min_x, box.min_y, box.max_x, box.max_y};
      return reaches(box.min_z, box.max_z, face == Direction::kSouth);
    case Direction::kWest:
    case Direction::kEast:
      side = {box.min_z, box.min_y, box.max_z, box.max_y};
      return reaches(box.min_x, box.max_x, face == Direction::kEast);
  }
  return false;
}

/// Whether the boxes' parts on the side leave nothing of `target` open.
bool covers(std::span<const game::Box> boxes, Direction face, const Rect& target) {
  if (target.max_u - target.min_u < kTiny || target.max_v - target.min_v < kTiny) return true;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    Rect side{};
    if (!side_of(boxes[i], face, side)) continue;
    const Rect hit = {std::max(side.min_u, target.min_u), std::max(side.min_v, target.min_v),
                      std::min(side.max_u, target.max_u), std::min(side.max_v, target.max_v)};
    if (hit.max_u - hit.min_u < kTiny || hit.max_v - hit.min_v < kTiny) continue;
    const auto rest = boxes.subspan(i + 1);
    return covers(rest, face, {target.min_u, target.min_v, hit.min_u, target.max_v}) &&
           covers(rest, face, {hit.max_u, target.min_v, target.max_u, target.max_v}) &&
           covers(rest, face, {hit.min_u, target.min_v, hit.max_u, hit.min_v}) &&
           covers(rest, face, {hit.min_u, hit.max_v, hit.max_u, target.max_v});
  }
  return false;
}

bool covers(std::span<const game::Box> boxes, Direction face, Support support) {
  if (is_horizontal(face)) {
    // A rim that reaches from bottom to top is the whole side.
    return covers(boxes, face,
                  support == Support::kCenter ? Rect{7 / 16.0, 0, 9 / 16.0, 10 / 16.0} : kWholeSide);
  }
  switch (support) {
    case Support::kFull:
      return covers(boxes, face, kWholeSide);
    case Support::kCenter:
      return covers(boxes, face, Rect{7 / 16.0, 7 / 16.0, 9 / 16.0, 9 / 16.0});
    case Support::kRigid:
      return covers(boxes, face, Rect{0, 0, 1, 2 / 16.0}) && covers(boxes, face, Rect{0, 14 / 16.0, 1, 1}) &&
             covers(boxes, face, Rect{0, 2 / 16.0, 2 / 16.0, 14 / 16.0}) &&
             covers(boxes, face, Rect{14 / 16.0, 2 / 16.0, 1, 14 / 16.0});
  }
  return false;
}

std::string_view short_name(BlockState s) { return without_minecraft(game::block_name(game::block_of(s))); }

/// A box in sixteenths.
constexpr game::Box box16(float x0, float y0, float z0, float x1, float y1, float z1) {
  return {x0 / 16, y0 / 16, z0 / 16, x1 / 16, y1 / 16, z1 / 16};
}

/// What the block carries others with: mostly what stops movement, with the game's exceptions.
std::vector<game::Box> support_boxes(BlockState s) {
  const std::string_view name = short_name(s);
  const game::Box whole = box16(0, 0, 0, 16, 16, 16);
  if (game::is_leaves(s)) return {};
  if (name == "mud" || name == "soul_sand" || name.ends_with("shulker_box")) return {whole};
  if (name == "snow") {
    return {box16(0, 0, 0, 16, static_cast<float>(2 * int_value(s, kLayers)), 16)};
  }
  if (name == "chorus_flower") return {box16(1, 0, 1, 15, 15, 15)};
  const auto collision = game::collision_boxes(s);
  if (name.ends_with("_fence_gate")) {
    if (bool_value(s, property_id("open"))) return {};
    const std::string_view facing = value_text(s, kFacing);
    return {facing == "north" || facing == "south" ? box16(0, 5, 6, 16, 24, 10) : box16(6, 5, 0, 10, 24, 16)};
  }
  if (name.ends_with("_hanging_sign")) {
    if (!name.ends_with("_wall_hanging_sign")) {
      const std::int32_t rotation = int_value(s, property_id("rotation"));
      if (rotation % 4 != 0) return {box16(3, 0, 3, 13, 16, 13)};
      return {rotation % 8 == 0 ? box16(1, 0, 7, 15, 10, 9) : box16(7, 0, 1, 9, 10, 15)};
    }
    const std::string_view facing = value_text(s, kFacing);
    if (facing == "north" || facing == "south")
      return {box16(0, 14, 6, 16, 16, 10), box16(1, 0, 7, 15, 10, 9)};
    return {box16(6, 14, 0, 10, 16, 16), box16(7, 0, 1, 9, 10, 15)};
  }
  return {collision.begin(), collision.end()};
}

/// What is asked about sides, a bit each, by state.
class SideTable {
 public:
  SideTable() : bits_(static_cast<std::size_t>(game::block_state_count())) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] = bits_of(static_cast<BlockState>(i));
  }
  bool sturdy(BlockState s, Direction face, Support support) const {
    return (bits_[s] >> (static_cast<unsigned>(support) * 6 + static_cast<unsigned>(face)) & 1) != 0;
  }
  bool collision_face_full(BlockState s, Direction face) const {
    return (bits_[s] >> (kCollisionFaces + static_cast<unsigned>(face)) & 1) != 0;
  }
  bool collision_full(BlockState s) const { return (bits_[s] >> kCollisionFull & 1) != 0; }
  bool has_top(BlockState s) const { return (bits_[s] >> kHasTop & 1) != 0; }

 private:
  static constexpr unsigned kCollisionFaces = 18, kCollisionFull = 24, kHasTop = 25;

  static std::uint32_t bits_of(BlockState s) {
    const std::vector<game::Box> support = support_boxes(s);
    const auto collision = game::collision_boxes(s);
    std::uint32_t bits = 0;
    const auto set = [&](unsigned bit, bool value) { bits |= static_cast<std::uint32_t>(value) << bit; };
    for (const Direction d : kDirections) {
      const auto face = static_cast<unsigned>(d);
      for (const Support kind : {Support::kFull, Support::kCenter, Support::kRigid}) {
        set(static_cast<unsigned>(kind) * 6 + face, covers(support, d, kind));
      }
      set(kCollisionFaces + face, covers(collision, d, kWholeSide));
    }
    set(kCollisionFull, game::is_full_cube(s));
    set(kHasTop, std::ranges::any_of(collision, [](const game::Box& box) {
          Rect side{};
          return side_of(box, Direction::kUp, side);
        }));
    return bits;
  }

  std::vector<std::uint32_t> bits_;
};

const SideTable& sides() {
  static const SideTable kTable;
  return kTable;
}

// --- Rules ----------------------------------------------------------------

/// Which rule a block follows. Vegetation comes last: all of it goes as soon as it cannot stay.
enum class Rule : std::uint8_t {
  kNone,
  kBamboo,
  kBambooSapling,
  kFacingWall,        ///< on the side of a whole block: ladders, wall torches, amethyst, tripwire hooks ...
  kFacingWallBanner,  ///< behind it something solid
  kFloorPlant,        ///< coral: a whole side below, gone when what is below goes
  kFloorRigid,        ///< rails
  kFloorDiode,        ///< repeaters
  kFloorCenter,       ///< torches
  kCandle,
  kFloorPlate,  ///< pressure plates
  kFloorSolid,  ///< signs, banners, cakes
  kCeilingSign,
  kLantern,
  kBell,
  kFaceAttached,
  kCactus,
  kSugarCane,
  kCarpet,
  kMossCarpet,
  kVine,
  kMultiface,
  kHangingRoots,
  kHangingMoss,
  kSporeBlossom,
  kGrowingHead,
  kGrowingBody,
  kBigDripleaf,
  kBigDripleafStem,
  kChorusPlant,
  kChorusFlower,
  kCocoa,
  kPointedDripstone,
  kSnow,
  kFire,
  kSoulFire,
  kFrogspawn,
  kDoor,
  kDirtPath,
  kFarmland,
  kBubbleColumn,
  kRedstoneWire,
  kScaffolding,
  kPistonHead,
  // These always stay, but look at their neighbours.
  kFence,
  kFenceGate,
  kPane,
  kWall,
  kStairs,
  kChest,
  kSnowy,
  kHugeMushroom,
  kBed,
  kCampfire,
  kTripwire,
  kConcretePowder,
  // Vegetation.
  kVegetation,
  kAttachedStem,
  kCrop,
  kPitcherCrop,
  kDoublePlant,
  kSmallDripleaf,
  kTallSeagrass,
  kSeagrass,
  kSeaPickle,
  kLilyPad,
  kMushroom,
  kLeafLitter,
  kCactusFlower,
  kPropagule,
};

constexpr bool is_vegetation(Rule rule) { return rule >= Rule::kVegetation; }
constexpr bool is_double_plant(Rule rule) {
  return rule == Rule::kPitcherCrop || rule == Rule::kDoublePlant || rule == Rule::kSmallDripleaf ||
         rule == Rule::kTallSeagrass;
}

/// A plant that grows as a chain: its end, its other parts, and which way.
struct Chain {
  BlockId head, body;
  Direction growth;
};

struct Sets {
  BlockSet crops = BlockSet::tag("supports_crops"), small_dripleaf = BlockSet::tag("supports_small_dripleaf"),
           vegetation = BlockSet::tag("supports_vegetation"),
           no_seagrass = BlockSet::tag("cannot_support_seagrass"),
           no_kelp = BlockSet::tag("cannot_support_kelp"), lily_pad = BlockSet::tag("supports_lily_pad"),
           mushroom = BlockSet::tag("overrides_mushroom_light_requirement"),
           cactus_flower = BlockSet::tag("support_override_cactus_flower"),
           cactus = BlockSet::tag("supports_cactus"), sugar_cane = BlockSet::tag("supports_sugar_cane"),
           sugar_cane_beside = BlockSet::tag("supports_sugar_cane_adjacently"),
           bamboo = BlockSet::tag("supports_bamboo"), big_dripleaf = BlockSet::tag("supports_big_dripleaf"),
           chorus_plant = BlockSet::tag("supports_chorus_plant"),
           chorus_flower = BlockSet::tag("supports_chorus_flower"), cocoa = BlockSet::tag("supports_cocoa"),
           no_snow = BlockSet::tag("cannot_support_snow_layer"),
           snow = BlockSet::tag("support_override_snow_layer"), snowy = BlockSet::tag("snow"),
           soul_fire = BlockSet::tag("soul_fire_base_blocks"),
           propagule = BlockSet::tag("supports_mangrove_propagule"),
           hanging_propagule = BlockSet::tag("supports_hanging_mangrove_propagule"),
           unstable_bottom = BlockSet::tag("unstable_bottom_center"), fences = BlockSet::tag("fences"),
           wooden_fences = BlockSet::tag("wooden_fences"), walls = BlockSet::tag("walls"),
           wall_post = BlockSet::tag("wall_post_override"), shulker_boxes = BlockSet::tag("shulker_boxes"),
           fence_gates, stairs, panes, doors, copper_chests = BlockSet::tag("copper_chests"),
           maintains_farmland = BlockSet::tag("maintains_farmland"),
           bubbles_up = BlockSet::tag("enables_bubble_column_push_up"),
           bubbles_down = BlockSet::tag("enables_bubble_column_drag_down"), never_connected, flammable;
};

namespace names {
const BlockId kBamboo = block("bamboo"), kBigDripleaf = block("big_dripleaf"),
              kBigDripleafStem = block("big_dripleaf_stem"), kChorusPlant = block("chorus_plant"),
              kChorusFlower = block("chorus_flower"), kVine = block("vine"), kCactus = block("cactus"),
              kSugarCane = block("sugar_cane"), kSnow = block("snow"), kHopper = block("hopper"),
              kPointedDripstone = block("pointed_dripstone"), kScaffolding = block("scaffolding"),
              kPaleMossCarpet = block("pale_moss_carpet"), kPaleHangingMoss = block("pale_hanging_moss"),
              kKelp = block("kelp"), kBubbleColumn = block("bubble_column"), kHayBlock = block("hay_block"),
              kTripwireHook = block("tripwire_hook"), kPiston = block("piston"),
              kStickyPiston = block("sticky_piston"), kMovingPiston = block("moving_piston"),
              kFire = block("fire"), kWater = block("water"), kLava = block("lava");
}  // namespace names

namespace props {
const PropertyId kAttachment = property_id("attachment"), kFace = property_id("face"),
                 kBase = property_id("bottom"), kTip = property_id("tip"), kBerries = property_id("berries"),
                 kHanging = property_id("hanging"), kVerticalDirection = property_id("vertical_direction"),
                 kThickness = property_id("thickness"), kPart = property_id("part"),
                 kOccupied = property_id("occupied"), kInWall = property_id("in_wall"),
                 kSignalFire = property_id("signal_fire"), kExtended = property_id("extended");

/// The property of a side ("north"), by direction.
const std::array<PropertyId, 6> kSide = {kDown, kUp, kNorth, kSouth, kWest, kEast};
PropertyId side(Direction d) { return kSide[static_cast<std::size_t>(d)]; }
}  // namespace props

/// Blocks by their names, to rules.
class RuleTable {
 public:
  RuleTable();
  Rule rule(BlockState s) const { return rules_[game::block_of(s)]; }
  /// What vegetation grows on.
  const BlockSet& ground(BlockState s) const { return grounds_[ground_of_[game::block_of(s)]]; }
  const Chain& chain(BlockState s) const { return chains_[chain_of_[game::block_of(s)]]; }
  const Sets& sets() const { return sets_; }

 private:
  void set(std::string_view name, Rule rule) { rules_[block(name)] = rule; }
  void set(std::initializer_list<std::string_view> names, Rule rule) {
    for (const std::string_view name : names) set(name, rule);
  }
  void grows_on(std::initializer_list<std::string_view> names, std::string_view tag,
                Rule rule = Rule::kVegetation) {
    grounds_.push_back(BlockSet::tag(tag));
    for (const std::string_view name : names) {
      rules_[block(name)] = rule;
      ground_of_[block(name)] = static_cast<std::uint8_t>(grounds_.size() - 1);
    }
  }
  void add_chain(std::string_view head, std::string_view body, Direction growth) {
    chains_.push_back({block(head), block(body), growth});
    set(head, Rule::kGrowingHead);
    set(body, Rule::kGrowingBody);
    chain_of_[block(head)] = chain_of_[block(body)] = static_cast<std::uint8_t>(chains_.size() - 1);
  }
  void set_by_suffix(BlockId id, std::string_view name);

  std::vector<Rule> rules_;
  std::vector<std::uint8_t> ground_of_, chain_of_;
  std::vector<BlockSet> grounds_;
  std::vector<Chain> chains_;
  Sets sets_;
};

void RuleTable::set_by_suffix(BlockId id, std::string_view name) {
  struct Suffix {
    std::string_view text;
    Rule rule;
  };
  // The first that fits counts.
  static constexpr std::array kSuffixes = {
      Suffix{"_amethyst_bud", Rule::kFacingWall},
      Suffix{"_wall_torch", Rule::kFacingWall},
      Suffix{"wall_torch", Rule::kFacingWall},
      Suffix{"_coral_wall_fan", Rule::kFacingWall},
      Suffix{"_wall_banner", Rule::kFacingWallBanner},
      Suffix{"_wall_sign", Rule::kFacingWallBanner},
      Suffix{"_wall_hanging_sign", Rule::kNone},
      Suffix{"_hanging_sign", Rule::kCeilingSign},
      Suffix{"_sign", Rule::kFloorSolid},
      Suffix{"_banner", Rule::kFloorSolid},
      Suffix{"_coral", Rule::kFloorPlant},
      Suffix{"_coral_fan", Rule::kFloorPlant},
      Suffix{"_pressure_plate", Rule::kFloorPlate},
      Suffix{"_button", Rule::kFaceAttached},
      Suffix{"torch", Rule::kFloorCenter},
      Suffix{"candle_cake", Rule::kFloorSolid},
      Suffix{"candle", Rule::kCandle},
      Suffix{"lantern", Rule::kLantern},
      Suffix{"_carpet", Rule::kCarpet},
      Suffix{"_rail", Rule::kFloorRigid},
      Suffix{"_door", Rule::kDoor},
      Suffix{"_fence_gate", Rule::kFenceGate},
      Suffix{"_fence", Rule::kFence},
      Suffix{"_wall", Rule::kWall},
      Suffix{"_stairs", Rule::kStairs},
      Suffix{"_bars", Rule::kPane},
      Suffix{"glass_pane", Rule::kPane},
      Suffix{"_bed", Rule::kBed},
      Suffix{"campfire", Rule::kCampfire},
      Suffix{"_concrete_powder", Rule::kConcretePowder},
      Suffix{"copper_chest", Rule::kChest},
  };
  if (name == "sea_lantern" || name == "jack_o_lantern") return;
  for (const Suffix& suffix : kSuffixes) {
    if (name.ends_with(suffix.text)) {
      rules_[id] = suffix.rule;
      return;
    }
  }
}

RuleTable::RuleTable() {
  const auto count = static_cast<std::size_t>(game::block_count());
  rules_.resize(count, Rule::kNone);
  ground_of_.resize(count);
  chain_of_.resize(count);
  for (std::size_t b = 0; b < count; ++b) {
    const auto id = static_cast<BlockId>(b);
    const std::string_view name = without_minecraft(game::block_name(id));
    set_by_suffix(id, name);
    if (rules_[b] == Rule::kFenceGate) sets_.fence_gates.insert(id);
    if (rules_[b] == Rule::kStairs) sets_.stairs.insert(id);
    if (rules_[b] == Rule::kPane) sets_.panes.insert(id);
    if (rules_[b] == Rule::kDoor) sets_.doors.insert(id);
    if (game::is_leaves(game::default_state(id)) || sets_.shulker_boxes.contains_block(id)) {
      sets_.never_connected.insert(id);
    }
    // Wood burns by kind, except what grew in the nether.
    static constexpr std::array kBurning = {"_planks", "_mosaic", "_log",   "_wood",        "_wool",
                                            "_carpet", "_leaves", "_shelf", "_mosaic_slab", "_mosaic_stairs"};
    static constexpr std::array kWoods = {"oak",    "spruce",   "birch",    "jungle",   "acacia",
                                          "cherry", "dark_oak", "pale_oak", "mangrove", "bamboo"};
    const bool is_of_nether = name.starts_with("crimson_") || name.starts_with("warped_");
    const auto has_suffix = [&](std::string_view suffix) { return name.ends_with(suffix); };
    bool burns = !is_of_nether && std::ranges::any_of(kBurning, has_suffix);
    for (const std::string_view wood : kWoods) {
      for (const std::string_view part : {"_slab", "_fence_gate", "_fence", "_stairs"}) {
        burns = burns || name == std::string(wood) + std::string(part);
      }
    }
    if (name == "moss_carpet") burns = false;
    if (burns) sets_.flammable.insert(id);
  }
  for (const std::string_view name : {"barrier", "carved_pumpkin", "jack_o_lantern", "melon", "pumpkin"}) {
    sets_.never_connected.insert(block(name));
  }
  for (const std::string_view name : {"bamboo_block",
                                      "stripped_bamboo_block",
                                      "mangrove_roots",
                                      "bookshelf",
                                      "tnt",
                                      "short_grass",
                                      "fern",
                                      "dead_bush",
                                      "short_dry_grass",
                                      "tall_dry_grass",
                                      "sunflower",
                                      "lilac",
                                      "rose_bush",
                                      "peony",
                                      "tall_grass",
                                      "large_fern",
                                      "dandelion",
                                      "golden_dandelion",
                                      "poppy",
                                      "open_eyeblossom",
                                      "closed_eyeblossom",
                                      "blue_orchid",
                                      "allium",
                                      "azure_bluet",
                                      "red_tulip",
                                      "orange_tulip",
                                      "white_tulip",
                                      "pink_tulip",
                                      "oxeye_daisy",
                                      "cornflower",
                                      "lily_of_the_valley",
                                      "torchflower",
                                      "pitcher_plant",
                                      "wither_rose",
                                      "pink_petals",
                                      "wildflowers",
                                      "leaf_litter",
                                      "cactus_flower",
                                      "vine",
                                      "coal_block",
                                      "hay_block",
                                      "target",
                                      "pale_moss_block",
                                      "pale_hanging_moss",
                                      "dried_kelp_block",
                                      "bamboo",
                                      "scaffolding",
                                      "lectern",
                                      "composter",
                                      "sweet_berry_bush",
                                      "beehive",
                                      "bee_nest",
                                      "cave_vines",
                                      "cave_vines_plant",
                                      "spore_blossom",
                                      "azalea",
                                      "flowering_azalea",
                                      "big_dripleaf",
                                      "big_dripleaf_stem",
                                      "small_dripleaf",
                                      "hanging_roots",
                                      "glow_lichen",
                                      "firefly_bush",
                                      "bush"}) {
    sets_.flammable.insert(block(name));
  }

  set({"amethyst_cluster", "ladder", "tripwire_hook"}, Rule::kFacingWall);
  set({"rail"}, Rule::kFloorRigid);
  set({"repeater", "comparator"}, Rule::kFloorDiode);
  set({"cake"}, Rule::kFloorSolid);
  set({"bell"}, Rule::kBell);
  set({"lever"}, Rule::kFaceAttached);
  set({"cactus"}, Rule::kCactus);
  set({"sugar_cane"}, Rule::kSugarCane);
  set({"bamboo"}, Rule::kBamboo);
  set({"bamboo_sapling"}, Rule::kBambooSapling);
  set({"pale_moss_carpet"}, Rule::kMossCarpet);
  set({"vine"}, Rule::kVine);
  set({"glow_lichen", "sculk_vein", "resin_clump"}, Rule::kMultiface);
  set({"hanging_roots"}, Rule::kHangingRoots);
  set({"pale_hanging_moss"}, Rule::kHangingMoss);
  set({"spore_blossom"}, Rule::kSporeBlossom);
  set({"big_dripleaf"}, Rule::kBigDripleaf);
  set({"big_dripleaf_stem"}, Rule::kBigDripleafStem);
  set({"chorus_plant"}, Rule::kChorusPlant);
  set({"chorus_flower"}, Rule::kChorusFlower);
  set({"cocoa"}, Rule::kCocoa);
  set({"pointed_dripstone"}, Rule::kPointedDripstone);
  set({"snow"}, Rule::kSnow);
  set({"fire"}, Rule::kFire);
  set({"soul_fire"}, Rule::kSoulFire);
  set({"frogspawn"}, Rule::kFrogspawn);
  set({"dirt_path"}, Rule::kDirtPath);
  set({"farmland"}, Rule::kFarmland);
  set({"bubble_column"}, Rule::kBubbleColumn);
  set({"redstone_wire"}, Rule::kRedstoneWire);
  set({"scaffolding"}, Rule::kScaffolding);
  set({"piston_head"}, Rule::kPistonHead);
  set({"chest", "trapped_chest"}, Rule::kChest);
  set({"grass_block", "podzol", "mycelium"}, Rule::kSnowy);
  set({"brown_mushroom_block", "red_mushroom_block", "mushroom_stem"}, Rule::kHugeMushroom);
  set({"tripwire"}, Rule::kTripwire);
  add_chain("kelp", "kelp_plant", Direction::kUp);
  add_chain("twisting_vines", "twisting_vines_plant", Direction::kUp);
  add_chain("weeping_vines", "weeping_vines_plant", Direction::kDown);
  add_chain("cave_vines", "cave_vines_plant", Direction::kDown);

  grows_on({"oak_sapling",
            "spruce_sapling",
            "birch_sapling",
            "jungle_sapling",
            "acacia_sapling",
            "cherry_sapling",
            "dark_oak_sapling",
            "pale_oak_sapling",
            "dandelion",
            "golden_dandelion",
            "torchflower",
            "poppy",
            "blue_orchid",
            "allium",
            "azure_bluet",
            "red_tulip",
            "orange_tulip",
            "white_tulip",
            "pink_tulip",
            "oxeye_daisy",
            "cornflower",
            "lily_of_the_valley",
            "open_eyeblossom",
            "closed_eyeblossom",
            "short_grass",
            "fern",
            "bush",
            "firefly_bush",
            "sweet_berry_bush",
            "pink_petals",
            "wildflowers"},
           "supports_vegetation");
  grows_on({"azalea", "flowering_azalea"}, "supports_azalea");
  grows_on({"dead_bush", "short_dry_grass", "tall_dry_grass"}, "supports_dry_vegetation");
  grows_on({"wither_rose"}, "supports_wither_rose");
  grows_on({"pumpkin_stem"}, "supports_pumpkin_stem");
  grows_on({"melon_stem"}, "supports_melon_stem");
  grows_on({"attached_pumpkin_stem"}, "supports_pumpkin_stem", Rule::kAttachedStem);
  grows_on({"attached_melon_stem"}, "supports_melon_stem", Rule::kAttachedStem);
  grows_on({"wheat", "carrots", "potatoes", "beetroots", "torchflower_crop"}, "supports_crops", Rule::kCrop);
  grows_on({"crimson_fungus"}, "supports_crimson_fungus");
  grows_on({"warped_fungus"}, "supports_warped_fungus");
  grows_on({"crimson_roots"}, "supports_crimson_roots");
  grows_on({"warped_roots"}, "supports_warped_roots");
  grows_on({"nether_sprouts"}, "supports_nether_sprouts");
  grows_on({"nether_wart"}, "supports_nether_wart");
  grows_on({"tall_grass", "large_fern", "pitcher_plant", "sunflower", "lilac", "rose_bush", "peony"},
           "supports_vegetation", Rule::kDoublePlant);
  grows_on({"pitcher_crop"}, "supports_crops", Rule::kPitcherCrop);
  set({"small_dripleaf"}, Rule::kSmallDripleaf);
  set({"tall_seagrass"}, Rule::kTallSeagrass);
  set({"seagrass"}, Rule::kSeagrass);
  set({"sea_pickle"}, Rule::kSeaPickle);
  set({"lily_pad"}, Rule::kLilyPad);
  set({"brown_mushroom", "red_mushroom"}, Rule::kMushroom);
  set({"leaf_litter"}, Rule::kLeafLitter);
  set({"cactus_flower"}, Rule::kCactusFlower);
  set({"mangrove_propagule"}, Rule::kPropagule);
}

const RuleTable& rules() {
  static const RuleTable kTable;
  return kTable;
}
const Sets& sets() { return rules().sets(); }

// --- Small questions ------------------------------------------------------

Direction facing_of(BlockState s, PropertyId p = kFacing) { return parse_direction(value_text(s, p)); }

enum class Axis : std::uint8_t { kX, kY, kZ };
constexpr Axis axis_of(Direction d) {
  return d <= Direction::kUp ? Axis::kY : (d <= Direction::kSouth ? Axis::kZ : Axis::kX);
}

bool is_upper(BlockState s) { return value_text(s, kHalf) == "upper"; }

bool sturdy_at(const Region& region, BlockPos p, Direction face, Support support = Support::kFull) {
  return is_face_sturdy(region.get(p), face, support);
}

/// A post can stand on, or hang from, the side.
bool supports_center(const Region& region, BlockPos p, Direction face) {
  const BlockState s = region.get(p);
  if (face == Direction::kDown && sets().unstable_bottom.contains(s)) return false;
  return is_face_sturdy(s, face, Support::kCenter);
}

bool is_water_source(BlockState s) { return fluid(s) == Fluid::kWater && is_fluid_source(s); }

bool is_dripstone_pointing(BlockState s, Direction tip) {
  return is(s, names::kPointedDripstone) && facing_of(s, props::kVerticalDirection) == tip;
}

/// Where the support of a bell, lever or button is, seen from it.
Direction attached_side(BlockState s) {
  const std::string_view face =
      value_text(s, has_property(s, props::kFace) ? props::kFace : props::kAttachment);
  if (face == "floor") return Direction::kDown;
  if (face == "ceiling") return Direction::kUp;
  // Bells face their wall, the others look away from it.
  return has_property(s, props::kFace) ? opposite(facing_of(s)) : facing_of(s);
}

bool vine_carried(const Region& region, BlockPos p, Direction side) {
  if (carries_cover(region.get(offset(p, side)), opposite(side))) return true;
  const BlockState over = region.get(above(p));
  return is(over, names::kVine) && bool_value(over, props::side(side));
}

/// The sides of a vine that still have something to cling to.
BlockState updated_vine(const Region& region, BlockState s, BlockPos p) {
  // The game asks for the upper side of the block above here, not for its lower one.
  if (bool_value(s, kUp)) s = with_bool(s, kUp, carries_cover(region.get(above(p)), Direction::kUp));
  for (const Direction d : kHorizontal) {
    if (bool_value(s, props::side(d))) s = with_bool(s, props::side(d), vine_carried(region, p, d));
  }
  return s;
}

bool has_any_side(BlockState s) {
  return std::ranges::any_of(props::kSide, [&](PropertyId p) { return bool_value(s, p); });
}

bool hanging_moss_stays(const Region& region, BlockPos p) {
  const BlockState over = region.get(above(p));
  return carries_cover(over, Direction::kDown) || is(over, names::kPaleHangingMoss);
}

std::int32_t scaffolding_distance(const Region& region, BlockPos p) {
  const BlockState under = region.get(below(p));
  std::int32_t distance = 7;
  if (is(under, names::kScaffolding)) {
    distance = int_value(under, kDistance);
  } else if (is_face_sturdy(under, Direction::kUp)) {
    return 0;
  }
  for (const Direction d : kHorizontal) {
    const BlockState beside = region.get(offset(p, d));
    if (is(beside, names::kScaffolding)) distance = std::min(distance, int_value(beside, kDistance) + 1);
  }
  return distance;
}

bool chorus_plant_survives(const Region& region, BlockState s, BlockPos p) {
  const BlockId self = game::block_of(s);
  const auto holds = [&](BlockState under) { return is(under, self) || sets().chorus_plant.contains(under); };
  const BlockState under = region.get(below(p));
  const bool is_squeezed = !region.is_air(above(p)) && !game::is_air(under);
  for (const Direction d : kHorizontal) {
    const BlockPos beside = offset(p, d);
    if (!is(region.get(beside), self)) continue;
    if (is_squeezed) return false;
    if (holds(region.get(below(beside)))) return true;
  }
  return holds(under);
}

bool chorus_flower_survives(const Region& region, BlockPos p) {
  const BlockState under = region.get(below(p));
  if (is(under, names::kChorusPlant) || sets().chorus_flower.contains(under)) return true;
  if (!game::is_air(under)) return false;
  std::int32_t stems = 0;
  for (const Direction d : kHorizontal) {
    const BlockState beside = region.get(offset(p, d));
    if (is(beside, names::kChorusPlant)) {
      if (++stems > 1) return false;
    } else if (!game::is_air(beside)) {
      return false;
    }
  }
  return stems == 1;
}

bool cactus_survives(const Region& region, BlockPos p) {
  for (const Direction d : kHorizontal) {
    const BlockState beside = region.get(offset(p, d));
    if (is_solid(beside) || fluid(beside) == Fluid::kLava) return false;
  }
  const BlockState under = region.get(below(p));
  if (!is(under, names::kCactus) && !sets().cactus.contains(under)) return false;
  const BlockState over = region.get(above(p));
  return !is(over, names::kWater) && !is(over, names::kLava) && !is(over, names::kBubbleColumn);
}

bool sugar_cane_survives(const Region& region, BlockPos p) {
  const BlockPos ground = below(p);
  const BlockState under = region.get(ground);
  if (is(under, names::kSugarCane)) return true;
  if (!sets().sugar_cane.contains(under)) return false;
  return std::ranges::any_of(kHorizontal, [&](Direction d) {
    const BlockState beside = region.get(offset(ground, d));
    return fluid(beside) == Fluid::kWater || sets().sugar_cane_beside.contains(beside);
  });
}

bool multiface_survives(const Region& region, BlockState s, BlockPos p) {
  bool has_side = false;
  for (const Direction d : kDirections) {
    if (!bool_value(s, props::side(d))) continue;
    if (!carries_cover(region.get(offset(p, d)), opposite(d))) return false;
    has_side = true;
  }
  return has_side;
}

bool growing_survives(const Region& region, BlockState s, BlockPos p) {
  const Chain& chain = rules().chain(s);
  const BlockState root = region.get(offset(p, opposite(chain.growth)));
  if (chain.head == names::kKelp && sets().no_kelp.contains(root)) return false;
  return is(root, chain.head) || is(root, chain.body) || is_face_sturdy(root, chain.growth);
}

bool fire_survives(const Region& region, BlockPos p) {
  if (sturdy_at(region, below(p), Direction::kUp)) return true;
  return std::ranges::any_of(kDirections,
                             [&](Direction d) { return is_flammable(region.get(offset(p, d))); });
}

bool vegetation_survives(const Region& region, BlockState s, BlockPos p, Rule rule) {
  const BlockState under = region.get(below(p));
  if (is_double_plant(rule) && is_upper(s)) return is(under, game::block_of(s)) && !is_upper(under);
  switch (rule) {
    case Rule::kCrop:
      return raw_brightness(region) >= 8 && rules().ground(s).contains(under);
    case Rule::kPitcherCrop:
      return raw_brightness(region) >= 8 && sets().crops.contains(under);
    case Rule::kSmallDripleaf:
      return sets().small_dripleaf.contains(under) ||
             (is_water_source(region.get(p)) && sets().vegetation.contains(under));
    case Rule::kTallSeagrass: {
      const BlockState here = region.get(p);
      return is_face_sturdy(under, Direction::kUp) && !sets().no_seagrass.contains(under) &&
             fluid(here) == Fluid::kWater && fluid_amount(here) == 8;
    }
    case Rule::kSeagrass:
      return is_face_sturdy(under, Direction::kUp) && !sets().no_seagrass.contains(under);
    case Rule::kSeaPickle:
      return sides().has_top(under) || is_face_sturdy(under, Direction::kUp);
    case Rule::kLilyPad:
      return (is_water_source(under) || sets().lily_pad.contains(under)) &&
             region.fluid_at(p) == Fluid::kNone;
    case Rule::kMushroom:
      return sets().mushroom.contains(under) || (raw_brightness(region) < 13 && is_solid_render(under));
    case Rule::kLeafLitter:
      return is_face_sturdy(under, Direction::kUp);
    case Rule::kCactusFlower:
      return sets().cactus_flower.contains(under) || is_face_sturdy(under, Direction::kUp, Support::kCenter);
    case Rule::kPropagule:
      if (bool_value(s, props::kHanging)) return sets().hanging_propagule.contains(region.get(above(p)));
      return sets().propagule.contains(under);
    default:
      return rules().ground(s).contains(under);
  }
}

}  // namespace

bool is_face_sturdy(BlockState s, Direction face, Support support) {
  return sides().sturdy(s, face, support);
}

bool is_collision_full(BlockState s) { return sides().collision_full(s); }

bool carries_cover(BlockState s, Direction face) {
  return sides().sturdy(s, face, Support::kFull) || sides().collision_face_full(s, face);
}

bool is_flammable(BlockState s) { return sets().flammable.contains(s) && !bool_value(s, kWaterlogged); }

bool can_survive(const Region& region, BlockState s, BlockPos p) {
  const Rule rule = rules().rule(s);
  if (rule == Rule::kNone) return true;
  if (is_vegetation(rule)) return vegetation_survives(region, s, p, rule);
  switch (rule) {
    case Rule::kBamboo:
    case Rule::kBambooSapling:
      return sets().bamboo.contains(region.get(below(p)));
    case Rule::kFacingWall: {
      const Direction facing = facing_of(s);
      return sturdy_at(region, offset(p, opposite(facing)), facing);
    }
    case Rule::kFacingWallBanner:
      return is_solid(region.get(offset(p, opposite(facing_of(s)))));
    case Rule::kFloorPlant:
      return sturdy_at(region, below(p), Direction::kUp);
    case Rule::kFloorRigid:
    case Rule::kFloorDiode:
      return sturdy_at(region, below(p), Direction::kUp, Support::kRigid);
    case Rule::kFloorCenter:
    case Rule::kCandle:
      return supports_center(region, below(p), Direction::kUp);
    case Rule::kFloorPlate:
      return sturdy_at(region, below(p), Direction::kUp, Support::kRigid) ||
             supports_center(region, below(p), Direction::kUp);
    case Rule::kFloorSolid:
      return is_solid(region.get(below(p)));
    case Rule::kCeilingSign:
      return sturdy_at(region, above(p), Direction::kDown, Support::kCenter);
    case Rule::kLantern:
      return bool_value(s, props::kHanging) ? supports_center(region, above(p), Direction::kDown)
                                            : supports_center(region, below(p), Direction::kUp);
    case Rule::kBell:
    case Rule::kFaceAttached: {
      const Direction side = attached_side(s);
      if (rule == Rule::kBell && side == Direction::kUp)
        return supports_center(region, above(p), Direction::kDown);
      return sturdy_at(region, offset(p, side), opposite(side));
    }
    case Rule::kCactus:
      return cactus_survives(region, p);
    case Rule::kSugarCane:
      return sugar_cane_survives(region, p);
    case Rule::kCarpet:
      return !region.is_air(below(p));
    case Rule::kMossCarpet: {
      const BlockState under = region.get(below(p));
      if (bool_value(s, props::kBase)) return !game::is_air(under);
      return is(under, names::kPaleMossCarpet) && bool_value(under, props::kBase);
    }
    case Rule::kVine:
      return has_any_side(updated_vine(region, s, p));
    case Rule::kMultiface:
      return multiface_survives(region, s, p);
    case Rule::kHangingRoots:
      return sturdy_at(region, above(p), Direction::kDown);
    case Rule::kHangingMoss:
      return hanging_moss_stays(region, p);
    case Rule::kSporeBlossom:
      return supports_center(region, above(p), Direction::kDown) && region.fluid_at(p) != Fluid::kWater;
    case Rule::kGrowingHead:
    case Rule::kGrowingBody:
      return growing_survives(region, s, p);
    case Rule::kBigDripleaf: {
      const BlockState under = region.get(below(p));
      return is(under, names::kBigDripleaf) || is(under, names::kBigDripleafStem) ||
             sets().big_dripleaf.contains(under);
    }
    case Rule::kBigDripleafStem: {
      const BlockState under = region.get(below(p));
      const BlockState over = region.get(above(p));
      return (is(under, names::kBigDripleafStem) || sets().big_dripleaf.contains(under)) &&
             (is(over, names::kBigDripleafStem) || is(over, names::kBigDripleaf));
    }
    case Rule::kChorusPlant:
      return chorus_plant_survives(region, s, p);
    case Rule::kChorusFlower:
      return chorus_flower_survives(region, p);
    case Rule::kCocoa:
      return sets().cocoa.contains(region.get(offset(p, facing_of(s))));
    case Rule::kPointedDripstone: {
      const Direction tip = facing_of(s, props::kVerticalDirection);
      const BlockState behind = region.get(offset(p, opposite(tip)));
      return is_face_sturdy(behind, tip) || is_dripstone_pointing(behind, tip);
    }
    case Rule::kSnow: {
      const BlockState under = region.get(below(p));
      if (sets().no_snow.contains(under)) return false;
      return sets().snow.contains(under) || sides().collision_face_full(under, Direction::kUp) ||
             (is(under, names::kSnow) && int_value(under, kLayers) == 8);
    }
    case Rule::kFire:
      return fire_survives(region, p);
    case Rule::kSoulFire:
      return sets().soul_fire.contains(region.get(below(p)));
    case Rule::kFrogspawn:
      return is_water_source(region.get(below(p))) && region.fluid_at(p) == Fluid::kNone;
    case Rule::kDoor: {
      const BlockState under = region.get(below(p));
      return is_upper(s) ? is(under, game::block_of(s)) : is_face_sturdy(under, Direction::kUp);
    }
    case Rule::kDirtPath: {
      const BlockState over = region.get(above(p));
      return !is_solid(over) || sets().fence_gates.contains(over);
    }
    case Rule::kFarmland: {
      const BlockState over = region.get(above(p));
      return !is_solid(over) || sets().maintains_farmland.contains(over);
    }
    case Rule::kBubbleColumn: {
      const BlockState under = region.get(below(p));
      return is(under, names::kBubbleColumn) || sets().bubbles_up.contains(under) ||
             sets().bubbles_down.contains(under);
    }
    case Rule::kRedstoneWire: {
      const BlockState under = region.get(below(p));
      return is_face_sturdy(under, Direction::kUp) || is(under, names::kHopper);
    }
    case Rule::kScaffolding:
      return scaffolding_distance(region, p) < 7;
    case Rule::kPistonHead: {
      const BlockState base = region.get(offset(p, opposite(facing_of(s))));
      if (!has_property(base, kFacing) || facing_of(base) != facing_of(s)) return false;
      const BlockId fitting = value_text(s, kType) == "normal" ? names::kPiston : names::kStickyPiston;
      return is(base, names::kMovingPiston) || (is(base, fitting) && bool_value(base, props::kExtended));
    }
    default:
      return true;
  }
}

// --- Changes of shape -----------------------------------------------------

namespace {

/// Whether a fence, pane or wall takes the whole side of a neighbour as something to join.
bool joins_whole_side(BlockState neighbour, Direction direction) {
  return !sets().never_connected.contains(neighbour) && is_face_sturdy(neighbour, opposite(direction));
}

bool gate_joins(BlockState neighbour, Direction direction) {
  return sets().fence_gates.contains(neighbour) &&
         axis_of(facing_of(neighbour)) == axis_of(clockwise(direction));
}

bool fence_joins(BlockState s, BlockState neighbour, Direction direction) {
  if (joins_whole_side(neighbour, direction) || gate_joins(neighbour, direction)) return true;
  return sets().fences.contains(neighbour) &&
         sets().wooden_fences.contains(neighbour) == sets().wooden_fences.contains(s);
}

bool pane_joins(BlockState neighbour, Direction direction) {
  return joins_whole_side(neighbour, direction) || sets().panes.contains(neighbour) ||
         sets().walls.contains(neighbour);
}

bool wall_joins(BlockState neighbour, Direction direction) {
  return pane_joins(neighbour, direction) || gate_joins(neighbour, direction);
}

/// A wall's arms are tall below something that rests on them; its post stands where the arms do not run
/// straight through, or below something that rests on it.
BlockState wall_below(BlockState s, BlockState over, const std::array<bool, 4>& arms) {
  struct Arm {
    PropertyId side;
    Rect under;
  };
  // In the order of kHorizontal.
  static const std::array<Arm, 4> kArms = {
      Arm{kNorth, {7 / 16.0, 0, 9 / 16.0, 9 / 16.0}}, Arm{kEast, {7 / 16.0, 7 / 16.0, 1, 9 / 16.0}},
      Arm{kSouth, {7 / 16.0, 7 / 16.0, 9 / 16.0, 1}}, Arm{kWest, {0, 7 / 16.0, 9 / 16.0, 9 / 16.0}}};
  const auto resting = game::collision_boxes(over);
  std::array<bool, 4> tall{};
  for (std::size_t i = 0; i < kArms.size(); ++i) {
    tall[i] = arms[i] && covers(resting, Direction::kDown, kArms[i].under);
    s = with(s, kArms[i].side, !arms[i] ? "none" : (tall[i] ? "tall" : "low"));
  }
  const auto [north, east, south, west] = arms;
  const bool runs_through = (north || east) && north == south && east == west;
  bool post = true;
  if (!(sets().walls.contains(over) && bool_value(over, kUp)) && runs_through) {
    const bool is_high = (tall[0] && tall[2]) || (tall[1] && tall[3]);
    post = !is_high && (sets().wall_post.contains(over) ||
                        covers(resting, Direction::kDown, Rect{7 / 16.0, 7 / 16.0, 9 / 16.0, 9 / 16.0}));
  }
  return with_bool(s, kUp, post);
}

BlockState updated_wall(const Region& region, BlockState s, BlockPos p, Direction direction,
                        BlockState neighbour) {
  if (direction == Direction::kDown) return s;
  std::array<bool, 4> arms{};
  for (std::size_t i = 0; i < kHorizontal.size(); ++i) {
    arms[i] = kHorizontal[i] == direction ? wall_joins(neighbour, direction)
                                          : value_text(s, props::side(kHorizontal[i])) != "none";
  }
  return wall_below(s, direction == Direction::kUp ? neighbour : region.get(above(p)), arms);
}

std::string_view stairs_shape(const Region& region, BlockState s, BlockPos p) {
  const Direction facing = facing_of(s);
  const std::string_view half = value_text(s, kHalf);
  // Stairs across give a corner, unless the row goes on beside.
  const auto crossing = [&](Direction towards, bool is_behind) -> std::optional<Direction> {
    const BlockState other = region.get(offset(p, towards));
    if (!sets().stairs.contains(other) || value_text(other, kHalf) != half) return std::nullopt;
    const Direction other_facing = facing_of(other);
    if (axis_of(other_facing) == axis_of(facing)) return std::nullopt;
    const BlockState beside = region.get(offset(p, is_behind ? opposite(other_facing) : other_facing));
    if (sets().stairs.contains(beside) && facing_of(beside) == facing && value_text(beside, kHalf) == half) {
      return std::nullopt;
    }
    return other_facing;
  };
  if (const auto behind = crossing(facing, true)) {
    return *behind == counter_clockwise(facing) ? "outer_left" : "outer_right";
  }
  if (const auto front = crossing(opposite(facing), false)) {
    return *front == counter_clockwise(facing) ? "inner_left" : "inner_right";
  }
  return "straight";
}

Direction chest_partner(BlockState s) {
  const Direction facing = facing_of(s);
  return value_text(s, kType) == "left" ? clockwise(facing) : counter_clockwise(facing);
}

BlockState updated_chest(BlockState s, Direction direction, BlockState neighbour) {
  const bool is_copper = sets().copper_chests.contains(s);
  const bool can_join =
      is_copper ? sets().copper_chests.contains(neighbour) : is(neighbour, game::block_of(s));
  BlockState result = s;
  if (can_join && is_horizontal(direction)) {
    const std::string_view other = value_text(neighbour, kType);
    if (value_text(s, kType) == "single" && other != "single" && facing_of(s) == facing_of(neighbour) &&
        chest_partner(neighbour) == opposite(direction)) {
      result = with(s, kType, other == "left" ? "right" : "left");
    }
  } else if (chest_partner(s) == direction) {
    result = with(s, kType, "single");
  }
  if (is_copper && can_join && value_text(result, kType) != "single" && chest_partner(result) == direction) {
    return with_properties_of(game::default_state(game::block_of(neighbour)), result);
  }
  return result;
}

BlockState updated_dripstone(const Region& region, BlockState s, BlockPos p, Direction direction) {
  if (is_horizontal(direction)) return s;
  const Direction tip = facing_of(s, props::kVerticalDirection);
  if (direction == opposite(tip) && !can_survive(region, s, p)) return s;
  const BlockState front = region.get(offset(p, tip));
  const std::string_view front_thickness = value_text(front, props::kThickness);
  std::string_view thickness = "middle";
  if (is_dripstone_pointing(front, opposite(tip))) {
    const bool is_merged = value_text(s, props::kThickness) == "tip_merge" || front_thickness == "tip_merge";
    thickness = is_merged ? "tip_merge" : "tip";
  } else if (!is_dripstone_pointing(front, tip)) {
    thickness = "tip";
  } else if (front_thickness == "tip" || front_thickness == "tip_merge") {
    thickness = "frustum";
  } else if (!is_dripstone_pointing(region.get(offset(p, opposite(tip))), tip)) {
    thickness = "base";
  }
  return with(s, props::kThickness, thickness);
}

BlockState updated_growing(const Region& region, BlockState s, BlockPos p, Direction direction,
                           BlockState neighbour) {
  const Chain& chain = rules().chain(s);
  const auto is_chain = [&](BlockState other) { return is(other, chain.head) || is(other, chain.body); };
  const auto turned = [&](BlockId into) {
    const BlockState result = game::default_state(into);
    return has_property(result, props::kBerries)
               ? with_bool(result, props::kBerries, bool_value(s, props::kBerries))
               : result;
  };
  if (is(s, chain.body)) {
    return direction == chain.growth && !is_chain(neighbour) ? turned(chain.head) : s;
  }
  if (direction == opposite(chain.growth) && can_survive(region, s, p) &&
      is_chain(region.get(offset(p, chain.growth)))) {
    return turned(chain.body);
  }
  return direction == chain.growth && is_chain(neighbour) ? turned(chain.body) : s;
}

BlockState updated_fire(const Region& region, BlockState s, BlockPos p) {
  if (!fire_survives(region, p)) return blocks::kAir;
  static const BlockState kSoulFire = state("soul_fire");
  const BlockState under = region.get(below(p));
  if (sets().soul_fire.contains(under)) return kSoulFire;
  BlockState result = game::default_state(names::kFire);
  if (!is_flammable(under) && !is_face_sturdy(under, Direction::kUp)) {
    for (const Direction d : kDirections) {
      if (d != Direction::kDown)
        result = with_bool(result, props::side(d), is_flammable(region.get(offset(p, d))));
    }
  }
  return with_int(result, kAge, int_value(s, kAge));
}

BlockState updated_door(const Region& region, BlockState s, BlockPos p, Direction direction,
                        BlockState neighbour) {
  const bool upper = is_upper(s);
  if (direction == (upper ? Direction::kDown : Direction::kUp)) {
    if (!sets().doors.contains(neighbour) || is_upper(neighbour) == upper) return blocks::kAir;
    return with(neighbour, kHalf, upper ? "upper" : "lower");
  }
  return !upper && direction == Direction::kDown && !can_survive(region, s, p) ? blocks::kAir : s;
}

BlockState updated_bell(const Region& region, BlockState s, BlockPos p, Direction direction,
                        BlockState neighbour) {
  const std::string_view attachment = value_text(s, props::kAttachment);
  const Direction side = attached_side(s);
  if (side == direction && attachment != "double_wall" && !can_survive(region, s, p)) return blocks::kAir;
  if (axis_of(direction) != axis_of(facing_of(s))) return s;
  if (attachment == "double_wall" && !is_face_sturdy(neighbour, direction)) {
    return with(with(s, props::kAttachment, "single_wall"), kFacing, name(opposite(direction)));
  }
  if (attachment == "single_wall" && opposite(side) == direction && is_face_sturdy(neighbour, facing_of(s))) {
    return with(s, props::kAttachment, "double_wall");
  }
  return s;
}

/// What loses its hold only when the block in `from` changes.
BlockState unless_lost(const Region& region, BlockState s, BlockPos p, Direction direction, Direction from) {
  return direction == from && !can_survive(region, s, p) ? blocks::kAir : s;
}

BlockState updated_vegetation(const Region& region, BlockState s, BlockPos p, Direction direction,
                              BlockState neighbour, Rule rule) {
  if (rule == Rule::kAttachedStem && direction == facing_of(s)) {
    const bool is_melon = short_name(s) == "attached_melon_stem";
    static const BlockState kMelonStem = state("melon_stem[age=7]"),
                            kPumpkinStem = state("pumpkin_stem[age=7]");
    static const BlockId kMelon = block("melon"), kPumpkin = block("pumpkin");
    if (!is(neighbour, is_melon ? kMelon : kPumpkin)) return is_melon ? kMelonStem : kPumpkinStem;
  }
  const bool is_single_crop = rule == Rule::kPitcherCrop && int_value(s, kAge) < 3;
  if (is_double_plant(rule) && !is_single_crop &&
      direction == (is_upper(s) ? Direction::kDown : Direction::kUp) &&
      !(is(neighbour, game::block_of(s)) && is_upper(neighbour) != is_upper(s))) {
    return blocks::kAir;
  }
  return can_survive(region, s, p) ? s : blocks::kAir;
}

}  // namespace

bool moss_carpet_has_faces(BlockState carpet) {
  return bool_value(carpet, props::kBase) || std::ranges::any_of(kHorizontal, [&](Direction d) {
           return value_text(carpet, props::side(d)) != "none";
         });
}

BlockState connected_moss_carpet(const Region& region, BlockState carpet, BlockPos p, bool create_sides) {
  const bool is_base = bool_value(carpet, props::kBase);
  const bool makes_sides = create_sides || is_base;
  for (const Direction d : kHorizontal) {
    const PropertyId property = props::side(d);
    std::string_view side = "none";
    if (carries_cover(region.get(offset(p, d)), opposite(d))) {
      side = makes_sides ? std::string_view("low") : value_text(carpet, property);
    }
    if (side == "low") {
      const BlockState over = region.get(above(p));
      if (is(over, names::kPaleMossCarpet) && value_text(over, property) != "none" &&
          !bool_value(over, props::kBase)) {
        side = "tall";
      }
      if (!is_base) {
        const BlockState under = region.get(below(p));
        if (is(under, names::kPaleMossCarpet) && value_text(under, property) == "none") side = "none";
      }
    }
    carpet = with(carpet, property, side);
  }
  return carpet;
}

BlockState update_shape(const Region& region, BlockState s, BlockPos p, Direction direction,
                        BlockState neighbour) {
  const Rule rule = rules().rule(s);
  if (rule == Rule::kNone) return s;
  if (is_vegetation(rule)) return updated_vegetation(region, s, p, direction, neighbour, rule);
  switch (rule) {
    case Rule::kBambooSapling:
      if (!can_survive(region, s, p)) return blocks::kAir;
      return direction == Direction::kUp && is(neighbour, names::kBamboo)
                 ? game::default_state(names::kBamboo)
                 : s;
    case Rule::kBamboo:
      return direction == Direction::kUp && is(neighbour, names::kBamboo) &&
                     int_value(neighbour, kAge) > int_value(s, kAge)
                 ? with_int(s, kAge, 1)
                 : s;
    case Rule::kFacingWall:
    case Rule::kFacingWallBanner:
      return unless_lost(region, s, p, direction, opposite(facing_of(s)));
    case Rule::kFloorPlant:
    case Rule::kFloorDiode:
    case Rule::kFloorCenter:
    case Rule::kFloorPlate:
    case Rule::kFloorSolid:
    case Rule::kRedstoneWire:
      return unless_lost(region, s, p, direction, Direction::kDown);
    case Rule::kCeilingSign:
    case Rule::kHangingRoots:
    case Rule::kSporeBlossom:
      return unless_lost(region, s, p, direction, Direction::kUp);
    case Rule::kLantern:
      return unless_lost(region, s, p, direction,
                         bool_value(s, props::kHanging) ? Direction::kUp : Direction::kDown);
    case Rule::kBell:
      return updated_bell(region, s, p, direction, neighbour);
    case Rule::kFaceAttached:
      return unless_lost(region, s, p, direction, attached_side(s));
    case Rule::kCocoa:
      return unless_lost(region, s, p, direction, facing_of(s));
    case Rule::kPistonHead:
      return unless_lost(region, s, p, direction, opposite(facing_of(s)));
    case Rule::kCarpet:
    case Rule::kSnow:
    case Rule::kFrogspawn:
    case Rule::kSoulFire:
      return can_survive(region, s, p) ? s : blocks::kAir;
    case Rule::kMossCarpet: {
      if (!can_survive(region, s, p)) return blocks::kAir;
      const BlockState result = connected_moss_carpet(region, s, p, false);
      return moss_carpet_has_faces(result) ? result : blocks::kAir;
    }
    case Rule::kVine: {
      if (direction == Direction::kDown) return s;
      const BlockState result = updated_vine(region, s, p);
      return has_any_side(result) ? result : blocks::kAir;
    }
    case Rule::kMultiface: {
      if (!has_any_side(s)) return blocks::kAir;
      const PropertyId side = props::side(direction);
      if (!bool_value(s, side) || carries_cover(neighbour, opposite(direction))) return s;
      const BlockState result = with_bool(s, side, false);
      return has_any_side(result) ? result : blocks::kAir;
    }
    case Rule::kHangingMoss:
      return with_bool(s, props::kTip, !is(region.get(below(p)), names::kPaleHangingMoss));
    case Rule::kGrowingHead:
    case Rule::kGrowingBody:
      return updated_growing(region, s, p, direction, neighbour);
    case Rule::kBigDripleaf:
      if (direction == Direction::kDown && !can_survive(region, s, p)) return blocks::kAir;
      if (direction == Direction::kUp && is(neighbour, names::kBigDripleaf)) {
        return with_properties_of(game::default_state(names::kBigDripleafStem), s);
      }
      return s;
    case Rule::kChorusPlant:
      if (!can_survive(region, s, p)) return s;
      return with_bool(s, props::side(direction),
                       is(neighbour, names::kChorusPlant) || is(neighbour, names::kChorusFlower) ||
                           (direction == Direction::kDown && sets().chorus_plant.contains(neighbour)));
    case Rule::kPointedDripstone:
      return updated_dripstone(region, s, p, direction);
    case Rule::kFire:
      return updated_fire(region, s, p);
    case Rule::kDoor:
      return updated_door(region, s, p, direction, neighbour);
    case Rule::kFence:
      return is_horizontal(direction)
                 ? with_bool(s, props::side(direction), fence_joins(s, neighbour, direction))
                 : s;
    case Rule::kPane:
      return is_horizontal(direction) ? with_bool(s, props::side(direction), pane_joins(neighbour, direction))
                                      : s;
    case Rule::kWall:
      return updated_wall(region, s, p, direction, neighbour);
    case Rule::kFenceGate:
      if (axis_of(clockwise(facing_of(s))) != axis_of(direction)) return s;
      return with_bool(s, props::kInWall,
                       sets().walls.contains(neighbour) ||
                           sets().walls.contains(region.get(offset(p, opposite(direction)))));
    case Rule::kStairs:
      return is_horizontal(direction) ? with(s, kShape, stairs_shape(region, s, p)) : s;
    case Rule::kChest:
      return updated_chest(s, direction, neighbour);
    case Rule::kSnowy:
      return direction == Direction::kUp ? with_bool(s, kSnowy, sets().snowy.contains(neighbour)) : s;
    case Rule::kHugeMushroom:
      return is(neighbour, game::block_of(s)) ? with_bool(s, props::side(direction), false) : s;
    case Rule::kBed: {
      const bool is_foot = value_text(s, props::kPart) == "foot";
      if (direction != (is_foot ? facing_of(s) : opposite(facing_of(s)))) return s;
      if (!is(neighbour, game::block_of(s)) ||
          value_text(neighbour, props::kPart) == value_text(s, props::kPart)) {
        return blocks::kAir;
      }
      return with_bool(s, props::kOccupied, bool_value(neighbour, props::kOccupied));
    }
    case Rule::kCampfire:
      return direction == Direction::kDown ? with_bool(s, props::kSignalFire, is(neighbour, names::kHayBlock))
                                           : s;
    case Rule::kTripwire: {
      if (!is_horizontal(direction)) return s;
      const bool joins = is(neighbour, names::kTripwireHook) ? facing_of(neighbour) == opposite(direction)
                                                             : is(neighbour, game::block_of(s));
      return with_bool(s, props::side(direction), joins);
    }
    case Rule::kConcretePowder: {
      for (const Direction d : kDirections) {
        const BlockState beside = region.get(offset(p, d));
        if (d == Direction::kDown || fluid(beside) != Fluid::kWater || is_face_sturdy(beside, opposite(d)))
          continue;
        const std::string_view own = short_name(s);
        return game::default_state(block(own.substr(0, own.size() - std::string_view("_powder").size())));
      }
      return s;
    }
    default:
      return s;
  }
}

BlockState updated_from_neighbours(const Region& region, BlockState s, BlockPos p) {
  constexpr std::array kOrder = {Direction::kWest,  Direction::kEast, Direction::kNorth,
                                 Direction::kSouth, Direction::kDown, Direction::kUp};
  for (const Direction d : kOrder) s = update_shape(region, s, p, d, region.get(offset(p, d)));
  return s;
}

}  // namespace horizon::worldgen
