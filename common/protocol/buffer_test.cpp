#include "common/protocol/buffer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace horizon::protocol {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(VarInt, EdgesHaveTheBytesOfTheProtocol) {
  const std::vector<std::pair<std::int32_t, Bytes>> table = {
      {0, {0x00}},
      {1, {0x01}},
      {2, {0x02}},
      {127, {0x7f}},
      {128, {0x80, 0x01}},
      {255, {0xff, 0x01}},
      {25565, {0xdd, 0xc7, 0x01}},
      {2097151, {0xff, 0xff, 0x7f}},
      {2097152, {0x80, 0x80, 0x80, 0x01}},
      {2147483647, {0xff, 0xff, 0xff, 0xff, 0x07}},
      {-1, {0xff, 0xff, 0xff, 0xff, 0x0f}},
      {std::numeric_limits<std::int32_t>::min(), {0x80, 0x80, 0x80, 0x80, 0x08}},
  };
  for (const auto& [value, wire] : table) {
    Writer w;
    w.varint(value);
    EXPECT_EQ(varint_size(value), wire.size());
    EXPECT_EQ(w.take(), wire);
    Reader r(wire, "test");
    EXPECT_EQ(r.varint("v"), value);
    r.expect_end();
    EXPECT_TRUE(r.ok());
  }
}

TEST(VarLong, EdgesHaveTheBytesOfTheProtocol) {
  const std::vector<std::pair<std::int64_t, Bytes>> table = {
      {0, {0x00}},
      {127, {0x7f}},
      {128, {0x80, 0x01}},
      {2147483647, {0xff, 0xff, 0xff, 0xff, 0x07}},
      {std::numeric_limits<std::int64_t>::max(), {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}},
      {-1, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
      {-2147483648LL, {0x80, 0x80, 0x80, 0x80, 0xf8, 0xff, 0xff, 0xff, 0xff, 0x01}},
      {std::numeric_limits<std::int64_t>::min(),
       {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}},
  };
  for (const auto& [value, wire] : table) {
    Writer w;
    w.varlong(value);
    EXPECT_EQ(w.take(), wire);
    Reader r(wire, "test");
    EXPECT_EQ(r.varlong("v"), value);
    EXPECT_TRUE(r.ok());
  }
}

TEST(VarInt, LongerThanFiveBytesIsAnError) {
  const Bytes wire(6, 0x80);
  Reader r(wire, "test");
  r.varint("number");
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().message.substr(0, 12), "test.number ");
}

TEST(Reader, FirstFailureSticksAndNamesFieldAndOffset) {
  const Bytes wire = {1, 2, 3, 4, 5};
  Reader r(wire, "packet");
  EXPECT_EQ(r.u16("first"), 0x0102);
  EXPECT_EQ(r.i64("second"), 0);
  EXPECT_EQ(r.u8("third"), 0);
  EXPECT_EQ(r.remaining(), 0U);
  EXPECT_EQ(r.string("fourth"), "");
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().message, "packet.second at byte 2: 8 bytes needed, 3 left");
}

TEST(Reader, CountsStringsInUtf16Units) {
  Writer w;
  w.string("\xf0\x9f\x8c\x8d\xf0\x9f\x8c\x8d");
  Reader fits(w.view(), "test");
  EXPECT_EQ(fits.string("s", 4).size(), 8U);
  Reader too_long(w.view(), "test");
  too_long.string("s", 3);
  ASSERT_FALSE(too_long.ok());
  EXPECT_EQ(too_long.error().code, ErrorCode::kLimit);
}

TEST(Reader, RefusesStringsThatAreNotUtf8) {
  for (const char* text : {"\x80", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xff"}) {
    Writer w;
    w.string(text);
    Reader r(w.view(), "test");
    r.string("s");
    EXPECT_FALSE(r.ok()) << text;
  }
}

TEST(Reader, RefusesCountsThatTheBytesCannotHold) {
  for (const std::int32_t count : {-1, 5, 1000000000}) {
    Writer w;
    w.varint(count);
    w.i32(0);
    Reader r(w.view(), "test");
    EXPECT_EQ(r.count("list", 2000000000), 0);
    EXPECT_FALSE(r.ok());
  }
}

TEST(Buffer, PositionsAndUuidsReadBackAsWritten) {
  std::mt19937 random(775);
  for (int i = 0; i < 1000; ++i) {
    const BlockPos pos{static_cast<std::int32_t>(random()) >> 6, static_cast<std::int32_t>(random()) >> 20,
                       static_cast<std::int32_t>(random()) >> 6};
    const Uuid uuid{random() * 0x100000001ULL, random() * 0x300000001ULL};
    Writer w;
    w.block_pos(pos);
    w.uuid(uuid);
    Reader r(w.view(), "test");
    EXPECT_EQ(r.block_pos("pos"), pos);
    EXPECT_EQ(r.uuid("uuid"), uuid);
    r.expect_end();
    EXPECT_TRUE(r.ok());
  }
}

TEST(Buffer, ScaledVectorsKeepTheirPrecision) {
  std::mt19937 random(26);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const double scale : {0.001, 0.9, 1.0, 3.5, 4.0, 1000.0, 1e9}) {
    for (int i = 0; i < 200; ++i) {
      const Vec3 v{unit(random) * scale, unit(random) * scale, unit(random) * scale};
      Writer w;
      w.lp_vec3(v);
      Reader r(w.view(), "test");
      const Vec3 back = r.lp_vec3("v");
      r.expect_end();
      ASSERT_TRUE(r.ok()) << r.error().message;
      const double step = std::max(1.0, std::ceil(scale)) / 32766.0 * 1.01;
      EXPECT_NEAR(back.x, v.x, step);
      EXPECT_NEAR(back.y, v.y, step);
      EXPECT_NEAR(back.z, v.z, step);
    }
  }
}

TEST(Buffer, ScaledVectorOfNoNumbersIsZero) {
  Writer w;
  w.lp_vec3({std::numeric_limits<double>::quiet_NaN(), 0, 0});
  EXPECT_EQ(w.take(), Bytes{0});
}

TEST(Buffer, AnglesAreTurnsOf256) {
  EXPECT_EQ(to_angle(0), 0);
  EXPECT_EQ(to_angle(90), 64);
  EXPECT_EQ(to_angle(-90), -64);
  EXPECT_EQ(to_angle(180), -128);
  EXPECT_EQ(to_angle(360 * 5 + 45), 32);
  EXPECT_EQ(to_angle(std::numeric_limits<float>::infinity()), 0);
  EXPECT_EQ(from_angle(-64), -90.0F);
}

}  // namespace
}  // namespace horizon::protocol
