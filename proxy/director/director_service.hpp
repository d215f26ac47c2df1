#pragma once

#include <functional>
#include <memory>
#include <string>

#include "protos/director.pb.h"

namespace horizon::proxy {

/// A shard's stream to the director, seen from the director. `send` from any thread, never blocks for long:
/// the messages are few and small.
class ShardAttachment {
 public:
  virtual ~ShardAttachment() = default;
  virtual void send(const director::ToShard& message) = 0;
  virtual void close() = 0;
};

/// Serves the Director service. The callbacks run on threads of gRPC.
class DirectorService {
 public:
  struct Callbacks {
    std::function<void(std::shared_ptr<ShardAttachment>, director::FromShard&&)> on_message;
    std::function<void(std::shared_ptr<ShardAttachment>)> on_closed;
  };
  /// Null when the address cannot be bound.
  static std::unique_ptr<DirectorService> start(const std::string& listen, Callbacks callbacks);
  virtual ~DirectorService() = default;
  virtual int port() const = 0;
};

}  // namespace horizon::proxy
