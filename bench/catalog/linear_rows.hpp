// The linear solvers as rows of the catalog.
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

// Return the solver and the method of a row of a linear solver.
const SolverDescription& solver_of(const Row&);
SolverMethod solver_method_of(const Row&);

// Tuned configs of the kernels of multigrid's levels. Both members are empty unless the config has
// level_blocks=tuned.
struct LevelLookup {
  LevelConfigs configs;
  std::function<nlohmann::json()> found;  // look-ups so far (results/README.md, `level_configs`)
};
// Sets the look-up of these configs. A process that loads tuned tables calls it once, before it prepares a
// case. Without it `level_blocks=tuned` is an error.
void set_level_lookup(std::function<LevelLookup(const Config&, DeviceId)>);

void add_linear_rows(std::vector<Row>&);

}  // namespace cfdmark
