// Our codecs against bytes of minecraft-protocol (tests/fixtures/generate_vectors.mjs).
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "common/protocol/frame.hpp"
#include "common/protocol/packet_list.hpp"
#include "common/text/component.hpp"

namespace horizon::protocol {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes from_hex(const std::string& hex) {
  Bytes out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return out;
}

const nlohmann::json& fixture() {
  static const nlohmann::json json = nlohmann::json::parse(std::ifstream("tests/fixtures/vectors_775.json"));
  return json;
}

// Decodes a body and encodes what came out.
using RoundTrip = Result<Bytes> (*)(std::span<const std::uint8_t>);

template <class P>
Result<Bytes> round_trip(std::span<const std::uint8_t> body) {
  const Result<P> packet = decode<P>(body);
  if (!packet) return packet.error();
  return encode(*packet);
}

template <class List>
void add_codecs(std::map<std::string, RoundTrip>& codecs, const std::string& where) {
  List::for_each([&]<class P>(P) { codecs[where + "/" + std::string(P::kName)] = &round_trip<P>; });
}

const std::map<std::string, RoundTrip>& codecs() {
  static const auto all = [] {
    std::map<std::string, RoundTrip> map;
    add_codecs<HandshakeServerbound>(map, "handshake/serverbound");
    add_codecs<StatusClientbound>(map, "status/clientbound");
    add_codecs<StatusServerbound>(map, "status/serverbound");
    add_codecs<LoginClientbound>(map, "login/clientbound");
    add_codecs<LoginServerbound>(map, "login/serverbound");
    add_codecs<ConfigurationClientbound>(map, "configuration/clientbound");
    add_codecs<ConfigurationServerbound>(map, "configuration/serverbound");
    add_codecs<PlayClientbound>(map, "play/clientbound");
    add_codecs<PlayServerbound>(map, "play/serverbound");
    return map;
  }();
  return all;
}

struct Vector {
  std::string key;
  std::string name;
  Bytes packet;
  std::span<const std::uint8_t> body() const { return split_packet(packet).value().body; }
};

const std::vector<Vector>& vectors() {
  static const auto all = [] {
    std::vector<Vector> list;
    for (const auto& v : fixture()["packets"]) {
      const std::string name = v["packet"];
      list.push_back({v["state"].get<std::string>() + "/" + v["direction"].get<std::string>() + "/" + name,
                      name, from_hex(v["hex"])});
    }
    return list;
  }();
  return all;
}

// The n-th vector of a packet.
Bytes expected(const std::string& key, int n = 0) {
  for (const Vector& v : vectors()) {
    if (v.key == key && n-- == 0) return v.packet;
  }
  ADD_FAILURE() << "no vector " << key;
  return {};
}

const Uuid kNotch{0x069a79f444e94726, 0xa5befca90e38aaf5};

TEST(Vectors, EveryPacketDecodesAndEncodesToTheSameBytes) {
  ASSERT_GE(vectors().size(), 200U);
  for (const Vector& v : vectors()) {
    SCOPED_TRACE(v.key);
    const auto codec = codecs().find(v.key);
    ASSERT_NE(codec, codecs().end());
    const Result<Bytes> again = codec->second(v.body());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, v.packet);
  }
}

TEST(Vectors, EveryPacketHasAVector) {
  std::map<std::string, int> seen;
  for (const Vector& v : vectors()) ++seen[v.key];
  for (const auto& [key, codec] : codecs()) EXPECT_GT(seen[key], 0) << key;
}

