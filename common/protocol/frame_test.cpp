#include "common/protocol/frame.hpp"

#include <gtest/gtest.h>

#include <random>

#include "common/protocol/buffer.hpp"

namespace horizon::protocol {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes random_packet(std::mt19937& random, std::size_t max) {
  Bytes packet(1 + random() % max);
  // Half of them compress well.
  const std::uint8_t mask = random() % 2 == 0 ? 0xff : 0x03;
  for (std::uint8_t& b : packet) b = static_cast<std::uint8_t>(random() & mask);
  return packet;
}

TEST(FrameReader, GivesTheSamePacketsHoweverTheStreamIsSplit) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::int32_t threshold = std::vector<std::int32_t>{kNoCompression, 0, 64, 256}[seed % 4];
    std::vector<Bytes> sent;
    Bytes stream;
    for (int i = 0; i < 40; ++i) {
      sent.push_back(random_packet(random, i % 10 == 0 ? 40000 : 600));
      const SharedFrame frame = make_frame(sent.back(), threshold);
      stream.insert(stream.end(), frame->begin(), frame->end());
    }

    FrameReader reader;
    reader.set_threshold(threshold);
    std::vector<Bytes> received;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t size =
          std::min<std::size_t>(1 + random() % (seed % 3 == 0 ? 3 : 5000), stream.size() - at);
      ASSERT_TRUE(reader.feed(std::span(stream).subspan(at, size)).ok());
      at += size;
      while (true) {
        auto packet = reader.next();
        ASSERT_TRUE(packet.ok()) << packet.error().message;
        if (!packet->has_value()) break;
        received.push_back(*std::move(*packet));
      }
    }
    EXPECT_EQ(received, sent);
    EXPECT_EQ(reader.buffered(), 0U);
  }
}

// What next() says of this stream.
Result<std::optional<Bytes>> read_one(const Bytes& stream, std::int32_t threshold) {
  FrameReader reader;
  reader.set_threshold(threshold);
  if (auto fed = reader.feed(stream); !fed) return fed.error();
  return reader.next();
}

TEST(FrameReader, RefusesLengthsOfMoreThanThreeBytes) {
  EXPECT_FALSE(read_one({0x80, 0x80, 0x80, 0x01}, kNoCompression).ok());
  EXPECT_FALSE(read_one({0xff, 0xff, 0xff}, kNoCompression).ok());
  const auto largest = read_one({0xff, 0xff, 0x7f}, kNoCompression);
  ASSERT_TRUE(largest.ok());
  EXPECT_FALSE(largest->has_value());
}

TEST(FrameReader, RefusesEmptyFrames) {
  EXPECT_FALSE(read_one({0}, kNoCompression).ok());
  EXPECT_FALSE(read_one({1, 0}, 256).ok());
}

Bytes frame_of(std::int32_t stated, const Bytes& content) {
  Bytes frame;
  append_varint(frame, static_cast<std::int32_t>(varint_size(stated) + content.size()));
  append_varint(frame, stated);
  frame.insert(frame.end(), content.begin(), content.end());
  return frame;
}

TEST(FrameReader, RequiresTheExactInflatedSize) {
  const Bytes zlib = compress_packet(Bytes(300, 7));
  EXPECT_TRUE(read_one(frame_of(300, zlib), 256).ok());
  EXPECT_FALSE(read_one(frame_of(299, zlib), 256).ok());
  EXPECT_FALSE(read_one(frame_of(301, zlib), 256).ok());
}

TEST(FrameReader, RefusesCompressedPacketsBelowTheThreshold) {
  const auto read = read_one(frame_of(100, compress_packet(Bytes(100, 7))), 256);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, "frame: compressed at 100 bytes, below the threshold of 256");
}

TEST(FrameReader, RefusesInflatedSizesAboveTheLimitBeforeInflating) {
  const auto read = read_one(frame_of(static_cast<std::int32_t>(kMaxInflated + 1), {1, 2, 3}), 256);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kLimit);
  // Within the limit, yet more than so few bytes can hold.
  EXPECT_FALSE(read_one(frame_of(static_cast<std::int32_t>(kMaxInflated), {1, 2, 3}), 256).ok());
  EXPECT_FALSE(read_one(frame_of(-1, {1, 2, 3}), 256).ok());
}

TEST(FrameReader, RefusesBytesBehindTheCompressedData) {
  Bytes zlib = compress_packet(Bytes(300, 7));
  zlib.push_back(0);
  EXPECT_FALSE(read_one(frame_of(300, zlib), 256).ok());
}

TEST(FrameReader, StaysFailed) {
  FrameReader reader;
  ASSERT_TRUE(reader.feed(Bytes{0}).ok());
  ASSERT_FALSE(reader.next().ok());
  EXPECT_FALSE(reader.feed(Bytes{1, 5}).ok());
  EXPECT_FALSE(reader.next().ok());
  EXPECT_EQ(reader.buffered(), 0U);
}

TEST(FrameReader, BoundsWhatIsUnread) {
  FrameReader reader({.max_frame = 100, .max_inflated = 1000, .max_buffered = 150});
  ASSERT_TRUE(reader.feed(Bytes(150, 1)).ok());
  const auto more = reader.feed(Bytes(1, 1));
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().code, ErrorCode::kLimit);
}

TEST(Frame, TooLargeToSendIsAnError) {
  std::mt19937 random(1);
  Bytes noise(kMaxFrame + 1);
  for (std::uint8_t& b : noise) b = static_cast<std::uint8_t>(random());
  EXPECT_FALSE(try_make_frame(noise, kNoCompression).ok());
  EXPECT_FALSE(try_make_frame(noise, 256).ok());
  EXPECT_TRUE(try_make_frame(Bytes(kMaxFrame + 1, 0), 256).ok());
}

TEST(Frame, RandomBytesNeverCrashTheReader) {
  std::mt19937 random(99);
  for (int i = 0; i < 20000; ++i) {
    FrameReader reader;
    if (i % 2 == 0) reader.set_threshold(static_cast<std::int32_t>(random() % 300));
    Bytes noise(random() % 64);
    for (std::uint8_t& b : noise) b = static_cast<std::uint8_t>(random());
    if (!reader.feed(noise)) continue;
    while (true) {
      const auto packet = reader.next();
      if (!packet || !packet->has_value()) break;
    }
  }
}

}  // namespace
}  // namespace horizon::protocol
