#include <cmath>

#include "shard/worldgen/feature/trees.hpp"
#include "shard/worldgen/terrain/math.hpp"

namespace horizon::worldgen {

FoliagePlacer::FoliagePlacer(const Json& json)
    : radius_(IntProvider::parse(field(json, "radius"))),
      offset_(IntProvider::parse(field(json, "offset"))) {}

bool FoliagePlacer::skips_signed(Random& random, std::int32_t dx, std::int32_t y, std::int32_t dz,
                                 std::int32_t radius, bool is_double) const {
  const auto distance = [&](std::int32_t d) {
    return is_double ? std::min(std::abs(d), std::abs(d - 1)) : std::abs(d);
  };
  return skips(random, distance(dx), y, distance(dz), radius, is_double);
}

void FoliagePlacer::place_row(TreeWork& work, BlockPos origin, std::int32_t radius, std::int32_t y,
                              bool is_double) const {
  const std::int32_t end = radius + (is_double ? 1 : 0);
  for (std::int32_t dx = -radius; dx <= end; ++dx) {
    for (std::int32_t dz = -radius; dz <= end; ++dz) {
      if (!skips_signed(work.random, dx, y, dz, radius, is_double))
        try_place_leaf(work, offset(origin, dx, y, dz));
    }
  }
}

void FoliagePlacer::place_row_with_hanging(TreeWork& work, BlockPos origin, std::int32_t radius,
                                           std::int32_t y, bool is_double, float chance,
                                           float extension_chance) const {
  place_row(work, origin, radius, y, is_double);
  const std::int32_t wider = is_double ? 1 : 0;
  const BlockPos log = below(origin);
  const auto extend = [&](BlockPos p, float probability) {
    const std::int32_t distance = std::abs(p.x - log.x) + std::abs(p.y - log.y) + std::abs(p.z - log.z);
    if (distance >= 7) return false;
    return work.random.next_float() > probability ? false : try_place_leaf(work, p);
  };
  for (const Direction along : kHorizontal) {
    const Direction out = clockwise(along);
    const bool is_positive = out == Direction::kSouth || out == Direction::kEast;
    BlockPos p =
        offset(offset(above(origin, y - 1), out, is_positive ? radius + wider : radius), along, -radius);
    for (std::int32_t i = -radius; i < radius + wider; ++i, p = offset(p, along)) {
      if (work.foliage.contains(above(p)) && extend(p, chance)) extend(below(p), extension_chance);
    }
  }
}

bool FoliagePlacer::try_place_leaf(TreeWork& work, BlockPos p) {
  if (bool_value(work.region.get(p), properties::kPersistent)) return false;
  if (!is_valid_tree_pos(work.region, p)) return false;
  const BlockState leaf = work.config.foliage->get(work.region, work.random, p);
  work.set(work.foliage, p, waterlogged_at(work.region, p, leaf, true));
  return true;
}

namespace {

class BlobFoliage : public FoliagePlacer {
 public:
  explicit BlobFoliage(const Json& json) : FoliagePlacer(json), height_(integer(json, "height")) {}
  std::int32_t height(Random&, std::int32_t) const override { return height_; }

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t foliage_height,
              std::int32_t leaf_radius, std::int32_t offset) const override {
    for (std::int32_t y = offset; y >= offset - foliage_height; --y) {
      const std::int32_t radius = std::max(leaf_radius + a.radius_offset - 1 - y / 2, 0);
      place_row(work, a.pos, radius, y, a.is_double_trunk);
    }
  }
  bool skips(Random& random, std::int32_t dx, std::int32_t y, std::int32_t dz, std::int32_t radius,
             bool) const override {
    return dx == radius && dz == radius && (random.next_int(2) == 0 || y == 0);
  }

  std::int32_t height_;
};

class BushFoliage : public BlobFoliage {
 public:
  explicit BushFoliage(const Json& json) : BlobFoliage(json) {}

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t foliage_height,
              std::int32_t leaf_radius, std::int32_t offset) const override {
    for (std::int32_t y = offset; y >= offset - foliage_height; --y) {
      place_row(work, a.pos, leaf_radius + a.radius_offset - 1 - y, y, a.is_double_trunk);
    }
  }
  bool skips(Random& random, std::int32_t dx, std::int32_t, std::int32_t dz, std::int32_t radius,
             bool) const override {
    return dx == radius && dz == radius && random.next_int(2) == 0;
  }
};

