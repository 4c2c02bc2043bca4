// The flow solvers in the catalog.
#pragma once

#include <vector>

#include "bench/catalog/catalog.hpp"
#include "solvers/flow/table.hpp"

namespace cfdmark {

// The flow of a question, the last one asked for: shared by the cases on it.
std::shared_ptr<const FlowProblem> shared_flow(const Config& question, const Grid&);

// What is published of a flow that such a config left at this time: of flows at rest nothing where it asked
// for an end in time, and of heat nothing where eddies carried some.
std::vector<PublishedValue> comparable_values(const FlowProblem&, const Config&, double time);

// The method of a row. The row is of a flow solver.
FlowMethod flow_method_of(const Row&);

// A row for each flow solver, backend, precision and method.
void add_flow_rows(std::vector<Row>&);

}  // namespace cfdmark
