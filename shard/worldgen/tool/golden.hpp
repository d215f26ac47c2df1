#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/result.hpp"
#include "shard/worldgen/base/figures.hpp"
#include "shard/worldgen/base/proto_chunk.hpp"

namespace horizon::worldgen {

// --- Digests -------------------------------------------------------------

class Md5 {
 public:
  Md5();
  ~Md5();
  Md5(const Md5&) = delete;
  Md5& operator=(const Md5&) = delete;
  void update(std::span<const std::uint8_t> bytes);
  void update(std::string_view text);
  /// Lower case. Ends the digest.
  std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// MD5 over the sections from the lowest up: a byte 0 for one of only air, else 4096 state ids of 32 bits, big-endian,
/// in the order y, z, x.
std::string block_digest(const ProtoChunk& chunk);
/// MD5 over the sections: their y as a byte, then the names of their 64 biomes in the order y, z, x.
std::string biome_digest(const ProtoChunk& chunk);

// --- Golden files --------------------------------------------------------

/// An MD5 for each stage of many chunks.
struct GoldenStages {
  std::string version;
  std::int64_t seed = 0;
  struct Chunk {
    ChunkPos pos;
    std::vector<std::pair<Stage, std::string>> digests;
  };
  struct Part {
    DimensionId dimension;
    std::vector<Chunk> chunks;
  };
  std::vector<Part> parts;
  std::vector<std::string> unknown_stages;
};

/// An MD5 of the biomes of many chunks.
struct GoldenBiomes {
  std::int64_t seed = 0;
  struct Part {
    DimensionId dimension;
    std::int32_t min_section = 0, max_section = 0;
    std::vector<std::pair<ChunkPos, std::string>> digests;
  };
  std::vector<Part> parts;
};

/// The blocks of one chunk.
struct GoldenBlocks {
  static constexpr std::string_view kOrder = "index = (x*height + (y-min_y))*16 + z";

  DimensionId dimension{};
  std::int64_t seed = 0;
  ChunkPos chunk;
  Stage stage{};
  Heights heights;
  bool has_structures = false;
  std::vector<BlockState> states;  ///< in kOrder
  std::vector<std::uint32_t> undecided;

  std::size_t index(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return static_cast<std::size_t>((x * heights.height + (y - heights.min_y)) * 16 + z);
  }
};

/// Climates of quart cells in the overworld of seed 0.
struct GoldenClimates {
  static constexpr std::int64_t kSeed = 0;
  std::vector<std::array<std::int64_t, 9>> rows;  ///< x, y, z, then the climate
};

/// Which quart cell a block's biome comes from, for world seed -777.
struct GoldenZoom {
  static constexpr std::int64_t kSeed = -777;
  std::vector<std::array<std::int32_t, 6>> rows;  ///< block, cell
};

/// Values of one function or noise at points.
struct GoldenSamples {
  struct Row {
    double x, y, z, value;
  };
  std::string name;
  std::vector<Row> rows;
};

struct GoldenDensity {
  DimensionId dimension{};
  std::int64_t seed = 0;
  std::vector<GoldenSamples> functions, router;
};

/// Values on the way to a world: random sources, noises and router entries.
struct GoldenDerived {
  struct Part {
    DimensionId dimension;
    std::int64_t seed;
    std::vector<GoldenSamples> samples;
  };
  /// Seed -> values of its random sources, as they stand in the file.
  Json random;
  Json position_seeds;
  std::vector<Part> noises, routers;
};

/// A file that names or explains and holds no value of the generator.
struct GoldenNothing {
  std::string what;
};

using Golden = std::variant<GoldenStages, GoldenBiomes, GoldenBlocks, GoldenClimates, GoldenZoom, GoldenDensity,
                            GoldenDerived, GoldenNothing>;

/// Tells the kind by the content. The error names the file and what is wrong with it.
Result<Golden> read_golden(const std::string& path);

/// "deepslate[axis=y]" and back: all properties are named, "minecraft:" is not.
std::string state_text(BlockState s);
/// Also "name#k", the k-th state of a block. Throws FigureError.
BlockState parse_golden_state(const std::string& text);

}  // namespace horizon::worldgen
