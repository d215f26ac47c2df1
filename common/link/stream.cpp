#include "common/link/stream.hpp"

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "common/base/result.hpp"
#include "protos/link.grpc.pb.h"

namespace horizon::link {
namespace {

/// The write half, shared by both sides: a queue and the thread that empties it.
///
/// `Rpc` is grpc::ClientReaderWriter or grpc::ServerReaderWriter: both allow one reader and one writer at a
/// time.
template <typename Rpc>
class Writer {
 public:
  Writer(Rpc* rpc, std::function<void()> cancel)
      : rpc_(rpc), cancel_(std::move(cancel)), thread_([this] { run(); }) {}
  ~Writer() { stop(); }

  void send(Batch&& batch) {
    {
      std::lock_guard lock(queue_mutex_);
      if (stopping_) return;
      queued_bytes_ += batch.ByteSizeLong();
      if (queued_bytes_ > kMaxQueuedBytes) {
        overflowed_ = true;
        stopping_ = true;
      } else {
        queue_.push_back(std::move(batch));
      }
    }
    queue_changed_.notify_one();
  }

  void stop() {
    {
      std::lock_guard lock(queue_mutex_);
      stopping_ = true;
    }
    queue_changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  bool overflowed() const {
    std::lock_guard lock(queue_mutex_);
    return overflowed_;
  }

 private:
  void run() {
    std::vector<Batch> taken;
    for (;;) {
      {
        std::unique_lock lock(queue_mutex_);
        queue_changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (queue_.empty() || overflowed_) break;
        taken.swap(queue_);
        queued_bytes_ = 0;
      }
      // Up to the message limit the batches that queued meanwhile leave as one.
      std::size_t next = 0;
      while (next < taken.size()) {
        Batch merged = std::move(taken[next++]);
        std::size_t bytes = merged.ByteSizeLong();
        while (next < taken.size()) {
          const std::size_t more = taken[next].ByteSizeLong();
          if (bytes + more > kMaxMessageBytes / 2) break;
          bytes += more;
          for (Message& m : *taken[next].mutable_messages()) merged.add_messages()->Swap(&m);
          ++next;
        }
        if (!rpc_->Write(merged)) {
          cancel_();
          std::lock_guard lock(queue_mutex_);
          stopping_ = true;
          return;
        }
      }
      taken.clear();
    }
    cancel_();
  }

  Rpc* rpc_;
  std::function<void()> cancel_;
  mutable std::mutex queue_mutex_;
  std::condition_variable queue_changed_;
  std::vector<Batch> queue_;
  std::size_t queued_bytes_ = 0;
  bool stopping_ = false;
  bool overflowed_ = false;
  std::thread thread_;
};

class ClientStream final : public Stream {
 public:
  ClientStream(const std::string& address, Callbacks callbacks) : callbacks_(std::move(callbacks)) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
    arguments.SetMaxSendMessageSize(kMaxMessageBytes);
    // Streams to the same address must not share a broken connection's back-off.
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 500);
    arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
    channel_ = grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
    stub_ = Link::NewStub(channel_);
    rpc_ = stub_->Open(&context_);
    writer_ = std::make_unique<Writer<grpc::ClientReaderWriter<Batch, Batch>>>(
        rpc_.get(), [this] { context_.TryCancel(); });
    reader_ = std::thread([this] { read(); });
  }

  ~ClientStream() override {
    // The reader thread alone stops the writer. Dropping a stream inside its own callback is a bug.
    HZ_CHECK(reader_.get_id() != std::this_thread::get_id());
    context_.TryCancel();
    reader_.join();
  }

  void send(Batch&& batch) override { writer_->send(std::move(batch)); }
  void close() override { context_.TryCancel(); }

 private:
  void read() {
    Batch batch;
    while (rpc_->Read(&batch)) {
      callbacks_.on_batch(std::move(batch));
      batch.Clear();
    }
    context_.TryCancel();
    writer_->stop();
    const grpc::Status status = rpc_->Finish();
    callbacks_.on_closed(writer_->overflowed() ? "the peer did not read" : status.error_message());
  }

  Callbacks callbacks_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<Link::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<Batch, Batch>> rpc_;
  std::unique_ptr<Writer<grpc::ClientReaderWriter<Batch, Batch>>> writer_;
  std::thread reader_;
};

using ServerRpc = grpc::ServerReaderWriter<Batch, Batch>;

/// What the owner of an accepted stream holds. The call itself lives on gRPC's thread until `detach`.
class ServerStream final : public Stream {
 public:
  ServerStream(ServerRpc* rpc, grpc::ServerContext* context) : context_(context) {
    writer_ = std::make_unique<Writer<ServerRpc>>(rpc, [context] { context->TryCancel(); });
  }
  void send(Batch&& batch) override {
    std::lock_guard lock(call_mutex_);
    if (writer_) writer_->send(std::move(batch));
  }
  void close() override {
    std::lock_guard lock(call_mutex_);
    if (context_ != nullptr) context_->TryCancel();
  }
  /// The call ends: nothing may touch it any more.
  std::string detach() {
    std::unique_ptr<Writer<ServerRpc>> writer;
    {
      std::lock_guard lock(call_mutex_);
      writer = std::move(writer_);
      context_ = nullptr;
    }
    writer->stop();
    return writer->overflowed() ? "the peer did not read" : "the peer closed the stream";
  }

 private:
  std::mutex call_mutex_;
  std::unique_ptr<Writer<ServerRpc>> writer_;
  grpc::ServerContext* context_;
};

class GrpcStreamServer final : public StreamServer, public Link::Service {
 public:
  explicit GrpcStreamServer(Acceptor acceptor) : acceptor_(std::move(acceptor)) {}
  ~GrpcStreamServer() override {
    if (server_) server_->Shutdown(std::chrono::system_clock::now() + std::chrono::milliseconds(100));
  }

  bool listen(const std::string& address) {
    grpc::ServerBuilder builder;
    configure_server(builder);
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    return server_ != nullptr && port_ != 0;
  }
  int port() const override { return port_; }

  grpc::Status Open(grpc::ServerContext* context, ServerRpc* rpc) override {
    auto stream = std::make_shared<ServerStream>(rpc, context);
    Stream::Callbacks callbacks = acceptor_(stream);
    Batch batch;
    while (rpc->Read(&batch)) {
      callbacks.on_batch(std::move(batch));
      batch.Clear();
    }
    callbacks.on_closed(stream->detach());
    return grpc::Status::OK;
  }

 private:
  Acceptor acceptor_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace

void configure_server(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
}

std::shared_ptr<Stream> open_stream(const std::string& address, Stream::Callbacks callbacks) {
  return std::make_shared<ClientStream>(address, std::move(callbacks));
}

std::unique_ptr<StreamServer> StreamServer::start(const std::string& listen, Acceptor acceptor) {
  auto server = std::make_unique<GrpcStreamServer>(std::move(acceptor));
  if (!server->listen(listen)) return nullptr;
  return server;
}

}  // namespace horizon::link
