#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/link/stream.hpp"
#include "common/text/component.hpp"
#include "protos/link.pb.h"
#include "proxy/admin/settings.hpp"
#include "proxy/command/commands.hpp"
#include "proxy/director/director.hpp"
#include "proxy/director/director_service.hpp"
#include "proxy/session/session.hpp"
#include "proxy/view/view.hpp"

namespace horizon::proxy {

struct ServerOptions {
  Settings settings;
  std::int32_t shards = 1;
  std::string director_listen = "127.0.0.1:0";
  std::vector<PinnedArea> areas;
  std::chrono::steady_clock::time_point started;
};

/// The proxy: its sessions, its view, its links to the shards, and the director.
///
/// Belongs to the I/O thread; gRPC's threads post to it. Messages to shards gather for kGather and leave as
/// one batch a shard; frames to clients leave when the event that queued them is done.
class Server final : private CommandTarget {
 public:
  static constexpr std::chrono::milliseconds kTick{50};
  static constexpr std::chrono::milliseconds kGather{4};
  static constexpr std::int32_t kProxyId = 0;

  Server(asio::io_context& io, ServerOptions options);
  ~Server() override;

  /// Opens the director's and the players' ports. An error names the address.
  Result<void> start();
  int director_port() const { return director_service_->port(); }
  /// Kicks everybody and ends the I/O loop.
  void stop(const text::Component& reason);
  void run_console_line(const std::string& line);

  // For sessions
  const Settings& settings() const { return options_.settings; }
  View& view() { return view_; }
  void post(std::function<void()> what) { asio::post(io_, std::move(what)); }
  void mark_unflushed(Session& session);
  void count_malformed(const std::string& remote, const std::string& what);
  std::optional<text::Component> refuse_login(const Session& session) const;
  /// A player is here once: an older session of the same player is closed.
  void keep_one_session(Session& session);
  void session_closed(Session& session, bool was_visible);
  /// Adds the player to everybody's list, and everybody to the player's.
  void announce(Session& session);
  void chat(const Session& from, const std::string& message);
  void run_command(Session* from, const std::string& line);
  std::string status_json() const;
  std::size_t online_count() const;
  BlockPos spawn() const { return spawn_; }
  EntityId next_entity_id() { return next_entity_id_++; }
  /// Above every hop that shards can have used among themselves: they count in the low 32 bits.
  Epoch next_hop(Uuid player) { return hops_[player] = ((hops_[player] >> 32) + 1) << 32; }
  void remember_hop(Uuid player, Epoch hop) { hops_[player] = std::max(hops_[player], hop); }
  std::int64_t hashed_seed() const { return hashed_seed_; }
  const std::vector<protocol::SharedFrame>& configuration_frames(bool knows_core_pack);
  const protocol::SharedFrame& commands_frame();
  protocol::SharedFrame time_frame() const;

  // Shards
  ShardId owner_of(ChunkPos chunk) { return owner_and_epoch(chunk).first; }
  bool is_linked(ShardId shard) const { return shards_.contains(shard) && shards_.at(shard).is_open; }
  /// Queues a message to a shard; null when there is no link to it.
  link::Message* message_to(ShardId shard);

 private:
  struct ShardLink {
    std::string address;
    std::uint64_t incarnation = 0;
    std::shared_ptr<ShardAttachment> attachment;
    std::shared_ptr<link::Stream> stream;
    bool is_open = false;
    link::Batch outgoing;
    link::TickReport report;
  };

  // CommandTarget
  std::vector<PlayerEntry> players() const override;
  std::int32_t max_players() const override { return options_.settings.max_players; }
  void broadcast(const text::Component& message) override;
  void teleport(std::uint64_t session, Vec3 to, std::optional<std::pair<float, float>> rotation) override;
  void set_game_mode(std::uint64_t session, std::int32_t mode) override;
  std::vector<ShardTimes> shard_times() const override;
  void request_stop() override;

  std::pair<ShardId, Epoch> owner_and_epoch(ChunkPos chunk);
  void tell_assignments();
  void shard_said(const std::shared_ptr<ShardAttachment>& attachment, const director::FromShard& message);
  void shard_left(const std::shared_ptr<ShardAttachment>& attachment);
  void open_shard(ShardId id);
  void close_shard(ShardId id);
  void receive(ShardId from, link::Batch&& batch);
  void accept();
  void tick();
  void gather_flush();
  template <class P>
  protocol::SharedFrame frame(const P& packet) const {
    return protocol::make_frame(protocol::encode(packet), options_.settings.compression_threshold);
  }
  void send_to_all(const protocol::SharedFrame& frame);
  Session* find(std::uint64_t session) const;

  asio::io_context& io_;
  ServerOptions options_;
  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer tick_timer_;
  asio::steady_timer gather_timer_;
  asio::steady_timer accept_retry_;
  Director director_;
  std::unique_ptr<DirectorService> director_service_;
  std::map<ShardId, ShardLink> shards_;
  std::uint64_t next_incarnation_ = 1;
  std::int64_t origin_ms_;
  std::int64_t hashed_seed_ = 0;

  View view_;
  Commands commands_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Session>> sessions_;
  std::unordered_map<EntityId, Session*> by_entity_;
  std::unordered_map<Uuid, Epoch> hops_;
  std::vector<std::weak_ptr<Session>> unflushed_;
  std::uint64_t next_session_id_ = 1;
  EntityId next_entity_id_ = 1;
  BlockPos spawn_;
  bool is_spawn_known_ = false;
  bool is_done_ = false;
  bool is_stopping_ = false;
  bool gather_pending_ = false;
  bool flush_pending_ = false;
  std::int64_t ticks_ = 0;
  std::chrono::steady_clock::time_point next_tick_;
  std::uint64_t malformed_count_ = 0;
  std::vector<protocol::SharedFrame> configuration_frames_[2];
  protocol::SharedFrame commands_frame_;
};

}  // namespace horizon::proxy
