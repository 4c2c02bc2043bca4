#include "bench/compare/control.hpp"

#include <algorithm>

#include "kernels/core/statistics.hpp"

namespace cfdmark::compare {
namespace {

// The far end of the interval: what cannot be told from no change.
double could_be(const Ratio& r) {
  const auto [low, high] = r.interval();
  return std::max(high, 1 / low) - 1;
}

}  // namespace

Control judge_control(const std::vector<std::pair<std::string, Ratio>>& controls, const Rule& rule, int look,
                      std::set<std::string> moved) {
  std::vector<Ratio> ratios;
  std::vector<double> effects;
  for (const auto& [name, ratio] : controls) {
    ratios.push_back(ratio);
    effects.push_back(could_be(ratio));
  }
  const std::vector<Finding> findings = judge(ratios, rule, look);
  for (std::size_t n = 0; n < controls.size(); ++n)
    if (findings[n].change == Change::slower || findings[n].change == Change::faster)
      moved.insert(controls[n].first);
  return {std::move(moved), median(effects), *std::max_element(effects.begin(), effects.end())};
}

}  // namespace cfdmark::compare
