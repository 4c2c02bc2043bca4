// Norms on the host for verifying answers.
#pragma once

#include <algorithm>
#include <cmath>

namespace cfdmark {

// Returns the 2-norm of values without overflow or underflow: the sum is scaled by the largest magnitude if
// it is not a normal number. for_each(add) must call add(value) for every value and may run twice.
template <class ForEach>
double norm_of(const ForEach& for_each) {
  double sum = 0, largest = 0;
  for_each([&](double value) {
    sum += value * value;
    largest = std::max(largest, std::abs(value));
  });
  if (std::isnormal(sum) || std::isnan(sum) || largest == 0 || std::isinf(largest)) return std::sqrt(sum);
  sum = 0;
  for_each([&](double value) { sum += (value / largest) * (value / largest); });
  return largest * std::sqrt(sum);
}

}  // namespace cfdmark
