// A solve of a linear system or a flow on several ranks.
#pragma once

#include "bench/solve/solve.hpp"
#include "bench/solve/solve_case.hpp"
#include "solvers/base/prepared_solve.hpp"

namespace cfdmark {

// Throws std::invalid_argument if a request on ranks has a backend on which they do not run, another family
// than linear systems and flows, or options that ranks do not support.
void check_ranks(const SolveRequest&, const Row& of_solver);

// Returns the default method of the rows, which are those of one solver, that supports the case on ranks: the
// first that is preferred, else the first.
// Throws std::invalid_argument with the reason if there is none.
const Row& first_row_on_ranks(const std::vector<const Row*>& rows, const SolveCase&);

// Throws std::invalid_argument if the case's method does not support ranks, or its grid cannot be parted so.
void check_parts(const SolveCase&);

// Prepares the case on its ranks. Throws std::invalid_argument if its method does not support ranks, or its
// grid cannot be parted so.
std::unique_ptr<PreparedSolve> prepare_on_ranks(const SolveCase&, std::shared_ptr<const Problem>);

}  // namespace cfdmark
