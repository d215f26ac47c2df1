#include "shard/worldgen/structure/template_placing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_map>

#include "shard/worldgen/base/shape_update.hpp"
#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/terrain/math.hpp"

namespace horizon::worldgen {

namespace {

BlockPos sum(BlockPos a, BlockPos b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

Random random_at(BlockPos p) { return Random::legacy(position_seed(p.x, p.y, p.z)); }

/// Runs `body` with the placing's random, or with one of the position.
template <typename Body>
auto with_random(const TemplatePlacing& placing, BlockPos p, Body&& body) {
  if (placing.random != nullptr) return body(*placing.random);
  Random random = random_at(p);
  return body(random);
}

bool is_container(BlockState s) {
  static const BlockSet kContainers = [] {
    BlockSet set = BlockSet::of(
        {"chest", "trapped_chest", "barrel", "dispenser", "dropper", "hopper", "crafter", "decorated_pot"});
    for (const std::string_view tag : {"shulker_boxes", "copper_chests"}) {
      for (const BlockId b : BlockSet::tag(tag).blocks()) set.insert(b);
    }
    return set;
  }();
  return kContainers.contains(s);
}

/// Puts a water source into a block that can hold it; campfires and candles go out.
void put_water(Region& region, BlockPos p, BlockState s, BlockState liquid) {
  static const PropertyId kLit = property_id("lit");
  if (!has_property(s, properties::kWaterlogged) || bool_value(s, properties::kWaterlogged)) return;
  if (fluid(liquid) != Fluid::kWater || !is_fluid_source(liquid)) return;
  if (value_text(s, properties::kType) == "double") return;
  region.set(p, with_bool(with_bool(s, kLit, false), properties::kWaterlogged, true));
}

/// Blocks that stand in water which reaches them from a source beside take it in.
void spread_water(Region& region, std::vector<BlockPos>& open, const std::vector<BlockPos>& locked) {
  constexpr std::array kSides = {Direction::kUp, Direction::kNorth, Direction::kEast, Direction::kSouth,
                                 Direction::kWest};
  bool has_filled = true;
  while (has_filled && !open.empty()) {
    has_filled = false;
    std::erase_if(open, [&](BlockPos p) {
      BlockState source = region.get(p);
      for (const Direction d : kSides) {
        if (is_fluid_source(source)) break;
        const BlockPos near = offset(p, d);
        const BlockState s = region.get(near);
        if (is_fluid_source(s) && std::ranges::find(locked, near) == locked.end()) source = s;
      }
      if (!is_fluid_source(source)) return false;
      put_water(region, p, region.get(p), source);
      has_filled = true;
      return true;
    });
  }
}

float wrap_degrees(float angle) {
  float wrapped = std::fmod(angle, 360.0F);
  if (wrapped >= 180.0F) wrapped -= 360.0F;
  if (wrapped < -180.0F) wrapped += 360.0F;
  return wrapped;
}

/// Turns an entity that hangs on a wall; false when it is none. `key` is where its kind keeps the side that
/// it looks to, as the index of one of `sides`.
bool turn_hanging(nbt::Compound& data, std::string_view key, std::span<const Direction> sides,
                  const TemplatePlacing& placing) {
  const nbt::Value* facing = data.find(key);
  if (facing == nullptr || data.find("block_pos") == nullptr) return false;
  const auto index = static_cast<std::size_t>(facing->as_int());
  if (index >= sides.size()) return false;
  Direction d = rotate(sides[index], placing.rotation);
  const bool is_z = d == Direction::kNorth || d == Direction::kSouth;
  const bool is_flipped =
      placing.mirror != Mirror::kNone && is_horizontal(d) && (placing.mirror == Mirror::kLeftRight) == is_z;
  if (is_flipped) d = opposite(d);
  const auto at = static_cast<std::int8_t>(std::ranges::find(sides, d) - sides.begin());
  data.set(std::string(key), at);
  return true;
}

/// Where an entity looks to, in the turned template.
void turn_entity(nbt::Compound& data, BlockPos p, const TemplatePlacing& placing) {
  static constexpr std::array kBySouth = {Direction::kSouth, Direction::kWest, Direction::kNorth,
                                          Direction::kEast};
  if (turn_hanging(data, "Facing", kDirections, placing) || turn_hanging(data, "facing", kBySouth, placing)) {
    data.set("block_pos", std::vector<std::int32_t>{p.x, p.y, p.z});
    return;
  }
  const nbt::Value* rotation = data.find("Rotation");
  const nbt::List* angles = rotation == nullptr ? nullptr : rotation->get<nbt::List>();
  if (angles == nullptr || angles->values.size() != 2) return;
  constexpr std::array kTurns = {0.0F, 90.0F, 180.0F, 270.0F};
  const auto yaw = static_cast<float>(angles->values[0].as_double());
  const auto pitch = static_cast<float>(angles->values[1].as_double());
  const float wrapped = wrap_degrees(yaw);
  const float turned = wrapped + kTurns[static_cast<std::size_t>(placing.rotation)];
  const float mirrored = placing.mirror == Mirror::kNone        ? wrapped
                         : placing.mirror == Mirror::kFrontBack ? -wrapped
                                                                : 180.0F - wrapped;
  data.set("Rotation", nbt::make_list({turned + (mirrored - yaw), pitch}));
}

void place_entities(Region& region, const Template& content, BlockPos position,
                    const TemplatePlacing& placing) {
  for (const TemplateEntity& entity : content.entities) {
    const BlockPos p =
        sum(transform(entity.block, placing.mirror, placing.rotation, placing.pivot), position);
    if (placing.bounds && !placing.bounds->contains(p)) continue;
    double x = entity.pos.x, z = entity.pos.z;
    if (placing.mirror == Mirror::kLeftRight) z = 1.0 - z;
    if (placing.mirror == Mirror::kFrontBack) x = 1.0 - x;
    const double px = placing.pivot.x, pz = placing.pivot.z;
    Vec3 at{x, entity.pos.y, z};
    if (placing.rotation == Rotation::kClockwise90) at = {px + pz + 1 - z, entity.pos.y, pz - px + x};
    if (placing.rotation == Rotation::kClockwise180) at = {px + px + 1 - x, entity.pos.y, pz + pz + 1 - z};
    if (placing.rotation == Rotation::kCounterclockwise90) at = {px - pz + z, entity.pos.y, px + pz + 1 - x};
    nbt::Compound data = *entity.data;
    std::erase_if(data.entries, [](const auto& entry) { return entry.first == "UUID"; });
    data.set("Pos", nbt::make_list({position.x + at.x, position.y + at.y, position.z + at.z}));
    turn_entity(data, p, placing);
    region.add_entity(std::move(data), p);
  }
}

}  // namespace

std::size_t palette_index(const Template& content, BlockPos position) {
  return static_cast<std::size_t>(
      random_at(position).next_int(static_cast<std::int32_t>(content.palettes.size())));
}

bool place_template(Region& region, const Template& content, BlockPos position, BlockPos reference,
                    const TemplatePlacing& placing, Random& random) {
  if (content.palettes.empty()) return false;
  const auto palette = with_random(placing, position, [&](Random& r) {
    return static_cast<std::size_t>(r.next_int(static_cast<std::int32_t>(content.palettes.size())));
  });
  const std::vector<TemplateBlock>& blocks = content.palettes[palette];
  if (blocks.empty() && (placing.ignore_entities || content.entities.empty())) return false;
  if (content.size.x < 1 || content.size.y < 1 || content.size.z < 1) return false;

  const ProcessorContext context{region, position, reference, placing};
  const bool needs_all = std::ranges::any_of(placing.processors, &TemplateProcessor::needs_all);
  // Where processors draw for each block on its own and keep its column, those outside of the bounds need no
  // work.
  const bool may_skip = placing.bounds && !needs_all && placing.random == nullptr;
  std::vector<TemplateBlock> originals, placed;
  for (const TemplateBlock& original : blocks) {
    const BlockPos at =
        sum(transform(original.pos, placing.mirror, placing.rotation, placing.pivot), position);
    if (may_skip && !placing.bounds->intersects(at.x, at.z, at.x, at.z)) continue;
    TemplateBlock entry{at, original.state, original.data};
    const bool is_kept = std::ranges::all_of(placing.processors, [&](const TemplateProcessorPtr& processor) {
      return processor->process(context, original, entry);
    });
    if (!is_kept) continue;
    if (needs_all) originals.push_back(original);
    placed.push_back(std::move(entry));
  }
  if (needs_all) {
    for (const TemplateProcessorPtr& processor : placing.processors)
      processor->finish(context, originals, placed);
  }

  std::vector<BlockPos> open, locked, written;
  for (const TemplateBlock& entry : placed) {
    const BlockPos p = entry.pos;
    if (placing.bounds && !placing.bounds->contains(p)) continue;
    const BlockState before = region.get(p);
    const BlockState s = rotate(mirror(entry.state, placing.mirror), placing.rotation);
    if (!region.set(p, s)) continue;
    written.push_back(p);
    if (entry.data != nullptr) {
      nbt::Compound data = *entry.data;
      if (is_container(s)) data.set("LootTableSeed", random.next_long());
      region.set_block_entity(p, std::move(data));
    }
    if (!placing.keeps_water) continue;
    if (is_fluid_source(s)) {
      locked.push_back(p);
    } else if (has_property(s, properties::kWaterlogged)) {
      put_water(region, p, s, before);
      if (!is_fluid_source(before)) open.push_back(p);
    }
  }
  spread_water(region, open, locked);
  if (!placing.known_shape && !written.empty()) {
    Box box{written[0].x, written[0].y, written[0].z, written[0].x, written[0].y, written[0].z};
    for (const BlockPos p : written) box.encapsulate(p);
    BlockShape shape(box);
    for (const BlockPos p : written) shape.fill(p);
    update_shapes_at_edge(region, shape);
    for (const BlockPos p : written) {
      const BlockState s = region.get(p), updated = updated_from_neighbours(region, s, p);
      if (s != updated) region.set(p, updated);
    }
  }
  if (!placing.ignore_entities) place_entities(region, content, position, placing);
  return true;
}

// --- Processors ----------------------------------------------------------

namespace {

class IgnoreBlocks : public TemplateProcessor {
 public:
  explicit IgnoreBlocks(BlockSet ignored) : ignored_(ignored) {}
  bool process(const ProcessorContext&, const TemplateBlock&, TemplateBlock& placed) const override {
    return !ignored_.contains(placed.state);
  }

