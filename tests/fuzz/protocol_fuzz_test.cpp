// Random and mutated bytes against all decoders of what a client sends. HORIZON_FUZZ_COUNT sets the inputs
// per state (default 20,000), HORIZON_FUZZ_SEED the seed. Run it with sanitizers to find more than crashes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "common/nbt/nbt.hpp"
#include "common/protocol/frame.hpp"
#include "common/protocol/item_component.hpp"
#include "common/protocol/packet_list.hpp"
#include "tests/fuzz/allocation_counter.hpp"

namespace horizon::protocol {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Random = std::mt19937_64;
using fuzz::allocated;

std::uint64_t environment(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::strtoull(value, nullptr, 10) : otherwise;
}

const std::uint64_t kCount = environment("HORIZON_FUZZ_COUNT", 20000);
const std::uint64_t kSeed = environment("HORIZON_FUZZ_SEED", 775);

// What a decoder may allocate for an input, over its whole run: some structs per byte, and growth of vectors.
std::size_t memory_limit(std::size_t input) { return 16 * 1024 + input * 160; }

struct Codec {
  std::string name;
  // The bytes of what was decoded, or the error; `used` is what decoding allocated.
  Result<Bytes> (*round_trip)(std::span<const std::uint8_t>, std::size_t& used);
};

template <class P>
Result<Bytes> round_trip(std::span<const std::uint8_t> body, std::size_t& used) {
  allocated() = 0;
  const Result<P> packet = decode<P>(body);
  used = allocated();
  if (!packet) return packet.error();
  return encode(*packet);
}

struct State {
  std::string name;
  std::map<std::int32_t, Codec> codecs;
  std::vector<Bytes> seeds;
};

template <class List>
State make_state(const std::string& name) {
  State state{name, {}, {}};
  List::for_each([&]<class P>(P) { state.codecs[P::kId] = {std::string(P::kName), &round_trip<P>}; });
  const auto fixture = nlohmann::json::parse(std::ifstream("tests/fixtures/vectors_775.json"));
  for (const auto& v : fixture["packets"]) {
    if (v["state"] != name || v["direction"] != "serverbound") continue;
    const std::string hex = v["hex"];
    Bytes packet;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
      packet.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    state.seeds.push_back(packet);
  }
  return state;
}

// Changes that reach lengths, counts, tags and the end of the data.
void mutate(Bytes& packet, const std::vector<Bytes>& seeds, Random& random) {
  const auto at = [&](std::size_t size) { return size == 0 ? 0 : static_cast<std::size_t>(random() % size); };
  const auto place = [&] { return packet.begin() + static_cast<std::ptrdiff_t>(at(packet.size() + 1)); };
  for (std::uint64_t changes = 1 + random() % 4; changes > 0; --changes) {
    switch (random() % 8) {
      case 0:
        if (!packet.empty()) packet[at(packet.size())] ^= static_cast<std::uint8_t>(1U << (random() % 8));
        break;
      case 1:
        if (!packet.empty()) packet[at(packet.size())] = static_cast<std::uint8_t>(random());
        break;
      case 2:
        packet.resize(at(packet.size() + 1));
        break;
      case 3:
        packet.insert(place(), static_cast<std::uint8_t>(random()));
        break;
      case 4: {
        static const std::vector<Bytes> kNumbers = {{0xff, 0xff, 0xff, 0xff, 0x07},
                                                    {0xff, 0xff, 0xff, 0xff, 0x0f},
                                                    {0x80, 0x80, 0x80, 0x80, 0x08},
                                                    {0xff, 0xff, 0x7f},
                                                    {0xff, 0xff, 0x03},
                                                    {0x80, 0x80, 0x80, 0x80, 0x80}};
        const Bytes& number = kNumbers[at(kNumbers.size())];
        packet.insert(place(), number.begin(), number.end());
        break;
      }
      case 5: {
        const Bytes& other = seeds[at(seeds.size())];
        packet.insert(place(), other.begin() + static_cast<std::ptrdiff_t>(at(other.size())), other.end());
        break;
      }
      case 6:
        if (!packet.empty()) packet.erase(packet.begin() + static_cast<std::ptrdiff_t>(at(packet.size())));
        break;
      default:
        packet.insert(place(), at(600), static_cast<std::uint8_t>(random()));
    }
  }
}

void fuzz_state(const State& state) {
  ASSERT_FALSE(state.seeds.empty());
  Random random(kSeed);
  std::uint64_t decoded = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    Bytes packet;
    if (i % 2 == 0) {
      packet = state.seeds[random() % state.seeds.size()];
      mutate(packet, state.seeds, random);
    } else {
      packet.resize(1 + random() % (i % 64 == 1 ? 4096 : 96));
      for (std::uint8_t& b : packet) b = static_cast<std::uint8_t>(random());
      // Most start with an id that has a decoder.
      packet[0] = static_cast<std::uint8_t>(
          std::next(state.codecs.begin(), static_cast<std::ptrdiff_t>(random() % state.codecs.size()))
              ->first);
    }
    SCOPED_TRACE(testing::Message() << state.name << " seed " << kSeed << " input " << i);
    const auto view = split_packet(packet);
    if (!view) continue;
    const auto codec = state.codecs.find(view->id);
    if (codec == state.codecs.end()) continue;

    std::size_t used = 0;
    const Result<Bytes> first = codec->second.round_trip(view->body, used);
    ASSERT_LE(used, memory_limit(packet.size())) << codec->second.name;
    if (!first) {
      ASSERT_EQ(first.error().message.find(codec->second.name + "."), 0U) << first.error().message;
      continue;
    }
    // What was accepted has one form: encoding it and reading that gives the same bytes again.
    ++decoded;
    const Result<Bytes> second = codec->second.round_trip(split_packet(*first).value().body, used);
    ASSERT_TRUE(second.ok()) << codec->second.name << ": " << second.error().message;
    ASSERT_EQ(second->size(), first->size()) << codec->second.name;
  }
  EXPECT_GT(decoded, 0U);
}

