#pragma once

#include <functional>
#include <memory>
#include <string>

namespace horizon::director {
class FromShard;
class ToShard;
}  // namespace horizon::director

namespace horizon::shard {

/// The shard's stream to the director. The callbacks run on a thread of its own.
class DirectorClient {
 public:
  struct Callbacks {
    std::function<void(director::ToShard&&)> on_message;
    std::function<void(const std::string& reason)> on_closed;
  };
  static std::unique_ptr<DirectorClient> connect(const std::string& address, Callbacks callbacks);
  virtual ~DirectorClient() = default;
  /// From one thread at a time. May block for as long as the director does not read.
  virtual void send(const director::FromShard& message) = 0;
};

}  // namespace horizon::shard
