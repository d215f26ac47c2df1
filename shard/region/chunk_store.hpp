#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "common/base/ids.hpp"
#include "common/base/ownership.hpp"
#include "common/world/chunk.hpp"
#include "protos/link.pb.h"
#include "shard/block/block_access.hpp"
#include "shard/light/light_engine.hpp"
#include "shard/tick/jobs.hpp"
#include "shard/tick/outbox.hpp"
#include "shard/worldgen/terrain_cache.hpp"

namespace horizon::shard {

/// The chunks that a shard has in memory: its own, which it publishes, and replicas of its neighbours'
/// margin.
///
/// Belongs to the tick thread; workers get copies. The life of an own chunk:
///
///   subscribe -> load job (terrain of 3×3, light) -> loaded -> encode job -> snapshot to each who waits
///   set_block -> remembered; publish(): light repaired, revision + 1, one delta to each live subscriber
///   last unsubscribe -> kUnloadTicks later gone, unless it was changed (there is no storage to keep it yet)
///
/// A view (a proxy's subscription) on a chunk makes the shard follow the neighbours' chunks within
/// kMarginChunks of it, so that it reads blocks across the border like its own.
class ChunkStore final : public BlockAccess {
 public:
  static constexpr std::int32_t kMarginChunks = 2;
  static constexpr std::int64_t kUnloadTicks = 200;

  ChunkStore(ShardId self, std::int32_t compression_threshold, const ChunkGenerator& generator, Jobs& jobs,
             Outbox& outbox, const OwnershipMap& ownership);

  /// Own chunk or replica; null when it is not here (yet).
  const world::Chunk* chunk(ChunkPos pos) const override;
  bool owns(ChunkPos pos) const;
  std::optional<OwnershipMap::Entry> owner(ChunkPos pos) const { return ownership_.find(pos); }

  /// REQUIRES: owns(ChunkPos::of(pos)). False when the chunk is not loaded or pos is outside the world's
  /// height.
  bool set_block(BlockPos pos, BlockState state);

  void subscribe(LinkId link, const link::Subscribe& request);
  void unsubscribe(LinkId link, ChunkPos pos);
  void drop_link(LinkId link);
  /// Those who follow the entities of a chunk.
  std::span<const LinkId> followers(ChunkPos pos) const;

  /// The neighbour is there (again): asks for the margin that it owns.
  void peer_opened(ShardId peer);
  /// A region has an owner (or a new one).
  void region_assigned(RegionPos region);
  void receive_snapshot(LinkId from, const link::ChunkSnapshot& snapshot);
  void receive_delta(LinkId from, const link::ChunkDelta& delta);

  /// Repairs the light of what changed and sends the deltas of this tick.
  void publish();
  /// Unloads what nobody has followed for a while.
  void expire(std::int64_t tick);

  std::size_t loaded_chunks() const { return own_.size(); }

 private:
  struct Subscriber {
    LinkId link;
    bool waits;  ///< no snapshot sent yet: deltas are kept for it
  };
  struct Own {
    std::optional<world::Chunk> chunk;
    std::vector<Subscriber> subscribers;
    std::uint64_t revision = 0;
    std::uint64_t last_edit = 0;
    std::uint32_t distance = 255;
    std::vector<BlockPos> changed;
    ChangedLight light;
    bool is_dirty = false;
    bool is_modified = false;
    int encodes = 0;
    std::vector<link::ChunkDelta> since_encode;
    std::int64_t unfollowed_since = -1;
    /// Set when the load job may stop: nobody wants the chunk any more.
    std::shared_ptr<std::atomic<bool>> cancelled;
  };
  struct Replica {
    std::optional<world::Chunk> chunk;
    std::uint64_t revision = 0;
    std::uint64_t last_edit = 0;
    std::int32_t views = 0;  ///< own chunks with a view whose margin this is
    ShardId asked = -1;      ///< the owner that we subscribed at
  };
  struct Interest {
    std::vector<LinkId> links;
  };

  void follow(LinkId link, ChunkPos pos);
  void unfollow(LinkId link, ChunkPos pos);
  void start_load(ChunkPos pos, Own& own);
  void start_relight(ChunkPos pos);
  /// `cancelled` is set for a load and null for a relight.
  void submit_light(ChunkPos pos, std::uint32_t priority, std::shared_ptr<std::atomic<bool>> cancelled);
  void finish_light(ChunkPos pos, world::Chunk lit, std::uint64_t edits_seen, bool is_load);
  std::array<std::shared_ptr<const world::Chunk>, 9> neighbourhood(ChunkPos pos) const;
  std::uint64_t last_edit_around(ChunkPos pos) const;
  void start_encode(ChunkPos pos, Own& own);
  void adjust_margin(ChunkPos pos, std::int32_t by);
  void ask_for(ChunkPos pos, Replica& replica);
  void mark_dirty(ChunkPos pos, Own& own);
  world::Chunk* writable(ChunkPos pos);

  ShardId self_;
  std::int32_t compression_threshold_;
  TerrainCache terrain_;
  Jobs& jobs_;
  Outbox& outbox_;
  const OwnershipMap& ownership_;
  std::unordered_map<ChunkPos, Own> own_;
  std::unordered_map<ChunkPos, Replica> replicas_;
  std::unordered_map<ChunkPos, Interest> interest_;
  std::vector<ChunkPos> dirty_;
  std::deque<std::pair<std::int64_t, ChunkPos>> unload_queue_;
  std::vector<ChunkPos> newly_unfollowed_;
  LightUpdater light_;
  std::uint64_t edits_ = 1;
};

}  // namespace horizon::shard
