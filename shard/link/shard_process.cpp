#include "shard/link/shard_process.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace horizon::shard {
namespace {

using SystemClock = std::chrono::system_clock;
constexpr std::chrono::milliseconds kTick{50};
constexpr std::chrono::milliseconds kRedial{200};
/// Behind by more than this, the shard leaves ticks out. Source: the vanilla server warns and skips at 2 s.
constexpr std::int64_t kMaxTicksBehind = 40;
constexpr std::int64_t kReportTicks = 20;
constexpr std::size_t kMaxEarlyBatches = 65536;

}  // namespace

ShardProcess::ShardProcess(ProcessOptions options) : options_(std::move(options)) {}

ShardProcess::~ShardProcess() {
  // Threads first: what they still post finds the inbox alive.
  server_.reset();
  for (auto& [id, peer] : peers_) peer.dialled.reset();
  links_.clear();
  director_.reset();
  workers_.reset();
}

link::Message& ShardProcess::add(LinkId to) {
  const auto it = links_.find(to);
  if (it == links_.end()) {
    // Nobody there: what matters is asked for again when the link opens.
    dropped_.Clear();
    return dropped_;
  }
  return *it->second.outgoing.add_messages();
}

void ShardProcess::flush() {
  for (auto& [id, open] : links_) {
    if (open.outgoing.messages_size() == 0) continue;
    open.stream->send(std::move(open.outgoing));
    open.outgoing = link::Batch();
  }
  for (const RegionPos region : needed_) {
    director::FromShard message;
    message.mutable_need_region()->set_region(region.packed());
    director_->send(message);
  }
  needed_.clear();
}

void ShardProcess::need_region(RegionPos region) {
  if (std::find(needed_.begin(), needed_.end(), region) == needed_.end()) needed_.push_back(region);
}

int ShardProcess::run() {
  server_ = link::StreamServer::start(options_.listen, [this](std::shared_ptr<link::Stream> stream) {
    return callbacks_for(std::make_shared<std::weak_ptr<link::Stream>>(stream));
  });
  if (!server_) {
    spdlog::error("Shard {} cannot listen on {}: is the address in use?", options_.id, options_.listen);
    return 1;
  }
  std::string address = options_.advertise;
  if (address.empty()) {
    address = options_.listen.substr(0, options_.listen.rfind(':')) + ":" + std::to_string(server_->port());
  }
  director_ = DirectorClient::connect(
      options_.director, {[this](director::ToShard&& m) {
                            inbox_.post([this, message = std::make_shared<director::ToShard>(std::move(m))] {
                              handle(*message);
                            });
                          },
                          [this](const std::string& reason) {
                            inbox_.post([this, reason] {
                              if (!stopping_)
                                spdlog::warn("Shard {} lost its director: {}", options_.id, reason);
                              director_lost_ = true;
                            });
                          }});
  director::FromShard hello;
  hello.mutable_register_()->set_shard(options_.id);
  hello.mutable_register_()->set_address(address);
  director_->send(hello);

  std::int64_t tick = -1;
  while (!stopping_ && !director_lost_) {
    const SystemClock::time_point now = SystemClock::now();
    SystemClock::time_point next = now + kTick;
    if (shard_) {
      const std::int64_t due = (now - origin_) / kTick;
      if (tick < 0) tick = due;
      if (due - tick > kMaxTicksBehind) {
        spdlog::warn("Can't keep up! Is the server overloaded? Running {}ms or {} ticks behind",
                     (due - tick) * 50, due - tick);
        tick = due;
      } else if (tick - due > kMaxTicksBehind) {
        spdlog::warn("The clock went back by {} ms; the world goes on from there", (tick - due) * 50);
        tick = due;
      }
      if (tick <= due) {
        shard_->tick(tick);
        if (tick % kReportTicks == 0) report_times();
        ++tick;
      }
      next = origin_ + kTick * tick;
    }
    if (inbox_.run_until(next)) flush();
    for (auto& [id, peer] : peers_) {
      if (id < options_.id && !peer.dialled && SystemClock::now() >= peer.retry_at) dial(id);
    }
  }
  return director_lost_ && !stopping_ ? 1 : 0;
}

// --- Director ------------------------------------------------------------

void ShardProcess::handle(const director::ToShard& message) {
  switch (message.body_case()) {
    case director::ToShard::kWelcome:
      welcome(message.welcome());
      return;
    case director::ToShard::kAssignments:
      if (!shard_) {
        early_assignments_.push_back(message.assignments());
        return;
      }
      for (const director::Assignment& a : message.assignments().assignments()) {
        shard_->assign(RegionPos::unpack(a.region()), {a.shard(), a.epoch()});
      }
      return;
    case director::ToShard::kPeers:
      for (const director::Peer& peer : message.peers().peers()) meet(peer);
      return;
    default:
      return;
  }
}