 private:
  BlockSet ignored_;
};

class ReplaceJigsaws : public TemplateProcessor {
 public:
  bool process(const ProcessorContext&, const TemplateBlock&, TemplateBlock& placed) const override {
    static const BlockId kJigsaw = block("jigsaw"), kVoid = block("structure_void");
    if (!is(placed.state, kJigsaw) || placed.data == nullptr) return true;
    const nbt::Value* value = placed.data->find("final_state");
    const std::string* text = value == nullptr ? nullptr : value->get<std::string>();
    try {
      placed.state = text == nullptr ? blocks::kAir : parse_state_text(*text);
    } catch (const FigureError&) {
      return false;
    }
    placed.data = nullptr;
    return !is(placed.state, kVoid);
  }
};

class BlockRot : public TemplateProcessor {
 public:
  BlockRot(std::optional<BlockSet> rottable, float integrity) : rottable_(rottable), integrity_(integrity) {}
  bool process(const ProcessorContext& context, const TemplateBlock& original,
               TemplateBlock& placed) const override {
    if (rottable_ && !rottable_->contains(original.state)) return true;
    return with_random(context.placing, placed.pos,
                       [this](Random& r) { return r.next_float() <= integrity_; });
  }

 private:
  std::optional<BlockSet> rottable_;
  float integrity_;
};

class Gravity : public TemplateProcessor {
 public:
  Gravity(HeightKind kind, std::int32_t offset) : kind_(kind), offset_(offset) {}
  bool process(const ProcessorContext& context, const TemplateBlock& original,
               TemplateBlock& placed) const override {
    placed.pos.y = context.region.height(kind_, placed.pos.x, placed.pos.z) + offset_ + original.pos.y;
    return true;
  }

