// Verdicts from ratios: faster, same, slower, or undecided.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bench/compare/ratio.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark::compare {

// Ordered from worst to best.
enum class Verdict {
  wrong,     // wrong result, crash or timeout: its time does not count
  vanished,  // ran in the base; absent or unable to run on the new side
  slower,
  undecided,  // neither a change nor sameness is established
  faster,
  same,
  added,     // only the new side has it
  repaired,  // was wrong in the base
  not_run    // runs on neither side
};
std::string_view to_string(Verdict);

struct Rule {
  double smallest_effect = cfdmark::smallest_effect;  // smaller changes do not matter
  double false_discoveries = 0.05;  // tolerated share of false `slower` and `faster` verdicts
  // Largest bound within which an undecided case may be called `same` at the end, if nothing indicates a
  // change. 0: it stays undecided.
  double widest_same = 0;
};

// The verdict of the times of one case: slower, faster, same or undecided.
struct Finding {
  Verdict verdict = Verdict::undecided;
  double p = 1;  // p-value of "no change", adjusted for the number of cases
};

// Judges all cases together. A case is slower (or faster) if its ratio is at least the smallest effect and
// significantly above half of it, with the false discovery rate controlled over all cases. Half of the effect
// is the null, since two copies of one program differ by code placement alone. A case is the same if its 95 %
// interval lies within the smallest effect.
// Undecided cases are measured further and judged again. `look` counts from 1. Each look spends 6/(pi look)^2
// of the allowed false discoveries, so that any number of looks spends at most the whole.
std::vector<Finding> judge(const std::vector<Ratio>& ratios, const Rule& rule, int look = 1);

// Returns the change (0.05 for 5 %) within which an undecided case is the same once measuring has ended: the
// far end of its 95 % interval. None if that exceeds the rule's widest bound, or if the 99 % interval
// excludes "no change", since a likely small change is not sameness.
std::optional<double> wider_same(const Ratio&, const Rule&);

// Estimates the total number of rounds that decide a ratio measured in `rounds`; the error falls with their
// square root.
double rounds_to_decide(const Ratio&, std::size_t rounds, const Rule&);

}  // namespace cfdmark::compare
