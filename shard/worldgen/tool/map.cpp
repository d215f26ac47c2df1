#include "shard/worldgen/tool/map.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "shard/worldgen/terrain/math.hpp"
#include "shard/worldgen/tool/progress.hpp"

namespace horizon::worldgen {

namespace {

using Colour = std::uint32_t;  ///< 0xRRGGBB

constexpr std::size_t kBytesPerPixel = 3;

// --- Colours -------------------------------------------------------------

constexpr Colour kUnknown = 0xff00ff, kVoid = 0x101018, kDeepWater = 0x122a66, kShallowWater = 0x3f76e4;
/// From this depth on water gets no darker.
constexpr std::int32_t kDarkDepth = 24;

constexpr auto kBiomeColours = std::to_array<std::pair<std::string_view, Colour>>({
    {"badlands", 0xd94515},
    {"bamboo_jungle", 0x768e14},
    {"basalt_deltas", 0x403636},
    {"beach", 0xfade55},
    {"birch_forest", 0x307444},
    {"cherry_grove", 0xf4a6c8},
    {"cold_ocean", 0x202070},
    {"crimson_forest", 0xdd0808},
    {"dark_forest", 0x40511a},
    {"deep_cold_ocean", 0x202038},
    {"deep_dark", 0x0f252f},
    {"deep_frozen_ocean", 0x404090},
    {"deep_lukewarm_ocean", 0x000040},
    {"deep_ocean", 0x000030},
    {"desert", 0xfa9418},
    {"dripstone_caves", 0x866043},
    {"end_barrens", 0x8f8f6a},
    {"end_highlands", 0xb5b870},
    {"end_midlands", 0xc9c78b},
    {"eroded_badlands", 0xff6d3d},
    {"flower_forest", 0x2d8e49},
    {"forest", 0x056621},
    {"frozen_ocean", 0x7070d6},
    {"frozen_peaks", 0xb0b3ce},
    {"frozen_river", 0xa0a0ff},
    {"grove", 0x47726c},
    {"ice_spikes", 0xb4dcdc},
    {"jagged_peaks", 0xdcdcc8},
    {"jungle", 0x537b09},
    {"lukewarm_ocean", 0x000090},
    {"lush_caves", 0x7ba331},
    {"mangrove_swamp", 0x2ccc8e},
    {"meadow", 0x60a445},
    {"mushroom_fields", 0xc45ad6},
    {"nether_wastes", 0xbf3b3b},
    {"ocean", 0x000070},
    {"old_growth_birch_forest", 0x589c6c},
    {"old_growth_pine_taiga", 0x596651},
    {"old_growth_spruce_taiga", 0x818e79},
    {"pale_garden", 0xb9b9a5},
    {"plains", 0x8db360},
    {"river", 0x2f4fe0},
    {"savanna", 0xbdb25f},
    {"savanna_plateau", 0xa79d64},
    {"small_end_islands", 0x4b4b5c},
    {"snowy_beach", 0xfaf0c0},
    {"snowy_plains", 0xf2f5f7},
    {"snowy_slopes", 0xc4c4c4},
    {"snowy_taiga", 0x31554a},
    {"soul_sand_valley", 0x5e3830},
    {"sparse_jungle", 0x628b17},
    {"stony_peaks", 0x7b8f74},
    {"stony_shore", 0xa2a284},
    {"sunflower_plains", 0xb5db88},
    {"swamp", 0x07f9b2},
    {"taiga", 0x0b6659},
    {"the_end", 0xdfdc98},
    {"the_void", 0x000000},
    {"warm_ocean", 0x0000ac},
    {"warped_forest", 0x49907b},
    {"windswept_forest", 0x5b7352},
    {"windswept_gravelly_hills", 0x888888},
    {"windswept_hills", 0x606060},
    {"windswept_savanna", 0xe5da87},
    {"wooded_badlands", 0xb09765},
});

constexpr auto kBlockColours = std::to_array<std::pair<std::string_view, Colour>>({
    {"acacia_leaves", 0x7f9a2c},
    {"amethyst_block", 0x8a66c4},
    {"ancient_debris", 0x5f4038},
    {"andesite", 0x8a8a8d},
    {"azalea_leaves", 0x6a8a2e},
    {"bamboo", 0x6f9a2a},
    {"barrel", 0x86643b},
    {"basalt", 0x4c4c50},
    {"bedrock", 0x565656},
    {"birch_leaves", 0x80a755},
    {"black_terracotta", 0x251610},
    {"blackstone", 0x2b252d},
    {"blue_ice", 0x74a8fd},
    {"blue_terracotta", 0x4a3b5b},
    {"bone_block", 0xd6d2b4},
    {"brain_coral_block", 0xcf5b9f},
    {"bricks", 0x976253},
    {"brown_mushroom_block", 0x957050},
    {"brown_terracotta", 0x4d3323},
    {"bubble_coral_block", 0xa51aa2},
    {"bubble_column", kShallowWater},
    {"cactus", 0x5b8a2f},
    {"calcite", 0xdfe0dc},
    {"campfire", 0xb0793a},
    {"cherry_leaves", 0xf0aed2},
    {"chiseled_stone_bricks", 0x787778},
    {"chorus_flower", 0xa07fa0},
    {"chorus_plant", 0x654065},
    {"clay", 0xa0a6b3},
    {"coarse_dirt", 0x775539},
    {"cobbled_deepslate", 0x4d4d50},
    {"cobblestone", 0x7f7f7f},
    {"cobweb", 0xe4e9ea},
    {"crimson_nylium", 0x831f1f},
    {"cut_sandstone", 0xd9ce9f},
    {"cyan_terracotta", 0x575c5c},
    {"dark_oak_leaves", 0x4a7a24},
    {"dark_prismarine", 0x335b4b},
    {"deepslate", 0x505053},
    {"diorite", 0xbcbcbc},
    {"dirt", 0x866043},
    {"dirt_path", 0x947a41},
    {"dripstone_block", 0x866b5c},
    {"end_gateway", 0x0b0b14},
    {"end_portal", 0x0b0b14},
    {"end_stone", 0xdbde9e},
    {"end_stone_bricks", 0xdae0a2},
    {"farmland", 0x6e4a2e},
    {"fire_coral_block", 0xa3232f},
    {"flowering_azalea_leaves", 0x87823f},
    {"glowstone", 0xd8b46f},
    {"granite", 0x956755},
    {"grass_block", 0x7cbd4e},
    {"gravel", 0x83807e},
    {"gray_terracotta", 0x392a23},
    {"green_terracotta", 0x4c532a},
    {"hay_block", 0xb39a1d},
    {"honeycomb_block", 0xe59411},
    {"horn_coral_block", 0xd8c742},
    {"ice", 0x91b7fd},
    {"jungle_leaves", 0x30bb0b},
    {"kelp", kShallowWater},
    {"kelp_plant", kShallowWater},
    {"lava", 0xe05a10},
    {"light_blue_terracotta", 0x716d8a},
    {"light_gray_terracotta", 0x876b62},
    {"lily_pad", 0x208030},
    {"lime_terracotta", 0x687635},
    {"magenta_terracotta", 0x96586d},
    {"magma_block", 0x9a4a20},
    {"mangrove_leaves", 0x68a03a},
    {"mangrove_roots", 0x4a3b26},
    {"melon", 0x71931f},
    {"moss_block", 0x596d2d},
    {"moss_carpet", 0x596d2d},
    {"mossy_cobblestone", 0x6e775f},
    {"mud", 0x3c393d},
    {"muddy_mangrove_roots", 0x443b30},
    {"mushroom_stem", 0xcbc4b9},
    {"mycelium", 0x6f6265},
    {"nether_bricks", 0x2c151a},
    {"nether_gold_ore", 0x73372a},
    {"nether_quartz_ore", 0x75413e},
    {"nether_wart_block", 0x730302},
    {"netherrack", 0x622626},
    {"oak_leaves", 0x59ae30},
    {"obsidian", 0x0f0a18},
    {"orange_terracotta", 0xa25426},
    {"packed_ice", 0x8db4fa},
    {"packed_mud", 0x8e6a50},
    {"pale_moss_block", 0x6b706a},
    {"pale_moss_carpet", 0x6b706a},
    {"pale_oak_leaves", 0x747a72},
    {"pink_terracotta", 0xa24e4f},
    {"podzol", 0x5b3f18},
    {"polished_blackstone_bricks", 0x302b32},
    {"powder_snow", 0xf8fdfd},
    {"prismarine", 0x639c97},
    {"pumpkin", 0xc67718},
    {"purple_terracotta", 0x764656},
    {"purpur_block", 0xaa7eaa},
    {"red_mushroom_block", 0xc92f2d},
    {"red_sand", 0xbe6621},
    {"red_sandstone", 0xba631d},
    {"red_terracotta", 0x8f3d2f},
    {"rooted_dirt", 0x90684d},
    {"sand", 0xdbd3a0},
    {"sandstone", 0xd8cb9b},
    {"sculk", 0x0d1e24},
    {"shroomlight", 0xf19346},
    {"smooth_basalt", 0x48484e},
    {"snow", 0xf9fefe},
    {"snow_block", 0xf9fefe},
    {"soul_sand", 0x513e33},
    {"soul_soil", 0x4c3a2f},
    {"spruce_leaves", 0x3f6e42},
    {"stone", 0x7e7e7e},
    {"terracotta", 0x985e44},
    {"tube_coral_block", 0x3157cf},
    {"tuff", 0x6c6d67},
    {"warped_nylium", 0x2b7265},
    {"warped_wart_block", 0x177879},
    {"water", kShallowWater},
    {"white_terracotta", 0xd1b2a1},
});

/// Blocks that are not in the table; also their stairs, slabs and the like.
constexpr auto kPartColours = std::to_array<std::pair<std::string_view, Colour>>({
    {"oak_log", 0x6d5533},        {"stripped_", 0xb09056},   {"_log", 0x5e4a2e},      {"_wood", 0x5e4a2e},
    {"_stem", 0x5c2f3c},          {"_hyphae", 0x5c2f3c},     {"oak_", 0xa2824e},      {"spruce_", 0x725430},
    {"birch_", 0xc0af79},         {"jungle_", 0xa07350},     {"acacia_", 0xa85a32},   {"cherry_", 0xe2b2ac},
    {"mangrove_", 0x753630},      {"bamboo_", 0xc1ad50},     {"deepslate", 0x505053}, {"sandstone", 0xd8cb9b},
    {"stone_brick", 0x7a797a},    {"cobblestone", 0x7f7f7f}, {"prismarine", 0x639c97}, {"purpur", 0xaa7eaa},
    {"nether_brick", 0x2c151a},   {"blackstone", 0x2b252d},
});
constexpr Colour kOtherLeaves = 0x59ae30, kOtherBlock = 0x7e7e7e;
/// Glass and the like: what lies below shows.
constexpr std::array<std::string_view, 4> kClear = {"glass", "barrier", "iron_bars", "chain"};

template <std::size_t N>
std::optional<Colour> find_colour(const std::array<std::pair<std::string_view, Colour>, N>& table,
                                  std::string_view name) {
  const auto it = std::ranges::find(table, name, [](const auto& entry) { return entry.first; });
  if (it == table.end()) return std::nullopt;
  return it->second;
}

/// The colour of a block from above; none for what one looks through: air, glass, small plants.
std::optional<Colour> colour_of(BlockId block) {
  const std::string_view name = without_minecraft(game::block_name(block));
  if (const auto colour = find_colour(kBlockColours, name)) return colour;
  const auto has_part = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  const BlockState s = game::default_state(block);
  if (is_air(s) || std::ranges::any_of(kClear, has_part)) return std::nullopt;
  if (fluid(s) == Fluid::kWater && !blocks_motion(s)) return kShallowWater;
  if (!blocks_motion(s)) return std::nullopt;
  if (name.ends_with("_leaves")) return kOtherLeaves;
  const auto part = std::ranges::find_if(kPartColours, has_part, [](const auto& entry) { return entry.first; });
  return part == kPartColours.end() ? kOtherBlock : part->second;
}

std::vector<std::optional<Colour>> block_colours() {
  std::vector<std::optional<Colour>> colours;
  for (std::int32_t b = 0; b < game::block_count(); ++b) colours.push_back(colour_of(static_cast<BlockId>(b)));
  return colours;
}

/// Each channel through `change(value, channel's shift)`.
template <typename Change>
Colour each_channel(Colour colour, Change&& change) {
  Colour result = 0;
  for (const int shift : {0, 8, 16}) {
    const double value = change(static_cast<double>(colour >> shift & 0xff), shift);
    result |= static_cast<Colour>(std::clamp(value, 0.0, 255.0)) << shift;
  }
  return result;
}
Colour mix(Colour from, Colour to, double part) {
  return each_channel(from, [&](double v, int shift) { return lerp(part, v, static_cast<double>(to >> shift & 0xff)); });
}

// --- The picture ---------------------------------------------------------

class Picture {
 public:
  explicit Picture(std::int32_t size)
      : size_(size),
        bytes_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * kBytesPerPixel) {}

