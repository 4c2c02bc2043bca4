#include "kernels/mesh_gradient/mesh_gradient.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

MeshDescription<MeshGradient> MeshGradient::description() {
  return {.name = "mesh_gradient", .flops = [](int) { return 1.0; }};
}

}  // namespace cfdmark
