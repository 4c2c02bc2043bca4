#include "bench/compare/process_spread.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/core/statistics.hpp"

namespace cfdmark::compare {

double process_error(const Processes& processes) {
  if (processes.size() < 2) return 0;
  double mean = 0, squares = 0;
  const double n = double(processes.size());
  for (const auto& samples : processes) mean += std::log(median(samples)) / n;
  for (const auto& samples : processes) squares += std::pow(std::log(median(samples)) - mean, 2);
  return std::sqrt(squares / (n - 1) / n);
}

double add_process_spread(const std::vector<Ratio*>& ratios) {
  if (ratios.size() < fewest_for_spread) return -1;
  constexpr double deviation_of_normal = 1.4826;  // ratio of standard deviation to median absolute deviation
  std::vector<double> logs, deviations, squares;
  for (const Ratio* r : ratios) logs.push_back(r->log);
  const double middle = median(logs);
  for (const Ratio* r : ratios) {
    deviations.push_back(std::abs(r->log - middle));
    squares.push_back(r->standard_error * r->standard_error);
  }
  const double all = deviation_of_normal * median(deviations);
  const double processes = std::sqrt(std::max(0.0, all * all - median(squares)));
  if (processes > 0)
    for (Ratio* r : ratios) {
      r->standard_error = std::hypot(r->standard_error, processes);
      r->degrees_of_freedom = std::min(r->degrees_of_freedom, double(ratios.size()) - 1);
    }
  return processes;
}

}  // namespace cfdmark::compare
