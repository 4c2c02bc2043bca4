// The two cells of each face.
#pragma once

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// Returns for each half face (half_faces.hpp) the half face on the other side, -1 at the boundary. Throws as
// `connect` does.
std::vector<int> paired_half_faces(const Mesh&);

}  // namespace cfdmark
