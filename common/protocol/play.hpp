#pragma once

#include "common/protocol/packet.hpp"
#include "common/protocol/v775/packet_ids.hpp"

namespace horizon::protocol::play {

/// The dimension and mode that a player starts in.
struct SpawnInfo {
  std::int32_t dimension_type = 0;
  std::string dimension;
  std::int64_t hashed_seed = 0;
  std::int8_t game_mode = 0;
  std::int8_t previous_game_mode = -1;
  bool is_debug = false;
  bool is_flat = false;
  std::optional<GlobalPos> death_location;
  std::int32_t portal_cooldown = 0;
  std::int32_t sea_level = 63;
  bool operator==(const SpawnInfo&) const = default;
  template <class A>
  void fields(A& a) {
    a.varint("dimension_type", dimension_type);
    a.string("dimension", dimension);
    a.i64("hashed_seed", hashed_seed);
    a.i8("game_mode", game_mode);
    a.i8("previous_game_mode", previous_game_mode);
    a.boolean("is_debug", is_debug);
    a.boolean("is_flat", is_flat);
    a.optional_object("death_location", death_location);
    a.varint("portal_cooldown", portal_cooldown);
    a.varint("sea_level", sea_level);
  }
};

/// How far a world clock has run: total ticks, the part of the next one, and its rate.
struct ClockUpdate {
  std::int32_t clock = 0;
  std::int64_t total_ticks = 0;
  float partial_tick = 0;
  float rate = 1;
  bool operator==(const ClockUpdate&) const = default;
  template <class A>
  void fields(A& a) {
    a.varint("clock", clock);
    a.varlong("total_ticks", total_ticks);
    a.f32("partial_tick", partial_tick);
    a.f32("rate", rate);
  }
};

/// A player's chat session: the key that signs the messages.
struct ChatSession {
  Uuid id;
  std::int64_t expires_at = 0;
  std::vector<std::uint8_t> public_key;
  std::vector<std::uint8_t> key_signature;
  bool operator==(const ChatSession&) const = default;
  template <class A>
  void fields(A& a) {
    a.uuid("id", id);
    a.i64("expires_at", expires_at);
    a.byte_array("public_key", public_key, 512);
    a.byte_array("key_signature", key_signature, 4096);
  }
};

/// A chat type of the registry with the names that it shows. Types given inline are not read.
struct ChatType {
  std::int32_t type = 0;
  nbt::Raw name;
  std::optional<nbt::Raw> target;
  bool operator==(const ChatType&) const = default;
  template <class A>
  void fields(A& a) {
    std::int32_t holder = type + 1;
    a.varint("chat_type", holder);
    if (A::kReads && holder < 1)
      a.fail(ErrorCode::kMalformed, "chat_type", "an inline type is not supported");
    if constexpr (A::kReads) type = holder - 1;
    a.nbt("name", name);
    a.optional("target", target, [](A& in, nbt::Raw& v) { in.nbt("target", v); });
  }
};

/// One value of an entity's metadata: the bytes behind the serializer's id.
struct EntityData {
  std::uint8_t index = 0;
  std::int32_t type = 0;
  std::vector<std::uint8_t> value;
  bool operator==(const EntityData&) const = default;
};

/// Entries up to the end mark. Reading knows the serializers whose length can be told without game data.
void write_entity_data(Writer& w, const std::vector<EntityData>& data);
void read_entity_data(Reader& r, std::vector<EntityData>& data);

/// What a player_info_update carries for one player; the packet's actions say which parts are sent.
struct PlayerInfoEntry {
  Uuid uuid;
  std::string name;
  std::vector<ProfileProperty> properties;
  std::optional<ChatSession> chat_session;
  std::int32_t game_mode = 0;
  bool listed = true;
  std::int32_t latency = 0;
  std::optional<nbt::Raw> display_name;
  std::int32_t list_order = 0;
  bool show_hat = true;
};

/// A node of the command tree: `flags` holds the kind and what is there of the rest.
struct CommandNode {
  static constexpr std::uint8_t kRoot = 0;
  static constexpr std::uint8_t kLiteral = 1;
  static constexpr std::uint8_t kArgument = 2;
  static constexpr std::uint8_t kKindMask = 3;
  static constexpr std::uint8_t kExecutable = 4;
  static constexpr std::uint8_t kRedirect = 8;
  static constexpr std::uint8_t kSuggestions = 16;
  static constexpr std::uint8_t kRestricted = 32;

  std::uint8_t flags = 0;
  std::vector<std::int32_t> children;
  std::int32_t redirect = 0;
  std::string name;
  std::int32_t parser = 0;
  std::vector<std::uint8_t> properties;
  std::string suggestions;
  bool operator==(const CommandNode&) const = default;

  template <class A>
  void fields(A& a) {
    a.u8("flags", flags);
    a.varints("children", children);
    if (flags & kRedirect) a.varint("redirect", redirect);
    const int kind = flags & kKindMask;
    if (kind == kLiteral || kind == kArgument) a.string("name", name);
    if (kind == kArgument) {
      a.varint("parser", parser);
      parser_properties(a);
    }
    if (flags & kSuggestions) a.string("suggestions", suggestions);
  }

 private:
  void parser_properties(WriteArchive& a) { a.writer().bytes(properties); }
  void parser_properties(ReadArchive& a) { read_parser_properties(a.reader(), parser, properties); }
  static void read_parser_properties(Reader& r, std::int32_t parser, std::vector<std::uint8_t>& properties);
};

/// A proposal for what stands at the cursor.
struct Suggestion {
  std::string text;
  std::optional<nbt::Raw> tooltip;
  bool operator==(const Suggestion&) const = default;
  template <class A>
  void fields(A& a) {
    a.string("text", text);
    a.optional("tooltip", tooltip, [](A& in, nbt::Raw& v) { in.nbt("tooltip", v); });
  }
};

/// An earlier message that a signed one refers to: an index into the client's cache, or the signature itself.
struct SeenMessage {
  std::int32_t id = 0;
  std::array<std::uint8_t, 256> signature{};
  bool operator==(const SeenMessage&) const = default;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    if (id == 0) a.fixed("signature", signature);
  }
};

struct ArgumentSignature {
  std::string name;
  std::array<std::uint8_t, 256> signature{};
  bool operator==(const ArgumentSignature&) const = default;
  template <class A>
  void fields(A& a) {
    a.string("name", name, 16);
    a.fixed("signature", signature);
  }
};

struct ChangedSlot {
  std::int16_t slot = 0;
  std::optional<HashedItem> item;
  bool operator==(const ChangedSlot&) const = default;
  template <class A>
  void fields(A& a) {
    a.i16("slot", slot);
    a.optional_object("item", item);
  }
};

