#include "shard/worldgen/flat.hpp"

#include <array>

#include "common/base/result.hpp"
#include "common/game/game.hpp"

namespace horizon::shard {

FlatGenerator::FlatGenerator() : pattern_(ChunkPos{}) {
  constexpr std::array<std::string_view, kLayers> kNames{"minecraft:bedrock", "minecraft:dirt",
                                                         "minecraft:dirt", "minecraft:grass_block"};
  const auto plains = game::find_registry_entry("minecraft:worldgen/biome", "minecraft:plains");
  HZ_CHECK(plains.has_value());
  for (std::int32_t i = 0; i < kSections; ++i) {
    pattern_.writable_section(i).biomes.fill(static_cast<std::uint16_t>(*plains));
  }
  for (std::int32_t layer = 0; layer < kLayers; ++layer) {
    const BlockState state = game::default_state(*game::find_block(kNames[static_cast<std::size_t>(layer)]));
    for (std::int32_t column = 0; column < 256; ++column) {
      pattern_.set_block(column & 15, kMinY + layer, column >> 4, state);
    }
  }
}

world::Chunk FlatGenerator::generate(ChunkPos pos) const { return pattern_.at(pos); }

}  // namespace horizon::shard
