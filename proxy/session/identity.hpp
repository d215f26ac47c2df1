#pragma once

#include <string_view>

#include "common/base/ids.hpp"

namespace horizon::proxy {

/// The UUID of a player in offline mode: version 3 of "OfflinePlayer:<name>". Source: the vanilla server.
Uuid offline_uuid(std::string_view name);

}  // namespace horizon::proxy
