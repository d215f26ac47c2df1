#include "common/protocol/item_component.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace horizon::protocol {

namespace {

// Sizes of the registries of protocol 775 that components refer to by id.
constexpr std::int32_t kComponentTypes = 110;
constexpr std::int32_t kEnchantments = 43;
constexpr std::int32_t kPotions = 46;
constexpr std::int32_t kColours = 16;

constexpr std::int32_t kMaxStack = 99;
constexpr std::int32_t kMaxTextDepth = 16;
constexpr std::int32_t kMaxElements = 256;
constexpr std::int32_t kAny = 0x7fffffff;
constexpr std::string_view kField = "component";

void varint_from(Reader& r, std::int32_t least, std::int32_t most) {
  const std::int32_t v = r.varint(kField);
  if (v < least || v > most) r.fail(ErrorCode::kMalformed, kField, "out of range: " + std::to_string(v));
}

template <class F>
void list(Reader& r, std::int32_t max, F element) {
  const std::int32_t count = r.count(kField, max);
  for (std::int32_t i = 0; i < count && r.ok(); ++i) element();
}

template <class F>
void optional(Reader& r, F value) {
  if (r.boolean(kField)) value();
}

void identifier(Reader& r) {
  const std::string id = r.string(kField);
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '/';
  };
  const auto colon = id.find(':');
  const std::string_view view(id);
  const std::string_view space = colon == std::string::npos ? std::string_view{} : view.substr(0, colon);
  const std::string_view path = colon == std::string::npos ? view : view.substr(colon + 1);
  if (!std::all_of(path.begin(), path.end(), allowed) || !std::all_of(space.begin(), space.end(), allowed) ||
      space.find('/') != std::string_view::npos) {
    r.fail(ErrorCode::kMalformed, kField, "not an identifier");
  }
}

// Whether this is a text component of plain parts: literals, translations, colours and styles. Events,
// selectors, scores and objects are not let through.
bool is_simple_text(const nbt::Value& value, std::int32_t depth) {
  if (value.get<std::string>() != nullptr) return true;
  const auto* compound = value.get<nbt::Compound>();
  if (compound == nullptr || depth >= kMaxTextDepth) return false;
  bool content = false;
  for (const auto& [key, v] : compound->entries) {
    if (key == "text" || key == "translate") {
      if (content || v.get<std::string>() == nullptr) return false;
      content = true;
    } else if (key == "color") {
      const auto* name = v.get<std::string>();
      if (name == nullptr || name->empty()) return false;
      constexpr std::array<std::string_view, 16> kNames = {
          "black",        "dark_blue", "dark_green", "dark_aqua", "dark_red", "dark_purple",
          "gold",         "gray",      "blue",       "green",     "aqua",     "red",
          "light_purple", "yellow",    "white",      "dark_gray"};
      const bool hex = name->size() == 7 && name->front() == '#' &&
                       name->find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
      if (!hex && std::find(kNames.begin(), kNames.end(), *name) == kNames.end()) return false;
    } else if (key == "bold" || key == "italic" || key == "underlined" || key == "strikethrough" ||
               key == "obfuscated") {
      if (v.get<std::int8_t>() == nullptr) return false;
    } else if (key == "fallback") {
      if (v.get<std::string>() == nullptr) return false;
    } else if (key == "extra" || key == "with") {
      const auto* parts = v.get<nbt::List>();
      if (parts == nullptr || parts->values.empty()) return false;
      for (const nbt::Value& part : parts->values) {
        if (!is_simple_text(part, depth + 1)) return false;
      }
    } else {
      return false;
    }
  }
  return content;
}

// Reads one tag; `accept` judges it.
template <class F>
void tag(Reader& r, F accept) {
  if (!r.ok()) return;
  const auto size = nbt::skip(r.unread());
  if (!size) return r.fail(size.error().code, kField, size.error().message);
  const auto value = nbt::read(r.unread().first(*size));
  if (!value || !accept(*value)) return r.fail(ErrorCode::kMalformed, kField, "not accepted");
  r.bytes(kField, *size);
}

void text(Reader& r) {
  tag(r, [](const nbt::Value& v) { return is_simple_text(v, 0); });
}

void firework_explosion(Reader& r) {
  varint_from(r, 0, 4);
  list(r, kMaxElements, [&] { r.i32(kField); });
  list(r, kMaxElements, [&] { r.i32(kField); });
  r.boolean(kField);
  r.boolean(kField);
}

}  // namespace

