#include "bench/compare/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tuning/false_discovery.hpp"

namespace cfdmark::compare {
namespace {

Verdict verdict_of(const Ratio& r, double p, double allowed, double effect) {
  if (p <= allowed && std::abs(r.log) >= effect) return r.log > 0 ? Verdict::slower : Verdict::faster;
  const auto [low, high] = r.interval();
  return low > std::exp(-effect) && high < std::exp(effect) ? Verdict::same : Verdict::undecided;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  static constexpr std::string_view names[] = {"wrong", "vanished", "slower",   "undecided", "faster",
                                               "same",  "new",      "repaired", "not run"};
  return names[int(verdict)];
}

std::vector<Finding> judge(const std::vector<Ratio>& ratios, const Rule& rule, int look) {
  const double effect = std::log1p(rule.smallest_effect);
  const double spent = 6 / (std::numbers::pi * std::numbers::pi * look * look);
  std::vector<double> p;
  for (const Ratio& r : ratios)  // two tests a case, slower and faster: twice the smaller p-value
    p.push_back(std::min(1.0, 2 * std::min(r.p_above(effect / 2), r.p_below(-effect / 2))));
  const std::vector<double> adjusted = adjusted_p_values(p, Dependence::any);
  std::vector<Finding> findings;
  for (std::size_t n = 0; n < ratios.size(); ++n)
    findings.push_back(
        {verdict_of(ratios[n], adjusted[n], spent * rule.false_discoveries, effect), adjusted[n]});
  return findings;
}

std::optional<double> wider_same(const Ratio& r, const Rule& rule) {
  if (!r.error_is_known()) return std::nullopt;
  const auto surely = r.interval(0.99), likely = r.interval();
  const double within = std::max(likely.high, 1 / likely.low) - 1;
  const bool nothing_speaks_for_a_change = surely.low <= 1 && 1 <= surely.high;
  if (!nothing_speaks_for_a_change || within > rule.widest_same) return std::nullopt;
  return within;
}

double rounds_to_decide(const Ratio& r, std::size_t rounds, const Rule& rule) {
  if (!r.error_is_known()) return double(rounds) + 1;
  const double effect = std::log1p(rule.smallest_effect), change = std::abs(r.log);
  // A change is tested against half of the effect, sameness against the whole. At the boundary itself no
  // number of rounds would do, hence the minimum distance.
  const double distance = std::max({effect - change, change >= effect ? change - effect / 2 : 0, effect / 4});
  const double half = std::log(r.interval().high) - r.log;
  return double(rounds) * (half / distance) * (half / distance);
}

}  // namespace cfdmark::compare
