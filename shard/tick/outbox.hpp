#pragma once

#include <compare>
#include <cstdint>

#include "common/base/ids.hpp"

namespace horizon::link {
class Message;
}

namespace horizon::shard {

/// The other end of a link of this shard.
struct LinkId {
  bool is_proxy = false;
  std::int32_t id = 0;
  auto operator<=>(const LinkId&) const = default;
};

/// Where the shard's words go. Messages of one link keep their order; nothing leaves before flush().
class Outbox {
 public:
  virtual ~Outbox() = default;
  virtual link::Message& add(LinkId to) = 0;
  virtual void flush() = 0;
  /// Asks the director that somebody owns this region.
  virtual void need_region(RegionPos region) = 0;
};

}  // namespace horizon::shard
