#include "kernels/core/statistics.hpp"

#include <algorithm>
#include <cmath>
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

// The probability that exactly k of n samples lie below the true median: binomial, each with probability 1/2.
double exactly_below(std::size_t k, std::size_t n) {
  const auto log_factorial = [](std::size_t m) { return std::lgamma(double(m) + 1); };
  return std::exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) - double(n) * std::log(2.0));
}

}  // namespace

double median(std::vector<double> values) { return median_of_sorted(sorted_samples(std::move(values))); }

MedianRanks median_ranks(std::size_t n, double wanted) {
  if (n == 0) throw std::invalid_argument("a median needs at least one value");
  // The interval from rank r to n + 1 - r misses the true median if fewer than r samples lie on either side
  // of it.
  double confidence = std::max(1 - 2 * exactly_below(0, n), 0.0);  // one sample encloses nothing
  MedianRanks ranks{1, n, confidence};
  for (std::size_t rank = 2; 2 * rank <= n; ++rank) {
    confidence -= 2 * exactly_below(rank - 1, n);
    if (confidence < wanted) break;
    ranks = {rank, n + 1 - rank, confidence};
  }
  return ranks;
}

MedianInterval median_interval(std::vector<double> values, double wanted) {
  const std::vector<double> sorted = sorted_samples(std::move(values));
  const MedianRanks ranks = median_ranks(sorted.size(), wanted);
  return {median_of_sorted(sorted), sorted[ranks.low - 1], sorted[ranks.high - 1], ranks.confidence};
}

}  // namespace cfdmark
