#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/ids.hpp"
#include "common/base/result.hpp"
#include "common/nbt/nbt.hpp"
#include "common/protocol/buffer.hpp"

/// How packets are coded: each packet is a struct with `kId`, `kName` and a visitor `fields(archive)` that
/// names its fields in wire order, once for both directions. `WriteArchive` and `ReadArchive` are the two
/// archives.
namespace horizon::protocol {

inline constexpr std::int32_t kMaxList = 65536;
inline constexpr std::size_t kMaxRest = 2 * 1024 * 1024;
/// All component bytes of a stack that a client sends, together.
inline constexpr std::size_t kMaxComponentBytes = 64 * 1024;
inline constexpr std::int32_t kMaxComponents = 256;

/// A data component of an item, not understood: its type's id and its bytes without a length.
struct ItemComponent {
  std::int32_t type = 0;
  std::vector<std::uint8_t> data;
  bool operator==(const ItemComponent&) const = default;
};

/// An item stack; empty when count is not above 0.
struct ItemStack {
  std::int32_t count = 0;
  std::int32_t item = 0;
  std::vector<ItemComponent> added;
  std::vector<std::int32_t> removed;

  bool empty() const { return count <= 0; }
  bool operator==(const ItemStack&) const = default;
};

/// What a client says of a stack that it believes is somewhere: components only as hashes.
struct HashedItem {
  struct Component {
    std::int32_t type = 0;
    std::int32_t hash = 0;
    bool operator==(const Component&) const = default;
    template <class A>
    void fields(A& a) {
      a.varint("type", type);
      a.i32("hash", hash);
    }
  };
  std::int32_t item = 0;
  std::int32_t count = 0;
  std::vector<Component> added;
  std::vector<std::int32_t> removed;
  bool operator==(const HashedItem&) const = default;
  template <class A>
  void fields(A& a) {
    a.varint("item", item);
    a.varint("count", count);
    a.objects("added", added, kMaxComponents);
    a.varints("removed", removed, kMaxComponents);
  }
};

/// A place in a named dimension.
struct GlobalPos {
  std::string dimension;
  BlockPos pos;
  bool operator==(const GlobalPos&) const = default;
  template <class A>
  void fields(A& a) {
    a.string("dimension", dimension);
    a.block_pos("pos", pos);
  }
};

/// A property of a profile: "textures" with the skin.
struct ProfileProperty {
  std::string name;
  std::string value;
  std::optional<std::string> signature;
  bool operator==(const ProfileProperty&) const = default;
  template <class A>
  void fields(A& a) {
    a.string("name", name, 64);
    a.string("value", value);
    a.optional("signature", signature, [](A& in, std::string& s) { in.string("signature", s, 1024); });
  }
};

/// Settings of the client; sent in configuration and again in play when the player changes them.
struct ClientSettings {
  std::string locale;
  std::int8_t view_distance = 0;
  std::int32_t chat_mode = 0;
  bool chat_colors = false;
  std::uint8_t skin_parts = 0;
  std::int32_t main_hand = 0;
  bool text_filtering = false;
  bool allow_listing = false;
  std::int32_t particle_status = 0;
  bool operator==(const ClientSettings&) const = default;
  template <class A>
  void fields(A& a) {
    a.string("locale", locale, 16);
    a.i8("view_distance", view_distance);
    a.choice("chat_mode", chat_mode, 3);
    a.boolean("chat_colors", chat_colors);
    a.u8("skin_parts", skin_parts);
    a.choice("main_hand", main_hand, 2);
    a.boolean("text_filtering", text_filtering);
    a.boolean("allow_listing", allow_listing);
    a.choice("particle_status", particle_status, 3);
  }
};

/// Appends an item stack as clientbound packets carry it.
void write_item(Writer& w, const ItemStack& item);
/// Reads a stack in that form. Components have no lengths there: one that item_component.hpp does not know is
/// an Error. Between our own processes use the untrusted form, which keeps all of them.
ItemStack read_item(Reader& r, std::string_view field);
/// The serverbound form: each component with its length, all together at most kMaxComponentBytes. What a
/// client sent goes to other clients only through safe_for_clients().
void write_untrusted_item(Writer& w, const ItemStack& item);
ItemStack read_untrusted_item(Reader& r, std::string_view field);

/// Writes the fields of a packet.
class WriteArchive {
 public:
  static constexpr bool kReads = false;
  explicit WriteArchive(Writer& w) : w_(w) {}

