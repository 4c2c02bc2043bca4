// What a tune found, for a terminal.
#pragma once

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

// A paragraph for each grid; and of several for each range of sizes what to use there.
void print_answers(const TuneResult&, const TuneOptions&);

}  // namespace cfdmark::tuning
