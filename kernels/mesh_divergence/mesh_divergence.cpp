#include "kernels/mesh_divergence/mesh_divergence.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

MeshDescription<MeshDivergence> MeshDivergence::description() {
  return {.name = "mesh_divergence", .flops = [](int dims) { return double(dims + 1); }};
}

}  // namespace cfdmark
