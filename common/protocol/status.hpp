#pragma once

#include "common/protocol/packet.hpp"
#include "common/protocol/v775/packet_ids.hpp"

namespace horizon::protocol::status {

namespace clientbound {

struct StatusResponse {
  static constexpr std::int32_t kId = v775::status::clientbound::kStatusResponse;
  static constexpr std::string_view kName = "status_response";
  std::string json;
  template <class A>
  void fields(A& a) {
    a.string("json", json);
  }
};

struct PongResponse {
  static constexpr std::int32_t kId = v775::status::clientbound::kPongResponse;
  static constexpr std::string_view kName = "pong_response";
  std::int64_t time = 0;
  template <class A>
  void fields(A& a) {
    a.i64("time", time);
  }
};

}  // namespace clientbound

namespace serverbound {

struct StatusRequest {
  static constexpr std::int32_t kId = v775::status::serverbound::kStatusRequest;
  static constexpr std::string_view kName = "status_request";
  template <class A>
  void fields(A&) {}
};

struct PingRequest {
  static constexpr std::int32_t kId = v775::status::serverbound::kPingRequest;
  static constexpr std::string_view kName = "ping_request";
  std::int64_t time = 0;
  template <class A>
  void fields(A& a) {
    a.i64("time", time);
  }
};

}  // namespace serverbound

}  // namespace horizon::protocol::status
