#include "common/nbt/nbt.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace horizon::nbt {

namespace {

using Bytes = std::span<const std::uint8_t>;

// What a tag costs of the quota besides its content: about what a node of the tree takes.
constexpr std::size_t kTagCost = 40;
constexpr std::size_t kEntryCost = 72;

// Reads the code of one character of modified UTF-8 at `i`: a UTF-16 unit. False when malformed.
bool next_modified_unit(std::string_view s, std::size_t& i, std::uint32_t& unit) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(s[at]); };
  const std::uint8_t first = byte(i);
  if (first < 0x80) {
    unit = first;
    i += 1;
    return true;
  }
  const auto tail = [&](std::size_t at) { return at < s.size() && (byte(at) & 0xc0) == 0x80; };
  if ((first & 0xe0) == 0xc0) {
    if (!tail(i + 1)) return false;
    unit = static_cast<std::uint32_t>(first & 0x1f) << 6 | (byte(i + 1) & 0x3f);
    i += 2;
    return true;
  }
  if ((first & 0xf0) == 0xe0) {
    if (!tail(i + 1) || !tail(i + 2)) return false;
    unit = static_cast<std::uint32_t>(first & 0x0f) << 12 |
           static_cast<std::uint32_t>(byte(i + 1) & 0x3f) << 6 | (byte(i + 2) & 0x3f);
    i += 3;
    return true;
  }
  return false;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t b) { out.push_back(static_cast<char>(static_cast<std::uint8_t>(b))); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6), put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12), put(0x80 | (code >> 6 & 0x3f)), put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18), put(0x80 | (code >> 12 & 0x3f)), put(0x80 | (code >> 6 & 0x3f)),
        put(0x80 | (code & 0x3f));
  }
}

bool is_ascii_without_nul(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) { return c > 0; });
}

// Walks tags and, when `kBuild`, makes the tree; the checks are the same for both.
template <bool kBuild>
class Parser {
 public:
  Parser(Bytes bytes, const Limits& limits) : bytes_(bytes), limits_(limits), quota_(limits.quota) {}

  bool root(Value* out) {
    Type type{};
    return read_type(type) && (type == Type::kEnd || payload(type, out, 0));
  }

  bool named_root(Value* out, std::string* name) {
    Type type{};
    std::string ignored;
    return read_type(type) &&
           (type == Type::kEnd || (string(name != nullptr ? name : &ignored) && payload(type, out, 0)));
  }

  std::size_t offset() const { return offset_; }
  Error error() const { return *error_; }

 private:
  bool fail(ErrorCode code, std::string_view what) {
    if (!error_) error_ = Error{code, "nbt at byte " + std::to_string(offset_) + ": " + std::string(what)};
    return false;
  }

  bool need(std::uint64_t size) {
    return size <= bytes_.size() - offset_ || fail(ErrorCode::kMalformed, "cut off");
  }

  bool spend(std::size_t cost) {
    if (cost > quota_)
      return fail(ErrorCode::kLimit, "more than the quota of " + std::to_string(limits_.quota) + " bytes");
    quota_ -= cost;
    return true;
  }

