#include "shard/worldgen/base/random.hpp"

#include <openssl/evp.h>

#include <array>
#include <cmath>

#include "common/base/result.hpp"

namespace horizon::worldgen {

namespace {

constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15ULL;
constexpr std::uint64_t kSilverRatio = 0x6A09E667F3BCC909ULL;
constexpr std::uint64_t kLcgMultiplier = 0x5DEECE66DULL;

std::uint64_t stafford13(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
  return z ^ z >> 31;
}

Seed128 nonzero(Seed128 s) {
  // The all-zero state would stay zero for ever.
  return (s.low | s.high) == 0 ? Seed128{kGoldenRatio, kSilverRatio} : s;
}

}  // namespace

Seed128 upgrade_seed(std::int64_t seed) {
  const std::uint64_t low = static_cast<std::uint64_t>(seed) ^ kSilverRatio;
  return {stafford13(low), stafford13(low + kGoldenRatio)};
}

Seed128 seed_from_name(std::string_view name) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  HZ_CHECK(EVP_Digest(name.data(), name.size(), digest.data(), &size, EVP_md5(), nullptr) == 1 && size == 16);
  Seed128 seed;
  for (std::size_t i = 0; i < 8; ++i) {
    seed.low = seed.low << 8 | digest[i];
    seed.high = seed.high << 8 | digest[i + 8];
  }
  return seed;
}

std::int32_t java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  for (const char c : text) hash = hash * 31 + static_cast<unsigned char>(c);
  return static_cast<std::int32_t>(hash);
}

std::int64_t position_seed(std::int32_t x, std::int32_t y, std::int32_t z) {
  // The x factor overflows in 32 bits, the z factor in 64: the game's own asymmetry.
  const auto x_part = static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * 3129871U));
  const std::uint64_t mixed = static_cast<std::uint64_t>(x_part) ^
                              static_cast<std::uint64_t>(static_cast<std::int64_t>(z)) * 116129781ULL ^
                              static_cast<std::uint64_t>(static_cast<std::int64_t>(y));
  return static_cast<std::int64_t>(mixed * mixed * 42317861ULL + mixed * 11ULL) >> 16;
}

Random Random::xoroshiro(Seed128 state) {
  Random random(Kind::kXoroshiro, 0);
  const Seed128 s = nonzero(state);
  random.low_ = s.low;
  random.high_ = s.high;
  return random;
}

void Random::set_seed(std::int64_t seed) {
  // Decoration keeps the second half of a Gaussian pair across its features' seeds.
  if (kind_ != Kind::kXoroshiroBits) has_spare_gaussian_ = false;
  if (kind_ == Kind::kLegacy) {
    low_ = (static_cast<std::uint64_t>(seed) ^ kLcgMultiplier) & ((std::uint64_t{1} << 48) - 1);
    return;
  }
  const Seed128 s = nonzero(upgrade_seed(seed));
  low_ = s.low;
  high_ = s.high;
}

std::int32_t Random::next_int(std::int32_t bound) {
  const auto unsigned_bound = static_cast<std::uint32_t>(bound);
  if (kind_ == Kind::kXoroshiro) {
    std::uint64_t product = (next_xoroshiro() & 0xFFFFFFFFULL) * unsigned_bound;
    if (static_cast<std::uint32_t>(product) < unsigned_bound) {
      const std::uint32_t biased = (0 - unsigned_bound) % unsigned_bound;
      while (static_cast<std::uint32_t>(product) < biased) {
        product = (next_xoroshiro() & 0xFFFFFFFFULL) * unsigned_bound;
      }
    }
    return static_cast<std::int32_t>(product >> 32);
  }
  if ((unsigned_bound & (unsigned_bound - 1)) == 0) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(bound) * next_bits(31) >> 31);
  }
  while (true) {
    const std::int32_t sample = next_bits(31);
    const std::int32_t value = sample % bound;
    // Rejects the last, incomplete run of `bound` values below 2^31.
    if (static_cast<std::uint32_t>(sample) - static_cast<std::uint32_t>(value) + unsigned_bound - 1 < 0x80000000U) {
      return value;
    }
  }
}

std::int64_t Random::next_long() {
  if (kind_ == Kind::kXoroshiro) return static_cast<std::int64_t>(next_xoroshiro());
  const auto high = static_cast<std::uint64_t>(static_cast<std::int64_t>(next_bits(32)));
  const auto low = static_cast<std::uint64_t>(static_cast<std::int64_t>(next_bits(32)));
  return static_cast<std::int64_t>((high << 32) + low);
}

float Random::next_float() {
  const auto bits = kind_ == Kind::kXoroshiro ? static_cast<std::int32_t>(next_xoroshiro() >> 40) : next_bits(24);
  return static_cast<float>(bits) * 0x1.0p-24F;
}

