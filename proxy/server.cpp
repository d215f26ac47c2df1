#include "proxy/server.hpp"

#include <openssl/sha.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/game/game.hpp"
#include "common/protocol/configuration.hpp"

namespace horizon::proxy {
namespace {

namespace out = protocol::play::clientbound;
using text::Component;

constexpr std::int64_t kTicksPerSecond = 20;
constexpr std::size_t kStatusSample = 12;
/// Connections that are not (yet) players.
constexpr std::size_t kMaxJoining = 1024;
constexpr std::chrono::milliseconds kAcceptRetry{250};
/// A client is shown these of a player's list entry when it is added.
constexpr std::uint8_t kNewEntry = out::PlayerInfoUpdate::kAddPlayer | out::PlayerInfoUpdate::kGameMode |
                                   out::PlayerInfoUpdate::kListed | out::PlayerInfoUpdate::kLatency;
/// Once in so many ticks the latencies are told to all. Source: the vanilla server.
constexpr std::int64_t kLatencyTicks = 600;

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// First 8 bytes of the seed's SHA-256, little-endian both. Source: the vanilla server.
std::int64_t hash_seed(std::int64_t seed) {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < 8; ++i)
    bytes[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(seed) >> (8 * i));
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(bytes.data(), bytes.size(), digest.data());
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < 8; ++i) hash |= std::uint64_t{digest[i]} << (8 * i);
  return static_cast<std::int64_t>(hash);
}

out::PlayerInfoUpdate list_entry(const Session& session) {
  protocol::play::PlayerInfoEntry entry;
  entry.uuid = session.uuid();
  entry.name = session.name();
  entry.game_mode = session.game_mode();
  entry.listed = true;
  entry.latency = session.latency_ms();
  out::PlayerInfoUpdate update;
  update.actions = kNewEntry;
  update.entries.push_back(std::move(entry));
  return update;
}

}  // namespace

Server::Server(asio::io_context& io, ServerOptions options)
    : io_(io),
      options_(std::move(options)),
      acceptor_(io),
      tick_timer_(io),
      gather_timer_(io),
      accept_retry_(io),
      director_(options_.shards, options_.areas),
      origin_ms_(now_ms() / 50 * 50),
      hashed_seed_(hash_seed(options_.settings.seed)),
      view_({[this](ShardId shard) { return message_to(shard); },
             [this](ChunkPos chunk) { return owner_and_epoch(chunk); }},
            options_.settings.compression_threshold),
      commands_(*this) {
  view_.on_entity_moved = [this](EntityId id, ChunkPos chunk) {
    const auto it = by_entity_.find(id);
    // Later: the view is in the middle of telling everybody.
    if (it != by_entity_.end() && it->second->centre != chunk) {
      post([weak = it->second->weak_from_this(), chunk] {
        if (const auto session = weak.lock()) session->moved_to(chunk);
      });
    }
  };
}

Server::~Server() {
  for (auto& [id, shard] : shards_) shard.stream.reset();
}

Result<void> Server::start() {
  director_service_ = DirectorService::start(
      options_.director_listen,
      {[this](std::shared_ptr<ShardAttachment> attachment, director::FromShard&& message) {
         post(
             [this, attachment = std::move(attachment),
              m = std::make_shared<director::FromShard>(std::move(message))] { shard_said(attachment, *m); });
       },
       [this](std::shared_ptr<ShardAttachment> attachment) {
         post([this, attachment = std::move(attachment)] { shard_left(attachment); });
       }});
  if (!director_service_) {
    return Error{ErrorCode::kIo, "the director cannot listen on " + options_.director_listen +
                                     ": is the address in use? (director.listen in horizon.toml)"};
  }
  const Settings& s = options_.settings;
  asio::error_code error;
  const auto address = s.server_ip.empty() ? asio::ip::address(asio::ip::address_v4::any())
                                           : asio::ip::make_address(s.server_ip, error);
  if (error) return Error{ErrorCode::kConfig, "server-ip=" + s.server_ip + " is not an address"};
  const asio::ip::tcp::endpoint endpoint(address, s.server_port);
  acceptor_.open(endpoint.protocol());
  acceptor_.set_option(asio::ip::tcp::acceptor::reuse_address(true));
  acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    return Error{ErrorCode::kIo, "cannot listen on port " + std::to_string(s.server_port) + ": " +
                                     error.message() + " (server-port and server-ip in server.properties)"};
  }
  next_tick_ = std::chrono::steady_clock::now();
  tick();
  return {};
}

