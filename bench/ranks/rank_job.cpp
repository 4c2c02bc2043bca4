#include "bench/ranks/rank_job.hpp"

#include <fmt/format.h>

#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/worker/interruption.hpp"

namespace cfdmark {

int run_rank_job(const RankJob& job) {
  constexpr int milliseconds_between_looks = 50;
  const Interruption interruption;
  std::optional<JobFailure> failure;
  int status = exit_ok;
  {
    RankProcesses processes(job);
    while (!failure && !processes.have_ended()) {
      failure = processes.look(milliseconds_between_looks);
      if (interruption.requested()) failure = {"", "interrupted", exit_interrupted};
    }
    status = processes.first_status();
  }
  if (!failure) return status;
  fmt::print(stderr, "cfdmark: {}\n", printable_lines(failure->reason));
  return failure->exit_status;
}

}  // namespace cfdmark
