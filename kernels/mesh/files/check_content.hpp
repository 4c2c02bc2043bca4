// Turns what a mesh file lists into a mesh, or refuses it.
#pragma once

#include "kernels/mesh/files/mesh_content.hpp"

namespace cfdmark {

// Returns the mesh of all tetrahedra, or of all triangles if there are no tetrahedra. Cells of negative
// volume are reversed and nodes of no cell dropped; both are counted in the result. Throws MeshFileError at
// the place of the element or node:
//
//   no_cells, too_large
//   not_planar           triangles whose nodes differ in z
//   repeated_node        an element names a node twice
//   zero_volume          |volume| is at most 8 eps times the longest edge cubed (area: squared)
//   duplicate_element    two elements of the same nodes
//   overlapping_cells    two cells on one side of a common face
//   non_manifold         a face of three cells or more
//   loose_face           an element of dimension dims - 1 that is not a face of a cell
//
// So every face of an accepted mesh has two cells on opposite sides, or belongs to the boundary. Therefore
// the boundary is closed.
MeshFile checked_mesh(MeshContent&&);

}  // namespace cfdmark