double Random::next_double() {
  if (kind_ == Kind::kXoroshiro) return static_cast<double>(next_xoroshiro() >> 11) * 0x1.0p-53;
  const auto high = static_cast<std::int64_t>(next_bits(26));
  const auto low = static_cast<std::int64_t>(next_bits(27));
  return static_cast<double>((high << 27) + low) * 0x1.0p-53;
}

double Random::next_gaussian() {
  if (has_spare_gaussian_) {
    has_spare_gaussian_ = false;
    return spare_gaussian_;
  }
  // Marsaglia's polar method, as java.util.Random.
  while (true) {
    const double a = 2.0 * next_double() - 1.0;
    const double b = 2.0 * next_double() - 1.0;
    const double square = a * a + b * b;
    if (square >= 1.0 || square == 0.0) continue;
    const double scale = std::sqrt(-2.0 * std::log(square) / square);
    spare_gaussian_ = b * scale;
    has_spare_gaussian_ = true;
    return a * scale;
  }
}

void Random::skip(std::int32_t count) {
  for (std::int32_t i = 0; i < count; ++i) {
    if (kind_ == Kind::kXoroshiro) {
      next_xoroshiro();
    } else {
      next_bits(32);
    }
  }
}

Random Random::fork() {
  if (kind_ == Kind::kLegacy) return legacy(next_long());
  const std::uint64_t low = next_xoroshiro();
  return xoroshiro(Seed128{low, next_xoroshiro()});
}

std::int64_t Random::set_decoration_seed(std::int64_t world_seed, std::int32_t block_x, std::int32_t block_z) {
  set_seed(world_seed);
  const auto x_scale = static_cast<std::uint64_t>(next_long()) | 1;
  const auto z_scale = static_cast<std::uint64_t>(next_long()) | 1;
  const auto x = static_cast<std::uint64_t>(static_cast<std::int64_t>(block_x));
  const auto z = static_cast<std::uint64_t>(static_cast<std::int64_t>(block_z));
  const auto seed = static_cast<std::int64_t>((x * x_scale + z * z_scale) ^ static_cast<std::uint64_t>(world_seed));
  set_seed(seed);
  return seed;
}

void Random::set_large_feature_seed(std::int64_t world_seed, std::int32_t chunk_x, std::int32_t chunk_z) {
  set_seed(world_seed);
  const auto x_scale = static_cast<std::uint64_t>(next_long());
  const auto z_scale = static_cast<std::uint64_t>(next_long());
  const auto x = static_cast<std::uint64_t>(static_cast<std::int64_t>(chunk_x));
  const auto z = static_cast<std::uint64_t>(static_cast<std::int64_t>(chunk_z));
  set_seed(static_cast<std::int64_t>(x * x_scale ^ z * z_scale ^ static_cast<std::uint64_t>(world_seed)));
}

void Random::set_large_feature_with_salt(std::int64_t world_seed, std::int32_t x, std::int32_t z,
                                         std::int32_t salt) {
  set_seed(static_cast<std::int64_t>(
      static_cast<std::uint64_t>(static_cast<std::int64_t>(x)) * 341873128712ULL +
      static_cast<std::uint64_t>(static_cast<std::int64_t>(z)) * 132897987541ULL +
      static_cast<std::uint64_t>(world_seed) + static_cast<std::uint64_t>(static_cast<std::int64_t>(salt))));
}

PositionalRandom::PositionalRandom(Random& source) : is_legacy_(source.kind() == Random::Kind::kLegacy) {
  state_.low = static_cast<std::uint64_t>(is_legacy_ ? source.next_long()
                                                     : static_cast<std::int64_t>(source.next_xoroshiro()));
  if (!is_legacy_) state_.high = source.next_xoroshiro();
}

Random PositionalRandom::at(std::int32_t x, std::int32_t y, std::int32_t z) const {
  const auto seed = static_cast<std::uint64_t>(position_seed(x, y, z)) ^ state_.low;
  if (is_legacy_) return Random::legacy(static_cast<std::int64_t>(seed));
  return Random::xoroshiro(Seed128{seed, state_.high});
}

Random PositionalRandom::named(std::string_view name) const {
  if (is_legacy_) {
    const auto hash = static_cast<std::uint64_t>(static_cast<std::int64_t>(java_hash(name)));
    return Random::legacy(static_cast<std::int64_t>(hash ^ state_.low));
  }
  const Seed128 seed = seed_from_name(name);
  return Random::xoroshiro(Seed128{seed.low ^ state_.low, seed.high ^ state_.high});
}

Random PositionalRandom::seeded(std::int64_t seed) const {
  const auto bits = static_cast<std::uint64_t>(seed);
  if (is_legacy_) return Random::legacy(seed);
  return Random::xoroshiro(Seed128{bits ^ state_.low, bits ^ state_.high});
}

}  // namespace horizon::worldgen
