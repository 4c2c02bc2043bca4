#include "kernels/mesh_integration/mesh_integration.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

MeshDescription<MeshIntegration> MeshIntegration::description() {
  return {.name = "mesh_integration", .flops = [](int dims) { return 6.0 * dims + 1; }};
}

}  // namespace cfdmark
