#include "common/text/component.hpp"

#include <gtest/gtest.h>

namespace horizon::text {
namespace {

TEST(Component, PlainTextIsAStringTag) {
  EXPECT_EQ(Component::literal("hi").to_nbt().bytes, (std::vector<std::uint8_t>{8, 0, 2, 'h', 'i'}));
  EXPECT_EQ(Component::literal("hi").to_json(), R"({"text":"hi"})");
}

TEST(Component, StylesAndChildrenAreNamedAsTheGameNamesThem) {
  const Component c = Component::literal("a")
                          .color("gold")
                          .bold()
                          .click({"run_command", "/help"})
                          .hover_text(Component::literal("tip"))
                          .append(Component::literal("b"));
  EXPECT_EQ(
      c.to_json(),
      R"({"text":"a","color":"gold","bold":true,"click_event":{"action":"run_command","command":"/help"},)"
      R"("hover_event":{"action":"show_text","value":{"text":"tip"}},"extra":[{"text":"b"}]})");
  const nbt::Value v = c.to_value();
  EXPECT_EQ(*v.find("color")->get<std::string>(), "gold");
  EXPECT_EQ(*v.find("click_event")->find("command")->get<std::string>(), "/help");
  EXPECT_EQ(*v.find("extra")->get<nbt::List>()->values[0].find("text")->get<std::string>(), "b");
  EXPECT_EQ(c.to_plain(), "ab");
}

TEST(Component, ListsHoldOneType) {
  const Component c = Component::translate(
      "chat.type.text", {Component::literal("Notch"), Component::literal("hi").color("red")});
  const nbt::Value value = c.to_value();
  const nbt::List& with = *value.find("with")->get<nbt::List>();
  ASSERT_EQ(with.values.size(), 2U);
  EXPECT_EQ(with.element, nbt::Type::kCompound);
  EXPECT_EQ(*with.values[0].find("text")->get<std::string>(), "Notch");
  EXPECT_TRUE(nbt::read(c.to_nbt().bytes).ok());
}

TEST(Component, TranslationsReadAsTheirFallback) {
  const auto arg = [](const char* text) { return Component::literal(text); };
  EXPECT_EQ(Component::translate("k", {arg("x"), arg("y")}).fallback("<%s> %s 100%%").to_plain(),
            "<x> y 100%");
  EXPECT_EQ(Component::translate("k", {arg("x"), arg("y")}).fallback("%2$s then %1$s").to_plain(),
            "y then x");
  EXPECT_EQ(Component::translate("death.fell", {arg("x")}).to_plain(), "death.fell [x]");
}

TEST(Component, JsonEscapesWhatItMust) {
  EXPECT_EQ(Component::literal("\"\\\n\x01\xc3\xbc").to_json(), "{\"text\":\"\\\"\\\\\\n\\u0001\xc3\xbc\"}");
}

}  // namespace
}  // namespace horizon::text
