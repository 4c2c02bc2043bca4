// Several tunes of one command: what is told while they run, and at their end.
#pragma once

#include <string>
#include <vector>

#include "bench/tune/jobs.hpp"

namespace cfdmark {

// "no time for 128x128, 256x256": of a result that leaves some sizes.
std::string left_sizes_text(const tuning::TuneResult&);

// Tunes them, and ends with the table of layouts and the page, unless nothing is kept. Returns an exit
// status.
int tune_several(const std::vector<tuning::TuneJob>&, const tuning::JobsOptions&, const std::string& page);

// Sets at each size what was tuned beside the best and the default. Returns an exit status: 1 where it is too
// far behind one of them.
int check_tuned(const std::vector<tuning::TuneJob>&, tuning::JobsOptions);

}  // namespace cfdmark
