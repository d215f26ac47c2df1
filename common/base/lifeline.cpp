#include "common/base/lifeline.hpp"

#include <unistd.h>

#include <cerrno>
#include <thread>
#include <utility>

namespace horizon {

void watch_lifeline(int fd, std::function<void()> on_parent_death) {
  std::thread([fd, on_parent_death = std::move(on_parent_death)] {
    char byte = 0;
    for (;;) {
      const ssize_t n = read(fd, &byte, 1);
      if (n == 0 || (n < 0 && errno != EINTR)) break;
    }
    on_parent_death();
  }).detach();
}

}  // namespace horizon
