// Digging and placing: applied by the owner of the ground, whoever the player's home is.
#include <array>
#include <utility>

#include "common/game/game.hpp"
#include "common/protocol/play.hpp"
#include "shard/block/placement.hpp"
#include "shard/tick/shard.hpp"

namespace horizon::shard {
namespace {

constexpr std::array<BlockPos, 6> kFaces{
    {{0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}};

BlockPos neighbour(BlockPos pos, std::uint32_t face) {
  const BlockPos step = kFaces[face % kFaces.size()];
  return {pos.x + step.x, pos.y + step.y, pos.z + step.z};
}

Vec3 vec(const link::Position& p) { return {p.x(), p.y(), p.z()}; }

}  // namespace

bool Shard::apply_action(const link::ActionRequest& request) {
  const BlockPos target{request.target().x(), request.target().y(), request.target().z()};
  std::vector<BlockChange> changes;
  if (request.kind() == link::ActionRequest::DIG) {
    changes = dig(chunks_, target);
  } else {
    PlaceContext context;
    context.clicked = target;
    context.face = static_cast<Direction>(request.face() % kFaces.size());
    context.cursor = vec(request.cursor());
    context.yaw = request.yaw();
    context.pitch = request.pitch();
    context.is_sneaking = request.sneaking();
    context.item = static_cast<game::ItemId>(request.item());
    context.is_inside = request.inside();
    if (request.item() == 0 || request.item() >= static_cast<std::uint32_t>(game::item_count())) return false;
    std::vector<EntityBox> bodies;
    const auto add_body = [&](Vec3 feet) { bodies.push_back(player_box(feet)); };
    add_body(vec(request.feet()));
    for (std::int32_t dx = -1; dx <= 1; ++dx) {
      for (std::int32_t dz = -1; dz <= 1; ++dz) {
        const auto at = players_at_.find({(target.x >> 4) + dx, (target.z >> 4) + dz});
        if (at == players_at_.end()) continue;
        for (const Player* player : at->second) {
          if (player->game_mode() != GameMode::kSpectator) add_body(player->position());
        }
      }
    }
    for (const auto& [id, replica] : replicas_) {
      if (chebyshev(replica.chunk, ChunkPos::of(target)) <= 1) add_body(replica.position);
    }
    std::optional<std::vector<BlockChange>> placed = place(chunks_, context, bodies);
    if (!placed) return false;
    changes = std::move(*placed);
  }
  for (const BlockChange& change : changes) {
    const auto owner = chunks_.owner(ChunkPos::of(change.pos));
    if (!owner) continue;
    if (owner->shard == settings_.id) {
      chunks_.set_block(change.pos, change.state);
      continue;
    }
    link::BlockChange& there = *outbox_.add({false, owner->shard}).mutable_set_blocks()->add_blocks();
    there.set_x(change.pos.x);
    there.set_y(change.pos.y);
    there.set_z(change.pos.z);
    there.set_state(change.state);
  }
  return !changes.empty();
}

void Shard::fill_result(const link::ActionRequest& request, link::ActionResult& result) const {
  const BlockPos target{request.target().x(), request.target().y(), request.target().z()};
  for (const BlockPos pos : {target, neighbour(target, request.face())}) {
    const auto state = chunks_.block(pos);
    if (!state || pos.y < kMinY || pos.y > kMaxY) continue;
    link::BlockChange& now = *result.add_now();
    now.set_x(pos.x);
    now.set_y(pos.y);
    now.set_z(pos.z);
    now.set_state(*state);
  }
}

void Shard::receive_action(LinkId from, const link::ActionRequest& request) {
  link::ActionResult result;
  result.set_operation(request.operation());
  const ChunkPos at = ChunkPos::of({request.target().x(), request.target().y(), request.target().z()});
  const auto owner = chunks_.owner(at);
  if (owner && owner->shard == settings_.id && owner->epoch == request.epoch()) {
    result.set_applied(apply_action(request));
    fill_result(request, result);
  }
  *outbox_.add(from).mutable_action_result() = std::move(result);
}

void Shard::receive_result(const link::ActionResult& result) {
  const auto it = pending_actions_.find(result.operation());
  if (it == pending_actions_.end()) return;
  Player* player = by_session(it->second.session);
  pending_actions_.erase(it);
  if (player == nullptr) return;
  --player->pending_actions;
  finish_action(*player, result.now());
}

void Shard::finish_action(Player& player, const google::protobuf::RepeatedPtrField<link::BlockChange>& now) {
  // Both blocks are told even when nothing changed: it is what takes back a client's wrong guess.
  for (const link::BlockChange& block : now) {
    send(player, protocol::play::clientbound::BlockUpdate{{block.x(), block.y(), block.z()},
                                                          static_cast<std::int32_t>(block.state())});
  }
}

void Shard::apply_set_blocks(const link::SetBlocks& blocks) {
  for (const link::BlockChange& change : blocks.blocks()) {
    const BlockPos pos{change.x(), change.y(), change.z()};
    if (change.state() >= static_cast<std::uint32_t>(game::block_state_count())) continue;
    if (chunks_.owns(ChunkPos::of(pos))) chunks_.set_block(pos, static_cast<BlockState>(change.state()));
  }
}

}  // namespace horizon::shard