  /// Different pixels may be set by different threads at once.
  void set(std::int32_t x, std::int32_t y, Colour colour) {
    std::uint8_t* const pixel = bytes_.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(size_) +
                                                 static_cast<std::size_t>(x)) *
                                                    kBytesPerPixel;
    pixel[0] = static_cast<std::uint8_t>(colour >> 16);
    pixel[1] = static_cast<std::uint8_t>(colour >> 8);
    pixel[2] = static_cast<std::uint8_t>(colour);
  }

  /// Throws std::runtime_error.
  void write(const std::string& path) const {
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = image.height = static_cast<png_uint_32>(size_);
    image.format = PNG_FORMAT_RGB;
    if (png_image_write_to_file(&image, path.c_str(), 0, bytes_.data(), 0, nullptr) == 0) {
      throw std::runtime_error(path + ": cannot be written: " + image.message);
    }
  }

 private:
  std::int32_t size_;
  std::vector<std::uint8_t> bytes_;
};

/// From pixels to blocks: the north-western block of a pixel.
struct Frame {
  std::int32_t west, north, scale;

  explicit Frame(const MapOptions& o)
      : west(o.center_x - o.size / 2 * o.scale), north(o.center_z - o.size / 2 * o.scale), scale(o.scale) {}
  std::int32_t x(std::int32_t column) const { return west + column * scale; }
  std::int32_t z(std::int32_t row) const { return north + row * scale; }
};

