// Turns what a mesh file lists into a mesh, or refuses it.
#pragma once

#include "kernels/mesh/files/mesh_content.hpp"

namespace cfdmark {

// Returns the mesh of all tetrahedra, or of all triangles if there are no tetrahedra. Cells of negative
// volume are reversed and nodes of no cell dropped; both are counted in the result. Throws MeshFileError at
// the place of the element or node:
// - no_cells, too_large
// - not_planar: triangles whose nodes differ in z
// - repeated_node, zero_volume: |volume| is at most rounding, 8 eps times the longest edge cubed (area:
// squared)
// - duplicate_element, overlapping_cells, non_manifold: two cells of the same nodes, two cells on one side of
// a
//   common face, a face of three cells or more. So every face that is left has two cells of opposite
//   orientation, or is of the boundary, and the boundary is closed.
// - loose_face: an element of dimension dims - 1 that is not a face of a cell.
MeshFile checked_mesh(MeshContent&&);

}  // namespace cfdmark
