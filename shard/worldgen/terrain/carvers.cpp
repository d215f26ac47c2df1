#include "shard/worldgen/terrain/carvers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "shard/worldgen/terrain/math.hpp"
#include "shard/worldgen/terrain/sine.hpp"

namespace horizon::worldgen {

struct Carvers::Config {
  enum class Kind : std::uint8_t { kCave, kNetherCave, kCanyon } kind;
  float probability;
  HeightProvider y;
  VerticalAnchor lava_level;
  BlockSet replaceable;
  // Caves.
  FloatProvider y_scale, horizontal_multiplier, vertical_multiplier, floor_level;
  // Canyons.
  FloatProvider vertical_rotation, distance_factor, thickness, horizontal_factor;
  std::int32_t width_smoothness = 1;
  float vertical_default_factor = 0, vertical_centre_factor = 0;
};

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
/// Blocks that a tunnel may reach from its start.
constexpr std::int32_t kMaxDistance = (4 * 2 - 1) * 16;
constexpr std::int32_t kProtectedOnTop = 7;

bool can_reach(ChunkPos chunk, double x, double z, std::int32_t step, std::int32_t steps, float thickness) {
  const double dx = x - (chunk.x * 16 + 8), dz = z - (chunk.z * 16 + 8);
  const double remaining = steps - step;
  const double radius = thickness + 2.0F + 16.0F;
  return dx * dx + dz * dz - remaining * remaining <= radius * radius;
}

/// Cuts an ellipsoid, as far as it lies in the chunk. `skips(xd, yd, zd, y)` leaves blocks out.
template <typename Config, typename Skips>
void carve_ellipsoid(Carvers::Work& work, const Config& config, double x, double y, double z, double horizontal,
                     double vertical, Skips&& skips) {
  ProtoChunk& chunk = work.chunk;
  const std::int32_t min_x = chunk.pos().x * 16, min_z = chunk.pos().z * 16;
  const double reach = 16.0 + horizontal * 2.0;
  if (std::abs(x - (min_x + 8)) > reach || std::abs(z - (min_z + 8)) > reach) return;
  const Heights generated = work.noise.settings().generated;
  const std::int32_t x0 = std::max(floor_int(x - horizontal) - min_x - 1, 0);
  const std::int32_t x1 = std::min(floor_int(x + horizontal) - min_x, 15);
  const std::int32_t y0 = std::max(floor_int(y - vertical) - 1, generated.min_y + 1);
  const std::int32_t y1 = std::min(floor_int(y + vertical) + 1, generated.min_y + generated.height - 1 - kProtectedOnTop);
  const std::int32_t z0 = std::max(floor_int(z - horizontal) - min_z - 1, 0);
  const std::int32_t z1 = std::min(floor_int(z + horizontal) - min_z, 15);
  static const BlockId kGrass = block("grass_block"), kMycelium = block("mycelium"), kDirt = block("dirt");
  const std::int32_t lava_level = config.lava_level.resolve(generated);
  for (std::int32_t dx = x0; dx <= x1; ++dx) {
    const double xd = (static_cast<double>(min_x + dx) + 0.5 - x) / horizontal;
    for (std::int32_t dz = z0; dz <= z1; ++dz) {
      const double zd = (static_cast<double>(min_z + dz) + 0.5 - z) / horizontal;
      if (xd * xd + zd * zd >= 1.0) continue;
      bool has_grass = false;
      for (std::int32_t block_y = y1; block_y > y0; --block_y) {
        const double yd = (static_cast<double>(block_y) - 0.5 - y) / vertical;
        if (skips(xd, yd, zd, block_y)) continue;
        const BlockPos p{min_x + dx, block_y, min_z + dz};
        const std::size_t cell = chunk.index(p.x, p.y, p.z);
        if (work.mask[cell]) continue;
        work.mask[cell] = true;
        const BlockState old = chunk.get(p);
        if (config.kind == Config::Kind::kNetherCave) {
          if (config.replaceable.contains(old)) {
            chunk.set(p, p.y <= generated.min_y + 31 ? blocks::kLava : blocks::kCaveAir);
          }
          continue;
        }
        if (is(old, kGrass) || is(old, kMycelium)) has_grass = true;
        if (!config.replaceable.contains(old)) continue;
        BlockState carved = blocks::kLava;
        bool flows = false;
        if (p.y > lava_level) {
          const auto open = work.noise.aquifer().at(p.x, p.y, p.z, 0.0);
          if (!open) continue;
          carved = *open;
          flows = work.noise.aquifer().flows();
        }
        chunk.set(p, carved);
        if (flows && fluid(carved) != Fluid::kNone) chunk.post_processing.push_back(p);
        if (!has_grass) continue;
        // The dirt that now lies open becomes what the surface would have there.
        const BlockPos under = below(p);
        if (!is(chunk.get(under), kDirt)) continue;
        if (const auto top = work.surface.top_material(chunk, work.biomes, work.zoom, work.noise.flats(), under,
                                                       fluid(carved) != Fluid::kNone)) {
          chunk.set(under, *top);
          if (fluid(*top) != Fluid::kNone) chunk.post_processing.push_back(under);
        }
      }
    }
  }
}

struct Tunnel {
  double x, y, z;
  double horizontal_multiplier, vertical_multiplier;
  float thickness, horizontal_rotation, vertical_rotation;
  std::int32_t step, steps;
  double y_scale, floor_level;
};

template <typename Config>
void carve_tunnel(Carvers::Work& work, const Config& config, std::int64_t seed, Tunnel t) {
  Random random = Random::legacy(seed);
  const std::int32_t split = random.next_int(t.steps / 2) + t.steps / 4;
  const bool is_steep = random.next_int(6) == 0;
  float turn = 0.0F, tilt = 0.0F;
  const auto skips = [&](double xd, double yd, double zd, std::int32_t) {
    return yd <= t.floor_level || xd * xd + yd * yd + zd * zd >= 1.0;
  };
  for (std::int32_t step = t.step; step < t.steps; ++step) {
    const double horizontal =
        1.5 + static_cast<double>(sine(kPi * static_cast<float>(step) / static_cast<float>(t.steps)) * t.thickness);
    const double vertical = horizontal * t.y_scale;
    const float flat = cosine(t.vertical_rotation);
    t.x += static_cast<double>(cosine(t.horizontal_rotation) * flat);
    t.y += static_cast<double>(sine(t.vertical_rotation));
    t.z += static_cast<double>(sine(t.horizontal_rotation) * flat);
    t.vertical_rotation *= is_steep ? 0.92F : 0.7F;
    t.vertical_rotation += tilt * 0.1F;
    t.horizontal_rotation += turn * 0.1F;
    tilt *= 0.9F;
    turn *= 0.75F;
    const auto jitter = [&] {
      const float a = random.next_float(), b = random.next_float();
      return (a - b) * random.next_float();
    };
    tilt += jitter() * 2.0F;
    turn += jitter() * 4.0F;
    if (step == split && t.thickness > 1.0F) {
      for (const float side : {-kPi / 2.0F, kPi / 2.0F}) {
        const std::int64_t branch_seed = random.next_long();
        Tunnel branch = t;
        branch.thickness = random.next_float() * 0.5F + 0.5F;
        branch.horizontal_rotation = t.horizontal_rotation + side;
        branch.vertical_rotation = t.vertical_rotation / 3.0F;
        branch.step = step;
        branch.y_scale = 1.0;
        carve_tunnel(work, config, branch_seed, branch);
      }
      return;
    }
    if (random.next_int(4) == 0) continue;
    if (!can_reach(work.chunk.pos(), t.x, t.z, step, t.steps, t.thickness)) return;
    carve_ellipsoid(work, config, t.x, t.y, t.z, horizontal * t.horizontal_multiplier, vertical * t.vertical_multiplier,
                    skips);
  }
}

}  // namespace

