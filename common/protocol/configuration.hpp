#pragma once

#include "common/protocol/packet.hpp"
#include "common/protocol/v775/packet_ids.hpp"

namespace horizon::protocol::configuration {

/// `value` is left out for clients that know the entry from a pack.
struct RegistryEntry {
  std::string key;
  std::optional<nbt::Raw> value;
  bool operator==(const RegistryEntry&) const = default;
  template <class A>
  void fields(A& a) {
    a.string("key", key);
    a.optional("value", value, [](A& in, nbt::Raw& v) { in.nbt("value", v); });
  }
};

struct KnownPack {
  std::string space;
  std::string id;
  std::string version;
  bool operator==(const KnownPack&) const = default;
  template <class A>
  void fields(A& a) {
    a.string("space", space);
    a.string("id", id);
    a.string("version", version);
  }
};

namespace clientbound {

struct CustomPayload {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kCustomPayload;
  static constexpr std::string_view kName = "custom_payload";
  std::string channel;
  std::vector<std::uint8_t> data;
  template <class A>
  void fields(A& a) {
    a.string("channel", channel);
    a.rest("data", data, 1048576);
  }
};

struct Disconnect {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kDisconnect;
  static constexpr std::string_view kName = "disconnect";
  nbt::Raw reason;
  template <class A>
  void fields(A& a) {
    a.nbt("reason", reason);
  }
};

struct FinishConfiguration {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kFinishConfiguration;
  static constexpr std::string_view kName = "finish_configuration";
  template <class A>
  void fields(A&) {}
};

struct KeepAlive {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kKeepAlive;
  static constexpr std::string_view kName = "keep_alive";
  std::int64_t id = 0;
  template <class A>
  void fields(A& a) {
    a.i64("id", id);
  }
};

struct Ping {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kPing;
  static constexpr std::string_view kName = "ping";
  std::int32_t id = 0;
  template <class A>
  void fields(A& a) {
    a.i32("id", id);
  }
};

struct RegistryData {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kRegistryData;
  static constexpr std::string_view kName = "registry_data";
  std::string registry;
  std::vector<RegistryEntry> entries;
  template <class A>
  void fields(A& a) {
    a.string("registry", registry);
    a.objects("entries", entries);
  }
};

struct UpdateEnabledFeatures {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kUpdateEnabledFeatures;
  static constexpr std::string_view kName = "update_enabled_features";
  std::vector<std::string> features;
  template <class A>
  void fields(A& a) {
    a.strings("features", features);
  }
};

/// `body` is the packet as generated from the data pack: registries, tags, ids.
struct UpdateTags {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kUpdateTags;
  static constexpr std::string_view kName = "update_tags";
  std::vector<std::uint8_t> body;
  template <class A>
  void fields(A& a) {
    a.rest("body", body);
  }
};

struct SelectKnownPacks {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kSelectKnownPacks;
  static constexpr std::string_view kName = "select_known_packs";
  std::vector<KnownPack> packs;
  template <class A>
  void fields(A& a) {
    a.objects("packs", packs, 64);
  }
};

struct StoreCookie {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kStoreCookie;
  static constexpr std::string_view kName = "store_cookie";
  std::string key;
  std::vector<std::uint8_t> value;
  template <class A>
  void fields(A& a) {
    a.string("key", key);
    a.byte_array("value", value, 5120);
  }
};

struct Transfer {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kTransfer;
  static constexpr std::string_view kName = "transfer";
  std::string host;
  std::int32_t port = 0;
  template <class A>
  void fields(A& a) {
    a.string("host", host);
    a.varint("port", port);
  }
};

struct CookieRequest {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kCookieRequest;
  static constexpr std::string_view kName = "cookie_request";
  std::string key;
  template <class A>
  void fields(A& a) {
    a.string("key", key);
  }
};

struct ResetChat {
  static constexpr std::int32_t kId = v775::configuration::clientbound::kResetChat;
  static constexpr std::string_view kName = "reset_chat";
  template <class A>
  void fields(A&) {}
};

}  // namespace clientbound

namespace serverbound {

struct ClientInformation : ClientSettings {
  static constexpr std::int32_t kId = v775::configuration::serverbound::kClientInformation;
  static constexpr std::string_view kName = "client_information";
};

struct CustomPayload {
  static constexpr std::int32_t kId = v775::configuration::serverbound::kCustomPayload;
  static constexpr std::string_view kName = "custom_payload";
  std::string channel;
  std::vector<std::uint8_t> data;
  template <class A>
  void fields(A& a) {
    a.string("channel", channel);
    a.rest("data", data, 32767);
  }
};

struct FinishConfiguration {
  static constexpr std::int32_t kId = v775::configuration::serverbound::kFinishConfiguration;
  static constexpr std::string_view kName = "finish_configuration";
  template <class A>
  void fields(A&) {}
};

struct KeepAlive {
  static constexpr std::int32_t kId = v775::configuration::serverbound::kKeepAlive;
  static constexpr std::string_view kName = "keep_alive";
  std::int64_t id = 0;
  template <class A>
  void fields(A& a) {
    a.i64("id", id);
  }
};

struct Pong {
  static constexpr std::int32_t kId = v775::configuration::serverbound::kPong;
  static constexpr std::string_view kName = "pong";
  std::int32_t id = 0;
  template <class A>
  void fields(A& a) {
    a.i32("id", id);
  }
};

struct ResourcePack {
  static constexpr std::int32_t kId = v775::configuration::serverbound::kResourcePack;
  static constexpr std::string_view kName = "resource_pack";
  Uuid pack;
  std::int32_t result = 0;
  template <class A>
  void fields(A& a) {
    a.uuid("pack", pack);
    a.varint("result", result);
  }
};

struct SelectKnownPacks {
  static constexpr std::int32_t kId = v775::configuration::serverbound::kSelectKnownPacks;
  static constexpr std::string_view kName = "select_known_packs";
  std::vector<KnownPack> packs;
  template <class A>
  void fields(A& a) {
    a.objects("packs", packs, 64);
  }
};

struct CookieResponse {
  static constexpr std::int32_t kId = v775::configuration::serverbound::kCookieResponse;
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

}  // namespace horizon::protocol::configuration
