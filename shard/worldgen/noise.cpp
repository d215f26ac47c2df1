#include "shard/worldgen/noise.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "common/base/ids.hpp"

namespace horizon::shard {
namespace {

double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }
double lerp(double t, double a, double b) { return a + t * (b - a); }

double gradient(std::uint8_t hash, double x, double y, double z) {
  const int h = hash & 15;
  const double u = h < 8 ? x : y;
  const double v = h < 4 ? y : (h == 12 || h == 14 ? x : z);
  return ((h & 1) == 0 ? u : -u) + ((h & 2) == 0 ? v : -v);
}

}  // namespace

GradientNoise::GradientNoise(std::uint64_t seed) {
  std::iota(permutation_.begin(), permutation_.begin() + 256, std::uint8_t{0});
  for (std::size_t i = 255; i > 0; --i) {
    seed = mix64(seed + 0x9e3779b97f4a7c15ULL);
    std::swap(permutation_[i], permutation_[seed % (i + 1)]);
  }
  for (std::size_t i = 0; i < 256; ++i) permutation_[256 + i] = permutation_[i];
}

double GradientNoise::at(double x, double y, double z) const {
  const double fx = std::floor(x), fy = std::floor(y), fz = std::floor(z);
  const auto cell = [](double f) { return static_cast<std::size_t>(static_cast<std::int64_t>(f) & 255); };
  const std::size_t ix = cell(fx), iy = cell(fy), iz = cell(fz);
  x -= fx;
  y -= fy;
  z -= fz;
  const double u = fade(x), v = fade(y), w = fade(z);
  const auto& p = permutation_;
  const std::size_t a = p[ix] + iy, b = p[ix + 1] + iy;
  const std::size_t aa = p[a & 255] + iz, ab = p[(a + 1) & 255] + iz;
  const std::size_t ba = p[b & 255] + iz, bb = p[(b + 1) & 255] + iz;
  return lerp(w,
              lerp(v, lerp(u, gradient(p[aa], x, y, z), gradient(p[ba], x - 1, y, z)),
                   lerp(u, gradient(p[ab], x, y - 1, z), gradient(p[bb], x - 1, y - 1, z))),
              lerp(v, lerp(u, gradient(p[aa + 1], x, y, z - 1), gradient(p[ba + 1], x - 1, y, z - 1)),
                   lerp(u, gradient(p[ab + 1], x, y - 1, z - 1), gradient(p[bb + 1], x - 1, y - 1, z - 1))));
}

double GradientNoise::octaves(double x, double y, double z, int octaves) const {
  double sum = 0;
  double strength = 1;
  double total = 0;
  for (int i = 0; i < octaves; ++i) {
    sum += strength * at(x, y, z);
    total += strength;
    strength /= 2;
    x = x * 2 + 31.7;
    y = y * 2 + 17.3;
    z = z * 2 + 5.9;
  }
  return sum / total;
}

}  // namespace horizon::shard
