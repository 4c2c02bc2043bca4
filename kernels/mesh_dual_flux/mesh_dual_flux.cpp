#include "kernels/mesh_dual_flux/mesh_dual_flux.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

MeshDescription<MeshDualFlux> MeshDualFlux::description() {
  return {.name = "mesh_dual_flux", .flops = [](int dims) { return dims == 3 ? 76.0 : 22.0; }};
}

MeshDescription<MeshNodeLaplacian> MeshNodeLaplacian::description() {
  return {.name = "mesh_node_laplacian", .flops = [](int dims) { return dims == 3 ? 98.0 : 33.0; }};
}

}  // namespace cfdmark
