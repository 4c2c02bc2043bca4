// Levels of multigrid whose cells are parted between ranks. Coarse points are the fine ones of odd index, so
// with cuts at even cells each rank has the coarse points of its part, and the rules of the whole domain hold
// for a part. Fine levels stay parted. From the first level on that is too small for that, each rank has the
// whole grid and repeats the cycle below it: the results of all levels have the bits of one rank.
#pragma once

#include <optional>
#include <vector>

#include "kernels/grid_transfer/grid_transfer.hpp"
#include "solvers/linear/system/operations.hpp"
#include "solvers/linear/system/rank_levels.hpp"

namespace cfdmark {

// Returns the partition of the coarse grid of a parted system; nothing if each rank takes the whole grid:
// fewer than gather_cells cells a rank, a part of one cell along a cut, or, if `next` coarsens the coarse
// grid, a cut at an odd cell. Throws std::invalid_argument if the system's own cuts are at odd cells.
std::optional<Partition> coarse_parts(const System&, const Coarsening&, const Coarsening& next,
                                      const Config&);
// Returns the partition of the coarse grid, whatever its size.
Partition all_coarse_parts(const System&, const Coarsening&);

// Returns a rank's part of an operator of the whole domain. Only at the domain's own upper sides can its last
// cells be nearer to the boundary.
Operator operator_of_part(const Operator& of_domain, const Partition&, int rank);

// Returns operations that compute the arrays of the coarse operator of a rank's part from the arrays of the
// system, with the bits of operator_coarsening on the whole domain. `coarse_a`: arrays of the rank's coarse
// points.
std::vector<Operation> coarsen_part(const System&, const Operator& coarse_a, const Coarsening&,
                                    const Config&);

}  // namespace cfdmark
