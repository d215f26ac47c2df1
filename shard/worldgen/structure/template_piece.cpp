#include "shard/worldgen/structure/template_piece.hpp"

#include <algorithm>
#include <utility>

namespace horizon::worldgen {

namespace {

const BlockId kStructureBlock = block("structure_block"), kJigsaw = block("jigsaw");
const BlockSet kLootContainers = [] {
  BlockSet set = BlockSet::of(
      {"chest", "trapped_chest", "barrel", "dispenser", "dropper", "hopper", "crafter", "decorated_pot"});
  for (const BlockId shulker_box : BlockSet::tag("shulker_boxes").blocks()) set.insert(shulker_box);
  return set;
}();

std::string_view text_of(const nbt::Compound& data, std::string_view key, std::string_view fallback) {
  const nbt::Value* value = data.find(key);
  const std::string* found = value == nullptr ? nullptr : value->get<std::string>();
  return found == nullptr ? fallback : std::string_view(*found);
}

BlockPos sum(BlockPos a, BlockPos b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

}  // namespace

std::shared_ptr<const Template> template_or_empty(const TemplateSource& source, std::string_view name) {
  static const auto kEmpty = std::make_shared<const Template>();
  std::shared_ptr<const Template> found = source.get(name);
  return found == nullptr ? kEmpty : found;
}

Box template_box(const Template& content, BlockPos position, Mirror mirror, Rotation rotation,
                 BlockPos pivot) {
  const BlockPos far{content.size.x - 1, content.size.y - 1, content.size.z - 1};
  return Box::from_corners(transform({0, 0, 0}, mirror, rotation, pivot),
                           transform(far, mirror, rotation, pivot))
      .moved(position.x, position.y, position.z);
}

Rotation turned(Rotation first, Rotation second) {
  return static_cast<Rotation>((static_cast<int>(first) + static_cast<int>(second)) & 3);
}

TemplatePiece::TemplatePiece(std::shared_ptr<const Template> content, BlockPos position,
                             TemplatePlacing settings)
    : StructurePiece(template_box(*content, position, settings.mirror, settings.rotation, settings.pivot)),
      position_(position),
      content_(std::move(content)),
      settings_(std::move(settings)) {}

void TemplatePiece::move(std::int32_t dx, std::int32_t dy, std::int32_t dz) {
  StructurePiece::move(dx, dy, dz);
  position_ = offset(position_, dx, dy, dz);
}

BlockPos TemplatePiece::turned_offset(BlockPos p) const {
  return transform(p, settings_.mirror, settings_.rotation, settings_.pivot);
}

void TemplatePiece::place_at(PiecePlacing& placing, BlockPos position) const {
  TemplatePlacing settings = settings_;
  settings.bounds = placing.writable;
  if (!place_template(placing.region, *content_, position, placing.start_pivot, settings, placing.random))
    return;

  const std::vector<TemplateBlock>& blocks = content_->palettes[palette_index(*content_, position)];
  const auto for_each = [&](BlockId wanted, auto&& body) {
    for (const TemplateBlock& entry : blocks) {
      if (entry.data == nullptr || !is(entry.state, wanted)) continue;
      const BlockPos p = sum(turned_offset(entry.pos), position);
      if (placing.writable.contains(p)) body(*entry.data, p);
    }
  };
  for_each(kStructureBlock, [&](const nbt::Compound& data, BlockPos p) {
    if (text_of(data, "mode", "") == "DATA") data_marker(placing, text_of(data, "metadata", ""), p);
  });
  for_each(kJigsaw, [&](const nbt::Compound& data, BlockPos p) {
    BlockState final_state = blocks::kAir;
    try {
      final_state = parse_state_text(text_of(data, "final_state", "minecraft:air"));
    } catch (const FigureError&) {
      // An operator's template with a state that this version does not know: air, as in the game.
    }
    placing.region.set(p, final_state);
  });
}

void TemplatePiece::data_marker(PiecePlacing&, std::string_view, BlockPos) const {}

void fill_container(Region& region, Random& random, BlockPos p, std::string_view loot_table) {
  if (!kLootContainers.contains(region.get(p))) return;
  region.set_loot(p, loot_table, random.next_long());
}

nbt::Compound entity_data(std::string_view id, Vec3 at) {
  nbt::Compound data;
  data.set("id", id);
  data.set("Pos", nbt::make_list({at.x, at.y, at.z}));
  data.set("Motion", nbt::make_list({0.0, 0.0, 0.0}));
  data.set("Rotation", nbt::make_list({0.0F, 0.0F}));
  return data;
}

nbt::Compound make_mob(Region& region, std::string_view id, Vec3 at) {
  nbt::Compound mob = entity_data(id, at);
  mob.set("PersistenceRequired", true);
  Random& random = region.level_random();
  random.triangle(0.0, 1.0);  // how far the mob sees: left to the simulation, but drawn here
  mob.set("LeftHanded", random.next_float() < 0.05F);
  return mob;
}

void hold(nbt::Compound& mob, std::string_view hand, std::string_view item) {
  nbt::Compound stack;
  stack.set("id", item).set("count", std::int32_t{1});
  nbt::Compound equipment;
  if (const nbt::Value* old = mob.find("equipment"); old != nullptr) equipment = *old->get<nbt::Compound>();
  equipment.set(std::string(hand), std::move(stack));
  mob.set("equipment", std::move(equipment));
}

BlockPos on_top_of_chunk_centre(const StartContext& context, HeightKind kind) {
  const std::int32_t x = context.chunk.x * 16 + 8;
  const std::int32_t z = context.chunk.z * 16 + 8;
  return {x, context.terrain.first_occupied_height(x, z, kind), z};
}

std::array<std::int32_t, 4> corner_heights(const TerrainProbe& terrain, std::int32_t min_x,
                                           std::int32_t size_x, std::int32_t min_z, std::int32_t size_z) {
  constexpr auto kKind = HeightKind::kWorldSurfaceWg;
  return {terrain.first_occupied_height(min_x, min_z, kKind),
          terrain.first_occupied_height(min_x, min_z + size_z, kKind),
          terrain.first_occupied_height(min_x + size_x, min_z, kKind),
          terrain.first_occupied_height(min_x + size_x, min_z + size_z, kKind)};
}

BlockPos lowest_of_square(const StartContext& context, Rotation rotation) {
  constexpr std::int32_t kSide = 5;
  const bool is_west = rotation == Rotation::kClockwise90 || rotation == Rotation::kClockwise180;
  const bool is_north = rotation == Rotation::kClockwise180 || rotation == Rotation::kCounterclockwise90;
  const std::int32_t x = context.chunk.x * 16 + 7;
  const std::int32_t z = context.chunk.z * 16 + 7;
  const auto heights =
      corner_heights(context.terrain, x, is_west ? -kSide : kSide, z, is_north ? -kSide : kSide);
  return {x, *std::ranges::min_element(heights), z};
}

}  // namespace horizon::worldgen
