// Medians with distribution-free confidence intervals.
#pragma once

#include <cstddef>
#include <vector>

namespace cfdmark {

// Returns the median. Throws std::invalid_argument if there are no values.
double median(std::vector<double> values);

// Ranks of two order statistics of n samples that enclose the true median with probability `confidence`.
struct MedianRanks {
  std::size_t low = 0, high = 0;  // 1 is the smallest sample
  double confidence = 0;          // exact, from the binomial distribution
};
// Returns the narrowest symmetric pair of ranks with at least the wanted confidence. Fewer than 6 samples
// cannot reach 95 %; the pair is then the extremes, with the confidence that they give. Throws
// std::invalid_argument if n is 0.
MedianRanks median_ranks(std::size_t n, double wanted = 0.95);

struct MedianInterval {
  double median = 0, low = 0, high = 0, confidence = 0;
  // Half the width of the interval, relative to the median.
  double relative_half_width() const { return (high - low) / (2 * median); }
};
// Returns the median and its interval. Throws std::invalid_argument if there are no values.
MedianInterval median_interval(std::vector<double> values, double wanted = 0.95);

// Samples of a case, per process that measured it. Samples of one process are correlated: the placement of
// memory and code is fixed within a process and differs in the next.
using ProcessSamples = std::vector<std::vector<double>>;

// Returns the median of the processes' medians. The interval spans the processes' own intervals, so that it
// covers the variation between processes; `confidence` is the smallest of theirs. Throws
// std::invalid_argument if there is no process, or one without values.
MedianInterval median_interval(const ProcessSamples&);

// Ratios of times closer to 1 than this count as a tie: the same program varies by as much between processes
// (T. Kalibera and R. Jones, Rigorous benchmarking in reasonable time, ISMM 2013, on levels of repetition).
// Reports use the same value (scripts/cfdmark/stats/statistics.py).
inline constexpr double smallest_effect = 0.01;

}  // namespace cfdmark
