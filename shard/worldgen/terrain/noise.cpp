#include "shard/worldgen/terrain/noise.hpp"

#include <cmath>
#include <string>

#include "common/base/result.hpp"
#include "shard/worldgen/terrain/math.hpp"

namespace horizon::worldgen {

namespace {

/// The twelve edges of a cube, four of them twice. Rows of four for aligned loads; the fourth is not used.
alignas(64) constexpr double kGradients[16][4] = {
    {1, 1, 0, 0}, {-1, 1, 0, 0}, {1, -1, 0, 0}, {-1, -1, 0, 0}, {1, 0, 1, 0},  {-1, 0, 1, 0},
    {1, 0, -1, 0}, {-1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0},  {0, 1, -1, 0}, {0, -1, -1, 0},
    {1, 1, 0, 0}, {0, -1, 1, 0}, {-1, 1, 0, 0}, {0, -1, -1, 0}};

inline double gradient_dot(std::uint8_t hash, double x, double y, double z) {
  const double* g = kGradients[hash & 15];
  return g[0] * x + g[1] * y + g[2] * z;
}

/// How many draws of the legacy source one octave takes: what is skipped when its amplitude is 0.
constexpr std::int32_t kDrawsPerOctave = 262;

}  // namespace

ImprovedNoise::ImprovedNoise(Random& random) {
  x_offset_ = random.next_double() * 256.0;
  y_offset_ = random.next_double() * 256.0;
  z_offset_ = random.next_double() * 256.0;
  for (std::size_t i = 0; i < 256; ++i) p_[i] = static_cast<std::uint8_t>(i);
  for (std::int32_t i = 0; i < 256; ++i) {
    const auto other = static_cast<std::size_t>(i + random.next_int(256 - i));
    std::swap(p_[static_cast<std::size_t>(i)], p_[other]);
  }
  for (std::size_t i = 256; i < p_.size(); ++i) p_[i] = p_[i - 256];
}

double ImprovedNoise::sample(std::int32_t x, std::int32_t y, std::int32_t z, double xr, double yr, double zr,
                             double y_for_fade) const {
  const auto p = [this](std::int32_t i) -> std::int32_t { return p_[static_cast<std::size_t>(i & 255)]; };
  const std::int32_t x0 = p(x), x1 = p(x + 1);
  const std::int32_t xy00 = p(x0 + y), xy01 = p(x0 + y + 1), xy10 = p(x1 + y), xy11 = p(x1 + y + 1);
  const auto dot = [&](std::int32_t i, double dx, double dy, double dz) {
    return gradient_dot(static_cast<std::uint8_t>(p(i)), dx, dy, dz);
  };
  const double d000 = dot(xy00 + z, xr, yr, zr);
  const double d100 = dot(xy10 + z, xr - 1.0, yr, zr);
  const double d010 = dot(xy01 + z, xr, yr - 1.0, zr);
  const double d110 = dot(xy11 + z, xr - 1.0, yr - 1.0, zr);
  const double d001 = dot(xy00 + z + 1, xr, yr, zr - 1.0);
  const double d101 = dot(xy10 + z + 1, xr - 1.0, yr, zr - 1.0);
  const double d011 = dot(xy01 + z + 1, xr, yr - 1.0, zr - 1.0);
  const double d111 = dot(xy11 + z + 1, xr - 1.0, yr - 1.0, zr - 1.0);
  return lerp3(smoothstep(xr), smoothstep(y_for_fade), smoothstep(zr), d000, d100, d010, d110, d001, d101, d011,
               d111);
}

double ImprovedNoise::get(double x, double y, double z) const {
  const double px = x + x_offset_, py = y + y_offset_, pz = z + z_offset_;
  const std::int32_t xi = floor_int(px), yi = floor_int(py), zi = floor_int(pz);
  const double yr = py - yi;
  return sample(xi, yi, zi, px - xi, yr, pz - zi, yr);
}

double ImprovedNoise::get(double x, double y, double z, double y_scale, double y_fudge) const {
  const double px = x + x_offset_, py = y + y_offset_, pz = z + z_offset_;
  const std::int32_t xi = floor_int(px), yi = floor_int(py), zi = floor_int(pz);
  const double yr = py - yi;
  double step = 0.0;
  if (y_scale != 0.0) {
    const double limit = y_fudge >= 0.0 && y_fudge < yr ? y_fudge : yr;
    step = floor_int(limit / y_scale + static_cast<double>(1.0E-7F)) * y_scale;
  }
  return sample(xi, yi, zi, px - xi, yr - step, pz - zi, yr);
}

void ImprovedNoise::add_column(double x, double z, const double* y, std::int32_t n, double amplitude, double factor,
                               double* out) const {
  const double px = x + x_offset_, pz = z + z_offset_;
  const std::int32_t xi = floor_int(px), zi = floor_int(pz);
  const double xr = px - xi, zr = pz - zi;
  const double x_fade = smoothstep(xr), z_fade = smoothstep(zr);
  const std::uint8_t* const p = p_.data();
  const std::int32_t x0 = p[xi & 255], x1 = p[(xi + 1) & 255], z0 = zi & 255;
  std::int32_t last_cell = INT32_MIN;
  const double *g000 = nullptr, *g100 = nullptr, *g010 = nullptr, *g110 = nullptr, *g001 = nullptr, *g101 = nullptr,
               *g011 = nullptr, *g111 = nullptr;
  for (std::int32_t i = 0; i < n; ++i) {
    const double py = y[i] + y_offset_;
    const std::int32_t yi = floor_int(py);
    const double yr = py - yi;
    if (yi != last_cell) {
      // Low octaves stay in one cell for many steps of y.
      last_cell = yi;
      const std::int32_t y0 = yi & 255;
      const std::int32_t c00 = p[x0 + y0] + z0, c01 = p[x0 + y0 + 1] + z0, c10 = p[x1 + y0] + z0,
                         c11 = p[x1 + y0 + 1] + z0;
      g000 = kGradients[p[c00] & 15];
      g100 = kGradients[p[c10] & 15];
      g010 = kGradients[p[c01] & 15];
      g110 = kGradients[p[c11] & 15];
      g001 = kGradients[p[c00 + 1] & 15];
      g101 = kGradients[p[c10 + 1] & 15];
      g011 = kGradients[p[c01 + 1] & 15];
      g111 = kGradients[p[c11 + 1] & 15];
    }
    const auto dot = [](const double* g, double dx, double dy, double dz) { return g[0] * dx + g[1] * dy + g[2] * dz; };
    const double value = lerp3(x_fade, smoothstep(yr), z_fade, dot(g000, xr, yr, zr), dot(g100, xr - 1.0, yr, zr),
                               dot(g010, xr, yr - 1.0, zr), dot(g110, xr - 1.0, yr - 1.0, zr),
                               dot(g001, xr, yr, zr - 1.0), dot(g101, xr - 1.0, yr, zr - 1.0),
                               dot(g011, xr, yr - 1.0, zr - 1.0), dot(g111, xr - 1.0, yr - 1.0, zr - 1.0));
    out[i] += amplitude * value * factor;
  }
}

void ImprovedNoise::smeared_column(double x, double z, const double* y, const double* fudge, double y_scale,
                                   std::int32_t n, double* out) const {
  const double px = x + x_offset_, pz = z + z_offset_;
  const std::int32_t xi = floor_int(px), zi = floor_int(pz);
  for (std::int32_t i = 0; i < n; ++i) {
    const double py = y[i] + y_offset_;
    const std::int32_t yi = floor_int(py);
    const double yr = py - yi;
    const double limit = fudge[i] >= 0.0 && fudge[i] < yr ? fudge[i] : yr;
    const double step = floor_int(limit / y_scale + static_cast<double>(1.0E-7F)) * y_scale;
    out[i] = sample(xi, yi, zi, px - xi, yr - step, pz - zi, yr);
  }
}

PerlinNoise::PerlinNoise(Random& random, std::int32_t first_octave, std::span<const double> amplitudes,
                         Seeding seeding)
    : by_octave_(amplitudes.size(), -1) {
  const auto count = static_cast<std::int32_t>(amplitudes.size());
  const auto add = [&](std::int32_t i, Random& source) {
    by_octave_[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(noises_.size());
    noises_.emplace_back(source);
  };
  const auto amplitude_of = [&](std::int32_t i) { return amplitudes[static_cast<std::size_t>(i)]; };
  const std::int32_t zero_octave = -first_octave;
  if (seeding == Seeding::kByName) {
    const PositionalRandom positional(random);
    for (std::int32_t i = 0; i < count; ++i) {
      if (amplitude_of(i) == 0.0) continue;
      Random source = positional.named("octave_" + std::to_string(first_octave + i));
      add(i, source);
    }
  } else {
    HZ_CHECK(zero_octave >= count - 1);
    // The octave of frequency 1 is drawn first, also where nothing uses it.
    if (zero_octave < count && amplitude_of(zero_octave) != 0.0) {
      add(zero_octave, random);
    } else {
      ImprovedNoise unused(random);
    }
    for (std::int32_t i = zero_octave - 1; i >= 0; --i) {
      if (i < count && amplitude_of(i) != 0.0) {
        add(i, random);
      } else {
        random.skip(kDrawsPerOctave);
      }
    }
  }
  double input_factor = std::ldexp(1.0, -zero_octave);
  double value_factor = std::ldexp(1.0, count - 1) / (std::ldexp(1.0, count) - 1.0);
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t noise = by_octave_[static_cast<std::size_t>(i)];
    if (noise >= 0) octaves_.push_back({amplitude_of(i), input_factor, value_factor, noise});
    input_factor *= 2.0;
    value_factor /= 2.0;
  }
}

double PerlinNoise::wrap(double x) {
  constexpr double kPeriod = 33554432.0;
  return x - std::floor(x / kPeriod + 0.5) * kPeriod;
}

double PerlinNoise::get(double x, double y, double z) const {
  double value = 0.0;
  for (const Octave& o : octaves_) {
    const double f = o.input_factor;
    value += o.amplitude * noises_[static_cast<std::size_t>(o.noise)].get(wrap(x * f), wrap(y * f), wrap(z * f)) *
             o.value_factor;
  }
  return value;
}

void PerlinNoise::column(double x, double z, const double* y, std::int32_t n, double* out) const {
  for (std::int32_t i = 0; i < n; ++i) out[i] = 0.0;
  std::array<double, kLanes> wrapped;
  for (const Octave& o : octaves_) {
    const double f = o.input_factor;
    for (std::int32_t i = 0; i < n; ++i) wrapped[static_cast<std::size_t>(i)] = wrap(y[i] * f);
    noises_[static_cast<std::size_t>(o.noise)].add_column(wrap(x * f), wrap(z * f), wrapped.data(), n, o.amplitude,
                                                          o.value_factor, out);
  }
}

double PerlinNoise::edge_value(double noise_value) const {
  double value = 0.0;
  for (const Octave& o : octaves_) value += o.amplitude * noise_value * o.value_factor;
  return value;
}

const ImprovedNoise* PerlinNoise::octave(std::int32_t i) const {
  const std::int32_t noise = by_octave_[by_octave_.size() - 1 - static_cast<std::size_t>(i)];
  return noise < 0 ? nullptr : &noises_[static_cast<std::size_t>(noise)];
}

namespace {

/// Scales the sum of two noises to a standard deviation of a third, by how many octaves they span.
double normal_factor(std::span<const double> amplitudes) {
  std::int32_t first = INT32_MAX, last = INT32_MIN;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(amplitudes.size()); ++i) {
    if (amplitudes[static_cast<std::size_t>(i)] == 0.0) continue;
    first = std::min(first, i);
    last = std::max(last, i);
  }
  return 0.16666666666666666 / (0.1 * (1.0 + 1.0 / (last - first + 1)));
}

constexpr double kSecondScale = 1.0181268882175227;

}  // namespace

