// True distances from cells to the surface of an immersed body.
#pragma once

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Returns the WallDistances (kernels/core/wall_distances.hpp) of each fluid cell next to the body of a box,
// by bisection between its centre and that of the body's cell. Other cells have the code 0. `faces`:
// CellFaces of all cells and ghosts.
HostField distances_to_body(const Grid&, const FlowBox&, const HostField& faces);

}  // namespace cfdmark
