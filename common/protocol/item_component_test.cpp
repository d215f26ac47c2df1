#include "common/protocol/item_component.hpp"

#include <gtest/gtest.h>

namespace horizon::protocol {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::int32_t kCustomData = 0;
constexpr std::int32_t kDamage = 3;
constexpr std::int32_t kCustomName = 6;
constexpr std::int32_t kItemModel = 10;
constexpr std::int32_t kEnchantments = 13;

std::size_t kept(std::int32_t type, const Bytes& data) {
  return safe_for_clients({1, 900, {{type, data}}, {}}).added.size();
}

Bytes name_of(nbt::Compound compound) { return nbt::to_raw(nbt::Value(std::move(compound))).bytes; }

TEST(SafeForClients, KeepsWhatIsWhole) {
  const ItemStack item{3, 900, {{kDamage, {5}}, {kCustomName, {8, 0, 1, 'A'}}}, {1, 24}};
  EXPECT_EQ(safe_for_clients(item), item);
}

TEST(SafeForClients, DropsBytesThatAreNotExactlyOneValue) {
  EXPECT_EQ(kept(kDamage, {5}), 1U);
  EXPECT_EQ(kept(kDamage, {}), 0U);
  EXPECT_EQ(kept(kDamage, {5, 5}), 0U);
  EXPECT_EQ(kept(kDamage, {0xff, 0xff, 0xff, 0xff, 0x0f}), 0U);
  EXPECT_EQ(kept(kEnchantments, {1, 42, 1}), 1U);
  EXPECT_EQ(kept(kEnchantments, {1, 43, 1}), 0U);
  EXPECT_EQ(kept(kEnchantments, {200, 1, 42, 1}), 0U);
  EXPECT_EQ(kept(kItemModel, {3, 'a', ':', 'b'}), 1U);
  EXPECT_EQ(kept(kItemModel, {3, 'A', ':', 'b'}), 0U);
  EXPECT_EQ(kept(kCustomData, {8, 0, 0}), 0U);
}

TEST(SafeForClients, DropsTypesThatAreNotKnown) {
  for (const std::int32_t type : {-1, 24, 75, 110, 1000000}) EXPECT_EQ(kept(type, {0}), 0U) << type;
}

TEST(SafeForClients, KeepsOneOfEachTypeAndALegalCount) {
  const ItemStack safe =
      safe_for_clients({2147483647, 1, {{kDamage, {1}}, {kDamage, {2}}}, {kDamage, 1, 1, -1, 200}});
  EXPECT_EQ(safe, (ItemStack{99, 1, {{kDamage, {1}}}, {1}}));
  EXPECT_TRUE(safe_for_clients({-5, 1, {{kDamage, {1}}}, {}}).empty());
}

TEST(SafeForClients, TextIsOfPlainPartsOnly) {
  nbt::Compound plain;
  plain.set("text", "a");
  plain.set("color", "#ff00FF");
  plain.set("italic", false);
  EXPECT_EQ(kept(kCustomName, name_of(plain)), 1U);

  nbt::Compound clickable = plain;
  clickable.set("click_event", nbt::Compound{});
  EXPECT_EQ(kept(kCustomName, name_of(clickable)), 0U);
  nbt::Compound selector;
  selector.set("selector", "@e");
  EXPECT_EQ(kept(kCustomName, name_of(selector)), 0U);
  nbt::Compound number;
  number.set("text", 5);
  EXPECT_EQ(kept(kCustomName, name_of(number)), 0U);
  nbt::Compound colour = plain;
  colour.set("color", "nonsense");
  EXPECT_EQ(kept(kCustomName, name_of(colour)), 0U);

  nbt::Value deep("x");
  for (int i = 0; i < 17; ++i) {
    nbt::Compound level;
    level.set("text", "");
    level.set("extra", nbt::make_list({deep}));
    deep = nbt::Value(std::move(level));
  }
  EXPECT_EQ(kept(kCustomName, nbt::to_raw(deep).bytes), 0U);
}

TEST(SafeForClients, WhatItKeepsReadsAsTrusted) {
  const ItemStack item{1, 5, {{kDamage, {5}}, {kEnchantments, {1, 3, 5}}}, {24}};
  Writer w;
  write_item(w, safe_for_clients(item));
  Reader r(w.view(), "test");
  EXPECT_EQ(read_item(r, "item"), item);
  r.expect_end();
  EXPECT_TRUE(r.ok());
}

}  // namespace
}  // namespace horizon::protocol
