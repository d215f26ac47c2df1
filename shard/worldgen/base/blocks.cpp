#include "shard/worldgen/base/blocks.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "common/base/result.hpp"

namespace horizon::worldgen {

namespace {

/// One property of one block: how its values number the states.
struct BlockProperty {
  PropertyId id;
  std::uint8_t values;
  std::uint16_t stride;
  std::uint16_t first_text;  ///< index into Tables::texts
};

struct Tables {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> properties_of;  ///< by block: [first, last)
  std::vector<BlockProperty> properties;
  std::vector<std::string_view> texts;
  std::vector<BlockState> first_state;
  std::vector<StateTraits> traits;  ///< by state
  std::map<std::string, PropertyId, std::less<>> ids;

  Tables();
  std::span<const BlockProperty> of(BlockId b) const {
    const auto [first, last] = properties_of[b];
    return {properties.data() + first, last - first};
  }
};

const Tables& tables();

/// Blocks whose figure "solid" does not follow from their shape.
bool is_forced_solid(std::string_view name) {
  static constexpr std::array kSuffixes = {"_fence_gate", "_sign",  "_pressure_plate", "_wall",      "_banner",
                                           "amethyst_bud", "cake",   "lightning_rod",   "lantern",    "_chain"};
  static constexpr std::array kNames = {"amethyst_cluster", "bamboo",         "bamboo_sapling",    "bell",
                                        "cobweb",           "conduit",        "dried_ghast",       "moving_piston",
                                        "pointed_dripstone", "sculk_vein",    "turtle_egg"};
  if (name == "jack_o_lantern" || name == "sea_lantern") return false;
  if (std::ranges::find(kNames, name) != kNames.end()) return true;
  if (name.starts_with("dead_") && name.find("coral") != std::string_view::npos) return true;
  return std::ranges::any_of(kSuffixes, [&](std::string_view suffix) { return name.ends_with(suffix); });
}
bool is_forced_not_solid(std::string_view name) {
  static constexpr std::array kNames = {"ladder",        "snow",   "end_rod",          "chorus_plant",
                                        "chorus_flower", "azalea", "flowering_azalea", "big_dripleaf"};
  return std::ranges::find(kNames, name) != kNames.end();
}

/// BlockStateBase.calculateSolid: by the bounds of the collision shape.
bool shape_is_solid(BlockState s) {
  const auto boxes = game::collision_boxes(s);
  if (boxes.empty()) return false;
  game::Box bounds = boxes[0];
  for (const game::Box& box : boxes) {
    bounds = {std::min(bounds.min_x, box.min_x), std::min(bounds.min_y, box.min_y), std::min(bounds.min_z, box.min_z),
              std::max(bounds.max_x, box.max_x), std::max(bounds.max_y, box.max_y), std::max(bounds.max_z, box.max_z)};
  }
  const double x = static_cast<double>(bounds.max_x) - static_cast<double>(bounds.min_x);
  const double y = static_cast<double>(bounds.max_y) - static_cast<double>(bounds.min_y);
  const double z = static_cast<double>(bounds.max_z) - static_cast<double>(bounds.min_z);
  return (x + y + z) / 3 >= 0.7291666666666666 || y >= 1.0;
}

Tables::Tables() {
  const std::int32_t blocks = game::block_count();
  HZ_CHECK(blocks <= 2048);
  traits.resize(static_cast<std::size_t>(game::block_state_count()));
  for (std::int32_t b = 0; b < blocks; ++b) {
    const auto id = static_cast<BlockId>(b);
    const auto [first, count] = game::state_range(id);
    first_state.push_back(first);
    const auto begin = static_cast<std::uint32_t>(properties.size());
    // The last property varies fastest.
    std::uint16_t stride = 1;
    const std::vector<game::Property> list = game::block_properties(id);
    for (auto it = list.rbegin(); it != list.rend(); ++it) {
      const auto [entry, is_new] = ids.try_emplace(std::string(it->name), static_cast<PropertyId>(ids.size()));
      properties.push_back({entry->second, static_cast<std::uint8_t>(it->values.size()), stride,
                            static_cast<std::uint16_t>(texts.size())});
      texts.insert(texts.end(), it->values.begin(), it->values.end());
      stride = static_cast<std::uint16_t>(stride * it->values.size());
    }
    HZ_CHECK(stride == count && ids.size() < 256 && texts.size() < 65536);
    properties_of.emplace_back(begin, static_cast<std::uint32_t>(properties.size()));
  }
  const BlockId water = *game::find_block("minecraft:water");
  const BlockId lava = *game::find_block("minecraft:lava");
  for (std::size_t i = 0; i < traits.size(); ++i) {
    const auto s = static_cast<BlockState>(i);
    const BlockId b = game::block_of(s);
    const std::string_view name = without_minecraft(game::block_name(b));
    StateTraits& t = traits[i];
    if (b == water || b == lava) {
      const auto level = static_cast<std::int32_t>(s - first_state[b]);
      t.fluid = b == water ? Fluid::kWater : Fluid::kLava;
      t.is_fluid_source = level == 0;
      t.fluid_amount = static_cast<std::uint8_t>(level == 0 || level >= 8 ? 8 : 8 - level);
    } else if (game::has_fluid(s)) {
      t.fluid = Fluid::kWater;
      t.is_fluid_source = true;
      t.fluid_amount = 8;
    }
    t.is_air = game::is_air(s);
    t.is_solid = is_forced_solid(name) || (!is_forced_not_solid(name) && shape_is_solid(s));
    t.is_solid_render = game::light_filter(s) == 15 && name != "tinted_glass";
    t.blocks_motion = t.is_solid && name != "cobweb" && name != "bamboo_sapling";
    const bool is_motion = t.blocks_motion || t.fluid != Fluid::kNone;
    // In the order of HeightKind: the two surfaces, the two floors, motion with and without leaves.
    t.height_bits = static_cast<std::uint8_t>((t.is_air ? 0 : 0b000101) | (t.blocks_motion ? 0b001010 : 0) |
                                              (is_motion ? 0b010000 : 0) |
                                              (is_motion && !game::is_leaves(s) ? 0b100000 : 0));
  }
}

const Tables& tables() {
  static const Tables kTables;
  return kTables;
}

const BlockProperty* find_property(BlockState s, PropertyId p) {
  for (const BlockProperty& property : tables().of(game::block_of(s))) {
    if (property.id == p) return &property;
  }
  return nullptr;
}

std::int32_t index_of(BlockState s, const BlockProperty& p) {
  return (s - tables().first_state[game::block_of(s)]) / p.stride % p.values;
}

}  // namespace

BlockId block(std::string_view name) {
  const auto found = game::find_block(with_namespace(name));
  if (!found) {
    std::fprintf(stderr, "no block is named %.*s\n", static_cast<int>(name.size()), name.data());
    HZ_CHECK(found.has_value());
  }
  return *found;
}

BlockState parse_state_text(std::string_view text) {
  const std::size_t bracket = text.find('[');
  const auto id = game::find_block(with_namespace(text.substr(0, bracket)));
  if (!id) throw FigureError("no block is named \"" + std::string(text.substr(0, bracket)) + "\"");
  BlockState s = game::default_state(*id);
  if (bracket == std::string_view::npos) return s;
  if (!text.ends_with(']')) throw FigureError("a block state without \"]\": \"" + std::string(text) + "\"");
  std::string_view rest = text.substr(bracket + 1, text.size() - bracket - 2);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find(','));
    const std::size_t equals = pair.find('=');
    const auto changed = equals == std::string_view::npos
                             ? std::nullopt
                             : game::with_property(s, pair.substr(0, equals), pair.substr(equals + 1));
    if (!changed) throw FigureError("no state of the block has \"" + std::string(pair) + "\"");
    s = *changed;
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
  }
  return s;
}