NormalNoise::NormalNoise(Random& random, std::int32_t first_octave, std::span<const double> amplitudes,
                         PerlinNoise::Seeding seeding)
    : first_(random, first_octave, amplitudes, seeding),
      second_(random, first_octave, amplitudes, seeding),
      value_factor_(normal_factor(amplitudes)),
      max_value_((first_.max_value() + second_.max_value()) * value_factor_) {}

double NormalNoise::get(double x, double y, double z) const {
  return (first_.get(x, y, z) + second_.get(x * kSecondScale, y * kSecondScale, z * kSecondScale)) * value_factor_;
}

void NormalNoise::column(double x, double z, const double* y, std::int32_t n, double* out) const {
  std::array<double, kLanes> scaled{}, second{};
  first_.column(x, z, y, n, out);
  for (std::int32_t i = 0; i < n; ++i) scaled[static_cast<std::size_t>(i)] = y[i] * kSecondScale;
  second_.column(x * kSecondScale, z * kSecondScale, scaled.data(), n, second.data());
  for (std::int32_t i = 0; i < n; ++i) out[i] = (out[i] + second[static_cast<std::size_t>(i)]) * value_factor_;
}

namespace {
constexpr std::array<double, 16> kOnes = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
constexpr double kBaseScale = 684.412;
}  // namespace

