#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/base/result.hpp"

namespace horizon::worldgen {

/// Worldgen definitions in the data pack format of 26.1. Objects keep the order of their text.
using Json = nlohmann::ordered_json;

/// A definition that cannot be used: unknown type, missing or wrong field. Thrown by the parsers of this folder
/// and caught where a whole set of definitions is loaded, so that the message can name the definition.
class FigureError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "stone" and "minecraft:stone" are "minecraft:stone"; other namespaces stay.
std::string with_namespace(std::string_view name);
/// "minecraft:stone" is "stone"; other namespaces stay.
std::string_view without_minecraft(std::string_view name);

/// Field `key` of an object. Throws FigureError naming the key when it is missing.
const Json& field(const Json& object, std::string_view key);
/// The same with a fallback for a missing field; a field of the wrong type throws.
double number_or(const Json& object, std::string_view key, double fallback);
std::int32_t int_or(const Json& object, std::string_view key, std::int32_t fallback);
bool bool_or(const Json& object, std::string_view key, bool fallback);
double number(const Json& object, std::string_view key);
std::int32_t integer(const Json& object, std::string_view key);
const std::string& text(const Json& object, std::string_view key);
/// The "type" of a definition without "minecraft:".
std::string_view type_of(const Json& object);

/// The definitions that the generator works from: the built-in ones of 26.1, with an operator's data pack laid
/// over them. Immutable once shared; safe from any thread.
class Figures {
 public:
  /// The figures of 26.1 that are built into the program.
  static const Figures& builtin();
  static Figures from_builtin() { return builtin(); }

  /// `registry` as in a data pack's worldgen folder ("noise", "placed_feature"), `name` with or without
  /// namespace. Throws FigureError when there is none.
  const Json& get(std::string_view registry, std::string_view name) const;
  const Json* find(std::string_view registry, std::string_view name) const;
  /// All names of a registry (with namespace), sorted as text, which is the order that the game loads them in.
  std::vector<std::string> names(std::string_view registry) const;
  /// Adds or replaces.
  void set(std::string_view registry, std::string_view name, Json definition);

 private:
  std::unordered_map<std::string, std::unordered_map<std::string, Json>> registries_;
};

}  // namespace horizon::worldgen