Carvers::Carvers(const Figures& figures, const std::vector<BiomeId>& biomes, std::int64_t seed)
    : seed_(seed), by_biome_(256) {
  std::map<std::string, std::int32_t> known;
  const auto& entries = game::registries();
  const auto registry = std::ranges::find(entries, "minecraft:worldgen/biome", &game::Registry::name);
  for (const BiomeId biome : biomes) {
    const std::string name(registry->entries[biome].name);
    const Json& definition = figures.get("biome", name);
    const auto list = definition.find("carvers");
    if (list == definition.end()) continue;
    for (const Json& entry : list->is_array() ? *list : Json::array({*list})) {
      const std::string carver = with_namespace(entry.get<std::string>());
      const auto [it, is_new] = known.try_emplace(carver, static_cast<std::int32_t>(configs_.size()));
      if (is_new) {
        try {
          const Json& json = figures.get("configured_carver", carver);
          const Json& c = field(json, "config");
          const std::string_view type = type_of(json);
          auto config = std::make_shared<Config>();
          config->probability = static_cast<float>(number(c, "probability"));
          config->y = HeightProvider::parse(field(c, "y"));
          config->lava_level = VerticalAnchor::parse(field(c, "lava_level"));
          config->replaceable = BlockSet::parse(field(c, "replaceable"));
          config->y_scale = FloatProvider::parse(field(c, "yScale"));
          if (type == "cave" || type == "nether_cave") {
            config->kind = type == "cave" ? Config::Kind::kCave : Config::Kind::kNetherCave;
            config->horizontal_multiplier = FloatProvider::parse(field(c, "horizontal_radius_multiplier"));
            config->vertical_multiplier = FloatProvider::parse(field(c, "vertical_radius_multiplier"));
            config->floor_level = FloatProvider::parse(field(c, "floor_level"));
          } else if (type == "canyon") {
            config->kind = Config::Kind::kCanyon;
            const Json& shape = field(c, "shape");
            config->vertical_rotation = FloatProvider::parse(field(c, "vertical_rotation"));
            config->distance_factor = FloatProvider::parse(field(shape, "distance_factor"));
            config->thickness = FloatProvider::parse(field(shape, "thickness"));
            config->horizontal_factor = FloatProvider::parse(field(shape, "horizontal_radius_factor"));
            config->width_smoothness = integer(shape, "width_smoothness");
            if (config->width_smoothness <= 0) throw FigureError("\"width_smoothness\" must be positive");
            config->vertical_default_factor = static_cast<float>(number(shape, "vertical_radius_default_factor"));
            config->vertical_centre_factor = static_cast<float>(number(shape, "vertical_radius_center_factor"));
          } else {
            throw FigureError("unknown type \"" + std::string(type) + "\"");
          }
          configs_.push_back(std::move(config));
        } catch (const FigureError& error) {
          throw FigureError("configured_carver " + carver + ": " + error.what());
        }
      }
      by_biome_[biome].push_back(it->second);
    }
  }
}