BlendedNoise::BlendedNoise(Random& random, const Scales& scales)
    : min_limit_(random, -15, kOnes, PerlinNoise::Seeding::kLegacy),
      max_limit_(random, -15, kOnes, PerlinNoise::Seeding::kLegacy),
      main_(random, -7, std::span(kOnes).first(8), PerlinNoise::Seeding::kLegacy),
      scales_(scales) {}

void BlendedNoise::column(std::int32_t x, std::int32_t z, const std::int32_t* y, std::int32_t n, double* out) const {
  using Lanes = std::array<double, kLanes>;
  const double xz_multiplier = kBaseScale * scales_.xz_scale, y_multiplier = kBaseScale * scales_.y_scale;
  const double limit_x = x * xz_multiplier, limit_z = z * xz_multiplier;
  const double main_x = limit_x / scales_.xz_factor, main_z = limit_z / scales_.xz_factor;
  const double limit_smear = y_multiplier * scales_.smear_scale_multiplier;
  const double main_smear = limit_smear / scales_.y_factor;
  Lanes limit_y, main_y, wrapped, fudge, value, factor;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    limit_y[i] = y[i] * y_multiplier;
    main_y[i] = limit_y[i] / scales_.y_factor;
    factor[i] = 0.0;
  }
  double pow = 1.0;
  for (std::int32_t octave = 0; octave < 8; ++octave, pow /= 2.0) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      fudge[i] = main_y[i] * pow;
      wrapped[i] = PerlinNoise::wrap(fudge[i]);
    }
    main_.octave(octave)->smeared_column(PerlinNoise::wrap(main_x * pow), PerlinNoise::wrap(main_z * pow),
                                         wrapped.data(), fudge.data(), main_smear * pow, n, value.data());
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) factor[i] += value[i] / pow;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) factor[i] = (factor[i] / 10.0 + 1.0) / 2.0;

  // Most points lie wholly in one of the two limits: each limit is evaluated only for the lanes that it shapes.
  const auto limit = [&](const PerlinNoise& noise, auto&& is_needed, Lanes& sum) {
    std::array<std::size_t, kLanes> lanes;
    Lanes lane_y;
    std::int32_t count = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      if (!is_needed(factor[i])) continue;
      lanes[static_cast<std::size_t>(count)] = i;
      lane_y[static_cast<std::size_t>(count++)] = limit_y[i];
    }
    Lanes total{};
    double scale = 1.0;
    for (std::int32_t octave = 0; octave < 16 && count > 0; ++octave, scale /= 2.0) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        fudge[i] = lane_y[i] * scale;
        wrapped[i] = PerlinNoise::wrap(fudge[i]);
      }
      noise.octave(octave)->smeared_column(PerlinNoise::wrap(limit_x * scale), PerlinNoise::wrap(limit_z * scale),
                                           wrapped.data(), fudge.data(), limit_smear * scale, count, value.data());
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) total[i] += value[i] / scale;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) sum[lanes[i]] = total[i];
  };
  Lanes low{}, high{};
  limit(min_limit_, [](double f) { return f < 1.0; }, low);
  limit(max_limit_, [](double f) { return f > 0.0; }, high);
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    out[i] = clamped_lerp(factor[i], low[i] / 512.0, high[i] / 512.0) / 128.0;
  }
}

