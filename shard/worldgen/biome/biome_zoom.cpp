#include "shard/worldgen/biome/biome_zoom.hpp"

#include <openssl/evp.h>

#include <array>
#include <limits>

#include "common/base/result.hpp"

namespace horizon::worldgen {

namespace {

std::uint64_t mix(std::uint64_t value, std::int64_t salt) {
  value *= value * 6364136223846793005ULL + 1442695040888963407ULL;
  return value + static_cast<std::uint64_t>(salt);
}

/// -0.45 to 0.45, from bits 24 to 33.
double jitter(std::uint64_t value) {
  const auto bits = static_cast<double>(static_cast<std::int64_t>(value) >> 24 & 1023);
  return (bits / 1024.0 - 0.5) * 0.9;
}

}  // namespace

BiomeZoom::BiomeZoom(std::int64_t world_seed) {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(world_seed) >> (8 * i));
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  HZ_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1 && size == 32);
  std::uint64_t seed = 0;
  for (std::size_t i = 8; i-- > 0;) seed = seed << 8 | digest[i];
  seed_ = static_cast<std::int64_t>(seed);
}

BlockPos BiomeZoom::quart_of(BlockPos p) const {
  const std::int32_t x = p.x - 2, y = p.y - 2, z = p.z - 2;
  const BlockPos base{x >> 2, y >> 2, z >> 2};
  const double fx = (x & 3) / 4.0, fy = (y & 3) / 4.0, fz = (z & 3) / 4.0;
  BlockPos nearest = base;
  double least = std::numeric_limits<double>::infinity();
  for (std::int32_t i = 0; i < 8; ++i) {
    const std::int32_t ox = i >> 2 & 1, oy = i >> 1 & 1, oz = i & 1;
    const BlockPos corner{base.x + ox, base.y + oy, base.z + oz};
    auto value = static_cast<std::uint64_t>(seed_);
    for (int round = 0; round < 2; ++round) {
      value = mix(value, corner.x);
      value = mix(value, corner.y);
      value = mix(value, corner.z);
    }
    const double dx = fx - ox + jitter(value);
    value = mix(value, seed_);
    const double dy = fy - oy + jitter(value);
    value = mix(value, seed_);
    const double dz = fz - oz + jitter(value);
    const double distance = dz * dz + dy * dy + dx * dx;
    if (least > distance) {
      least = distance;
      nearest = corner;
    }
  }
  return nearest;
}

}  // namespace horizon::worldgen
