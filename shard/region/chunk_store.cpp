#include "shard/region/chunk_store.hpp"

#include <zlib.h>

#include <algorithm>
#include <string>
#include <utility>

#include "common/game/game.hpp"
#include "common/protocol/frame.hpp"
#include "common/protocol/play.hpp"

namespace horizon::shard {
namespace {

constexpr std::uint32_t kAllLightSections = (1U << world::kLightSections) - 1;
/// Repairs of what players see come before chunks that they are yet to see.
constexpr std::uint32_t kRelightPriority = 1;
constexpr std::uint32_t kLoadPriority = 2;

struct Encoded {
  std::uint32_t content = 0;
  std::string frame;
  std::string body;
};

Encoded encode_snapshot(const world::Chunk& chunk, std::int32_t threshold, bool for_proxy, bool for_shard) {
  Encoded out;
  const std::vector<std::uint8_t> body = world::encode_chunk_packet(chunk);
  out.content = static_cast<std::uint32_t>(crc32(0, body.data(), static_cast<uInt>(body.size())));
  if (for_proxy) {
    protocol::Writer packet(body.size() + 4);
    packet.varint(protocol::play::clientbound::LevelChunkWithLight::kId);
    packet.bytes(body);
    const protocol::SharedFrame frame = protocol::make_frame(packet.view(), threshold);
    out.frame.assign(frame->begin(), frame->end());
  }
  if (for_shard) out.body.assign(body.begin(), body.end());
  return out;
}

}  // namespace

ChunkStore::ChunkStore(ShardId self, std::int32_t compression_threshold, const ChunkGenerator& generator,
                       Jobs& jobs, Outbox& outbox, const OwnershipMap& ownership)
    : self_(self),
      compression_threshold_(compression_threshold),
      terrain_(generator),
      jobs_(jobs),
      outbox_(outbox),
      ownership_(ownership),
      light_([this](ChunkPos pos) { return writable(pos); }) {}

const world::Chunk* ChunkStore::chunk(ChunkPos pos) const {
  if (const auto it = own_.find(pos); it != own_.end())
    return it->second.chunk ? &*it->second.chunk : nullptr;
  if (const auto it = replicas_.find(pos); it != replicas_.end() && it->second.chunk)
    return &*it->second.chunk;
  return nullptr;
}

world::Chunk* ChunkStore::writable(ChunkPos pos) { return const_cast<world::Chunk*>(chunk(pos)); }

bool ChunkStore::owns(ChunkPos pos) const {
  const auto entry = ownership_.find(pos);
  return entry && entry->shard == self_;
}

void ChunkStore::mark_dirty(ChunkPos pos, Own& own) {
  if (own.is_dirty) return;
  own.is_dirty = true;
  dirty_.push_back(pos);
}

bool ChunkStore::set_block(BlockPos pos, BlockState state) {
  const ChunkPos at = ChunkPos::of(pos);
  HZ_CHECK(owns(at));
  const auto it = own_.find(at);
  if (it == own_.end() || !it->second.chunk || pos.y < kMinY || pos.y > kMaxY) return false;
  Own& own = it->second;
  const BlockState before = own.chunk->set_block(pos, state);
  if (before == state) return true;
  own.changed.push_back(pos);
  own.last_edit = ++edits_;
  own.is_modified = true;
  mark_dirty(at, own);
  light_.block_changed(pos, before, state);
  return true;
}

// --- Subscriptions -------------------------------------------------------

void ChunkStore::follow(LinkId link, ChunkPos pos) {
  std::vector<LinkId>& links = interest_[pos].links;
  if (std::find(links.begin(), links.end(), link) == links.end()) links.push_back(link);
}

void ChunkStore::unfollow(LinkId link, ChunkPos pos) {
  const auto it = interest_.find(pos);
  if (it == interest_.end()) return;
  std::erase(it->second.links, link);
  if (it->second.links.empty()) interest_.erase(it);
}

std::span<const LinkId> ChunkStore::followers(ChunkPos pos) const {
  const auto it = interest_.find(pos);
  if (it == interest_.end()) return {};
  return it->second.links;
}

void ChunkStore::subscribe(LinkId link, const link::Subscribe& request) {
  const ChunkPos pos = ChunkPos::unpack(request.chunk());
  follow(link, pos);
  if (request.entities_only()) return;
  const auto entry = ownership_.find(pos);
  if (!entry || entry->shard != self_ || request.epoch() < entry->epoch) return;
  Own& own = own_[pos];
  own.distance = std::min(own.distance, request.distance());
  own.unfollowed_since = -1;
  const auto known = std::find_if(own.subscribers.begin(), own.subscribers.end(),
                                  [&](const Subscriber& s) { return s.link == link; });
  if (known != own.subscribers.end()) return;
  own.subscribers.push_back({link, true});
  if (link.is_proxy) adjust_margin(pos, 1);
  if (own.chunk) {
    start_encode(pos, own);
  } else if (!own.cancelled) {
    start_load(pos, own);
  }
}

void ChunkStore::unsubscribe(LinkId link, ChunkPos pos) {
  unfollow(link, pos);
  const auto it = own_.find(pos);
  if (it == own_.end()) return;
  Own& own = it->second;
  const auto known = std::find_if(own.subscribers.begin(), own.subscribers.end(),
                                  [&](const Subscriber& s) { return s.link == link; });
  if (known == own.subscribers.end()) return;
  own.subscribers.erase(known);
  if (link.is_proxy) adjust_margin(pos, -1);
  if (!own.subscribers.empty()) return;
  own.distance = 255;
  if (!own.chunk) {
    if (own.cancelled) own.cancelled->store(true, std::memory_order_relaxed);  // a hint: no data goes with it
    own_.erase(it);
  } else {
    own.unfollowed_since = 0;
    newly_unfollowed_.push_back(pos);
  }
}

void ChunkStore::drop_link(LinkId link) {
  std::vector<ChunkPos> followed;
  for (const auto& [pos, interest] : interest_) {
    if (std::find(interest.links.begin(), interest.links.end(), link) != interest.links.end())
      followed.push_back(pos);
  }
  for (const ChunkPos pos : followed) unsubscribe(link, pos);
  if (link.is_proxy) return;
  // Its blocks stay readable until it comes back and says what stands there now.
  for (auto& [pos, replica] : replicas_) {
    if (replica.asked == link.id) replica.asked = -1;
  }
}

void ChunkStore::adjust_margin(ChunkPos pos, std::int32_t by) {
  for (std::int32_t dx = -kMarginChunks; dx <= kMarginChunks; ++dx) {
    for (std::int32_t dz = -kMarginChunks; dz <= kMarginChunks; ++dz) {
      const ChunkPos near{pos.x + dx, pos.z + dz};
      if (RegionPos::of(near) == RegionPos::of(pos) || owns(near)) continue;
      Replica& replica = replicas_[near];
      replica.views += by;
      if (replica.views > 0) {
        if (by > 0 && replica.asked < 0) ask_for(near, replica);
        continue;
      }
      if (replica.asked >= 0)
        outbox_.add({false, replica.asked}).mutable_unsubscribe()->set_chunk(near.packed());
      replicas_.erase(near);
    }
  }
}

void ChunkStore::ask_for(ChunkPos pos, Replica& replica) {
  const auto entry = ownership_.find(pos);
  if (!entry) {
    outbox_.need_region(RegionPos::of(pos));
    return;
  }
  if (entry->shard == self_) return;
  replica.asked = entry->shard;
  link::Subscribe& request = *outbox_.add({false, entry->shard}).mutable_subscribe();
  request.set_chunk(pos.packed());
  request.set_epoch(entry->epoch);
  request.set_distance(static_cast<std::uint32_t>(kMarginChunks));
}

void ChunkStore::peer_opened(ShardId peer) {
  for (auto& [pos, replica] : replicas_) {
    const auto entry = ownership_.find(pos);
    if (entry && entry->shard == peer) ask_for(pos, replica);
  }
}

void ChunkStore::region_assigned(RegionPos region) {
  const auto entry = ownership_.find(region);
  for (auto it = replicas_.begin(); it != replicas_.end();) {
    if (RegionPos::of(it->first) != region) {
      ++it;
    } else if (entry->shard == self_) {
      it = replicas_.erase(it);
    } else {
      ask_for(it->first, it->second);
      ++it;
    }
  }
}

// --- Loading, light, encoding --------------------------------------------

std::array<std::shared_ptr<const world::Chunk>, 9> ChunkStore::neighbourhood(ChunkPos pos) const {
  std::array<std::shared_ptr<const world::Chunk>, 9> around;
  for (std::int32_t dz = -1; dz <= 1; ++dz) {
    for (std::int32_t dx = -1; dx <= 1; ++dx) {
      const world::Chunk* here = chunk({pos.x + dx, pos.z + dz});
      if (here != nullptr) {
        around[static_cast<std::size_t>((dz + 1) * 3 + dx + 1)] = std::make_shared<const world::Chunk>(*here);
      }
    }
  }
  return around;
}

std::uint64_t ChunkStore::last_edit_around(ChunkPos pos) const {
  std::uint64_t last = 0;
  for (std::int32_t dz = -1; dz <= 1; ++dz) {
    for (std::int32_t dx = -1; dx <= 1; ++dx) {
      const ChunkPos near{pos.x + dx, pos.z + dz};
      if (const auto it = own_.find(near); it != own_.end()) last = std::max(last, it->second.last_edit);
      if (const auto it = replicas_.find(near); it != replicas_.end())
        last = std::max(last, it->second.last_edit);
    }
  }
  return last;
}

void ChunkStore::start_load(ChunkPos pos, Own& own) {
  own.cancelled = std::make_shared<std::atomic<bool>>(false);
  submit_light(pos, own.distance + kLoadPriority, own.cancelled);
}

void ChunkStore::start_relight(ChunkPos pos) { submit_light(pos, kRelightPriority, nullptr); }

void ChunkStore::submit_light(ChunkPos pos, std::uint32_t priority,
                              std::shared_ptr<std::atomic<bool>> cancelled) {
  jobs_.submit(priority,
               [this, pos, around = neighbourhood(pos), edits = edits_,
                cancelled = std::move(cancelled)]() mutable -> Jobs::Completion {
                 if (cancelled && cancelled->load(std::memory_order_relaxed)) return {};
                 std::array<const world::Chunk*, 9> blocks{};
                 for (std::size_t i = 0; i < around.size(); ++i) {
                   if (!around[i]) {
                     const auto offset = static_cast<std::int32_t>(i);
                     around[i] = terrain_.get({pos.x + offset % 3 - 1, pos.z + offset / 3 - 1});
                   }
                   blocks[i] = around[i].get();
                 }
                 world::Chunk lit = *around[4];
                 light_chunk(blocks, lit);
                 return [this, pos, lit = std::move(lit), edits, cancelled = std::move(cancelled)]() mutable {
                   const bool is_load = cancelled != nullptr;
                   if (!is_load || !cancelled->load(std::memory_order_relaxed))
                     finish_light(pos, std::move(lit), edits, is_load);
                 };
               });
}

void ChunkStore::finish_light(ChunkPos pos, world::Chunk lit, std::uint64_t edits_seen, bool is_load) {
  const auto it = own_.find(pos);
  if (it == own_.end() || is_load == it->second.chunk.has_value()) return;
  Own& own = it->second;
  // Something around changed while the worker looked at copies.
  const bool is_stale = last_edit_around(pos) > edits_seen;
  if (!is_load) {
    if (is_stale) {
      start_relight(pos);
      return;
    }
    own.chunk->sky_light() = lit.sky_light();
    own.chunk->block_light() = lit.block_light();
    own.light = {kAllLightSections, kAllLightSections};
    mark_dirty(pos, own);
    return;
  }
  if (is_stale) {
    start_load(pos, own);
    return;
  }
  own.chunk = std::move(lit);
  own.cancelled.reset();
  own.revision = 1;
  start_encode(pos, own);
}

void ChunkStore::start_encode(ChunkPos pos, Own& own) {
  bool for_proxy = false;
  bool for_shard = false;
  for (const Subscriber& s : own.subscribers) {
    if (s.waits) (s.link.is_proxy ? for_proxy : for_shard) = true;
  }
  ++own.encodes;
  jobs_.submit(own.distance,
               [this, pos, snapshot = *own.chunk, revision = own.revision, for_proxy, for_shard]() {
                 Encoded encoded = encode_snapshot(snapshot, compression_threshold_, for_proxy, for_shard);
                 return Jobs::Completion(
                     [this, pos, revision, encoded = std::move(encoded), for_proxy, for_shard]() mutable {
                       const auto it = own_.find(pos);
                       if (it == own_.end() || !it->second.chunk) return;
                       Own& loaded = it->second;
                       for (Subscriber& s : loaded.subscribers) {
                         if (!s.waits || !(s.link.is_proxy ? for_proxy : for_shard)) continue;
                         s.waits = false;
                         link::ChunkSnapshot& out = *outbox_.add(s.link).mutable_chunk_snapshot();
                         out.set_chunk(pos.packed());
                         out.set_epoch(ownership_.find(pos)->epoch);
                         out.set_revision(revision);
                         out.set_content(encoded.content);
                         if (s.link.is_proxy) {
                           out.set_frame(encoded.frame);
                         } else {
                           out.set_body(encoded.body);
                         }
                         for (const link::ChunkDelta& delta : loaded.since_encode) {
                           if (delta.revision() > revision)
                             *outbox_.add(s.link).mutable_chunk_delta() = delta;
                         }
                       }
                       if (--loaded.encodes == 0) loaded.since_encode.clear();
                     });
               });
}

// --- Publication ---------------------------------------------------------

void ChunkStore::publish() {
  for (const auto& [pos, sections] : light_.run()) {
    const auto it = own_.find(pos);
    if (it == own_.end() || !it->second.chunk) continue;
    it->second.light.sky_sections |= sections.sky_sections;
    it->second.light.block_sections |= sections.block_sections;
    mark_dirty(pos, it->second);
  }
  for (const ChunkPos pos : dirty_) {
    const auto it = own_.find(pos);
    if (it == own_.end() || !it->second.chunk) continue;
    Own& own = it->second;
    own.is_dirty = false;
    link::ChunkDelta delta;
    delta.set_chunk(pos.packed());
    delta.set_epoch(ownership_.find(pos)->epoch);
    delta.set_revision(++own.revision);
    std::sort(own.changed.begin(), own.changed.end());
    own.changed.erase(std::unique(own.changed.begin(), own.changed.end()), own.changed.end());
    for (const BlockPos block : own.changed) {
      link::BlockChange& change = *delta.add_blocks();
      change.set_x(block.x);
      change.set_y(block.y);
      change.set_z(block.z);
      change.set_state(own.chunk->block(block));
    }
    own.changed.clear();
    if (own.light.sky_sections != 0 || own.light.block_sections != 0) {
      const std::vector<std::uint8_t> body =
          world::encode_light_update(*own.chunk, own.light.sky_sections, own.light.block_sections);
      delta.set_light(body.data(), body.size());
      own.light = {};
    }
    for (const Subscriber& s : own.subscribers) {
      if (!s.waits) *outbox_.add(s.link).mutable_chunk_delta() = delta;
    }
    if (own.encodes > 0) own.since_encode.push_back(std::move(delta));
  }
  dirty_.clear();
}

void ChunkStore::receive_snapshot(LinkId from, const link::ChunkSnapshot& snapshot) {
  const ChunkPos pos = ChunkPos::unpack(snapshot.chunk());
  const auto it = replicas_.find(pos);
  if (it == replicas_.end() || it->second.asked != from.id) return;
  Replica& replica = it->second;
  const std::string& body = snapshot.body();
  Result<world::Chunk> chunk =
      world::decode_chunk_packet({reinterpret_cast<const std::uint8_t*>(body.data()), body.size()});
  if (!chunk.ok()) return;
  const bool replaces = replica.chunk.has_value();
  replica.chunk = std::move(chunk).value();
  replica.revision = snapshot.revision();
  if (snapshot.revision() == 1 && !replaces) return;
  // Other blocks than the seed gives: light computed from the seed's is wrong next to them.
  replica.last_edit = ++edits_;
  for (std::int32_t dz = -1; dz <= 1; ++dz) {
    for (std::int32_t dx = -1; dx <= 1; ++dx) {
      const ChunkPos near{pos.x + dx, pos.z + dz};
      if (const auto own = own_.find(near); own != own_.end() && own->second.chunk) start_relight(near);
    }
  }
}

void ChunkStore::receive_delta(LinkId from, const link::ChunkDelta& delta) {
  const auto it = replicas_.find(ChunkPos::unpack(delta.chunk()));
  if (it == replicas_.end() || it->second.asked != from.id || !it->second.chunk) return;
  Replica& replica = it->second;
  if (delta.revision() <= replica.revision) return;
  replica.revision = delta.revision();
  for (const link::BlockChange& change : delta.blocks()) {
    const BlockPos pos{change.x(), change.y(), change.z()};
    if (ChunkPos::of(pos) != it->first || pos.y < kMinY || pos.y > kMaxY ||
        change.state() >= static_cast<std::uint32_t>(game::block_state_count())) {
      continue;
    }
    const auto state = static_cast<BlockState>(change.state());
    const BlockState before = replica.chunk->set_block(pos, state);
    if (before != state) light_.block_changed(pos, before, state);
    replica.last_edit = ++edits_;
  }
}

void ChunkStore::expire(std::int64_t tick) {
  for (const ChunkPos pos : newly_unfollowed_) {
    const auto it = own_.find(pos);
    if (it == own_.end() || it->second.unfollowed_since != 0) continue;
    it->second.unfollowed_since = tick;
    unload_queue_.emplace_back(tick, pos);
  }
  newly_unfollowed_.clear();
  while (!unload_queue_.empty() && unload_queue_.front().first + kUnloadTicks <= tick) {
    const auto [since, pos] = unload_queue_.front();
    unload_queue_.pop_front();
    const auto it = own_.find(pos);
    if (it != own_.end() && it->second.unfollowed_since == since && !it->second.is_modified) own_.erase(it);
    if (own_.empty()) terrain_.clear();
  }
}

}  // namespace horizon::shard