// --- Biomes --------------------------------------------------------------

void draw_biomes(const MapOptions& options, const Dimension& dimension, Picture& picture) {
  std::vector<Colour> colours;
  for (const BiomeId biome : dimension.biome_source().possible()) {
    colours.resize(std::max<std::size_t>(colours.size(), biome + std::size_t{1}), kUnknown);
    colours[biome] = find_colour(kBiomeColours, biome_path(biome)).value_or(kUnknown);
  }
  const Frame frame(options);
  const std::int32_t quart_y = options.height.value_or(dimension.heights().max_y()) >> 2;
  Progress progress("rows", static_cast<std::uint64_t>(options.size));
  std::atomic<std::int32_t> next = 0;
  run_parallel(options.threads, [&] {
    FlatColumns flats(dimension.program());
    BiomeSource::Sampler sampler(dimension.biome_source(), dimension.program(), flats);
    for (std::int32_t row = next++; row < options.size; row = next++) {
      std::int32_t last_quart_x = INT32_MIN;
      Colour colour = kUnknown;
      for (std::int32_t column = 0; column < options.size; ++column) {
        const std::int32_t quart_x = frame.x(column) >> 2;
        if (quart_x != last_quart_x) colour = colours[sampler.at(quart_x, quart_y, frame.z(row) >> 2)];
        last_quart_x = quart_x;
        picture.set(column, row, colour);
      }
      progress.add();
    }
  });
}

