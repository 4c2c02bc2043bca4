// Faces and edges of a mesh, from its cells.
#pragma once

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// Sets faces, edges and their connections from nodes and cells. Inner faces are numbered by (lower, higher)
// cell, those of the boundary after them by cell; edges by their lower, then their higher node. The normal of
// an inner face leaves its lower cell. An edge leads from its lower node to its higher. Face i of a cell is
// opposite its node i. The result does not depend on the number of threads.
//
// Throws std::invalid_argument, naming the cells counted from 0, if a face belongs to more than two cells, if
// two cells share a face in the same orientation, or if a cell names a node twice or one that does not exist;
// and if the mesh is too large for 32-bit numbers.
void connect(Mesh&);

// Returns for each face of each cell the cell on its other side, -1 at the boundary: dims + 1 per cell. Reads
// nodes and cells only. Throws as `connect` does.
std::vector<int> cell_neighbours(const Mesh&);

// Returns for each node of a 2-D mesh the faces that end there, reversed where it is their first node; for
// each edge of a 3-D mesh the faces around it, oriented as in Mesh::face_edges. These are the rows of the
// rotation. Each list is in ascending order of faces.
Incidence faces_around(const Mesh&);

}  // namespace cfdmark
