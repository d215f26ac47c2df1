#include "shard/worldgen/base/biome_climate.hpp"

#include <array>

#include "common/base/result.hpp"
#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/feature/simplex_noise.hpp"

namespace horizon::worldgen {

namespace {

/// Below this it snows instead of raining.
constexpr float kSnowLimit = 0.15F;

PerlinSimplexNoise make_noise(std::int64_t seed, std::span<const std::int32_t> octaves) {
  Random random = Random::legacy(seed);
  return {random, octaves};
}

const PerlinSimplexNoise& height_noise() {
  static const PerlinSimplexNoise kNoise = make_noise(1234, std::array{0});
  return kNoise;
}

const PerlinSimplexNoise& frozen_noise() {
  static const PerlinSimplexNoise kNoise = make_noise(3456, std::array{-2, -1, 0});
  return kNoise;
}

/// Frozen oceans have warmer patches, where the sea stays open.
bool is_open_patch(BlockPos p) {
  const double x = p.x;
  const double z = p.z;
  const double large = frozen_noise().get(x * 0.05, z * 0.05, false) * 7.0;
  const double edge = biome_info_noise().get(x * 0.2, z * 0.2, false);
  return large + edge < 0.3 && biome_info_noise().get(x * 0.09, z * 0.09, false) < 0.8;
}

}  // namespace

BiomeClimates::BiomeClimates(const Figures& figures) {
  for (const std::string& name : figures.names("biome")) {
    const auto id = game::find_registry_entry("minecraft:worldgen/biome", name);
    if (!id) continue;
    const Json& biome = figures.get("biome", name);
    if (climates_.size() <= static_cast<std::size_t>(*id))
      climates_.resize(static_cast<std::size_t>(*id) + 1);
    Climate& climate = climates_[static_cast<std::size_t>(*id)];
    try {
      climate.temperature = static_cast<float>(number(biome, "temperature"));
      climate.downfall = static_cast<float>(number(biome, "downfall"));
      climate.has_precipitation = bool_or(biome, "has_precipitation", true);
      climate.is_frozen_in_patches =
          biome.contains("temperature_modifier") && text(biome, "temperature_modifier") == "frozen";
    } catch (const FigureError& error) {
      throw FigureError("biome " + name + ": " + error.what());
    }
  }
}

float BiomeClimates::temperature(BiomeId biome, BlockPos p, std::int32_t sea_level) const {
  const Climate& climate = climates_[biome];
  const float ground = climate.is_frozen_in_patches && is_open_patch(p) ? 0.2F : climate.temperature;
  const std::int32_t cooling_from = sea_level + 17;
  if (p.y <= cooling_from) return ground;
  const auto x = static_cast<double>(static_cast<float>(p.x) / 8.0F);
  const auto z = static_cast<double>(static_cast<float>(p.z) / 8.0F);
  const auto variation = static_cast<float>(height_noise().get(x, z, false) * 8.0);
  return ground - (variation + static_cast<float>(p.y) - static_cast<float>(cooling_from)) * 0.05F / 40.0F;
}

bool BiomeClimates::has_precipitation(BiomeId biome) const { return climates_[biome].has_precipitation; }

bool BiomeClimates::warm_enough_to_rain(BiomeId biome, BlockPos p, std::int32_t sea_level) const {
  return temperature(biome, p, sea_level) >= kSnowLimit;
}

bool BiomeClimates::cold_enough_to_snow(BiomeId biome, BlockPos p, std::int32_t sea_level) const {
  return !warm_enough_to_rain(biome, p, sea_level);
}

bool BiomeClimates::should_freeze(BiomeId biome, const Region& region, BlockPos p,
                                  bool must_be_at_edge) const {
  static const BlockId kWaterBlock = block("water");
  // The cheap conditions first: none of them draws or changes anything.
  if (region.is_outside_build_height(p.y)) return false;
  const BlockState s = region.get(p);
  if (!is(s, kWaterBlock) || !is_fluid_source(s)) return false;
  if (warm_enough_to_rain(biome, p, region.sea_level())) return false;
  if (!must_be_at_edge) return true;
  for (const Direction d : kHorizontal) {
    if (region.fluid_at(offset(p, d)) != Fluid::kWater) return true;
  }
  return false;
}

bool BiomeClimates::should_snow(BiomeId biome, const Region& region, BlockPos p) const {
  static const BlockId kSnowBlock = block("snow");
  if (!has_precipitation(biome) || region.is_outside_build_height(p.y)) return false;
  const BlockState s = region.get(p);
  if (!game::is_air(s) && !is(s, kSnowBlock)) return false;
  return cold_enough_to_snow(biome, p, region.sea_level()) && can_survive(region, blocks::kSnow, p);
}

bool BiomeClimates::should_freeze(const Region& region, BlockPos p, bool must_be_at_edge) const {
  return should_freeze(region.biome(p), region, p, must_be_at_edge);
}

bool BiomeClimates::should_snow(const Region& region, BlockPos p) const {
  return should_snow(region.biome(p), region, p);
}

const BiomeClimates& builtin_climates() {
  static const BiomeClimates kClimates(Figures::builtin());
  return kClimates;
}

}  // namespace horizon::worldgen
