#include "solvers/flow/shedding.hpp"

#include <algorithm>
#include <numeric>

namespace cfdmark {
namespace {

constexpr int least_crossings = 4, least_values = 8;
constexpr double most_longer = 1.05;

}  // namespace

std::optional<Shedding> find_shedding(const std::vector<double>& time, const std::vector<double>& drag,
                                      const std::vector<double>& lift) {
  if (time.empty()) return {};
  const double middle = (time.front() + time.back()) / 2;
  const auto later = std::lower_bound(time.begin(), time.end(), middle) - time.begin();
  const std::size_t first = std::size_t(later), count = time.size() - first;
  const double mean = std::accumulate(lift.begin() + later, lift.end(), 0.0) / double(count);
  std::vector<double> crossings;
  for (std::size_t n = first + 1; n < time.size(); ++n) {
    const double before = lift[n - 1] - mean, after = lift[n] - mean;
    if (before < 0 && after >= 0)
      crossings.push_back(time[n - 1] + (time[n] - time[n - 1]) * before / (before - after));
  }
  if (int(crossings.size()) < least_crossings) return {};
  double shortest = crossings[1] - crossings[0], longest = shortest;
  for (std::size_t n = 2; n < crossings.size(); ++n) {
    shortest = std::min(shortest, crossings[n] - crossings[n - 1]);
    longest = std::max(longest, crossings[n] - crossings[n - 1]);
  }
  const double between_values = (time.back() - time[first]) / double(count - 1);
  if (longest > most_longer * shortest || shortest < least_values * between_values) return {};
  return Shedding{double(crossings.size() - 1) / (crossings.back() - crossings.front()),
                  *std::max_element(drag.begin() + later, drag.end()),
                  *std::max_element(lift.begin() + later, lift.end())};
}

}  // namespace cfdmark
