#include "kernels/core/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <stdexcept>

namespace cfdmark {
namespace {

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

std::vector<double> sorted_samples(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("a median needs at least one value");
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

double median(std::vector<double> values) { return median_of_sorted(sorted_samples(std::move(values))); }

MedianRanks median_ranks(std::size_t n, double wanted) {
  if (n == 0) throw std::invalid_argument("a median needs at least one value");
  // Each sample lies below the true median with probability 1/2. The interval from rank r to n + 1 - r misses
  // it if fewer than r samples lie on either side.
  const boost::math::binomial below(double(n), 0.5);
  const auto confidence = [&](std::size_t rank) { return 1 - 2 * cdf(below, double(rank) - 1); };
  std::size_t rank = 1;
  while (2 * (rank + 1) <= n && confidence(rank + 1) >= wanted) ++rank;
  return {rank, n + 1 - rank, confidence(rank)};  // a single sample encloses nothing: 0
}

MedianInterval median_interval(std::vector<double> values, double wanted) {
  const std::vector<double> sorted = sorted_samples(std::move(values));
  const MedianRanks ranks = median_ranks(sorted.size(), wanted);
  return {median_of_sorted(sorted), sorted[ranks.low - 1], sorted[ranks.high - 1], ranks.confidence};
}

MedianInterval median_interval(const ProcessSamples& processes) {
  if (processes.empty()) throw std::invalid_argument("an interval needs at least one process");
  std::vector<double> medians;
  MedianInterval all;
  for (const std::vector<double>& samples : processes) {
    const MedianInterval own = median_interval(samples);
    const bool first = medians.empty();
    all.low = first ? own.low : std::min(all.low, own.low);
    all.high = first ? own.high : std::max(all.high, own.high);
    all.confidence = first ? own.confidence : std::min(all.confidence, own.confidence);
    medians.push_back(own.median);
  }
  all.median = median(medians);
  return all;
}

}  // namespace cfdmark
