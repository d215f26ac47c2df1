#include "shard/worldgen/terrain/sine.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace horizon::worldgen {

namespace {

constexpr double kStepsPerRadian = 10430.378350470453;  // 65536 / (2 π), as the game writes it

const std::array<float, 65536>& table() {
  static const std::array<float, 65536> kTable = [] {
    std::array<float, 65536> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(std::sin(static_cast<double>(i) / kStepsPerRadian));
    }
    return values;
  }();
  return kTable;
}

float at(double step) { return table()[static_cast<std::size_t>(static_cast<std::int64_t>(step) & 65535)]; }

}  // namespace

float sine(double radians) { return at(radians * kStepsPerRadian); }
float cosine(double radians) { return at(radians * kStepsPerRadian + 16384.0); }

}  // namespace horizon::worldgen
