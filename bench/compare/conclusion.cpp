// Totals and exit status over all cases.
#include <fmt/format.h>

#include <algorithm>

#include "bench/compare/comparison.hpp"

namespace cfdmark::compare {

bool CaseComparison::uses_more() const {
  return std::any_of(quantities.begin(), quantities.end(),
                     [](const auto& q) { return q.direction == Direction::worse; });
}

bool CaseComparison::fails(bool strict) const {
  return verdict == Verdict::wrong || verdict == Verdict::vanished || regressed() ||
         (strict && verdict == Verdict::undecided);
}

std::size_t Comparison::count(Verdict verdict) const {
  return std::size_t(
      std::count_if(cases.begin(), cases.end(), [&](const auto& c) { return c.verdict == verdict; }));
}

std::size_t Comparison::widened() const {
  return std::size_t(std::count_if(cases.begin(), cases.end(),
                                   [&](const auto& c) { return c.same_within > rule.smallest_effect; }));
}

double Comparison::widest_same() const {
  double widest = 0;
  for (const CaseComparison& c : cases) widest = std::max(widest, c.same_within);
  return widest;
}

std::size_t Comparison::regressions() const {
  return std::size_t(std::count_if(cases.begin(), cases.end(), [](const auto& c) { return c.regressed(); }));
}

bool Comparison::says_nothing() const {
  return count(Verdict::not_run) + count(Verdict::added) == cases.size();
}

int exit_status(const Comparison& c) {
  if (c.says_nothing()) return compare_usage;
  if (c.count(Verdict::wrong) + c.count(Verdict::vanished) > 0) return compare_wrong;
  if (c.regressions() > 0) return compare_regression;
  if (c.count(Verdict::undecided) > 0) return c.strict ? compare_regression : compare_undecided;
  return compare_ok;
}

void widen_same(Comparison& c) {
  if (c.strict) return;
  for (CaseComparison& one : c.cases) {
    const bool is_open = one.verdict == Verdict::undecided && one.ratio && one.reason.empty();
    const auto within = is_open ? wider_same(*one.ratio, c.rule) : std::nullopt;
    if (!within) continue;
    one.verdict = Verdict::same;
    one.same_within = *within;
    one.reason = fmt::format("unchanged within {:.1f} % (the resolution of this run)", 100 * *within);
  }
}

}  // namespace cfdmark::compare