void Server::stop(const Component& reason) {
  if (is_stopping_) return;
  is_stopping_ = true;
  asio::error_code ignored;
  acceptor_.close(ignored);
  for (const auto& [id, session] : std::unordered_map(sessions_)) session->disconnect(reason);
  gather_flush();
  // A moment for the last bytes to leave.
  tick_timer_.expires_after(std::chrono::milliseconds(100));
  tick_timer_.async_wait([this](asio::error_code) { io_.stop(); });
}

// --- Players -------------------------------------------------------------

void Server::accept() {
  acceptor_.async_accept([this](asio::error_code error, asio::ip::tcp::socket socket) {
    if (is_stopping_) return;
    if (error) {
      // Out of file descriptors, most likely: asking again at once would only spin.
      spdlog::warn("A connection could not be accepted: {}", error.message());
      accept_retry_.expires_after(kAcceptRetry);
      accept_retry_.async_wait([this](asio::error_code cancelled) {
        if (!cancelled && !is_stopping_) accept();
      });
      return;
    }
    const std::size_t most = static_cast<std::size_t>(options_.settings.max_players) + kMaxJoining;
    // Above the limit the socket closes at once: each connection costs memory before it has said who it is.
    if (sessions_.size() < most) {
      auto session = std::make_shared<Session>(*this, next_session_id_++, std::move(socket));
      sessions_[session->id()] = session;
      session->start();
    }
    accept();
  });
}

Session* Server::find(std::uint64_t session) const {
  const auto it = sessions_.find(session);
  return it == sessions_.end() ? nullptr : it->second.get();
}

void Server::mark_unflushed(Session& session) {
  unflushed_.push_back(session.weak_from_this());
  if (flush_pending_) return;
  flush_pending_ = true;
  post([this] {
    flush_pending_ = false;
    const auto sessions = std::move(unflushed_);
    unflushed_.clear();
    for (const auto& weak : sessions) {
      if (const auto open = weak.lock()) open->flush();
    }
  });
}

void Server::count_malformed(const std::string& remote, const std::string& what) {
  ++malformed_count_;
  spdlog::warn("{} sent what is not the protocol and is disconnected ({} so far): {}", remote,
               malformed_count_, what);
}

std::optional<Component> Server::refuse_login(const Session&) const {
  if (is_stopping_ || !is_done_) return Component::translate("multiplayer.disconnect.server_shutdown");
  if (online_count() >= static_cast<std::size_t>(options_.settings.max_players)) {
    return Component::translate("multiplayer.disconnect.server_full");
  }
  return std::nullopt;
}

void Server::keep_one_session(Session& session) {
  for (const auto& [id, other] : std::unordered_map(sessions_)) {
    if (other.get() != &session && other->uuid() == session.uuid() &&
        other->state() >= Session::State::kConfiguration) {
      other->disconnect(Component::translate("multiplayer.disconnect.duplicate_login"));
      other->flush();
    }
  }
}

void Server::session_closed(Session& session, bool was_visible) {
  const auto keep = session.shared_from_this();
  sessions_.erase(session.id());
  by_entity_.erase(session.own_entity);
  if (!was_visible || is_stopping_) return;
  send_to_all(frame(out::PlayerInfoRemove{{session.uuid()}}));
  broadcast(Component::translate("multiplayer.player.left", {Component::literal(session.name())})
                .color("yellow")
                .fallback("%s left the game"));
}

