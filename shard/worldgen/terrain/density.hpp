#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "shard/worldgen/base/figures.hpp"
#include "shard/worldgen/terrain/noise.hpp"

namespace horizon::worldgen {

/// Index of a node in a DensityProgram; operands stand before what uses them.
using NodeId = std::int32_t;

enum class DensityOp : std::uint8_t {
  kConstant,
  kAdd,
  kMultiply,
  kMin,
  kMax,
  kAbs,
  kSquare,
  kCube,
  kHalfNegative,
  kQuarterNegative,
  kInvert,
  kSqueeze,
  kClamp,
  kYGradient,
  kNoise,         ///< noise at (x·xz_scale, y·y_scale, z·xz_scale)
  kShiftedNoise,  ///< the same plus three operands
  kShiftA,
  kShiftB,
  kShift,
  kRangeChoice,
  kWeirdScaled,
  kSpline,
  kBlended,
  kEndIslands,
  kTopSurface,
  kInterpolated,  ///< evaluated at cell corners only, linear between them
  kFlatCache,     ///< evaluated at y 0 of quart columns only
};

struct DensityNode {
  DensityOp op = DensityOp::kConstant;
  NodeId a = -1, b = -1, c = -1;
  /// Constants: value; clamp and range: min, max; gradient: from_y, to_y, from, to; noise: xz_scale, y_scale.
  double p0 = 0, p1 = 0, p2 = 0, p3 = 0;
  /// Index of a noise, a blended noise or a spline; slot of an interpolated or flat node; the rarity table of a
  /// weird scaled sampler stands in `extra`.
  std::int32_t index = -1, extra = 0;
  /// Bounds of the value, by the game's own rules (it decides by them which operand it evaluates).
  double min = 0, max = 0;
  /// Does not depend on y.
  bool is_flat = false;
};

/// A cubic spline in one coordinate whose values are splines again; float arithmetic.
struct DensitySpline {
  NodeId coordinate = -1;  ///< -1: a constant
  float constant = 0;
  std::vector<float> locations, derivatives;
  std::vector<std::int32_t> values;  ///< indices of splines
  float min = 0, max = 0;
};

/// The game's density functions of one dimension and seed, compiled: equal terms are one node, and evaluation runs
/// over up to kLanes values of y at once. Immutable; safe from any thread.
class DensityProgram {
 public:
  struct Router {
    NodeId barrier, floodedness, spread, lava, temperature, vegetation, continents, erosion, depth, ridges,
        preliminary_surface, final_density, vein_toggle, vein_ridged, vein_gap;
  };

  /// `settings` is a noise_settings definition. Throws FigureError.
  DensityProgram(const Figures& figures, const Json& settings, std::int64_t seed);

  const Router& router() const { return router_; }
  const std::vector<DensityNode>& nodes() const { return nodes_; }
  const DensityNode& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  const std::vector<DensitySpline>& splines() const { return splines_; }
  const NormalNoise& noise(std::int32_t index) const { return *noises_[static_cast<std::size_t>(index)]; }
  const BlendedNoise& blended(std::int32_t index) const { return blended_[static_cast<std::size_t>(index)]; }
  const SimplexNoise& end_islands() const { return *end_islands_; }
  std::int32_t interpolated_count() const { return static_cast<std::int32_t>(interpolated_.size()); }
  const std::vector<NodeId>& interpolated() const { return interpolated_; }
  std::int32_t flat_count() const { return static_cast<std::int32_t>(flat_.size()); }
  const std::vector<NodeId>& flat() const { return flat_; }

  /// The dimension's noise by name (surface rules use them too). Throws FigureError.
  const NormalNoise& named_noise(std::string_view name);
  /// The positional random of everything in the dimension.
  const PositionalRandom& random() const { return random_; }
  /// A density function by name or inline, added to the program. Throws FigureError.
  NodeId compile(const Json& function);

 private:
  class Compiler;
  NodeId add(DensityNode node);
  std::int32_t noise_index(std::string_view name);
  std::int32_t compile_spline(const Json& json);