  template <typename T>
  bool number(T* out) {
    if (!need(sizeof(T))) return false;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) bits = bits << 8 | bytes_[offset_ + i];
    offset_ += sizeof(T);
    if (out != nullptr) *out = static_cast<T>(bits);
    return true;
  }

  bool read_type(Type& type) {
    std::uint8_t b = 0;
    if (!number(&b)) return false;
    if (b > static_cast<std::uint8_t>(Type::kLongArray)) {
      return fail(ErrorCode::kMalformed, "no such tag type: " + std::to_string(b));
    }
    type = static_cast<Type>(b);
    return true;
  }

  bool string(std::string* out) {
    std::uint16_t size = 0;
    if (!number(&size) || !need(size) || !spend(size)) return false;
    const std::string_view raw(reinterpret_cast<const char*>(bytes_.data() + offset_), size);
    if (!is_ascii_without_nul(raw)) {
      auto text = from_modified_utf8(raw);
      if (!text) return fail(ErrorCode::kMalformed, text.error().message);
      if (out != nullptr) *out = *std::move(text);
    } else if (out != nullptr) {
      out->assign(raw);
    }
    offset_ += size;
    return true;
  }

  bool length(std::int32_t& count) {
    if (!number(&count)) return false;
    return count >= 0 || fail(ErrorCode::kMalformed, "a negative count");
  }

  template <typename T>
  bool array(Value* out) {
    std::int32_t count = 0;
    if (!length(count)) return false;
    const std::uint64_t size = static_cast<std::uint64_t>(count) * sizeof(T);
    if (!need(size) || !spend(static_cast<std::size_t>(size))) return false;
    if constexpr (kBuild) {
      std::vector<T> values(static_cast<std::size_t>(count));
      for (T& v : values) number(&v);
      *out = Value(std::move(values));
    } else {
      offset_ += static_cast<std::size_t>(size);
    }
    return true;
  }

  bool list(Value* out, std::int32_t depth) {
    if (depth >= limits_.depth)
      return fail(ErrorCode::kLimit, "deeper than " + std::to_string(limits_.depth));
    Type element{};
    std::int32_t count = 0;
    if (!read_type(element) || !length(count)) return false;
    if (element == Type::kEnd && count > 0)
      return fail(ErrorCode::kMalformed, "a list without an element type");
    // Every element but End takes a byte at least.
    if (!need(static_cast<std::uint64_t>(count)) || !spend(static_cast<std::size_t>(count) * kTagCost))
      return false;
    List result{element, {}};
    if constexpr (kBuild) result.values.resize(static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i) {
      if (!payload(element, kBuild ? &result.values[static_cast<std::size_t>(i)] : nullptr, depth + 1))
        return false;
    }
    if constexpr (kBuild) *out = Value(std::move(result));
    return true;
  }

  bool compound(Value* out, std::int32_t depth) {
    if (depth >= limits_.depth)
      return fail(ErrorCode::kLimit, "deeper than " + std::to_string(limits_.depth));
    Compound result;
    while (true) {
      Type type{};
      if (!read_type(type)) return false;
      if (type == Type::kEnd) break;
      if (!spend(kEntryCost)) return false;
      std::string name;
      Value value;
      if (!string(kBuild ? &name : nullptr) || !payload(type, kBuild ? &value : nullptr, depth + 1))
        return false;
      if constexpr (kBuild) result.entries.emplace_back(std::move(name), std::move(value));
    }
    if constexpr (kBuild) *out = Value(std::move(result));
    return true;
  }

  template <typename T, typename Bits>
  bool scalar(Value* out) {
    Bits bits{};
    if (!number(&bits)) return false;
    if constexpr (kBuild) *out = Value(std::bit_cast<T>(bits));
    return true;
  }

  bool payload(Type type, Value* out, std::int32_t depth) {
    switch (type) {
      case Type::kEnd:
        return true;
      case Type::kByte:
        return scalar<std::int8_t, std::int8_t>(out);
      case Type::kShort:
        return scalar<std::int16_t, std::int16_t>(out);
      case Type::kInt:
        return scalar<std::int32_t, std::int32_t>(out);
      case Type::kLong:
        return scalar<std::int64_t, std::int64_t>(out);
      case Type::kFloat:
        return scalar<float, std::uint32_t>(out);
      case Type::kDouble:
        return scalar<double, std::uint64_t>(out);
      case Type::kByteArray:
        return array<std::int8_t>(out);
      case Type::kString: {
        std::string text;
        if (!string(kBuild ? &text : nullptr)) return false;
        if constexpr (kBuild) *out = Value(std::move(text));
        return true;
      }
      case Type::kList:
        return list(out, depth);
      case Type::kCompound:
        return compound(out, depth);
      case Type::kIntArray:
        return array<std::int32_t>(out);
      case Type::kLongArray:
        return array<std::int64_t>(out);
    }
    return fail(ErrorCode::kMalformed, "no such tag type");
  }

  Bytes bytes_;
  Limits limits_;
  std::size_t quota_;
  std::size_t offset_ = 0;
  std::optional<Error> error_;
};