struct EquipmentSlot {
  std::uint8_t slot = 0;
  ItemStack item;
  bool operator==(const EquipmentSlot&) const = default;
};

namespace clientbound {

struct BundleDelimiter {
  static constexpr std::int32_t kId = v775::play::clientbound::kBundleDelimiter;
  static constexpr std::string_view kName = "bundle_delimiter";
  template <class A>
  void fields(A&) {}
};

struct Login {
  static constexpr std::int32_t kId = v775::play::clientbound::kLogin;
  static constexpr std::string_view kName = "login";
  std::int32_t entity_id = 0;
  bool hardcore = false;
  std::vector<std::string> dimensions;
  std::int32_t max_players = 0;
  std::int32_t view_distance = 0;
  std::int32_t simulation_distance = 0;
  bool reduced_debug_info = false;
  bool show_death_screen = true;
  bool limited_crafting = false;
  SpawnInfo spawn;
  bool enforces_secure_chat = false;
  template <class A>
  void fields(A& a) {
    a.i32("entity_id", entity_id);
    a.boolean("hardcore", hardcore);
    a.strings("dimensions", dimensions);
    a.varint("max_players", max_players);
    a.varint("view_distance", view_distance);
    a.varint("simulation_distance", simulation_distance);
    a.boolean("reduced_debug_info", reduced_debug_info);
    a.boolean("show_death_screen", show_death_screen);
    a.boolean("limited_crafting", limited_crafting);
    a.object("spawn", spawn);
    a.boolean("enforces_secure_chat", enforces_secure_chat);
  }
};

/// `kept`: bit 0 attributes, bit 1 metadata.
struct Respawn {
  static constexpr std::int32_t kId = v775::play::clientbound::kRespawn;
  static constexpr std::string_view kName = "respawn";
  SpawnInfo spawn;
  std::uint8_t kept = 0;
  template <class A>
  void fields(A& a) {
    a.object("spawn", spawn);
    a.u8("kept", kept);
  }
};

/// `relatives`: bits x, y, z, yaw, pitch, dx, dy, dz, rotate delta.
struct PlayerPosition {
  static constexpr std::int32_t kId = v775::play::clientbound::kPlayerPosition;
  static constexpr std::string_view kName = "player_position";
  std::int32_t teleport_id = 0;
  Vec3 pos;
  Vec3 delta;
  float yaw = 0;
  float pitch = 0;
  std::uint32_t relatives = 0;
  template <class A>
  void fields(A& a) {
    a.varint("teleport_id", teleport_id);
    a.vec3("pos", pos);
    a.vec3("delta", delta);
    a.f32("yaw", yaw);
    a.f32("pitch", pitch);
    a.u32("relatives", relatives);
  }
};

struct PlayerRotation {
  static constexpr std::int32_t kId = v775::play::clientbound::kPlayerRotation;
  static constexpr std::string_view kName = "player_rotation";
  float yaw = 0;
  bool relative_yaw = false;
  float pitch = 0;
  bool relative_pitch = false;
  template <class A>
  void fields(A& a) {
    a.f32("yaw", yaw);
    a.boolean("relative_yaw", relative_yaw);
    a.f32("pitch", pitch);
    a.boolean("relative_pitch", relative_pitch);
  }
};

struct SetHealth {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetHealth;
  static constexpr std::string_view kName = "set_health";
  float health = 0;
  std::int32_t food = 0;
  float saturation = 0;
  template <class A>
  void fields(A& a) {
    a.f32("health", health);
    a.varint("food", food);
    a.f32("saturation", saturation);
  }
};

struct SetExperience {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetExperience;
  static constexpr std::string_view kName = "set_experience";
  float progress = 0;
  std::int32_t level = 0;
  std::int32_t total = 0;
  template <class A>
  void fields(A& a) {
    a.f32("progress", progress);
    a.varint("level", level);
    a.varint("total", total);
  }
};

struct SetDefaultSpawnPosition {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetDefaultSpawnPosition;
  static constexpr std::string_view kName = "set_default_spawn_position";
  GlobalPos pos;
  float yaw = 0;
  float pitch = 0;
  template <class A>
  void fields(A& a) {
    a.object("pos", pos);
    a.f32("yaw", yaw);
    a.f32("pitch", pitch);
  }
};

struct GameEvent {
  static constexpr std::int32_t kId = v775::play::clientbound::kGameEvent;
  static constexpr std::string_view kName = "game_event";
  std::uint8_t event = 0;
  float value = 0;
  template <class A>
  void fields(A& a) {
    a.u8("event", event);
    a.f32("value", value);
  }
};

struct SetChunkCacheCenter {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetChunkCacheCenter;
  static constexpr std::string_view kName = "set_chunk_cache_center";
  std::int32_t x = 0;
  std::int32_t z = 0;
  template <class A>
  void fields(A& a) {
    a.varint("x", x);
    a.varint("z", z);
  }
};

struct SetChunkCacheRadius {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetChunkCacheRadius;
  static constexpr std::string_view kName = "set_chunk_cache_radius";
  std::int32_t radius = 0;
  template <class A>
  void fields(A& a) {
    a.varint("radius", radius);
  }
};

struct SetSimulationDistance {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetSimulationDistance;
  static constexpr std::string_view kName = "set_simulation_distance";
  std::int32_t distance = 0;
  template <class A>
  void fields(A& a) {
    a.varint("distance", distance);
  }
};

struct ChunkBatchStart {
  static constexpr std::int32_t kId = v775::play::clientbound::kChunkBatchStart;
  static constexpr std::string_view kName = "chunk_batch_start";
  template <class A>
  void fields(A&) {}
};

struct ChunkBatchFinished {
  static constexpr std::int32_t kId = v775::play::clientbound::kChunkBatchFinished;
  static constexpr std::string_view kName = "chunk_batch_finished";
  std::int32_t size = 0;
  template <class A>
  void fields(A& a) {
    a.varint("size", size);
  }
};

/// `body`: x and z, then what the chunk's encoder made.
struct LevelChunkWithLight {
  static constexpr std::int32_t kId = v775::play::clientbound::kLevelChunkWithLight;
  static constexpr std::string_view kName = "level_chunk_with_light";
  std::vector<std::uint8_t> body;
  template <class A>
  void fields(A& a) {
    a.rest("body", body, 8388608);
  }
};

struct LightUpdate {
  static constexpr std::int32_t kId = v775::play::clientbound::kLightUpdate;
  static constexpr std::string_view kName = "light_update";
  std::vector<std::uint8_t> body;
  template <class A>
  void fields(A& a) {
    a.rest("body", body);
  }
};

struct ForgetLevelChunk {
  static constexpr std::int32_t kId = v775::play::clientbound::kForgetLevelChunk;
  static constexpr std::string_view kName = "forget_level_chunk";
  ChunkPos pos;
  template <class A>
  void fields(A& a) {
    a.i32("z", pos.z);
    a.i32("x", pos.x);
  }
};

struct BlockUpdate {
  static constexpr std::int32_t kId = v775::play::clientbound::kBlockUpdate;
  static constexpr std::string_view kName = "block_update";
  BlockPos pos;
  std::int32_t state = 0;
  template <class A>
  void fields(A& a) {
    a.block_pos("pos", pos);
    a.varint("state", state);
  }
};

/// Changes in one section: `records` are state << 12 | x << 8 | z << 4 | y.
struct SectionBlocksUpdate {
  static constexpr std::int32_t kId = v775::play::clientbound::kSectionBlocksUpdate;
  static constexpr std::string_view kName = "section_blocks_update";
  std::uint64_t section = 0;
  std::vector<std::int64_t> records;

