// Parts of a linear problem for ranks.
#pragma once

#include "kernels/core/partition.hpp"
#include "solvers/problems/problem.hpp"

namespace cfdmark {

// Returns the box of a field on a grid, with this field's layers of ghosts around it.
HostField cut_from(const HostField& whole, const CellBox&, const Grid& local);

// Returns a rank's part of a problem: its own cells, and ghosts with the values of the whole problem.
LinearProblem part_of(const LinearProblem& whole, const Partition&, int rank);

}  // namespace cfdmark