BlockState state(std::string_view text) {
  try {
    return parse_state_text(text);
  } catch (const FigureError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    HZ_CHECK(false);
  }
  return 0;
}

BlockState parse_state(const Json& json) {
  if (json.is_string()) return parse_state_text(json.get_ref<const std::string&>());
  const std::string& name = text(json, "Name");
  const auto id = game::find_block(with_namespace(name));
  if (!id) throw FigureError("no block is named \"" + name + "\"");
  BlockState s = game::default_state(*id);
  if (const auto it = json.find("Properties"); it != json.end()) {
    for (const auto& [key, value] : it->items()) {
      const auto changed = value.is_string() ? game::with_property(s, key, value.get_ref<const std::string&>())
                                             : std::nullopt;
      if (!changed) throw FigureError(name + " has no property " + key + " = " + value.dump());
      s = *changed;
    }
  }
  return s;
}

PropertyId property_id(std::string_view name) {
  const auto it = tables().ids.find(name);
  if (it == tables().ids.end()) {
    std::fprintf(stderr, "no property is named %.*s\n", static_cast<int>(name.size()), name.data());
    HZ_CHECK(false);
  }
  return it->second;
}

std::int32_t value_index(BlockState s, PropertyId p) {
  const BlockProperty* property = find_property(s, p);
  return property == nullptr ? -1 : index_of(s, *property);
}

