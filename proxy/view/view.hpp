#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/base/ids.hpp"
#include "common/protocol/frame.hpp"
#include "common/protocol/play.hpp"
#include "protos/link.pb.h"
#include "proxy/view/chunk_pacer.hpp"

namespace horizon::proxy {

/// Who sees: the part of a player's session that the view needs.
///
/// Belongs to the I/O thread, like all of the view.
class Viewer {
 public:
  virtual ~Viewer() = default;
  /// Queues a frame for the client; it leaves with the next flush.
  virtual void send(const protocol::SharedFrame& frame) = 0;

  EntityId own_entity = 0;
  ChunkPos centre;
  std::int32_t radius = 0;
  ChunkPacer pacer;
  /// Wanted chunks; true: the client holds it.
  std::unordered_map<ChunkPos, bool> chunks;
  std::size_t unsent = 0;
};

/// Composes what players see out of what shards publish.
///
/// Holds a replica of each chunk that some viewer wants (the snapshot as a frame that is ready to send, and
/// the frames of the deltas since) and of each entity in them (enough to spawn it for a late viewer). What
/// arrives is encoded once and the same bytes are queued for every viewer that holds the chunk:
///
///   snapshot   -> stored; the pacer of each viewer decides when the chunk leaves, with the entities in it
///   delta      -> frame appended to the chunk's and queued for all who hold it
///   entity     -> movement relative to the last one sent; spawn or removal for those who see only one of the
///   chunks
///
/// Nothing here depends on which shard is a player's home, so a handoff sends nothing.
class View {
 public:
  /// Deltas of a chunk above which a fresh snapshot is asked for, so that late viewers get few packets.
  static constexpr std::size_t kMaxDeltas = 64;
  /// A re-homed entity without a word of its new home is gone.
  static constexpr std::int64_t kRehomeTicks = 100;

  struct Links {
    /// Queues a message to a shard; false when there is no link (the view asks again in shard_opened).
    std::function<link::Message*(ShardId)> message;
    /// Owner and epoch of a chunk's region, assigned now if need be.
    std::function<std::pair<ShardId, Epoch>(ChunkPos)> owner;
  };

  View(Links links, std::int32_t compression_threshold);

  void add_viewer(Viewer& viewer);
  void remove_viewer(Viewer& viewer);
  /// Moves the view: chunks that left are forgotten, new ones asked for. Also the first call.
  void set_centre(Viewer& viewer, ChunkPos centre, std::int32_t radius);
  /// Sends what the pacer of each viewer allows. Once a tick.
  void tick(std::int64_t tick);

  void receive(ShardId from, const link::Message& message);
  void shard_opened(ShardId shard);
  void shard_closed(ShardId shard);

  /// Last published place of an entity.
  struct Place {
    Vec3 position;
    float yaw = 0, pitch = 0;
  };
  std::optional<Place> place(EntityId id) const;
  /// Where a player appears before its home says so; and afterwards, when the home died.
  std::function<void(EntityId, ChunkPos)> on_entity_moved;
  std::size_t chunk_count() const { return chunks_.size(); }
  std::size_t entity_count() const { return entities_.size(); }

 private:
  struct ChunkReplica {
    ShardId owner = -1;
    Epoch epoch = 0;
    std::uint64_t revision = 0;
    std::uint32_t content = 0;
    protocol::SharedFrame snapshot;
    std::vector<protocol::SharedFrame> deltas;
    std::vector<Viewer*> wanted_by;
    std::vector<Viewer*> held_by;
    std::vector<EntityId> entities;
    /// Shards asked for the entities that they simulate on this ground.
    std::vector<ShardId> also_asked;
    bool is_refreshing = false;
  };
  struct EntityReplica {
    EntityId id = 0;
    Epoch hop = 0;
    ShardId home = -1;
    ChunkPos chunk;
    bool is_shown = false;  ///< its full state is known
    Uuid uuid;
    std::int32_t type = 0;
    Vec3 position;
    float yaw = 0, pitch = 0;
    bool on_ground = false;
    /// What every viewer has been told: the position in 1/4096 blocks, angles in 1/256 turns.
    std::array<std::int64_t, 3> base{};
    std::int8_t base_yaw = 0, base_pitch = 0, base_head = 0;
    std::int32_t moves_since_sync = 0;
    std::vector<protocol::play::EntityData> metadata;
    std::map<std::uint8_t, std::vector<std::uint8_t>> equipment;
    /// Re-homed: gone when the new home has said nothing by then.
    std::int64_t expires_at = -1;
  };

  void want(Viewer& viewer, ChunkPos pos);
  void unwant(Viewer& viewer, ChunkPos pos, bool tell_client);
  void subscribe(ChunkPos pos, ChunkReplica& replica);
  void unsubscribe(ChunkPos pos, ChunkReplica& replica);
  void send_chunk(Viewer& viewer, ChunkPos pos, ChunkReplica& replica);
  void receive_snapshot(ShardId from, const link::ChunkSnapshot& snapshot);
  void receive_delta(ShardId from, const link::ChunkDelta& delta);
  void receive_entity(ShardId from, const link::EntityUpdate& update);
  void move_entity(EntityReplica& entity, const link::EntityUpdate& update, const std::vector<Viewer*>& to);
  void spawn_for(Viewer& viewer, const EntityReplica& entity);
  void remove_entity(EntityId id);
  std::vector<protocol::SharedFrame> spawn_frames(const EntityReplica& entity) const;
  template <class P>
  protocol::SharedFrame frame(const P& packet) const {
    return protocol::make_frame(protocol::encode(packet), threshold_);
  }
  void send_all(const std::vector<Viewer*>& viewers, EntityId but, const protocol::SharedFrame& frame) const;

  Links links_;
  std::int32_t threshold_;
  std::int64_t tick_ = 0;
  std::unordered_map<ChunkPos, ChunkReplica> chunks_;
  std::unordered_map<EntityId, EntityReplica> entities_;
  std::vector<Viewer*> viewers_;
  std::vector<EntityId> rehomed_;
};

}  // namespace horizon::proxy