SimplexNoise::SimplexNoise(Random& random) {
  // The three offsets are drawn although the two-dimensional noise does not use them.
  for (int i = 0; i < 3; ++i) random.next_double();
  for (std::int32_t i = 0; i < 256; ++i) p_[static_cast<std::size_t>(i)] = i;
  for (std::int32_t i = 0; i < 256; ++i) {
    std::swap(p_[static_cast<std::size_t>(i)], p_[static_cast<std::size_t>(i + random.next_int(256 - i))]);
  }
}

double SimplexNoise::get(double x, double y) const {
  static const double kSkew = 0.5 * (std::sqrt(3.0) - 1.0);
  static const double kUnskew = (3.0 - std::sqrt(3.0)) / 6.0;
  const double s = (x + y) * kSkew;
  const std::int32_t i = floor_int(x + s), j = floor_int(y + s);
  const double t = static_cast<double>(i + j) * kUnskew;
  const double x0 = x - (i - t), y0 = y - (j - t);
  const std::int32_t i1 = x0 > y0 ? 1 : 0, j1 = 1 - i1;
  const double x1 = x0 - i1 + kUnskew, y1 = y0 - j1 + kUnskew;
  const double x2 = x0 - 1.0 + 2.0 * kUnskew, y2 = y0 - 1.0 + 2.0 * kUnskew;
  const auto p = [this](std::int32_t k) { return p_[static_cast<std::size_t>(k & 255)]; };
  const auto corner = [](std::int32_t gradient, double dx, double dy) {
    double falloff = 0.5 - dx * dx - dy * dy;
    if (falloff < 0.0) return 0.0;
    falloff *= falloff;
    return falloff * falloff * gradient_dot(static_cast<std::uint8_t>(gradient), dx, dy, 0.0);
  };
  const std::int32_t ii = i & 255, jj = j & 255;
  const double n0 = corner(p(ii + p(jj)) % 12, x0, y0);
  const double n1 = corner(p(ii + i1 + p(jj + j1)) % 12, x1, y1);
  const double n2 = corner(p(ii + 1 + p(jj + 1)) % 12, x2, y2);
  return 70.0 * (n0 + n1 + n2);
}

}  // namespace horizon::worldgen
