// Decides from the ratio of new to base time (ratio.hpp) whether a case is faster, the same, slower, or
// undecided. Times are measured in rounds, each with a new process of both sides (round.hpp).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bench/compare/ratio.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark::compare {

// In the order of reports: cases that need attention come first.
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
  // Largest change (0.05 for 5 %) that wider_same() may tolerate: when measuring has ended, an undecided case
  // is called `same` within such a bound if nothing indicates a change. 0: it stays undecided.
  double widest_same = 0;
};

// The verdict of the times of one case: slower, faster, same or undecided.
struct Finding {
  Verdict verdict = Verdict::undecided;
  // p-value of "a change of at most half the smallest effect", adjusted for the number of cases.
  double p = 1;
};

// Judges all cases together. Here a change is the logarithm of the ratio, and the effect is the logarithm of
// 1 + Rule::smallest_effect. A case is slower (or faster) if its change is at least the effect and
// significantly above half of it, with the false discovery rate controlled over all cases. The null
// hypothesis is a change of at most half the effect, not of zero, since two copies of one program differ by
// code placement alone. A case is the same if the 95 % interval of its change lies within the effect on both
// sides.
//
// Undecided cases are measured further and judged again. `look` numbers these judgements from 1. Each spends
// 6/(pi look)^2 of the allowed false discoveries, so that any number of them spends at most the whole.
std::vector<Finding> judge(const std::vector<Ratio>& ratios, const Rule& rule, int look = 1);

// Returns the change (0.05 for 5 %) within which an undecided case is the same once measuring has ended. It
// is the end of the 95 % interval of the ratio that is farther from 1. None if it exceeds Rule::widest_same,
// if the error is unknown, or if the 99 % interval excludes a ratio of 1: a small but likely change is not
// sameness.
std::optional<double> wider_same(const Ratio&, const Rule&);

// Estimates the total number of rounds that decide a ratio measured in `rounds`; the error falls with their
// square root.
double rounds_to_decide(const Ratio&, std::size_t rounds, const Rule&);

}  // namespace cfdmark::compare