TEST(Vectors, APacketCutOffAnywhereIsAnErrorThatNamesIt) {
  for (const Vector& v : vectors()) {
    SCOPED_TRACE(v.key);
    const RoundTrip codec = codecs().at(v.key);
    const auto body = v.body();
    const std::size_t id_size = v.packet.size() - body.size();
    for (std::size_t size = 0; size < body.size(); size += size < 700 ? 1 : 97) {
      const Bytes cut(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(size));
      const Result<Bytes> again = codec(cut);
      if (!again) {
        EXPECT_EQ(again.error().message.substr(0, v.name.size() + 1), v.name + ".");
      } else {
        // Packets that end in raw bytes are whole at any length; then nothing may be made up.
        EXPECT_EQ(*again,
                  Bytes(v.packet.begin(), v.packet.begin() + static_cast<std::ptrdiff_t>(id_size + size)));
      }
    }
  }
}

TEST(Vectors, AByteTooManyIsAnError) {
  for (const Vector& v : vectors()) {
    SCOPED_TRACE(v.key);
    Bytes longer(v.body().begin(), v.body().end());
    longer.push_back(0);
    const Result<Bytes> again = codecs().at(v.key)(longer);
    if (again) {
      EXPECT_EQ(again->size(), v.packet.size() + 1);
    }
  }
}

TEST(Vectors, EncodesLogin) {
  namespace out = login::clientbound;
  EXPECT_EQ(encode(out::LoginFinished{.uuid = kNotch, .name = "Notch", .properties = {}}),
            expected("login/clientbound/login_finished"));
  EXPECT_EQ(encode(out::LoginCompression{.threshold = -1}),
            expected("login/clientbound/login_compression", 1));
  EXPECT_EQ(encode(login::serverbound::Hello{.name = "Notch", .profile_id = kNotch}),
            expected("login/serverbound/hello"));
  EXPECT_EQ(encode(handshake::serverbound::Intention{775, "localhost", 25565, 2}),
            expected("handshake/serverbound/intention"));
  EXPECT_EQ(encode(configuration::clientbound::SelectKnownPacks{{{"minecraft", "core", "26.1"}}}),
            expected("configuration/clientbound/select_known_packs"));
  EXPECT_EQ(encode(configuration::clientbound::UpdateEnabledFeatures{{"minecraft:vanilla"}}),
            expected("configuration/clientbound/update_enabled_features"));
  EXPECT_EQ(encode(configuration::clientbound::Disconnect{text::Component::literal("bye").to_nbt()}),
            expected("configuration/clientbound/disconnect"));
}

TEST(Vectors, EncodesPlayLogin) {
  play::clientbound::Login p;
  p.entity_id = 1;
  p.dimensions = {"minecraft:overworld", "minecraft:the_nether"};
  p.max_players = 200;
  p.view_distance = 10;
  p.simulation_distance = 8;
  p.spawn.dimension = "minecraft:overworld";
  p.spawn.hashed_seed = -2 & 0xffffffffLL;
  p.spawn.hashed_seed |= -1LL << 32;
  p.spawn.game_mode = 1;
  p.spawn.is_flat = true;
  p.spawn.portal_cooldown = 300;
  EXPECT_EQ(encode(p), expected("play/clientbound/login"));
}

