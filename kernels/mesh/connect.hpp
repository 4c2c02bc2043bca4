// Faces and edges of a mesh, from its cells.
#pragma once

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// Sets faces, edges and their connections from nodes and cells. Inner faces are numbered by (lower, higher)
// cell, those of the boundary after them by cell; edges by their lower, then their higher node. Throws
// std::invalid_argument, naming the cells, if a face belongs to more than two cells, if two cells share a
// face in the same orientation, or if a cell names a node twice or one that does not exist.
void connect(Mesh&);

// Returns for each node of a 2-D mesh the faces that end there, reversed where it is their first node; for
// each edge of a 3-D mesh the faces around it, oriented as in Mesh::face_edges. These are the rows of the
// rotation.
Incidence faces_around(const Mesh&);

}  // namespace cfdmark