// --- Surface -------------------------------------------------------------

/// What is seen of a column of blocks.
struct Top {
  Colour colour = kVoid;
  std::int32_t y = INT32_MIN;     ///< of the ground or of the water's surface; INT32_MIN: nothing
  std::int32_t water_depth = 0;
};

/// Begins below the nether's ceiling.
constexpr std::int32_t kBelowCeiling = 118;

Top look_down(const ProtoChunk& chunk, std::int32_t x, std::int32_t z, bool has_ceiling,
              const std::vector<std::optional<Colour>>& colours) {
  const std::int32_t min_y = chunk.heights().min_y;
  const auto colour_at = [&](std::int32_t y) { return colours[game::block_of(chunk.get(x, y, z))]; };
  std::int32_t y = chunk.heights().max_y();
  if (has_ceiling) {
    y = kBelowCeiling;
    while (y > min_y && colour_at(y)) --y;
  }
  while (y >= min_y && !colour_at(y)) --y;
  if (y < min_y) return {};
  Top top{*colour_at(y), y, 0};
  while (y >= min_y && fluid(chunk.get(x, y, z)) == Fluid::kWater && !blocks_motion(chunk.get(x, y, z))) {
    ++top.water_depth;
    --y;
  }
  return top;
}

/// As the game's maps: three shades by whether the ground rises from the north.
Colour shade(const Top& top, const Top& north) {
  constexpr double kFlat = 220.0 / 255.0, kFalling = 180.0 / 255.0;
  if (top.y == INT32_MIN) return top.colour;
  if (top.water_depth > 0) {
    const double part = std::min(1.0, static_cast<double>(top.water_depth) / static_cast<double>(kDarkDepth));
    return mix(top.colour, kDeepWater, part);
  }
  if (north.y == INT32_MIN || top.y > north.y) return top.colour;
  const double factor = top.y == north.y ? kFlat : kFalling;
  return each_channel(top.colour, [&](double v, int) { return v * factor; });
}

