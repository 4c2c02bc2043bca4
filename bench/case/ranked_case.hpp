// Cases on several ranks. Their config has the settings `ranks` and `partition`, and `join` unless the ranks
// are threads; that of a case on one rank has none of them, so that its name is that of a case without ranks.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "kernels/core/rank_setup.hpp"

namespace cfdmark {

// Returns the settings `ranks`, `partition` and `join`, which sweeps take as axes.
const std::vector<Setting>& rank_settings();

// Returns the partition of cases that name none: a word of PartShape::from, for meshes of mesh_cut_from.
std::string usual_partition(DomainKind);

// Returns the ranks of a config; one rank if it has no such settings.
RankSetup ranks_of(const Config&);
// Returns true if the ranks of a config are processes joined by MPI.
bool are_processes(const Config&);
// Returns the config with the ranks of another one; unchanged for one rank.
Config with_ranks(Config, const Config& of_ranks);
// Returns the settings of the method alone.
Config without_ranks(const Config&);

// Returns the largest number of ranks here: processors, or for processes the tasks of an allocation of Slurm
// if these are more.
int most_ranks(bool are_processes);

// Returns true if the row runs on the ranks of a config, supported or not: threads on the serial backend or
// on CUDA devices, processes on each backend.
bool runs_on_ranks(const Row&, const Config&);
// Returns a row on the ranks of a config. Each process has the memory of the whole problem, and by default an
// equal share of the host's threads.
Row row_on_ranks(const Row&, const Config&);

// Returns the row of a case on its ranks; for one rank the case's own.
std::shared_ptr<const Row> row_on_ranks(const Case&);
// Prepares a case on a device of its backend (Row::prepare), or in the processes of its ranks.
std::unique_ptr<Workload> prepare_workload(const Case&, Backend&);

// Why the processes of a case's ranks could not go on. `status` is that of the case: "crashed", "timeout" or
// "error".
struct RanksFailure : std::runtime_error {
  RanksFailure(std::string of_case, const std::string& reason)
      : std::runtime_error(reason), status(std::move(of_case)) {}
  std::string status;
};
// Sets the function that prepares a case in the processes of its ranks. Without one such cases cannot run.
void set_rank_processes(std::function<std::unique_ptr<Workload>(const Case&)>);

}  // namespace cfdmark
