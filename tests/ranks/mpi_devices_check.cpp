// Run by a launcher of MPI (test_processes.py): each rank is a process with an emulated CUDA device, and
// values go by way of the hosts. The first rank prints what was checked, or the first difference.
#include <fmt/format.h>

#include <stdexcept>

#include "kernels/ranks/mpi_ranks.hpp"
#include "kernels/ranks/process_rank.hpp"
#include "tests/cuda_emulation/ranked_devices.hpp"

using namespace cfdmark;

namespace {

const std::vector<RankedDevices> cases = {
    {"jacobi", "plain", "manufactured", {37, 29}},
    {"sor", "plain", "manufactured", {11, 8, 9}, Precision::fp32},
    {"cg", "textbook", "manufactured", {37, 29}},
    {"cg", "textbook", "periodic_channel", {20, 24}},
    {"cg", "textbook", "manufactured", {11, 8, 9}, Precision::mixed},
    {"cg", "fused", "jump", {21, 26}},
    {"cg", "one_sum", "manufactured", {37, 29}},
    {"multigrid", "plain", "jump", {47, 63}, Precision::fp64, {{"check_interval", 1}}, 4},
    {"pcg", "multigrid", "manufactured", {23, 15, 31}, Precision::fp64, {{"check_interval", 1}}, 4},
};

Solved solved_by_processes(const RankedDevices& c, Ranks& ranks, Backend& on) {
  const RankSetup setup{ranks.count(), "slabs", true};
  const SolverMethod of_one = on_ranks_of(
      BackendKind::cuda, method_named(solver_named(c.solver), BackendKind::cuda, c.method), setup);
  const SolverMethod method = on_ranks(of_one, ranks, PartShape::from(setup.partition));
  return solve(c.solver, method, on, c.precision, posed(c.problem, c.grid),
               {1e-30, c.iterations, method.space.complete(c.config)});
}

int check(Ranks& ranks) {
  EmulatedDevices machine(1);
  Backend& device = machine.devices[0];
  std::string first;
  for (const RankedDevices& c : cases) {
    const Solved one = solved_on(c, 1, PeerWay::host, device);
    const Solved found = solved_by_processes(c, ranks, device);
    const std::string difference = difference_of(found.outcome, one.outcome) + difference_of(found.u, one.u);
    if (first.empty() && !difference.empty()) first = name_of(c) + ": " + difference;
  }
  ranks.agree(first);
  if (ranks.rank() == 0) fmt::print("{} ranks: {} checks\n", ranks.count(), cases.size());
  return 0;
}

}  // namespace

// Argument: the module cfdmark_mpi.so.
int main(int, char** argv) {
  try {
    RankPatience patience;
    patience.limit = 60;
    const auto ranks = join_by_mpi(open_mpi(argv[1]), patience);
    set_process_rank(ranks.get());
    const int status = check(*ranks);
    set_process_rank(nullptr);
    return status;
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}
