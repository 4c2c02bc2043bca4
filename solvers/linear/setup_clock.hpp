// What a library prepares before it can solve (plans, matrices, coarse operators) is not in the time of a
// solve: its seconds are told beside it.
#pragma once

#include <chrono>

namespace cfdmark {

inline constexpr const char* setup_seconds_name = "setup_seconds";  // among the results of a solve

template <class SetUp>
double seconds_to(const SetUp& set_up) {
  const auto start = std::chrono::steady_clock::now();
  set_up();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace cfdmark
