#include <array>
#include <memory>
#include <string>
#include <vector>

#include "shard/worldgen/structure/structure.hpp"
#include "shard/worldgen/structure/template_piece.hpp"

namespace horizon::worldgen {

namespace {

/// Nothing stands below this: the city needs an island under it.
constexpr std::int32_t kMinY = 60;
constexpr std::int32_t kMaxDepth = 8;

class CityPiece final : public TemplatePiece {
 public:
  CityPiece(const TemplateSource& templates, std::string_view name, BlockPos position, Rotation rotation,
            bool overwrites_air)
      : TemplatePiece(template_or_empty(templates, "end_city/" + std::string(name)), position,
                      settings(rotation, overwrites_air)) {}

  /// Pieces of one branch share a number: they may overlap each other and the piece that they grow from. Used
  /// while the city is laid out only.
  std::int32_t branch = 0;

 protected:
  void data_marker(PiecePlacing& placing, std::string_view marker, BlockPos p) const override {
    if (marker.starts_with("Chest")) {
      const BlockPos chest = below(p);
      if (placing.writable.contains(chest)) {
        fill_container(placing.region, placing.random, chest, "chests/end_city_treasure");
      }
      return;
    }
    if (!placing.writable.contains(p)) return;
    if (marker.starts_with("Sentry")) {
      placing.region.add_entity(entity_data("minecraft:shulker", bottom_centre(p)), p);
    } else if (marker.starts_with("Elytra")) {
      hang_elytra(placing.region, p);
    }
  }

 private:
  static TemplatePlacing settings(Rotation rotation, bool overwrites_air) {
    TemplatePlacing result;
    result.rotation = rotation;
    result.ignore_entities = true;
    result.processors = {overwrites_air ? ignore_structure_blocks() : ignore_structure_blocks_and_air()};
    return result;
  }

  void hang_elytra(Region& region, BlockPos p) const {
    /// From the block's centre back to the wall.
    constexpr double kToWall = 0.46875;
    const Direction facing = rotate(Direction::kSouth, rotation());
    const BlockPos s = step(facing);
    nbt::Compound frame = entity_data("minecraft:item_frame",
                                      {p.x + 0.5 - kToWall * s.x, p.y + 0.5, p.z + 0.5 - kToWall * s.z});
    nbt::Compound item;
    item.set("id", "minecraft:elytra").set("count", std::int32_t{1});
    frame.set("Item", std::move(item))
        .set("ItemRotation", std::int8_t{0})
        .set("ItemDropChance", 1.0F)
        .set("Facing", static_cast<std::int8_t>(facing))
        .set("Invisible", false)
        .set("Fixed", false)
        .set("block_pos", std::vector<std::int32_t>{p.x, p.y, p.z});
    region.add_entity(std::move(frame), p);
  }
};

using CityPieces = std::vector<std::shared_ptr<CityPiece>>;

struct BridgeStart {
  Rotation rotation;
  BlockPos offset;
};
constexpr std::array kTowerBridges = {
    BridgeStart{Rotation::kNone, {1, -1, 0}}, BridgeStart{Rotation::kClockwise90, {6, -1, 1}},
    BridgeStart{Rotation::kCounterclockwise90, {0, -1, 5}}, BridgeStart{Rotation::kClockwise180, {5, -1, 6}}};
constexpr std::array kFatTowerBridges = {BridgeStart{Rotation::kNone, {4, -1, 0}},
                                         BridgeStart{Rotation::kClockwise90, {12, -1, 4}},
                                         BridgeStart{Rotation::kCounterclockwise90, {0, -1, 8}},
                                         BridgeStart{Rotation::kClockwise180, {8, -1, 12}}};

/// Grows a city: a house, a tower on it, and from there bridges, houses, wide towers and at most one ship. A
/// branch whose pieces hit others is dropped as a whole; its draws are spent.
class CityBuilder {
 public:
  CityBuilder(const TemplateSource& templates, Random& random) : templates_(templates), random_(random) {}

