// The flow solvers in the catalog.
#pragma once

#include <vector>

#include "bench/case/row.hpp"
#include "solvers/flow/table.hpp"

namespace cfdmark {

// Returns the flow problem of a workload. The last one is kept and shared by its cases.
std::shared_ptr<const FlowProblem> shared_flow(const Config& workload, const Grid&);

// Returns the published values that a solution at this time can be compared with. Excludes steady values if
// the config has an end time, and Nusselt numbers if it has an eddy viscosity.
std::vector<PublishedValue> comparable_values(const FlowProblem&, const Config&, double time);

// Returns the method of a row of a flow solver.
FlowMethod flow_method_of(const Row&);

// Adds a row per flow solver, backend, precision and method.
void add_flow_rows(std::vector<Row>&);

}  // namespace cfdmark