void ShardProcess::welcome(const director::Welcome& welcome) {
  if (shard_) return;
  origin_ = SystemClock::time_point(std::chrono::milliseconds(welcome.game_time_origin_ms()));
  generator_ =
      make_generator(welcome.level_type() == "flat" ? LevelType::kFlat : LevelType::kNormal, welcome.seed());
  workers_ = std::make_unique<WorkerPool>(options_.workers,
                                          [this](Jobs::Completion done) { inbox_.post(std::move(done)); });
  shard_ = std::make_unique<Shard>(ShardSettings{options_.id, welcome.compression_threshold()}, *generator_,
                                   *workers_, *this);
  director::FromShard ready;
  const BlockPos spawn = generator_->spawn();
  ready.mutable_ready()->set_spawn_x(spawn.x);
  ready.mutable_ready()->set_spawn_y(spawn.y);
  ready.mutable_ready()->set_spawn_z(spawn.z);
  director_->send(ready);
  for (const director::Assignments& early : early_assignments_) {
    for (const director::Assignment& a : early.assignments()) {
      shard_->assign(RegionPos::unpack(a.region()), {a.shard(), a.epoch()});
    }
  }
  early_assignments_.clear();
  auto batches = std::move(early_);
  early_.clear();
  for (auto& [stream, batch] : batches) batch_arrived(stream, std::move(batch));
}

void ShardProcess::meet(const director::Peer& message) {
  if (message.shard() == options_.id) return;
  Peer& peer = peers_[message.shard()];
  if (message.incarnation() <= peer.incarnation) return;
  const bool is_new_process = peer.incarnation != 0;
  peer.address = message.address();
  peer.incarnation = message.incarnation();
  if (is_new_process) {
    close_link({false, message.shard()});
    peer.dialled.reset();
    peer.retry_at = {};
    if (shard_) shard_->peer_restarted(message.shard());
  }
}

// --- Streams -------------------------------------------------------------

void ShardProcess::dial(ShardId id) {
  Peer& peer = peers_[id];
  auto self = std::make_shared<std::weak_ptr<link::Stream>>();
  // The callbacks post to this thread, so that they cannot run before `self` is set.
  peer.dialled = link::open_stream(peer.address, callbacks_for(self));
  *self = peer.dialled;
  link::Batch hello;
  link::Hello& message = *hello.add_messages()->mutable_hello();
  message.set_role(link::Hello::SHARD);
  message.set_id(options_.id);
  peer.dialled->send(std::move(hello));
  open_link({false, id}, peer.dialled);
}

link::Stream::Callbacks ShardProcess::callbacks_for(std::shared_ptr<std::weak_ptr<link::Stream>> self) {
  return {[this, self](link::Batch&& b) {
            inbox_.post([this, self, batch = std::make_shared<link::Batch>(std::move(b))] {
              if (const auto stream = self->lock()) batch_arrived(stream, std::move(*batch));
            });
          },
          [this, self](const std::string& reason) {
            inbox_.post([this, self, reason] {
              if (const auto stream = self->lock()) stream_closed(stream, reason);
            });
          }};
}

void ShardProcess::batch_arrived(const std::shared_ptr<link::Stream>& stream, link::Batch&& batch) {
  if (!shard_) {
    if (early_.size() < kMaxEarlyBatches) early_.emplace_back(stream, std::move(batch));
    return;
  }
  for (link::Message& message : *batch.mutable_messages()) {
    auto it = link_of_.find(stream.get());
    if (message.has_hello()) {
      if (it != link_of_.end()) {
        spdlog::warn("A link said hello twice; it is closed");
        stream->close();
        return;
      }
      open_link({message.hello().role() == link::Hello::PROXY, message.hello().id()}, stream);
      continue;
    }
    if (it == link_of_.end()) {
      spdlog::warn("A link did not say hello first; it is closed");
      stream->close();
      return;
    }
    shard_->receive(it->second, std::move(message));
  }
}

void ShardProcess::open_link(LinkId id, const std::shared_ptr<link::Stream>& stream) {
  close_link(id);
  links_[id].stream = stream;
  link_of_[stream.get()] = id;
  if (shard_) shard_->link_opened(id);
}

void ShardProcess::close_link(LinkId id) {
  const auto it = links_.find(id);
  if (it == links_.end()) return;
  it->second.stream->close();
  link_of_.erase(it->second.stream.get());
  links_.erase(it);
  if (shard_) shard_->link_closed(id);
}

void ShardProcess::stream_closed(const std::shared_ptr<link::Stream>& stream, const std::string& reason) {
  for (auto& [id, peer] : peers_) {
    if (peer.dialled != stream) continue;
    peer.dialled.reset();
    peer.retry_at = SystemClock::now() + kRedial;
  }
  const auto it = link_of_.find(stream.get());
  if (it == link_of_.end()) return;
  const LinkId id = it->second;
  if (!stopping_) spdlog::info("Link to {} {} closed: {}", id.is_proxy ? "proxy" : "shard", id.id, reason);
  close_link(id);
}

void ShardProcess::report_times() {
  const TickTimes::Report report = shard_->times().report();
  for (auto& [id, open] : links_) {
    if (!id.is_proxy) continue;
    link::TickReport& message = *open.outgoing.add_messages()->mutable_tick_report();
    message.set_average_ms(report.average_ms);
    message.set_p50_ms(report.p50_ms);
    message.set_p95_ms(report.p95_ms);
    message.set_p99_ms(report.p99_ms);
    message.set_players(static_cast<std::uint32_t>(shard_->player_count()));
    message.set_chunks(static_cast<std::uint32_t>(shard_->chunks().loaded_chunks()));
    for (const double ms : report.phase_ms) message.add_phase_ms(ms);
  }
  flush();
}

}  // namespace horizon::shard
