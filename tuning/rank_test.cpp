#include "tuning/rank_test.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/binomial.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace cfdmark::tuning {
namespace {

// Largest number of pairs for the exact test. Beyond it the normal approximation is accurate to 1 %.
constexpr std::size_t most_exact_pairs = 2500;

// Returns, for u = 0 to last, how many of the C(n + m, n) orders of n + m distinct values have u pairs in the
// right order. These are the coefficients of the Gaussian binomial, the product of (1 - q^(m+i)) / (1 - q^i)
// for i = 1 to n.
std::vector<double> orders_with_pairs(std::size_t n, std::size_t m, std::size_t last) {
  std::vector<double> count(last + 1, 0);
  count[0] = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = last + 1; u-- > m + i;) count[u] -= count[u - m - i];
    for (std::size_t u = i; u <= last; ++u) count[u] += count[u - i];
  }
  return count;
}

// Returns the probability of `pairs` or more of the n m pairs in one order under the null hypothesis.
double exact_tail(std::size_t n, std::size_t m, std::size_t pairs) {
  if (pairs == 0) return 1;
  const std::vector<double> count = orders_with_pairs(n, m, n * m - pairs);  // the distribution is symmetric
  const double all = boost::math::binomial_coefficient<double>(unsigned(n + m), unsigned(n));
  return std::min(1.0, std::accumulate(count.begin(), count.end(), 0.0) / all);
}

double normal_tail(double n, double m, double pairs) {
  const boost::math::normal alike(n * m / 2, std::sqrt(n * m * (n + m + 1) / 12));
  return cdf(complement(alike, pairs - 0.5));
}

}  // namespace

double probability_no_longer(const std::vector<double>& times, const std::vector<double>& than,
                             double scale) {
  const std::size_t n = times.size(), m = than.size();
  if (n == 0 || m == 0) return 1;
  double pairs = 0;
  for (const double x : times)
    for (const double y : than) pairs += x > scale * y ? 1 : x == scale * y ? 0.5 : 0;
  pairs = std::floor(pairs);
  return n * m <= most_exact_pairs ? exact_tail(n, m, std::size_t(pairs))
                                   : normal_tail(double(n), double(m), pairs);
}

}  // namespace cfdmark::tuning
