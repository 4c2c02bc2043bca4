// How much processes differ, where each side is one run: one or a few processes a case.
#pragma once

#include <vector>

#include "bench/compare/ratio.hpp"

namespace cfdmark::compare {

// The standard error of a record's time by what its processes differ: of the logarithms of their medians. 0
// for one process.
double process_error(const Processes&);

inline constexpr std::size_t fewest_for_spread = 8;

// Most cases have not changed, so the spread of their ratios beyond what their samples explain is that of
// processes: the empirical null of B. Efron, Large-scale simultaneous hypothesis testing, Journal of the
// American Statistical Association 99 (2004) 96. It is taken from the median absolute deviation, which cases
// that did change do not move, and added to each error. Returns it; -1, and nothing is added, for fewer than
// 8 ratios.
double add_process_spread(const std::vector<Ratio*>& ratios);

}  // namespace cfdmark::compare
