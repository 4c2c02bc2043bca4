// The solvers of all families as rows of the catalog.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/case/row.hpp"
#include "solvers/base/level_configs.hpp"

namespace cfdmark {

// Returns the problem of a workload of a family's solver. The last one is kept and shared by its cases.
std::shared_ptr<const Problem> shared_problem(const Family&, const Domain&, const Config& workload);

// Tuned configs of the kernels of multigrid's levels. Both members are empty unless the config has
// level_blocks=tuned.
struct LevelLookup {
  LevelConfigs configs;
  std::function<nlohmann::json()> found;  // look-ups so far (results/README.md, `level_configs`)
};
// Sets the look-up of these configs. A process that loads tuned tables calls it once, before it prepares a
// case. Without it `level_blocks=tuned` is an error.
void set_level_lookup(std::function<LevelLookup(const Config&, DeviceId)>);

// Adds a row per solver, backend, precision and method of every family. A backend or precision that is not
// built gets one row a solver, which states the reason.
void add_solver_rows(std::vector<Row>&);

}  // namespace cfdmark
