#include "shard/worldgen/structure/archive.hpp"

#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

namespace horizon::worldgen {

namespace fs = std::filesystem;

namespace {

Error malformed(const std::string& name, const std::string& what) {
  return {ErrorCode::kMalformed, name + ": " + what};
}

/// Inflates with zlib; `window_bits` as inflateInit2 has it.
Result<std::vector<std::uint8_t>> inflate_all(std::span<const std::uint8_t> bytes, int window_bits,
                                              const std::string& name) {
  z_stream stream{};
  if (inflateInit2(&stream, window_bits) != Z_OK)
    return Error{ErrorCode::kLimit, name + ": zlib has no memory"};
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::vector<std::uint8_t> out;
  std::vector<std::uint8_t> buffer(1 << 16);
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    stream.next_out = buffer.data();
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) return malformed(name, "broken compressed data");
    const std::size_t count = buffer.size() - stream.avail_out;
    if (count == 0 && status == Z_OK && stream.avail_in == 0)
      return malformed(name, "compressed data end too early");
    if (out.size() + count > kMaxArchiveFileBytes)
      return Error{ErrorCode::kLimit, name + ": unpacks to more than 256 MiB"};
    out.insert(out.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return out;
}

Result<std::vector<std::uint8_t>> read_file(const fs::path& path) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  if (failed) return Error{ErrorCode::kIo, path.string() + ": cannot be read: " + failed.message()};
  if (size > kMaxArchiveFileBytes) return Error{ErrorCode::kLimit, path.string() + ": larger than 256 MiB"};
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
  std::ifstream in(path, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!in) return Error{ErrorCode::kIo, path.string() + ": cannot be read"};
  return bytes;
}

class Folder : public Archive {
 public:
  explicit Folder(fs::path root) : root_(std::move(root)) {
    std::error_code failed;
    const auto options =
        fs::directory_options::skip_permission_denied | fs::directory_options::follow_directory_symlink;
    for (fs::recursive_directory_iterator it(root_, options, failed), end;
         it != end && files_.size() < kMaxArchiveFiles; it.increment(failed)) {
      if (failed) break;
      if (it->is_regular_file(failed))
        files_.push_back(it->path().lexically_relative(root_).generic_string());
    }
  }
  std::vector<std::string> list() const override { return files_; }
  Result<std::vector<std::uint8_t>> read(const std::string& path) const override {
    if (path.find("..") != std::string::npos)
      return Error{ErrorCode::kNotFound, path + ": leads out of the folder"};
    return read_file(root_ / path);
  }

 private:
  fs::path root_;
  std::vector<std::string> files_;
};

class Tar : public Archive {
 public:
  static Result<std::shared_ptr<const Archive>> open(std::vector<std::uint8_t> bytes,
                                                     const std::string& name) {
    constexpr std::size_t kBlock = 512;
    auto tar = std::make_shared<Tar>();
    tar->name_ = name;
    std::size_t at = 0;
    while (at + kBlock <= bytes.size() && bytes[at] != 0) {
      const auto* header = reinterpret_cast<const char*>(bytes.data() + at);
      const auto text = [](const char* from, std::size_t most) {
        return std::string(from, strnlen(from, most));
      };
      std::size_t size = 0;
      for (const char c : text(header + 124, 12)) {
        if (c >= '0' && c <= '7') size = size * 8 + static_cast<std::size_t>(c - '0');
      }
      if (size > bytes.size() || at + kBlock + size > bytes.size())
        return malformed(name, "a tar entry is cut off");
      const std::string prefix = text(header + 345, 155);
      const std::string path = (prefix.empty() ? "" : prefix + "/") + text(header, 100);
      const char type = header[156];
      if (type == '0' || type == 0) tar->entries_[path] = {at + kBlock, size};
      if (tar->entries_.size() > kMaxArchiveFiles)
        return Error{ErrorCode::kLimit, name + ": more than 100,000 files"};
      at += kBlock + (size + kBlock - 1) / kBlock * kBlock;
    }
    if (tar->entries_.empty()) return malformed(name, "no files in it");
    tar->bytes_ = std::move(bytes);
    return std::shared_ptr<const Archive>(std::move(tar));
  }
  std::vector<std::string> list() const override {
    std::vector<std::string> paths;
    for (const auto& entry : entries_) paths.push_back(entry.first);
    return paths;
  }
  Result<std::vector<std::uint8_t>> read(const std::string& path) const override {
    const auto it = entries_.find(path);
    if (it == entries_.end()) return Error{ErrorCode::kNotFound, name_ + ": has no " + path};
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(it->second.first);
    return std::vector<std::uint8_t>(begin, begin + static_cast<std::ptrdiff_t>(it->second.second));
  }

