#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"
#include "common/nbt/nbt.hpp"

/// The game's text components: what chat, kick messages and titles are made of.
namespace horizon::text {

/// What clicking a text does: "open_url", "run_command", "suggest_command", "copy_to_clipboard", with its
/// value.
struct ClickEvent {
  std::string action;
  std::string value;
  bool operator==(const ClickEvent&) const = default;
};

/// One node: literal text or a translation, a style, and further nodes that inherit the style.
class Component {
 public:
  Component() = default;

  static Component literal(std::string_view text);
  /// `key` of the language file; `args` take the places of its %s.
  static Component translate(std::string_view key, std::vector<Component> args = {});

  /// A name ("red") or "#rrggbb". These return the component itself, so that calls chain.
  Component& color(std::string_view name) &;
  Component&& color(std::string_view name) &&;
  Component& bold(bool on = true) &;
  Component&& bold(bool on = true) &&;
  Component& italic(bool on = true) &;
  Component&& italic(bool on = true) &&;
  Component& underlined(bool on = true) &;
  Component&& underlined(bool on = true) &&;
  /// Shown by translate components when the client lacks the key.
  Component&& fallback(std::string_view text) &&;
  Component& click(ClickEvent event) &;
  Component&& click(ClickEvent event) &&;
  Component& hover_text(Component shown) &;
  Component&& hover_text(Component shown) &&;
  Component& insertion(std::string_view text) &;
  Component& append(Component child) &;
  Component&& append(Component child) &&;

  /// The network form. A component of nothing but text is a string tag.
  nbt::Value to_value() const;
  nbt::Raw to_nbt() const;
  /// For login_disconnect and the server list, which still speak JSON.
  std::string to_json() const;
  /// Text without any style; a translation reads as its fallback, or as its key and arguments.
  std::string to_plain() const;

  bool operator==(const Component&) const;

 private:
  bool is_plain_text() const;
  void write_json(std::string& out) const;
  void write_plain(std::string& out) const;

  std::string text_;
  std::string translate_key_;
  std::string fallback_;
  std::vector<Component> args_;
  std::string color_;
  std::string insertion_;
  std::optional<bool> bold_;
  std::optional<bool> italic_;
  std::optional<bool> underlined_;
  std::optional<ClickEvent> click_;
  std::vector<Component> hover_;
  std::vector<Component> extra_;
};

/// Appends `text` as a JSON string with its quotes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace horizon::text