void Server::announce(Session& session) {
  by_entity_[session.own_entity] = &session;
  out::PlayerInfoUpdate everybody;
  everybody.actions = kNewEntry;
  for (const auto& [id, other] : sessions_) {
    if (other->state() == Session::State::kPlay) everybody.entries.push_back(list_entry(*other).entries[0]);
  }
  session.send_packet(everybody);
  const auto entry = frame(list_entry(session));
  for (const auto& [id, other] : sessions_) {
    if (other.get() != &session && other->state() == Session::State::kPlay) other->send(entry);
  }
  broadcast(Component::translate("multiplayer.player.joined", {Component::literal(session.name())})
                .color("yellow")
                .fallback("%s joined the game"));
}

std::size_t Server::online_count() const {
  return static_cast<std::size_t>(std::count_if(sessions_.begin(), sessions_.end(), [](const auto& entry) {
    return entry.second->state() == Session::State::kPlay;
  }));
}

void Server::send_to_all(const protocol::SharedFrame& frame) {
  for (const auto& [id, session] : sessions_) {
    if (session->state() == Session::State::kPlay) session->send(frame);
  }
}

void Server::broadcast(const Component& message) {
  spdlog::info("{}", message.to_plain());
  send_to_all(frame(out::SystemChat{message.to_nbt(), false}));
}

void Server::chat(const Session& from, const std::string& message) {
  spdlog::info("<{}> {}", from.name(), message);
  out::DisguisedChat packet;
  packet.message = Component::literal(message).to_nbt();
  packet.chat_type.type = game::find_registry_entry("minecraft:chat_type", "minecraft:chat").value_or(0);
  packet.chat_type.name = Component::literal(from.name()).to_nbt();
  send_to_all(frame(packet));
}

std::string Server::status_json() const {
  std::string json = "{\"version\":{\"name\":";
  text::append_json_string(json, game::kVersionName);
  json += ",\"protocol\":" + std::to_string(game::kProtocolVersion) +
          "},\"players\":{\"max\":" + std::to_string(options_.settings.max_players) +
          ",\"online\":" + std::to_string(online_count()) + ",\"sample\":[";
  std::size_t shown = 0;
  for (const auto& [id, session] : sessions_) {
    if (session->state() != Session::State::kPlay || shown == kStatusSample) continue;
    json += shown++ == 0 ? "{\"name\":" : ",{\"name\":";
    text::append_json_string(json, session->name());
    json += ",\"id\":\"" + to_string(session->uuid()) + "\"}";
  }
  json += "]},\"description\":" + Component::literal(options_.settings.motd).to_json() +
          ",\"enforcesSecureChat\":false}";
  return json;
}

const std::vector<protocol::SharedFrame>& Server::configuration_frames(bool knows_core_pack) {
  auto& frames = configuration_frames_[knows_core_pack ? 1 : 0];
  if (!frames.empty()) return frames;
  namespace configuration = protocol::configuration;
  for (const game::Registry& registry : game::registries()) {
    configuration::clientbound::RegistryData data;
    data.registry = registry.name;
    for (const game::RegistryEntry& entry : registry.entries) {
      auto& added = data.entries.emplace_back();
      added.key = entry.name;
      if (!knows_core_pack) added.value = nbt::Raw{{entry.nbt.begin(), entry.nbt.end()}};
    }
    frames.push_back(frame(data));
  }
  const auto tags = game::tags_packet();
  frames.push_back(frame(configuration::clientbound::UpdateTags{{tags.begin(), tags.end()}}));
  return frames;
}

const protocol::SharedFrame& Server::commands_frame() {
  if (!commands_frame_) commands_frame_ = frame(commands_.tree());
  return commands_frame_;
}

protocol::SharedFrame Server::time_frame() const {
  const std::int64_t game_time = (now_ms() - origin_ms_) / kTick.count();
  out::SetTime time;
  time.game_time = game_time;
  time.clocks.push_back(
      {game::find_registry_entry("minecraft:world_clock", "minecraft:overworld").value_or(0), game_time, 0,
       1});
  return frame(time);
}

// --- Shards --------------------------------------------------------------

