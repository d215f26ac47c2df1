#include "proxy/view/view.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace horizon::proxy {
namespace {

namespace out = protocol::play::clientbound;
using protocol::SharedFrame;

/// Chunks around another owner's ground on which a shard may still simulate its entities.
constexpr std::int32_t kOverhangChunks = 2;
constexpr double kUnitsPerBlock = 4096;
/// Movements between two absolute positions. Source: the vanilla server.
constexpr std::int32_t kMovesPerSync = 60;

std::int64_t to_units(double v) { return std::llround(v * kUnitsPerBlock); }

bool fits(std::int64_t v) { return v >= INT16_MIN && v <= INT16_MAX; }

/// The vanilla view: a square without its far corners, one chunk wider than the view distance.
/// Source: behaviour of the vanilla server's chunk tracking.
bool in_view(ChunkPos centre, std::int32_t radius, ChunkPos pos) {
  const std::int64_t dx = std::max(0, std::abs(pos.x - centre.x) - 2);
  const std::int64_t dz = std::max(0, std::abs(pos.z - centre.z) - 2);
  return dx * dx + dz * dz < std::int64_t{radius} * radius;
}

std::span<const std::uint8_t> bytes_of(const std::string& s) {
  return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}

}  // namespace

View::View(Links links, std::int32_t compression_threshold)
    : links_(std::move(links)), threshold_(compression_threshold) {}

void View::add_viewer(Viewer& viewer) { viewers_.push_back(&viewer); }

void View::remove_viewer(Viewer& viewer) {
  std::erase(viewers_, &viewer);
  const auto chunks = std::move(viewer.chunks);
  viewer.chunks.clear();
  for (const auto& [pos, held] : chunks) unwant(viewer, pos, false);
}

std::optional<View::Place> View::place(EntityId id) const {
  const auto it = entities_.find(id);
  if (it == entities_.end()) return std::nullopt;
  return Place{it->second.position, it->second.yaw, it->second.pitch};
}

// --- The area that a viewer sees -----------------------------------------

void View::set_centre(Viewer& viewer, ChunkPos centre, std::int32_t radius) {
  viewer.centre = centre;
  viewer.radius = radius;
  viewer.send(frame(out::SetChunkCacheCenter{centre.x, centre.z}));
  std::vector<ChunkPos> left;
  for (const auto& [pos, held] : viewer.chunks) {
    if (!in_view(centre, radius, pos)) left.push_back(pos);
  }
  for (const ChunkPos pos : left) {
    viewer.chunks.erase(pos);
    unwant(viewer, pos, true);
  }
  const std::int32_t reach = radius + 1;
  std::vector<ChunkPos> entered;
  for (std::int32_t x = centre.x - reach; x <= centre.x + reach; ++x) {
    for (std::int32_t z = centre.z - reach; z <= centre.z + reach; ++z) {
      const ChunkPos pos{x, z};
      if (in_view(centre, radius, pos) && !viewer.chunks.contains(pos)) entered.push_back(pos);
    }
  }
  std::sort(entered.begin(), entered.end(),
            [&](ChunkPos a, ChunkPos b) { return chebyshev(a, centre) < chebyshev(b, centre); });
  for (const ChunkPos pos : entered) {
    viewer.chunks[pos] = false;
    want(viewer, pos);
  }
  viewer.unsent = static_cast<std::size_t>(
      std::count_if(viewer.chunks.begin(), viewer.chunks.end(), [](const auto& c) { return !c.second; }));
}

void View::want(Viewer& viewer, ChunkPos pos) {
  ChunkReplica& replica = chunks_[pos];
  const bool is_new = replica.wanted_by.empty();
  replica.wanted_by.push_back(&viewer);
  if (is_new) subscribe(pos, replica);
}

void View::unwant(Viewer& viewer, ChunkPos pos, bool tell_client) {
  const auto it = chunks_.find(pos);
  if (it == chunks_.end()) return;
  ChunkReplica& replica = it->second;
  std::erase(replica.wanted_by, &viewer);
  if (std::erase(replica.held_by, &viewer) > 0 && tell_client) {
    out::RemoveEntities removed;
    for (const EntityId id : replica.entities) {
      if (id != viewer.own_entity) removed.ids.push_back(id);
    }
    if (!removed.ids.empty()) viewer.send(frame(removed));
    viewer.send(frame(out::ForgetLevelChunk{pos}));
  }
  if (!replica.wanted_by.empty()) return;
  unsubscribe(pos, replica);
  for (const EntityId id : replica.entities) entities_.erase(id);
  chunks_.erase(it);
}