void Carvers::carve_from(Work& work, ChunkPos source, BiomeId biome) const {
  std::int64_t seed = seed_;
  for (const std::int32_t index : by_biome_[biome]) {
    const Config& config = *configs_[static_cast<std::size_t>(index)];
    Random random = Random::legacy(0);
    random.set_large_feature_seed(seed, source.x, source.z);
    seed = static_cast<std::int64_t>(static_cast<std::uint64_t>(seed) + 1);
    if (random.next_float() > config.probability) continue;
    if (config.kind == Config::Kind::kCanyon) {
      carve_canyon(work, config, random, source);
    } else {
      carve_cave(work, config, random, source);
    }
  }
}

void Carvers::carve_cave(Work& work, const Config& config, Random& random, ChunkPos source) const {
  const bool is_nether = config.kind == Config::Kind::kNetherCave;
  const std::int32_t most = random.next_int(is_nether ? 10 : 15);
  const std::int32_t fewer = random.next_int(most + 1);
  const std::int32_t caves = random.next_int(fewer + 1);
  for (std::int32_t cave = 0; cave < caves; ++cave) {
    Tunnel t{};
    t.x = source.x * 16 + random.next_int(16);
    t.y = config.y.sample(random, work.noise.settings().generated);
    t.z = source.z * 16 + random.next_int(16);
    t.horizontal_multiplier = static_cast<double>(config.horizontal_multiplier.sample(random));
    t.vertical_multiplier = static_cast<double>(config.vertical_multiplier.sample(random));
    t.floor_level = static_cast<double>(config.floor_level.sample(random));
    std::int32_t tunnels = 1;
    if (random.next_int(4) == 0) {
      const auto y_scale = static_cast<double>(config.y_scale.sample(random));
      const float thickness = 1.0F + random.next_float() * 6.0F;
      const double horizontal = 1.5 + static_cast<double>(sine(kPi / 2.0F) * thickness);
      carve_ellipsoid(work, config, t.x + 1.0, t.y, t.z, horizontal, horizontal * y_scale,
                      [&](double xd, double yd, double zd, std::int32_t) {
                        return yd <= t.floor_level || xd * xd + yd * yd + zd * zd >= 1.0;
                      });
      tunnels += random.next_int(4);
    }
    for (std::int32_t i = 0; i < tunnels; ++i) {
      t.horizontal_rotation = random.next_float() * (kPi * 2.0F);
      t.vertical_rotation = (random.next_float() - 0.5F) / 4.0F;
      t.thickness = random.next_float() * 2.0F;
      t.thickness += random.next_float();
      if (is_nether) {
        t.thickness *= 2.0F;
      } else if (random.next_int(10) == 0) {
        const float a = random.next_float();
        t.thickness *= a * random.next_float() * 3.0F + 1.0F;
      }
      t.step = 0;
      t.steps = kMaxDistance - random.next_int(kMaxDistance / 4);
      t.y_scale = is_nether ? 5.0 : 1.0;
      carve_tunnel(work, config, random.next_long(), t);
    }
  }
}

