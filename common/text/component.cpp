#include "common/text/component.hpp"

#include <array>
#include <utility>

namespace horizon::text {

namespace {

// The key under which an event's value travels, since each action names its own.
std::string_view click_value_key(std::string_view action) {
  if (action == "open_url") return "url";
  if (action == "run_command" || action == "suggest_command") return "command";
  return "value";
}

void append_key(std::string& out, std::string_view key) {
  if (out.back() != '{') out.push_back(',');
  append_json_string(out, key);
  out.push_back(':');
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out.push_back('"');
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<std::uint8_t>(c) < 0x20) {
          out += "\\u00";
          out.push_back(kHex[static_cast<std::uint8_t>(c) >> 4]);
          out.push_back(kHex[static_cast<std::uint8_t>(c) & 15]);
        } else {
          out.push_back(c);
        }
    }
  }
  out.push_back('"');
}

Component Component::literal(std::string_view text) {
  Component c;
  c.text_ = text;
  return c;
}

Component Component::translate(std::string_view key, std::vector<Component> args) {
  Component c;
  c.translate_key_ = key;
  c.args_ = std::move(args);
  return c;
}

Component& Component::color(std::string_view name) & {
  color_ = name;
  return *this;
}
Component&& Component::color(std::string_view name) && { return std::move(color(name)); }

Component& Component::bold(bool on) & {
  bold_ = on;
  return *this;
}
Component&& Component::bold(bool on) && { return std::move(bold(on)); }

Component& Component::italic(bool on) & {
  italic_ = on;
  return *this;
}
Component&& Component::italic(bool on) && { return std::move(italic(on)); }

Component& Component::underlined(bool on) & {
  underlined_ = on;
  return *this;
}
Component&& Component::underlined(bool on) && { return std::move(underlined(on)); }

Component&& Component::fallback(std::string_view text) && {
  fallback_ = text;
  return std::move(*this);
}

Component& Component::click(ClickEvent event) & {
  click_ = std::move(event);
  return *this;
}
Component&& Component::click(ClickEvent event) && { return std::move(click(std::move(event))); }

Component& Component::hover_text(Component shown) & {
  hover_.clear();
  hover_.push_back(std::move(shown));
  return *this;
}
Component&& Component::hover_text(Component shown) && { return std::move(hover_text(std::move(shown))); }

Component& Component::insertion(std::string_view text) & {
  insertion_ = text;
  return *this;
}

Component& Component::append(Component child) & {
  extra_.push_back(std::move(child));
  return *this;
}
Component&& Component::append(Component child) && { return std::move(append(std::move(child))); }

bool Component::is_plain_text() const {
  return translate_key_.empty() && color_.empty() && insertion_.empty() && !bold_ && !italic_ &&
         !underlined_ && !click_ && hover_.empty() && extra_.empty();
}

bool Component::operator==(const Component& other) const = default;

nbt::Value Component::to_value() const {
  if (is_plain_text()) return nbt::Value(text_);
  // Elements of a list share one type, so a plain text among them takes the long form like the others.
  const auto list = [](const std::vector<Component>& components) {
    std::vector<nbt::Value> values;
    values.reserve(components.size());
    for (const Component& c : components) {
      nbt::Value v = c.to_value();
      if (v.type() == nbt::Type::kString) {
        nbt::Compound wrapped;
        wrapped.set("text", std::move(v));
        v = nbt::Value(std::move(wrapped));
      }
      values.push_back(std::move(v));
    }
    return nbt::Value(nbt::make_list(std::move(values)));
  };

  nbt::Compound out;
  if (translate_key_.empty()) {
    out.set("text", text_);
  } else {
    out.set("translate", translate_key_);
    if (!fallback_.empty()) out.set("fallback", fallback_);
    if (!args_.empty()) out.set("with", list(args_));
  }
  if (!color_.empty()) out.set("color", color_);
  if (bold_) out.set("bold", *bold_);
  if (italic_) out.set("italic", *italic_);
  if (underlined_) out.set("underlined", *underlined_);
  if (!insertion_.empty()) out.set("insertion", insertion_);
  if (click_) {
    nbt::Compound event;
    event.set("action", click_->action);
    event.set(std::string(click_value_key(click_->action)), click_->value);
    out.set("click_event", std::move(event));
  }
  if (!hover_.empty()) {
    nbt::Compound event;
    event.set("action", "show_text");
    event.set("value", hover_.front().to_value());
    out.set("hover_event", std::move(event));
  }
  if (!extra_.empty()) out.set("extra", list(extra_));
  return nbt::Value(std::move(out));
}

