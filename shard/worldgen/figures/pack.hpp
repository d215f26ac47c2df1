#pragma once

#include <string>

#include "common/base/result.hpp"

namespace horizon::worldgen {

/// Writes the table that the program carries (figures_26_1.bin) from a data pack's worldgen definitions.
///
/// Form: the unpacked size (32 bits, little-endian), then raw deflate of one MessagePack map
/// registry -> name -> definition. The definitions are those of the data pack format, but for
/// - "biome_points" (multi-noise parameters): {"biomes": [name], "points": [[biome, t0, t1, h0, h1, c0, c1, e0, e1,
///   d0, d1, w0, w1, offset]]}, quantised by 10,000;
/// - "tag_biome": name -> list of biomes, tags in tags resolved.
/// `worldgen` holds one JSON (or .json.gz) file a registry, name -> definition; `tags` is one such file of all tags.
Result<void> pack_figures(const std::string& worldgen, const std::string& tags, const std::string& output);

/// A file's bytes, inflated when it is gzip. Limited to 256 MiB.
Result<std::string> read_maybe_gzip(const std::string& path);

}  // namespace horizon::worldgen
