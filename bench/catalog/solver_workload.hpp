// A solver as a workload: one step is one solve from the initial guess.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/case/row.hpp"
#include "bench/case/workload.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

// Returns the problem of a workload (workload_space). The last one is kept and shared by its cases.
std::shared_ptr<const LinearProblem> shared_problem(const Config& workload, const Grid&);

// What tuned tables hold for the kernels of multigrid's levels. Both are empty where a config does not ask
// for it.
struct LevelLookup {
  LevelConfigs configs;
  std::function<nlohmann::json()> found;  // what was looked up so far (results/README.md, `level_configs`)
};
// Sets how a solver finds what is tuned for its levels. Called once, by a process that loads tuned tables,
// before it prepares a case; without it `level_blocks=tuned` is an error.
void set_level_lookup(std::function<LevelLookup(const Config&, DeviceId)>);

std::unique_ptr<Workload> make_solver_workload(const SolverDescription&, const SolverMethod&, Backend&,
                                               Precision, const Grid&, const Config&, const Config& workload);

}  // namespace cfdmark
