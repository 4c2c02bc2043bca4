// The supervisor of ranks that are processes: starts them, listens to them, and leaves none behind.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct RankJob {
  int ranks = 2;
  std::vector<std::string> command;   // of a rank; followed by the supervisor's HOST:SOCKET
  std::vector<std::string> launcher;  // the words before that (launcher_words)
  double limit = 600;                 // seconds that a rank may wait for another
};

// Runs the command on all ranks, whose output is this program's. Returns the exit status of the first rank.
// If a rank is killed, fails or hangs, if the launcher ends early, or after Ctrl-C, it ends all ranks, prints
// the reason, and returns exit_went_wrong, the status of the failed rank, or exit_interrupted. No process
// remains. If this process is killed, the ranks end themselves.
int run_rank_job(const RankJob&);

}  // namespace cfdmark