  static constexpr std::uint64_t pack_section(std::int32_t x, std::int32_t y, std::int32_t z) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) & 0x3fffff) << 42 |
           (static_cast<std::uint64_t>(static_cast<std::uint32_t>(z)) & 0x3fffff) << 20 |
           (static_cast<std::uint64_t>(static_cast<std::uint32_t>(y)) & 0xfffff);
  }
  static constexpr std::int64_t record(BlockPos p, BlockState state) {
    return static_cast<std::int64_t>(state) << 12 | (p.x & 15) << 8 | (p.z & 15) << 4 | (p.y & 15);
  }
  template <class A>
  void fields(A& a) {
    a.u64("section", section);
    a.list("records", records, 4096, [](A& in, std::int64_t& v) { in.varlong("records", v); });
  }
};

struct BlockChangedAck {
  static constexpr std::int32_t kId = v775::play::clientbound::kBlockChangedAck;
  static constexpr std::string_view kName = "block_changed_ack";
  std::int32_t sequence = 0;
  template <class A>
  void fields(A& a) {
    a.varint("sequence", sequence);
  }
};

struct BlockDestruction {
  static constexpr std::int32_t kId = v775::play::clientbound::kBlockDestruction;
  static constexpr std::string_view kName = "block_destruction";
  std::int32_t breaker = 0;
  BlockPos pos;
  std::uint8_t stage = 0;
  template <class A>
  void fields(A& a) {
    a.varint("breaker", breaker);
    a.block_pos("pos", pos);
    a.u8("stage", stage);
  }
};

struct BlockEvent {
  static constexpr std::int32_t kId = v775::play::clientbound::kBlockEvent;
  static constexpr std::string_view kName = "block_event";
  BlockPos pos;
  std::uint8_t type = 0;
  std::uint8_t data = 0;
  std::int32_t block = 0;
  template <class A>
  void fields(A& a) {
    a.block_pos("pos", pos);
    a.u8("type", type);
    a.u8("data", data);
    a.varint("block", block);
  }
};

struct BlockEntityData {
  static constexpr std::int32_t kId = v775::play::clientbound::kBlockEntityData;
  static constexpr std::string_view kName = "block_entity_data";
  BlockPos pos;
  std::int32_t type = 0;
  nbt::Raw data;
  template <class A>
  void fields(A& a) {
    a.block_pos("pos", pos);
    a.varint("type", type);
    a.nbt("data", data);
  }
};

struct LevelEvent {
  static constexpr std::int32_t kId = v775::play::clientbound::kLevelEvent;
  static constexpr std::string_view kName = "level_event";
  std::int32_t event = 0;
  BlockPos pos;
  std::int32_t data = 0;
  bool global = false;
  template <class A>
  void fields(A& a) {
    a.i32("event", event);
    a.block_pos("pos", pos);
    a.i32("data", data);
    a.boolean("global", global);
  }
};

struct AddEntity {
  static constexpr std::int32_t kId = v775::play::clientbound::kAddEntity;
  static constexpr std::string_view kName = "add_entity";
  std::int32_t id = 0;
  Uuid uuid;
  std::int32_t type = 0;
  Vec3 pos;
  Vec3 velocity;
  std::int8_t pitch = 0;
  std::int8_t yaw = 0;
  std::int8_t head_yaw = 0;
  std::int32_t data = 0;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.uuid("uuid", uuid);
    a.varint("type", type);
    a.vec3("pos", pos);
    a.lp_vec3("velocity", velocity);
    a.i8("pitch", pitch);
    a.i8("yaw", yaw);
    a.i8("head_yaw", head_yaw);
    a.varint("data", data);
  }
};

struct RemoveEntities {
  static constexpr std::int32_t kId = v775::play::clientbound::kRemoveEntities;
  static constexpr std::string_view kName = "remove_entities";
  std::vector<std::int32_t> ids;
  template <class A>
  void fields(A& a) {
    a.varints("ids", ids);
  }
};

struct MoveEntityPos {
  static constexpr std::int32_t kId = v775::play::clientbound::kMoveEntityPos;
  static constexpr std::string_view kName = "move_entity_pos";
  std::int32_t id = 0;
  std::int16_t dx = 0;
  std::int16_t dy = 0;
  std::int16_t dz = 0;
  bool on_ground = false;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.i16("dx", dx);
    a.i16("dy", dy);
    a.i16("dz", dz);
    a.boolean("on_ground", on_ground);
  }
};

struct MoveEntityPosRot {
  static constexpr std::int32_t kId = v775::play::clientbound::kMoveEntityPosRot;
  static constexpr std::string_view kName = "move_entity_pos_rot";
  std::int32_t id = 0;
  std::int16_t dx = 0;
  std::int16_t dy = 0;
  std::int16_t dz = 0;
  std::int8_t yaw = 0;
  std::int8_t pitch = 0;
  bool on_ground = false;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.i16("dx", dx);
    a.i16("dy", dy);
    a.i16("dz", dz);
    a.i8("yaw", yaw);
    a.i8("pitch", pitch);
    a.boolean("on_ground", on_ground);
  }
};

struct MoveEntityRot {
  static constexpr std::int32_t kId = v775::play::clientbound::kMoveEntityRot;
  static constexpr std::string_view kName = "move_entity_rot";
  std::int32_t id = 0;
  std::int8_t yaw = 0;
  std::int8_t pitch = 0;
  bool on_ground = false;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.i8("yaw", yaw);
    a.i8("pitch", pitch);
    a.boolean("on_ground", on_ground);
  }
};

