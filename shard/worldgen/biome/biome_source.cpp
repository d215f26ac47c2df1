#include "shard/worldgen/biome/biome_source.hpp"

#include <algorithm>

namespace horizon::worldgen {

namespace {

/// The points of an inline multi_noise source in the packed form.
Json pack_inline(const Json& list) {
  constexpr std::array kAxes = {"temperature", "humidity", "continentalness", "erosion", "depth", "weirdness"};
  Json biomes = Json::array(), points = Json::array();
  for (const Json& entry : list) {
    const Json& parameters = field(entry, "parameters");
    Json row = Json::array({biomes.size()});
    biomes.push_back(text(entry, "biome"));
    for (const char* axis : kAxes) {
      const Json& range = field(parameters, axis);
      const bool is_range = range.is_array() && range.size() == 2;
      if (!is_range && !range.is_number()) throw FigureError(std::string("\"") + axis + "\" must be a number or a range");
      row.push_back(quantise_climate((is_range ? range[0] : range).get<double>()));
      row.push_back(quantise_climate((is_range ? range[1] : range).get<double>()));
    }
    row.push_back(quantise_climate(number(parameters, "offset")));
    points.push_back(std::move(row));
  }
  return {{"biomes", std::move(biomes)}, {"points", std::move(points)}};
}

}  // namespace

BiomeSource::BiomeSource(const Figures& figures, const Json& definition) {
  const std::string_view type = type_of(definition);
  if (type == "fixed") {
    possible_ = {biome_id(text(definition, "biome"))};
  } else if (type == "the_end") {
    kind_ = Kind::kEnd;
    for (const char* name : {"the_end", "end_highlands", "end_midlands", "small_end_islands", "end_barrens"}) {
      possible_.push_back(biome_id(name));
    }
  } else if (type == "multi_noise") {
    kind_ = Kind::kMultiNoise;
    const auto preset = definition.find("preset");
    index_ = std::make_unique<MultiNoiseIndex>(preset != definition.end()
                                                   ? figures.get("biome_points", preset->get<std::string>())
                                                   : pack_inline(field(definition, "biomes")));
    possible_ = index_->possible_biomes();
  } else {
    throw FigureError("unknown biome source type \"" + std::string(type) + "\"");
  }
}

BiomeSource::Sampler::Sampler(const BiomeSource& source, const DensityProgram& program, FlatColumns& flats)
    : source_(&source), program_(&program), evaluator_(program, &flats) {}

Climate BiomeSource::Sampler::begin_column(std::int32_t quart_x, std::int32_t quart_z, const std::int32_t* y,
                                           std::int32_t n) {
  const DensityProgram::Router& r = program_->router();
  evaluator_.at(quart_x * 4, quart_z * 4, y, n, {});
  return {quantise_climate(evaluator_.value(r.temperature)),
          quantise_climate(evaluator_.value(r.vegetation)),
          quantise_climate(evaluator_.value(r.continents)),
          quantise_climate(evaluator_.value(r.erosion)),
          0,
          quantise_climate(evaluator_.value(r.ridges))};
}

Climate BiomeSource::Sampler::climate(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) {
  const std::int32_t y = quart_y * 4;
  Climate climate = begin_column(quart_x, quart_z, &y, 1);
  climate[4] = quantise_climate(evaluator_.value(program_->router().depth));
  return climate;
}

BiomeId BiomeSource::Sampler::end_biome(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) {
  const std::int64_t chunk_x = quart_x >> 2, chunk_z = quart_z >> 2;
  if (chunk_x * chunk_x + chunk_z * chunk_z <= 4096) return source_->possible_[0];
  const auto x = static_cast<std::int32_t>((chunk_x * 2 + 1) * 8), z = static_cast<std::int32_t>((chunk_z * 2 + 1) * 8);
  evaluator_.at(x, quart_y * 4, z, {});
  const double height = evaluator_.value(program_->router().erosion);
  if (height > 0.25) return source_->possible_[1];
  if (height >= -0.0625) return source_->possible_[2];
  return source_->possible_[height < -0.21875 ? 3 : 4];
}

BiomeId BiomeSource::Sampler::at(std::int32_t quart_x, std::int32_t quart_y, std::int32_t quart_z) {
  if (source_->kind_ == Kind::kFixed) return source_->possible_[0];
  if (source_->kind_ == Kind::kEnd) return end_biome(quart_x, quart_y, quart_z);
  const MultiNoiseIndex& index = *source_->index_;
  return index.biome(index.find(climate(quart_x, quart_y, quart_z), MultiNoiseIndex::kNone));
}

void BiomeSource::Sampler::fill(ChunkPos chunk, Heights heights, std::vector<BiomeId>& biomes) {
  const std::int32_t quarts_y = heights.height / 4, min_quart_y = heights.min_y >> 2;
  biomes.resize(static_cast<std::size_t>(quarts_y) * 16);
  if (source_->kind_ == Kind::kFixed) {
    std::ranges::fill(biomes, source_->possible_[0]);
    return;
  }
  const auto cell = [](std::int32_t x, std::int32_t y, std::int32_t z) {
    return static_cast<std::size_t>(y << 4 | z << 2 | x);
  };
  if (source_->kind_ == Kind::kEnd) {
    // The end's biomes do not change with y within what the evaluation reads.
    const BiomeId biome = end_biome(chunk.x * 4, min_quart_y, chunk.z * 4);
    std::ranges::fill(biomes, biome);
    return;
  }
  columns_.resize(16);
  depths_.resize(static_cast<std::size_t>(quarts_y) * 16);
  std::array<std::int32_t, kLanes> y;
  for (std::int32_t z = 0; z < 4; ++z) {
    for (std::int32_t x = 0; x < 4; ++x) {
      for (std::int32_t from = 0; from < quarts_y; from += kLanes) {
        const std::int32_t n = std::min(kLanes, quarts_y - from);
        for (std::int32_t i = 0; i < n; ++i) y[static_cast<std::size_t>(i)] = (min_quart_y + from + i) * 4;
        columns_[static_cast<std::size_t>(z * 4 + x)] = begin_column(chunk.x * 4 + x, chunk.z * 4 + z, y.data(), n);
        const double* const depth = evaluator_.lanes(program_->router().depth);
        for (std::int32_t i = 0; i < n; ++i) depths_[cell(x, from + i, z)] = quantise_climate(depth[i]);
      }
    }
  }
  // Section by section, then x, y, z: a tie between biomes goes by the look-up before.
  const MultiNoiseIndex& index = *source_->index_;
  std::int32_t last = MultiNoiseIndex::kNone;
  for (std::int32_t section = 0; section < quarts_y; section += 4) {
    for (std::int32_t x = 0; x < 4; ++x) {
      for (std::int32_t qy = section; qy < section + 4; ++qy) {
        for (std::int32_t z = 0; z < 4; ++z) {
          Climate climate = columns_[static_cast<std::size_t>(z * 4 + x)];
          climate[4] = depths_[cell(x, qy, z)];
          last = index.find(climate, last);
          biomes[cell(x, qy, z)] = index.biome(last);
        }
      }
    }
  }
}

}  // namespace horizon::worldgen
