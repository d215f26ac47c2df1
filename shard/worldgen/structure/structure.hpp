#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shard/worldgen/base/blocks.hpp"
#include "shard/worldgen/base/figures.hpp"
#include "shard/worldgen/base/proto_chunk.hpp"
#include "shard/worldgen/base/random.hpp"
#include "shard/worldgen/base/region.hpp"

namespace horizon::worldgen {

class FeatureSet;
class TemplateSource;

/// What terrain would be like, without making chunks. Thread-safe.
class TerrainProbe {
 public:
  virtual ~TerrainProbe() = default;
  /// ChunkGenerator.getFirstFreeHeight (getBaseHeight): y above the highest block of the noise stage that
  /// counts for `kind` (a Wg kind).
  virtual std::int32_t first_free_height(std::int32_t x, std::int32_t z, HeightKind kind) const = 0;
  /// getFirstOccupiedHeight.
  std::int32_t first_occupied_height(std::int32_t x, std::int32_t z, HeightKind kind) const {
    return first_free_height(x, z, kind) - 1;
  }
  /// The noise stage's states of one column from min_y up (getBaseColumn).
  virtual std::vector<BlockState> column(std::int32_t x, std::int32_t z) const = 0;
  /// The biome source at a quart position.
  virtual BiomeId biome(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) const = 0;
  virtual Heights heights() const = 0;    ///< of the dimension
  virtual Heights generated() const = 0;  ///< that terrain is made in
  virtual std::int32_t sea_level() const = 0;
};

enum class TerrainAdaptation : std::uint8_t { kNone, kBury, kBeardThin, kBeardBox, kEncapsulate };
enum class Projection : std::uint8_t { kTerrainMatching, kRigid };
enum class Rotation : std::uint8_t { kNone, kClockwise90, kClockwise180, kCounterclockwise90 };
enum class Mirror : std::uint8_t { kNone, kLeftRight, kFrontBack };

/// Where a jigsaw piece joins another, for the terrain adaptation.
struct JigsawJunction {
  std::int32_t source_x = 0, source_ground_y = 0, source_z = 0, delta_y = 0;
  Projection projection = Projection::kRigid;
};

/// What a piece may use while it places its blocks.
struct PiecePlacing {
  Region& region;
  const TerrainProbe& terrain;
  const FeatureSet& features;
  Random& random;
  /// Only blocks in here may be written: the centre chunk.
  Box writable;
  ChunkPos chunk;
  BlockPos start_pivot;  ///< the "reference position" of the start (centre of the first piece, its bottom y)
};

/// One part of a structure. place() may run once for each chunk that it touches, also at once from several
/// workers: a piece must not change what the blocks depend on, except where the game itself lets the first
/// chunk decide (documented at the piece, guarded by it).
class StructurePiece {
 public:
  virtual ~StructurePiece() = default;
  virtual void place(PiecePlacing& placing) const = 0;
  const Box& box() const { return box_; }
  virtual void move(std::int32_t dx, std::int32_t dy, std::int32_t dz) { box_ = box_.moved(dx, dy, dz); }

  /// For the terrain adaptation; only jigsaw pieces differ from these.
  virtual bool is_jigsaw() const { return false; }
  virtual Projection projection() const { return Projection::kRigid; }
  virtual std::int32_t ground_level_delta() const { return 0; }
  virtual const std::vector<JigsawJunction>& junctions() const;

 protected:
  StructurePiece() = default;
  explicit StructurePiece(Box box) : box_(box) {}
  Box box_;
};

using Pieces = std::vector<std::shared_ptr<StructurePiece>>;

/// What a structure may use to find its place and make its pieces.
struct StartContext {
  const Figures& figures;
  const TerrainProbe& terrain;
  const TemplateSource* templates;  ///< null without vanilla data
  std::int64_t seed;
  ChunkPos chunk;
  /// Already seeded: legacy LCG, set_large_feature_seed(seed, chunk).
  Random random;
  /// Whether the structure may stand in this biome.
  std::function<bool(BiomeId)> is_valid_biome;
  /// Pieces of a start: the game's StructurePiecesBuilder.
};

/// A found place: pieces are made only if the biome at `position` is valid.
struct GenerationPoint {
  BlockPos position;
  std::function<Pieces(Random&)> make_pieces;  ///< called with the context's random after the biome check
};

/// A structure of the data pack ("minecraft:village_plains"). Immutable; safe from any thread.
class Structure {
 public:
  virtual ~Structure() = default;
  /// findGenerationPoint.
  virtual std::optional<GenerationPoint> find(StartContext& context) const = 0;
  /// afterPlace: runs after all pieces of the start were placed in a chunk.
  virtual void after_place(PiecePlacing&, const Pieces&) const {}
  /// Made of templates that we do not ship.
  virtual bool needs_templates() const { return false; }

  // From the definition, filled by the loader.
  std::string name;
  std::vector<bool> biomes;  ///< by BiomeId
  std::int32_t step = 0;     ///< decoration step
  TerrainAdaptation adaptation = TerrainAdaptation::kNone;
};

/// A structure that stands somewhere: made once, immutable, shared by all chunks that it touches.
struct StructureStart {
  const Structure* structure = nullptr;
  ChunkPos chunk;
  Pieces pieces;
  Box box;  ///< of all pieces (inflated by 12 when the structure adapts the terrain, as the game does)
};

struct StructureLoader {
  const Figures& figures;
  const TemplateSource* templates;
};
using StructureFactory =
    std::function<std::shared_ptr<Structure>(const Json& definition, const StructureLoader& loader)>;
using StructureFactories = std::unordered_map<std::string_view, StructureFactory>;

/// Each file of this folder adds its structures by type name without namespace ("mineshaft", "jigsaw").
void add_mineshaft(StructureFactories& factories);
void add_stronghold(StructureFactories& factories);
void add_fortress(StructureFactories& factories);
void add_monument(StructureFactories& factories);
void add_temples(StructureFactories& factories);  ///< desert_pyramid, jungle_temple, swamp_hut, buried_treasure
void add_jigsaw(StructureFactories& factories);
void add_template_structures(StructureFactories& factories);  ///< igloo, shipwreck, ocean_ruin, ruined_portal,
                                                              ///< nether_fossil
void add_mansion(StructureFactories& factories);
void add_end_city(StructureFactories& factories);

/// The 3D rotations of names and boxes that all pieces share.
BlockPos rotate(BlockPos p, Rotation rotation);
BlockPos transform(BlockPos p, Mirror mirror, Rotation rotation, BlockPos pivot);
Rotation random_rotation(Random& random);
BlockState rotate(BlockState s, Rotation rotation);
BlockState mirror(BlockState s, Mirror mirror);
Direction rotate(Direction d, Rotation rotation);

}  // namespace horizon::worldgen