TEST(Vectors, EncodesWhatHappensInPlay) {
  namespace out = play::clientbound;
  EXPECT_EQ(encode(out::SetHealth{.health = 20, .food = 20, .saturation = 5}),
            expected("play/clientbound/set_health"));
  EXPECT_EQ(encode(out::PlayerPosition{300, {0.5, 64, -0.5}, {0, -0.08, 0}, 180, -90, 0}),
            expected("play/clientbound/player_position"));
  EXPECT_EQ(encode(out::BlockUpdate{{-33554432, 2047, 33554431}, 29872}),
            expected("play/clientbound/block_update", 1));
  EXPECT_EQ(encode(out::ForgetLevelChunk{{-7, 9}}), expected("play/clientbound/forget_level_chunk"));
  EXPECT_EQ(encode(out::GameEvent{.event = 13, .value = 0}), expected("play/clientbound/game_event"));
  EXPECT_EQ(encode(out::MoveEntityPosRot{5, 4096, -1, 0, -128, 64, false}),
            expected("play/clientbound/move_entity_pos_rot"));
  EXPECT_EQ(encode(out::SetEntityMotion{5, {0.4, -0.36, 0.4}}),
            expected("play/clientbound/set_entity_motion", 1));
  EXPECT_EQ(encode(out::SetEntityMotion{5, {-3.9, 2.5, 0}}),
            expected("play/clientbound/set_entity_motion", 2));
  EXPECT_EQ(encode(out::SetEntityMotion{5, {100, -50.5, 0.00001}}),
            expected("play/clientbound/set_entity_motion", 3));
  EXPECT_EQ(encode(out::SystemChat{text::Component::literal("hello").to_nbt(), false}),
            expected("play/clientbound/system_chat"));
  EXPECT_EQ(encode(out::SetTime{.game_time = 24000, .clocks = {}}), expected("play/clientbound/set_time"));

  out::SectionBlocksUpdate section;
  section.section = out::SectionBlocksUpdate::pack_section(-5, -4, 1234567);
  section.records = {out::SectionBlocksUpdate::record({15, 31, -1}, 1),
                     out::SectionBlocksUpdate::record({16, 1, 32}, 29872)};
  EXPECT_EQ(encode(section), expected("play/clientbound/section_blocks_update"));

  out::AddEntity add;
  add.id = 2147483647;
  add.pos = {0, -1, 3e7};
  add.velocity = {0.5, -0.25, 1};
  add.data = 29872;
  EXPECT_EQ(encode(add), expected("play/clientbound/add_entity", 1));

  out::SetEquipment equipment;
  equipment.id = 5;
  equipment.slots = {{0, {}}, {5, {64, 1337, {}, {1, 24}}}, {7, {127, 1, {}, {}}}};
  const Bytes wire = expected("play/clientbound/set_equipment", 1);
  const auto decoded = decode<out::SetEquipment>(split_packet(wire).value().body);
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  ASSERT_EQ(decoded->slots.size(), 3U);
  EXPECT_TRUE(decoded->slots[0].item.empty());
  EXPECT_EQ(decoded->slots[1].item.removed.size(), 2U);
  equipment.slots[1].item.removed = decoded->slots[1].item.removed;
  EXPECT_EQ(encode(equipment), wire);

  out::PlayerInfoUpdate info;
  info.actions = out::PlayerInfoUpdate::kAddPlayer | out::PlayerInfoUpdate::kGameMode |
                 out::PlayerInfoUpdate::kListed | out::PlayerInfoUpdate::kLatency;
  info.entries.resize(2);
  info.entries[0].uuid = kNotch;
  info.entries[0].name = "Notch";
  info.entries[0].properties = {{"textures", "eyJ0IjowfQ==", "c2ln"}};
  info.entries[0].game_mode = 1;
  info.entries[0].latency = 300;
  info.entries[1].name = "a";
  info.entries[1].listed = false;
  info.entries[1].latency = -1;
  EXPECT_EQ(encode(info), expected("play/clientbound/player_info_update"));
}

TEST(Vectors, ReadsWhatClientsSay) {
  namespace in = play::serverbound;
  const Bytes place = expected("play/serverbound/use_item_on");
  const auto use = decode<in::UseItemOn>(split_packet(place).value().body);
  ASSERT_TRUE(use.ok());
  EXPECT_EQ(use->pos, (BlockPos{1, 319, -3}));
  EXPECT_EQ(use->face, 1);
  EXPECT_EQ(use->cursor_z, 0.25F);
  EXPECT_EQ(use->sequence, 12);

  const Bytes chat_bytes = expected("play/serverbound/chat", 1);
  const auto chat = decode<in::Chat>(split_packet(chat_bytes).value().body);
  ASSERT_TRUE(chat.ok());
  EXPECT_EQ(chat->message.size(), 4 * 128U);
  EXPECT_TRUE(chat->signature.has_value());

  const Bytes interact_bytes = expected("play/serverbound/interact");
  const auto interact = decode<in::Interact>(split_packet(interact_bytes).value().body);
  ASSERT_TRUE(interact.ok());
  EXPECT_EQ(interact->target, 300);
  EXPECT_NEAR(interact->location.y, 0.5, 1e-4);
  EXPECT_TRUE(interact->sneaking);
}

