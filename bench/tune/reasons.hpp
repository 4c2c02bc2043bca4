// Explains from the records of two candidates why one is faster.
#pragma once

#include <string>

#include "bench/text/json.hpp"

namespace cfdmark::tuning {

// Returns one sentence on how the winner differs from the default by more than 5 %: declared bytes, fraction
// of the roofline, launches, waves of blocks with the idle share of the last wave, registers. "It moves 0.50
// times the default's bytes, reaches 91 % of the roofline (default 84 %) and has 40 registers per thread
// (default 56)." Empty if nothing differs or a record lacks the facts. `multiprocessors` is 0 without a GPU.
std::string reasons(const Json& winner, const Json& fallback, int multiprocessors);

}  // namespace cfdmark::tuning
