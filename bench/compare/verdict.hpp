// From ratios to words: faster, same, slower, or undecided.
#pragma once

#include <vector>

#include "bench/compare/ratio.hpp"

namespace cfdmark::compare {

enum class Change { faster, same, slower, undecided };

struct Rule {
  double smallest_effect = 0.03;    // a change of less does not matter
  double false_discoveries = 0.05;  // the share of slower and faster that may be false
};

// What was found of one case.
struct Finding {
  Change change = Change::undecided;
  double p = 1;  // of no change, adjusted for the number of cases
};

// Looks at all cases together. A case is slower (faster alike) if its ratio is at least the smallest effect
// and, with the false discoveries held over all cases, above half of it: half, so that what differs between
// two copies of one program by where their code lies is no discovery. It is the same if its 95 % interval
// lies within the smallest effect.
//
// Cases that stay undecided are measured further and looked at again. `look` counts from 1; each look spends
// 6/(pi look)^2 of the false discoveries allowed, all together no more than the whole however many there are.
std::vector<Finding> judge(const std::vector<Ratio>& ratios, const Rule& rule, int look = 1);

}  // namespace cfdmark::compare
