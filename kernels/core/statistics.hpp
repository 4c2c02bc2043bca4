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

// What a case took in each of the processes that measured it. Samples of one process resemble each other:
// where its memory and its code came to lie is the same for all of them, and another in the next process.
using ProcessSamples = std::vector<std::vector<double>>;

// The median of the processes' medians, from the lowest to the highest end of their intervals: so it holds
// what differs between processes. `confidence` is the least of theirs. One process: its own interval. Throws
// std::invalid_argument if there is no process, or one without values.
MedianInterval median_interval(const ProcessSamples&);

// A ratio of times that differs from 1 by less is a tie, whatever the samples say: from one process to the
// next the same program differs by as much (T. Kalibera and R. Jones, Rigorous benchmarking in reasonable
// time, ISMM 2013, on levels of repetition). Reports hold to the same (scripts/cfdmark/stats/statistics.py).
inline constexpr double smallest_effect = 0.01;

}  // namespace cfdmark
