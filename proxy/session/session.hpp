#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/base/ids.hpp"
#include "common/protocol/play.hpp"
#include "common/text/component.hpp"
#include "protos/link.pb.h"
#include "proxy/session/connection.hpp"
#include "proxy/view/view.hpp"

namespace horizon::proxy {

class Server;

/// One client, from the first byte to the last: handshake, status or login, configuration, play.
///
/// Belongs to the I/O thread. Everything of the connection is decided here; what the player does in the world
/// goes, checked and numbered, to the shard that simulates it. Inputs are kept until that shard has applied
/// them, so that they can be given to the next home at a handoff.
class Session final : public Viewer, public std::enable_shared_from_this<Session> {
 public:
  enum class State : std::uint8_t {
    kHandshake,
    kStatus,
    kLogin,
    kLoginAcknowledge,
    kConfiguration,
    kPlay,
    kClosed
  };

  static constexpr std::chrono::seconds kLoginTimeout{30};
  static constexpr std::chrono::seconds kKeepAlive{15};
  /// Inputs that no shard has applied yet; a home that is away for longer than this loses the rest.
  static constexpr std::size_t kMaxUnapplied = 2000;

  Session(Server& server, std::uint64_t id, asio::ip::tcp::socket socket);
  void start();

  /// Viewer.
  void send(const protocol::SharedFrame& frame) override;
  template <class P>
  void send_packet(const P& packet) {
    send_bytes(protocol::encode(packet));
  }
  void send_bytes(std::span<const std::uint8_t> packet);
  void flush() { connection_->flush(); }

  /// Shows `reason` and closes.
  void disconnect(const text::Component& reason);
  /// Once a tick.
  void tick(std::chrono::steady_clock::time_point now);

  // From the home shard
  void input_applied(const link::InputAck& ack);
  void handed_off(const link::HandedOff& message);
  void checkpoint(const link::Checkpoint& message);
  void player_packet(const std::string& packet);
  /// The home is gone: joins the owner of the ground anew when there is a link to it.
  void home_lost();
  void try_rejoin();
  /// The shards say that the player's entity stands in `chunk` now.
  void moved_to(ChunkPos chunk);

  State state() const { return state_; }
  std::uint64_t id() const { return id_; }
  const std::string& name() const { return name_; }
  Uuid uuid() const { return uuid_; }
  ShardId home() const { return home_; }
  std::int32_t latency_ms() const { return latency_ms_; }
  std::int32_t game_mode() const { return static_cast<std::int32_t>(player_.game_mode()); }
  void set_known_game_mode(std::uint32_t mode) { player_.set_game_mode(mode); }
  const std::string& remote() const { return connection_->remote(); }
  /// Where the player is, as far as the proxy knows.
  View::Place place() const;

 private:
  void on_packet(std::span<const std::uint8_t> packet);
  bool answer_legacy_ping(std::span<const std::uint8_t> bytes);
  void on_handshake(std::int32_t id, std::span<const std::uint8_t> body);
  void on_status(std::int32_t id, std::span<const std::uint8_t> body);
  void on_login(std::int32_t id, std::span<const std::uint8_t> body);
  void on_configuration(std::int32_t id, std::span<const std::uint8_t> body);
  void on_play(std::int32_t id, std::span<const std::uint8_t> body, std::span<const std::uint8_t> packet);
  void begin_configuration();
  void send_registries();
  void begin_play();
  void send_join_packets();
  void apply_settings(const protocol::ClientSettings& settings);
  void on_chat(const protocol::play::serverbound::Chat& chat);
  void forward(std::span<const std::uint8_t> packet);
  void send_input(const link::Input& input);
  void send_join();
  void malformed(const std::string& what);
  void closed(const std::string& reason);
  /// Decodes and handles, or closes the connection: `handle` gets the packet.
  template <class P, class F>
  void with(std::span<const std::uint8_t> body, F handle);
  template <class P>
  void check_and_forward(std::span<const std::uint8_t> body, std::span<const std::uint8_t> packet);

  Server& server_;
  std::uint64_t id_;
  std::shared_ptr<Connection> connection_;
  State state_ = State::kHandshake;
  std::int32_t threshold_ = protocol::kNoCompression;
  std::chrono::steady_clock::time_point opened_at_;
  std::string name_;
  Uuid uuid_;
  protocol::ClientSettings settings_;
  bool knows_core_pack_ = false;
  bool registries_sent_ = false;

  // Play
  link::PlayerState player_;
  ShardId home_ = -1;
  Epoch hop_ = 0;
  bool is_homeless_ = true;
  bool is_visible_ = false;  ///< in the player list
  std::uint64_t next_input_ = 1;
  std::deque<link::Input> unapplied_;
  std::chrono::steady_clock::time_point keep_alive_at_;
  std::int64_t keep_alive_id_ = 0;
  bool keep_alive_pending_ = false;
  std::int32_t latency_ms_ = 0;
  std::int32_t chat_heat_ = 0;
};

}  // namespace horizon::proxy
