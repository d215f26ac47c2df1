#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "shard/worldgen/structure/structure.hpp"
#include "shard/worldgen/structure/template_placing.hpp"
#include "shard/worldgen/structure/templates.hpp"

namespace horizon::worldgen {

/// The template, or an empty one (without blocks, placed as nothing) when the source lacks it.
std::shared_ptr<const Template> template_or_empty(const TemplateSource& source, std::string_view name);

/// The box that a template fills when its corner is put at `position`.
Box template_box(const Template& content, BlockPos position, Mirror mirror, Rotation rotation,
                 BlockPos pivot);

/// `first`, then `second`.
Rotation turned(Rotation first, Rotation second);

/// A piece that is one template at one place. Immutable after its start was made.
class TemplatePiece : public StructurePiece {
 public:
  TemplatePiece(std::shared_ptr<const Template> content, BlockPos position, TemplatePlacing settings);

  void place(PiecePlacing& placing) const override { place_at(placing, position_); }
  void move(std::int32_t dx, std::int32_t dy, std::int32_t dz) override;

  const Template& content() const { return *content_; }
  BlockPos position() const { return position_; }
  Rotation rotation() const { return settings_.rotation; }

 protected:
  /// Places the part in `placing.writable` as if the template's corner were at `position`, which pieces that
  /// look for the ground choose anew for each chunk; then calls data_marker() for the markers in that part,
  /// and puts the final states of jigsaw blocks.
  void place_at(PiecePlacing& placing, BlockPos position) const;
  /// A structure block in data mode; nothing was placed at `p`.
  virtual void data_marker(PiecePlacing& placing, std::string_view marker, BlockPos p) const;
  /// A position of the template relative to its corner, turned and mirrored.
  BlockPos turned_offset(BlockPos p) const;

  BlockPos position_;

 private:
  std::shared_ptr<const Template> content_;
  TemplatePlacing settings_;
};

// --- What markers ask for ------------------------------------------------

/// Gives the container at `p` a loot table with a seed of `random`. Draws nothing when there is none.
void fill_container(Region& region, Random& random, BlockPos p, std::string_view loot_table);

/// The data of a mob that structures bring: it stays, and is made ready with draws of the region's own
/// random. Its equipment is not part of it, nor what else its kind draws.
nbt::Compound make_mob(Region& region, std::string_view id, Vec3 at);
/// One item in a mob's hand, "mainhand" or "offhand".
void hold(nbt::Compound& mob, std::string_view hand, std::string_view item);
/// Where a mob stands in a block.
inline Vec3 bottom_centre(BlockPos p) { return {p.x + 0.5, static_cast<double>(p.y), p.z + 0.5}; }
/// The data that all entities have.
nbt::Compound entity_data(std::string_view id, Vec3 at);

// --- Where structures look for the ground --------------------------------

/// The middle of the chunk, on the highest block of `kind`.
BlockPos on_top_of_chunk_centre(const StartContext& context, HeightKind kind);
/// The heights of the surface's highest blocks at the corners of an area.
std::array<std::int32_t, 4> corner_heights(const TerrainProbe& terrain, std::int32_t min_x,
                                           std::int32_t size_x, std::int32_t min_z, std::int32_t size_z);
/// Block (7, 7) of the chunk, as high as the lowest corner of a square of 5 from there towards `rotation`.
BlockPos lowest_of_square(const StartContext& context, Rotation rotation);

}  // namespace horizon::worldgen
