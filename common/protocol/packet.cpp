#include "common/protocol/packet.hpp"

#include "common/protocol/item_component.hpp"
#include "common/protocol/play.hpp"

namespace horizon::protocol {

namespace {

void write_removed(Writer& w, const std::vector<std::int32_t>& removed) {
  for (const std::int32_t type : removed) w.varint(type);
}

// Copies the bytes that `walk` reads.
template <class F>
void capture(Reader& r, std::vector<std::uint8_t>& out, F walk) {
  const auto before = r.unread();
  const std::size_t start = r.offset();
  walk();
  if (!r.ok()) return out.clear();
  const auto read = before.first(r.offset() - start);
  out.assign(read.begin(), read.end());
}

void skip_nbt(Reader& r, std::string_view field) {
  if (!r.ok()) return;
  const auto size = nbt::skip(r.unread());
  if (!size) return r.fail(size.error().code, field, size.error().message);
  r.bytes(field, *size);
}

// The serializers of entity metadata, by the ids of protocol 775.
void skip_entity_value(Reader& r, std::int32_t type) {
  constexpr std::string_view kField = "value";
  switch (type) {
    case 0:  // byte
    case 8:  // boolean
      r.u8(kField);
      return;
    case 2:  // long
      r.varlong(kField);
      return;
    case 3:  // float
      r.f32(kField);
      return;
    case 4:  // string
      r.string(kField);
      return;
    case 5:  // component
      skip_nbt(r, kField);
      return;
    case 6:  // optional component
      if (r.boolean(kField)) skip_nbt(r, kField);
      return;
    case 7:  // item stack
      read_item(r, kField);
      return;
    case 9:   // rotations
    case 39:  // vector
      r.bytes(kField, 12);
      return;
    case 10:  // block position
      r.u64(kField);
      return;
    case 11:  // optional block position
      if (r.boolean(kField)) r.u64(kField);
      return;
    case 13:  // optional uuid
      if (r.boolean(kField)) r.uuid(kField);
      return;
    case 18:  // villager data
      for (int i = 0; i < 3; ++i) r.varint(kField);
      return;
    case 33:  // optional global position
      if (r.boolean(kField)) {
        r.string(kField);
        r.u64(kField);
      }
      return;
    case 40:  // quaternion
      r.bytes(kField, 16);
      return;
    case 16:  // particle
    case 17:  // particles
    case 34:  // painting variant
    case 41:  // resolvable profile
      return r.fail(ErrorCode::kMalformed, kField,
                    "a value of serializer " + std::to_string(type) + " is not read");
    default:
      // All others up to the last one are a single number.
      if (type < 0 || type > 42) {
        return r.fail(ErrorCode::kMalformed, kField, "no such serializer: " + std::to_string(type));
      }
      r.varint(kField);
  }
}

}  // namespace

void write_item(Writer& w, const ItemStack& item) {
  if (item.empty()) return w.varint(0);
  w.varint(item.count);
  w.varint(item.item);
  w.varint(static_cast<std::int32_t>(item.added.size()));
  w.varint(static_cast<std::int32_t>(item.removed.size()));
  for (const ItemComponent& c : item.added) {
    w.varint(c.type);
    w.bytes(c.data);
  }
  write_removed(w, item.removed);
}

void write_untrusted_item(Writer& w, const ItemStack& item) {
  if (item.empty()) return w.varint(0);
  w.varint(item.count);
  w.varint(item.item);
  w.varint(static_cast<std::int32_t>(item.added.size()));
  w.varint(static_cast<std::int32_t>(item.removed.size()));
  for (const ItemComponent& c : item.added) {
    w.varint(c.type);
    w.varint(static_cast<std::int32_t>(c.data.size()));
    w.bytes(c.data);
  }
  write_removed(w, item.removed);
}

ItemStack read_item(Reader& r, std::string_view field) {
  ItemStack item;
  item.count = r.varint(field);
  if (item.count <= 0) return {};
  item.item = r.varint(field);
  const std::int32_t added = r.count(field, kMaxComponents);
  const std::int32_t removed = r.count(field, kMaxComponents);
  for (std::int32_t i = 0; i < added && r.ok(); ++i) {
    ItemComponent& c = item.added.emplace_back();
    c.type = r.varint(field);
    capture(r, c.data, [&] { skip_component(r, c.type); });
  }
  for (std::int32_t i = 0; i < removed && r.ok(); ++i) item.removed.push_back(r.varint(field));
  return r.ok() ? item : ItemStack{};
}

ItemStack read_untrusted_item(Reader& r, std::string_view field) {
  ItemStack item;
  item.count = r.varint(field);
  if (item.count <= 0) return {};
  item.item = r.varint(field);
  const std::int32_t added = r.count(field, kMaxComponents);
  const std::int32_t removed = r.count(field, kMaxComponents);
  std::size_t left = kMaxComponentBytes;
  for (std::int32_t i = 0; i < added && r.ok(); ++i) {
    ItemComponent& c = item.added.emplace_back();
    c.type = r.varint(field);
    const auto data =
        r.bytes(field, static_cast<std::size_t>(r.count(field, static_cast<std::int32_t>(left))));
    c.data.assign(data.begin(), data.end());
    left -= data.size();
  }
  for (std::int32_t i = 0; i < removed && r.ok(); ++i) item.removed.push_back(r.varint(field));
  return r.ok() ? item : ItemStack{};
}

void ReadArchive::nbt(std::string_view n, nbt::Raw& v) {
  capture(r_, v.bytes, [&] { skip_nbt(r_, n); });
}

namespace play {

namespace {
constexpr std::uint8_t kEntityDataEnd = 255;
}  // namespace

void write_entity_data(Writer& w, const std::vector<EntityData>& data) {
  for (const EntityData& d : data) {
    w.u8(d.index);
    w.varint(d.type);
    w.bytes(d.value);
  }
  w.u8(kEntityDataEnd);
}

void read_entity_data(Reader& r, std::vector<EntityData>& data) {
  data.clear();
  while (r.ok()) {
    const std::uint8_t index = r.u8("index");
    if (!r.ok() || index == kEntityDataEnd) return;
    EntityData& d = data.emplace_back();
    d.index = index;
    d.type = r.varint("type");
    capture(r, d.value, [&] { skip_entity_value(r, d.type); });
  }
}

void CommandNode::read_parser_properties(Reader& r, std::int32_t parser,
                                         std::vector<std::uint8_t>& properties) {
  constexpr std::string_view kField = "properties";
  const auto range = [&](std::size_t size) {
    const std::uint8_t present = r.u8(kField);
    r.bytes(kField, size * ((present & 1U) + (present >> 1 & 1U)));
  };
  capture(r, properties, [&] {
    switch (parser) {
      case 1:  // float
      case 3:  // integer
        return range(4);
      case 2:  // double
      case 4:  // long
        return range(8);
      case 5:  // string
        r.varint(kField);
        return;
      case 6:   // entity
      case 31:  // score holder
        r.u8(kField);
        return;
      case 43:  // time
        r.i32(kField);
        return;
      case 44:  // resource or tag, its key, resource, its key, selector: the registry
      case 45:
      case 46:
      case 47:
      case 48:
        r.string(kField);
        return;
      default:
        if (parser < 0 || parser > 56)
          r.fail(ErrorCode::kMalformed, kField, "no such parser: " + std::to_string(parser));
    }
  });
}

}  // namespace play

}  // namespace horizon::protocol
