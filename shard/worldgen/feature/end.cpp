#include <array>
#include <cmath>
#include <numbers>

#include "shard/worldgen/base/survival.hpp"
#include "shard/worldgen/feature/feature.hpp"
#include "shard/worldgen/terrain/math.hpp"

namespace horizon::worldgen {

namespace {

class EndIsland : public Feature {
 public:
  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    auto size = static_cast<float>(random.next_int(3)) + 4.0F;
    for (std::int32_t y = 0; size > 0.5F; --y) {
      const auto low = static_cast<std::int32_t>(std::floor(-size)),
                 high = static_cast<std::int32_t>(std::ceil(size));
      for (std::int32_t x = low; x <= high; ++x) {
        for (std::int32_t z = low; z <= high; ++z) {
          if (static_cast<float>(x * x + z * z) <= (size + 1.0F) * (size + 1.0F)) {
            context.region.set(offset(origin, x, y, z), blocks::kEndStone);
          }
        }
      }
      size -= static_cast<float>(random.next_int(2)) + 0.5F;
    }
    return true;
  }
};

struct Spike {
  std::int32_t x, z, radius, height;
  bool is_guarded;
};

std::array<Spike, 10> spikes_of(std::int64_t world_seed) {
  const std::int64_t key = Random::legacy(world_seed).next_long() & 0xFFFF;
  Random random = Random::legacy(key);
  std::array<std::int32_t, 10> sizes{};
  for (std::int32_t i = 0; i < 10; ++i) sizes[static_cast<std::size_t>(i)] = i;
  shuffle(sizes, random);
  std::array<Spike, 10> spikes{};
  for (std::size_t i = 0; i < 10; ++i) {
    const double angle = 2.0 * (-std::numbers::pi + std::numbers::pi / 10.0 * static_cast<double>(i));
    const std::int32_t size = sizes[i];
    spikes[i] = {floor_int(42.0 * std::cos(angle)), floor_int(42.0 * std::sin(angle)), 2 + size / 3,
                 76 + size * 3, size == 1 || size == 2};
  }
  return spikes;
}

/// The obsidian pillars with the dragon's crystals.
class EndSpike : public Feature {
 public:
  explicit EndSpike(const Json& json) : is_invulnerable_(bool_or(json, "crystal_invulnerable", false)) {
    for (const Json& s : field(json, "spikes")) {
      given_.push_back({int_or(s, "centerX", 0), int_or(s, "centerZ", 0), int_or(s, "radius", 0),
                        int_or(s, "height", 0), bool_or(s, "guarded", false)});
    }
    if (const auto beam = json.find("crystal_beam_target"); beam != json.end()) {
      beam_ = BlockPos{beam->at(0).get<std::int32_t>(), beam->at(1).get<std::int32_t>(),
                       beam->at(2).get<std::int32_t>()};
    }
  }

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    const auto try_place = [&](const Spike& spike) {
      if (spike.x >> 4 == origin.x >> 4 && spike.z >> 4 == origin.z >> 4)
        build(context.region, random, spike);
    };
    if (!given_.empty()) {
      for (const Spike& spike : given_) try_place(spike);
    } else {
      for (const Spike& spike : spikes_of(context.region.seed())) try_place(spike);
    }
    return true;
  }

