#pragma once

#include <functional>

namespace horizon {

/// Calls `on_parent_death` on a thread of its own when the other end of the pipe `fd` is closed: the kernel
/// does that however the parent dies.
void watch_lifeline(int fd, std::function<void()> on_parent_death);

}  // namespace horizon