void draw_surface(const MapOptions& options, const Dimension& dimension, Picture& picture) {
  const Frame frame(options);
  const std::vector<std::optional<Colour>> colours = block_colours();
  const bool has_ceiling = options.world.dimension == DimensionId::kNether;
  // One row more in the north, which the first row's shades need.
  const std::int32_t first_row = -1;
  std::vector<Top> tops(static_cast<std::size_t>(options.size) * static_cast<std::size_t>(options.size + 1));
  const auto top_at = [&](std::int32_t column, std::int32_t row) -> Top& {
    return tops[static_cast<std::size_t>(row - first_row) * static_cast<std::size_t>(options.size) +
                static_cast<std::size_t>(column)];
  };
  // The pixels of a chunk: those whose block lies in it.
  const auto first_pixel = [&](std::int32_t block, std::int32_t edge) {
    return -floor_div(-(block - edge), options.scale);
  };
  const ChunkWatcher watch = [&](const ProtoChunk& chunk, Stage stage) {
    if (stage != options.stage) return;
    const std::int32_t x = chunk.pos().x * 16, z = chunk.pos().z * 16;
    const std::int32_t columns_end = std::min(options.size, first_pixel(x + 16, frame.west));
    const std::int32_t rows_end = std::min(options.size, first_pixel(z + 16, frame.north));
    for (std::int32_t row = std::max(first_row, first_pixel(z, frame.north)); row < rows_end; ++row) {
      for (std::int32_t column = std::max(0, first_pixel(x, frame.west)); column < columns_end; ++column) {
        top_at(column, row) = look_down(chunk, frame.x(column), frame.z(row), has_ceiling, colours);
      }
    }
  };
  const ChunkBounds bounds{frame.x(0) >> 4, frame.z(first_row) >> 4, frame.x(options.size - 1) >> 4,
                           frame.z(options.size - 1) >> 4};
  if (options.stage == Stage::kFeatures) {
    Progress progress("chunks", bounds.count());
    DecoratedArea(dimension, bounds, watch, &progress).run(options.threads);
  } else {
    // Only chunks that have a pixel.
    std::vector<ChunkPos> chunks;
    for (std::int32_t x = bounds.min_x; x <= bounds.max_x; ++x) {
      for (std::int32_t z = bounds.min_z; z <= bounds.max_z; ++z) {
        const bool has_pixel = first_pixel(x * 16, frame.west) < first_pixel(x * 16 + 16, frame.west) &&
                               first_pixel(z * 16, frame.north) < first_pixel(z * 16 + 16, frame.north);
        if (has_pixel) chunks.push_back({x, z});
      }
    }
    Progress progress("chunks", chunks.size());
    make_chunks(dimension, chunks, options.stage, options.threads, watch, &progress);
  }
  for (std::int32_t row = 0; row < options.size; ++row) {
    for (std::int32_t column = 0; column < options.size; ++column) {
      picture.set(column, row, shade(top_at(column, row), top_at(column, row - 1)));
    }
  }
}

}  // namespace

int run_map(const MapOptions& options) {
  WorldData data(options.vanilla_data);
  WorldOptions world = options.world;
  if (options.kind == MapOptions::Kind::kBiomes) world.has_structures = false;
  const auto dimension = data.open(world);
  Picture picture(options.size);
  if (options.kind == MapOptions::Kind::kBiomes) {
    draw_biomes(options, *dimension, picture);
  } else {
    draw_surface(options, *dimension, picture);
  }
  picture.write(options.output);
  return 0;
}

}  // namespace horizon::worldgen
