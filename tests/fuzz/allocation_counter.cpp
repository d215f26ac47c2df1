#include "tests/fuzz/allocation_counter.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local std::size_t thread_allocated = 0;
}  // namespace

std::size_t& horizon::fuzz::allocated() { return thread_allocated; }

void* operator new(std::size_t size) {
  thread_allocated += size;
  void* p = std::malloc(size == 0 ? 1 : size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