nbt::Raw Component::to_nbt() const { return nbt::to_raw(to_value()); }

void Component::write_json(std::string& out) const {
  const auto list = [&](std::string_view key, const std::vector<Component>& components) {
    append_key(out, key);
    out.push_back('[');
    for (std::size_t i = 0; i < components.size(); ++i) {
      if (i > 0) out.push_back(',');
      components[i].write_json(out);
    }
    out.push_back(']');
  };
  const auto text = [&](std::string_view key, std::string_view value) {
    append_key(out, key);
    append_json_string(out, value);
  };
  const auto flag = [&](std::string_view key, const std::optional<bool>& value) {
    if (!value) return;
    append_key(out, key);
    out += *value ? "true" : "false";
  };

  out.push_back('{');
  if (translate_key_.empty()) {
    text("text", text_);
  } else {
    text("translate", translate_key_);
    if (!fallback_.empty()) text("fallback", fallback_);
    if (!args_.empty()) list("with", args_);
  }
  if (!color_.empty()) text("color", color_);
  flag("bold", bold_);
  flag("italic", italic_);
  flag("underlined", underlined_);
  if (!insertion_.empty()) text("insertion", insertion_);
  if (click_) {
    append_key(out, "click_event");
    out.push_back('{');
    text("action", click_->action);
    text(click_value_key(click_->action), click_->value);
    out.push_back('}');
  }
  if (!hover_.empty()) {
    append_key(out, "hover_event");
    out += "{\"action\":\"show_text\",\"value\":";
    hover_.front().write_json(out);
    out.push_back('}');
  }
  if (!extra_.empty()) list("extra", extra_);
  out.push_back('}');
}

std::string Component::to_json() const {
  std::string out;
  write_json(out);
  return out;
}

void Component::write_plain(std::string& out) const {
  if (translate_key_.empty()) {
    out += text_;
  } else {
    const std::string_view pattern = fallback_.empty() ? translate_key_ : fallback_;
    std::size_t next = 0;
    bool used = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '%' || i + 1 >= pattern.size()) {
        out.push_back(pattern[i]);
        continue;
      }
      // "%s" takes the next argument, "%2$s" the one of that number, "%%" is a percent sign.
      if (pattern[i + 1] == '%' || pattern[i + 1] == 's') {
        if (pattern[i + 1] == '%') {
          out.push_back('%');
        } else if (next < args_.size()) {
          args_[next++].write_plain(out);
          used = true;
        }
        ++i;
      } else if (i + 3 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9' &&
                 pattern[i + 2] == '$' && pattern[i + 3] == 's') {
        const auto index = static_cast<std::size_t>(pattern[i + 1] - '1');
        if (index < args_.size()) args_[index].write_plain(out);
        used = true;
        i += 3;
      } else {
        out.push_back('%');
      }
    }
    if (!used && fallback_.empty() && !args_.empty()) {
      out += " [";
      for (std::size_t i = 0; i < args_.size(); ++i) {
        if (i > 0) out += ", ";
        args_[i].write_plain(out);
      }
      out.push_back(']');
    }
  }
  for (const Component& child : extra_) child.write_plain(out);
}

std::string Component::to_plain() const {
  std::string out;
  write_plain(out);
  return out;
}

}  // namespace horizon::text
