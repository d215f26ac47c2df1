#include "shard/link/director_client.hpp"

#include <grpcpp/grpcpp.h>

#include <thread>
#include <utility>

#include "protos/director.grpc.pb.h"

namespace horizon::shard {
namespace {

class GrpcDirectorClient final : public DirectorClient {
 public:
  GrpcDirectorClient(const std::string& address, Callbacks callbacks) : callbacks_(std::move(callbacks)) {
    // A director that is still starting is waited for.
    context_.set_wait_for_ready(true);
    stub_ = director::Director::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
    rpc_ = stub_->Attach(&context_);
    reader_ = std::thread([this] {
      director::ToShard message;
      while (rpc_->Read(&message)) {
        callbacks_.on_message(std::move(message));
        message.Clear();
      }
      context_.TryCancel();
      callbacks_.on_closed(rpc_->Finish().error_message());
    });
  }
  ~GrpcDirectorClient() override {
    context_.TryCancel();
    reader_.join();
  }
  void send(const director::FromShard& message) override { rpc_->Write(message); }

 private:
  Callbacks callbacks_;
  grpc::ClientContext context_;
  std::unique_ptr<director::Director::Stub> stub_;
  std::unique_ptr<grpc::ClientReaderWriter<director::FromShard, director::ToShard>> rpc_;
  std::thread reader_;
};

}  // namespace

std::unique_ptr<DirectorClient> DirectorClient::connect(const std::string& address, Callbacks callbacks) {
  return std::make_unique<GrpcDirectorClient>(address, std::move(callbacks));
}

}  // namespace horizon::shard
