// Solves on several ranks.
#pragma once

#include <vector>

#include "bench/solve/solve.hpp"
#include "bench/solve/solve_case.hpp"

namespace cfdmark {

// Replaces the rows, which are those of one solver, by their rows on the ranks of a request, and returns
// these; none for one rank. Throws std::invalid_argument if they do not run on such ranks, or for options
// that ranks do not support.
std::vector<Row> put_on_ranks(const SolveRequest&, std::vector<const Row*>& rows);

// Throws std::invalid_argument if the case's method does not support ranks, or its grid cannot be parted so.
void check_parts(const SolveCase&);

}  // namespace cfdmark