 private:
  HeightKind kind_;
  std::int32_t offset_;
};

class BlockAge : public TemplateProcessor {
 public:
  explicit BlockAge(float mossiness) : mossiness_(mossiness) {}
  bool process(const ProcessorContext& context, const TemplateBlock&, TemplateBlock& placed) const override {
    with_random(context.placing, placed.pos,
                [&](Random& random) { placed.state = aged(placed.state, random); });
    return true;
  }

 private:
  BlockState aged(BlockState s, Random& random) const {
    static const BlockSet kFull = BlockSet::of({"stone_bricks", "stone", "chiseled_stone_bricks"}),
                          kObsidians = BlockSet::of({"obsidian"}), kStairs = BlockSet::tag("stairs"),
                          kSlabs = BlockSet::tag("slabs"), kWalls = BlockSet::tag("walls");
    static const BlockState kCracked = state("cracked_stone_bricks"), kMossy = state("mossy_stone_bricks"),
                            kStair = state("stone_brick_stairs"),
                            kMossyStair = state("mossy_stone_brick_stairs"), kStoneSlab = state("stone_slab"),
                            kBrickSlab = state("stone_brick_slab"),
                            kMossySlab = state("mossy_stone_brick_slab"),
                            kMossyWall = state("mossy_stone_brick_wall"), kCrying = state("crying_obsidian");
    if (kFull.contains(s)) {
      if (random.next_float() >= 0.5F) return s;
      const BlockState stair = random_stair(kStair, random);
      const BlockState mossy_stair = random_stair(kMossyStair, random);
      return pick(random, {kCracked, stair}, {kMossy, mossy_stair});
    }
    if (kStairs.contains(s)) {
      if (random.next_float() >= 0.5F) return s;
      return pick(random, {kStoneSlab, kBrickSlab}, {with_properties_of(kMossyStair, s), kMossySlab});
    }
    if (kSlabs.contains(s)) return random.next_float() < mossiness_ ? with_properties_of(kMossySlab, s) : s;
    if (kWalls.contains(s)) return random.next_float() < mossiness_ ? with_properties_of(kMossyWall, s) : s;
    if (kObsidians.contains(s)) return random.next_float() < 0.15F ? kCrying : s;
    return s;
  }
  static BlockState random_stair(BlockState stair, Random& random) {
    const Direction d = kHorizontal[static_cast<std::size_t>(random.next_int(4))];
    const BlockState turned = with(stair, properties::kFacing, name(d));
    return with(turned, properties::kHalf, random.next_int(2) == 0 ? "top" : "bottom");
  }
  BlockState pick(Random& random, std::array<BlockState, 2> plain, std::array<BlockState, 2> mossy) const {
    const auto& states = random.next_float() < mossiness_ ? mossy : plain;
    return states[static_cast<std::size_t>(random.next_int(2))];
  }

