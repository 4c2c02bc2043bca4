#include "kernels/mesh_step/mesh_step.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

MeshDescription<MeshMomentum> MeshMomentum::description() {
  return {.name = "mesh_momentum", .flops = [](int dims) { return 6.0 * dims + 5; }};
}

MeshDescription<MeshCorrection> MeshCorrection::description() {
  return {.name = "mesh_correction", .flops = [](int) { return 3.0; }};
}

// An inner node has about 6 faces, an edge of tetrahedra about 5.
MeshDescription<MeshInnerRotation> MeshInnerRotation::description() {
  return {.name = "mesh_inner_rotation", .flops = [](int dims) { return dims == 3 ? 6.0 : 7.0; }};
}

}  // namespace cfdmark