BlockState with_index(BlockState s, PropertyId p, std::int32_t index) {
  const BlockProperty* property = find_property(s, p);
  if (property == nullptr) return s;
  return static_cast<BlockState>(s + (index - index_of(s, *property)) * property->stride);
}

BlockState with(BlockState s, PropertyId p, std::string_view value) {
  const BlockProperty* property = find_property(s, p);
  if (property == nullptr) return s;
  for (std::int32_t i = 0; i < property->values; ++i) {
    if (tables().texts[static_cast<std::size_t>(property->first_text + i)] == value) return with_index(s, p, i);
  }
  return s;
}

BlockState with_int(BlockState s, PropertyId p, std::int32_t value) {
  std::array<char, 12> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return with(s, p, std::string_view(buffer.data(), static_cast<std::size_t>(end - buffer.data())));
}

std::int32_t int_value(BlockState s, PropertyId p, std::int32_t fallback) {
  const std::string_view value = value_text(s, p);
  std::int32_t number = fallback;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

std::string_view value_text(BlockState s, PropertyId p) {
  const BlockProperty* property = find_property(s, p);
  if (property == nullptr) return {};
  return tables().texts[static_cast<std::size_t>(property->first_text + index_of(s, *property))];
}

BlockState with_properties_of(BlockState to, BlockState from) {
  for (const BlockProperty& property : tables().of(game::block_of(from))) {
    to = with(to, property.id, value_text(from, property.id));
  }
  return to;
}

const StateTraits* make_state_traits() { return tables().traits.data(); }

bool can_be_replaced(BlockState s) { return game::is_replaceable(s); }

BlockSet BlockSet::parse(const Json& json) {
  BlockSet set;
  if (json.is_array()) {
    for (const Json& entry : json) set.bits_ |= parse(entry).bits_;
    return set;
  }
  if (!json.is_string()) throw FigureError("blocks must be a name, a tag or a list: " + json.dump());
  const std::string& text = json.get_ref<const std::string&>();
  if (text.starts_with('#')) {
    const auto members = game::tag("minecraft:block", with_namespace(std::string_view(text).substr(1)));
    if (members.empty()) throw FigureError("no block tag is named \"" + text + "\"");
    for (const std::uint16_t b : members) set.bits_[b] = true;
    return set;
  }
  const auto id = game::find_block(with_namespace(text));
  if (!id) throw FigureError("no block is named \"" + text + "\"");
  set.bits_[*id] = true;
  return set;
}

BlockSet BlockSet::tag(std::string_view name) {
  BlockSet set;
  const auto members = game::tag("minecraft:block", with_namespace(name));
  if (members.empty()) {
    std::fprintf(stderr, "no block tag is named %.*s\n", static_cast<int>(name.size()), name.data());
    HZ_CHECK(false);
  }
  for (const std::uint16_t b : members) set.bits_[b] = true;
  return set;
}

BlockSet BlockSet::of(std::initializer_list<std::string_view> names) {
  BlockSet set;
  for (const std::string_view name : names) set.bits_[block(name)] = true;
  return set;
}

std::vector<BlockId> BlockSet::blocks() const {
  std::vector<BlockId> list;
  for (std::size_t b = 0; b < kMaxBlocks; ++b) {
    if (bits_[b]) list.push_back(static_cast<BlockId>(b));
  }
  return list;
}

namespace {
constexpr std::array<std::string_view, 6> kDirectionNames = {"down", "up", "north", "south", "west", "east"};
}

std::string_view name(Direction d) { return kDirectionNames[static_cast<std::size_t>(d)]; }

Direction parse_direction(std::string_view text) {
  const auto it = std::ranges::find(kDirectionNames, text);
  if (it == kDirectionNames.end()) throw FigureError("no direction is named \"" + std::string(text) + "\"");
  return static_cast<Direction>(it - kDirectionNames.begin());
}

void Box::encapsulate(const Box& o) {
  *this = {std::min(min_x, o.min_x), std::min(min_y, o.min_y), std::min(min_z, o.min_z),
           std::max(max_x, o.max_x), std::max(max_y, o.max_y), std::max(max_z, o.max_z)};
}
void Box::encapsulate(BlockPos p) { encapsulate(Box{p.x, p.y, p.z, p.x, p.y, p.z}); }

}  // namespace horizon::worldgen
