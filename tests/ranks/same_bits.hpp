// Bitwise comparison of results on ranks, for tests.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "kernels/device/field.hpp"
#include "solvers/base/outcome.hpp"

namespace cfdmark {

inline bool equal_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Return the first difference; empty if there is none.
inline std::string difference_of(const HostField& found, const HostField& expected) {
  std::string first;
  for_each_cell(expected.grid(), false, [&](int i, int j, int k) {
    const double a = found.get(i, j, k), b = expected.get(i, j, k);
    if (first.empty() && !equal_bits(a, b))
      first = fmt::format("cell ({}, {}, {}) is {} instead of {}; ", i, j, k, a, b);
  });
  return first;
}
inline std::string difference_of(const Outcome& found, const Outcome& expected) {
  if (found.iterations != expected.iterations)
    return fmt::format("{} iterations instead of {}; ", found.iterations, expected.iterations);
  if (found.history.size() != expected.history.size()) return "another number of residual checks; ";
  for (std::size_t n = 0; n < expected.history.size(); ++n)
    if (!equal_bits(found.history[n].second, expected.history[n].second))
      return fmt::format("residual {} instead of {} in iteration {}; ", found.history[n].second,
                         expected.history[n].second, expected.history[n].first);
  return "";
}

}  // namespace cfdmark
