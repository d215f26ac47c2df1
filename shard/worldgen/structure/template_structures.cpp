#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shard/worldgen/base/biome_climate.hpp"
#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/structure/structure.hpp"
#include "shard/worldgen/structure/template_piece.hpp"

namespace horizon::worldgen {

namespace {

/// Pieces that look for the ground when they are placed wait at this height.
constexpr std::int32_t kWaitingHeight = 90;

const BlockState kSnowBlock = state("snow_block"), kChest = state("chest"), kMagma = state("magma_block"),
                 kVine = state("vine"), kJungleLeaves = state("jungle_leaves[persistent=true]"),
                 kDriedGhast = state("dried_ghast");
const BlockId kLadder = block("ladder"), kChestBlock = block("chest"), kTrappedChest = block("trapped_chest"),
              kObsidian = block("obsidian"), kNetherrackBlock = block("netherrack"),
              kVineBlock = block("vine"), kLavaBlock = block("lava"), kAirBlock = block("air"),
              kSoulSand = block("soul_sand");
const BlockSet kIce = BlockSet::tag("ice"), kProtected = BlockSet::tag("features_cannot_replace");

bool is_chest(BlockState s) { return is(s, kChestBlock) || is(s, kTrappedChest); }

BlockPos chunk_corner(ChunkPos chunk, std::int32_t y) { return {chunk.x * 16, y, chunk.z * 16}; }
BlockPos sum(BlockPos a, BlockPos b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

template <std::size_t N>
std::string_view choose(const std::array<std::string_view, N>& names, Random& random) {
  return names[static_cast<std::size_t>(random.next_int(static_cast<std::int32_t>(N)))];
}

class TemplateStructure : public Structure {
 public:
  bool needs_templates() const override { return true; }
};

// --- Igloo ---------------------------------------------------------------

struct IglooPart {
  std::string_view name;
  BlockPos pivot, offset;
};
constexpr IglooPart kIglooTop{"igloo/top", {3, 5, 5}, {0, 0, 0}};
constexpr IglooPart kIglooShaft{"igloo/middle", {1, 3, 1}, {2, -3, 4}};
constexpr IglooPart kIglooCellar{"igloo/bottom", {3, 6, 7}, {0, -3, -2}};

/// All parts stand relative to the ground at the igloo's entrance, which each of them looks up again.
class IglooPiece final : public TemplatePiece {
 public:
  IglooPiece(const TemplateSource& templates, const IglooPart& part, BlockPos start, Rotation rotation,
             std::int32_t depth)
      : TemplatePiece(template_or_empty(templates, part.name), below(sum(start, part.offset), depth),
                      settings(part, rotation)),
        entrance_{3 - part.offset.x, 0, -part.offset.z},
        is_top_(part.name == kIglooTop.name) {}

  void place(PiecePlacing& placing) const override {
    Region& region = placing.region;
    const BlockPos entrance = sum(position_, turned_offset(entrance_));
    const std::int32_t ground = region.height(HeightKind::kWorldSurfaceWg, entrance.x, entrance.z);
    const BlockPos position = above(position_, ground - kWaitingHeight - 1);
    place_at(placing, position);
    if (!is_top_) return;
    const BlockPos hatch = sum(position, turned_offset({3, 0, 5}));
    const BlockState under = region.get(below(hatch));
    // No shaft under it: the floor is closed.
    if (!is_air(under) && !is(under, kLadder)) region.set(hatch, kSnowBlock);
  }

 protected:
  void data_marker(PiecePlacing& placing, std::string_view marker, BlockPos p) const override {
    if (marker != "chest") return;
    Region& region = placing.region;
    region.set(p, blocks::kAir);
    if (is_chest(region.get(below(p))))
      fill_container(region, placing.random, below(p), "chests/igloo_chest");
  }

 private:
  static TemplatePlacing settings(const IglooPart& part, Rotation rotation) {
    TemplatePlacing result;
    result.rotation = rotation;
    result.pivot = part.pivot;
    result.keeps_water = false;
    result.processors = {ignore_structure_blocks()};
    return result;
  }

  BlockPos entrance_;
  bool is_top_;
};

class Igloo final : public TemplateStructure {
 public:
  std::optional<GenerationPoint> find(StartContext& context) const override {
    if (context.templates == nullptr) return {};
    return GenerationPoint{on_top_of_chunk_centre(context, HeightKind::kWorldSurfaceWg),
                           [templates = context.templates, chunk = context.chunk](Random& random) {
                             return make(*templates, chunk, random);
                           }};
  }

 private:
  static Pieces make(const TemplateSource& templates, ChunkPos chunk, Random& random) {
    Pieces pieces;
    const BlockPos start = chunk_corner(chunk, kWaitingHeight);
    const Rotation rotation = random_rotation(random);
    const auto add = [&](const IglooPart& part, std::int32_t depth) {
      pieces.push_back(std::make_shared<IglooPiece>(templates, part, start, rotation, depth));
    };
    if (random.next_double() < 0.5) {
      const std::int32_t depth = random.next_int(8) + 4;
      add(kIglooCellar, depth * 3);
      for (std::int32_t i = 0; i < depth - 1; ++i) add(kIglooShaft, i * 3);
    }
    add(kIglooTop, 0);
    return pieces;
  }
};

// --- Shipwreck -----------------------------------------------------------

constexpr std::array<std::string_view, 11> kBeachedWrecks = {"with_mast",
                                                             "sideways_full",
                                                             "sideways_fronthalf",
                                                             "sideways_backhalf",
                                                             "rightsideup_full",
                                                             "rightsideup_fronthalf",
                                                             "rightsideup_backhalf",
                                                             "with_mast_degraded",
                                                             "rightsideup_full_degraded",
                                                             "rightsideup_fronthalf_degraded",
                                                             "rightsideup_backhalf_degraded"};
constexpr std::array<std::string_view, 20> kSunkenWrecks = {"with_mast",
                                                            "upsidedown_full",
                                                            "upsidedown_fronthalf",
                                                            "upsidedown_backhalf",
                                                            "sideways_full",
                                                            "sideways_fronthalf",
                                                            "sideways_backhalf",
                                                            "rightsideup_full",
                                                            "rightsideup_fronthalf",
                                                            "rightsideup_backhalf",
                                                            "with_mast_degraded",
                                                            "upsidedown_full_degraded",
                                                            "upsidedown_fronthalf_degraded",
                                                            "upsidedown_backhalf_degraded",
                                                            "sideways_full_degraded",
                                                            "sideways_fronthalf_degraded",
                                                            "sideways_backhalf_degraded",
                                                            "rightsideup_full_degraded",
                                                            "rightsideup_fronthalf_degraded",
                                                            "rightsideup_backhalf_degraded"};

/// The first chunk that is placed decides how high the wreck lies (a beached one draws for it there, and only
/// there); the others keep to that.
class ShipwreckPiece final : public TemplatePiece {
 public:
  ShipwreckPiece(const TemplateSource& templates, std::string_view name, BlockPos start, Rotation rotation,
                 bool is_beached)
      : TemplatePiece(template_or_empty(templates, "shipwreck/" + std::string(name)), start,
                      settings(rotation)),
        is_beached_(is_beached) {}

  void place(PiecePlacing& placing) const override {
    place_at(placing, {position_.x, height(placing), position_.z});
  }

  /// Its ground would not be known when it is placed: the start decides the height.
  bool is_too_big() const { return content().size.x > kMaxSize || content().size.y > kMaxSize; }
  void decide_height(std::int32_t y) { height_ = y; }
  std::int32_t beached_height(std::int32_t lowest_ground, Random& random) const {
    return lowest_ground - content().size.y / 2 - random.next_int(3);
  }

 protected:
  void data_marker(PiecePlacing& placing, std::string_view marker, BlockPos p) const override {
    using Loot = std::pair<std::string_view, std::string_view>;
    constexpr std::array kLoot = {Loot{"map_chest", "chests/shipwreck_map"},
                                  Loot{"treasure_chest", "chests/shipwreck_treasure"},
                                  Loot{"supply_chest", "chests/shipwreck_supply"}};
    for (const auto& [chest, table] : kLoot) {
      if (marker == chest) return fill_container(placing.region, placing.random, below(p), table);
    }
  }

 private:
  static constexpr std::int32_t kMaxSize = 32;

  static TemplatePlacing settings(Rotation rotation) {
    TemplatePlacing result;
    result.rotation = rotation;
    result.pivot = {4, 0, 15};
    result.processors = {ignore_structure_blocks_and_air()};
    return result;
  }

  std::int32_t height(PiecePlacing& placing) const {
    const std::lock_guard lock(height_mutex_);
    if (!height_) height_ = find_height(placing);
    return *height_;
  }

  /// The ground under the unturned template counts, whatever the rotation.
  std::int32_t find_height(PiecePlacing& placing) const {
    const Region& region = placing.region;
    const HeightKind kind = is_beached_ ? HeightKind::kWorldSurfaceWg : HeightKind::kOceanFloorWg;
    const BlockPos size = content().size;
    const std::int32_t area = size.x * size.z;
    std::int32_t lowest = region.max_y() + 1;
    std::int32_t mean = 0;
    if (area == 0) {
      mean = region.height(kind, position_.x, position_.z);
    } else {
      for (std::int32_t z = 0; z < size.z; ++z) {
        for (std::int32_t x = 0; x < size.x; ++x) {
          const std::int32_t ground = region.height(kind, position_.x + x, position_.z + z);
          mean += ground;
          lowest = std::min(lowest, ground);
        }
      }
      mean /= area;
    }
    return is_beached_ ? beached_height(lowest, placing.random) : mean;
  }

  bool is_beached_;
  mutable std::mutex height_mutex_;
  mutable std::optional<std::int32_t> height_;  ///< guarded by height_mutex_
};

class Shipwreck final : public TemplateStructure {
 public:
  explicit Shipwreck(bool is_beached) : is_beached_(is_beached) {}

  std::optional<GenerationPoint> find(StartContext& context) const override {
    if (context.templates == nullptr) return {};
    const HeightKind kind = is_beached_ ? HeightKind::kWorldSurfaceWg : HeightKind::kOceanFloorWg;
    return GenerationPoint{
        on_top_of_chunk_centre(context, kind),
        [this, templates = context.templates, &terrain = context.terrain,
         chunk = context.chunk](Random& random) { return make(*templates, terrain, chunk, random); }};
  }

 private:
  Pieces make(const TemplateSource& templates, const TerrainProbe& terrain, ChunkPos chunk,
              Random& random) const {
    const Rotation rotation = random_rotation(random);
    const std::string_view hull =
        is_beached_ ? choose(kBeachedWrecks, random) : choose(kSunkenWrecks, random);
    auto piece = std::make_shared<ShipwreckPiece>(templates, hull, chunk_corner(chunk, kWaitingHeight),
                                                  rotation, is_beached_);
    if (piece->is_too_big()) {
      const Box& b = piece->box();
      if (is_beached_) {
        // The game passes its arguments in this order: the corners are not those of the box.
        const auto heights = corner_heights(terrain, b.min_x, b.min_z, b.x_span(), b.z_span());
        const std::int32_t lowest = *std::ranges::min_element(heights);
        piece->decide_height(piece->beached_height(lowest, random));
      } else {
        const auto heights = corner_heights(terrain, b.min_x, b.x_span(), b.min_z, b.z_span());
        piece->decide_height((heights[0] + heights[1] + heights[2] + heights[3]) / 4);
      }
    }
    return {std::move(piece)};
  }

  bool is_beached_;
};

// --- Ocean ruin ----------------------------------------------------------

/// What the definition of an ocean ruin says.
struct RuinKind {
  bool is_cold = false;
  float large_probability = 0, cluster_probability = 0;
  /// Hides up to five suspicious blocks in the ruin.
  std::shared_ptr<const TemplateProcessor> archaeology;
};

/// Sinks to the sea floor: looked up for each chunk, in what is there then.
class OceanRuinPiece final : public TemplatePiece {
 public:
  OceanRuinPiece(const TemplateSource& templates, std::string_view name, BlockPos start, Rotation rotation,
                 float integrity, const RuinKind& kind, bool is_large)
      : TemplatePiece(template_or_empty(templates, "underwater_ruin/" + std::string(name)), start,
                      settings(rotation, integrity, kind)),
        is_large_(is_large) {}

  void place(PiecePlacing& placing) const override {
    const Region& region = placing.region;
    const std::int32_t floor = region.height(HeightKind::kOceanFloorWg, position_.x, position_.z);
    const BlockPos corner = sum(rotate(BlockPos{content().size.x - 1, 0, content().size.z - 1}, rotation()),
                                {position_.x, floor, position_.z});
    place_at(placing, {position_.x, settled_height(region, floor, corner), position_.z});
  }

 protected:
  void data_marker(PiecePlacing& placing, std::string_view marker, BlockPos p) const override {
    Region& region = placing.region;
    if (marker == "chest") {
      region.set(p, with_bool(kChest, properties::kWaterlogged, region.fluid_at(p) == Fluid::kWater));
      const std::int64_t loot_seed = placing.random.next_long();
      region.set_loot(p, is_large_ ? "chests/underwater_ruin_big" : "chests/underwater_ruin_small",
                      loot_seed);
    } else if (marker == "drowned") {
      region.add_entity(drowned(region, p), p);
      region.set(p, p.y > region.sea_level() ? blocks::kAir : blocks::kWater);
    }
  }

 private:
  static TemplatePlacing settings(Rotation rotation, float integrity, const RuinKind& kind) {
    TemplatePlacing result;
    result.rotation = rotation;
    result.processors = {block_rot(integrity), ignore_structure_blocks_and_air(), kind.archaeology};
    return result;
  }

  /// `floor`, or lower when much of the ruin would hang over deeper ground.
  std::int32_t settled_height(const Region& region, std::int32_t floor, BlockPos corner) const {
    std::int32_t lowest = 512;
    const std::int32_t top = floor - 1;
    std::int32_t hanging = 0;
    const Box area = Box::from_corners(position_, {corner.x, position_.y, corner.z});
    for (std::int32_t z = area.min_z; z <= area.max_z; ++z) {
      for (std::int32_t x = area.min_x; x <= area.max_x; ++x) {
        std::int32_t y = top;
        while (y > region.min_y() + 1 && is_open(region.get(x, y, z))) --y;
        lowest = std::min(lowest, y);
        if (y < top - 2) ++hanging;
      }
    }
    const std::int32_t width = std::abs(position_.x - corner.x);
    return top - lowest > 2 && hanging > width - 2 ? lowest + 1 : floor;
  }
  static bool is_open(BlockState s) { return is_air(s) || fluid(s) == Fluid::kWater || kIce.contains(s); }

  /// With the draws that the game makes for it in a new world.
  static nbt::Compound drowned(Region& region, BlockPos p) {
    nbt::Compound mob = make_mob(region, "minecraft:drowned", bottom_centre(p));
    Random& random = region.level_random();
    random.next_float();  // whether it picks things up: not in a new world
    const bool is_baby = random.next_float() < 0.05F;
    if (is_baby) {
      mob.set("IsBaby", true);
      // It may ride a chicken: not under the sea, but drawn.
      if (!(random.next_float() < 0.05)) random.next_float();
    }
    random.next_float();  // whether it breaks doors
    bool has_trident = false;
    if (random.next_float() > 0.9) {
      has_trident = random.next_int(16) < 10;
      hold(mob, "mainhand", has_trident ? "minecraft:trident" : "minecraft:fishing_rod");
      random.next_float();  // whether that is enchanted
    }
    if (random.next_float() < 0.03F) hold(mob, "offhand", "minecraft:nautilus_shell");
    if (has_trident) random.next_float();  // whether it rides a nautilus: it never does here
    return mob;
  }

  bool is_large_;
};

class OceanRuin final : public TemplateStructure {
 public:
  explicit OceanRuin(const Json& definition) {
    const std::string& temperature = text(definition, "biome_temp");
    if (temperature != "warm" && temperature != "cold") {
      throw FigureError("biome_temp must be warm or cold, not \"" + temperature + "\"");
    }
    kind_.is_cold = temperature == "cold";
    kind_.large_probability = static_cast<float>(number(definition, "large_probability"));
    kind_.cluster_probability = static_cast<float>(number(definition, "cluster_probability"));
    kind_.archaeology = kind_.is_cold
                            ? suspicious_blocks("gravel", "suspicious_gravel", "archaeology/ocean_ruin_cold")
                            : suspicious_blocks("sand", "suspicious_sand", "archaeology/ocean_ruin_warm");
  }

  std::optional<GenerationPoint> find(StartContext& context) const override {
    if (context.templates == nullptr) return {};
    return GenerationPoint{on_top_of_chunk_centre(context, HeightKind::kOceanFloorWg),
                           [this, templates = context.templates, chunk = context.chunk](Random& random) {
                             return make(*templates, chunk, random);
                           }};
  }

 private:
  static std::shared_ptr<const TemplateProcessor> suspicious_blocks(std::string_view from,
                                                                    std::string_view to,
                                                                    std::string_view loot_table) {
    constexpr std::int32_t kMost = 5;
    TemplateRule rule = replace_block(from, to);
    rule.append_loot = with_namespace(loot_table);
    return capped(rules({std::move(rule)}), kMost);
  }

  Pieces make(const TemplateSource& templates, ChunkPos chunk, Random& random) const {
    Pieces pieces;
    const Rotation rotation = random_rotation(random);
    const BlockPos start = chunk_corner(chunk, kWaitingHeight);
    const bool is_large = random.next_float() <= kind_.large_probability;
    add_ruin(pieces, templates, start, rotation, is_large, is_large ? 0.9F : 0.8F, random);
    if (is_large && random.next_float() <= kind_.cluster_probability) {
      add_cluster(pieces, templates, start, rotation, random);
    }
    return pieces;
  }

  /// Small ruins around a large one.
  void add_cluster(Pieces& pieces, const TemplateSource& templates, BlockPos start, Rotation rotation,
                   Random& random) const {
    const Box centre = Box::from_corners(start, sum(start, rotate(BlockPos{15, 0, 15}, rotation)));
    std::vector<BlockPos> places = places_around({centre.min_x, start.y, centre.min_z}, random);
    const std::int32_t count = random.next_int_between(4, 8);
    for (std::int32_t i = 0; i < count && !places.empty(); ++i) {
      const auto chosen = places.begin() + random.next_int(static_cast<std::int32_t>(places.size()));
      const BlockPos p = *chosen;
      places.erase(chosen);
      const Rotation turn = random_rotation(random);
      const Box area = Box::from_corners(p, sum(p, rotate(BlockPos{5, 0, 6}, turn)));
      if (!area.intersects(centre)) add_ruin(pieces, templates, p, turn, false, 0.8F, random);
    }
  }

  static std::vector<BlockPos> places_around(BlockPos corner, Random& random) {
    struct Spot {
      std::int32_t x, min_x, max_x, z, min_z, max_z;
    };
    constexpr std::array kSpots = {Spot{-16, 1, 8, 16, 1, 7},  Spot{-16, 1, 8, 0, 1, 7},
                                   Spot{-16, 1, 8, -16, 4, 8}, Spot{0, 1, 7, 16, 1, 7},
                                   Spot{0, 1, 7, -16, 4, 6},   Spot{16, 1, 7, 16, 3, 8},
                                   Spot{16, 1, 7, 0, 1, 7},    Spot{16, 1, 7, -16, 4, 8}};
    std::vector<BlockPos> places;
    for (const Spot& spot : kSpots) {
      const std::int32_t x = spot.x + random.next_int_between(spot.min_x, spot.max_x);
      const std::int32_t z = spot.z + random.next_int_between(spot.min_z, spot.max_z);
      places.push_back(offset(corner, x, 0, z));
    }
    return places;
  }

  /// A warm ruin is one template; a cold one is three, of sound, cracked and mossy bricks, one over the
  /// other.
  void add_ruin(Pieces& pieces, const TemplateSource& templates, BlockPos p, Rotation rotation, bool is_large,
                float integrity, Random& random) const {
    const auto add = [&](const std::string& stones, float share) {
      pieces.push_back(
          std::make_shared<OceanRuinPiece>(templates, stones, p, rotation, share, kind_, is_large));
    };
    constexpr std::array<std::string_view, 8> kSmall = {"1", "2", "3", "4", "5", "6", "7", "8"};
    constexpr std::array<std::string_view, 4> kLargeWarm = {"4", "5", "6", "7"};
    constexpr std::array<std::string_view, 4> kLargeCold = {"1", "2", "3", "8"};
    const std::string prefix = is_large ? "big_" : "";
    if (!kind_.is_cold) {
      const std::string_view which = is_large ? choose(kLargeWarm, random) : choose(kSmall, random);
      return add(prefix + "warm_" + std::string(which), integrity);
    }
    const std::string which(is_large ? choose(kLargeCold, random) : choose(kSmall, random));
    add(prefix + "brick_" + which, integrity);
    add(prefix + "cracked_" + which, 0.7F);
    add(prefix + "mossy_" + which, 0.5F);
  }

  RuinKind kind_;
};

// --- Ruined portal -------------------------------------------------------

enum class PortalPlace : std::uint8_t {
  kOnLandSurface,
  kPartlyBuried,
  kOnOceanFloor,
  kInMountain,
  kUnderground,
  kInNether,
};

PortalPlace parse_portal_place(const std::string& text) {
  using Name = std::pair<std::string_view, PortalPlace>;
  constexpr std::array kNames = {
      Name{"on_land_surface", PortalPlace::kOnLandSurface}, Name{"partly_buried", PortalPlace::kPartlyBuried},
      Name{"on_ocean_floor", PortalPlace::kOnOceanFloor},   Name{"in_mountain", PortalPlace::kInMountain},
      Name{"underground", PortalPlace::kUnderground},       Name{"in_nether", PortalPlace::kInNether}};
  for (const auto& [name, place] : kNames) {
    if (name == text) return place;
  }
  throw FigureError("unknown placement of a ruined portal: \"" + text + "\"");
}

HeightKind surface_of(PortalPlace place) {
  return place == PortalPlace::kOnOceanFloor ? HeightKind::kOceanFloorWg : HeightKind::kWorldSurfaceWg;
}

struct PortalSetup {
  PortalPlace place = PortalPlace::kOnLandSurface;
  float air_pocket_probability = 0, mossiness = 0, weight = 1;
  bool is_overgrown = false, has_vines = false, can_be_cold = false, is_of_blackstone = false;
};

struct PortalLook {
  PortalPlace place = PortalPlace::kOnLandSurface;
  float mossiness = 0;
  bool is_cold = false, has_air_pocket = false, is_overgrown = false, has_vines = false,
       is_of_blackstone = false;
};

constexpr float kMagmaInNetherrack = 0.07F;

/// Blocks that carry vines by their outline, but whose collision shape does not reach the top.
const BlockSet kSunkenTops = BlockSet::of({"mud", "soul_sand", "snow"});

/// Placed as a whole by the chunk that holds the middle of its box.
class RuinedPortalPiece final : public TemplatePiece {
 public:
  RuinedPortalPiece(std::shared_ptr<const Template> content, BlockPos position, Rotation rotation,
                    Mirror mirror, BlockPos pivot, const PortalLook& look)
      : TemplatePiece(std::move(content), position, settings(rotation, mirror, pivot, look)), look_(look) {}

  void place(PiecePlacing& placing) const override {
    if (!placing.writable.contains(box_.center())) return;
    PiecePlacing whole = placing;
    whole.writable.encapsulate(box_);
    place_at(whole, position_);
    spread_netherrack(placing.region, placing.random);
    drip_below(placing.region, placing.random);
    if (look_.has_vines || look_.is_overgrown) overgrow(placing.region, placing.random);
  }

 private:
  static TemplatePlacing settings(Rotation rotation, Mirror mirror, BlockPos pivot, const PortalLook& look) {
    std::vector<TemplateRule> replacements = {replace_block("gold_block", "air", 0.3F)};
    if (look.place == PortalPlace::kOnOceanFloor) {
      replacements.push_back(replace_block("lava", "magma_block"));
    } else if (look.is_cold) {
      replacements.push_back(replace_block("lava", "netherrack"));
    } else {
      replacements.push_back(replace_block("lava", "magma_block", 0.2F));
    }
    if (!look.is_cold) replacements.push_back(replace_block("netherrack", "magma_block", kMagmaInNetherrack));

    TemplatePlacing result;
    result.rotation = rotation;
    result.mirror = mirror;
    result.pivot = pivot;
    result.processors = {look.has_air_pocket ? ignore_structure_blocks() : ignore_structure_blocks_and_air(),
                         rules(std::move(replacements)), block_age(look.mossiness),
                         protected_blocks(kProtected), lava_submerged_blocks()};
    if (look.is_of_blackstone) result.processors.push_back(blackstone_replace());
    return result;
  }

  /// Around the portal, thinner with the distance.
  void spread_netherrack(Region& region, Random& random) const {
    constexpr std::array kProbabilities = {1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F,
                                           0.9F, 0.9F, 0.8F, 0.7F, 0.6F, 0.4F, 0.2F};
    constexpr auto kReach = static_cast<std::int32_t>(kProbabilities.size());
    constexpr std::int32_t kMaxStep = 3;
    const bool follows_ground =
        look_.place == PortalPlace::kOnLandSurface || look_.place == PortalPlace::kOnOceanFloor;
    const HeightKind surface = surface_of(look_.place);
    const BlockPos centre = box_.center();
    const std::int32_t width = (box_.x_span() + box_.z_span()) / 2;
    const std::int32_t extra = random.next_int(std::max(1, 8 - width / 2));
    for (std::int32_t x = centre.x - kReach; x <= centre.x + kReach; ++x) {
      for (std::int32_t z = centre.z - kReach; z <= centre.z + kReach; ++z) {
        const std::int32_t distance = std::abs(x - centre.x) + std::abs(z - centre.z) + extra;
        if (distance >= kReach) continue;
        const double probability = kProbabilities[static_cast<std::size_t>(distance)];
        if (!(random.next_double() < probability)) continue;
        const std::int32_t ground = region.height(surface, x, z) - 1;
        const BlockPos p{x, follows_ground ? ground : std::min(box_.min_y, ground), z};
        if (std::abs(p.y - box_.min_y) > kMaxStep || !gives_way(region.get(p))) continue;
        put_netherrack(region, random, p);
        if (look_.is_overgrown) maybe_add_leaves(region, random, p);
        drip(region, random, below(p));
      }
    }
  }
  bool gives_way(BlockState s) const {
    return !is(s, kAirBlock) && !is(s, kObsidian) && !kProtected.contains(s) &&
           (look_.place == PortalPlace::kInNether || !is(s, kLavaBlock));
  }

  void put_netherrack(Region& region, Random& random, BlockPos p) const {
    const bool is_magma = !look_.is_cold && random.next_float() < kMagmaInNetherrack;
    region.set(p, is_magma ? kMagma : blocks::kNetherrack);
  }

  void drip(Region& region, Random& random, BlockPos p) const {
    constexpr std::int32_t kMost = 8;
    put_netherrack(region, random, p);
    for (std::int32_t i = 0; i < kMost && random.next_float() < 0.5F; ++i) {
      p = below(p);
      put_netherrack(region, random, p);
    }
  }

  void drip_below(Region& region, Random& random) const {
    for (std::int32_t x = box_.min_x + 1; x < box_.max_x; ++x) {
      for (std::int32_t z = box_.min_z + 1; z < box_.max_z; ++z) {
        const BlockPos p{x, box_.min_y, z};
        if (is(region.get(p), kNetherrackBlock)) drip(region, random, below(p));
      }
    }
  }

  void overgrow(Region& region, Random& random) const {
    for (std::int32_t z = box_.min_z; z <= box_.max_z; ++z) {
      for (std::int32_t y = box_.min_y; y <= box_.max_y; ++y) {
        for (std::int32_t x = box_.min_x; x <= box_.max_x; ++x) {
          const BlockPos p{x, y, z};
          if (look_.has_vines) maybe_add_vine(region, random, p);
          if (look_.is_overgrown) maybe_add_leaves(region, random, p);
        }
      }
    }
  }

  static void maybe_add_vine(Region& region, Random& random, BlockPos p) {
    const BlockState s = region.get(p);
    if (is_air(s) || is(s, kVineBlock)) return;
    const Direction d = kHorizontal[static_cast<std::size_t>(random.next_int(4))];
    const BlockPos beside = offset(p, d);
    if (!region.is_air(beside) || kSunkenTops.contains(s) || !carries_cover(s, d)) return;
    region.set(beside, with_bool(kVine, property_of(opposite(d)), true));
  }
  static PropertyId property_of(Direction d) {
    switch (d) {
      case Direction::kNorth:
        return properties::kNorth;
      case Direction::kSouth:
        return properties::kSouth;
      case Direction::kWest:
        return properties::kWest;
      default:
        return properties::kEast;
    }
  }

  static void maybe_add_leaves(Region& region, Random& random, BlockPos p) {
    if (random.next_float() < 0.5F && is(region.get(p), kNetherrackBlock) && region.is_air(above(p))) {
      region.set(above(p), kJungleLeaves);
    }
  }

  PortalLook look_;
};

class RuinedPortal final : public TemplateStructure {
 public:
  RuinedPortal(const Json& definition, const Figures& figures) {
    const Json& setups = field(definition, "setups");
    if (!setups.is_array() || setups.empty()) throw FigureError("a ruined portal needs at least one setup");
    for (const Json& json : setups) {
      PortalSetup setup;
      setup.place = parse_portal_place(text(json, "placement"));
      setup.air_pocket_probability = static_cast<float>(number(json, "air_pocket_probability"));
      setup.mossiness = static_cast<float>(number(json, "mossiness"));
      setup.weight = static_cast<float>(number(json, "weight"));
      setup.is_overgrown = bool_or(json, "overgrown", false);
      setup.has_vines = bool_or(json, "vines", false);
      setup.can_be_cold = bool_or(json, "can_be_cold", false);
      setup.is_of_blackstone = bool_or(json, "replace_with_blackstone", false);
      if (!(setup.weight > 0)) throw FigureError("the weight of a ruined portal's setup must be positive");
      setups_.push_back(setup);
    }
    if (std::ranges::any_of(setups_, &PortalSetup::can_be_cold)) climates_.emplace(figures);
  }

  std::optional<GenerationPoint> find(StartContext& context) const override {
    if (context.templates == nullptr) return {};
    constexpr std::int32_t kPortals = 10;
    constexpr std::int32_t kGiantPortals = 3;
    Random& random = context.random;
    const PortalSetup& setup = choose_setup(random);
    PortalLook look;
    look.place = setup.place;
    look.has_air_pocket = happens(random, setup.air_pocket_probability);
    look.mossiness = setup.mossiness;
    look.is_overgrown = setup.is_overgrown;
    look.has_vines = setup.has_vines;
    look.is_of_blackstone = setup.is_of_blackstone;
    const bool is_giant = random.next_float() < 0.05F;
    const std::int32_t which = random.next_int(is_giant ? kGiantPortals : kPortals) + 1;
    std::shared_ptr<const Template> content = template_or_empty(
        *context.templates,
        (is_giant ? "ruined_portal/giant_portal_" : "ruined_portal/portal_") + std::to_string(which));
    const Rotation rotation = random_rotation(random);
    const Mirror mirror = random.next_float() < 0.5F ? Mirror::kNone : Mirror::kFrontBack;
    const BlockPos pivot{content->size.x / 2, 0, content->size.z / 2};
    const BlockPos corner = chunk_corner(context.chunk, 0);
    const Box box = template_box(*content, corner, mirror, rotation, pivot);
    const BlockPos centre = box.center();
    const std::int32_t surface =
        context.terrain.first_free_height(centre.x, centre.z, surface_of(setup.place)) - 1;
    const std::int32_t y =
        choose_height(random, context.terrain, setup.place, look.has_air_pocket, surface, box);
    const BlockPos origin{corner.x, y, corner.z};
    return GenerationPoint{
        origin, [this, content = std::move(content), origin, rotation, mirror, pivot, look,
                 can_be_cold = setup.can_be_cold, &terrain = context.terrain](Random&) {
          PortalLook final_look = look;
          if (can_be_cold) {
            const BiomeId biome = terrain.biome(origin.x >> 2, origin.y >> 2, origin.z >> 2);
            final_look.is_cold = climates_->cold_enough_to_snow(biome, origin, terrain.sea_level());
          }
          return Pieces{
              std::make_shared<RuinedPortalPiece>(content, origin, rotation, mirror, pivot, final_look)};
        }};
  }

 private:
  const PortalSetup& choose_setup(Random& random) const {
    if (setups_.size() == 1) return setups_.front();
    float total = 0;
    for (const PortalSetup& setup : setups_) total += setup.weight;
    float pick = random.next_float();
    for (const PortalSetup& setup : setups_) {
      pick -= setup.weight / total;
      if (pick < 0) return setup;
    }
    return setups_.back();
  }

  static bool happens(Random& random, float probability) {
    if (probability == 0.0F) return false;
    if (probability == 1.0F) return true;
    return random.next_float() < probability;
  }

  static std::int32_t preferably_from(Random& random, std::int32_t min, std::int32_t max) {
    return min < max ? random.next_int_between(min, max) : max;
  }

  /// Draws a height, then sinks until three corners stand on something.
  static std::int32_t choose_height(Random& random, const TerrainProbe& terrain, PortalPlace place,
                                    bool has_air_pocket, std::int32_t surface, const Box& box) {
    constexpr std::int32_t kAboveBottom = 15;
    constexpr std::int32_t kEnoughCorners = 3;
    const std::int32_t min_y = terrain.heights().min_y + kAboveBottom;
    const std::int32_t buried = surface - box.y_span();
    std::int32_t y = surface;
    switch (place) {
      case PortalPlace::kInNether:
        if (has_air_pocket) {
          y = random.next_int_between(32, 100);
        } else if (random.next_float() < 0.5F) {
          y = random.next_int_between(27, 29);
        } else {
          y = random.next_int_between(29, 100);
        }
        break;
      case PortalPlace::kInMountain:
        y = preferably_from(random, 70, buried);
        break;
      case PortalPlace::kUnderground:
        y = preferably_from(random, min_y, buried);
        break;
      case PortalPlace::kPartlyBuried:
        y = buried + random.next_int_between(2, 8);
        break;
      case PortalPlace::kOnLandSurface:
      case PortalPlace::kOnOceanFloor:
        break;
    }
    const std::array columns = {terrain.column(box.min_x, box.min_z), terrain.column(box.max_x, box.min_z),
                                terrain.column(box.min_x, box.max_z), terrain.column(box.max_x, box.max_z)};
    const std::int32_t bottom = terrain.generated().min_y;
    const auto kind = static_cast<unsigned>(surface_of(place));
    for (; y > min_y; --y) {
      std::int32_t standing = 0;
      for (const std::vector<BlockState>& column : columns) {
        const auto index = static_cast<std::size_t>(y - bottom);
        const BlockState s = index < column.size() ? column[index] : blocks::kAir;
        standing += kStateTraits[s].height_bits >> kind & 1;
      }
      if (standing >= kEnoughCorners) break;
    }
    return y;
  }

  std::vector<PortalSetup> setups_;
  std::optional<BiomeClimates> climates_;  ///< when a setup can be cold
};

// --- Nether fossil -------------------------------------------------------

/// Placed as a whole by every chunk that it touches.
class NetherFossilPiece final : public TemplatePiece {
 public:
  NetherFossilPiece(const TemplateSource& templates, std::int32_t which, BlockPos position, Rotation rotation)
      : TemplatePiece(template_or_empty(templates, "nether_fossils/fossil_" + std::to_string(which)),
                      position, settings(rotation)) {}

  void place(PiecePlacing& placing) const override {
    PiecePlacing whole = placing;
    whole.writable.encapsulate(box_);
    place_at(whole, position_);
    place_dried_ghast(placing.region);
  }

 private:
  static TemplatePlacing settings(Rotation rotation) {
    TemplatePlacing result;
    result.rotation = rotation;
    result.processors = {ignore_structure_blocks_and_air()};
    return result;
  }

  void place_dried_ghast(Region& region) const {
    Random world = Random::legacy(region.seed());
    const BlockPos centre = box_.center();
    Random random = PositionalRandom(world).at(centre.x, centre.y, centre.z);
    if (!(random.next_float() < 0.5F)) return;
    const std::int32_t x = box_.min_x + random.next_int(box_.x_span());
    const std::int32_t z = box_.min_z + random.next_int(box_.z_span());
    const BlockPos p{x, box_.min_y, z};
    if (region.is_air(p)) region.set(p, rotate(kDriedGhast, random_rotation(random)));
  }
};

class NetherFossil final : public TemplateStructure {
 public:
  explicit NetherFossil(const Json& definition)
      : height_(HeightProvider::parse(field(definition, "height"))) {}

  std::optional<GenerationPoint> find(StartContext& context) const override {
    if (context.templates == nullptr) return {};
    constexpr std::int32_t kFossils = 14;
    Random& random = context.random;
    const TerrainProbe& terrain = context.terrain;
    const std::int32_t x = context.chunk.x * 16 + random.next_int(16);
    const std::int32_t z = context.chunk.z * 16 + random.next_int(16);
    const std::int32_t sea_level = terrain.sea_level();
    std::int32_t y = height_.sample(random, terrain.generated());
    const std::vector<BlockState> column = terrain.column(x, z);
    const auto at = [&, bottom = terrain.generated().min_y](std::int32_t level) {
      const auto index = static_cast<std::size_t>(level - bottom);
      return index < column.size() ? column[index] : blocks::kAir;
    };
    while (y > sea_level) {
      const BlockState current = at(y);
      const BlockState under = at(--y);
      if (is_air(current) && (is(under, kSoulSand) || is_face_sturdy(under, Direction::kUp))) break;
    }
    if (y <= sea_level) return {};
    const BlockPos position{x, y, z};
    return GenerationPoint{
        position, [templates = context.templates, position](Random& source) {
          const Rotation rotation = random_rotation(source);
          const std::int32_t which = source.next_int(kFossils) + 1;
          return Pieces{std::make_shared<NetherFossilPiece>(*templates, which, position, rotation)};
        }};
  }

 private:
  HeightProvider height_;
};

}  // namespace

void add_template_structures(StructureFactories& factories) {
  factories["igloo"] = [](const Json&, const StructureLoader&) { return std::make_shared<Igloo>(); };
  factories["shipwreck"] = [](const Json& json, const StructureLoader&) {
    return std::make_shared<Shipwreck>(bool_or(json, "is_beached", false));
  };
  factories["ocean_ruin"] = [](const Json& json, const StructureLoader&) {
    return std::make_shared<OceanRuin>(json);
  };
  factories["ruined_portal"] = [](const Json& json, const StructureLoader& loader) {
    return std::make_shared<RuinedPortal>(json, loader.figures);
  };
  factories["nether_fossil"] = [](const Json& json, const StructureLoader&) {
    return std::make_shared<NetherFossil>(json);
  };
}

}  // namespace horizon::worldgen
