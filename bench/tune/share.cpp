#include "bench/tune/share.hpp"

#include <algorithm>

namespace cfdmark::tuning {

std::optional<double> next_share(double seconds_left, const std::vector<Sharer>& left, double least_part) {
  const Sharer& next = left.front();
  double weights = 0, needs = 0;
  for (const Sharer& s : left) weights += s.weight, needs += s.need;
  if (seconds_left >= needs)
    return next.need + (weights > 0 ? (seconds_left - needs) * next.weight / weights : 0);
  const double share = next.need * std::max(seconds_left / needs, least_part);
  if (share > seconds_left) return std::nullopt;
  return share;
}

}  // namespace cfdmark::tuning
