#include "solvers/flow/shedding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cfdmark {
namespace {

constexpr int least_crossings = 4, least_values = 8;
constexpr double most_longer = 1.05;

Shedding none(std::string why) {
  Shedding shedding;
  shedding.lacking = std::move(why);
  return shedding;
}

// Returns the standard error of the mean of some periods, relative to it.
double relative_error(const std::vector<double>& periods) {
  const double count = double(periods.size());
  const double mean = std::accumulate(periods.begin(), periods.end(), 0.0) / count;
  double squares = 0;
  for (const double period : periods) squares += (period - mean) * (period - mean);
  return std::sqrt(squares / (count - 1) / count) / mean;
}

}  // namespace

Shedding find_shedding(const std::vector<double>& time, const std::vector<double>& drag,
                       const std::vector<double>& lift) {
  if (time.empty()) return none("the flow has no lift coefficient");
  const double middle = (time.front() + time.back()) / 2;
  const auto later = std::lower_bound(time.begin(), time.end(), middle) - time.begin();
  const std::size_t first = std::size_t(later), count = time.size() - first;
  const double mean = std::accumulate(lift.begin() + later, lift.end(), 0.0) / double(count);
  std::vector<double> crossings, periods;
  for (std::size_t n = first + 1; n < time.size(); ++n) {
    const double before = lift[n - 1] - mean, after = lift[n] - mean;
    if (before < 0 && after >= 0)
      crossings.push_back(time[n - 1] + (time[n] - time[n - 1]) * before / (before - after));
  }
  if (int(crossings.size()) < least_crossings)
    return none(
        fmt::format("in the later half of the time the lift rises through its mean {} times, and {} "
                    "are needed: the flow is steady, or needs a later --end-time",
                    crossings.size(), least_crossings));
  for (std::size_t n = 1; n < crossings.size(); ++n) periods.push_back(crossings[n] - crossings[n - 1]);
  const auto [shortest, longest] = std::minmax_element(periods.begin(), periods.end());
  const double between_values = (time.back() - time[first]) / double(count - 1);
  if (*shortest < least_values * between_values)
    return none(
        fmt::format("a period has only {:.2g} values of the lift, and {} are needed: reduce "
                    "check_interval or the time step",
                    *shortest / between_values, least_values));
  if (*longest > most_longer * *shortest)
    return none(
        fmt::format("the lift is not periodic yet: in the later half of the time its periods last "
                    "from {:.4g} to {:.4g}; choose a later --end-time",
                    *shortest, *longest));
  Shedding found;
  found.periods = int(periods.size());
  found.frequency = double(periods.size()) / (crossings.back() - crossings.front());
  found.uncertainty = found.frequency * relative_error(periods);
  found.largest_drag = *std::max_element(drag.begin() + later, drag.end());
  found.largest_lift = *std::max_element(lift.begin() + later, lift.end());
  return found;
}

}  // namespace cfdmark
