// Placement of fields within pages of host memory.
#pragma once

#include <atomic>
#include <cstddef>

namespace cfdmark {

inline constexpr std::size_t host_page = 4096;  // bytes

// Returns the offset in bytes into its page at which the next field starts: a nonzero multiple of 64.
// Consecutive fields are five cache lines apart. If all fields started at page boundaries, the same cell of
// each would map to the same set of the L1 cache, which holds eight or twelve lines; a stencil with
// coefficient arrays reads more. Offsets chosen by the heap would depend on earlier allocations, such as the
// program's own path.
inline std::size_t next_field_start() {
  constexpr std::size_t line = 64, lines = host_page / line, step = 5;  // coprime with lines - 1
  static std::atomic<std::size_t> count = 0;
  return line * (1 + count++ * step % (lines - 1));
}

}  // namespace cfdmark