void View::subscribe(ChunkPos pos, ChunkReplica& replica) {
  const auto [owner, epoch] = links_.owner(pos);
  replica.owner = owner;
  std::uint32_t distance = 255;
  for (const Viewer* viewer : replica.wanted_by) {
    distance = std::min(distance, static_cast<std::uint32_t>(chebyshev(pos, viewer->centre)));
  }
  if (link::Message* message = links_.message(owner)) {
    link::Subscribe& request = *message->mutable_subscribe();
    request.set_chunk(pos.packed());
    request.set_epoch(epoch);
    request.set_distance(distance);
  }
  for (const std::int32_t dx : {-kOverhangChunks, kOverhangChunks}) {
    for (const std::int32_t dz : {-kOverhangChunks, kOverhangChunks}) {
      const ShardId other = links_.owner({pos.x + dx, pos.z + dz}).first;
      const auto& asked = replica.also_asked;
      if (other == owner || std::find(asked.begin(), asked.end(), other) != asked.end()) continue;
      replica.also_asked.push_back(other);
      if (link::Message* message = links_.message(other)) {
        message->mutable_subscribe()->set_chunk(pos.packed());
        message->mutable_subscribe()->set_entities_only(true);
      }
    }
  }
}

void View::unsubscribe(ChunkPos pos, ChunkReplica& replica) {
  const auto tell = [&](ShardId shard) {
    if (link::Message* message = links_.message(shard))
      message->mutable_unsubscribe()->set_chunk(pos.packed());
  };
  tell(replica.owner);
  for (const ShardId shard : replica.also_asked) tell(shard);
}

void View::shard_opened(ShardId shard) {
  for (auto& [pos, replica] : chunks_) {
    const auto& asked = replica.also_asked;
    if (replica.owner != shard && std::find(asked.begin(), asked.end(), shard) == asked.end()) continue;
    replica.also_asked.clear();
    subscribe(pos, replica);
  }
}

void View::shard_closed(ShardId shard) {
  for (auto& [pos, replica] : chunks_) {
    if (replica.owner == shard) replica.is_refreshing = false;
  }
}

// --- Chunks --------------------------------------------------------------

void View::tick(std::int64_t tick) {
  tick_ = tick;
  for (Viewer* viewer : viewers_) {
    if (viewer->unsent == 0) continue;
    std::size_t quota = viewer->pacer.quota();
    if (quota == 0) continue;
    std::vector<std::pair<std::int32_t, ChunkPos>> ready;
    for (const auto& [pos, held] : viewer->chunks) {
      if (held) continue;
      const auto it = chunks_.find(pos);
      if (it != chunks_.end() && it->second.snapshot) {
        const std::int32_t dx = pos.x - viewer->centre.x;
        const std::int32_t dz = pos.z - viewer->centre.z;
        ready.emplace_back(dx * dx + dz * dz, pos);
      }
    }
    if (ready.empty()) continue;
    quota = std::min(quota, ready.size());
    std::partial_sort(ready.begin(), ready.begin() + static_cast<std::ptrdiff_t>(quota), ready.end());
    static const out::ChunkBatchStart kStart;
    viewer->send(frame(kStart));
    for (std::size_t i = 0; i < quota; ++i) {
      const ChunkPos pos = ready[i].second;
      send_chunk(*viewer, pos, chunks_.at(pos));
      viewer->chunks[pos] = true;
    }
    viewer->unsent -= quota;
    viewer->send(frame(out::ChunkBatchFinished{static_cast<std::int32_t>(quota)}));
    viewer->pacer.sent(quota);
  }
  for (std::size_t i = 0; i < rehomed_.size();) {
    const auto it = entities_.find(rehomed_[i]);
    const bool is_settled = it == entities_.end() || it->second.expires_at < 0;
    if (!is_settled && it->second.expires_at > tick) {
      ++i;
      continue;
    }
    if (!is_settled) remove_entity(rehomed_[i]);
    rehomed_[i] = rehomed_.back();
    rehomed_.pop_back();
  }
}

void View::send_chunk(Viewer& viewer, ChunkPos, ChunkReplica& replica) {
  viewer.send(replica.snapshot);
  for (const SharedFrame& delta : replica.deltas) viewer.send(delta);
  replica.held_by.push_back(&viewer);
  for (const EntityId id : replica.entities) {
    const auto it = entities_.find(id);
    if (it != entities_.end()) spawn_for(viewer, it->second);
  }
}

