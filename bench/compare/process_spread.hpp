// Estimates the spread of times between processes, for sides of one run each with one or a few processes per
// case.
#pragma once

#include <vector>

#include "bench/compare/ratio.hpp"

namespace cfdmark::compare {

// Returns the standard error of the logarithm of a record's time, from the medians of its processes. 0 for
// one process.
double process_error(const Processes&);

inline constexpr std::size_t fewest_for_spread = 8;

// Adds the spread between processes to the error of each ratio, and returns it. Returns -1 and adds nothing
// for fewer than 8 ratios.
// Most cases have not changed. So the spread of their ratios beyond the error of their samples is that of
// processes: the empirical null of B. Efron, Large-scale simultaneous hypothesis testing, Journal of the
// American Statistical Association 99 (2004) 96. The median absolute deviation estimates it, since the few
// cases that did change hardly affect that.
double add_process_spread(const std::vector<Ratio*>& ratios);

}  // namespace cfdmark::compare
