#include "bench/tune/share.hpp"

#include <algorithm>

namespace cfdmark::tuning {

std::optional<double> next_share(double seconds_left, const std::vector<Sharer>& left, double least_part) {
  const Sharer& next = left.front();
  double weights = 0, needs = 0;
  for (const Sharer& s : left) weights += s.weight, needs += s.need;
  if (seconds_left >= needs)
    return next.need + (weights > 0 ? (seconds_left - needs) * next.weight / weights : 0);
  if (const double part = seconds_left / needs; part >= least_part)
    return std::min(next.need * part, seconds_left);
  const double share = next.need * least_part;
  return share <= seconds_left ? std::optional(share) : std::nullopt;
}

}  // namespace cfdmark::tuning
