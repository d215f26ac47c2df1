#pragma once

#include "common/protocol/packet.hpp"
#include "common/protocol/v775/packet_ids.hpp"

namespace horizon::protocol::handshake::serverbound {

inline constexpr std::int32_t kNextStatus = 1;
inline constexpr std::int32_t kNextLogin = 2;
inline constexpr std::int32_t kNextTransfer = 3;

struct Intention {
  static constexpr std::int32_t kId = v775::handshake::serverbound::kIntention;
  static constexpr std::string_view kName = "intention";
  std::int32_t protocol_version = 0;
  std::string server_address;
  std::uint16_t server_port = 0;
  std::int32_t next_state = kNextStatus;
  template <class A>
  void fields(A& a) {
    a.varint("protocol_version", protocol_version);
    a.string("server_address", server_address, 255);
    a.u16("server_port", server_port);
    a.varint("next_state", next_state);
  }
};

}  // namespace horizon::protocol::handshake::serverbound