  CityPieces build(BlockPos origin, Rotation rotation) {
    CityPieces pieces;
    pieces.push_back(std::make_shared<CityPiece>(templates_, "base_floor", origin, rotation, true));
    const CityPiece* last = pieces.back().get();
    last = &append(pieces, *last, {-1, 0, -1}, "second_floor_1", rotation, false);
    last = &append(pieces, *last, {-1, 4, -1}, "third_floor_1", rotation, false);
    last = &append(pieces, *last, {-1, 8, -1}, "third_roof", rotation, true);
    grow(Branch::kTower, 1, *last, {}, pieces);
    return pieces;
  }

 private:
  enum class Branch : std::uint8_t { kHouse, kTower, kBridge, kFatTower };

  /// `offset` is seen from `parent`, as it is turned.
  CityPiece& append(CityPieces& pieces, const CityPiece& parent, BlockPos offset, std::string_view name,
                    Rotation rotation, bool overwrites_air) {
    const BlockPos o = rotate(offset, parent.rotation());
    const BlockPos p = parent.position();
    pieces.push_back(std::make_shared<CityPiece>(templates_, name, BlockPos{p.x + o.x, p.y + o.y, p.z + o.z},
                                                 rotation, overwrites_air));
    return *pieces.back();
  }

  bool grow(Branch kind, std::int32_t depth, const CityPiece& parent, BlockPos offset, CityPieces& pieces) {
    if (depth > kMaxDepth) return false;
    CityPieces children;
    if (!generate(kind, depth, parent, offset, children)) return false;
    const std::int32_t branch = random_.next_int();
    for (const auto& child : children) {
      child->branch = branch;
      for (const auto& other : pieces) {
        if (!other->box().intersects(child->box())) continue;
        if (other->branch != parent.branch) return false;
        break;  // only the first piece that is hit counts
      }
    }
    pieces.insert(pieces.end(), children.begin(), children.end());
    return true;
  }

  bool generate(Branch kind, std::int32_t depth, const CityPiece& parent, BlockPos offset,
                CityPieces& pieces) {
    switch (kind) {
      case Branch::kHouse:
        return house(depth, parent, offset, pieces);
      case Branch::kTower:
        return tower(depth, parent, pieces);
      case Branch::kBridge:
        return bridge(depth, parent, pieces);
      case Branch::kFatTower:
        return fat_tower(depth, parent, pieces);
    }
    return false;
  }

  bool house(std::int32_t depth, const CityPiece& parent, BlockPos offset, CityPieces& pieces) {
    const Rotation rotation = parent.rotation();
    const CityPiece* last = &append(pieces, parent, offset, "base_floor", rotation, true);
    const std::int32_t floors = random_.next_int(3);
    if (floors == 0) {
      append(pieces, *last, {-1, 4, -1}, "base_roof", rotation, true);
      return true;
    }
    last = &append(pieces, *last, {-1, 0, -1}, "second_floor_2", rotation, false);
    if (floors == 1) {
      last = &append(pieces, *last, {-1, 8, -1}, "second_roof", rotation, false);
    } else {
      last = &append(pieces, *last, {-1, 4, -1}, "third_floor_2", rotation, false);
      last = &append(pieces, *last, {-1, 8, -1}, "third_roof", rotation, true);
    }
    grow(Branch::kTower, depth + 1, *last, {}, pieces);
    return true;
  }

  bool tower(std::int32_t depth, const CityPiece& parent, CityPieces& pieces) {
    const Rotation rotation = parent.rotation();
    const std::int32_t x = 3 + random_.next_int(2);
    const std::int32_t z = 3 + random_.next_int(2);
    const CityPiece* last = &append(pieces, parent, {x, -3, z}, "tower_base", rotation, true);
    last = &append(pieces, *last, {0, 7, 0}, "tower_piece", rotation, true);
    const CityPiece* bridge_floor = random_.next_int(3) == 0 ? last : nullptr;
    const std::int32_t height = 1 + random_.next_int(3);
    for (std::int32_t i = 0; i < height; ++i) {
      last = &append(pieces, *last, {0, 4, 0}, "tower_piece", rotation, true);
      if (i < height - 1 && random_.next_bool()) bridge_floor = last;
    }
    if (bridge_floor != nullptr) {
      start_bridges(depth, *bridge_floor, rotation, kTowerBridges, pieces);
    } else if (depth != kMaxDepth - 1) {
      return grow(Branch::kFatTower, depth + 1, *last, {}, pieces);
    }
    append(pieces, *last, {-1, 4, -1}, "tower_top", rotation, true);
    return true;
  }

