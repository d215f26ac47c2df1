#include "common/nbt/nbt.hpp"

#include <gtest/gtest.h>

namespace horizon::nbt {
namespace {

using Bytes = std::vector<std::uint8_t>;

Value everything() {
  Compound c;
  c.set("byte", std::int8_t{-128});
  c.set("short", std::int16_t{32767});
  c.set("int", std::int32_t{-5});
  c.set("long", std::int64_t{1} << 40);
  c.set("float", 1.5F);
  c.set("double", -0.1);
  c.set("bytes", std::vector<std::int8_t>{1, -1});
  c.set("string",
        "Gr\xc3\xbc\xc3\x9f"
        "e \xf0\x9f\x8c\x8d");
  c.set("list", make_list({1, 2}));
  c.set("empty", List{Type::kString, {}});
  c.set("ints", std::vector<std::int32_t>{1, -1});
  c.set("longs", std::vector<std::int64_t>{1, -1});
  return Value(std::move(c));
}

TEST(Nbt, ReadsBackWhatItWrites) {
  const Value value = everything();
  const Raw raw = to_raw(value);
  const auto again = read(raw.bytes);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, value);
  const auto size = skip(raw.bytes);
  ASSERT_TRUE(size.ok());
  EXPECT_EQ(*size, raw.bytes.size());
}

TEST(Nbt, NetworkFormHasNoRootName) {
  EXPECT_EQ(to_raw(Value("hi")).bytes, (Bytes{8, 0, 2, 'h', 'i'}));
  Compound c;
  c.set("a", std::int8_t{1});
  EXPECT_EQ(to_raw(Value(c)).bytes, (Bytes{10, 1, 0, 1, 'a', 1, 0}));
  Bytes named;
  write_named(named, "n", Value(c));
  EXPECT_EQ(named, (Bytes{10, 0, 1, 'n', 1, 0, 1, 'a', 1, 0}));
  std::string name;
  const auto read_back = read_named(named, &name);
  ASSERT_TRUE(read_back.ok());
  EXPECT_EQ(name, "n");
  EXPECT_EQ(read_back->find("a")->as_int(), 1);
}

TEST(Nbt, StringsAreModifiedUtf8) {
  // NUL in two bytes; U+1F30D as the surrogates D83C DF0D of three bytes each.
  const std::string text("\0\xf0\x9f\x8c\x8d", 5);
  EXPECT_EQ(to_modified_utf8(text), "\xc0\x80\xed\xa0\xbc\xed\xbc\x8d");
  const auto back = from_modified_utf8("\xc0\x80\xed\xa0\xbc\xed\xbc\x8d");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, text);
  EXPECT_FALSE(from_modified_utf8("\xf0\x9f\x8c\x8d").ok());
  EXPECT_EQ(*from_modified_utf8("\xed\xa0\xbc"), "\xef\xbf\xbd");
}

TEST(Nbt, CutOffAnywhereIsAnError) {
  const Raw raw = to_raw(everything());
  for (std::size_t size = 0; size < raw.bytes.size(); ++size) {
    const std::span<const std::uint8_t> cut(raw.bytes.data(), size);
    EXPECT_FALSE(read(cut).ok()) << size;
    EXPECT_FALSE(skip(cut).ok()) << size;
  }
}

TEST(Nbt, DepthIsLimited) {
  const auto nested = [](int depth) {
    Bytes bytes{9};
    for (int i = 1; i < depth; ++i) bytes.insert(bytes.end(), {9, 0, 0, 0, 1});
    bytes.insert(bytes.end(), {0, 0, 0, 0, 0});
    return bytes;
  };
  EXPECT_TRUE(read(nested(512)).ok());
  EXPECT_TRUE(skip(nested(512)).ok());
  const auto deep = read(nested(513));
  ASSERT_FALSE(deep.ok());
  EXPECT_EQ(deep.error().code, ErrorCode::kLimit);
  EXPECT_FALSE(skip(nested(100000)).ok());
}

TEST(Nbt, QuotaIsSpentBeforeMemory) {
  Bytes list{9, 1, 0, 0, 0x40, 0};
  list.resize(list.size() + 0x4000, 0);
  const Limits small{.depth = 512, .quota = 1000};
  const auto refused = read(list, small);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_TRUE(read(list).ok());
}

TEST(Nbt, RefusesCountsWithoutContent) {
  EXPECT_FALSE(read(Bytes{9, 0, 0x7f, 0xff, 0xff, 0xff}).ok());
  EXPECT_FALSE(read(Bytes{9, 1, 0x7f, 0xff, 0xff, 0xff}).ok());
  EXPECT_FALSE(read(Bytes{12, 0x7f, 0xff, 0xff, 0xff}).ok());
  EXPECT_FALSE(read(Bytes{7, 0xff, 0xff, 0xff, 0xff}).ok());
  EXPECT_FALSE(read(Bytes{13}).ok());
}

TEST(Nbt, NumbersConvert) {
  EXPECT_EQ(Value(2.9).as_int(), 2);
  EXPECT_EQ(Value(1e300).as_int(7), 7);
  EXPECT_EQ(Value("x").as_int(7), 7);
  EXPECT_EQ(Value(std::int16_t{3}).as_double(), 3.0);
}

}  // namespace
}  // namespace horizon::nbt