std::pair<ShardId, Epoch> Server::owner_and_epoch(ChunkPos chunk) {
  const OwnershipMap::Entry entry = director_.owner(RegionPos::of(chunk));
  tell_assignments();
  return {entry.shard, entry.epoch};
}

void Server::tell_assignments() {
  const std::vector<RegionPos> regions = director_.take_new_assignments();
  if (regions.empty()) return;
  director::ToShard message;
  for (const RegionPos region : regions) {
    const OwnershipMap::Entry entry = *director_.ownership().find(region);
    director::Assignment& a = *message.mutable_assignments()->add_assignments();
    a.set_region(region.packed());
    a.set_epoch(entry.epoch);
    a.set_shard(entry.shard);
  }
  for (auto& [id, shard] : shards_) {
    if (shard.attachment) shard.attachment->send(message);
  }
}

void Server::shard_said(const std::shared_ptr<ShardAttachment>& attachment,
                        const director::FromShard& message) {
  if (message.has_register_()) {
    const ShardId id = message.register_().shard();
    if (id < 0 || id >= options_.shards) {
      spdlog::error("A shard registered as number {}, but there are shards 0 to {}; it is refused", id,
                    options_.shards - 1);
      attachment->close();
      return;
    }
    ShardLink& shard = shards_[id];
    if (shard.attachment) {
      // The old stream's end has not been seen yet.
      shard.attachment->close();
      close_shard(id);
    }
    const bool is_restart = shard.incarnation != 0;
    shard.attachment = attachment;
    shard.address = message.register_().address();
    shard.incarnation = next_incarnation_++;
    if (is_restart) director_.shard_restarted(id);
    director::ToShard welcome;
    director::Welcome& w = *welcome.mutable_welcome();
    w.set_seed(options_.settings.seed);
    w.set_level_type(options_.settings.is_flat ? "flat" : "normal");
    w.set_compression_threshold(options_.settings.compression_threshold);
    w.set_game_mode(static_cast<std::uint32_t>(options_.settings.game_mode));
    w.set_difficulty(static_cast<std::uint32_t>(options_.settings.difficulty));
    w.set_view_distance(static_cast<std::uint32_t>(options_.settings.view_distance));
    w.set_simulation_distance(static_cast<std::uint32_t>(options_.settings.simulation_distance));
    w.set_game_time_origin_ms(origin_ms_);
    attachment->send(welcome);
    director::ToShard all;
    for (const auto& [region, entry] : director_.ownership().entries()) {
      director::Assignment& a = *all.mutable_assignments()->add_assignments();
      a.set_region(region.packed());
      a.set_epoch(entry.epoch);
      a.set_shard(entry.shard);
    }
    attachment->send(all);
    tell_assignments();
    director::ToShard peers;
    for (const auto& [other, known] : shards_) {
      director::Peer& peer = *peers.mutable_peers()->add_peers();
      peer.set_shard(other);
      peer.set_address(known.address);
      peer.set_incarnation(known.incarnation);
    }
    for (auto& [other, known] : shards_) {
      if (known.attachment) known.attachment->send(peers);
    }
    return;
  }
  const auto it = std::find_if(shards_.begin(), shards_.end(),
                               [&](const auto& entry) { return entry.second.attachment == attachment; });
  if (it == shards_.end()) return;
  if (message.has_ready()) {
    spawn_ = {message.ready().spawn_x(), message.ready().spawn_y(), message.ready().spawn_z()};
    is_spawn_known_ = true;
    open_shard(it->first);
  } else if (message.has_need_region()) {
    director_.owner(RegionPos::unpack(message.need_region().region()));
    tell_assignments();
  }
}

void Server::shard_left(const std::shared_ptr<ShardAttachment>& attachment) {
  for (auto& [id, shard] : shards_) {
    if (shard.attachment != attachment) continue;
    shard.attachment.reset();
    if (!is_stopping_) spdlog::warn("Shard {} is gone; its players wait for it", id);
    close_shard(id);
  }
}