  void u8(std::string_view, std::uint8_t v) { w_.u8(v); }
  void i8(std::string_view, std::int8_t v) { w_.i8(v); }
  void u16(std::string_view, std::uint16_t v) { w_.u16(v); }
  void i16(std::string_view, std::int16_t v) { w_.i16(v); }
  void i32(std::string_view, std::int32_t v) { w_.i32(v); }
  void u32(std::string_view, std::uint32_t v) { w_.u32(v); }
  void i64(std::string_view, std::int64_t v) { w_.i64(v); }
  void u64(std::string_view, std::uint64_t v) { w_.u64(v); }
  void f32(std::string_view, float v) { w_.f32(v); }
  void f64(std::string_view, double v) { w_.f64(v); }
  void boolean(std::string_view, bool v) { w_.boolean(v); }
  void varint(std::string_view, std::int32_t v) { w_.varint(v); }
  void varlong(std::string_view, std::int64_t v) { w_.varlong(v); }
  /// A varint from 0 to limit - 1.
  void choice(std::string_view, std::int32_t v, std::int32_t) { w_.varint(v); }
  void string(std::string_view, const std::string& v, std::int32_t = kMaxString) { w_.string(v); }
  void uuid(std::string_view, Uuid v) { w_.uuid(v); }
  void block_pos(std::string_view, BlockPos v) { w_.block_pos(v); }
  void lp_vec3(std::string_view, Vec3 v) { w_.lp_vec3(v); }
  void vec3(std::string_view, Vec3 v) {
    w_.f64(v.x);
    w_.f64(v.y);
    w_.f64(v.z);
  }
  void nbt(std::string_view, const nbt::Raw& v) { w_.bytes(v.bytes); }
  /// Bytes with their count before them.
  void byte_array(std::string_view, const std::vector<std::uint8_t>& v, std::int32_t) {
    w_.varint(static_cast<std::int32_t>(v.size()));
    w_.bytes(v);
  }
  template <std::size_t N>
  void fixed(std::string_view, const std::array<std::uint8_t, N>& v) {
    w_.bytes(v);
  }
  /// All bytes up to the end of the packet.
  void rest(std::string_view, const std::vector<std::uint8_t>& v, std::size_t = kMaxRest) { w_.bytes(v); }
  void item(std::string_view, const ItemStack& v) { write_item(w_, v); }
  void untrusted_item(std::string_view, const ItemStack& v) { write_untrusted_item(w_, v); }

  template <class T>
  void object(std::string_view, const T& v) {
    const_cast<T&>(v).fields(*this);
  }
  /// A count and the elements, each coded by `element(archive, value)`.
  template <class T, class F>
  void list(std::string_view, std::vector<T>& v, std::int32_t, F element) {
    w_.varint(static_cast<std::int32_t>(v.size()));
    for (T& e : v) element(*this, e);
  }
  template <class T>
  void objects(std::string_view, std::vector<T>& v, std::int32_t = kMaxList) {
    w_.varint(static_cast<std::int32_t>(v.size()));
    for (T& e : v) e.fields(*this);
  }
  void varints(std::string_view, const std::vector<std::int32_t>& v, std::int32_t = kMaxList) {
    w_.varint(static_cast<std::int32_t>(v.size()));
    for (std::int32_t e : v) w_.varint(e);
  }
  void strings(std::string_view, const std::vector<std::string>& v, std::int32_t = kMaxList) {
    w_.varint(static_cast<std::int32_t>(v.size()));
    for (const std::string& e : v) w_.string(e);
  }
  /// A boolean, and the value if it is there.
  template <class T, class F>
  void optional(std::string_view, std::optional<T>& v, F value) {
    w_.boolean(v.has_value());
    if (v) value(*this, *v);
  }
  template <class T>
  void optional_object(std::string_view, std::optional<T>& v) {
    w_.boolean(v.has_value());
    if (v) v->fields(*this);
  }

  Writer& writer() { return w_; }
  void fail(ErrorCode, std::string_view, std::string_view) {}

 private:
  Writer& w_;
};

/// Reads the fields of a packet; after a failure the fields keep zero values.
class ReadArchive {
 public:
  static constexpr bool kReads = true;
  explicit ReadArchive(Reader& r) : r_(r) {}

