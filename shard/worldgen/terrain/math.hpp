#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace horizon::worldgen {

/// Arithmetic in the game's order of operations: a different grouping would round differently.

inline std::int32_t floor_int(double x) {
  const auto i = static_cast<std::int32_t>(x);
  return x < static_cast<double>(i) ? i - 1 : i;
}
constexpr std::int32_t floor_div(std::int32_t a, std::int32_t b) {
  const std::int32_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}
constexpr std::int32_t floor_mod(std::int32_t a, std::int32_t b) { return a - floor_div(a, b) * b; }

constexpr double lerp(double t, double a, double b) { return a + t * (b - a); }
constexpr float lerp(float t, float a, float b) { return a + t * (b - a); }
constexpr double lerp2(double tx, double ty, double v00, double v10, double v01, double v11) {
  return lerp(ty, lerp(tx, v00, v10), lerp(tx, v01, v11));
}
constexpr double lerp3(double tx, double ty, double tz, double v000, double v100, double v010, double v110, double v001,
                       double v101, double v011, double v111) {
  return lerp(tz, lerp2(tx, ty, v000, v100, v010, v110), lerp2(tx, ty, v001, v101, v011, v111));
}
constexpr double smoothstep(double x) { return x * x * x * (x * (x * 6.0 - 15.0) + 10.0); }
constexpr double clamped_lerp(double t, double a, double b) { return t < 0.0 ? a : (t > 1.0 ? b : lerp(t, a, b)); }
constexpr double inverse_lerp(double value, double from, double to) { return (value - from) / (to - from); }
constexpr double map_range(double value, double from_min, double from_max, double to_min, double to_max) {
  return lerp(inverse_lerp(value, from_min, from_max), to_min, to_max);
}
constexpr double clamped_map(double value, double from_min, double from_max, double to_min, double to_max) {
  return clamped_lerp(inverse_lerp(value, from_min, from_max), to_min, to_max);
}

}  // namespace horizon::worldgen
