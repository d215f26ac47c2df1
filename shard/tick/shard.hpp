#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/base/ids.hpp"
#include "common/base/ownership.hpp"
#include "common/protocol/packet.hpp"
#include "protos/link.pb.h"
#include "shard/border/handoff.hpp"
#include "shard/entity/player.hpp"
#include "shard/region/chunk_store.hpp"
#include "shard/tick/jobs.hpp"
#include "shard/tick/outbox.hpp"
#include "shard/tick/tick_times.hpp"
#include "shard/worldgen/generator.hpp"

namespace horizon::shard {

struct ShardSettings {
  ShardId id = 0;
  std::int32_t compression_threshold = 256;
};

/// One shard's part of the world, and its tick.
///
/// Belongs to the tick thread, which waits for the next tick of the wall-clock grid and between ticks hands
/// in what arrives: subscriptions and handoffs are answered at once, players' inputs wait for the tick.
///
///   tick:  input       each player's packets in order: movement, digging, placing, inventory
///          handoffs    players a few blocks beyond the border are frozen and offered to the owner of that
///          ground publish     light is repaired; chunk deltas, entity updates and acknowledgements leave as
///          one batch a link
///
/// All that reaches the world outside goes through Jobs and Outbox, so that a test can hold several shards.
class Shard {
 public:
  /// How far past its ground a player is simulated before it changes home, in blocks.
  static constexpr double kHandoffBlocks = 4;
  static constexpr std::size_t kMaxWaitingMessages = 4096;
  /// An action across the border without an answer for so long is shown to the player as not done.
  static constexpr std::int64_t kActionTimeoutTicks = 100;

  Shard(const ShardSettings& settings, const ChunkGenerator& generator, Jobs& jobs, Outbox& outbox);

  void assign(RegionPos region, OwnershipMap::Entry entry);
  void link_opened(LinkId link);
  void link_closed(LinkId link);
  /// The peer's process is a new one that knows nothing of what it was told.
  void peer_restarted(ShardId peer);
  void receive(LinkId from, link::Message&& message);
  void tick(std::int64_t tick);

  const ChunkStore& chunks() const { return chunks_; }
  const Player* find_player(Uuid uuid) const;
  std::size_t player_count() const { return players_.size(); }
  TickTimes& times() { return times_; }

 private:
  /// A copy of an entity of a neighbour, for collisions near the border.
  struct EntityReplica {
    LinkId from;
    Epoch hop = 0;
    ChunkPos chunk;
    Vec3 position;
  };
  struct PendingAction {
    std::uint64_t session;
    std::int64_t sent_tick;
    ShardId owner;
  };

  // Sessions
  void receive_join(LinkId from, const link::Join& join);
  void receive_leave(const link::Leave& leave);
  void receive_input(link::Input&& input);
  Player& add_player(std::uint64_t session, LinkId proxy, Epoch hop, const link::PlayerState& state);
  void remove_player(Uuid uuid, bool rehomed, Epoch hop);
  Player* by_session(std::uint64_t session);

  // Inputs (player_input.cpp)
  void apply_inputs(Player& player);
  void apply_input(Player& player, const std::string& packet);
  void move(Player& player, const Vec3* position, const float* yaw, const float* pitch, std::uint8_t flags);
  void teleport(Player& player, Vec3 to, float yaw, float pitch);
  void act(Player& player, link::ActionRequest request, std::int32_t sequence);
  void set_game_mode(Player& player, std::uint32_t mode);
  void touch(Player& player);
  template <class P>
  void send(const Player& player, const P& packet) {
    send_bytes(player, protocol::encode(packet));
  }
  void send_bytes(const Player& player, const std::vector<std::uint8_t>& packet);

  // Actions (actions.cpp)
  bool apply_action(const link::ActionRequest& request);
  void fill_result(const link::ActionRequest& request, link::ActionResult& result) const;
  void receive_action(LinkId from, const link::ActionRequest& request);
  void receive_result(const link::ActionResult& result);
  void finish_action(Player& player, const google::protobuf::RepeatedPtrField<link::BlockChange>& now);
  void expire_actions();
  void apply_set_blocks(const link::SetBlocks& blocks);

  // Borders (border/borders.cpp)
  void offer_players();
  bool is_past_border(Vec3 position) const;
  void send_offer(const Player& player, Epoch hop, ShardId to);
  void receive_offer(LinkId from, const link::Offer& offer);
  /// Tells the player's proxy who simulates it from now on.
  void tell_home(const Player& player, Epoch hop, ShardId home);
  void handed_over(Uuid uuid, Epoch hop, ShardId to);
  void receive_entity(LinkId from, const link::EntityUpdate& update);

  // Publication (region/publication.cpp)
  void publish_entities();
  void publish_entity(Player& player);
  void show_entities(LinkId link, ChunkPos pos);
  void hide_entities(LinkId link, ChunkPos pos);
  void fill_full(const Player& player, link::EntityUpdate& update) const;
  void publish_sessions(std::int64_t tick);

  ShardSettings settings_;
  Outbox& outbox_;
  OwnershipMap ownership_;
  ChunkStore chunks_;
  HandoffBook handoffs_;
  TickTimes times_;
  std::int64_t tick_ = 0;

  std::unordered_map<Uuid, std::unique_ptr<Player>> players_;
  std::unordered_map<std::uint64_t, Player*> sessions_;
  std::unordered_map<ChunkPos, std::vector<Player*>> players_at_;
  std::vector<Uuid> dirty_players_;
  std::unordered_map<EntityId, EntityReplica> replicas_;
  std::unordered_map<std::uint64_t, PendingAction> pending_actions_;
  std::uint64_t next_operation_ = 1;
  /// Messages about a region that the director has not told us of yet: the two streams have no common order.
  std::unordered_map<RegionPos, std::vector<std::pair<LinkId, link::Message>>> waiting_;
  std::size_t waiting_count_ = 0;
};

}  // namespace horizon::shard
