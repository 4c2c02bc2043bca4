// A command on all ranks of a job.
#pragma once

#include "bench/ranks/rank_processes.hpp"

namespace cfdmark {

// Runs the command on all ranks, whose output is this program's. Returns the exit status of the first rank.
// If a rank is killed, fails or hangs, if the launcher ends early, or after Ctrl-C, it ends all ranks, prints
// the reason, and returns exit_went_wrong, the status of the failed rank, or exit_interrupted. No process
// remains.
int run_rank_job(const RankJob&);

}  // namespace cfdmark
