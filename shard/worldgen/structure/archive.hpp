#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"

namespace horizon::worldgen {

/// Named files from one place: a folder, a zip (jar) or a tar.gz. Immutable; safe from any thread.
class Archive {
 public:
  virtual ~Archive() = default;
  /// Paths with "/" between names, in no order.
  virtual std::vector<std::string> list() const = 0;
  /// An error names the path.
  virtual Result<std::vector<std::uint8_t>> read(const std::string& path) const = 0;
};

/// The kind is told from the content. At most kMaxFiles entries; no file may unpack to more than
/// kMaxFileBytes.
Result<std::shared_ptr<const Archive>> open_archive(const std::string& path);
/// A zip in memory.
Result<std::shared_ptr<const Archive>> open_zip(std::vector<std::uint8_t> bytes, const std::string& name);
/// Inflates gzip data; data that is not gzip comes back as it is.
Result<std::vector<std::uint8_t>> gunzip(std::span<const std::uint8_t> bytes, const std::string& name);

inline constexpr std::size_t kMaxArchiveFiles = 100'000;
inline constexpr std::size_t kMaxArchiveFileBytes = std::size_t{256} << 20;

}  // namespace horizon::worldgen
