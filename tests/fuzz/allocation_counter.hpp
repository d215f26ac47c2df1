#pragma once

#include <cstddef>

namespace horizon::fuzz {

/// Bytes that this thread has asked of operator new since it last set this to 0. Counts what was freed again
/// too.
std::size_t& allocated();

}  // namespace horizon::fuzz
