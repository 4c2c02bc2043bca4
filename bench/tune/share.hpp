// How time is shared among what is to come.
#pragma once

#include <optional>
#include <vector>

namespace cfdmark::tuning {

// Seconds for the first of those that are left: each gets `least`, and shares in what is beyond by its
// weight. None where less than `least` is left.
std::optional<double> next_share(double seconds_left, const std::vector<double>& weights, double least);

}  // namespace cfdmark::tuning