  void u8(std::string_view n, std::uint8_t& v) { v = r_.u8(n); }
  void i8(std::string_view n, std::int8_t& v) { v = r_.i8(n); }
  void u16(std::string_view n, std::uint16_t& v) { v = r_.u16(n); }
  void i16(std::string_view n, std::int16_t& v) { v = r_.i16(n); }
  void i32(std::string_view n, std::int32_t& v) { v = r_.i32(n); }
  void u32(std::string_view n, std::uint32_t& v) { v = r_.u32(n); }
  void i64(std::string_view n, std::int64_t& v) { v = r_.i64(n); }
  void u64(std::string_view n, std::uint64_t& v) { v = r_.u64(n); }
  void f32(std::string_view n, float& v) { v = r_.f32(n); }
  void f64(std::string_view n, double& v) { v = r_.f64(n); }
  void boolean(std::string_view n, bool& v) { v = r_.boolean(n); }
  void varint(std::string_view n, std::int32_t& v) { v = r_.varint(n); }
  void varlong(std::string_view n, std::int64_t& v) { v = r_.varlong(n); }
  void choice(std::string_view n, std::int32_t& v, std::int32_t limit) {
    v = r_.varint(n);
    if (v < 0 || v >= limit) {
      r_.fail(ErrorCode::kMalformed, n, "no such choice: " + std::to_string(v));
      v = 0;
    }
  }
  void string(std::string_view n, std::string& v, std::int32_t max_units = kMaxString) {
    v = r_.string(n, max_units);
  }
  void uuid(std::string_view n, Uuid& v) { v = r_.uuid(n); }
  void block_pos(std::string_view n, BlockPos& v) { v = r_.block_pos(n); }
  void lp_vec3(std::string_view n, Vec3& v) { v = r_.lp_vec3(n); }
  void vec3(std::string_view n, Vec3& v) {
    v.x = r_.f64(n);
    v.y = r_.f64(n);
    v.z = r_.f64(n);
  }
  void nbt(std::string_view n, nbt::Raw& v);
  void byte_array(std::string_view n, std::vector<std::uint8_t>& v, std::int32_t max) {
    const std::int32_t count = r_.count(n, max);
    const auto bytes = r_.bytes(n, static_cast<std::size_t>(count));
    v.assign(bytes.begin(), bytes.end());
  }
  template <std::size_t N>
  void fixed(std::string_view n, std::array<std::uint8_t, N>& v) {
    const auto bytes = r_.bytes(n, N);
    if (bytes.size() == N) std::copy(bytes.begin(), bytes.end(), v.begin());
  }
  void rest(std::string_view n, std::vector<std::uint8_t>& v, std::size_t max = kMaxRest) {
    const auto bytes = r_.rest(n, max);
    v.assign(bytes.begin(), bytes.end());
  }
  void item(std::string_view n, ItemStack& v) { v = read_item(r_, n); }
  void untrusted_item(std::string_view n, ItemStack& v) { v = read_untrusted_item(r_, n); }

  template <class T>
  void object(std::string_view, T& v) {
    v.fields(*this);
  }
  template <class T, class F>
  void list(std::string_view n, std::vector<T>& v, std::int32_t max, F element) {
    const std::int32_t count = r_.count(n, max);
    v.clear();
    for (std::int32_t i = 0; i < count && r_.ok(); ++i) {
      v.emplace_back();
      element(*this, v.back());
    }
  }
  template <class T>
  void objects(std::string_view n, std::vector<T>& v, std::int32_t max = kMaxList) {
    list(n, v, max, [](ReadArchive& a, T& e) { e.fields(a); });
  }
  void varints(std::string_view n, std::vector<std::int32_t>& v, std::int32_t max = kMaxList) {
    list(n, v, max, [n](ReadArchive& a, std::int32_t& e) { a.varint(n, e); });
  }
  void strings(std::string_view n, std::vector<std::string>& v, std::int32_t max = kMaxList) {
    list(n, v, max, [n](ReadArchive& a, std::string& e) { a.string(n, e); });
  }
  template <class T, class F>
  void optional(std::string_view n, std::optional<T>& v, F value) {
    v.reset();
    if (!r_.boolean(n)) return;
    v.emplace();
    value(*this, *v);
  }
  template <class T>
  void optional_object(std::string_view n, std::optional<T>& v) {
    optional(n, v, [](ReadArchive& a, T& e) { e.fields(a); });
  }

  Reader& reader() { return r_; }
  void fail(ErrorCode code, std::string_view n, std::string_view what) { r_.fail(code, n, what); }

 private:
  Reader& r_;
};

/// Appends the packet's id and body.
template <class P>
void encode_to(Writer& w, const P& packet) {
  w.varint(P::kId);
  WriteArchive a(w);
  const_cast<P&>(packet).fields(a);
}

/// The packet's id and body: what make_frame() takes.
template <class P>
std::vector<std::uint8_t> encode(const P& packet) {
  Writer w(64);
  encode_to(w, packet);
  return w.take();
}

/// Reads the body of a packet, which is what follows its id, and requires that all of it is used.
template <class P>
Result<P> decode(std::span<const std::uint8_t> body) {
  Reader r(body, P::kName);
  ReadArchive a(r);
  P packet;
  packet.fields(a);
  r.expect_end();
  if (!r.ok()) return r.error();
  return packet;
}

}  // namespace horizon::protocol
