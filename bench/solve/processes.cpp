#include "bench/solve/processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "bench/device_facts/allowed_cpus.hpp"
#include "bench/device_facts/installed.hpp"
#include "bench/ranks/launcher.hpp"
#include "bench/ranks/rank_job.hpp"
#include "bench/worker/program.hpp"
#include "kernels/ranks/mpi_ranks.hpp"

namespace cfdmark {
namespace {

void require_module() {
  const std::filesystem::path module = module_file("cfdmark_mpi.so");
  if (!std::filesystem::exists(module))
    throw std::invalid_argument(
        "--join mpi: this program was built without MPI; install openmpi-bin and libopenmpi-dev and build it "
        "again, or use --join threads");
  try {
    open_mpi(module);  // fails here, not on each rank
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(fmt::format(
        "--join mpi: {}; install openmpi-bin, or build again with the MPI of this machine", error.what()));
  }
}

// Threads that stay where they start would share the first cores with those of other ranks.
void set_threads(int threads) {
  constexpr int keep = 0;
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), keep);
  setenv("OMP_PROC_BIND", "false", keep);
}

}  // namespace

int solve_by_processes(const SolveRequest& request, bool is_threaded) {
  require_module();
  refuse_launched_process();
  prepare_environment_for_launcher();
  const cpu_set_t processors = allowed_cpus();
  set_threads(is_threaded ? std::max(1, CPU_COUNT(&processors) / request.ranks) : 1);
  RankJob job{.ranks = request.ranks,
              .command = own_command(),
              .launcher = launcher_words(request.launcher, request.ranks),
              .limit = request.rank_timeout};
  job.command.emplace_back("--rank-of");
  return run_rank_job(job);
}

}  // namespace cfdmark
