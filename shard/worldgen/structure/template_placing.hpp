#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shard/worldgen/base/providers.hpp"
#include "shard/worldgen/structure/templates.hpp"

namespace horizon::worldgen {

class TemplateProcessor;

/// How a template is put into the world.
struct TemplatePlacing {
  Mirror mirror = Mirror::kNone;
  Rotation rotation = Rotation::kNone;
  BlockPos pivot;  ///< relative to the template's corner
  /// Blocks outside are left out.
  std::optional<Box> bounds;
  std::vector<std::shared_ptr<const TemplateProcessor>> processors;
  bool ignore_entities = false;
  /// Blocks that can hold water take it from what was there, and from sources beside.
  bool keeps_water = true;
  /// The template's blocks fit together as they are: no look at neighbours.
  bool known_shape = false;
  /// Draws for the palette and for processors; null: each from the position alone.
  Random* random = nullptr;
};

/// Puts the template's blocks, block entities and entities with its corner (before turning) at `position`.
/// `random` gives containers their loot seeds. `reference` is the start's pivot, which some processors
/// measure from. False when the template is empty.
bool place_template(Region& region, const Template& content, BlockPos position, BlockPos reference,
                    const TemplatePlacing& placing, Random& random);

/// Which palette of the template stands at a position, when TemplatePlacing::random is null.
std::size_t palette_index(const Template& content, BlockPos position);

// --- Processors ----------------------------------------------------------

/// What a processor sees.
struct ProcessorContext {
  const Region& region;
  BlockPos position, reference;
  const TemplatePlacing& placing;
};

/// Changes or drops blocks of a template on their way into the world. Immutable; safe from any thread.
class TemplateProcessor {
 public:
  virtual ~TemplateProcessor() = default;
  /// `original` as in the template, `placed` at its place in the world (not yet turned). False drops the
  /// block.
  virtual bool process(const ProcessorContext&, const TemplateBlock& /*original*/,
                       TemplateBlock& /*placed*/) const {
    return true;
  }
  /// finish() has something to do: it must see all blocks of the template, also those out of bounds.
  virtual bool needs_all() const { return false; }
  /// After all blocks went through all processors; both lists correspond.
  virtual void finish(const ProcessorContext&, const std::vector<TemplateBlock>& /*originals*/,
                      std::vector<TemplateBlock>& /*placed*/) const {}
};

using TemplateProcessorPtr = std::shared_ptr<const TemplateProcessor>;

/// A processor list of the data pack by name, or inline. Throws FigureError.
std::vector<TemplateProcessorPtr> parse_processors(const Json& list_or_name, const Figures& figures);

TemplateProcessorPtr ignore_structure_blocks();
TemplateProcessorPtr ignore_structure_blocks_and_air();
/// Jigsaw blocks become their final states.
TemplateProcessorPtr replace_jigsaws();
/// Keeps each block with this chance.
TemplateProcessorPtr block_rot(float integrity);
/// Moves each block to the ground: the height of `kind` plus `offset` plus its height in the template.
TemplateProcessorPtr gravity(HeightKind kind, std::int32_t offset);
TemplateProcessorPtr block_age(float mossiness);
/// Leaves blocks of the set in the world alone.
TemplateProcessorPtr protected_blocks(BlockSet kept);
TemplateProcessorPtr lava_submerged_blocks();
TemplateProcessorPtr blackstone_replace();
/// Applies `delegate` to at most `limit` blocks, chosen by the position.
TemplateProcessorPtr capped(TemplateProcessorPtr delegate, std::int32_t limit);

/// One block for another.
struct TemplateRule {
  RuleTest input, location;
  /// The chance rises with the distance from the reference along an axis (or in all: 3); -1: always.
  std::int32_t axis = -1;
  float min_chance = 0, max_chance = 0;
  std::int32_t min_distance = 0, max_distance = 0;
  BlockState output = 0;
  /// Loot table of the new block's data, with a seed; empty: the data stay.
  std::string append_loot;
  bool clears_data = false;
};
TemplateRule replace_block(std::string_view from, std::string_view to);
TemplateRule replace_block(std::string_view from, std::string_view to, float probability);
/// The first rule that fits is applied.
TemplateProcessorPtr rules(std::vector<TemplateRule> rules);

}  // namespace horizon::worldgen
