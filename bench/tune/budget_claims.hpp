// Distribution of time among the remaining jobs or grids.
#pragma once

#include <optional>
#include <vector>

namespace cfdmark::tuning {

struct BudgetClaim {
  double weight = 1;
  double need = 0;  // seconds
};

// Returns the seconds for the first of `left`. Each gets its need plus a share of the surplus by weight. If
// time is short, each gets the same fraction of its need, but at least `least_part`, so that the last ones
// may get nothing. Returns nothing if less than that is left.
std::optional<double> allocate(double seconds_left, const std::vector<BudgetClaim>& left,
                               double least_part = 1);

// Fits needs into `seconds`, smallest first, and returns the indices of those that fit in increasing order.
std::vector<std::size_t> that_fit(const std::vector<double>& needs, double seconds);

}  // namespace cfdmark::tuning
