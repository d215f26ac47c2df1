#include "common/game/game.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "common/base/result.hpp"

/// data_26_1.bin, placed here by data.S.
extern "C" __attribute__((visibility("hidden"))) const unsigned char horizon_game_data[];

namespace horizon::game {
namespace {

static_assert(std::endian::native == std::endian::little, "the tables are read in place");

// The layout of the file; its writer is generate/layout.mjs. Everything is read where it lies: no start-up
// work, and a page is in memory only once somebody has asked for what is on it.

enum class Section {
  kStrings,
  kBlocks,
  kProperties,
  kPropertyValues,
  kStateBlock,
  kStateShape,
  kStateLight,
  kStateFlags,
  kShapes,
  kBoxes,
  kBlockIndex,
  kItems,
  kItemIndex,
  kEntityTypes,
  kSerializers,
  kRegistries,
  kRegistryEntries,
  kNbt,
  kTagsPacket,
  kTags,
  kTagMembers,
  kCount,
};

struct SectionRecord {
  std::uint32_t offset, count;
};

struct Header {
  char magic[4];
  std::uint32_t version;
  SectionRecord sections[static_cast<std::size_t>(Section::kCount)];
};
inline constexpr std::uint32_t kLayoutVersion = 1;

/// A name: offset in the strings in the low 24 bits, length in the high 8.
using Text = std::uint32_t;

struct BlockRecord {
  Text name;
  float hardness;
  std::uint16_t first_state, states, default_state;
  std::uint16_t first_property, properties, reserved;
};
static_assert(sizeof(BlockRecord) == 20);

struct PropertyRecord {
  Text name;
  std::uint16_t first_value, values;
};
static_assert(sizeof(PropertyRecord) == 8);

struct ItemRecord {
  Text name;
  std::uint16_t block;
  std::uint8_t stack_size, reserved;
};
static_assert(sizeof(ItemRecord) == 8);
inline constexpr std::uint16_t kNoBlock = 0xffff;

struct EntityRecord {
  Text name;
  float width, height;
};
static_assert(sizeof(EntityRecord) == 12);

struct RegistryRecord {
  Text name;
  std::uint32_t first_entry, entries;
};
static_assert(sizeof(RegistryRecord) == 12);

struct EntryRecord {
  Text name;
  std::uint32_t offset, length;
};
static_assert(sizeof(EntryRecord) == 12);

struct TagRecord {
  Text registry, name;
  std::uint32_t first_member, members;
};
static_assert(sizeof(TagRecord) == 16);

static_assert(sizeof(Box) == 24);

enum Flag : std::uint8_t {
  kFlagAir = 1,
  kFlagFullCube = 2,
  kFlagFluid = 4,
  kFlagBlocksMotion = 8,
  kFlagLeaves = 16,
  kFlagReplaceable = 32,
};

const Header& header() { return *reinterpret_cast<const Header*>(horizon_game_data); }

template <typename T>
std::span<const T> section(Section which) {
  const SectionRecord record = header().sections[static_cast<std::size_t>(which)];
  return {reinterpret_cast<const T*>(horizon_game_data + record.offset), record.count};
}

/// The tables that hot loops read, found once.
struct Tables {
  std::span<const BlockRecord> blocks = section<BlockRecord>(Section::kBlocks);
  std::span<const BlockId> state_block = section<BlockId>(Section::kStateBlock);
  std::span<const std::uint16_t> state_shape = section<std::uint16_t>(Section::kStateShape);
  std::span<const std::uint8_t> state_light = section<std::uint8_t>(Section::kStateLight);
  std::span<const std::uint8_t> state_flags = section<std::uint8_t>(Section::kStateFlags);
  std::span<const std::uint16_t> shapes = section<std::uint16_t>(Section::kShapes);
  std::span<const Box> boxes = section<Box>(Section::kBoxes);
  std::span<const ItemRecord> items = section<ItemRecord>(Section::kItems);

