#include "tuning/false_discovery.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace cfdmark {

std::vector<double> adjusted_p_values(const std::vector<double>& p, Dependence dependence) {
  const std::size_t m = p.size();
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  double price = 1;  // penalty for arbitrary dependence: 1 + 1/2 + ... + 1/m
  if (dependence == Dependence::any)
    for (std::size_t n = 2; n <= m; ++n) price += 1.0 / double(n);
  std::vector<double> adjusted(m);
  double least = 1;
  for (std::size_t rank = m; rank >= 1; --rank) {
    const std::size_t at = order[rank - 1];
    least = std::min(least, p[at] * double(m) * price / double(rank));
    adjusted[at] = least;
  }
  return adjusted;
}

}  // namespace cfdmark