void Server::open_shard(ShardId id) {
  ShardLink& shard = shards_[id];
  const std::uint64_t incarnation = shard.incarnation;
  shard.outgoing.Clear();
  shard.stream = link::open_stream(
      shard.address, {[this, id, incarnation](link::Batch&& batch) {
                        post([this, id, incarnation, b = std::make_shared<link::Batch>(std::move(batch))] {
                          if (shards_[id].incarnation == incarnation) receive(id, std::move(*b));
                        });
                      },
                      [this, id, incarnation](const std::string& reason) {
                        post([this, id, incarnation, reason] {
                          if (shards_[id].incarnation != incarnation || is_stopping_) return;
                          spdlog::warn("Link to shard {} closed: {}", id, reason);
                          close_shard(id);
                        });
                      }});
  shard.is_open = true;
  link::Hello& hello = *message_to(id)->mutable_hello();
  hello.set_role(link::Hello::PROXY);
  hello.set_id(kProxyId);
  view_.shard_opened(id);
  for (const auto& [session_id, session] : sessions_) session->try_rejoin();
  const bool all_open =
      shards_.size() == static_cast<std::size_t>(options_.shards) &&
      std::all_of(shards_.begin(), shards_.end(), [](const auto& s) { return s.second.is_open; });
  if (!all_open || is_done_) return;
  is_done_ = true;
  accept();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - options_.started;
  spdlog::info("Done ({:.3f}s)! For help, type \"help\"", took.count());
}

void Server::close_shard(ShardId id) {
  ShardLink& shard = shards_[id];
  if (!shard.is_open) return;
  shard.is_open = false;
  shard.stream.reset();
  // A shard that lives and lost only its link has its sessions' state; without it the next incarnation starts
  // anew.
  if (shard.attachment) {
    shard.attachment->close();
    shard.attachment.reset();
  }
  view_.shard_closed(id);
  for (const auto& [session_id, session] : std::unordered_map(sessions_)) {
    if (session->home() == id) session->home_lost();
  }
}

link::Message* Server::message_to(ShardId shard) {
  const auto it = shards_.find(shard);
  if (it == shards_.end() || !it->second.is_open) return nullptr;
  if (!gather_pending_) {
    gather_pending_ = true;
    gather_timer_.expires_after(kGather);
    gather_timer_.async_wait([this](asio::error_code error) {
      if (!error) gather_flush();
    });
  }
  return it->second.outgoing.add_messages();
}

void Server::gather_flush() {
  gather_pending_ = false;
  for (auto& [id, shard] : shards_) {
    if (!shard.is_open || shard.outgoing.messages_size() == 0) continue;
    shard.stream->send(std::move(shard.outgoing));
    shard.outgoing = link::Batch();
  }
}

void Server::receive(ShardId from, link::Batch&& batch) {
  for (const link::Message& message : batch.messages()) {
    switch (message.body_case()) {
      case link::Message::kInputAck:
        if (Session* s = find(message.input_ack().session())) s->input_applied(message.input_ack());
        break;
      case link::Message::kPlayerPacket:
        if (Session* s = find(message.player_packet().session()))
          s->player_packet(message.player_packet().packet());
        break;
      case link::Message::kCheckpoint:
        if (Session* s = find(message.checkpoint().session())) s->checkpoint(message.checkpoint());
        break;
      case link::Message::kHandedOff:
        if (Session* s = find(message.handed_off().session())) {
          s->handed_off(message.handed_off());
        } else if (link::Message* leave = message_to(message.handed_off().shard())) {
          // The client left while it was handed over.
          leave->mutable_leave()->set_session(message.handed_off().session());
          leave->mutable_leave()->set_hop(message.handed_off().hop());
        }
        break;
      case link::Message::kKick:
        if (Session* s = find(message.kick().session()))
          s->disconnect(Component::translate(message.kick().reason()));
        break;
      case link::Message::kTickReport:
        shards_[from].report = message.tick_report();
        break;
      default:
        view_.receive(from, message);
    }
  }
}

// --- Tick ----------------------------------------------------------------

