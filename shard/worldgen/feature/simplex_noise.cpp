#include "shard/worldgen/feature/simplex_noise.hpp"

#include <algorithm>
#include <array>

#include "common/base/result.hpp"

namespace horizon::worldgen {

PerlinSimplexNoise::PerlinSimplexNoise(Random& random, std::span<const std::int32_t> octaves) {
  HZ_CHECK(!octaves.empty() && std::ranges::max(octaves) == 0);
  const std::int32_t lowest = std::ranges::min(octaves);
  constexpr std::int32_t kDrawsOfAnOctave = 262;
  double input_factor = 1;
  double value_factor = 1.0 / (static_cast<double>(std::int64_t{1} << (1 - lowest)) - 1.0);
  for (std::int32_t octave = 0; octave >= lowest; --octave) {
    if (std::ranges::find(octaves, octave) == octaves.end()) {
      random.skip(kDrawsOfAnOctave);
    } else {
      Random offsets = random;
      const double x = offsets.next_double() * 256.0;
      const double y = offsets.next_double() * 256.0;
      octaves_.push_back({SimplexNoise(random), x, y, input_factor, value_factor});
    }
    input_factor /= 2;
    value_factor *= 2;
  }
}

double PerlinSimplexNoise::get(double x, double y, bool use_offsets) const {
  double value = 0;
  for (const Octave& octave : octaves_) {
    const double dx = use_offsets ? octave.x_offset : 0.0;
    const double dy = use_offsets ? octave.y_offset : 0.0;
    value +=
        octave.noise.get(x * octave.input_factor + dx, y * octave.input_factor + dy) * octave.value_factor;
  }
  return value;
}

const PerlinSimplexNoise& biome_info_noise() {
  static const PerlinSimplexNoise kNoise = [] {
    Random random = Random::legacy(2345);
    return PerlinSimplexNoise(random, std::array{0});
  }();
  return kNoise;
}

}  // namespace horizon::worldgen
