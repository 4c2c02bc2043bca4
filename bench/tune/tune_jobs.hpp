// Progress and summary of several tunes in one command.
#pragma once

#include <string>
#include <vector>

#include "bench/tune/jobs.hpp"

namespace cfdmark {

// Returns "no time for 128x128, 256x256" for a result with unfinished sizes.
std::string left_sizes_text(const tuning::TuneResult&);

// Runs the jobs, then prints the table of layouts and writes the page, unless answers are not saved. Returns
// an exit status.
int tune_several(const std::vector<tuning::TuneJob>&, const tuning::JobsOptions&, const std::string& page);

// Compares the tuned config at each size with the best and the default. Returns an exit status: 1 if it
// exceeds a limit.
int check_tuned(const std::vector<tuning::TuneJob>&, tuning::JobsOptions);

}  // namespace cfdmark