void skip_component(Reader& r, std::int32_t type) {
  switch (type) {
    case 0:  // custom_data
      return tag(r, [](const nbt::Value& v) { return v.get<nbt::Compound>() != nullptr; });
    case 1:  // max_stack_size
      return varint_from(r, 1, kMaxStack);
    case 2:   // max_damage
    case 31:  // enchantable
      return varint_from(r, 1, kAny);
    case 3:   // damage
    case 19:  // repair_cost
      return varint_from(r, 0, kAny);
    case 4:   // unbreakable
    case 20:  // creative_slot_lock
    case 34:  // glider
      return;
    case 6:  // custom_name
    case 9:  // item_name
      return text(r);
    case 10:  // item_model
    case 35:  // tooltip_style
    case 71:  // note_block_sound
      return identifier(r);
    case 11:  // lore
      return list(r, kMaxElements, [&] { text(r); });
    case 12:  // rarity
      return varint_from(r, 0, 3);
    case 13:  // enchantments
    case 42:  // stored_enchantments
      return list(r, kMaxElements, [&] {
        varint_from(r, 0, kEnchantments - 1);
        varint_from(r, 1, 255);
      });
    case 17:  // custom_model_data
      list(r, kMaxElements, [&] { r.f32(kField); });
      list(r, kMaxElements, [&] { r.boolean(kField); });
      list(r, kMaxElements, [&] { r.string(kField); });
      return list(r, kMaxElements, [&] { r.i32(kField); });
    case 18:  // tooltip_display
      r.boolean(kField);
      return list(r, kMaxElements, [&] { varint_from(r, 0, kComponentTypes - 1); });
    case 21:  // enchantment_glint_override
      r.boolean(kField);
      return;
    case 23:  // food
      varint_from(r, 0, kAny);
      r.f32(kField);
      r.boolean(kField);
      return;
    case 26:  // use_cooldown
      r.f32(kField);
      return optional(r, [&] { identifier(r); });
    case 29:  // weapon
      varint_from(r, 0, kAny);
      r.f32(kField);
      return;
    case 43:   // dye
    case 73:   // base_color
    case 84:   // wolf/collar
    case 89:   // tropical_fish/base_color
    case 90:   // tropical_fish/pattern_color
    case 107:  // cat/collar
    case 108:  // sheep/color
    case 109:  // shulker/color
      return varint_from(r, 0, kColours - 1);
    case 44:  // dyed_color
    case 45:  // map_color
      r.i32(kField);
      return;
    case 46:  // map_id
      r.varint(kField);
      return;
    case 51:  // potion_contents
      optional(r, [&] { varint_from(r, 0, kPotions - 1); });
      optional(r, [&] { r.i32(kField); });
      // Own effects refer to each other to any depth and are not read.
      varint_from(r, 0, 0);
      return optional(r, [&] { r.string(kField); });
    case 52:  // potion_duration_scale
      r.f32(kField);
      return;
    case 54:  // writable_book_content
      return list(r, 100, [&] {
        r.string(kField, 1024);
        optional(r, [&] { r.string(kField, 1024); });
      });
    case 63:  // ominous_bottle_amplifier
      return varint_from(r, 0, 4);
    case 67:  // lodestone_tracker
      optional(r, [&] {
        identifier(r);
        r.block_pos(kField);
      });
      r.boolean(kField);
      return;
    case 68:  // firework_explosion
      return firework_explosion(r);
    case 69:  // fireworks
      varint_from(r, 0, 255);
      return list(r, kMaxElements, [&] { firework_explosion(r); });
    case 76:  // block_state
      return list(r, kMaxElements, [&] {
        r.string(kField);
        r.string(kField);
      });
    default:
      r.fail(ErrorCode::kMalformed, kField, "type " + std::to_string(type) + " is not read");
  }
}

ItemStack safe_for_clients(const ItemStack& item) {
  if (item.empty()) return {};
  ItemStack safe;
  safe.count = std::min(item.count, kMaxStack);
  safe.item = item.item;
  std::array<bool, kComponentTypes> seen{};
  const auto first_time = [&](std::int32_t type) {
    return type >= 0 && type < kComponentTypes && !std::exchange(seen[static_cast<std::size_t>(type)], true);
  };
  for (const ItemComponent& c : item.added) {
    if (!first_time(c.type)) continue;
    Reader r(c.data, "item");
    skip_component(r, c.type);
    r.expect_end();
    if (r.ok()) safe.added.push_back(c);
  }
  for (const std::int32_t type : item.removed) {
    if (first_time(type)) safe.removed.push_back(type);
  }
  return safe;
}

}  // namespace horizon::protocol
