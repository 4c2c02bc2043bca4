#include "bench/tune/share.hpp"

#include <algorithm>
#include <numeric>

namespace cfdmark::tuning {

std::optional<double> next_share(double seconds_left, const std::vector<double>& weights, double least) {
  if (seconds_left < least) return std::nullopt;
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double beyond = std::max(0.0, seconds_left - least * double(weights.size()));
  return least + (all > 0 ? beyond * weights.front() / all : 0);
}

}  // namespace cfdmark::tuning
