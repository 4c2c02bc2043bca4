#include "bench/solve/processes.hpp"

#include <cstdlib>
#include <stdexcept>

#include "bench/device_facts/mpi.hpp"
#include "bench/ranks/launcher.hpp"
#include "bench/ranks/rank_job.hpp"
#include "bench/worker/program.hpp"

namespace cfdmark {

int solve_by_processes(const SolveRequest& request, bool is_threaded) {
  if (!why_no_mpi().empty()) throw std::invalid_argument("--join mpi: " + why_no_mpi());
  refuse_launched_process();
  prepare_environment_for_launcher();
  RankJob job{.ranks = request.ranks,
              .command = own_command(),
              .launcher = launcher_words(request.launcher, request.ranks),
              .limit = request.rank_timeout};
  if (!std::getenv("OMP_NUM_THREADS"))
    job.variables = variables_of_rank(is_threaded ? processors_a_rank(request.ranks) : 1);
  job.command.emplace_back("--rank-of");
  return run_rank_job(job);
}

}  // namespace cfdmark
