// A solver as a workload: one step is one solve from the initial guess.
#pragma once

#include <memory>

#include "bench/case/row.hpp"
#include "bench/case/workload.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

// Returns the problem of a workload (workload_space). The last one is kept and shared by its cases.
std::shared_ptr<const LinearProblem> shared_problem(const Config& workload, const Grid&);

std::unique_ptr<Workload> make_solver_workload(const SolverDescription&, const SolverMethod&, Backend&,
                                               Precision, const Grid&, const Config&, const Config& workload);

}  // namespace cfdmark
