#include "kernels/mesh_boundary/mesh_boundary.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

MeshDescription<MeshBoundary> MeshBoundary::description() {
  return {.name = "mesh_boundary", .flops = [](int) { return 2.0; }};
}

}  // namespace cfdmark