template <typename T>
void put(std::vector<std::uint8_t>& out, T value) {
  const auto bits = static_cast<std::uint64_t>(value);
  for (int shift = (static_cast<int>(sizeof(T)) - 1) * 8; shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::uint8_t>(bits >> shift));
  }
}

// Names and texts above 65,535 bytes have no form on the wire and are cut at a character.
void put_string(std::vector<std::uint8_t>& out, std::string_view text) {
  std::string modified = is_ascii_without_nul(text) ? std::string(text) : to_modified_utf8(text);
  if (modified.size() > std::numeric_limits<std::uint16_t>::max()) {
    std::size_t end = std::numeric_limits<std::uint16_t>::max();
    while (end > 0 && (static_cast<std::uint8_t>(modified[end]) & 0xc0) == 0x80) --end;
    modified.resize(end);
  }
  put(out, static_cast<std::uint16_t>(modified.size()));
  out.insert(out.end(), modified.begin(), modified.end());
}

void put_payload(std::vector<std::uint8_t>& out, const Value& value);

template <typename T>
void put_array(std::vector<std::uint8_t>& out, const std::vector<T>& values) {
  put(out, static_cast<std::int32_t>(values.size()));
  for (T v : values) put(out, v);
}

void put_payload(std::vector<std::uint8_t>& out, const Value& value) {
  switch (value.type()) {
    case Type::kEnd:
      break;
    case Type::kByte:
      put(out, *value.get<std::int8_t>());
      break;
    case Type::kShort:
      put(out, *value.get<std::int16_t>());
      break;
    case Type::kInt:
      put(out, *value.get<std::int32_t>());
      break;
    case Type::kLong:
      put(out, *value.get<std::int64_t>());
      break;
    case Type::kFloat:
      put(out, std::bit_cast<std::uint32_t>(*value.get<float>()));
      break;
    case Type::kDouble:
      put(out, std::bit_cast<std::uint64_t>(*value.get<double>()));
      break;
    case Type::kByteArray:
      put_array(out, *value.get<std::vector<std::int8_t>>());
      break;
    case Type::kString:
      put_string(out, *value.get<std::string>());
      break;
    case Type::kList: {
      const List& list = *value.get<List>();
      const Type element = list.values.empty() ? list.element : list.values.front().type();
      put(out, static_cast<std::uint8_t>(element));
      put(out, static_cast<std::int32_t>(list.values.size()));
      for (const Value& v : list.values) {
        HZ_CHECK(v.type() == element);
        put_payload(out, v);
      }
      break;
    }
    case Type::kCompound:
      for (const auto& [name, v] : value.get<Compound>()->entries) {
        if (v.type() == Type::kEnd) continue;
        put(out, static_cast<std::uint8_t>(v.type()));
        put_string(out, name);
        put_payload(out, v);
      }
      put(out, static_cast<std::uint8_t>(Type::kEnd));
      break;
    case Type::kIntArray:
      put_array(out, *value.get<std::vector<std::int32_t>>());
      break;
    case Type::kLongArray:
      put_array(out, *value.get<std::vector<std::int64_t>>());
      break;
  }
}

}  // namespace

bool List::operator==(const List& other) const { return element == other.element && values == other.values; }

bool Compound::operator==(const Compound& other) const { return entries == other.entries; }

const Value* Compound::find(std::string_view name) const {
  for (const auto& [key, value] : entries) {
    if (key == name) return &value;
  }
  return nullptr;
}

Compound& Compound::set(std::string name, Value value) {
  for (auto& [key, old] : entries) {
    if (key != name) continue;
    old = std::move(value);
    return *this;
  }
  entries.emplace_back(std::move(name), std::move(value));
  return *this;
}

std::int64_t Value::as_int(std::int64_t fallback) const {
  // Decimals beyond the range of the integer have no value in it.
  const auto cut = [&](double v) {
    return v > -9.2e18 && v < 9.2e18 ? static_cast<std::int64_t>(v) : fallback;
  };
  switch (type()) {
    case Type::kByte:
      return *get<std::int8_t>();
    case Type::kShort:
      return *get<std::int16_t>();
    case Type::kInt:
      return *get<std::int32_t>();
    case Type::kLong:
      return *get<std::int64_t>();
    case Type::kFloat:
      return cut(static_cast<double>(*get<float>()));
    case Type::kDouble:
      return cut(*get<double>());
    default:
      return fallback;
  }
}

