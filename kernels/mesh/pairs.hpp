// The two cells of each face.
#pragma once

#include <vector>

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// Returns for each half face (half_faces.hpp) the half face on the other side, -1 at the boundary. Throws as
// `connect` does.
std::vector<int> paired_half_faces(const Mesh&);

// Throws as `connect` does if cells do not have dims + 1 different nodes each that exist, or are too many.
void check_node_numbers(const Mesh&);

}  // namespace cfdmark
