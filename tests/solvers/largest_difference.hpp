// Difference of two solutions, for tests.
#pragma once

#include <cmath>

#include "kernels/device/field.hpp"

namespace cfdmark {

// Returns the largest difference over all interior cells; NaN if one is NaN.
inline double largest_difference(const HostField& a, const HostField& b) {
  double largest = 0;
  for_each_cell(a.grid(), false, [&](int i, int j, int k) {
    const double d = std::abs(a.get(i, j, k) - b.get(i, j, k));
    if (!(d <= largest)) largest = d;
  });
  return largest;
}

}  // namespace cfdmark
