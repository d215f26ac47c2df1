#pragma once

#include <cstdint>

#include "common/protocol/packet.hpp"

/// What is known of the layout of data components, so that bytes of one client never reach another one
/// unchecked.
namespace horizon::protocol {

/// Reads one component's value, without its length, and checks it as strictly as a client would. Fails on
/// types whose layout is not known here.
void skip_component(Reader& r, std::int32_t type);

/// The stack with only those components that other clients read without harm: the type is known, its bytes
/// are exactly one valid value, and it occurs once. A client that gets a component it cannot read closes its
/// connection.
ItemStack safe_for_clients(const ItemStack& item);

}  // namespace horizon::protocol
