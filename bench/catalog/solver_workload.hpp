// A solver as a workload: one step is one solve from the initial guess.
#pragma once

#include <memory>

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/workload.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

// Returns the problem of a workload (question_space). The last one is kept and shared by its cases.
std::shared_ptr<const LinearProblem> shared_problem(const Config& question, const Grid&);

std::unique_ptr<Workload> make_solver_workload(const SolverDescription&, const SolverMethod&, Backend&,
                                               Precision, const Grid&, const Config&, const Config& question);

}  // namespace cfdmark
