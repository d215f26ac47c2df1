#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/link/stream.hpp"
#include "protos/director.pb.h"
#include "protos/link.pb.h"
#include "shard/link/director_client.hpp"
#include "shard/link/inbox.hpp"
#include "shard/tick/jobs.hpp"
#include "shard/tick/outbox.hpp"
#include "shard/tick/shard.hpp"

namespace horizon::shard {

struct ProcessOptions {
  ShardId id = 0;
  std::string listen = "127.0.0.1:0";
  /// As others reach this shard; empty: the address listened on.
  std::string advertise;
  std::string director;
  int workers = 1;
};

/// A shard as a process: its streams, its workers, and the loop that ticks it.
///
/// run() makes the calling thread the tick thread; all else that runs on other threads reaches it through the
/// inbox.
class ShardProcess final : public Outbox {
 public:
  explicit ShardProcess(ProcessOptions options);
  ~ShardProcess() override;

  /// Until stop() or until the director is gone. Returns the exit code.
  int run();
  /// From any thread, or a signal handler.
  void stop() { stopping_.store(true, std::memory_order_relaxed); }

 private:
  struct Peer {
    std::string address;
    std::uint64_t incarnation = 0;
    std::shared_ptr<link::Stream> dialled;
    std::chrono::system_clock::time_point retry_at;
  };
  struct Open {
    std::shared_ptr<link::Stream> stream;
    link::Batch outgoing;
  };

  link::Message& add(LinkId to) override;
  void flush() override;
  void need_region(RegionPos region) override;

  void handle(const director::ToShard& message);
  void welcome(const director::Welcome& welcome);
  void meet(const director::Peer& peer);
  void dial(ShardId id);
  link::Stream::Callbacks callbacks_for(std::shared_ptr<std::weak_ptr<link::Stream>> self);
  void batch_arrived(const std::shared_ptr<link::Stream>& stream, link::Batch&& batch);
  void stream_closed(const std::shared_ptr<link::Stream>& stream, const std::string& reason);
  void open_link(LinkId id, const std::shared_ptr<link::Stream>& stream);
  void close_link(LinkId id);
  void report_times();

  ProcessOptions options_;
  Inbox inbox_;
  std::atomic<bool> stopping_{false};  // a flag alone: no data goes with it
  bool director_lost_ = false;

  std::map<LinkId, Open> links_;
  std::map<const link::Stream*, LinkId> link_of_;
  std::map<ShardId, Peer> peers_;
  link::Message dropped_;
  std::vector<RegionPos> needed_;
  /// Batches that came before the director's welcome.
  std::vector<std::pair<std::shared_ptr<link::Stream>, link::Batch>> early_;
  std::vector<director::Assignments> early_assignments_;

  std::chrono::system_clock::time_point origin_;
  std::unique_ptr<ChunkGenerator> generator_;
  std::unique_ptr<Shard> shard_;
  std::unique_ptr<WorkerPool> workers_;
  std::unique_ptr<DirectorClient> director_;
  std::unique_ptr<link::StreamServer> server_;
};

}  // namespace horizon::shard
