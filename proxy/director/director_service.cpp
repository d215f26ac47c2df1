#include "proxy/director/director_service.hpp"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <mutex>
#include <utility>

#include "common/link/stream.hpp"
#include "protos/director.grpc.pb.h"

namespace horizon::proxy {
namespace {

using Rpc = grpc::ServerReaderWriter<director::ToShard, director::FromShard>;

class Attachment final : public ShardAttachment {
 public:
  Attachment(Rpc* rpc, grpc::ServerContext* context) : rpc_(rpc), context_(context) {}
  void send(const director::ToShard& message) override {
    std::lock_guard lock(rpc_mutex_);
    if (rpc_ != nullptr) rpc_->Write(message);
  }
  void close() override {
    std::lock_guard lock(rpc_mutex_);
    if (context_ != nullptr) context_->TryCancel();
  }
  void detach() {
    std::lock_guard lock(rpc_mutex_);
    rpc_ = nullptr;
    context_ = nullptr;
  }

 private:
  std::mutex rpc_mutex_;
  Rpc* rpc_;
  grpc::ServerContext* context_;
};

class GrpcDirectorService final : public DirectorService, public director::Director::Service {
 public:
  explicit GrpcDirectorService(Callbacks callbacks) : callbacks_(std::move(callbacks)) {}
  ~GrpcDirectorService() override {
    if (server_) server_->Shutdown(std::chrono::system_clock::now() + std::chrono::milliseconds(100));
  }
  bool listen(const std::string& address) {
    grpc::ServerBuilder builder;
    link::configure_server(builder);
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    return server_ != nullptr && port_ != 0;
  }
  int port() const override { return port_; }

  grpc::Status Attach(grpc::ServerContext* context, Rpc* rpc) override {
    auto attachment = std::make_shared<Attachment>(rpc, context);
    director::FromShard message;
    while (rpc->Read(&message)) {
      callbacks_.on_message(attachment, std::move(message));
      message.Clear();
    }
    attachment->detach();
    callbacks_.on_closed(attachment);
    return grpc::Status::OK;
  }

 private:
  Callbacks callbacks_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace

std::unique_ptr<DirectorService> DirectorService::start(const std::string& listen, Callbacks callbacks) {
  auto service = std::make_unique<GrpcDirectorService>(std::move(callbacks));
  if (!service->listen(listen)) return nullptr;
  return service;
}

}  // namespace horizon::proxy
