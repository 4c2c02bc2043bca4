#include "bench/tune/budget_claims.hpp"

#include <algorithm>
#include <numeric>

namespace cfdmark::tuning {

std::optional<double> allocate(double seconds_left, const std::vector<BudgetClaim>& left, double least_part) {
  const BudgetClaim& next = left.front();
  double weights = 0, needs = 0;
  for (const BudgetClaim& s : left) weights += s.weight, needs += s.need;
  if (seconds_left >= needs)
    return next.need + (weights > 0 ? (seconds_left - needs) * next.weight / weights : 0);
  if (const double part = seconds_left / needs; part >= least_part)
    return std::min(next.need * part, seconds_left);
  const double share = next.need * least_part;
  return share <= seconds_left ? std::optional(share) : std::nullopt;
}

std::vector<std::size_t> that_fit(const std::vector<double>& needs, double seconds) {
  std::vector<std::size_t> places(needs.size());
  std::iota(places.begin(), places.end(), std::size_t(0));
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return needs[a] < needs[b]; });
  std::size_t count = 0;
  for (; count < places.size(); ++count)
    if (seconds -= needs[places[count]]; seconds < 0) break;
  places.resize(count);
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace cfdmark::tuning
