// A solver as a workload: one step is one solve from the initial guess.
#pragma once

#include <memory>

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/workload.hpp"
#include "solvers/table.hpp"

namespace cfdmark {

// The problem last asked for, shared by the cases on it.
std::shared_ptr<const LinearProblem> shared_problem(ProblemKind, const Grid&);

std::unique_ptr<Workload> make_solver_workload(const SolverDescription&, const std::string& method, Backend&,
                                               Precision, const Grid&, const Config&, const SolveRequest&);

}  // namespace cfdmark