void View::receive(ShardId from, const link::Message& message) {
  switch (message.body_case()) {
    case link::Message::kChunkSnapshot:
      receive_snapshot(from, message.chunk_snapshot());
      return;
    case link::Message::kChunkDelta:
      receive_delta(from, message.chunk_delta());
      return;
    case link::Message::kEntity:
      receive_entity(from, message.entity());
      return;
    default:
      return;
  }
}

void View::receive_snapshot(ShardId from, const link::ChunkSnapshot& snapshot) {
  const auto it = chunks_.find(ChunkPos::unpack(snapshot.chunk()));
  if (it == chunks_.end() || it->second.owner != from || snapshot.epoch() < it->second.epoch) return;
  ChunkReplica& replica = it->second;
  const bool is_other_world = snapshot.epoch() > replica.epoch && !replica.held_by.empty();
  // A restarted owner that made the same chunk again: what the clients hold is right.
  const bool is_same = is_other_world && replica.deltas.empty() && replica.content == snapshot.content();
  if (!is_other_world && replica.snapshot && snapshot.revision() < replica.revision) return;
  replica.epoch = snapshot.epoch();
  replica.revision = snapshot.revision();
  replica.content = snapshot.content();
  replica.is_refreshing = false;
  replica.deltas.clear();
  const auto bytes = bytes_of(snapshot.frame());
  replica.snapshot = std::make_shared<const std::vector<std::uint8_t>>(bytes.begin(), bytes.end());
  if (!is_other_world || is_same) return;
  for (Viewer* viewer : replica.held_by) viewer->send(replica.snapshot);
}

void View::receive_delta(ShardId from, const link::ChunkDelta& delta) {
  const ChunkPos pos = ChunkPos::unpack(delta.chunk());
  const auto it = chunks_.find(pos);
  if (it == chunks_.end() || it->second.owner != from || !it->second.snapshot ||
      delta.epoch() != it->second.epoch || delta.revision() <= it->second.revision) {
    return;
  }
  ChunkReplica& replica = it->second;
  replica.revision = delta.revision();
  std::vector<SharedFrame> frames;
  std::map<std::int32_t, std::vector<const link::BlockChange*>> by_section;
  for (const link::BlockChange& change : delta.blocks()) by_section[change.y() >> 4].push_back(&change);
  for (const auto& [section, changes] : by_section) {
    if (changes.size() == 1) {
      const link::BlockChange& c = *changes[0];
      frames.push_back(frame(out::BlockUpdate{{c.x(), c.y(), c.z()}, static_cast<std::int32_t>(c.state())}));
      continue;
    }
    out::SectionBlocksUpdate update;
    update.section = out::SectionBlocksUpdate::pack_section(pos.x, section, pos.z);
    for (const link::BlockChange* c : changes) {
      update.records.push_back(
          out::SectionBlocksUpdate::record({c->x(), c->y(), c->z()}, static_cast<BlockState>(c->state())));
    }
    frames.push_back(frame(update));
  }
  if (!delta.light().empty()) {
    const auto light = bytes_of(delta.light());
    frames.push_back(frame(out::LightUpdate{{light.begin(), light.end()}}));
  }
  for (SharedFrame& f : frames) {
    for (Viewer* viewer : replica.held_by) viewer->send(f);
    replica.deltas.push_back(std::move(f));
  }
  if (replica.deltas.size() <= kMaxDeltas || replica.is_refreshing) return;
  // Asking anew is how a subscriber gets a fresh snapshot.
  if (links_.message(replica.owner) == nullptr) return;
  replica.is_refreshing = true;
  links_.message(replica.owner)->mutable_unsubscribe()->set_chunk(pos.packed());
  link::Subscribe& request = *links_.message(replica.owner)->mutable_subscribe();
  request.set_chunk(pos.packed());
  request.set_epoch(replica.epoch);
}

// --- Entities ------------------------------------------------------------

void View::send_all(const std::vector<Viewer*>& viewers, EntityId but, const SharedFrame& frame) const {
  for (Viewer* viewer : viewers) {
    if (viewer->own_entity != but) viewer->send(frame);
  }
}

std::vector<SharedFrame> View::spawn_frames(const EntityReplica& entity) const {
  std::vector<SharedFrame> frames;
  out::AddEntity add;
  add.id = entity.id;
  add.uuid = entity.uuid;
  add.type = entity.type;
  // The place that movements are relative to, not the exact one: every viewer then has the same.
  add.pos = {static_cast<double>(entity.base[0]) / kUnitsPerBlock,
             static_cast<double>(entity.base[1]) / kUnitsPerBlock,
             static_cast<double>(entity.base[2]) / kUnitsPerBlock};
  add.yaw = entity.base_yaw;
  add.pitch = entity.base_pitch;
  add.head_yaw = entity.base_head;
  frames.push_back(frame(add));
  if (!entity.metadata.empty()) frames.push_back(frame(out::SetEntityData{entity.id, entity.metadata}));
  for (const auto& [slot, item] : entity.equipment) {
    if (item.empty() || item[0] == 0) continue;
    protocol::Writer w;
    w.varint(out::SetEquipment::kId);
    w.varint(entity.id);
    w.u8(slot);
    w.bytes(item);
    frames.push_back(protocol::make_frame(w.view(), threshold_));
  }
  return frames;
}