 private:
  void build(Region& region, Random& random, const Spike& spike) const {
    static const BlockState kObsidian = state("obsidian"), kBars = state("iron_bars"), kFire = state("fire");
    const std::int32_t r = spike.radius;
    for (std::int32_t z = spike.z - r; z <= spike.z + r; ++z) {
      for (std::int32_t y = region.min_y(); y <= spike.height + 10; ++y) {
        for (std::int32_t x = spike.x - r; x <= spike.x + r; ++x) {
          const std::int32_t dx = x - spike.x, dz = z - spike.z;
          if (dx * dx + dz * dz <= r * r + 1 && y < spike.height) {
            region.set({x, y, z}, kObsidian);
          } else if (y > 65) {
            region.set({x, y, z}, blocks::kAir);
          }
        }
      }
    }
    if (spike.is_guarded) {
      for (std::int32_t dx = -2; dx <= 2; ++dx) {
        for (std::int32_t dz = -2; dz <= 2; ++dz) {
          for (std::int32_t dy = 0; dy <= 3; ++dy) {
            const bool is_top = dy == 3, is_x = std::abs(dx) == 2 || is_top,
                       is_z = std::abs(dz) == 2 || is_top;
            if (!is_x && !is_z) continue;
            BlockState bars = with_bool(kBars, properties::kNorth, is_x && dz != -2);
            bars = with_bool(bars, properties::kSouth, is_x && dz != 2);
            bars = with_bool(bars, properties::kWest, is_z && dx != -2);
            bars = with_bool(bars, properties::kEast, is_z && dx != 2);
            region.set({spike.x + dx, spike.height + dy, spike.z + dz}, bars);
          }
        }
      }
    }
    const BlockPos crystal{spike.x, spike.height + 1, spike.z};
    const float yaw = random.next_float() * 360.0F;
    nbt::Compound entity;
    entity.set("id", "minecraft:end_crystal");
    entity.set("Pos", nbt::make_list({crystal.x + 0.5, static_cast<double>(crystal.y), crystal.z + 0.5}));
    entity.set("Rotation", nbt::make_list({yaw, 0.0F}));
    entity.set("Invulnerable", is_invulnerable_);
    if (beam_) entity.set("beam_target", std::vector<std::int32_t>{beam_->x, beam_->y, beam_->z});
    region.add_entity(std::move(entity), crystal);
    region.set(below(crystal), blocks::kBedrock);
    region.set(crystal, kFire);
  }

  std::vector<Spike> given_;
  std::optional<BlockPos> beam_;
  bool is_invulnerable_;
};

class EndGateway : public Feature {
 public:
  explicit EndGateway(const Json& json) : is_exact_(bool_or(json, "exact", false)) {
    if (const auto exit = json.find("exit"); exit != json.end()) {
      exit_ = {exit->at(0).get<std::int32_t>(), exit->at(1).get<std::int32_t>(),
               exit->at(2).get<std::int32_t>()};
    }
  }
  bool place(PlaceContext& context, Random&, BlockPos origin) const override {
    static const BlockState kGateway = state("end_gateway");
    Region& region = context.region;
    for (std::int32_t z = -1; z <= 1; ++z) {
      for (std::int32_t y = -2; y <= 2; ++y) {
        for (std::int32_t x = -1; x <= 1; ++x) {
          const BlockPos p = offset(origin, x, y, z);
          const bool is_end = std::abs(y) == 2;
          const bool is_bedrock = y != 0 && (is_end ? x == 0 && z == 0 : x == 0 || z == 0);
          if (x == 0 && y == 0 && z == 0) {
            region.set(p, kGateway);
            if (!exit_.empty()) {
              nbt::Compound data;
              data.set("exit_portal", exit_);
              data.set("ExactTeleport", is_exact_);
              region.set_block_entity(p, std::move(data));
            }
          } else {
            region.set(p, is_bedrock ? blocks::kBedrock : blocks::kAir);
          }
        }
      }
    }
    return true;
  }

 private:
  std::vector<std::int32_t> exit_;
  bool is_exact_;
};

class EndPlatform : public Feature {
 public:
  bool place(PlaceContext& context, Random&, BlockPos origin) const override {
    static const BlockState kObsidian = state("obsidian");
    for (std::int32_t dz = -2; dz <= 2; ++dz) {
      for (std::int32_t dx = -2; dx <= 2; ++dx) {
        for (std::int32_t dy = -1; dy < 3; ++dy) {
          context.region.set(offset(origin, dx, dy, dz), dy == -1 ? kObsidian : blocks::kAir);
        }
      }
    }
    return true;
  }
};

}  // namespace

void add_end_features(FeatureFactories& factories) {
  factories["end_island"] = [](const Json&, FeatureLoader&) { return std::make_shared<EndIsland>(); };
  factories["end_spike"] = [](const Json& json, FeatureLoader&) { return std::make_shared<EndSpike>(json); };
  factories["end_gateway"] = [](const Json& json, FeatureLoader&) {
    return std::make_shared<EndGateway>(json);
  };
  factories["end_platform"] = [](const Json&, FeatureLoader&) { return std::make_shared<EndPlatform>(); };
}

}  // namespace horizon::worldgen
