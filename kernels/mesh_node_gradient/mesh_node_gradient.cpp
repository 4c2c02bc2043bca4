#include "kernels/mesh_node_gradient/mesh_node_gradient.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

MeshDescription<MeshNodeGradient> MeshNodeGradient::description() {
  return {.name = "mesh_node_gradient", .flops = [](int dims) { return dims == 3 ? 70.0 : 18.0; }};
}

}  // namespace cfdmark