  float mossiness_;
};

class ProtectedBlocks : public TemplateProcessor {
 public:
  explicit ProtectedBlocks(BlockSet kept) : kept_(kept) {}
  bool process(const ProcessorContext& context, const TemplateBlock&, TemplateBlock& placed) const override {
    return !kept_.contains(context.region.get(placed.pos));
  }

 private:
  BlockSet kept_;
};

class LavaSubmerged : public TemplateProcessor {
 public:
  bool process(const ProcessorContext& context, const TemplateBlock&, TemplateBlock& placed) const override {
    static const BlockId kLava = block("lava");
    if (is(context.region.get(placed.pos), kLava) && !is_collision_full(placed.state))
      placed.state = blocks::kLava;
    return true;
  }
};

class BlackstoneReplace : public TemplateProcessor {
 public:
  bool process(const ProcessorContext&, const TemplateBlock&, TemplateBlock& placed) const override {
    static const std::unordered_map<BlockId, BlockState> kReplacements = [] {
      constexpr std::array<std::array<std::string_view, 2>, 23> kNames = {{
          {"cobblestone", "blackstone"},
          {"mossy_cobblestone", "blackstone"},
          {"stone", "polished_blackstone"},
          {"stone_bricks", "polished_blackstone_bricks"},
          {"mossy_stone_bricks", "polished_blackstone_bricks"},
          {"cobblestone_stairs", "blackstone_stairs"},
          {"mossy_cobblestone_stairs", "blackstone_stairs"},
          {"stone_stairs", "polished_blackstone_stairs"},
          {"stone_brick_stairs", "polished_blackstone_brick_stairs"},
          {"mossy_stone_brick_stairs", "polished_blackstone_brick_stairs"},
          {"cobblestone_slab", "blackstone_slab"},
          {"mossy_cobblestone_slab", "blackstone_slab"},
          {"smooth_stone_slab", "polished_blackstone_slab"},
          {"stone_slab", "polished_blackstone_slab"},
          {"stone_brick_slab", "polished_blackstone_brick_slab"},
          {"mossy_stone_brick_slab", "polished_blackstone_brick_slab"},
          {"stone_brick_wall", "polished_blackstone_brick_wall"},
          {"mossy_stone_brick_wall", "polished_blackstone_brick_wall"},
          {"cobblestone_wall", "blackstone_wall"},
          {"mossy_cobblestone_wall", "blackstone_wall"},
          {"chiseled_stone_bricks", "chiseled_polished_blackstone"},
          {"cracked_stone_bricks", "cracked_polished_blackstone_bricks"},
          {"iron_bars", "iron_chain"},
      }};
      std::unordered_map<BlockId, BlockState> map;
      for (const auto& [from, to] : kNames) map.emplace(block(from), state(to));
      return map;
    }();
    const auto it = kReplacements.find(game::block_of(placed.state));
    if (it == kReplacements.end()) return true;
    BlockState s = it->second;
    for (const PropertyId p : {properties::kFacing, properties::kHalf, properties::kType}) {
      if (has_property(placed.state, p)) s = with(s, p, value_text(placed.state, p));
    }
    placed.state = s;
    return true;
  }
};

class Rules : public TemplateProcessor {
 public:
  explicit Rules(std::vector<TemplateRule> rules) : rules_(std::move(rules)) {}
  bool process(const ProcessorContext& context, const TemplateBlock&, TemplateBlock& placed) const override {
    Random random = random_at(placed.pos);
    const BlockState there = context.region.get(placed.pos);
    for (const TemplateRule& rule : rules_) {
      if (!rule.input.test(placed.state, random) || !rule.location.test(there, random) ||
          !fits_position(rule, placed.pos, context.reference, random)) {
        continue;
      }
      placed.state = rule.output;
      if (rule.clears_data) placed.data = std::make_shared<nbt::Compound>();
      if (!rule.append_loot.empty()) {
        auto data = placed.data == nullptr ? std::make_shared<nbt::Compound>()
                                           : std::make_shared<nbt::Compound>(*placed.data);
        data->set("LootTable", rule.append_loot);
        data->set("LootTableSeed", random.next_long());
        placed.data = std::move(data);
      }
      return true;
    }
    return true;
  }

