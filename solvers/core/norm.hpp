// Norms on the host, by which answers are judged.
#pragma once

#include <algorithm>
#include <cmath>

namespace cfdmark {

// The 2-norm of values, without overflow or underflow. for_each(add) calls add(value) for every value.
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