struct EntityPositionSync {
  static constexpr std::int32_t kId = v775::play::clientbound::kEntityPositionSync;
  static constexpr std::string_view kName = "entity_position_sync";
  std::int32_t id = 0;
  Vec3 pos;
  Vec3 delta;
  float yaw = 0;
  float pitch = 0;
  bool on_ground = false;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.vec3("pos", pos);
    a.vec3("delta", delta);
    a.f32("yaw", yaw);
    a.f32("pitch", pitch);
    a.boolean("on_ground", on_ground);
  }
};

struct TeleportEntity {
  static constexpr std::int32_t kId = v775::play::clientbound::kTeleportEntity;
  static constexpr std::string_view kName = "teleport_entity";
  std::int32_t id = 0;
  Vec3 pos;
  Vec3 delta;
  float yaw = 0;
  float pitch = 0;
  std::uint32_t relatives = 0;
  bool on_ground = false;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.vec3("pos", pos);
    a.vec3("delta", delta);
    a.f32("yaw", yaw);
    a.f32("pitch", pitch);
    a.u32("relatives", relatives);
    a.boolean("on_ground", on_ground);
  }
};

struct RotateHead {
  static constexpr std::int32_t kId = v775::play::clientbound::kRotateHead;
  static constexpr std::string_view kName = "rotate_head";
  std::int32_t id = 0;
  std::int8_t yaw = 0;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.i8("yaw", yaw);
  }
};

struct SetEntityData {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetEntityData;
  static constexpr std::string_view kName = "set_entity_data";
  std::int32_t id = 0;
  std::vector<EntityData> data;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    if constexpr (A::kReads) {
      read_entity_data(a.reader(), data);
    } else {
      write_entity_data(a.writer(), data);
    }
  }
};

/// Blocks per tick.
struct SetEntityMotion {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetEntityMotion;
  static constexpr std::string_view kName = "set_entity_motion";
  std::int32_t id = 0;
  Vec3 velocity;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.lp_vec3("velocity", velocity);
  }
};

/// 0 swings the main hand, 2 wakes, 3 swings the other hand, 4 critical, 5 magic critical.
struct Animate {
  static constexpr std::int32_t kId = v775::play::clientbound::kAnimate;
  static constexpr std::string_view kName = "animate";
  std::int32_t id = 0;
  std::uint8_t animation = 0;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.u8("animation", animation);
  }
};

struct EntityEvent {
  static constexpr std::int32_t kId = v775::play::clientbound::kEntityEvent;
  static constexpr std::string_view kName = "entity_event";
  std::int32_t id = 0;
  std::int8_t event = 0;
  template <class A>
  void fields(A& a) {
    a.i32("id", id);
    a.i8("event", event);
  }
};

struct DamageEvent {
  static constexpr std::int32_t kId = v775::play::clientbound::kDamageEvent;
  static constexpr std::string_view kName = "damage_event";
  std::int32_t id = 0;
  std::int32_t damage_type = 0;
  std::int32_t cause = 0;
  std::int32_t direct_cause = 0;
  std::optional<Vec3> position;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.varint("damage_type", damage_type);
    a.varint("cause", cause);
    a.varint("direct_cause", direct_cause);
    a.optional("position", position, [](A& in, Vec3& v) { in.vec3("position", v); });
  }
};

struct HurtAnimation {
  static constexpr std::int32_t kId = v775::play::clientbound::kHurtAnimation;
  static constexpr std::string_view kName = "hurt_animation";
  std::int32_t id = 0;
  float yaw = 0;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.f32("yaw", yaw);
  }
};

struct SetPassengers {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetPassengers;
  static constexpr std::string_view kName = "set_passengers";
  std::int32_t vehicle = 0;
  std::vector<std::int32_t> passengers;
  template <class A>
  void fields(A& a) {
    a.varint("vehicle", vehicle);
    a.varints("passengers", passengers);
  }
};

struct TakeItemEntity {
  static constexpr std::int32_t kId = v775::play::clientbound::kTakeItemEntity;
  static constexpr std::string_view kName = "take_item_entity";
  std::int32_t item = 0;
  std::int32_t collector = 0;
  std::int32_t amount = 0;
  template <class A>
  void fields(A& a) {
    a.varint("item", item);
    a.varint("collector", collector);
    a.varint("amount", amount);
  }
};

/// REQUIRES: at least one slot.
struct SetEquipment {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetEquipment;
  static constexpr std::string_view kName = "set_equipment";
  std::int32_t id = 0;
  std::vector<EquipmentSlot> slots;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    if constexpr (A::kReads) {
      slots.clear();
      std::uint8_t slot = 0x80;
      while ((slot & 0x80) != 0 && slots.size() < 128) {
        a.u8("slot", slot);
        slots.push_back({static_cast<std::uint8_t>(slot & 0x7f), {}});
        a.item("item", slots.back().item);
      }
    } else {
      for (std::size_t i = 0; i < slots.size(); ++i) {
        a.u8("slot", static_cast<std::uint8_t>(slots[i].slot | (i + 1 < slots.size() ? 0x80 : 0)));
        a.item("item", slots[i].item);
      }
    }
  }
};

/// Adds players to the list or changes them; `actions` says which parts of the entries are sent.
struct PlayerInfoUpdate {
  static constexpr std::int32_t kId = v775::play::clientbound::kPlayerInfoUpdate;
  static constexpr std::string_view kName = "player_info_update";
  static constexpr std::uint8_t kAddPlayer = 1;
  static constexpr std::uint8_t kInitializeChat = 2;
  static constexpr std::uint8_t kGameMode = 4;
  static constexpr std::uint8_t kListed = 8;
  static constexpr std::uint8_t kLatency = 16;
  static constexpr std::uint8_t kDisplayName = 32;
  static constexpr std::uint8_t kListOrder = 64;
  static constexpr std::uint8_t kHat = 128;

  std::uint8_t actions = 0;
  std::vector<PlayerInfoEntry> entries;
  template <class A>
  void fields(A& a) {
    a.u8("actions", actions);
    const std::uint8_t parts = actions;
    a.list("entries", entries, kMaxList, [parts](A& in, PlayerInfoEntry& e) {
      in.uuid("uuid", e.uuid);
      if (parts & kAddPlayer) {
        in.string("name", e.name, 16);
        in.objects("properties", e.properties, 16);
      }
      if (parts & kInitializeChat) in.optional_object("chat_session", e.chat_session);
      if (parts & kGameMode) in.varint("game_mode", e.game_mode);
      if (parts & kListed) in.boolean("listed", e.listed);
      if (parts & kLatency) in.varint("latency", e.latency);
      if (parts & kDisplayName) {
        in.optional("display_name", e.display_name,
                    [](A& inner, nbt::Raw& v) { inner.nbt("display_name", v); });
      }
      if (parts & kListOrder) in.varint("list_order", e.list_order);
      if (parts & kHat) in.boolean("show_hat", e.show_hat);
    });
  }
};