void View::spawn_for(Viewer& viewer, const EntityReplica& entity) {
  if (entity.id == viewer.own_entity || !entity.is_shown) return;
  for (const SharedFrame& f : spawn_frames(entity)) viewer.send(f);
}

void View::remove_entity(EntityId id) {
  const auto it = entities_.find(id);
  if (it == entities_.end()) return;
  const auto chunk = chunks_.find(it->second.chunk);
  if (chunk != chunks_.end()) {
    std::erase(chunk->second.entities, id);
    if (!chunk->second.held_by.empty()) send_all(chunk->second.held_by, id, frame(out::RemoveEntities{{id}}));
  }
  entities_.erase(it);
}

void View::receive_entity(ShardId from, const link::EntityUpdate& update) {
  const EntityId id = update.id();
  auto it = entities_.find(id);
  if (it != entities_.end() && update.hop() < it->second.hop) return;
  if (update.rehomed()) {
    if (it == entities_.end() || update.hop() == it->second.hop) return;  // the new home spoke first
    it->second.hop = update.hop();
    it->second.expires_at = tick_ + kRehomeTicks;
    rehomed_.push_back(id);
    return;
  }
  const ChunkPos now = ChunkPos::unpack(update.chunk());
  const auto to = chunks_.find(now);
  if (update.removed() || to == chunks_.end()) {
    // A home that no longer follows the entity must not take away what another one shows.
    if (it != entities_.end() && (it->second.home == from || update.hop() > it->second.hop))
      remove_entity(id);
    return;
  }
  if (it == entities_.end()) {
    if (!update.has_full()) return;
    it = entities_.emplace(id, EntityReplica{}).first;
    it->second.id = id;
    it->second.chunk = now;
    to->second.entities.push_back(id);
  }
  EntityReplica& entity = it->second;
  entity.home = from;
  entity.hop = update.hop();
  entity.expires_at = -1;

  const bool is_first = !entity.is_shown;
  std::string metadata = update.metadata();
  const auto* equipment = &update.equipment();
  if (update.has_full()) {
    entity.uuid = {update.full().uuid_high(), update.full().uuid_low()};
    entity.type = static_cast<std::int32_t>(update.full().type());
    metadata = update.full().metadata();
    equipment = &update.full().equipment();
    entity.is_shown = true;
  }
  bool metadata_changed = false;
  if (!metadata.empty()) {
    protocol::Reader reader(bytes_of(metadata), "entity metadata");
    std::vector<protocol::play::EntityData> data;
    protocol::play::read_entity_data(reader, data);
    for (protocol::play::EntityData& value : data) {
      const auto known = std::find_if(entity.metadata.begin(), entity.metadata.end(),
                                      [&](const auto& d) { return d.index == value.index; });
      if (known == entity.metadata.end()) {
        entity.metadata.push_back(std::move(value));
        metadata_changed = true;
      } else if (*known != value) {
        *known = std::move(value);
        metadata_changed = true;
      }
    }
  }
  std::vector<std::uint8_t> changed_slots;
  for (const link::Equipment& item : *equipment) {
    const auto bytes = bytes_of(item.item());
    std::vector<std::uint8_t> value(bytes.begin(), bytes.end());
    auto& known = entity.equipment[static_cast<std::uint8_t>(item.slot())];
    if (known == value) continue;
    known = std::move(value);
    changed_slots.push_back(static_cast<std::uint8_t>(item.slot()));
  }

  if (is_first) {
    entity.position = {update.position().x(), update.position().y(), update.position().z()};
    entity.base = {to_units(entity.position.x), to_units(entity.position.y), to_units(entity.position.z)};
    entity.yaw = update.yaw();
    entity.pitch = update.pitch();
    entity.base_yaw = protocol::to_angle(update.yaw());
    entity.base_pitch = protocol::to_angle(update.pitch());
    entity.base_head = protocol::to_angle(update.head_yaw());
    const std::vector<SharedFrame> frames = spawn_frames(entity);
    for (const SharedFrame& f : frames) send_all(to->second.held_by, id, f);
    if (on_entity_moved) on_entity_moved(id, now);
    return;
  }

  // Who holds both chunks is told of the movement; who holds one of them, of a spawn or a removal.
  std::vector<Viewer*> see_both;
  if (now == entity.chunk) {
    see_both = to->second.held_by;
  } else {
    const auto old = chunks_.find(entity.chunk);
    std::vector<Viewer*> left;
    if (old != chunks_.end()) {
      std::erase(old->second.entities, id);
      for (Viewer* viewer : old->second.held_by) {
        const auto held = viewer->chunks.find(now);
        (held != viewer->chunks.end() && held->second ? see_both : left).push_back(viewer);
      }
    }
    if (!left.empty()) send_all(left, id, frame(out::RemoveEntities{{id}}));
    entity.chunk = now;
    to->second.entities.push_back(id);
  }
  if (update.moved()) move_entity(entity, update, see_both);
  if (metadata_changed && !see_both.empty())
    send_all(see_both, id, frame(out::SetEntityData{id, entity.metadata}));
  for (const std::uint8_t slot : changed_slots) {
    protocol::Writer w;
    w.varint(out::SetEquipment::kId);
    w.varint(id);
    w.u8(slot);
    w.bytes(entity.equipment[slot]);
    send_all(see_both, id, protocol::make_frame(w.view(), threshold_));
  }
  for (const std::uint32_t animation : update.animations()) {
    send_all(see_both, id, frame(out::Animate{id, static_cast<std::uint8_t>(animation)}));
  }
  if (see_both.size() < to->second.held_by.size()) {
    const std::vector<SharedFrame> frames = spawn_frames(entity);
    for (Viewer* viewer : to->second.held_by) {
      if (viewer->own_entity == id || std::find(see_both.begin(), see_both.end(), viewer) != see_both.end())
        continue;
      for (const SharedFrame& f : frames) viewer->send(f);
    }
  }
  if (on_entity_moved) on_entity_moved(id, now);
}