  bool fat_tower(std::int32_t depth, const CityPiece& parent, CityPieces& pieces) {
    const Rotation rotation = parent.rotation();
    const CityPiece* last = &append(pieces, parent, {-3, 4, -3}, "fat_tower_base", rotation, true);
    last = &append(pieces, *last, {0, 4, 0}, "fat_tower_middle", rotation, true);
    for (std::int32_t i = 0; i < 2 && random_.next_int(3) != 0; ++i) {
      last = &append(pieces, *last, {0, 8, 0}, "fat_tower_middle", rotation, true);
      start_bridges(depth, *last, rotation, kFatTowerBridges, pieces);
    }
    append(pieces, *last, {-2, 8, -2}, "fat_tower_top", rotation, true);
    return true;
  }

  void start_bridges(std::int32_t depth, const CityPiece& from, Rotation rotation,
                     const std::array<BridgeStart, 4>& starts, CityPieces& pieces) {
    for (const BridgeStart& start : starts) {
      if (!random_.next_bool()) continue;
      const CityPiece& end =
          append(pieces, from, start.offset, "bridge_end", turned(rotation, start.rotation), true);
      grow(Branch::kBridge, depth + 1, end, {}, pieces);
    }
  }

  bool bridge(std::int32_t depth, const CityPiece& parent, CityPieces& pieces) {
    const Rotation rotation = parent.rotation();
    const std::int32_t length = random_.next_int(4) + 1;
    CityPiece* last = &append(pieces, parent, {0, 0, -4}, "bridge_piece", rotation, true);
    last->branch = -1;
    std::int32_t y = 0;
    for (std::int32_t i = 0; i < length; ++i) {
      if (random_.next_bool()) {
        last = &append(pieces, *last, {0, y, -4}, "bridge_piece", rotation, true);
        y = 0;
        continue;
      }
      if (random_.next_bool()) {
        last = &append(pieces, *last, {0, y, -4}, "bridge_steep_stairs", rotation, true);
      } else {
        last = &append(pieces, *last, {0, y, -8}, "bridge_gentle_stairs", rotation, true);
      }
      y = 4;
    }
    if (!has_ship_ && random_.next_int(10 - depth) == 0) {
      const std::int32_t x = -8 + random_.next_int(8);
      const std::int32_t z = -70 + random_.next_int(10);
      append(pieces, *last, {x, y, z}, "ship", rotation, true);
      has_ship_ = true;
    } else if (!grow(Branch::kHouse, depth + 1, *last, {-3, y + 1, -11}, pieces)) {
      return false;
    }
    append(pieces, *last, {4, y, 0}, "bridge_end", turned(rotation, Rotation::kClockwise180), true).branch =
        -1;
    return true;
  }

  const TemplateSource& templates_;
  Random& random_;
  bool has_ship_ = false;
};

class EndCity final : public Structure {
 public:
  std::optional<GenerationPoint> find(StartContext& context) const override {
    if (context.templates == nullptr) return {};
    const Rotation rotation = random_rotation(context.random);
    const BlockPos start = lowest_of_square(context, rotation);
    if (start.y < kMinY) return {};
    return GenerationPoint{start, [templates = context.templates, start, rotation](Random& random) {
                             const CityPieces city = CityBuilder(*templates, random).build(start, rotation);
                             return Pieces(city.begin(), city.end());
                           }};
  }
  bool needs_templates() const override { return true; }
};

}  // namespace

void add_end_city(StructureFactories& factories) {
  factories["end_city"] = [](const Json&, const StructureLoader&) { return std::make_shared<EndCity>(); };
}

}  // namespace horizon::worldgen