TEST(ProtocolFuzz, HandshakeDecodersSurviveAnyBytes) {
  fuzz_state(make_state<HandshakeServerbound>("handshake"));
}
TEST(ProtocolFuzz, StatusDecodersSurviveAnyBytes) { fuzz_state(make_state<StatusServerbound>("status")); }
TEST(ProtocolFuzz, LoginDecodersSurviveAnyBytes) { fuzz_state(make_state<LoginServerbound>("login")); }
TEST(ProtocolFuzz, ConfigurationDecodersSurviveAnyBytes) {
  fuzz_state(make_state<ConfigurationServerbound>("configuration"));
}
TEST(ProtocolFuzz, PlayDecodersSurviveAnyBytes) { fuzz_state(make_state<PlayServerbound>("play")); }

TEST(ProtocolFuzz, WhatPassesOfAnyStackIsReadableByOthers) {
  Random random(kSeed);
  const std::vector<Bytes> values = {
      {5}, {8, 0, 1, 'A'}, {1, 3, 5}, {3, 'a', ':', 'b'}, {10, 0}, {0}, {1, 1, 0, 0, 0, 1, 0, 1, 1}};
  std::size_t passed = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " input " << i);
    ItemStack item{static_cast<std::int32_t>(random() % 200), 1, {}, {}};
    for (std::uint64_t n = random() % 6; n > 0; --n) {
      Bytes data = values[random() % values.size()];
      if (random() % 3 == 0) mutate(data, values, random);
      item.added.push_back({static_cast<std::int32_t>(random() % 112), data});
      item.removed.push_back(static_cast<std::int32_t>(random() % 112));
    }
    const ItemStack safe = safe_for_clients(item);
    Writer w;
    write_item(w, safe);
    Reader r(w.view(), "item");
    ASSERT_EQ(read_item(r, "item"), safe);
    r.expect_end();
    ASSERT_TRUE(r.ok()) << r.error().message;
    passed += safe.added.size();
  }
  EXPECT_GT(passed, 0U);
}

TEST(ProtocolFuzz, FramesSurviveAnyBytesInAnyPieces) {
  Random random(kSeed);
  for (std::uint64_t i = 0; i < kCount; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " input " << i);
    const auto threshold = static_cast<std::int32_t>(random() % 512) - 1;
    Bytes stream;
    for (std::uint64_t n = random() % 4; n > 0; --n) {
      const SharedFrame frame =
          make_frame(Bytes(1 + random() % 700, static_cast<std::uint8_t>(random())), threshold);
      stream.insert(stream.end(), frame->begin(), frame->end());
    }
    mutate(stream, {stream, {0x00}}, random);
    FrameReader reader;
    reader.set_threshold(threshold);
    allocated() = 0;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t size = std::min<std::size_t>(1 + random() % 300, stream.size() - at);
      if (!reader.feed(std::span(stream).subspan(at, size))) break;
      at += size;
      while (true) {
        const auto packet = reader.next();
        if (!packet || !packet->has_value()) break;
      }
    }
    // Deflate cannot grow bytes more than this.
    ASSERT_LE(allocated(), 64 * 1024 + stream.size() * 1100);
  }
}

TEST(ProtocolFuzz, NbtSurvivesAnyBytesWithinItsQuota) {
  nbt::Compound inner;
  inner.set("numbers", nbt::make_list({1, 2, 3}));
  inner.set("text", "some text");
  inner.set("long", std::vector<std::int64_t>{1, -1});
  nbt::Compound root;
  root.set("list", nbt::make_list({nbt::Value(inner), nbt::Value(inner)}));
  root.set("byte", std::int8_t{1});
  const Bytes seed = nbt::to_raw(nbt::Value(root)).bytes;
  Random random(kSeed);
  const nbt::Limits limits{.depth = 16, .quota = 4096};
  for (std::uint64_t i = 0; i < kCount; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " input " << i);
    Bytes bytes = seed;
    mutate(bytes, {seed}, random);
    allocated() = 0;
    const auto value = nbt::read(bytes, limits);
    ASSERT_LE(allocated(), 32 * 1024U);
    const auto size = nbt::skip(bytes, limits);
    if (!value) continue;
    ASSERT_TRUE(size.ok());
    ASSERT_EQ(*size, bytes.size());
    const auto again = nbt::read(nbt::to_raw(*value).bytes);
    ASSERT_TRUE(again.ok());
  }
}

}  // namespace
}  // namespace horizon::protocol