class FancyFoliage : public BlobFoliage {
 public:
  explicit FancyFoliage(const Json& json) : BlobFoliage(json) {}

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t foliage_height,
              std::int32_t leaf_radius, std::int32_t offset) const override {
    for (std::int32_t y = offset; y >= offset - foliage_height; --y) {
      const bool is_inner = y != offset && y != offset - foliage_height;
      place_row(work, a.pos, leaf_radius + (is_inner ? 1 : 0), y, a.is_double_trunk);
    }
  }
  bool skips(Random&, std::int32_t dx, std::int32_t, std::int32_t dz, std::int32_t radius,
             bool) const override {
    const float x = static_cast<float>(dx) + 0.5F, z = static_cast<float>(dz) + 0.5F;
    return x * x + z * z > static_cast<float>(radius * radius);
  }
};

class AcaciaFoliage : public FoliagePlacer {
 public:
  explicit AcaciaFoliage(const Json& json) : FoliagePlacer(json) {}
  std::int32_t height(Random&, std::int32_t) const override { return 0; }

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t foliage_height,
              std::int32_t leaf_radius, std::int32_t offset) const override {
    const BlockPos p = above(a.pos, offset);
    place_row(work, p, leaf_radius + a.radius_offset, -1 - foliage_height, a.is_double_trunk);
    place_row(work, p, leaf_radius - 1, -foliage_height, a.is_double_trunk);
    place_row(work, p, leaf_radius + a.radius_offset - 1, 0, a.is_double_trunk);
  }
  bool skips(Random&, std::int32_t dx, std::int32_t y, std::int32_t dz, std::int32_t radius,
             bool) const override {
    if (y == 0) return (dx > 1 || dz > 1) && dx != 0 && dz != 0;
    return dx == radius && dz == radius && radius > 0;
  }
};

class CherryFoliage : public FoliagePlacer {
 public:
  explicit CherryFoliage(const Json& json)
      : FoliagePlacer(json),
        height_(IntProvider::parse(field(json, "height"))),
        wide_hole_(static_cast<float>(number(json, "wide_bottom_layer_hole_chance"))),
        corner_hole_(static_cast<float>(number(json, "corner_hole_chance"))),
        hanging_(static_cast<float>(number(json, "hanging_leaves_chance"))),
        extension_(static_cast<float>(number(json, "hanging_leaves_extension_chance"))) {}
  std::int32_t height(Random& random, std::int32_t) const override { return height_.sample(random); }

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t foliage_height,
              std::int32_t leaf_radius, std::int32_t offset) const override {
    const BlockPos p = above(a.pos, offset);
    const std::int32_t radius = leaf_radius + a.radius_offset - 1;
    place_row(work, p, radius - 2, foliage_height - 3, a.is_double_trunk);
    place_row(work, p, radius - 1, foliage_height - 4, a.is_double_trunk);
    for (std::int32_t y = foliage_height - 5; y >= 0; --y) place_row(work, p, radius, y, a.is_double_trunk);
    place_row_with_hanging(work, p, radius, -1, a.is_double_trunk, hanging_, extension_);
    place_row_with_hanging(work, p, radius - 1, -2, a.is_double_trunk, hanging_, extension_);
  }
  bool skips(Random& random, std::int32_t dx, std::int32_t y, std::int32_t dz, std::int32_t radius,
             bool) const override {
    if (y == -1 && (dx == radius || dz == radius) && random.next_float() < wide_hole_) return true;
    const bool is_corner = dx == radius && dz == radius;
    if (radius > 2) return is_corner || (dx + dz > radius * 2 - 2 && random.next_float() < corner_hole_);
    return is_corner && random.next_float() < corner_hole_;
  }

 private:
  IntProvider height_;
  float wide_hole_, corner_hole_, hanging_, extension_;
};

