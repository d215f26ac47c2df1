#include "shard/worldgen/generator.hpp"

#include "shard/worldgen/flat.hpp"
#include "shard/worldgen/normal.hpp"

namespace horizon::shard {

std::unique_ptr<ChunkGenerator> make_generator(LevelType type, std::int64_t seed) {
  if (type == LevelType::kFlat) return std::make_unique<FlatGenerator>();
  return std::make_unique<NormalGenerator>(seed);
}

}  // namespace horizon::shard