void Carvers::carve_canyon(Work& work, const Config& config, Random& random, ChunkPos source) const {
  const Heights generated = work.noise.settings().generated;
  double x = source.x * 16 + random.next_int(16);
  double y = config.y.sample(random, generated);
  double z = source.z * 16 + random.next_int(16);
  float horizontal_rotation = random.next_float() * (kPi * 2.0F);
  float vertical_rotation = config.vertical_rotation.sample(random);
  const auto y_scale = static_cast<double>(config.y_scale.sample(random));
  const float thickness = config.thickness.sample(random);
  const auto steps = static_cast<std::int32_t>(static_cast<float>(kMaxDistance) * config.distance_factor.sample(random));
  random = Random::legacy(random.next_long());

  std::vector<float> width_factors(static_cast<std::size_t>(generated.height));
  float width = 1.0F;
  for (std::size_t i = 0; i < width_factors.size(); ++i) {
    if (i == 0 || random.next_int(config.width_smoothness) == 0) {
      const float a = random.next_float();
      width = 1.0F + a * random.next_float();
    }
    width_factors[i] = width * width;
  }
  float turn = 0.0F, tilt = 0.0F;
  for (std::int32_t step = 0; step < steps; ++step) {
    double horizontal =
        1.5 + static_cast<double>(sine(static_cast<float>(step) * kPi / static_cast<float>(steps)) * thickness);
    double vertical = horizontal * y_scale;
    horizontal *= static_cast<double>(config.horizontal_factor.sample(random));
    const float middle =
        1.0F - std::abs(0.5F - static_cast<float>(step) / static_cast<float>(steps)) * 2.0F;
    const float factor = config.vertical_default_factor + config.vertical_centre_factor * middle;
    vertical = static_cast<double>(factor) * vertical * static_cast<double>(random.next_float() * (1.0F - 0.75F) + 0.75F);
    const float flat = cosine(vertical_rotation);
    x += static_cast<double>(cosine(horizontal_rotation) * flat);
    y += static_cast<double>(sine(vertical_rotation));
    z += static_cast<double>(sine(horizontal_rotation) * flat);
    vertical_rotation *= 0.7F;
    vertical_rotation += tilt * 0.05F;
    horizontal_rotation += turn * 0.05F;
    tilt *= 0.8F;
    turn *= 0.5F;
    const auto jitter = [&] {
      const float a = random.next_float(), b = random.next_float();
      return (a - b) * random.next_float();
    };
    tilt += jitter() * 2.0F;
    turn += jitter() * 4.0F;
    if (random.next_int(4) == 0) continue;
    if (!can_reach(work.chunk.pos(), x, z, step, steps, thickness)) return;
    carve_ellipsoid(work, config, x, y, z, horizontal, vertical,
                    [&](double xd, double yd, double zd, std::int32_t block_y) {
                      const auto i = static_cast<std::size_t>(block_y - generated.min_y - 1);
                      return (xd * xd + zd * zd) * static_cast<double>(width_factors[i]) + yd * yd / 6.0 >= 1.0;
                    });
  }
}

}  // namespace horizon::worldgen
