// A solver as a workload: one step is one solve from the initial guess.
#pragma once

#include <memory>

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/workload.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

// The problem last asked for, shared by the cases on it.
std::shared_ptr<const LinearProblem> shared_problem(const ProblemDescription&, const Grid&);

std::unique_ptr<Workload> make_solver_workload(const SolverDescription&, const SolverMethod&, Backend&,
                                               Precision, const Grid&, const Config&, const SolveRequest&);

}  // namespace cfdmark
