// What a tune found, for a terminal.
#pragma once

#include <string>

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

// A paragraph for each grid; and of several for each range of sizes what to use there.
void print_answers(const TuneResult&, const TuneOptions&);

// Where the time of a session went: what its workers were at, and what is none of that.
std::string time_text(const TuneSession&);

}  // namespace cfdmark::tuning
