// Whether one config is slower than another beyond doubt, without assuming any distribution of times.
#pragma once

#include <vector>

namespace cfdmark::tuning {

// The probability that times which are no longer than `than` times `scale` come out as long as `times` or
// longer: small means that `times` are surely longer than that. The one-sided rank sum test (Mann and
// Whitney, On a test of whether one of two random variables is stochastically larger than the other, 1947),
// exact for few samples; equal times count in favour of equality. 1 if either is empty.
double probability_no_longer(const std::vector<double>& times, const std::vector<double>& than,
                             double scale = 1);

}  // namespace cfdmark::tuning
