// Files of --save: a flow with all that its next steps need, and a description of the solve.
#pragma once

#include <string>

#include "bench/solve/solve_case.hpp"
#include "solvers/flow/saved_flow.hpp"

namespace cfdmark {

// Replaces the file. Throws WriteError.
void write_saved_flow(const std::string& file, const SolveCase&, const FlowProblem&, const SavedFlow&);

// Reads a flow that was saved by a solve of the same problem, grid, body, solver, method, precision and
// settings. Backend, number of threads, end_time, tolerance, max_iterations and check_interval may differ.
// Throws std::invalid_argument with the file and the first difference, and if the file is damaged.
SavedFlow read_saved_flow(const std::string& file, const SolveCase&, const FlowProblem&);

}  // namespace cfdmark
