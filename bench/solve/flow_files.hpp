// Pictures and files of a solved flow.
#pragma once

#include "bench/solve/solve_case.hpp"
#include "solvers/flow/table.hpp"

namespace cfdmark {

// The iteration and all residuals, at each check.
using ResidualHistory = std::vector<std::pair<int, std::vector<NamedValue>>>;

// Writes the requested files, prints their names and the marked vortices, and returns the exit status.
// `means`: time means for the VTK file; null: none.
int write_flow_files(const SolveCase&, const FlowProblem&, const Outcome&, const ResidualHistory&,
                     const FlowFields&, const FlowFields* means = nullptr);

}  // namespace cfdmark
