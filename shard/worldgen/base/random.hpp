#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>

namespace horizon::worldgen {

/// 128 bits of a Xoroshiro128++ state.
struct Seed128 {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Seed128&) const = default;
};

/// A world seed spread over 128 bits (two Stafford variant 13 mixes), as the game does since 1.18.
Seed128 upgrade_seed(std::int64_t seed);
/// The MD5 of a name, as two big-endian words.
Seed128 seed_from_name(std::string_view name);
/// Java's String.hashCode of ASCII text.
std::int32_t java_hash(std::string_view text);
/// The game's hash of a block position, for positional random factories.
std::int64_t position_seed(std::int32_t x, std::int32_t y, std::int32_t z);

/// The game's random sources, bit for bit: each draw consumes what the game's consumes.
///
/// One class with a tag, because most code (features, structures, providers) takes whichever it is given:
/// - kLegacy: java.util.Random's 48-bit LCG;
/// - kXoroshiro: Xoroshiro128++ with its own bounded draws;
/// - kXoroshiroBits: Xoroshiro128++ read through the LCG's interface (`next(bits)`), as decoration does.
/// A value: copying forks the stream. Belongs to one thread.
class Random {
 public:
  enum class Kind : std::uint8_t { kLegacy, kXoroshiro, kXoroshiroBits };

  static Random legacy(std::int64_t seed) { return Random(Kind::kLegacy, seed); }
  static Random xoroshiro(std::int64_t seed) { return Random(Kind::kXoroshiro, seed); }
  static Random xoroshiro(Seed128 state);
  static Random xoroshiro_bits(std::int64_t seed) { return Random(Kind::kXoroshiroBits, seed); }

  Kind kind() const { return kind_; }
  void set_seed(std::int64_t seed);

  std::int32_t next_int() {
    return kind_ == Kind::kXoroshiro ? static_cast<std::int32_t>(next_xoroshiro()) : next_bits(32);
  }
  /// 0 to bound - 1. REQUIRES: bound > 0.
  std::int32_t next_int(std::int32_t bound);
  /// Both ends included.
  std::int32_t next_int_between(std::int32_t min, std::int32_t max) { return min + next_int(max - min + 1); }
  /// `max` excluded; `min` when the range is empty (nothing is drawn then).
  std::int32_t next_int_range(std::int32_t min, std::int32_t max) {
    return min >= max ? min : min + next_int(max - min);
  }
  std::int64_t next_long();
  bool next_bool() {
    return kind_ == Kind::kXoroshiro ? (next_xoroshiro() & 1) != 0 : next_bits(1) != 0;
  }
  float next_float();
  double next_double();
  double next_gaussian();
  /// mean + deviation * a symmetric triangle distribution; draws twice.
  double triangle(double mean, double deviation) {
    const double a = next_double();
    return mean + deviation * (a - next_double());
  }
  float triangle(float mean, float deviation) {
    const float a = next_float();
    return mean + deviation * (a - next_float());
  }
  /// Throws `count` draws of 32 bits (LCG) or 64 bits (Xoroshiro) away.
  void skip(std::int32_t count);
  /// A new source of the same kind, seeded from this one.
  Random fork();

  /// Seeds for the decoration of a chunk; returns the seed that set_feature_seed() takes.
  std::int64_t set_decoration_seed(std::int64_t world_seed, std::int32_t block_x, std::int32_t block_z);
  void set_feature_seed(std::int64_t decoration_seed, std::int32_t index, std::int32_t step) {
    set_seed(static_cast<std::int64_t>(static_cast<std::uint64_t>(decoration_seed) +
                                       static_cast<std::uint64_t>(static_cast<std::int64_t>(index)) +
                                       static_cast<std::uint64_t>(static_cast<std::int64_t>(10000 * step))));
  }
  /// Carvers and structure starts.
  void set_large_feature_seed(std::int64_t world_seed, std::int32_t chunk_x, std::int32_t chunk_z);
  /// Structure placement.
  void set_large_feature_with_salt(std::int64_t world_seed, std::int32_t x, std::int32_t z, std::int32_t salt);

 private:
  friend class PositionalRandom;
  Random(Kind kind, std::int64_t seed) : kind_(kind) { set_seed(seed); }

  std::int32_t next_bits(int bits) {
    if (kind_ == Kind::kLegacy) {
      low_ = (low_ * 25214903917ULL + 11) & ((std::uint64_t{1} << 48) - 1);
      return static_cast<std::int32_t>(static_cast<std::int64_t>(low_) >> (48 - bits));
    }
    return static_cast<std::int32_t>(next_xoroshiro() >> (64 - bits));
  }
  std::uint64_t next_xoroshiro() {
    const std::uint64_t a = low_;
    std::uint64_t b = high_;
    const std::uint64_t result = std::rotl(a + b, 17) + a;
    b ^= a;
    low_ = std::rotl(a, 49) ^ b ^ b << 21;
    high_ = std::rotl(b, 28);
    return result;
  }

  std::uint64_t low_ = 0, high_ = 0;
  double spare_gaussian_ = 0;
  bool has_spare_gaussian_ = false;
  Kind kind_;
};

/// Makes a random source for a position or a name, the same whatever was drawn before.
class PositionalRandom {
 public:
  PositionalRandom() = default;
  /// Draws from `source` (one long of an LCG, two of Xoroshiro).
  explicit PositionalRandom(Random& source);

  Random at(std::int32_t x, std::int32_t y, std::int32_t z) const;
  Random named(std::string_view name) const;
  Random seeded(std::int64_t seed) const;

 private:
  bool is_legacy_ = false;
  Seed128 state_;
};

/// Fisher–Yates from the last element, as the game shuffles lists.
template <typename Container>
void shuffle(Container& values, Random& random) {
  for (auto i = static_cast<std::int32_t>(values.size()); i > 1; --i) {
    std::swap(values[static_cast<std::size_t>(i - 1)], values[static_cast<std::size_t>(random.next_int(i))]);
  }
}

}  // namespace horizon::worldgen
