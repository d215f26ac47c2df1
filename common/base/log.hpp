#pragma once

#include <string>

namespace horizon {

/// Log lines like vanilla's: "[12:34:56] [Server thread/INFO]: message", to standard output; `thread` takes
/// the place of "Server thread". Lines of several processes do not mix within a line.
void start_log(const std::string& thread);

}  // namespace horizon