void Server::tick() {
  if (is_stopping_) return;
  ++ticks_;
  const auto now = std::chrono::steady_clock::now();
  view_.tick(ticks_);
  // Sessions close themselves later, never inside tick().
  for (const auto& [id, session] : sessions_) session->tick(now);
  if (ticks_ % kTicksPerSecond == 0 && !sessions_.empty()) send_to_all(time_frame());
  if (ticks_ % kLatencyTicks == 0 && !sessions_.empty()) {
    out::PlayerInfoUpdate update;
    update.actions = out::PlayerInfoUpdate::kLatency;
    for (const auto& [id, session] : sessions_) {
      if (session->state() != Session::State::kPlay) continue;
      auto& entry = update.entries.emplace_back();
      entry.uuid = session->uuid();
      entry.latency = session->latency_ms();
    }
    if (!update.entries.empty()) send_to_all(frame(update));
  }
  next_tick_ = std::max(next_tick_ + kTick, now);
  tick_timer_.expires_at(next_tick_);
  tick_timer_.async_wait([this](asio::error_code error) {
    if (!error) tick();
  });
}

// --- Commands ------------------------------------------------------------

void Server::run_console_line(const std::string& line) {
  CommandSource source;
  source.level = 4;
  source.reply = [](const Component& message) { spdlog::info("{}", message.to_plain()); };
  commands_.run(source, line);
}

void Server::run_command(Session* from, const std::string& line) {
  const View::Place place = from->place();
  const PlayerEntry entry{from->id(), from->name(), from->uuid(), place.position, from->game_mode()};
  CommandSource source;
  source.player = &entry;
  source.reply = [from](const Component& message) {
    from->send_packet(out::SystemChat{message.to_nbt(), false});
  };
  spdlog::info("{} issued server command: /{}", from->name(), line);
  commands_.run(source, line);
}

std::vector<PlayerEntry> Server::players() const {
  std::vector<PlayerEntry> entries;
  for (const auto& [id, session] : sessions_) {
    if (session->state() != Session::State::kPlay) continue;
    entries.push_back(
        {id, session->name(), session->uuid(), session->place().position, session->game_mode()});
  }
  return entries;
}

void Server::teleport(std::uint64_t session, Vec3 to, std::optional<std::pair<float, float>> rotation) {
  Session* target = find(session);
  if (target == nullptr) return;
  link::Message* message = message_to(target->home());
  if (message == nullptr) return;
  link::Teleport& t = *message->mutable_teleport();
  t.set_session(session);
  t.mutable_position()->set_x(to.x);
  t.mutable_position()->set_y(to.y);
  t.mutable_position()->set_z(to.z);
  if (!rotation) return;
  t.set_has_rotation(true);
  t.set_yaw(rotation->first);
  t.set_pitch(rotation->second);
}

void Server::set_game_mode(std::uint64_t session, std::int32_t mode) {
  Session* target = find(session);
  if (target == nullptr) return;
  link::Message* message = message_to(target->home());
  if (message == nullptr) return;
  message->mutable_set_game_mode()->set_session(session);
  message->mutable_set_game_mode()->set_game_mode(static_cast<std::uint32_t>(mode));
  target->set_known_game_mode(static_cast<std::uint32_t>(mode));
  out::PlayerInfoUpdate update;
  update.actions = out::PlayerInfoUpdate::kGameMode;
  auto& entry = update.entries.emplace_back();
  entry.uuid = target->uuid();
  entry.game_mode = mode;
  send_to_all(frame(update));
}

std::vector<ShardTimes> Server::shard_times() const {
  std::vector<ShardTimes> times;
  for (const auto& [id, shard] : shards_) {
    times.push_back(
        {id, shard.report.average_ms(), shard.report.p50_ms(), shard.report.p95_ms(), shard.report.p99_ms()});
  }
  return times;
}

void Server::request_stop() {
  post([this] {
    spdlog::info("Stopping the server");
    stop(Component::translate("multiplayer.disconnect.server_shutdown"));
  });
}

}  // namespace horizon::proxy
