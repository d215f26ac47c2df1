#pragma once

#include <functional>
#include <memory>
#include <string>

namespace grpc {
class ServerBuilder;
}

namespace horizon::link {

class Batch;

/// One side of an open gRPC stream of batches.
///
/// `send` may be called from any thread and never blocks: batches queue, and what is queued while a write is
/// under way leaves merged as one. The queue is bounded by kMaxQueuedBytes: a peer that does not read is cut
/// off. The callbacks run on the stream's reader thread, in order; after `on_closed` none follows.
class Stream {
 public:
  struct Callbacks {
    std::function<void(Batch&&)> on_batch;
    std::function<void(const std::string& reason)> on_closed;
  };
  virtual ~Stream() = default;
  virtual void send(Batch&& batch) = 0;
  virtual void close() = 0;
};

inline constexpr std::size_t kMaxQueuedBytes = std::size_t{256} << 20;
inline constexpr int kMaxMessageBytes = 64 << 20;

/// Calls `address` and opens a stream. Connecting goes on in the background; failure is reported by
/// on_closed. The stream ends when the last reference is dropped or close() is called.
std::shared_ptr<Stream> open_stream(const std::string& address, Stream::Callbacks callbacks);

/// Limits and threads of every gRPC server here: few threads, since each stream has one of its own.
void configure_server(grpc::ServerBuilder& builder);

/// Serves the Link service.
class StreamServer {
 public:
  /// Called on a thread of the stream when a caller opened it; returns what to call for it.
  using Acceptor = std::function<Stream::Callbacks(std::shared_ptr<Stream>)>;
  /// `listen` as "127.0.0.1:0". Null when the address cannot be bound.
  static std::unique_ptr<StreamServer> start(const std::string& listen, Acceptor acceptor);
  virtual ~StreamServer() = default;
  virtual int port() const = 0;
};

}  // namespace horizon::link
