// Flips of edges in a mesh of triangles.
#pragma once

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// Exchanges the diagonal of two neighbouring triangles wherever a node lies inside the circle through the
// other triangle's nodes, until there is no such pair (C. L. Lawson: Software for C1 surface interpolation,
// 1977). Ties to rounding stay. Needs nodes and cells only and keeps the counts of all
// entities; connections are not updated. Throws std::invalid_argument as `connect` does, and
// std::runtime_error if it does not end within 100 flips per cell.
void flip_to_delaunay(Mesh&);

}  // namespace cfdmark