  Tables() {
    HZ_CHECK(std::memcmp(header().magic, "HZGD", 4) == 0);
    HZ_CHECK(header().version == kLayoutVersion);
  }
};

const Tables& tables() {
  static const Tables instance;
  return instance;
}

std::string_view text(Text reference) {
  const char* strings = section<char>(Section::kStrings).data();
  return {strings + (reference & 0xffffff), reference >> 24};
}

/// Binary search in an index of ids that stands in the order of their names.
template <typename NameOf>
std::optional<std::uint16_t> find_name(Section index, std::string_view name, NameOf name_of) {
  const auto ids = section<std::uint16_t>(index);
  const auto found =
      std::lower_bound(ids.begin(), ids.end(), name,
                       [&](std::uint16_t id, std::string_view wanted) { return name_of(id) < wanted; });
  if (found == ids.end() || name_of(*found) != name) return std::nullopt;
  return *found;
}

bool has_flag(BlockState state, Flag flag) { return (tables().state_flags[state] & flag) != 0; }

std::span<const PropertyRecord> properties_of(const BlockRecord& block) {
  return section<PropertyRecord>(Section::kProperties).subspan(block.first_property, block.properties);
}

std::span<const Text> values_of(const PropertyRecord& property) {
  return section<Text>(Section::kPropertyValues).subspan(property.first_value, property.values);
}

/// Where a property stands in the numbering of a block's states: value = offset / stride % values.
struct Place {
  const PropertyRecord* property;
  std::uint32_t stride;
};

/// The last property changes fastest.
std::optional<Place> find_property(const BlockRecord& block, std::string_view name) {
  const auto properties = properties_of(block);
  std::uint32_t stride = 1;
  for (std::size_t i = properties.size(); i-- > 0;) {
    if (text(properties[i].name) == name) return Place{&properties[i], stride};
    stride *= properties[i].values;
  }
  return std::nullopt;
}

}  // namespace

// --- Block states --------------------------------------------------------

std::int32_t block_state_count() { return static_cast<std::int32_t>(tables().state_block.size()); }

std::int32_t block_count() { return static_cast<std::int32_t>(tables().blocks.size()); }

BlockId block_of(BlockState state) { return tables().state_block[state]; }

bool is_air(BlockState state) { return has_flag(state, kFlagAir); }

std::span<const Box> collision_boxes(BlockState state) {
  const Tables& all = tables();
  // The table of first boxes has one element more than there are shapes.
  const std::uint16_t* first = all.shapes.data() + all.state_shape[state];
  return all.boxes.subspan(first[0], static_cast<std::size_t>(first[1] - first[0]));
}

bool is_full_cube(BlockState state) { return has_flag(state, kFlagFullCube); }

std::uint8_t light_emission(BlockState state) {
  return static_cast<std::uint8_t>(tables().state_light[state] >> 4);
}

std::uint8_t light_filter(BlockState state) { return tables().state_light[state] & 0x0f; }

bool has_fluid(BlockState state) { return has_flag(state, kFlagFluid); }

bool blocks_motion(BlockState state) { return has_flag(state, kFlagBlocksMotion); }

bool is_leaves(BlockState state) { return has_flag(state, kFlagLeaves); }

bool is_replaceable(BlockState state) { return has_flag(state, kFlagReplaceable); }

std::string_view block_name(BlockId block) { return text(tables().blocks[block].name); }

std::optional<BlockId> find_block(std::string_view name) {
  return find_name(Section::kBlockIndex, name, block_name);
}

BlockState default_state(BlockId block) { return tables().blocks[block].default_state; }

std::pair<BlockState, std::uint16_t> state_range(BlockId block) {
  const BlockRecord& record = tables().blocks[block];
  return {record.first_state, record.states};
}

float hardness(BlockId block) { return tables().blocks[block].hardness; }

std::vector<Property> block_properties(BlockId block) {
  std::vector<Property> result;
  for (const PropertyRecord& record : properties_of(tables().blocks[block])) {
    Property& added = result.emplace_back(Property{text(record.name), {}});
    for (const Text value : values_of(record)) added.values.push_back(text(value));
  }
  return result;
}

std::string_view property(BlockState state, std::string_view name) {
  const BlockRecord& block = tables().blocks[block_of(state)];
  const auto place = find_property(block, name);
  if (!place) return {};
  const std::uint32_t offset = static_cast<std::uint32_t>(state) - block.first_state;
  return text(values_of(*place->property)[offset / place->stride % place->property->values]);
}

std::optional<BlockState> with_property(BlockState state, std::string_view name, std::string_view value) {
  const BlockRecord& block = tables().blocks[block_of(state)];
  const auto place = find_property(block, name);
  if (!place) return std::nullopt;
  const auto values = values_of(*place->property);
  const auto wanted =
      std::find_if(values.begin(), values.end(), [&](Text known) { return text(known) == value; });
  if (wanted == values.end()) return std::nullopt;
  const std::uint32_t offset = static_cast<std::uint32_t>(state) - block.first_state;
  const std::uint32_t old_index = offset / place->stride % place->property->values;
  const auto new_index = static_cast<std::uint32_t>(wanted - values.begin());
  return static_cast<BlockState>(state - old_index * place->stride + new_index * place->stride);
}

// --- Items and entities --------------------------------------------------

std::int32_t item_count() { return static_cast<std::int32_t>(tables().items.size()); }

std::string_view item_name(ItemId item) { return text(tables().items[item].name); }

std::optional<ItemId> find_item(std::string_view name) {
  return find_name(Section::kItemIndex, name, item_name);
}

std::optional<BlockId> block_of_item(ItemId item) {
  const std::uint16_t block = tables().items[item].block;
  return block == kNoBlock ? std::nullopt : std::optional<BlockId>(block);
}

std::uint8_t max_stack_size(ItemId item) { return tables().items[item].stack_size; }

std::span<const EntityType> entity_types() {
  static const std::vector<EntityType> types = [] {
    std::vector<EntityType> result;
    const auto records = section<EntityRecord>(Section::kEntityTypes);
    result.reserve(records.size());
    for (const EntityRecord& record : records) {
      result.push_back({text(record.name), record.width, record.height});
    }
    return result;
  }();
  return types;
}

std::optional<std::int32_t> find_entity_type(std::string_view name) {
  const auto records = section<EntityRecord>(Section::kEntityTypes);
  for (std::size_t i = 0; i < records.size(); i++) {
    if (text(records[i].name) == name) return static_cast<std::int32_t>(i);
  }
  return std::nullopt;
}

std::optional<std::int32_t> find_metadata_serializer(std::string_view name) {
  const auto names = section<Text>(Section::kSerializers);
  for (std::size_t i = 0; i < names.size(); i++) {
    if (text(names[i]) == name) return static_cast<std::int32_t>(i);
  }
  return std::nullopt;
}

// --- Registries and tags -------------------------------------------------

const std::vector<Registry>& registries() {
  static const std::vector<Registry> all = [] {
    std::vector<Registry> result;
    const auto entries = section<EntryRecord>(Section::kRegistryEntries);
    const auto nbt = section<std::uint8_t>(Section::kNbt);
    for (const RegistryRecord& record : section<RegistryRecord>(Section::kRegistries)) {
      Registry& added = result.emplace_back(Registry{text(record.name), {}});
      added.entries.reserve(record.entries);
      for (const EntryRecord& entry : entries.subspan(record.first_entry, record.entries)) {
        added.entries.push_back({text(entry.name), nbt.subspan(entry.offset, entry.length)});
      }
    }
    return result;
  }();
  return all;
}

std::optional<std::int32_t> find_registry_entry(std::string_view registry, std::string_view entry) {
  for (const RegistryRecord& record : section<RegistryRecord>(Section::kRegistries)) {
    if (text(record.name) != registry) continue;
    const auto entries =
        section<EntryRecord>(Section::kRegistryEntries).subspan(record.first_entry, record.entries);
    for (std::size_t i = 0; i < entries.size(); i++) {
      if (text(entries[i].name) == entry) return static_cast<std::int32_t>(i);
    }
    return std::nullopt;
  }
  return std::nullopt;
}

std::span<const std::uint8_t> tags_packet() { return section<std::uint8_t>(Section::kTagsPacket); }

std::span<const std::uint16_t> tag(std::string_view registry, std::string_view name) {
  const auto tags = section<TagRecord>(Section::kTags);
  const auto wanted = std::pair(registry, name);
  const auto key = [](const TagRecord& record) {
    return std::pair(text(record.registry), text(record.name));
  };
  const auto found = std::lower_bound(
      tags.begin(), tags.end(), wanted,
      [&](const TagRecord& record, const auto& key_wanted) { return key(record) < key_wanted; });
  if (found == tags.end() || key(*found) != wanted) return {};
  return section<std::uint16_t>(Section::kTagMembers).subspan(found->first_member, found->members);
}

}  // namespace horizon::game