  const Figures& figures_;
  std::int64_t seed_;
  bool is_legacy_;
  PositionalRandom random_;
  std::vector<DensityNode> nodes_;
  std::vector<DensitySpline> splines_;
  std::vector<std::unique_ptr<NormalNoise>> noises_;
  std::unordered_map<std::string, std::int32_t> noise_by_name_;
  std::vector<BlendedNoise> blended_;
  std::vector<std::pair<BlendedNoise::Scales, std::int32_t>> blended_index_;
  std::unique_ptr<SimplexNoise> end_islands_;
  std::unordered_map<std::string, NodeId> by_name_;
  std::vector<NodeId> interpolated_, flat_;
  Router router_{};
};

class FlatColumns;

/// Where interpolated nodes get their values from inside cells.
struct CellCorners {
  /// By interpolated slot: values[(ix * corners_z + iz) * corners_y + iy].
  std::vector<std::vector<double>> values;
  std::int32_t corners_y = 0, corners_z = 0;
};

/// The square of quart columns inside which flat caches answer for whole quart cells (the chunk at work): outside it
/// the game evaluates at the exact position.
struct FlatWindow {
  std::int32_t quart_x = 0, quart_z = 0, size = 0;
  bool contains(std::int32_t block_x, std::int32_t block_z) const {
    const std::int32_t x = (block_x >> 2) - quart_x, z = (block_z >> 2) - quart_z;
    return x >= 0 && z >= 0 && x < size && z < size;
  }
};

/// Evaluates nodes of a program at up to kLanes values of y of one column. Belongs to one thread; no allocation after
/// construction.
class DensityEvaluator {
 public:
  /// `flats` may be null: flat caches then pass through (the evaluator inside FlatColumns works so).
  DensityEvaluator(const DensityProgram& program, FlatColumns* flats);

  /// Begins a new column: everything evaluated before is forgotten.
  void at(std::int32_t x, std::int32_t z, const std::int32_t* y, std::int32_t n, FlatWindow window);
  void at(std::int32_t x, std::int32_t y, std::int32_t z, FlatWindow window) { at(x, z, &y, 1, window); }
  /// The order in which the game interpolates, which rounds differently: x, y, z while it fills a cell, y, x, z else.
  enum class LerpOrder : std::uint8_t { kXyz, kYxz };
  /// Interpolated nodes are read from corners from now on (null: evaluated in place). `fx`, `fz`: position in the
  /// cell, 0 to 1; lane i lies at corner `corner_y[i]` + `fy[i]`. Values of other nodes stay known.
  void set_cells(const CellCorners* corners, std::int32_t corner_x, std::int32_t corner_z, double fx, double fz,
                 const std::int32_t* corner_y, const double* fy, LerpOrder order);

  /// Values of the lanes whose bit is set in `mask`; other lanes hold anything.
  const double* lanes(NodeId id, std::uint64_t mask);
  const double* lanes(NodeId id) { return lanes(id, all_); }
  /// The value of the first lane.
  double value(NodeId id);

 private:
  double flat_value(NodeId id);
  void compute(NodeId id, std::uint64_t mask);
  float spline(std::int32_t index, std::int32_t lane);
  float spline_coordinate(NodeId id, std::int32_t lane);
  double top_surface(const DensityNode& node);
  double* buffer(NodeId id) { return values_.data() + static_cast<std::size_t>(id) * kLanes; }

  const DensityProgram* program_;
  FlatColumns* flats_;
  std::unique_ptr<DensityEvaluator> surface_;  ///< steps down in y for kTopSurface
  std::vector<double> values_;
  std::vector<std::uint64_t> done_;
  std::int32_t x_ = 0, z_ = 0, n_ = 0;
  std::array<std::int32_t, kLanes> y_{};
  std::uint64_t all_ = 0;
  FlatWindow window_;
  const CellCorners* corners_ = nullptr;
  std::int32_t corner_x_ = 0, corner_z_ = 0;
  double fx_ = 0, fz_ = 0;
  const std::int32_t* corner_y_ = nullptr;
  const double* fy_ = nullptr;
  LerpOrder order_ = LerpOrder::kXyz;
};

/// Values of the flat caches, and the preliminary surface, by quart column, kept across chunks in a table of fixed size
/// (neighbouring chunks ask for the same columns). Belongs to one thread.
class FlatColumns {
 public:
  explicit FlatColumns(const DensityProgram& program);
  /// The flat node with this slot at the corner of a quart column.
  double get(std::int32_t slot, std::int32_t quart_x, std::int32_t quart_z);
  /// The game's preliminary surface level at the corner of the quart column.
  std::int32_t preliminary_surface(std::int32_t quart_x, std::int32_t quart_z);

 private:
  struct Entry {
    std::int32_t quart_x = INT32_MIN, quart_z = INT32_MIN;
    std::uint32_t known = 0;
  };
  struct SurfaceEntry {
    std::int32_t quart_x = INT32_MIN, quart_z = INT32_MIN, level = 0;
  };
  static constexpr std::size_t kEntries = 4096;
  static constexpr std::size_t kSurfaceEntries = 16384;

  const DensityProgram* program_;
  DensityEvaluator inner_;
  std::int32_t inner_x_ = INT32_MIN, inner_z_ = INT32_MIN;
  DensityEvaluator surface_;
  std::vector<Entry> entries_;
  std::vector<double> values_;
  std::vector<SurfaceEntry> surfaces_;
};

}  // namespace horizon::worldgen
