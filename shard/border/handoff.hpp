#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "common/base/ids.hpp"

namespace horizon::shard {

/// Who simulates whom, exactly once: the state machine of handoffs of one shard.
///
/// Belongs to the tick thread. Knows no network: the caller passes in what arrived and carries out what comes
/// back.
///
///   old home                                   new home
///   offer(): the group is frozen  --Offer-->   on_offer(): kTake (simulate from now on) or kKnown (said
///   before) on_accept(): forget it        <--Accept-- on_refuse(): thaw             <--Refuse--  stale hop:
///   never taken under this hop link lost: stays frozen link back: --Query--> on_query(): held or not; a "no"
///   forbids a late Offer of that hop on_answer(): forget or thaw   <--Answer--
///
/// Every step may be repeated or lost with the link; a hop is used for one offer only, so a thawed group
/// moves later under a higher hop.
class HandoffBook {
 public:
  enum class Decision {
    kTake,     ///< take the group and answer Accept
    kKnown,    ///< taken before: answer Accept, take nothing
    kRefused,  ///< answer Refuse
  };

  /// This shard simulates `entity` under `hop` (a join, or a handoff that on_offer() took).
  void hold(Uuid entity, Epoch hop);
  /// The entity left the game here.
  void release(Uuid entity);
  /// The highest hop under which this shard has ever held the entity.
  std::optional<Epoch> held(Uuid entity) const;

  /// Freezes `entity` and returns the hop to offer it under. REQUIRES: held and not frozen.
  Epoch offer(Uuid entity, ShardId to);
  bool is_frozen(Uuid entity) const { return outgoing_.contains(entity); }
  /// Where a frozen entity is going.
  std::optional<ShardId> target(Uuid entity) const;

  Decision on_offer(Uuid entity, Epoch hop);
  /// True: forget the entity, the new home has it. False: an old answer, nothing to do.
  bool on_accept(Uuid entity, Epoch hop);
  /// True: simulate it again. False: an old answer.
  bool on_refuse(Uuid entity, Epoch hop);
  /// What to answer: is the entity, under this hop or a later one, here or was it handed on from here?
  bool on_query(Uuid entity, Epoch hop);

  struct Pending {
    Uuid entity;
    Epoch hop;
  };
  /// Offers without an answer, to be asked about now that the link to `peer` is open again.
  std::vector<Pending> unanswered(ShardId peer) const;
  /// The peer started anew and holds nothing: what was on the way to it is thawed by the caller.
  std::vector<Uuid> peer_lost_all(ShardId peer);

 private:
  struct Outgoing {
    Epoch hop;
    ShardId to;
  };
  struct Known {
    Epoch held = 0;
    /// Offers up to this hop are refused: we said that we do not hold them.
    Epoch denied = 0;
    Epoch last_offered = 0;
  };
  std::unordered_map<Uuid, Outgoing> outgoing_;
  /// 40 bytes for everybody who ever was here; answers questions about the past.
  std::unordered_map<Uuid, Known> known_;
};

}  // namespace horizon::shard
