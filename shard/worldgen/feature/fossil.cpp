#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "shard/worldgen/feature/underground.hpp"
#include "shard/worldgen/structure/template_placing.hpp"
#include "shard/worldgen/structure/templates.hpp"

namespace horizon::worldgen::underground {

namespace {

using TemplatePtr = std::shared_ptr<const Template>;
using Processors = std::vector<std::shared_ptr<const TemplateProcessor>>;

/// Bones deep in the ground, and the ore that has taken the place of some. The templates are the game's:
/// without them there are no fossils.
class Fossil final : public Feature {
 public:
  Fossil(const Json& config, FeatureLoader& loader)
      : max_empty_corners_(integer(config, "max_empty_corners_allowed")) {
    bones_ = load(field(config, "fossil_structures"), loader);
    ores_ = load(field(config, "overlay_structures"), loader);
    if (bones_.empty() || bones_.size() != ores_.size()) {
      throw FigureError("\"fossil_structures\" and \"overlay_structures\" must be as many, at least one");
    }
    if (loader.templates() == nullptr) return;
    has_templates_ = true;
    bone_processors_ = parse_processors(field(config, "fossil_processors"), loader.figures());
    ore_processors_ = parse_processors(field(config, "overlay_processors"), loader.figures());
  }

  bool place(PlaceContext& context, Random& random, BlockPos origin) const override {
    if (!has_templates_) return false;
    Region& region = context.region;
    const Rotation rotation = random_rotation(random);
    const auto index = static_cast<std::size_t>(random.next_int(static_cast<std::int32_t>(bones_.size())));
    static const Template kNothing{};
    const Template& bone = bones_[index] ? *bones_[index] : kNothing;

    const bool is_turned = rotation == Rotation::kClockwise90 || rotation == Rotation::kCounterclockwise90;
    const std::int32_t x_size = is_turned ? bone.size.z : bone.size.x;
    const std::int32_t z_size = is_turned ? bone.size.x : bone.size.z;
    const BlockPos corner = offset(origin, -x_size / 2, 0, -z_size / 2);
    std::int32_t surface = origin.y;
    for (std::int32_t x = 0; x < x_size; ++x) {
      for (std::int32_t z = 0; z < z_size; ++z) {
        surface = std::min(surface, region.height(HeightKind::kOceanFloorWg, corner.x + x, corner.z + z));
      }
    }
    const std::int32_t y = std::max(surface - 15 - random.next_int(10), region.min_y() + 10);

    // A template turns around its own corner; the turned box begins at `corner` again when that one moves
    // along.
    const bool is_reversed = rotation == Rotation::kClockwise180;
    const BlockPos last{bone.size.x - 1, bone.size.y - 1, bone.size.z - 1};
    const BlockPos target{
        corner.x + (rotation == Rotation::kClockwise90 ? last.z : (is_reversed ? last.x : 0)), y,
        corner.z + (rotation == Rotation::kCounterclockwise90 ? last.x : (is_reversed ? last.z : 0))};
    const Box turned = Box::from_corners({}, rotate(last, rotation));
    if (empty_corners(region, turned.moved(target.x, target.y, target.z)) > max_empty_corners_) return false;

    const ChunkPos chunk = ChunkPos::of(origin);
    TemplatePlacing placing;
    placing.rotation = rotation;
    placing.bounds = {chunk.x * 16 - 16, region.min_y(), chunk.z * 16 - 16,
                      chunk.x * 16 + 31, region.max_y(), chunk.z * 16 + 31};
    placing.random = &random;
    placing.processors = bone_processors_;
    if (bones_[index]) place_template(region, bone, target, target, placing, random);
    placing.processors = ore_processors_;
    if (ores_[index]) place_template(region, *ores_[index], target, target, placing, random);
    return true;
  }

 private:
  static std::vector<TemplatePtr> load(const Json& names, FeatureLoader& loader) {
    if (!names.is_array()) throw FigureError("the structures of a fossil must be a list of names");
    std::vector<TemplatePtr> templates;
    for (const Json& entry : names) {
      if (!entry.is_string()) throw FigureError("the structures of a fossil must be a list of names");
      const TemplateSource* source = loader.templates();
      templates.push_back(source == nullptr ? nullptr : source->get(entry.get_ref<const std::string&>()));
    }
    return templates;
  }

  static std::int32_t empty_corners(const Region& region, const Box& box) {
    std::int32_t count = 0;
    for (const std::int32_t x : {box.min_x, box.max_x}) {
      for (const std::int32_t y : {box.min_y, box.max_y}) {
        for (const std::int32_t z : {box.min_z, box.max_z}) {
          const BlockState s = region.get(x, y, z);
          if (is_air_or_water(s) || is_lava(s)) ++count;
        }
      }
    }
    return count;
  }

  std::vector<TemplatePtr> bones_, ores_;
  Processors bone_processors_, ore_processors_;
  std::int32_t max_empty_corners_;
  bool has_templates_ = false;
};

}  // namespace

void add_fossil(FeatureFactories& factories) { factories["fossil"] = factory<Fossil>(); }

}  // namespace horizon::worldgen::underground