class DarkOakFoliage : public FoliagePlacer {
 public:
  explicit DarkOakFoliage(const Json& json) : FoliagePlacer(json) {}
  std::int32_t height(Random&, std::int32_t) const override { return 4; }

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t,
              std::int32_t leaf_radius, std::int32_t offset) const override {
    const BlockPos p = above(a.pos, offset);
    if (a.is_double_trunk) {
      place_row(work, p, leaf_radius + 2, -1, true);
      place_row(work, p, leaf_radius + 3, 0, true);
      place_row(work, p, leaf_radius + 2, 1, true);
      if (work.random.next_bool()) place_row(work, p, leaf_radius, 2, true);
    } else {
      place_row(work, p, leaf_radius + 2, -1, false);
      place_row(work, p, leaf_radius + 1, 0, false);
    }
  }
  bool skips_signed(Random& random, std::int32_t dx, std::int32_t y, std::int32_t dz, std::int32_t radius,
                    bool is_double) const override {
    const bool is_corner = (dx == -radius || dx >= radius) && (dz == -radius || dz >= radius);
    if (y == 0 && is_double && is_corner) return true;
    return FoliagePlacer::skips_signed(random, dx, y, dz, radius, is_double);
  }
  bool skips(Random&, std::int32_t dx, std::int32_t y, std::int32_t dz, std::int32_t radius,
             bool is_double) const override {
    if (y == -1 && !is_double) return dx == radius && dz == radius;
    return y == 1 && dx + dz > radius * 2 - 2;
  }
};

/// The round crowns of mega trees share what they leave out.
class RoundFoliage : public FoliagePlacer {
 protected:
  using FoliagePlacer::FoliagePlacer;
  bool skips(Random&, std::int32_t dx, std::int32_t, std::int32_t dz, std::int32_t radius,
             bool) const override {
    return dx + dz >= 7 || dx * dx + dz * dz > radius * radius;
  }
};

class MegaJungleFoliage : public RoundFoliage {
 public:
  explicit MegaJungleFoliage(const Json& json) : RoundFoliage(json), height_(integer(json, "height")) {}
  std::int32_t height(Random&, std::int32_t) const override { return height_; }

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t foliage_height,
              std::int32_t leaf_radius, std::int32_t offset) const override {
    const std::int32_t height = a.is_double_trunk ? foliage_height : 1 + work.random.next_int(2);
    for (std::int32_t y = offset; y >= offset - height; --y) {
      place_row(work, a.pos, leaf_radius + a.radius_offset + 1 - y, y, a.is_double_trunk);
    }
  }

 private:
  std::int32_t height_;
};

class MegaPineFoliage : public RoundFoliage {
 public:
  explicit MegaPineFoliage(const Json& json)
      : RoundFoliage(json), crown_(IntProvider::parse(field(json, "crown_height"))) {}
  std::int32_t height(Random& random, std::int32_t) const override { return crown_.sample(random); }

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t foliage_height,
              std::int32_t leaf_radius, std::int32_t offset) const override {
    std::int32_t last = 0;
    for (std::int32_t y = a.pos.y - foliage_height + offset; y <= a.pos.y + offset; ++y) {
      const std::int32_t from_top = a.pos.y - y;
      const float part = static_cast<float>(from_top) / static_cast<float>(foliage_height) * 3.5F;
      const std::int32_t smooth = leaf_radius + a.radius_offset + floor_int(static_cast<double>(part));
      const bool is_jagged = from_top > 0 && smooth == last && (y & 1) == 0;
      place_row(work, {a.pos.x, y, a.pos.z}, is_jagged ? smooth + 1 : smooth, 0, a.is_double_trunk);
      last = smooth;
    }
  }

 private:
  IntProvider crown_;
};

class PineFoliage : public FoliagePlacer {
 public:
  explicit PineFoliage(const Json& json)
      : FoliagePlacer(json), height_(IntProvider::parse(field(json, "height"))) {}
  std::int32_t height(Random& random, std::int32_t) const override { return height_.sample(random); }
  std::int32_t radius(Random& random, std::int32_t trunk_height) const override {
    const std::int32_t base = FoliagePlacer::radius(random, trunk_height);
    return base + random.next_int(std::max(trunk_height + 1, 1));
  }

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t foliage_height,
              std::int32_t leaf_radius, std::int32_t offset) const override {
    std::int32_t radius = 0;
    for (std::int32_t y = offset; y >= offset - foliage_height; --y) {
      place_row(work, a.pos, radius, y, a.is_double_trunk);
      if (radius >= 1 && y == offset - foliage_height + 1) {
        --radius;
      } else if (radius < leaf_radius + a.radius_offset) {
        ++radius;
      }
    }
  }
  bool skips(Random&, std::int32_t dx, std::int32_t, std::int32_t dz, std::int32_t radius,
             bool) const override {
    return dx == radius && dz == radius && radius > 0;
  }

 private:
  IntProvider height_;
};