TEST(Vectors, CreativeSlotLosesOnlyItsLengthsOnTheWayToOtherClients) {
  const Bytes wire = expected("play/serverbound/set_creative_mode_slot", 3);
  const auto slot = decode<play::serverbound::SetCreativeModeSlot>(split_packet(wire).value().body);
  ASSERT_TRUE(slot.ok());
  ASSERT_EQ(slot->item.added.size(), 2U);
  const play::clientbound::ContainerSetSlot shown{0, 0, slot->slot, slot->item};
  // Container, state, slot 37, count 1, item 900, 2 added, 1 removed, damage 5, custom_name "A", lore.
  const Bytes body(split_packet(wire).value().body.begin() + 2, split_packet(wire).value().body.end());
  const ItemComponent& name = slot->item.added[1];
  Bytes hand = {0, 0, 0, 37, 1, 0x84, 0x07, 2, 1, 3, 5};
  hand.push_back(static_cast<std::uint8_t>(name.type));
  hand.insert(hand.end(), {8, 0, 1, 65});
  hand.push_back(static_cast<std::uint8_t>(slot->item.removed[0]));
  const Bytes ours = encode(shown);
  EXPECT_EQ(Bytes(ours.begin() + 1, ours.end()), hand);
}

TEST(Vectors, CreativeSlotRefusesMoreComponentBytesThanItsLimit) {
  Writer w;
  w.i16(1);
  w.varint(1);
  w.varint(1);
  w.varint(2);
  w.varint(0);
  for (int i = 0; i < 2; ++i) {
    w.varint(i);
    w.varint(40000);
    w.bytes(Bytes(40000, 0));
  }
  const auto slot = decode<play::serverbound::SetCreativeModeSlot>(w.view());
  ASSERT_FALSE(slot.ok());
  EXPECT_EQ(slot.error().code, ErrorCode::kLimit);
}

TEST(Vectors, EmptyStacksHaveNoItem) {
  ItemStack none;
  none.item = 5;
  Writer w;
  write_item(w, none);
  EXPECT_EQ(w.take(), Bytes{0});
  for (const std::int32_t count : {0, -1, -2147483647}) {
    Writer negative;
    negative.varint(count);
    Reader r(negative.view(), "test");
    EXPECT_TRUE(read_untrusted_item(r, "item").empty());
    EXPECT_TRUE(r.ok());
  }
}

TEST(Frames, ReadsWhatOthersCompress) {
  for (const auto& f : fixture()["frames"]) {
    const Bytes packet = from_hex(f["packet"]);
    const Bytes stream = from_hex(f["stream"]);
    FrameReader reader;
    reader.set_threshold(f["threshold"]);
    ASSERT_TRUE(reader.feed(stream).ok());
    auto out = reader.next();
    ASSERT_TRUE(out.ok()) << out.error().message;
    ASSERT_TRUE(out->has_value());
    EXPECT_EQ(**out, packet);
    EXPECT_EQ(reader.buffered(), 0U);
  }
}

TEST(Frames, MakesWhatOthersFrameWhenNothingIsCompressed) {
  for (const auto& f : fixture()["frames"]) {
    const Bytes packet = from_hex(f["packet"]);
    const std::int32_t threshold = f["threshold"];
    if (threshold >= 0 && packet.size() >= static_cast<std::size_t>(threshold)) continue;
    EXPECT_EQ(*make_frame(packet, threshold), from_hex(f["stream"]));
  }
}

}  // namespace
}  // namespace horizon::protocol