struct PlayerInfoRemove {
  static constexpr std::int32_t kId = v775::play::clientbound::kPlayerInfoRemove;
  static constexpr std::string_view kName = "player_info_remove";
  std::vector<Uuid> players;
  template <class A>
  void fields(A& a) {
    a.list("players", players, kMaxList, [](A& in, Uuid& v) { in.uuid("players", v); });
  }
};

/// `flags`: 1 invulnerable, 2 flying, 4 may fly, 8 instant building.
struct PlayerAbilities {
  static constexpr std::int32_t kId = v775::play::clientbound::kPlayerAbilities;
  static constexpr std::string_view kName = "player_abilities";
  std::int8_t flags = 0;
  float flying_speed = 0.05F;
  float walking_speed = 0.1F;
  template <class A>
  void fields(A& a) {
    a.i8("flags", flags);
    a.f32("flying_speed", flying_speed);
    a.f32("walking_speed", walking_speed);
  }
};

struct SetHeldSlot {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetHeldSlot;
  static constexpr std::string_view kName = "set_held_slot";
  std::int32_t slot = 0;
  template <class A>
  void fields(A& a) {
    a.varint("slot", slot);
  }
};

struct ContainerSetContent {
  static constexpr std::int32_t kId = v775::play::clientbound::kContainerSetContent;
  static constexpr std::string_view kName = "container_set_content";
  std::int32_t container = 0;
  std::int32_t state_id = 0;
  std::vector<ItemStack> items;
  ItemStack carried;
  template <class A>
  void fields(A& a) {
    a.varint("container", container);
    a.varint("state_id", state_id);
    a.list("items", items, 1024, [](A& in, ItemStack& v) { in.item("items", v); });
    a.item("carried", carried);
  }
};

struct ContainerSetSlot {
  static constexpr std::int32_t kId = v775::play::clientbound::kContainerSetSlot;
  static constexpr std::string_view kName = "container_set_slot";
  std::int32_t container = 0;
  std::int32_t state_id = 0;
  std::int16_t slot = 0;
  ItemStack item;
  template <class A>
  void fields(A& a) {
    a.varint("container", container);
    a.varint("state_id", state_id);
    a.i16("slot", slot);
    a.item("item", item);
  }
};

struct ContainerSetData {
  static constexpr std::int32_t kId = v775::play::clientbound::kContainerSetData;
  static constexpr std::string_view kName = "container_set_data";
  std::int32_t container = 0;
  std::int16_t property = 0;
  std::int16_t value = 0;
  template <class A>
  void fields(A& a) {
    a.varint("container", container);
    a.i16("property", property);
    a.i16("value", value);
  }
};

struct ContainerClose {
  static constexpr std::int32_t kId = v775::play::clientbound::kContainerClose;
  static constexpr std::string_view kName = "container_close";
  std::int32_t container = 0;
  template <class A>
  void fields(A& a) {
    a.varint("container", container);
  }
};

struct OpenScreen {
  static constexpr std::int32_t kId = v775::play::clientbound::kOpenScreen;
  static constexpr std::string_view kName = "open_screen";
  std::int32_t container = 0;
  std::int32_t type = 0;
  nbt::Raw title;
  template <class A>
  void fields(A& a) {
    a.varint("container", container);
    a.varint("type", type);
    a.nbt("title", title);
  }
};

struct SetPlayerInventory {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetPlayerInventory;
  static constexpr std::string_view kName = "set_player_inventory";
  std::int32_t slot = 0;
  ItemStack item;
  template <class A>
  void fields(A& a) {
    a.varint("slot", slot);
    a.item("item", item);
  }
};

struct SetCursorItem {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetCursorItem;
  static constexpr std::string_view kName = "set_cursor_item";
  ItemStack item;
  template <class A>
  void fields(A& a) {
    a.item("item", item);
  }
};

struct SetTime {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetTime;
  static constexpr std::string_view kName = "set_time";
  std::int64_t game_time = 0;
  std::vector<ClockUpdate> clocks;
  template <class A>
  void fields(A& a) {
    a.i64("game_time", game_time);
    a.objects("clocks", clocks, 64);
  }
};

struct ChangeDifficulty {
  static constexpr std::int32_t kId = v775::play::clientbound::kChangeDifficulty;
  static constexpr std::string_view kName = "change_difficulty";
  std::int32_t difficulty = 0;
  bool locked = false;
  template <class A>
  void fields(A& a) {
    a.choice("difficulty", difficulty, 4);
    a.boolean("locked", locked);
  }
};

struct CustomPayload {
  static constexpr std::int32_t kId = v775::play::clientbound::kCustomPayload;
  static constexpr std::string_view kName = "custom_payload";
  std::string channel;
  std::vector<std::uint8_t> data;
  template <class A>
  void fields(A& a) {
    a.string("channel", channel);
    a.rest("data", data, 1048576);
  }
};

struct KeepAlive {
  static constexpr std::int32_t kId = v775::play::clientbound::kKeepAlive;
  static constexpr std::string_view kName = "keep_alive";
  std::int64_t id = 0;
  template <class A>
  void fields(A& a) {
    a.i64("id", id);
  }
};

struct Ping {
  static constexpr std::int32_t kId = v775::play::clientbound::kPing;
  static constexpr std::string_view kName = "ping";
  std::int32_t id = 0;
  template <class A>
  void fields(A& a) {
    a.i32("id", id);
  }
};

struct PongResponse {
  static constexpr std::int32_t kId = v775::play::clientbound::kPongResponse;
  static constexpr std::string_view kName = "pong_response";
  std::int64_t time = 0;
  template <class A>
  void fields(A& a) {
    a.i64("time", time);
  }
};

struct SystemChat {
  static constexpr std::int32_t kId = v775::play::clientbound::kSystemChat;
  static constexpr std::string_view kName = "system_chat";
  nbt::Raw content;
  bool overlay = false;
  template <class A>
  void fields(A& a) {
    a.nbt("content", content);
    a.boolean("overlay", overlay);
  }
};

struct SetActionBarText {
  static constexpr std::int32_t kId = v775::play::clientbound::kSetActionBarText;
  static constexpr std::string_view kName = "set_action_bar_text";
  nbt::Raw text;
  template <class A>
  void fields(A& a) {
    a.nbt("text", text);
  }
};

