#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "shard/worldgen/biome/multi_noise.hpp"
#include "shard/worldgen/terrain/density.hpp"

namespace horizon::worldgen {

/// Which biome is where, in quart cells: multi_noise, the_end or fixed, as a data pack's biome_source says. Immutable.
class BiomeSource {
 public:
  /// Throws FigureError.
  BiomeSource(const Figures& figures, const Json& definition);
  /// Distinct biomes in the source's own order.
  const std::vector<BiomeId>& possible() const { return possible_; }

  /// Per-worker state of look-ups.
  class Sampler {
   public:
    Sampler(const BiomeSource& source, const DensityProgram& program, FlatColumns& flats);
    /// One cell, as the game's source answers on its own (no look-up before it).
    BiomeId at(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z);
    /// The climate of one cell.
    Climate climate(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z);
    /// All cells of a chunk in the form of ProtoChunk::biomes(), looked up in the game's order.
    void fill(ChunkPos chunk, Heights heights, std::vector<BiomeId>& biomes);

   private:
    /// Evaluates what does not depend on y at a quart column.
    Climate begin_column(std::int32_t quart_x, std::int32_t quart_z, const std::int32_t* y, std::int32_t n);
    BiomeId end_biome(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z);

    const BiomeSource* source_;
    const DensityProgram* program_;
    DensityEvaluator evaluator_;
    std::vector<Climate> columns_;
    std::vector<std::int32_t> depths_;
  };

 private:
  enum class Kind : std::uint8_t { kFixed, kMultiNoise, kEnd } kind_ = Kind::kFixed;
  std::vector<BiomeId> possible_;
  std::unique_ptr<MultiNoiseIndex> index_;
};

}  // namespace horizon::worldgen
