#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shard/worldgen/base/random.hpp"

namespace horizon::worldgen {

/// Lanes of a batch: values along y at one x and z.
inline constexpr std::int32_t kLanes = 64;

/// Perlin's improved noise with the game's offsets. Immutable.
class ImprovedNoise {
 public:
  /// Draws three doubles and 256 bounded integers.
  explicit ImprovedNoise(Random& random);
  double get(double x, double y, double z) const;
  /// The game's variant that flattens y in steps of `y_scale` (only old_blended_noise uses it).
  double get(double x, double y, double z, double y_scale, double y_fudge) const;
  /// out[i] += get(x, y[i], z) * amplitude. The result equals the scalar one bit for bit.
  void add_column(double x, double z, const double* y, std::int32_t n, double amplitude, double factor,
                  double* out) const;
  /// out[i] = get(x, y[i], z, y_scale, fudge[i]).
  void smeared_column(double x, double z, const double* y, const double* fudge, double y_scale, std::int32_t n,
                      double* out) const;

 private:
  struct Cell;
  double sample(std::int32_t x, std::int32_t y, std::int32_t z, double xr, double yr, double zr,
                double y_for_fade) const;

  /// 256 values twice over, so that no index needs a mask after one addition.
  std::array<std::uint8_t, 512 + 64> p_;
  double x_offset_, y_offset_, z_offset_;
};

/// Octaves of improved noise. Immutable.
class PerlinNoise {
 public:
  enum class Seeding : std::uint8_t {
    kByName,  ///< each octave from the positional random factory, by "octave_N"
    kLegacy,  ///< one after the other from the same source, highest frequency first
  };
  PerlinNoise(Random& random, std::int32_t first_octave, std::span<const double> amplitudes, Seeding seeding);

  double get(double x, double y, double z) const;
  /// out[i] = get(x, y[i], z).
  void column(double x, double z, const double* y, std::int32_t n, double* out) const;
  double max_value() const { return edge_value(2.0); }
  /// Greatest value of the smeared variant.
  double max_smeared_value(double y_scale) const { return edge_value(y_scale + 2.0); }
  /// Octave `i` counted from the highest frequency; null when its amplitude is 0.
  const ImprovedNoise* octave(std::int32_t i) const;

  /// Keeps coordinates small enough for double precision, as the game does.
  static double wrap(double x);

 private:
  struct Octave {
    double amplitude, input_factor, value_factor;
    std::int32_t noise;  ///< index into noises_
  };
  double edge_value(double noise_value) const;

  std::vector<Octave> octaves_;
  std::vector<ImprovedNoise> noises_;
  std::vector<std::int32_t> by_octave_;  ///< lowest frequency first; -1 where the amplitude is 0
};

/// Two Perlin noises of slightly different scale, added ("double perlin"). Immutable.
class NormalNoise {
 public:
  NormalNoise(Random& random, std::int32_t first_octave, std::span<const double> amplitudes,
              PerlinNoise::Seeding seeding = PerlinNoise::Seeding::kByName);
  double get(double x, double y, double z) const;
  /// out[i] = get(x, y[i], z). n <= kLanes.
  void column(double x, double z, const double* y, std::int32_t n, double* out) const;
  double max_value() const { return max_value_; }

 private:
  PerlinNoise first_, second_;
  double value_factor_, max_value_;
};

/// The terrain noise from before 1.18 that still shapes the ground: two limits blended by a third noise.
class BlendedNoise {
 public:
  struct Scales {
    double xz_scale, y_scale, xz_factor, y_factor, smear_scale_multiplier;
    bool operator==(const Scales&) const = default;
  };
  BlendedNoise(Random& random, const Scales& scales);
  /// out[i] = the noise at block (x, y[i], z). n <= kLanes.
  void column(std::int32_t x, std::int32_t z, const std::int32_t* y, std::int32_t n, double* out) const;
  double max_value() const { return min_limit_.max_smeared_value(684.412 * scales_.y_scale); }

 private:
  PerlinNoise min_limit_, max_limit_, main_;
  Scales scales_;
};

/// Simplex noise in two dimensions. Immutable.
class SimplexNoise {
 public:
  explicit SimplexNoise(Random& random);
  double get(double x, double y) const;

 private:
  std::array<std::int32_t, 256> p_;
};

}  // namespace horizon::worldgen
