#include "kernels/mesh_poisson/mesh_poisson.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

// Those of mesh_node_laplacian, and two products a node.
MeshDescription<MeshPoisson> MeshPoisson::description() {
  return {.name = "mesh_poisson", .flops = [](int dims) { return dims == 3 ? 106.0 : 39.0; }};
}

}  // namespace cfdmark
