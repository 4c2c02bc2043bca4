// How the cells of a mesh file meet at their faces.
#pragma once

#include "kernels/mesh/files/mesh_content.hpp"

namespace cfdmark {

// Throws MeshFileError, at the later of the elements in the file: duplicate_element, overlapping_cells,
// non_manifold, loose_face (see checked_mesh). `cells` must have positive volumes and distinct nodes; `faces`
// are the boundary elements.
void check_faces(const MeshContent&, const ElementList& cells, const ElementList& faces);

}  // namespace cfdmark
