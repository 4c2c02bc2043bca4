#include "kernels/mesh_rotation/mesh_rotation.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

// An inner node has about 6 faces, an edge of tetrahedra about 5.
MeshDescription<MeshRotation> MeshRotation::description() {
  return {.name = "mesh_rotation", .flops = [](int dims) { return dims == 3 ? 5.0 : 6.0; }};
}

}  // namespace cfdmark
