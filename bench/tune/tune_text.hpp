// Prints the results of a tune.
#pragma once

#include <string>

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

// Prints a paragraph per grid, and for several grids one per range of sizes.
void print_answers(const TuneResult&, const TuneOptions&);

// Returns the breakdown of a session's wall time: by worker activity, and the rest.
std::string time_text(const TuneSession&);

}  // namespace cfdmark::tuning
