// Medians, and how sure they are without assuming any distribution.
#pragma once

#include <cstddef>
#include <vector>

namespace cfdmark {

// Throws std::invalid_argument for no values.
double median(std::vector<double> values);

// Two order statistics of n samples that enclose the true median with probability `confidence`.
struct MedianRanks {
  std::size_t low = 0, high = 0;  // 1 is the least sample
  double confidence = 0;          // exact, from the binomial distribution
};
// The narrowest symmetric pair with at least the wanted confidence. Fewer than 6 samples cannot reach 95 %:
// then the least and the greatest, and the confidence that they give.
MedianRanks median_ranks(std::size_t n, double wanted = 0.95);

struct MedianInterval {
  double median = 0, low = 0, high = 0, confidence = 0;
  // Half the width over the median.
  double relative_half_width() const { return (high - low) / (2 * median); }
};
// Throws std::invalid_argument for no values.
MedianInterval median_interval(std::vector<double> values, double wanted = 0.95);

}  // namespace cfdmark