void View::move_entity(EntityReplica& entity, const link::EntityUpdate& update,
                       const std::vector<Viewer*>& to) {
  entity.position = {update.position().x(), update.position().y(), update.position().z()};
  entity.yaw = update.yaw();
  entity.pitch = update.pitch();
  const std::array<std::int64_t, 3> target{to_units(entity.position.x), to_units(entity.position.y),
                                           to_units(entity.position.z)};
  const std::int64_t dx = target[0] - entity.base[0];
  const std::int64_t dy = target[1] - entity.base[1];
  const std::int64_t dz = target[2] - entity.base[2];
  const std::int8_t yaw = protocol::to_angle(update.yaw());
  const std::int8_t pitch = protocol::to_angle(update.pitch());
  const std::int8_t head = protocol::to_angle(update.head_yaw());
  const bool has_moved = dx != 0 || dy != 0 || dz != 0;
  const bool has_turned = yaw != entity.base_yaw || pitch != entity.base_pitch;
  const bool needs_sync = !fits(dx) || !fits(dy) || !fits(dz) ||
                          (has_moved && ++entity.moves_since_sync >= kMovesPerSync) ||
                          update.on_ground() != entity.on_ground;
  SharedFrame moved;
  if (has_moved && needs_sync) {
    out::EntityPositionSync sync;
    sync.id = entity.id;
    sync.pos = entity.position;
    sync.yaw = update.yaw();
    sync.pitch = update.pitch();
    sync.on_ground = update.on_ground();
    moved = frame(sync);
    entity.moves_since_sync = 0;
  } else if (has_moved && has_turned) {
    moved =
        frame(out::MoveEntityPosRot{entity.id, static_cast<std::int16_t>(dx), static_cast<std::int16_t>(dy),
                                    static_cast<std::int16_t>(dz), yaw, pitch, update.on_ground()});
  } else if (has_moved) {
    moved = frame(out::MoveEntityPos{entity.id, static_cast<std::int16_t>(dx), static_cast<std::int16_t>(dy),
                                     static_cast<std::int16_t>(dz), update.on_ground()});
  } else if (has_turned) {
    moved = frame(out::MoveEntityRot{entity.id, yaw, pitch, update.on_ground()});
  }
  if (moved) send_all(to, entity.id, moved);
  if (head != entity.base_head) send_all(to, entity.id, frame(out::RotateHead{entity.id, head}));
  entity.base = target;
  entity.base_yaw = yaw;
  entity.base_pitch = pitch;
  entity.base_head = head;
  entity.on_ground = update.on_ground();
}

}  // namespace horizon::proxy
