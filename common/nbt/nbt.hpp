#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/result.hpp"

/// NBT in the network form: a root tag without a name, strings in Java's modified UTF-8.
namespace horizon::nbt {

enum class Type : std::uint8_t {
  kEnd = 0,
  kByte = 1,
  kShort = 2,
  kInt = 3,
  kLong = 4,
  kFloat = 5,
  kDouble = 6,
  kByteArray = 7,
  kString = 8,
  kList = 9,
  kCompound = 10,
  kIntArray = 11,
  kLongArray = 12,
};

/// What a reader accepts before it gives up. The quota counts bytes of memory of the tree, about 40 per tag.
struct Limits {
  std::int32_t depth = 512;
  std::size_t quota = 2 * 1024 * 1024;
};

/// The bytes of one value in network form, not looked into.
struct Raw {
  std::vector<std::uint8_t> bytes;
  bool operator==(const Raw&) const = default;
};

class Value;

/// The elements of a list, all of one type; the type is kept so that an empty list can be written back as it
/// was.
struct List {
  Type element = Type::kEnd;
  std::vector<Value> values;
  bool operator==(const List&) const;
};

/// Names and values in the order in which they came. Few entries: looked up by walking.
struct Compound {
  std::vector<std::pair<std::string, Value>> entries;

  /// The first entry of this name, or null.
  const Value* find(std::string_view name) const;
  /// Appends, or replaces the entry of this name.
  Compound& set(std::string name, Value value);
  bool operator==(const Compound&) const;
};

/// One tag with all that is below it. Strings are UTF-8.
class Value {
 public:
  using Storage = std::variant<std::monostate, std::int8_t, std::int16_t, std::int32_t, std::int64_t, float,
                               double, std::vector<std::int8_t>, std::string, List, Compound,
                               std::vector<std::int32_t>, std::vector<std::int64_t>>;

  Value() = default;
  Value(std::int8_t v) : storage_(v) {}
  Value(bool v) : storage_(static_cast<std::int8_t>(v)) {}
  Value(std::int16_t v) : storage_(v) {}
  Value(std::int32_t v) : storage_(v) {}
  Value(std::int64_t v) : storage_(v) {}
  Value(float v) : storage_(v) {}
  Value(double v) : storage_(v) {}
  Value(std::string v) : storage_(std::move(v)) {}
  Value(std::string_view v) : storage_(std::string(v)) {}
  Value(const char* v) : storage_(std::string(v)) {}
  Value(std::vector<std::int8_t> v) : storage_(std::move(v)) {}
  Value(std::vector<std::int32_t> v) : storage_(std::move(v)) {}
  Value(std::vector<std::int64_t> v) : storage_(std::move(v)) {}
  Value(List v) : storage_(std::move(v)) {}
  Value(Compound v) : storage_(std::move(v)) {}

  Type type() const { return static_cast<Type>(storage_.index()); }

  /// The content when it is of type T, or null.
  template <typename T>
  const T* get() const {
    return std::get_if<T>(&storage_);
  }
  template <typename T>
  T* get() {
    return std::get_if<T>(&storage_);
  }
  /// Any of the number types as a 64-bit integer (decimals are cut), or `fallback`.
  std::int64_t as_int(std::int64_t fallback = 0) const;
  double as_double(double fallback = 0) const;
  /// The entry of a compound, or null; also null when this is no compound.
  const Value* find(std::string_view name) const;

  bool operator==(const Value&) const = default;

 private:
  Storage storage_;
};

/// A list of `values`. REQUIRES: all of one type.
List make_list(std::vector<Value> values);

/// Reads one value and requires that it uses all of `bytes`.
Result<Value> read(std::span<const std::uint8_t> bytes, const Limits& limits = {});

/// How many of the first bytes are one value, checked like `read` but without building anything.
Result<std::size_t> skip(std::span<const std::uint8_t> bytes, const Limits& limits = {});

/// Appends the network form.
void write(std::vector<std::uint8_t>& out, const Value& value);
Raw to_raw(const Value& value);

/// The named form of files: `read_named` also returns the root's name in `name` when that is not null.
Result<Value> read_named(std::span<const std::uint8_t> bytes, std::string* name = nullptr,
                         const Limits& limits = {});
void write_named(std::vector<std::uint8_t>& out, std::string_view name, const Value& value);

/// Java's modified UTF-8 (NUL as two bytes, characters above U+FFFF as two surrogates of three bytes) and
/// UTF-8.
std::string to_modified_utf8(std::string_view utf8);
Result<std::string> from_modified_utf8(std::string_view modified);

}  // namespace horizon::nbt
