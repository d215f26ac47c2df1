#pragma once

#include "common/protocol/packet.hpp"
#include "common/protocol/v775/packet_ids.hpp"

namespace horizon::protocol::login {

namespace clientbound {

/// The reason is JSON, not NBT.
struct LoginDisconnect {
  static constexpr std::int32_t kId = v775::login::clientbound::kLoginDisconnect;
  static constexpr std::string_view kName = "login_disconnect";
  std::string reason;
  template <class A>
  void fields(A& a) {
    a.string("reason", reason, 262144);
  }
};

struct Hello {
  static constexpr std::int32_t kId = v775::login::clientbound::kHello;
  static constexpr std::string_view kName = "hello";
  std::string server_id;
  std::vector<std::uint8_t> public_key;
  std::vector<std::uint8_t> challenge;
  bool should_authenticate = false;
  template <class A>
  void fields(A& a) {
    a.string("server_id", server_id, 20);
    a.byte_array("public_key", public_key, 512);
    a.byte_array("challenge", challenge, 512);
    a.boolean("should_authenticate", should_authenticate);
  }
};

struct LoginFinished {
  static constexpr std::int32_t kId = v775::login::clientbound::kLoginFinished;
  static constexpr std::string_view kName = "login_finished";
  Uuid uuid;
  std::string name;
  std::vector<ProfileProperty> properties;
  template <class A>
  void fields(A& a) {
    a.uuid("uuid", uuid);
    a.string("name", name, 16);
    a.objects("properties", properties, 16);
  }
};

struct LoginCompression {
  static constexpr std::int32_t kId = v775::login::clientbound::kLoginCompression;
  static constexpr std::string_view kName = "login_compression";
  std::int32_t threshold = 0;
  template <class A>
  void fields(A& a) {
    a.varint("threshold", threshold);
  }
};

struct CustomQuery {
  static constexpr std::int32_t kId = v775::login::clientbound::kCustomQuery;
  static constexpr std::string_view kName = "custom_query";
  std::int32_t transaction_id = 0;
  std::string channel;
  std::vector<std::uint8_t> data;
  template <class A>
  void fields(A& a) {
    a.varint("transaction_id", transaction_id);
    a.string("channel", channel);
    a.rest("data", data, 1048576);
  }
};

struct CookieRequest {
  static constexpr std::int32_t kId = v775::login::clientbound::kCookieRequest;
  static constexpr std::string_view kName = "cookie_request";
  std::string key;
  template <class A>
  void fields(A& a) {
    a.string("key", key);
  }
};

}  // namespace clientbound

namespace serverbound {

struct Hello {
  static constexpr std::int32_t kId = v775::login::serverbound::kHello;
  static constexpr std::string_view kName = "hello";
  std::string name;
  Uuid profile_id;
  template <class A>
  void fields(A& a) {
    a.string("name", name, 16);
    a.uuid("profile_id", profile_id);
  }
};

struct Key {
  static constexpr std::int32_t kId = v775::login::serverbound::kKey;
  static constexpr std::string_view kName = "key";
  std::vector<std::uint8_t> shared_secret;
  std::vector<std::uint8_t> challenge;
  template <class A>
  void fields(A& a) {
    a.byte_array("shared_secret", shared_secret, 512);
    a.byte_array("challenge", challenge, 512);
  }
};

struct CustomQueryAnswer {
  static constexpr std::int32_t kId = v775::login::serverbound::kCustomQueryAnswer;
  static constexpr std::string_view kName = "custom_query_answer";
  std::int32_t transaction_id = 0;
  std::optional<std::vector<std::uint8_t>> data;
  template <class A>
  void fields(A& a) {
    a.varint("transaction_id", transaction_id);
    a.optional("data", data, [](A& in, std::vector<std::uint8_t>& v) { in.rest("data", v, 1048576); });
  }
};

struct LoginAcknowledged {
  static constexpr std::int32_t kId = v775::login::serverbound::kLoginAcknowledged;
  static constexpr std::string_view kName = "login_acknowledged";
  template <class A>
  void fields(A&) {}
};

struct CookieResponse {
  static constexpr std::int32_t kId = v775::login::serverbound::kCookieResponse;
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

}  // namespace horizon::protocol::login