double Value::as_double(double fallback) const {
  if (const auto* f = get<float>()) return static_cast<double>(*f);
  if (const auto* d = get<double>()) return *d;
  const Type t = type();
  if (t < Type::kByte || t > Type::kLong) return fallback;
  return static_cast<double>(as_int());
}

const Value* Value::find(std::string_view name) const {
  const auto* compound = get<Compound>();
  return compound != nullptr ? compound->find(name) : nullptr;
}

List make_list(std::vector<Value> values) {
  const Type element = values.empty() ? Type::kEnd : values.front().type();
  return List{element, std::move(values)};
}

Result<Value> read(Bytes bytes, const Limits& limits) {
  Parser<true> parser(bytes, limits);
  Value value;
  if (!parser.root(&value)) return parser.error();
  if (parser.offset() != bytes.size()) {
    return Error{ErrorCode::kMalformed,
                 "nbt: " + std::to_string(bytes.size() - parser.offset()) + " bytes left over"};
  }
  return value;
}

Result<std::size_t> skip(Bytes bytes, const Limits& limits) {
  Parser<false> parser(bytes, limits);
  if (!parser.root(nullptr)) return parser.error();
  return parser.offset();
}

Result<Value> read_named(Bytes bytes, std::string* name, const Limits& limits) {
  Parser<true> parser(bytes, limits);
  Value value;
  if (!parser.named_root(&value, name)) return parser.error();
  return value;
}

void write(std::vector<std::uint8_t>& out, const Value& value) {
  put(out, static_cast<std::uint8_t>(value.type()));
  put_payload(out, value);
}

Raw to_raw(const Value& value) {
  Raw raw;
  write(raw.bytes, value);
  return raw;
}

void write_named(std::vector<std::uint8_t>& out, std::string_view name, const Value& value) {
  put(out, static_cast<std::uint8_t>(value.type()));
  if (value.type() == Type::kEnd) return;
  put_string(out, name);
  put_payload(out, value);
}

std::string to_modified_utf8(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size() + 8);
  for (std::size_t i = 0; i < utf8.size();) {
    const auto first = static_cast<std::uint8_t>(utf8[i]);
    if (first == 0) {
      out += "\xc0\x80";
      ++i;
    } else if (first >= 0xf0 && utf8.size() - i >= 4) {
      const auto bits = [&](std::size_t k) { return static_cast<std::uint32_t>(utf8[i + k]) & 0x3f; };
      const std::uint32_t code =
          ((static_cast<std::uint32_t>(first) & 7) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3)) - 0x10000;
      append_utf8(out, 0xd800 | (code >> 10 & 0x3ff));
      append_utf8(out, 0xdc00 | (code & 0x3ff));
      i += 4;
    } else {
      out.push_back(utf8[i]);
      ++i;
    }
  }
  return out;
}

Result<std::string> from_modified_utf8(std::string_view modified) {
  std::string out;
  out.reserve(modified.size());
  for (std::size_t i = 0; i < modified.size();) {
    std::uint32_t unit = 0;
    if (!next_modified_unit(modified, i, unit)) return Error{ErrorCode::kMalformed, "not modified UTF-8"};
    if (unit >= 0xd800 && unit <= 0xdbff) {
      std::size_t ahead = i;
      std::uint32_t low = 0;
      if (i < modified.size() && next_modified_unit(modified, ahead, low) && low >= 0xdc00 && low <= 0xdfff) {
        unit = 0x10000 + ((unit & 0x3ff) << 10 | (low & 0x3ff));
        i = ahead;
      }
    }
    // A surrogate on its own has no place in UTF-8.
    if (unit >= 0xd800 && unit <= 0xdfff) unit = 0xfffd;
    append_utf8(out, unit);
  }
  return out;
}

}  // namespace horizon::nbt