struct DisguisedChat {
  static constexpr std::int32_t kId = v775::play::clientbound::kDisguisedChat;
  static constexpr std::string_view kName = "disguised_chat";
  nbt::Raw message;
  ChatType chat_type;
  template <class A>
  void fields(A& a) {
    a.nbt("message", message);
    a.object("chat_type", chat_type);
  }
};

struct PlayerChat {
  static constexpr std::int32_t kId = v775::play::clientbound::kPlayerChat;
  static constexpr std::string_view kName = "player_chat";
  static constexpr std::int32_t kPassThrough = 0;
  static constexpr std::int32_t kFullyFiltered = 1;
  static constexpr std::int32_t kPartiallyFiltered = 2;

  std::int32_t global_index = 0;
  Uuid sender;
  std::int32_t index = 0;
  std::optional<std::array<std::uint8_t, 256>> signature;
  std::string message;
  std::int64_t timestamp = 0;
  std::int64_t salt = 0;
  std::vector<SeenMessage> last_seen;
  std::optional<nbt::Raw> unsigned_content;
  std::int32_t filter = kPassThrough;
  std::vector<std::int64_t> filter_mask;
  ChatType chat_type;
  template <class A>
  void fields(A& a) {
    a.varint("global_index", global_index);
    a.uuid("sender", sender);
    a.varint("index", index);
    a.optional("signature", signature,
               [](A& in, std::array<std::uint8_t, 256>& v) { in.fixed("signature", v); });
    a.string("message", message, 256);
    a.i64("timestamp", timestamp);
    a.i64("salt", salt);
    a.objects("last_seen", last_seen, 20);
    a.optional("unsigned_content", unsigned_content,
               [](A& in, nbt::Raw& v) { in.nbt("unsigned_content", v); });
    a.choice("filter", filter, 3);
    if (filter == kPartiallyFiltered) {
      a.list("filter_mask", filter_mask, 64, [](A& in, std::int64_t& v) { in.i64("filter_mask", v); });
    }
    a.object("chat_type", chat_type);
  }
};

struct Commands {
  static constexpr std::int32_t kId = v775::play::clientbound::kCommands;
  static constexpr std::string_view kName = "commands";
  std::vector<CommandNode> nodes;
  std::int32_t root = 0;
  template <class A>
  void fields(A& a) {
    a.objects("nodes", nodes);
    a.varint("root", root);
  }
};

struct CommandSuggestions {
  static constexpr std::int32_t kId = v775::play::clientbound::kCommandSuggestions;
  static constexpr std::string_view kName = "command_suggestions";
  std::int32_t id = 0;
  std::int32_t start = 0;
  std::int32_t length = 0;
  std::vector<Suggestion> suggestions;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.varint("start", start);
    a.varint("length", length);
    a.objects("suggestions", suggestions);
  }
};

struct Disconnect {
  static constexpr std::int32_t kId = v775::play::clientbound::kDisconnect;
  static constexpr std::string_view kName = "disconnect";
  nbt::Raw reason;
  template <class A>
  void fields(A& a) {
    a.nbt("reason", reason);
  }
};

struct ServerData {
  static constexpr std::int32_t kId = v775::play::clientbound::kServerData;
  static constexpr std::string_view kName = "server_data";
  nbt::Raw motd;
  std::optional<std::vector<std::uint8_t>> icon;
  template <class A>
  void fields(A& a) {
    a.nbt("motd", motd);
    a.optional("icon", icon, [](A& in, std::vector<std::uint8_t>& v) { in.byte_array("icon", v, 1048576); });
  }
};

struct TabList {
  static constexpr std::int32_t kId = v775::play::clientbound::kTabList;
  static constexpr std::string_view kName = "tab_list";
  nbt::Raw header;
  nbt::Raw footer;
  template <class A>
  void fields(A& a) {
    a.nbt("header", header);
    a.nbt("footer", footer);
  }
};

struct TickingState {
  static constexpr std::int32_t kId = v775::play::clientbound::kTickingState;
  static constexpr std::string_view kName = "ticking_state";
  float tick_rate = 20;
  bool frozen = false;
  template <class A>
  void fields(A& a) {
    a.f32("tick_rate", tick_rate);
    a.boolean("frozen", frozen);
  }
};

struct TickingStep {
  static constexpr std::int32_t kId = v775::play::clientbound::kTickingStep;
  static constexpr std::string_view kName = "ticking_step";
  std::int32_t steps = 0;
  template <class A>
  void fields(A& a) {
    a.varint("steps", steps);
  }
};

struct StartConfiguration {
  static constexpr std::int32_t kId = v775::play::clientbound::kStartConfiguration;
  static constexpr std::string_view kName = "start_configuration";
  template <class A>
  void fields(A&) {}
};

struct StoreCookie {
  static constexpr std::int32_t kId = v775::play::clientbound::kStoreCookie;
  static constexpr std::string_view kName = "store_cookie";
  std::string key;
  std::vector<std::uint8_t> value;
  template <class A>
  void fields(A& a) {
    a.string("key", key);
    a.byte_array("value", value, 5120);
  }
};

struct Transfer {
  static constexpr std::int32_t kId = v775::play::clientbound::kTransfer;
  static constexpr std::string_view kName = "transfer";
  std::string host;
  std::int32_t port = 0;
  template <class A>
  void fields(A& a) {
    a.string("host", host);
    a.varint("port", port);
  }
};

}  // namespace clientbound