 private:
  std::string name_;
  std::vector<std::uint8_t> bytes_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> entries_;
};

/// Source of the format: PKWARE's APPNOTE, without zip64, encryption and multiple disks.
class Zip : public Archive {
 public:
  static Result<std::shared_ptr<const Archive>> open(std::vector<std::uint8_t> bytes,
                                                     const std::string& name) {
    constexpr std::size_t kEndSize = 22, kCentralSize = 46;
    const auto u16 = [&](std::size_t i) { return static_cast<std::uint32_t>(bytes[i] | bytes[i + 1] << 8); };
    const auto u32 = [&](std::size_t i) { return u16(i) | u16(i + 2) << 16; };
    if (bytes.size() < kEndSize) return malformed(name, "too short for a zip");
    std::size_t end = bytes.size() - kEndSize;
    while (u32(end) != 0x06054b50) {
      if (end == 0 || bytes.size() - end > kEndSize + 65535) return malformed(name, "no zip directory in it");
      --end;
    }
    auto zip = std::make_shared<Zip>();
    zip->name_ = name;
    std::size_t at = u32(end + 16);
    for (std::uint32_t i = 0; i < u16(end + 10); ++i) {
      if (at + kCentralSize > bytes.size() || u32(at) != 0x02014b50)
        return malformed(name, "broken zip directory");
      const std::size_t name_size = u16(at + 28), extra = u16(at + 30), comment = u16(at + 32);
      if (at + kCentralSize + name_size > bytes.size()) return malformed(name, "broken zip directory");
      zip->entries_[std::string(reinterpret_cast<const char*>(bytes.data() + at + kCentralSize), name_size)] =
          {u32(at + 42), u32(at + 20), u16(at + 10)};
      at += kCentralSize + name_size + extra + comment;
    }
    zip->bytes_ = std::move(bytes);
    return std::shared_ptr<const Archive>(std::move(zip));
  }
  std::vector<std::string> list() const override {
    std::vector<std::string> paths;
    for (const auto& entry : entries_) paths.push_back(entry.first);
    return paths;
  }
  Result<std::vector<std::uint8_t>> read(const std::string& path) const override {
    constexpr std::size_t kLocalSize = 30;
    const auto it = entries_.find(path);
    if (it == entries_.end()) return Error{ErrorCode::kNotFound, name_ + ": has no " + path};
    const Entry& e = it->second;
    const auto u16 = [&](std::size_t i) { return static_cast<std::size_t>(bytes_[i] | bytes_[i + 1] << 8); };
    if (e.offset + kLocalSize > bytes_.size()) return malformed(name_, path + " lies outside of the file");
    const std::size_t start = e.offset + kLocalSize + u16(e.offset + 26) + u16(e.offset + 28);
    if (start > bytes_.size() || e.packed_size > bytes_.size() - start) {
      return malformed(name_, path + " lies outside of the file");
    }
    const std::span<const std::uint8_t> packed(bytes_.data() + start, e.packed_size);
    if (e.method == 0) return std::vector<std::uint8_t>(packed.begin(), packed.end());
    if (e.method == 8) return inflate_all(packed, -MAX_WBITS, name_ + ": " + path);
    return malformed(name_, path + " is compressed in an unknown way");
  }

 private:
  struct Entry {
    std::size_t offset, packed_size;
    std::uint32_t method;
  };
  std::string name_;
  std::vector<std::uint8_t> bytes_;
  std::map<std::string, Entry> entries_;
};

}  // namespace

Result<std::vector<std::uint8_t>> gunzip(std::span<const std::uint8_t> bytes, const std::string& name) {
  if (bytes.size() < 2 || bytes[0] != 0x1f || bytes[1] != 0x8b) {
    return std::vector<std::uint8_t>(bytes.begin(), bytes.end());
  }
  return inflate_all(bytes, MAX_WBITS + 16, name);
}

Result<std::shared_ptr<const Archive>> open_zip(std::vector<std::uint8_t> bytes, const std::string& name) {
  return Zip::open(std::move(bytes), name);
}

Result<std::shared_ptr<const Archive>> open_archive(const std::string& path) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) return std::shared_ptr<const Archive>(std::make_shared<Folder>(path));
  auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  if (bytes->size() > 4 && std::memcmp(bytes->data(), "PK", 2) == 0)
    return Zip::open(std::move(*bytes), path);
  auto unpacked = gunzip(*bytes, path);
  if (!unpacked) return unpacked.error();
  constexpr std::size_t kMagicAt = 257;
  if (unpacked->size() < 512 || std::memcmp(unpacked->data() + kMagicAt, "ustar", 5) != 0) {
    return malformed(path, "neither a folder, nor a jar or zip, nor a tar.gz");
  }
  return Tar::open(std::move(*unpacked), path);
}

}  // namespace horizon::worldgen