 private:
  static bool fits_position(const TemplateRule& rule, BlockPos p, BlockPos reference, Random& random) {
    if (rule.axis < 0) return true;
    const std::int32_t x = std::abs(p.x - reference.x), y = std::abs(p.y - reference.y),
                       z = std::abs(p.z - reference.z);
    const std::int32_t distance =
        rule.axis == 0 ? x : (rule.axis == 1 ? y : (rule.axis == 2 ? z : x + y + z));
    const float drawn = random.next_float();
    const float part = static_cast<float>(distance - rule.min_distance) /
                       static_cast<float>(rule.max_distance - rule.min_distance);
    const float chance = part < 0.0F
                             ? rule.min_chance
                             : (part > 1.0F ? rule.max_chance : lerp(part, rule.min_chance, rule.max_chance));
    return drawn <= chance;
  }

  std::vector<TemplateRule> rules_;
};

class Capped : public TemplateProcessor {
 public:
  Capped(TemplateProcessorPtr delegate, IntProvider limit)
      : delegate_(std::move(delegate)), limit_(std::move(limit)) {}
  bool needs_all() const override { return true; }
  void finish(const ProcessorContext& context, const std::vector<TemplateBlock>& originals,
              std::vector<TemplateBlock>& placed) const override {
    if (limit_.max() == 0 || placed.empty()) return;
    Random source = Random::legacy(context.region.seed());
    Random random = PositionalRandom(source).at(context.position.x, context.position.y, context.position.z);
    const std::int32_t most = std::min(limit_.sample(random), static_cast<std::int32_t>(placed.size()));
    if (most < 1) return;
    std::vector<std::size_t> order(placed.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    shuffle(order, random);
    std::int32_t replaced = 0;
    for (const std::size_t i : order) {
      if (replaced >= most) break;
      TemplateBlock altered = placed[i];
      if (!delegate_->process(context, originals[i], altered)) continue;
      if (altered.state == placed[i].state && altered.data == placed[i].data && altered.pos == placed[i].pos)
        continue;
      placed[i] = std::move(altered);
      ++replaced;
    }
  }

 private:
  TemplateProcessorPtr delegate_;
  IntProvider limit_;
};

TemplateRule parse_rule(const Json& json) {
  TemplateRule rule;
  rule.input = RuleTest::parse(field(json, "input_predicate"));
  rule.location = RuleTest::parse(field(json, "location_predicate"));
  rule.output = parse_state(field(json, "output_state"));
  if (const auto position = json.find("position_predicate"); position != json.end()) {
    const std::string_view type = without_minecraft(text(*position, "predicate_type"));
    if (type == "linear_pos" || type == "axis_aligned_linear_pos") {
      rule.axis = 3;
      if (type == "axis_aligned_linear_pos") {
        const auto axis = position->find("axis");
        const std::string name = axis == position->end() ? "y" : axis->get<std::string>();
        rule.axis = name == "x" ? 0 : (name == "y" ? 1 : 2);
      }
      rule.min_chance = static_cast<float>(number_or(*position, "min_chance", 0));
      rule.max_chance = static_cast<float>(number_or(*position, "max_chance", 0));
      rule.min_distance = int_or(*position, "min_dist", 0);
      rule.max_distance = int_or(*position, "max_dist", 0);
      if (rule.min_distance >= rule.max_distance)
        throw FigureError("\"min_dist\" must be less than \"max_dist\"");
    } else if (type != "always_true") {
      throw FigureError("unknown position predicate \"" + std::string(type) + "\"");
    }
  }
  if (const auto modifier = json.find("block_entity_modifier"); modifier != json.end()) {
    const std::string_view type = type_of(*modifier);
    if (type == "append_loot") {
      rule.append_loot = with_namespace(text(*modifier, "loot_table"));
    } else if (type == "clear") {
      rule.clears_data = true;
    } else if (type != "passthrough") {
      throw FigureError("unknown block entity modifier \"" + std::string(type) + "\"");
    }
  }
  return rule;
}

TemplateProcessorPtr parse_processor(const Json& json) {
  const std::string_view type = without_minecraft(text(json, "processor_type"));
  if (type == "rule") {
    std::vector<TemplateRule> list;
    for (const Json& rule : field(json, "rules")) list.push_back(parse_rule(rule));
    return rules(std::move(list));
  }
  if (type == "block_rot") {
    std::optional<BlockSet> rottable;
    if (const auto set = json.find("rottable_blocks"); set != json.end()) rottable = BlockSet::parse(*set);
    return std::make_shared<BlockRot>(rottable, static_cast<float>(number(json, "integrity")));
  }
  if (type == "protected_blocks") {
    std::string tag = text(json, "value");
    if (!tag.starts_with('#')) tag = "#" + tag;
    return protected_blocks(BlockSet::parse(tag));
  }
  if (type == "capped") {
    return std::make_shared<Capped>(parse_processor(field(json, "delegate")),
                                    IntProvider::parse(field(json, "limit")));
  }
  if (type == "block_ignore") {
    BlockSet ignored;
    for (const Json& s : field(json, "blocks")) ignored.insert(game::block_of(parse_state(s)));
    return std::make_shared<IgnoreBlocks>(ignored);
  }
  if (type == "block_age") return block_age(static_cast<float>(number(json, "mossiness")));
  if (type == "gravity")
    return gravity(parse_height_kind(text(json, "heightmap")), int_or(json, "offset", 0));
  if (type == "jigsaw_replacement") return replace_jigsaws();
  if (type == "blackstone_replace") return blackstone_replace();
  if (type == "lava_submerged_block") return lava_submerged_blocks();
  if (type == "nop") return std::make_shared<TemplateProcessor>();
  throw FigureError("unknown processor type \"" + std::string(type) + "\"");
}

}  // namespace

std::vector<TemplateProcessorPtr> parse_processors(const Json& list_or_name, const Figures& figures) {
  if (list_or_name.is_string()) {
    return parse_processors(figures.get("processor_list", list_or_name.get_ref<const std::string&>()),
                            figures);
  }
  const Json& list = list_or_name.is_array() ? list_or_name : field(list_or_name, "processors");
  std::vector<TemplateProcessorPtr> processors;
  for (const Json& json : list) processors.push_back(parse_processor(json));
  return processors;
}

TemplateProcessorPtr ignore_structure_blocks() {
  return std::make_shared<IgnoreBlocks>(BlockSet::of({"structure_block"}));
}
TemplateProcessorPtr ignore_structure_blocks_and_air() {
  return std::make_shared<IgnoreBlocks>(BlockSet::of({"structure_block", "air"}));
}
TemplateProcessorPtr replace_jigsaws() { return std::make_shared<ReplaceJigsaws>(); }
TemplateProcessorPtr block_rot(float integrity) {
  return std::make_shared<BlockRot>(std::nullopt, integrity);
}
TemplateProcessorPtr gravity(HeightKind kind, std::int32_t offset) {
  return std::make_shared<Gravity>(kind, offset);
}
TemplateProcessorPtr block_age(float mossiness) { return std::make_shared<BlockAge>(mossiness); }
TemplateProcessorPtr protected_blocks(BlockSet kept) { return std::make_shared<ProtectedBlocks>(kept); }
TemplateProcessorPtr lava_submerged_blocks() { return std::make_shared<LavaSubmerged>(); }
TemplateProcessorPtr blackstone_replace() { return std::make_shared<BlackstoneReplace>(); }
TemplateProcessorPtr capped(TemplateProcessorPtr delegate, std::int32_t limit) {
  return std::make_shared<Capped>(std::move(delegate), IntProvider::constant(limit));
}
TemplateProcessorPtr rules(std::vector<TemplateRule> list) {
  return std::make_shared<Rules>(std::move(list));
}

TemplateRule replace_block(std::string_view from, std::string_view to) {
  TemplateRule rule;
  rule.input = RuleTest::parse({{"predicate_type", "block_match"}, {"block", with_namespace(from)}});
  rule.location = RuleTest::parse({{"predicate_type", "always_true"}});
  rule.output = state(to);
  return rule;
}
TemplateRule replace_block(std::string_view from, std::string_view to, float probability) {
  TemplateRule rule = replace_block(from, to);
  rule.input = RuleTest::parse({{"predicate_type", "random_block_match"},
                                {"block", with_namespace(from)},
                                {"probability", probability}});
  return rule;
}

}  // namespace horizon::worldgen
