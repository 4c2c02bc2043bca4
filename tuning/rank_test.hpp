// Rank test of whether one config is slower than another, without assuming a distribution of times.
#pragma once

#include <vector>

namespace cfdmark::tuning {

// Returns the p-value of the null hypothesis that `times` are no longer than `than` multiplied by `scale`.
// Small values mean that `times` are significantly longer. The one-sided rank-sum test (Mann and Whitney, On
// a test of whether one of two random variables is stochastically larger than the other, 1947), exact for few
// samples. Ties count half. Returns 1 if either vector is empty.
double probability_no_longer(const std::vector<double>& times, const std::vector<double>& than,
                             double scale = 1);

}  // namespace cfdmark::tuning
