#include "common/game/game.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "common/nbt/nbt.hpp"
#include "common/protocol/v775/packet_ids.hpp"

namespace horizon::game {
namespace {

/// Figures of minecraft-data 3.119.0, pc/26.1, blocks.json.
struct KnownBlock {
  std::string_view name;
  BlockId id;
  BlockState first, last, standard;
  float hardness;
  /// Of the default state, in the order of the numbering.
  std::string_view properties;
};
constexpr KnownBlock kKnownBlocks[] = {
    {"minecraft:air", 0, 0, 0, 0, 0, ""},
    {"minecraft:stone", 1, 1, 1, 1, 1.5f, ""},
    {"minecraft:grass_block", 8, 8, 9, 9, 0.6f, "snowy=false"},
    {"minecraft:bedrock", 34, 85, 85, 85, -1, ""},
    {"minecraft:water", 35, 86, 101, 86, 100, "level=0"},
    {"minecraft:oak_log", 49, 136, 138, 137, 2, "axis=y"},
    {"minecraft:oak_leaves", 88, 252, 279, 279, 0.2f, "distance=7,persistent=false,waterlogged=false"},
    {"minecraft:oak_stairs", 200, 3907, 3986, 3918, 2,
     "facing=north,half=bottom,shape=straight,waterlogged=false"},
    {"minecraft:chest", 201, 3987, 4010, 3988, 2.5f, "facing=north,type=single,waterlogged=false"},
    {"minecraft:redstone_wire", 202, 4011, 5306, 5171, 0,
     "east=none,north=none,power=0,south=none,west=none"},
    {"minecraft:wheat", 207, 5311, 5318, 5311, 0, "age=0"},
    {"minecraft:furnace", 209, 5327, 5334, 5328, 3.5f, "facing=north,lit=false"},
    {"minecraft:oak_door", 220, 5655, 5718, 5666, 3,
     "facing=north,half=lower,hinge=left,open=false,powered=false"},
    {"minecraft:snow", 276, 6919, 6926, 6919, 0.1f, "layers=1"},
    {"minecraft:oak_slab", 599, 13330, 13335, 13333, 2, "type=bottom,waterlogged=false"},
};

BlockState state_of(std::string_view block,
                    std::initializer_list<std::pair<std::string_view, std::string_view>> set = {}) {
  BlockState state = default_state(find_block(block).value());
  for (const auto& [name, value] : set) state = with_property(state, name, value).value();
  return state;
}

std::string text_of(BlockState state) {
  std::string result;
  for (const Property& known : block_properties(block_of(state))) {
    if (!result.empty()) result += ',';
    result += std::string(known.name) + '=' + std::string(property(state, known.name));
  }
  return result;
}

TEST(Blocks, AreNumberedAsTheGameNumbersThem) {
  EXPECT_EQ(block_count(), 1168);
  EXPECT_EQ(block_state_count(), 29873);
  for (const KnownBlock& known : kKnownBlocks) {
    SCOPED_TRACE(known.name);
    ASSERT_EQ(find_block(known.name), known.id);
    EXPECT_EQ(block_name(known.id), known.name);
    EXPECT_EQ(state_range(known.id),
              std::pair(known.first, static_cast<std::uint16_t>(known.last - known.first + 1)));
    EXPECT_EQ(default_state(known.id), known.standard);
    EXPECT_FLOAT_EQ(hardness(known.id), known.hardness);
    EXPECT_EQ(text_of(known.standard), known.properties);
    EXPECT_EQ(block_of(known.first), known.id);
    EXPECT_EQ(block_of(known.last), known.id);
  }
  EXPECT_EQ(find_block("minecraft:no_such_block"), std::nullopt);
  EXPECT_EQ(find_block(""), std::nullopt);
}

TEST(Blocks, EveryNameIsFoundAndStatesFillTheNumbersWithoutAGap) {
  BlockState next = 0;
  for (std::int32_t i = 0; i < block_count(); i++) {
    const auto block = static_cast<BlockId>(i);
    ASSERT_EQ(find_block(block_name(block)), block);
    const auto [first, count] = state_range(block);
    ASSERT_EQ(first, next);
    ASSERT_GE(default_state(block), first);
    next = static_cast<BlockState>(next + count);
    ASSERT_LT(default_state(block), next);
  }
  EXPECT_EQ(next, block_state_count());
}

TEST(Blocks, PropertiesOfEveryStateLeadBackToIt) {
  for (std::int32_t i = 0; i < block_state_count(); i += 7) {
    const auto state = static_cast<BlockState>(i);
    BlockState built = state_range(block_of(state)).first;
    for (const Property& known : block_properties(block_of(state))) {
      built = with_property(built, known.name, property(state, known.name)).value();
    }
    ASSERT_EQ(built, state);
  }
  EXPECT_EQ(with_property(kAir, "lit", "true"), std::nullopt);
  EXPECT_EQ(with_property(state_of("minecraft:furnace"), "lit", "maybe"), std::nullopt);
  EXPECT_EQ(property(state_of("minecraft:furnace"), "axis"), "");
}

// The game's rules of what shines, as the wiki and PROTOCOL.md list them.
TEST(Light, EmissionFollowsTheState) {
  const auto emits = [](std::string_view block,
                        std::initializer_list<std::pair<std::string_view, std::string_view>> set) {
    return static_cast<int>(light_emission(state_of(block, set)));
  };
  EXPECT_EQ(emits("minecraft:torch", {}), 14);
  EXPECT_EQ(emits("minecraft:lava", {{"level", "7"}}), 15);
  EXPECT_EQ(emits("minecraft:furnace", {}), 0);
  EXPECT_EQ(emits("minecraft:furnace", {{"lit", "true"}}), 13);
  EXPECT_EQ(emits("minecraft:redstone_lamp", {{"lit", "true"}}), 15);
  EXPECT_EQ(emits("minecraft:redstone_lamp", {{"lit", "false"}}), 0);
  EXPECT_EQ(emits("minecraft:redstone_ore", {{"lit", "true"}}), 9);
  EXPECT_EQ(emits("minecraft:redstone_torch", {{"lit", "true"}}), 7);
  EXPECT_EQ(emits("minecraft:redstone_torch", {{"lit", "false"}}), 0);
  EXPECT_EQ(emits("minecraft:redstone_wall_torch", {{"lit", "false"}}), 0);
  EXPECT_EQ(emits("minecraft:campfire", {{"lit", "true"}}), 15);
  EXPECT_EQ(emits("minecraft:campfire", {{"lit", "false"}}), 0);
  EXPECT_EQ(emits("minecraft:soul_campfire", {{"lit", "true"}}), 10);
  EXPECT_EQ(emits("minecraft:candle", {{"candles", "3"}, {"lit", "true"}}), 9);
  EXPECT_EQ(emits("minecraft:candle", {{"candles", "3"}, {"lit", "false"}}), 0);
  EXPECT_EQ(emits("minecraft:sea_pickle", {{"pickles", "4"}, {"waterlogged", "true"}}), 15);
  EXPECT_EQ(emits("minecraft:sea_pickle", {{"pickles", "4"}, {"waterlogged", "false"}}), 0);
  EXPECT_EQ(emits("minecraft:respawn_anchor", {{"charges", "0"}}), 0);
  EXPECT_EQ(emits("minecraft:respawn_anchor", {{"charges", "4"}}), 15);
  EXPECT_EQ(emits("minecraft:cave_vines", {{"berries", "true"}}), 14);
  EXPECT_EQ(emits("minecraft:light", {{"level", "0"}}), 0);
  EXPECT_EQ(emits("minecraft:light", {{"level", "11"}}), 11);
  EXPECT_EQ(emits("minecraft:waxed_oxidized_copper_bulb", {{"lit", "true"}}), 4);
  EXPECT_EQ(emits("minecraft:glow_lichen", {{"up", "true"}}), 7);
  EXPECT_EQ(emits("minecraft:end_portal_frame", {}), 1);
}

TEST(Light, FilterIsFullForStoneOneForWaterAndLeavesNoneForGlass) {
  EXPECT_EQ(light_filter(kAir), 0);
  EXPECT_EQ(light_filter(state_of("minecraft:stone")), 15);
  EXPECT_EQ(light_filter(state_of("minecraft:water")), 1);
  EXPECT_EQ(light_filter(state_of("minecraft:oak_leaves")), 1);
  EXPECT_EQ(light_filter(state_of("minecraft:glass")), 0);
  EXPECT_EQ(light_filter(state_of("minecraft:oak_slab", {{"type", "double"}})), 15);
  EXPECT_EQ(light_filter(state_of("minecraft:oak_slab", {{"type", "top"}})), 0);
}

TEST(Shapes, AreTheGames) {
  EXPECT_TRUE(collision_boxes(kAir).empty());
  EXPECT_TRUE(collision_boxes(state_of("minecraft:water")).empty());
  EXPECT_TRUE(is_full_cube(state_of("minecraft:stone")));
  EXPECT_FALSE(is_full_cube(state_of("minecraft:oak_slab")));
  EXPECT_TRUE(is_full_cube(state_of("minecraft:oak_slab", {{"type", "double"}})));
  const auto slab = collision_boxes(state_of("minecraft:oak_slab"));
  ASSERT_EQ(slab.size(), 1u);
  EXPECT_EQ(slab[0].min_y, 0.0f);
  EXPECT_EQ(slab[0].max_y, 0.5f);
  const auto fence = collision_boxes(state_of("minecraft:oak_fence"));
  ASSERT_EQ(fence.size(), 1u);
  EXPECT_EQ(fence[0].max_y, 1.5f);
  EXPECT_EQ(collision_boxes(state_of("minecraft:oak_stairs")).size(), 2u);
}

TEST(Shapes, OfEveryStateLieInTheirBlockOrLittleOutside) {
  for (std::int32_t i = 0; i < block_state_count(); i++) {
    for (const Box& box : collision_boxes(static_cast<BlockState>(i))) {
      ASSERT_TRUE(box.min_x < box.max_x && box.min_y < box.max_y && box.min_z < box.max_z) << i;
      ASSERT_TRUE(box.min_x >= -0.5f && box.min_y >= -0.5f && box.min_z >= -0.5f) << i;
      ASSERT_TRUE(box.max_x <= 1.5f && box.max_y <= 1.5f && box.max_z <= 1.5f) << i;
    }
  }
}

TEST(BlockFlags, FollowTheGamesRules) {
  const std::set<std::string_view> airs = {"minecraft:air", "minecraft:cave_air", "minecraft:void_air"};
  for (std::int32_t i = 0; i < block_count(); i++) {
    const auto block = static_cast<BlockId>(i);
    EXPECT_EQ(is_air(default_state(block)), airs.contains(block_name(block))) << block_name(block);
  }
  EXPECT_TRUE(has_fluid(state_of("minecraft:lava")));
  EXPECT_TRUE(has_fluid(state_of("minecraft:kelp")));
  EXPECT_TRUE(has_fluid(state_of("minecraft:oak_slab", {{"waterlogged", "true"}})));
  EXPECT_FALSE(has_fluid(state_of("minecraft:oak_slab")));

  EXPECT_TRUE(blocks_motion(state_of("minecraft:stone")));
  EXPECT_TRUE(blocks_motion(state_of("minecraft:water")));
  EXPECT_TRUE(blocks_motion(state_of("minecraft:oak_leaves")));
  EXPECT_FALSE(blocks_motion(state_of("minecraft:short_grass")));
  EXPECT_FALSE(blocks_motion(state_of("minecraft:cobweb")));
  EXPECT_FALSE(blocks_motion(state_of("minecraft:torch")));
  EXPECT_FALSE(blocks_motion(state_of("minecraft:snow", {{"layers", "8"}})));

  EXPECT_TRUE(is_leaves(state_of("minecraft:azalea_leaves")));
  EXPECT_FALSE(is_leaves(state_of("minecraft:oak_log")));

  for (const auto name : {"minecraft:air", "minecraft:water", "minecraft:lava", "minecraft:short_grass",
                          "minecraft:fire", "minecraft:vine", "minecraft:snow", "minecraft:light"}) {
    EXPECT_TRUE(is_replaceable(state_of(name))) << name;
  }
  EXPECT_FALSE(is_replaceable(state_of("minecraft:snow", {{"layers", "2"}})));
  EXPECT_FALSE(is_replaceable(state_of("minecraft:poppy")));
  EXPECT_FALSE(is_replaceable(state_of("minecraft:torch")));
}

// minecraft-data 3.119.0, pc/26.1, items.json.
TEST(Items, HaveTheGamesNumbersAndStackSizes) {
  EXPECT_EQ(item_count(), 1506);
  EXPECT_EQ(find_item("minecraft:stone"), 1);
  EXPECT_EQ(find_item("minecraft:redstone"), 718);
  EXPECT_EQ(find_item("minecraft:ender_pearl"), 1116);
  EXPECT_EQ(find_item("minecraft:ominous_bottle"), 1505);
  EXPECT_EQ(find_item("minecraft:no_such_item"), std::nullopt);
  EXPECT_EQ(max_stack_size(1), 64);
  EXPECT_EQ(max_stack_size(find_item("minecraft:diamond_sword").value()), 1);
  EXPECT_EQ(max_stack_size(find_item("minecraft:ender_pearl").value()), 16);
  EXPECT_EQ(max_stack_size(find_item("minecraft:oak_sign").value()), 16);
  for (std::int32_t i = 0; i < item_count(); i++) {
    ASSERT_EQ(find_item(item_name(static_cast<ItemId>(i))), static_cast<ItemId>(i));
  }
}

TEST(Items, PlaceTheirBlock) {
  const auto places = [](std::string_view item) -> std::string_view {
    const auto block = block_of_item(find_item(item).value());
    return block ? block_name(*block) : "";
  };
  EXPECT_EQ(places("minecraft:stone"), "minecraft:stone");
  EXPECT_EQ(places("minecraft:torch"), "minecraft:torch");
  EXPECT_EQ(places("minecraft:redstone"), "minecraft:redstone_wire");
  EXPECT_EQ(places("minecraft:string"), "minecraft:tripwire");
  EXPECT_EQ(places("minecraft:wheat_seeds"), "minecraft:wheat");
  EXPECT_EQ(places("minecraft:carrot"), "minecraft:carrots");
  EXPECT_EQ(places("minecraft:sweet_berries"), "minecraft:sweet_berry_bush");
  EXPECT_EQ(places("minecraft:wheat"), "");
  EXPECT_EQ(places("minecraft:diamond_sword"), "");
}

// minecraft-data 3.119.0, pc/26.1, entities.json and protocol.json.
TEST(Entities, HaveTheGamesNumbersAndSizes) {
  EXPECT_EQ(entity_types().size(), 157u);
  EXPECT_EQ(find_entity_type("minecraft:creeper"), 32);
  EXPECT_EQ(find_entity_type("minecraft:item"), 71);
  EXPECT_EQ(find_entity_type("minecraft:player"), 155);
  EXPECT_EQ(find_entity_type("minecraft:no_such_entity"), std::nullopt);
  EXPECT_FLOAT_EQ(entity_types()[155].width, 0.6f);
  EXPECT_FLOAT_EQ(entity_types()[155].height, 1.8f);
  EXPECT_EQ(find_metadata_serializer("byte"), 0);
  EXPECT_EQ(find_metadata_serializer("item_stack"), 7);
  EXPECT_EQ(find_metadata_serializer("pose"), 20);
  EXPECT_EQ(find_metadata_serializer("humanoid_arm"), 42);
  EXPECT_EQ(find_metadata_serializer("nothing"), std::nullopt);
}

/// Reads the wire form of update_tags: registry → tag → ids.
class TagsReader {
 public:
  explicit TagsReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint32_t varint() {
    std::uint32_t value = 0;
    for (int shift = 0; at_ < bytes_.size(); shift += 7) {
      const std::uint8_t byte = bytes_[at_++];
      value |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    ADD_FAILURE() << "varint past the end";
    return 0;
  }
  std::string string() {
    const std::uint32_t length = varint();
    if (length > bytes_.size() - at_) {
      ADD_FAILURE() << "string past the end";
      at_ = bytes_.size();
      return {};
    }
    at_ += length;
    return {reinterpret_cast<const char*>(bytes_.data()) + at_ - length, length};
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

void collect_strings(const nbt::Value& value, std::vector<std::string>& found) {
  if (const auto* string = value.get<std::string>()) found.push_back(*string);
  if (const auto* list = value.get<nbt::List>()) {
    for (const nbt::Value& element : list->values) collect_strings(element, found);
  }
  if (const auto* compound = value.get<nbt::Compound>()) {
    for (const auto& entry : compound->entries) collect_strings(entry.second, found);
  }
}

TEST(Registries, AreAllThereWithValuesThatAreNbtAndNameOnlyKnownTags) {
  EXPECT_EQ(registries().size(), 28u);
  std::set<std::string> named;
  std::size_t entries = 0;
  for (const Registry& registry : registries()) {
    EXPECT_FALSE(registry.entries.empty()) << registry.name;
    entries += registry.entries.size();
    for (const RegistryEntry& entry : registry.entries) {
      SCOPED_TRACE(entry.name);
      const auto value = nbt::read(entry.nbt);
      ASSERT_TRUE(value.ok());
      EXPECT_EQ(value.value().type(), nbt::Type::kCompound);
      std::vector<std::string> strings;
      collect_strings(value.value(), strings);
      for (const std::string& string : strings) {
        if (string.starts_with("#minecraft:")) named.insert(string.substr(1));
      }
    }
  }
  EXPECT_EQ(entries, 382u);
  // Counted in the running game's values.
  EXPECT_EQ(named.size(), 43u);
  std::set<std::string> sent;
  TagsReader reader(tags_packet());
  for (std::uint32_t tagged = reader.varint(); tagged > 0; tagged--) {
    reader.string();
    for (std::uint32_t tags = reader.varint(); tags > 0; tags--) {
      sent.insert(reader.string());
      for (std::uint32_t members = reader.varint(); members > 0; members--) reader.varint();
    }
  }
  for (const std::string& name : named) EXPECT_TRUE(sent.contains(name)) << name;
}

TEST(Registries, KeepTheOrderThatGivesTheIds) {
  const auto& first = registries().front();
  EXPECT_EQ(first.name, "minecraft:worldgen/biome");
  EXPECT_EQ(first.entries.size(), 65u);
  EXPECT_EQ(find_registry_entry("minecraft:worldgen/biome", "minecraft:badlands"), 0);
  EXPECT_EQ(find_registry_entry("minecraft:dimension_type", "minecraft:overworld"), 0);
  EXPECT_EQ(find_registry_entry("minecraft:dimension_type", "minecraft:nowhere"), std::nullopt);
  EXPECT_EQ(find_registry_entry("minecraft:nothing", "minecraft:overworld"), std::nullopt);

  const auto overworld = nbt::read(registries()[17].entries[0].nbt);
  ASSERT_TRUE(overworld.ok());
  ASSERT_NE(overworld.value().find("height"), nullptr);
  EXPECT_EQ(overworld.value().find("height")->as_int(), 384);
  EXPECT_EQ(overworld.value().find("min_y")->as_int(), -64);
}

TEST(Tags, ThePacketHoldsWhatTheIndexHolds) {
  TagsReader reader(tags_packet());
  const std::uint32_t registry_count = reader.varint();
  EXPECT_EQ(registry_count, 15u);
  for (std::uint32_t i = 0; i < registry_count; i++) {
    const std::string registry = reader.string();
    for (std::uint32_t tags = reader.varint(); tags > 0; tags--) {
      const std::string name = reader.string();
      std::vector<std::uint16_t> ids(reader.varint());
      for (auto& id : ids) id = static_cast<std::uint16_t>(reader.varint());
      const auto indexed = tag(registry, name);
      ASSERT_TRUE(std::equal(ids.begin(), ids.end(), indexed.begin(), indexed.end()))
          << registry << ' ' << name;
    }
  }
  EXPECT_TRUE(reader.at_end());
  EXPECT_TRUE(tag("minecraft:block", "minecraft:no_such_tag").empty());
  EXPECT_TRUE(tag("minecraft:no_such_registry", "minecraft:leaves").empty());
}

std::optional<std::string_view> name_in(const std::string& registry, std::uint16_t id) {
  if (registry == "block") return block_name(id);
  if (registry == "item") return item_name(id);
  if (registry == "entity_type") return entity_types()[id].name;
  for (const Registry& known : registries()) {
    if (known.name == "minecraft:" + registry) return known.entries.at(id).name;
  }
  // Numbered by tables of the game that nothing else here needs: the tests compare the number of members.
  return std::nullopt;
}

TEST(Tags, AreThoseOfTheRunningGame) {
  std::ifstream file("../shared/data/tags-26.1.json");
  if (!file) GTEST_SKIP() << "../shared/data/tags-26.1.json is absent";
  const auto expected = nlohmann::json::parse(file);
  std::size_t compared = 0;
  TagsReader reader(tags_packet());
  for (std::uint32_t registries_left = reader.varint(); registries_left > 0; registries_left--) {
    const std::string registry = reader.string().substr(std::string_view("minecraft:").size());
    ASSERT_TRUE(expected.contains(registry)) << registry;
    std::set<std::string> names;
    for (std::uint32_t tags = reader.varint(); tags > 0; tags--) {
      const std::string name = reader.string().substr(std::string_view("minecraft:").size());
      names.insert(name);
      SCOPED_TRACE(registry + " " + name);
      ASSERT_TRUE(expected[registry].contains(name));
      std::vector<std::string> members;
      const auto ids = tag("minecraft:" + registry, "minecraft:" + name);
      for (std::uint32_t count = reader.varint(); count > 0; count--) reader.varint();
      std::vector<std::string> wanted = expected[registry][name];
      EXPECT_EQ(ids.size(), wanted.size());
      for (const std::uint16_t id : ids) {
        if (const auto member = name_in(registry, id)) members.emplace_back(member->substr(10));
      }
      if (!members.empty()) {
        std::sort(members.begin(), members.end());
        std::sort(wanted.begin(), wanted.end());
        EXPECT_EQ(members, wanted);
      }
      compared++;
    }
    for (const auto& item : expected[registry].items()) EXPECT_TRUE(names.contains(item.key())) << item.key();
  }
  EXPECT_GT(compared, 600u);
}

// The numbers of the game's own packet report; minecraft-data agrees.
TEST(PacketIds, OfCommonPackets) {
  namespace ids = protocol::v775;
  EXPECT_EQ(ids::handshake::serverbound::kIntention, 0);
  EXPECT_EQ(ids::login::clientbound::kLoginFinished, 2);
  EXPECT_EQ(ids::configuration::clientbound::kRegistryData, 7);
  EXPECT_EQ(ids::play::clientbound::kLevelChunkWithLight, 45);
  EXPECT_EQ(ids::play::clientbound::kSetHealth, 104);
  EXPECT_EQ(ids::play::clientbound::kCount, 141);
  EXPECT_EQ(ids::play::serverbound::kCount, 69);
}

}  // namespace
}  // namespace horizon::game