class SpruceFoliage : public FoliagePlacer {
 public:
  explicit SpruceFoliage(const Json& json)
      : FoliagePlacer(json), trunk_(IntProvider::parse(field(json, "trunk_height"))) {}
  std::int32_t height(Random& random, std::int32_t tree_height) const override {
    return std::max(4, tree_height - trunk_.sample(random));
  }

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t foliage_height,
              std::int32_t leaf_radius, std::int32_t offset) const override {
    std::int32_t radius = work.random.next_int(2), most = 1, least = 0;
    for (std::int32_t y = offset; y >= -foliage_height; --y) {
      place_row(work, a.pos, radius, y, a.is_double_trunk);
      if (radius >= most) {
        radius = least;
        least = 1;
        most = std::min(most + 1, leaf_radius + a.radius_offset);
      } else {
        ++radius;
      }
    }
  }
  bool skips(Random&, std::int32_t dx, std::int32_t, std::int32_t dz, std::int32_t radius,
             bool) const override {
    return dx == radius && dz == radius && radius > 0;
  }

 private:
  IntProvider trunk_;
};

class RandomSpreadFoliage : public FoliagePlacer {
 public:
  explicit RandomSpreadFoliage(const Json& json)
      : FoliagePlacer(json),
        height_(IntProvider::parse(field(json, "foliage_height"))),
        attempts_(integer(json, "leaf_placement_attempts")) {}
  std::int32_t height(Random& random, std::int32_t) const override { return height_.sample(random); }

 protected:
  void create(TreeWork& work, std::int32_t, const FoliageAttachment& a, std::int32_t foliage_height,
              std::int32_t leaf_radius, std::int32_t) const override {
    const auto spread = [&](std::int32_t bound) {
      const std::int32_t first = work.random.next_int(bound);
      return first - work.random.next_int(bound);
    };
    for (std::int32_t i = 0; i < attempts_; ++i) {
      const std::int32_t dx = spread(leaf_radius), dy = spread(foliage_height), dz = spread(leaf_radius);
      try_place_leaf(work, worldgen::offset(a.pos, dx, dy, dz));
    }
  }
  bool skips(Random&, std::int32_t, std::int32_t, std::int32_t, std::int32_t, bool) const override {
    return false;
  }

 private:
  IntProvider height_;
  std::int32_t attempts_;
};

template <typename T>
std::unique_ptr<const FoliagePlacer> make(const Json& json) {
  return std::make_unique<T>(json);
}

}  // namespace

std::unique_ptr<const FoliagePlacer> FoliagePlacer::parse(const Json& json) {
  const std::string_view type = type_of(json);
  if (type == "blob_foliage_placer") return make<BlobFoliage>(json);
  if (type == "bush_foliage_placer") return make<BushFoliage>(json);
  if (type == "fancy_foliage_placer") return make<FancyFoliage>(json);
  if (type == "acacia_foliage_placer") return make<AcaciaFoliage>(json);
  if (type == "cherry_foliage_placer") return make<CherryFoliage>(json);
  if (type == "dark_oak_foliage_placer") return make<DarkOakFoliage>(json);
  if (type == "jungle_foliage_placer") return make<MegaJungleFoliage>(json);
  if (type == "mega_pine_foliage_placer") return make<MegaPineFoliage>(json);
  if (type == "pine_foliage_placer") return make<PineFoliage>(json);
  if (type == "spruce_foliage_placer") return make<SpruceFoliage>(json);
  if (type == "random_spread_foliage_placer") return make<RandomSpreadFoliage>(json);
  throw FigureError("unknown foliage placer \"" + std::string(type) + "\"");
}

}  // namespace horizon::worldgen