namespace serverbound {

struct AcceptTeleportation {
  static constexpr std::int32_t kId = v775::play::serverbound::kAcceptTeleportation;
  static constexpr std::string_view kName = "accept_teleportation";
  std::int32_t teleport_id = 0;
  template <class A>
  void fields(A& a) {
    a.varint("teleport_id", teleport_id);
  }
};

/// `flags`: 1 on the ground, 2 against a wall.
struct MovePlayerPos {
  static constexpr std::int32_t kId = v775::play::serverbound::kMovePlayerPos;
  static constexpr std::string_view kName = "move_player_pos";
  Vec3 pos;
  std::uint8_t flags = 0;
  template <class A>
  void fields(A& a) {
    a.vec3("pos", pos);
    a.u8("flags", flags);
  }
};

struct MovePlayerPosRot {
  static constexpr std::int32_t kId = v775::play::serverbound::kMovePlayerPosRot;
  static constexpr std::string_view kName = "move_player_pos_rot";
  Vec3 pos;
  float yaw = 0;
  float pitch = 0;
  std::uint8_t flags = 0;
  template <class A>
  void fields(A& a) {
    a.vec3("pos", pos);
    a.f32("yaw", yaw);
    a.f32("pitch", pitch);
    a.u8("flags", flags);
  }
};

struct MovePlayerRot {
  static constexpr std::int32_t kId = v775::play::serverbound::kMovePlayerRot;
  static constexpr std::string_view kName = "move_player_rot";
  float yaw = 0;
  float pitch = 0;
  std::uint8_t flags = 0;
  template <class A>
  void fields(A& a) {
    a.f32("yaw", yaw);
    a.f32("pitch", pitch);
    a.u8("flags", flags);
  }
};

struct MovePlayerStatusOnly {
  static constexpr std::int32_t kId = v775::play::serverbound::kMovePlayerStatusOnly;
  static constexpr std::string_view kName = "move_player_status_only";
  std::uint8_t flags = 0;
  template <class A>
  void fields(A& a) {
    a.u8("flags", flags);
  }
};

struct PlayerLoaded {
  static constexpr std::int32_t kId = v775::play::serverbound::kPlayerLoaded;
  static constexpr std::string_view kName = "player_loaded";
  template <class A>
  void fields(A&) {}
};

struct ChunkBatchReceived {
  static constexpr std::int32_t kId = v775::play::serverbound::kChunkBatchReceived;
  static constexpr std::string_view kName = "chunk_batch_received";
  float chunks_per_tick = 0;
  template <class A>
  void fields(A& a) {
    a.f32("chunks_per_tick", chunks_per_tick);
  }
};

struct KeepAlive {
  static constexpr std::int32_t kId = v775::play::serverbound::kKeepAlive;
  static constexpr std::string_view kName = "keep_alive";
  std::int64_t id = 0;
  template <class A>
  void fields(A& a) {
    a.i64("id", id);
  }
};

struct Pong {
  static constexpr std::int32_t kId = v775::play::serverbound::kPong;
  static constexpr std::string_view kName = "pong";
  std::int32_t id = 0;
  template <class A>
  void fields(A& a) {
    a.i32("id", id);
  }
};

struct PingRequest {
  static constexpr std::int32_t kId = v775::play::serverbound::kPingRequest;
  static constexpr std::string_view kName = "ping_request";
  std::int64_t time = 0;
  template <class A>
  void fields(A& a) {
    a.i64("time", time);
  }
};

struct ClientInformation : ClientSettings {
  static constexpr std::int32_t kId = v775::play::serverbound::kClientInformation;
  static constexpr std::string_view kName = "client_information";
};

struct CustomPayload {
  static constexpr std::int32_t kId = v775::play::serverbound::kCustomPayload;
  static constexpr std::string_view kName = "custom_payload";
  std::string channel;
  std::vector<std::uint8_t> data;
  template <class A>
  void fields(A& a) {
    a.string("channel", channel);
    a.rest("data", data, 32767);
  }
};

struct ClientTickEnd {
  static constexpr std::int32_t kId = v775::play::serverbound::kClientTickEnd;
  static constexpr std::string_view kName = "client_tick_end";
  template <class A>
  void fields(A&) {}
};

struct SetCarriedItem {
  static constexpr std::int32_t kId = v775::play::serverbound::kSetCarriedItem;
  static constexpr std::string_view kName = "set_carried_item";
  std::int16_t slot = 0;
  template <class A>
  void fields(A& a) {
    a.i16("slot", slot);
  }
};

/// `inputs`: bits forward, backward, left, right, jump, sneak, sprint.
struct PlayerInput {
  static constexpr std::int32_t kId = v775::play::serverbound::kPlayerInput;
  static constexpr std::string_view kName = "player_input";
  std::uint8_t inputs = 0;
  template <class A>
  void fields(A& a) {
    a.u8("inputs", inputs);
  }
};

struct PlayerCommand {
  static constexpr std::int32_t kId = v775::play::serverbound::kPlayerCommand;
  static constexpr std::string_view kName = "player_command";
  std::int32_t entity_id = 0;
  std::int32_t action = 0;
  std::int32_t data = 0;
  template <class A>
  void fields(A& a) {
    a.varint("entity_id", entity_id);
    a.choice("action", action, 7);
    a.varint("data", data);
  }
};

struct PlayerAbilities {
  static constexpr std::int32_t kId = v775::play::serverbound::kPlayerAbilities;
  static constexpr std::string_view kName = "player_abilities";
  std::int8_t flags = 0;
  template <class A>
  void fields(A& a) {
    a.i8("flags", flags);
  }
};

/// `action`: 0 starts, 1 cancels, 2 finishes digging, 3 drops the stack, 4 drops one, 5 releases, 6 swaps
/// hands, 7 stabs.
struct PlayerAction {
  static constexpr std::int32_t kId = v775::play::serverbound::kPlayerAction;
  static constexpr std::string_view kName = "player_action";
  std::int32_t action = 0;
  BlockPos pos;
  std::uint8_t face = 0;
  std::int32_t sequence = 0;
  template <class A>
  void fields(A& a) {
    a.choice("action", action, 8);
    a.block_pos("pos", pos);
    a.u8("face", face);
    a.varint("sequence", sequence);
  }
};

struct UseItemOn {
  static constexpr std::int32_t kId = v775::play::serverbound::kUseItemOn;
  static constexpr std::string_view kName = "use_item_on";
  std::int32_t hand = 0;
  BlockPos pos;
  std::int32_t face = 0;
  float cursor_x = 0;
  float cursor_y = 0;
  float cursor_z = 0;
  bool inside = false;
  bool world_border = false;
  std::int32_t sequence = 0;
  template <class A>
  void fields(A& a) {
    a.choice("hand", hand, 2);
    a.block_pos("pos", pos);
    a.choice("face", face, 6);
    a.f32("cursor_x", cursor_x);
    a.f32("cursor_y", cursor_y);
    a.f32("cursor_z", cursor_z);
    a.boolean("inside", inside);
    a.boolean("world_border", world_border);
    a.varint("sequence", sequence);
  }
};

struct UseItem {
  static constexpr std::int32_t kId = v775::play::serverbound::kUseItem;
  static constexpr std::string_view kName = "use_item";
  std::int32_t hand = 0;
  std::int32_t sequence = 0;
  float yaw = 0;
  float pitch = 0;
  template <class A>
  void fields(A& a) {
    a.choice("hand", hand, 2);
    a.varint("sequence", sequence);
    a.f32("yaw", yaw);
    a.f32("pitch", pitch);
  }
};

struct Swing {
  static constexpr std::int32_t kId = v775::play::serverbound::kSwing;
  static constexpr std::string_view kName = "swing";
  std::int32_t hand = 0;
  template <class A>
  void fields(A& a) {
    a.choice("hand", hand, 2);
  }
};

struct SetCreativeModeSlot {
  static constexpr std::int32_t kId = v775::play::serverbound::kSetCreativeModeSlot;
  static constexpr std::string_view kName = "set_creative_mode_slot";
  std::int16_t slot = 0;
  ItemStack item;
  template <class A>
  void fields(A& a) {
    a.i16("slot", slot);
    a.untrusted_item("item", item);
  }
};

struct Chat {
  static constexpr std::int32_t kId = v775::play::serverbound::kChat;
  static constexpr std::string_view kName = "chat";
  std::string message;
  std::int64_t timestamp = 0;
  std::int64_t salt = 0;
  std::optional<std::array<std::uint8_t, 256>> signature;
  std::int32_t offset = 0;
  std::array<std::uint8_t, 3> acknowledged{};
  std::uint8_t checksum = 0;
  template <class A>
  void fields(A& a) {
    a.string("message", message, 256);
    a.i64("timestamp", timestamp);
    a.i64("salt", salt);
    a.optional("signature", signature,
               [](A& in, std::array<std::uint8_t, 256>& v) { in.fixed("signature", v); });
    a.varint("offset", offset);
    a.fixed("acknowledged", acknowledged);
    a.u8("checksum", checksum);
  }
};

struct ChatCommand {
  static constexpr std::int32_t kId = v775::play::serverbound::kChatCommand;
  static constexpr std::string_view kName = "chat_command";
  std::string command;
  template <class A>
  void fields(A& a) {
    a.string("command", command);
  }
};

struct ChatCommandSigned {
  static constexpr std::int32_t kId = v775::play::serverbound::kChatCommandSigned;
  static constexpr std::string_view kName = "chat_command_signed";
  std::string command;
  std::int64_t timestamp = 0;
  std::int64_t salt = 0;
  std::vector<ArgumentSignature> signatures;
  std::int32_t offset = 0;
  std::array<std::uint8_t, 3> acknowledged{};
  std::uint8_t checksum = 0;
  template <class A>
  void fields(A& a) {
    a.string("command", command);
    a.i64("timestamp", timestamp);
    a.i64("salt", salt);
    a.objects("signatures", signatures, 8);
    a.varint("offset", offset);
    a.fixed("acknowledged", acknowledged);
    a.u8("checksum", checksum);
  }
};

struct ChatAck {
  static constexpr std::int32_t kId = v775::play::serverbound::kChatAck;
  static constexpr std::string_view kName = "chat_ack";
  std::int32_t count = 0;
  template <class A>
  void fields(A& a) {
    a.varint("count", count);
  }
};

struct ChatSessionUpdate {
  static constexpr std::int32_t kId = v775::play::serverbound::kChatSessionUpdate;
  static constexpr std::string_view kName = "chat_session_update";
  ChatSession session;
  template <class A>
  void fields(A& a) {
    a.object("session", session);
  }
};

struct CommandSuggestion {
  static constexpr std::int32_t kId = v775::play::serverbound::kCommandSuggestion;
  static constexpr std::string_view kName = "command_suggestion";
  std::int32_t id = 0;
  std::string text;
  template <class A>
  void fields(A& a) {
    a.varint("id", id);
    a.string("text", text, 32500);
  }
};

/// `location` is relative to the target's feet.
struct Interact {
  static constexpr std::int32_t kId = v775::play::serverbound::kInteract;
  static constexpr std::string_view kName = "interact";
  std::int32_t target = 0;
  std::int32_t hand = 0;
  Vec3 location;
  bool sneaking = false;
  template <class A>
  void fields(A& a) {
    a.varint("target", target);
    a.choice("hand", hand, 2);
    a.lp_vec3("location", location);
    a.boolean("sneaking", sneaking);
  }
};

struct Attack {
  static constexpr std::int32_t kId = v775::play::serverbound::kAttack;
  static constexpr std::string_view kName = "attack";
  std::int32_t target = 0;
  template <class A>
  void fields(A& a) {
    a.varint("target", target);
  }
};

/// `action`: 0 respawns, 1 asks for statistics, 2 for game rules.
struct ClientCommand {
  static constexpr std::int32_t kId = v775::play::serverbound::kClientCommand;
  static constexpr std::string_view kName = "client_command";
  std::int32_t action = 0;
  template <class A>
  void fields(A& a) {
    a.choice("action", action, 3);
  }
};

struct ContainerClose {
  static constexpr std::int32_t kId = v775::play::serverbound::kContainerClose;
  static constexpr std::string_view kName = "container_close";
  std::int32_t container = 0;
  template <class A>
  void fields(A& a) {
    a.varint("container", container);
  }
};

struct ContainerClick {
  static constexpr std::int32_t kId = v775::play::serverbound::kContainerClick;
  static constexpr std::string_view kName = "container_click";
  std::int32_t container = 0;
  std::int32_t state_id = 0;
  std::int16_t slot = 0;
  std::int8_t button = 0;
  std::int32_t mode = 0;
  std::vector<ChangedSlot> changed;
  std::optional<HashedItem> carried;
  template <class A>
  void fields(A& a) {
    a.varint("container", container);
    a.varint("state_id", state_id);
    a.i16("slot", slot);
    a.i8("button", button);
    a.choice("mode", mode, 7);
    a.objects("changed", changed, 128);
    a.optional_object("carried", carried);
  }
};

struct PickItemFromBlock {
  static constexpr std::int32_t kId = v775::play::serverbound::kPickItemFromBlock;
  static constexpr std::string_view kName = "pick_item_from_block";
  BlockPos pos;
  bool include_data = false;
  template <class A>
  void fields(A& a) {
    a.block_pos("pos", pos);
    a.boolean("include_data", include_data);
  }
};

struct PickItemFromEntity {
  static constexpr std::int32_t kId = v775::play::serverbound::kPickItemFromEntity;
  static constexpr std::string_view kName = "pick_item_from_entity";
  std::int32_t entity_id = 0;
  bool include_data = false;
  template <class A>
  void fields(A& a) {
    a.varint("entity_id", entity_id);
    a.boolean("include_data", include_data);
  }
};

struct ConfigurationAcknowledged {
  static constexpr std::int32_t kId = v775::play::serverbound::kConfigurationAcknowledged;
  static constexpr std::string_view kName = "configuration_acknowledged";
  template <class A>
  void fields(A&) {}
};

struct CookieResponse {
  static constexpr std::int32_t kId = v775::play::serverbound::kCookieResponse;
  static constexpr std::string_view kName = "cookie_response";
  std::string key;
  std::optional<std::vector<std::uint8_t>> value;
  template <class A>
  void fields(A& a) {
    a.string("key", key);
    a.optional("value", value, [](A& in, std::vector<std::uint8_t>& v) { in.byte_array("value", v, 5120); });
  }
};

}  // namespace serverbound

}  // namespace horizon::protocol::play
