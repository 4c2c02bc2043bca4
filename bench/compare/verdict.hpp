// From ratios to words: faster, same, slower, or undecided.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bench/compare/ratio.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark::compare {

// Worst first.
enum class Verdict {
  wrong,     // a wrong answer, a crash, a hang: no time counts
  vanished,  // the base has it, the new side has not or can no longer run it
  slower,
  undecided,  // neither is sure
  faster,
  same,
  added,     // only the new side has it
  repaired,  // was wrong in the base
  not_run    // runs on neither side
};
std::string_view to_string(Verdict);

struct Rule {
  double smallest_effect = cfdmark::smallest_effect;  // a change of less does not matter
  double false_discoveries = 0.05;                    // the share of slower and faster that may be false
  // What stays undecided at the end is the same within more than the smallest effect, if within no more than
  // this, and if nothing speaks for a change. 0: it stays undecided.
  double widest_same = 0;
};

// What the times of one case say: slower, faster, same or undecided.
struct Finding {
  Verdict verdict = Verdict::undecided;
  double p = 1;  // of no change, adjusted for the number of cases
};

// Looks at all cases together. A case is slower (faster alike) if its ratio is at least the smallest effect
// and, with the false discoveries held over all cases, above half of it: two copies of one program differ by
// where their code lies, and that is no discovery. It is the same if its 95 % interval
// lies within the smallest effect.
//
// Cases that stay undecided are measured further and looked at again. `look` counts from 1; each look spends
// 6/(pi look)^2 of the false discoveries allowed, all together no more than the whole however many there are.
std::vector<Finding> judge(const std::vector<Ratio>& ratios, const Rule& rule, int look = 1);

// For what is undecided when nothing more is measured: the change, 0.05 for 5 %, within which it is the same.
// That is the far end of its 95 % interval, where this is no more than the rule's widest, and where no change
// at all lies within its 99 % interval: a likely change of less than the smallest effect is no sameness.
std::optional<double> wider_same(const Ratio&, const Rule&);

// How many rounds a ratio that took `rounds` would need to be decided, its error falling as their root does.
double rounds_to_decide(const Ratio&, std::size_t rounds, const Rule&);

}  // namespace cfdmark::compare
