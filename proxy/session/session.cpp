#include "proxy/session/session.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/game/game.hpp"
#include "common/protocol/configuration.hpp"
#include "common/protocol/handshake.hpp"
#include "common/protocol/login.hpp"
#include "common/protocol/status.hpp"
#include "proxy/server.hpp"
#include "proxy/session/identity.hpp"

namespace horizon::proxy {
namespace {

namespace in = protocol::play::serverbound;
namespace out = protocol::play::clientbound;
using text::Component;

/// Chat is kicked above this; a message adds 20, a tick takes 1 away. Source: the vanilla server.
constexpr std::int32_t kMaxChatHeat = 200;
constexpr std::int32_t kChatHeat = 20;
constexpr std::uint8_t kLevelChunksLoadStart = 13;
constexpr std::int32_t kInventorySlots = 46;
constexpr std::int32_t kMinViewDistance = 2;

bool is_allowed_in_chat(std::string_view message) {
  for (std::size_t i = 0; i < message.size(); ++i) {
    const auto c = static_cast<unsigned char>(message[i]);
    if (c < 0x20 || c == 0x7f) return false;
    // The section sign, U+00A7.
    if (c == 0xc2 && i + 1 < message.size() && static_cast<unsigned char>(message[i + 1]) == 0xa7)
      return false;
  }
  return true;
}

bool is_allowed_name(std::string_view name) {
  return !name.empty() && name.size() <= 16 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

Session::Session(Server& server, std::uint64_t id, asio::ip::tcp::socket socket)
    : server_(server), id_(id), opened_at_(std::chrono::steady_clock::now()) {
  connection_ = std::make_shared<Connection>(
      std::move(socket),
      Connection::Callbacks{[this](std::span<const std::uint8_t> packet) { on_packet(packet); },
                            [this](std::span<const std::uint8_t> bytes) { return answer_legacy_ping(bytes); },
                            [this](const std::string& reason, bool is_malformed) {
                              if (is_malformed) server_.count_malformed(remote(), reason);
                              // Not at once: the caller may be walking over all sessions.
                              server_.post([self = shared_from_this(), reason] { self->closed(reason); });
                            }});
}

void Session::start() { connection_->start(); }

void Session::send(const protocol::SharedFrame& frame) {
  connection_->queue(frame);
  server_.mark_unflushed(*this);
}

void Session::send_bytes(std::span<const std::uint8_t> packet) {
  send(protocol::make_frame(packet, threshold_));
}

template <class P, class F>
void Session::with(std::span<const std::uint8_t> body, F handle) {
  Result<P> packet = protocol::decode<P>(body);
  if (!packet.ok()) {
    malformed(packet.error().message);
    return;
  }
  handle(*packet);
}

template <class P>
void Session::check_and_forward(std::span<const std::uint8_t> body, std::span<const std::uint8_t> packet) {
  with<P>(body, [&](const P&) { forward(packet); });
}

void Session::on_packet(std::span<const std::uint8_t> packet) {
  const auto view = protocol::split_packet(packet);
  if (!view.ok()) {
    malformed(view.error().message);
    return;
  }
  switch (state_) {
    case State::kHandshake:
      on_handshake(view->id, view->body);
      return;
    case State::kStatus:
      on_status(view->id, view->body);
      return;
    case State::kLogin:
    case State::kLoginAcknowledge:
      on_login(view->id, view->body);
      return;
    case State::kConfiguration:
      on_configuration(view->id, view->body);
      return;
    case State::kPlay:
      on_play(view->id, view->body, packet);
      return;
    case State::kClosed:
      return;
  }
}

void Session::malformed(const std::string& what) {
  server_.count_malformed(remote(), what);
  disconnect(Component::literal("Malformed packet: " + what));
}

void Session::disconnect(const Component& reason) {
  if (state_ == State::kClosed) return;
  switch (state_) {
    case State::kLogin:
    case State::kLoginAcknowledge:
      send_packet(protocol::login::clientbound::LoginDisconnect{reason.to_json()});
      break;
    case State::kConfiguration:
      send_packet(protocol::configuration::clientbound::Disconnect{reason.to_nbt()});
      break;
    case State::kPlay:
      send_packet(out::Disconnect{reason.to_nbt()});
      break;
    default:
      break;
  }
  connection_->close_after_flush();
  server_.post([self = shared_from_this(), plain = reason.to_plain()] { self->closed(plain); });
}

void Session::closed(const std::string& reason) {
  if (state_ == State::kClosed) return;
  const State before = state_;
  state_ = State::kClosed;
  connection_->close_after_flush();
  if (before == State::kConfiguration || before == State::kPlay) {
    spdlog::info("{} lost connection: {}", name_, reason);
  }
  if (before == State::kPlay) {
    if (link::Message* message = server_.message_to(home_)) {
      message->mutable_leave()->set_session(id_);
      message->mutable_leave()->set_hop(hop_);
    }
    server_.view().remove_viewer(*this);
  }
  server_.session_closed(*this, before == State::kPlay && is_visible_);
}

// --- Handshake, status, login --------------------------------------------

bool Session::answer_legacy_ping(std::span<const std::uint8_t> bytes) {
  if (bytes.empty() || bytes[0] != 0xfe) return false;
  // 0xff, length in UTF-16 units, then "§1", protocol, version, motd, players and the maximum between NULs;
  // the form before 1.4 has no version and "§" between the parts.
  std::u16string answer;
  const auto append = [&](std::string_view part) {
    for (const char c : part)
      answer.push_back(static_cast<unsigned char>(c) < 0x80 ? static_cast<char16_t>(c) : u'?');
  };
  const std::string online = std::to_string(server_.online_count());
  const std::string most = std::to_string(server_.settings().max_players);
  if (bytes.size() > 1 && bytes[1] == 0x01) {
    answer = u"\u00a71";
    for (const std::string_view part :
         {std::string_view("127"), game::kVersionName, std::string_view(server_.settings().motd),
          std::string_view(online), std::string_view(most)}) {
      answer.push_back(u'\0');
      append(part);
    }
  } else {
    append(server_.settings().motd);
    answer.push_back(u'\u00a7');
    append(online);
    answer.push_back(u'\u00a7');
    append(most);
  }
  protocol::Writer w;
  w.u8(0xff);
  w.u16(static_cast<std::uint16_t>(answer.size()));
  for (const char16_t unit : answer) w.u16(static_cast<std::uint16_t>(unit));
  connection_->queue_raw(w.take());
  connection_->close_after_flush();
  server_.post([self = shared_from_this()] { self->closed("legacy ping"); });
  return true;
}

void Session::on_handshake(std::int32_t id, std::span<const std::uint8_t> body) {
  using protocol::handshake::serverbound::Intention;
  if (id != Intention::kId) {
    malformed("handshake: unknown packet id " + std::to_string(id));
    return;
  }
  with<Intention>(body, [&](const Intention& p) {
    if (p.next_state == protocol::handshake::serverbound::kNextStatus) {
      state_ = State::kStatus;
    } else if (p.next_state == protocol::handshake::serverbound::kNextLogin ||
               p.next_state == protocol::handshake::serverbound::kNextTransfer) {
      state_ = State::kLogin;
      if (p.protocol_version != game::kProtocolVersion) {
        disconnect(Component::translate(p.protocol_version < game::kProtocolVersion
                                            ? "multiplayer.disconnect.outdated_client"
                                            : "multiplayer.disconnect.incompatible",
                                        {Component::literal(game::kVersionName)}));
      }
    } else {
      malformed("intention.next_state: no such state: " + std::to_string(p.next_state));
    }
  });
}

void Session::on_status(std::int32_t id, std::span<const std::uint8_t> body) {
  namespace status = protocol::status;
  if (id == status::serverbound::StatusRequest::kId) {
    with<status::serverbound::StatusRequest>(
        body, [&](const auto&) { send_packet(status::clientbound::StatusResponse{server_.status_json()}); });
  } else if (id == status::serverbound::PingRequest::kId) {
    with<status::serverbound::PingRequest>(body, [&](const auto& p) {
      send_packet(status::clientbound::PongResponse{p.time});
      connection_->close_after_flush();
      server_.post([self = shared_from_this()] { self->closed("pinged"); });
    });
  } else {
    malformed("status: unknown packet id " + std::to_string(id));
  }
}

void Session::on_login(std::int32_t id, std::span<const std::uint8_t> body) {
  namespace login = protocol::login;
  if (id == login::serverbound::Hello::kId && state_ == State::kLogin && name_.empty()) {
    with<login::serverbound::Hello>(body, [&](const auto& p) {
      if (!is_allowed_name(p.name)) {
        malformed("hello.name: not a player's name");
        return;
      }
      name_ = p.name;
      uuid_ = offline_uuid(name_);
      if (const auto refused = server_.refuse_login(*this)) {
        disconnect(*refused);
        return;
      }
      const std::int32_t threshold = server_.settings().compression_threshold;
      if (threshold >= 0) {
        send_packet(login::clientbound::LoginCompression{threshold});
        threshold_ = threshold;
        connection_->set_threshold(threshold);
      }
      login::clientbound::LoginFinished finished;
      finished.uuid = uuid_;
      finished.name = name_;
      send_packet(finished);
      state_ = State::kLoginAcknowledge;
    });
  } else if (id == login::serverbound::LoginAcknowledged::kId && state_ == State::kLoginAcknowledge) {
    with<login::serverbound::LoginAcknowledged>(body, [&](const auto&) { begin_configuration(); });
  } else {
    malformed("login: unexpected packet id " + std::to_string(id));
  }
}

// --- Configuration -------------------------------------------------------

void Session::begin_configuration() {
  namespace configuration = protocol::configuration;
  state_ = State::kConfiguration;
  server_.keep_one_session(*this);
  protocol::Writer brand;
  brand.string("horizon");
  send_packet(configuration::clientbound::CustomPayload{"minecraft:brand", brand.take()});
  send_packet(configuration::clientbound::UpdateEnabledFeatures{{"minecraft:vanilla"}});
  send_packet(
      configuration::clientbound::SelectKnownPacks{{{"minecraft", "core", std::string(game::kVersionName)}}});
}

void Session::send_registries() {
  for (const protocol::SharedFrame& frame : server_.configuration_frames(knows_core_pack_)) send(frame);
  send_packet(protocol::configuration::clientbound::FinishConfiguration{});
}

void Session::apply_settings(const protocol::ClientSettings& settings) {
  settings_ = settings;
  player_.set_skin_parts(settings.skin_parts);
  player_.set_main_hand(static_cast<std::uint32_t>(settings.main_hand));
  if (state_ != State::kPlay) return;
  const std::int32_t wanted =
      std::clamp<std::int32_t>(settings.view_distance, kMinViewDistance, server_.settings().view_distance);
  if (wanted != radius) server_.view().set_centre(*this, centre, wanted);
}

void Session::on_configuration(std::int32_t id, std::span<const std::uint8_t> body) {
  namespace serverbound = protocol::configuration::serverbound;
  switch (id) {
    case serverbound::ClientInformation::kId:
      with<serverbound::ClientInformation>(body, [&](const auto& p) { apply_settings(p); });
      return;
    case serverbound::SelectKnownPacks::kId:
      with<serverbound::SelectKnownPacks>(body, [&](const auto& p) {
        if (registries_sent_) return;
        registries_sent_ = true;
        knows_core_pack_ = std::any_of(p.packs.begin(), p.packs.end(), [](const auto& pack) {
          return pack.space == "minecraft" && pack.id == "core" && pack.version == game::kVersionName;
        });
        send_registries();
      });
      return;
    case serverbound::FinishConfiguration::kId:
      with<serverbound::FinishConfiguration>(body, [&](const auto&) {
        if (!registries_sent_) {
          malformed("finish_configuration: before the registries were sent");
          return;
        }
        begin_play();
      });
      return;
    case serverbound::CustomPayload::kId:
      with<serverbound::CustomPayload>(body, [](const auto&) {});
      return;
    case serverbound::KeepAlive::kId:
      with<serverbound::KeepAlive>(body, [](const auto&) {});
      return;
    case serverbound::Pong::kId:
      with<serverbound::Pong>(body, [](const auto&) {});
      return;
    case serverbound::ResourcePack::kId:
      with<serverbound::ResourcePack>(body, [](const auto&) {});
      return;
    case serverbound::CookieResponse::kId:
      with<serverbound::CookieResponse>(body, [](const auto&) {});
      return;
    default:
      malformed("configuration: unknown packet id " + std::to_string(id));
  }
}

// --- Play: joining -------------------------------------------------------

void Session::begin_play() {
  state_ = State::kPlay;
  const BlockPos spawn = server_.spawn();
  player_.set_uuid_high(uuid_.high);
  player_.set_uuid_low(uuid_.low);
  player_.set_name(name_);
  player_.set_entity_id(server_.next_entity_id());
  player_.mutable_position()->set_x(spawn.x + 0.5);
  player_.mutable_position()->set_y(spawn.y);
  player_.mutable_position()->set_z(spawn.z + 0.5);
  player_.set_game_mode(static_cast<std::uint32_t>(server_.settings().game_mode));
  player_.set_last_block_sequence(-1);
  own_entity = player_.entity_id();
  centre = {spawn.x >> 4, spawn.z >> 4};
  keep_alive_at_ = std::chrono::steady_clock::now() + kKeepAlive;
  spdlog::info("{}[{}] logged in with entity id {} at ({}, {}, {})", name_, remote(), own_entity,
               player_.position().x(), player_.position().y(), player_.position().z());
  send_join_packets();
  server_.view().add_viewer(*this);
  server_.view().set_centre(
      *this, centre,
      std::clamp<std::int32_t>(
          settings_.view_distance == 0 ? server_.settings().view_distance : settings_.view_distance,
          kMinViewDistance, server_.settings().view_distance));
  hop_ = server_.next_hop(uuid_);
  try_rejoin();
}

void Session::send_join_packets() {
  const Settings& settings = server_.settings();
  out::Login login;
  login.entity_id = own_entity;
  login.hardcore = settings.hardcore;
  login.dimensions = {"minecraft:overworld"};
  login.max_players = settings.max_players;
  login.view_distance = settings.view_distance;
  login.simulation_distance = settings.simulation_distance;
  login.spawn.dimension_type =
      game::find_registry_entry("minecraft:dimension_type", "minecraft:overworld").value_or(0);
  login.spawn.dimension = "minecraft:overworld";
  login.spawn.hashed_seed = server_.hashed_seed();
  login.spawn.game_mode = static_cast<std::int8_t>(player_.game_mode());
  login.spawn.is_flat = settings.is_flat;
  login.spawn.sea_level = settings.is_flat ? -63 : 63;
  send_packet(login);
  send_packet(out::ChangeDifficulty{settings.difficulty, false});
  out::PlayerAbilities abilities;
  abilities.flags = player_.game_mode() == 1 ? 1 | 4 | 8 : player_.game_mode() == 3 ? 1 | 2 | 4 : 0;
  send_packet(abilities);
  send_packet(out::SetHeldSlot{static_cast<std::int32_t>(player_.held_slot())});
  send(server_.commands_frame());
  send_packet(out::ServerData{Component::literal(settings.motd).to_nbt(), std::nullopt});
  server_.announce(*this);
  is_visible_ = true;
  const BlockPos spawn = server_.spawn();
  send(server_.time_frame());
  out::SetDefaultSpawnPosition spawn_packet;
  spawn_packet.pos = {"minecraft:overworld", spawn};
  send_packet(spawn_packet);
  send_packet(out::GameEvent{kLevelChunksLoadStart, 0});
  out::ContainerSetContent inventory;
  inventory.state_id = 1;
  inventory.items.resize(kInventorySlots);
  send_packet(inventory);
  send_packet(out::SetHealth{20, 20, 5});
  send_packet(out::SetExperience{});
  send_packet(out::TickingState{});
}

void Session::try_rejoin() {
  if (state_ != State::kPlay || !is_homeless_) return;
  const View::Place at = place();
  const ShardId owner = server_.owner_of(at.position.chunk());
  if (!server_.is_linked(owner)) return;
  home_ = owner;
  is_homeless_ = false;
  player_.mutable_position()->set_x(at.position.x);
  player_.mutable_position()->set_y(at.position.y);
  player_.mutable_position()->set_z(at.position.z);
  player_.set_yaw(at.yaw);
  player_.set_pitch(at.pitch);
  send_join();
}

void Session::send_join() {
  link::Message* message = server_.message_to(home_);
  link::Join& join = *message->mutable_join();
  join.set_session(id_);
  join.set_hop(hop_);
  *join.mutable_player() = player_;
}

void Session::home_lost() {
  if (state_ != State::kPlay) return;
  is_homeless_ = true;
  hop_ = server_.next_hop(uuid_);
  // What the lost home had not applied relies on a place that it may not have told.
  unapplied_.clear();
  next_input_ = 1;
  try_rejoin();
}

View::Place Session::place() const {
  if (const auto seen = server_.view().place(own_entity)) return *seen;
  return {{player_.position().x(), player_.position().y(), player_.position().z()},
          player_.yaw(),
          player_.pitch()};
}

void Session::moved_to(ChunkPos chunk) {
  if (state_ == State::kPlay && chunk != centre) server_.view().set_centre(*this, chunk, radius);
}

// --- Play: what the home says --------------------------------------------

void Session::input_applied(const link::InputAck& ack) {
  if (ack.hop() != hop_) return;
  while (!unapplied_.empty() && unapplied_.front().number() <= ack.number()) unapplied_.pop_front();
}

void Session::handed_off(const link::HandedOff& message) {
  if (message.hop() < hop_) {
    // A copy from before its home was given up for lost.
    if (link::Message* leave = server_.message_to(message.shard())) {
      leave->mutable_leave()->set_session(id_);
      leave->mutable_leave()->set_hop(message.hop());
    }
    return;
  }
  if (message.hop() == hop_) return;
  home_ = message.shard();
  hop_ = message.hop();
  server_.remember_hop(uuid_, hop_);
  while (!unapplied_.empty() && unapplied_.front().number() <= message.last_number()) unapplied_.pop_front();
  if (!server_.is_linked(home_)) {
    home_lost();
    return;
  }
  for (link::Input& input : unapplied_) {
    input.set_hop(hop_);
    send_input(input);
  }
}

void Session::checkpoint(const link::Checkpoint& message) {
  if (message.hop() == hop_) player_ = message.player();
}

void Session::player_packet(const std::string& packet) {
  if (state_ == State::kPlay)
    send_bytes({reinterpret_cast<const std::uint8_t*>(packet.data()), packet.size()});
}

void Session::send_input(const link::Input& input) {
  if (link::Message* message = server_.message_to(home_)) *message->mutable_input() = input;
}

void Session::forward(std::span<const std::uint8_t> packet) {
  if (is_homeless_) return;
  if (unapplied_.size() >= kMaxUnapplied) {
    disconnect(Component::translate("disconnect.spam"));
    return;
  }
  link::Input& input = unapplied_.emplace_back();
  input.set_session(id_);
  input.set_hop(hop_);
  input.set_number(next_input_++);
  input.set_packet(packet.data(), packet.size());
  send_input(input);
}

// --- Play: what the client says ------------------------------------------

void Session::on_play(std::int32_t id, std::span<const std::uint8_t> body,
                      std::span<const std::uint8_t> packet) {
  switch (id) {
    case in::MovePlayerPos::kId:
      return check_and_forward<in::MovePlayerPos>(body, packet);
    case in::MovePlayerPosRot::kId:
      return check_and_forward<in::MovePlayerPosRot>(body, packet);
    case in::MovePlayerRot::kId:
      return check_and_forward<in::MovePlayerRot>(body, packet);
    case in::MovePlayerStatusOnly::kId:
      return check_and_forward<in::MovePlayerStatusOnly>(body, packet);
    case in::AcceptTeleportation::kId:
      return check_and_forward<in::AcceptTeleportation>(body, packet);
    case in::PlayerAction::kId:
      return check_and_forward<in::PlayerAction>(body, packet);
    case in::UseItemOn::kId:
      return check_and_forward<in::UseItemOn>(body, packet);
    case in::UseItem::kId:
      return check_and_forward<in::UseItem>(body, packet);
    case in::Swing::kId:
      return check_and_forward<in::Swing>(body, packet);
    case in::SetCarriedItem::kId:
      return check_and_forward<in::SetCarriedItem>(body, packet);
    case in::SetCreativeModeSlot::kId:
      return check_and_forward<in::SetCreativeModeSlot>(body, packet);
    case in::PlayerCommand::kId:
      return check_and_forward<in::PlayerCommand>(body, packet);
    case in::PlayerInput::kId:
      return check_and_forward<in::PlayerInput>(body, packet);
    case in::PlayerAbilities::kId:
      return check_and_forward<in::PlayerAbilities>(body, packet);
    case in::ClientInformation::kId:
      with<in::ClientInformation>(body, [&](const auto& p) {
        apply_settings(p);
        forward(packet);
      });
      return;
    case in::KeepAlive::kId:
      with<in::KeepAlive>(body, [&](const auto& p) {
        if (!keep_alive_pending_ || p.id != keep_alive_id_) {
          disconnect(Component::translate("disconnect.timeout"));
          return;
        }
        keep_alive_pending_ = false;
        const auto now = std::chrono::steady_clock::now();
        const auto sample =
            std::chrono::duration_cast<std::chrono::milliseconds>(now - keep_alive_at_ + kKeepAlive);
        latency_ms_ = (latency_ms_ * 3 + static_cast<std::int32_t>(sample.count())) / 4;
      });
      return;
    case in::ChunkBatchReceived::kId:
      with<in::ChunkBatchReceived>(body, [&](const auto& p) { pacer.acknowledge(p.chunks_per_tick); });
      return;
    case in::PingRequest::kId:
      with<in::PingRequest>(body, [&](const auto& p) { send_packet(out::PongResponse{p.time}); });
      return;
    case in::Chat::kId:
      with<in::Chat>(body, [&](const auto& p) { on_chat(p); });
      return;
    case in::ChatCommand::kId:
      with<in::ChatCommand>(body, [&](const auto& p) {
        chat_heat_ += kChatHeat;
        server_.run_command(this, p.command);
      });
      return;
    case in::ChatCommandSigned::kId:
      with<in::ChatCommandSigned>(body, [&](const auto& p) {
        chat_heat_ += kChatHeat;
        server_.run_command(this, p.command);
      });
      return;
    case in::ClientTickEnd::kId:
      with<in::ClientTickEnd>(body, [](const auto&) {});
      return;
    case in::PlayerLoaded::kId:
      with<in::PlayerLoaded>(body, [](const auto&) {});
      return;
    case in::CustomPayload::kId:
      with<in::CustomPayload>(body, [](const auto&) {});
      return;
    case in::Pong::kId:
      with<in::Pong>(body, [](const auto&) {});
      return;
    case in::ChatAck::kId:
      with<in::ChatAck>(body, [](const auto&) {});
      return;
    case in::ChatSessionUpdate::kId:
      with<in::ChatSessionUpdate>(body, [](const auto&) {});
      return;
    case in::CommandSuggestion::kId:
      with<in::CommandSuggestion>(body, [](const auto&) {});
      return;
    case in::ContainerClose::kId:
      with<in::ContainerClose>(body, [](const auto&) {});
      return;
    case in::ContainerClick::kId:
      with<in::ContainerClick>(body, [](const auto&) {});
      return;
    case in::ClientCommand::kId:
      with<in::ClientCommand>(body, [](const auto&) {});
      return;
    case in::Interact::kId:
      with<in::Interact>(body, [](const auto&) {});
      return;
    case in::Attack::kId:
      with<in::Attack>(body, [](const auto&) {});
      return;
    default:
      // Known to the protocol, of no effect here yet; anything above its last id is not a packet.
      if (id < 0 || id >= protocol::v775::play::serverbound::kCount) {
        malformed("play: unknown packet id " + std::to_string(id));
      }
  }
}

void Session::on_chat(const in::Chat& chat) {
  if (!is_allowed_in_chat(chat.message)) {
    disconnect(Component::translate("multiplayer.disconnect.illegal_characters"));
    return;
  }
  chat_heat_ += kChatHeat;
  if (chat_heat_ > kMaxChatHeat) {
    disconnect(Component::translate("disconnect.spam"));
    return;
  }
  server_.chat(*this, chat.message);
}

void Session::tick(std::chrono::steady_clock::time_point now) {
  if (state_ == State::kClosed) return;
  if (state_ != State::kPlay) {
    if (now - opened_at_ > kLoginTimeout)
      disconnect(Component::translate("multiplayer.disconnect.slow_login"));
    return;
  }
  chat_heat_ = std::max(0, chat_heat_ - 1);
  if (now < keep_alive_at_) return;
  if (keep_alive_pending_) {
    disconnect(Component::translate("disconnect.timeout"));
    return;
  }
  keep_alive_pending_ = true;
  keep_alive_at_ = now + kKeepAlive;
  keep_alive_id_ = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  send_packet(out::KeepAlive{keep_alive_id_});
}

}  // namespace horizon::proxy
