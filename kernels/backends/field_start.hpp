// Where in a page of a host the fields begin.
#pragma once

#include <atomic>
#include <cstddef>

namespace cfdmark {

inline constexpr std::size_t host_page = 4096;  // bytes

// Bytes into its page at which the next field is to begin, a multiple of 64 that is not 0. Each is five lines
// further than the one before it. Were all at the beginning, the same cell of every field would lie in the
// same set of a core's nearest cache, which holds eight or twelve lines: a stencil with an array for each
// coefficient reads more. Were they where a heap happens to have room, they would move with what a program
// allocated before, such as its own path.
inline std::size_t next_field_start() {
  constexpr std::size_t line = 64, lines = host_page / line, step = 5;  // coprime with lines - 1
  static std::atomic<std::size_t> count = 0;
  return line * (1 + count++ * step % (lines - 1));
}

}  // namespace cfdmark
