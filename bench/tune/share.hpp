// How time is shared among what is to come.
#pragma once

#include <optional>
#include <vector>

namespace cfdmark::tuning {

struct Sharer {
  double weight = 1;
  double need = 0;  // seconds
};

// Seconds for the first of those that are left. Each gets what it needs, and shares in what is beyond by its
// weight. Where there is less, all get the same part of their needs, but no less than `least_part` of them:
// so the last may get nothing. None where less than that is left.
std::optional<double> next_share(double seconds_left, const std::vector<Sharer>& left, double least_part = 1);

// Which of these needs, in seconds, there is time for: the least first. In their order.
std::vector<std::size_t> that_fit(const std::vector<double>& needs, double seconds);

}  // namespace cfdmark::tuning
