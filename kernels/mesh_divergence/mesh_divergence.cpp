#include "kernels/mesh_divergence/mesh_divergence.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

MeshDescription<MeshDivergence> MeshDivergence::description() {
  return {.name = "mesh_divergence", .flops = [](int dims) { return double(dims + 1); }};
}

MeshDescription<MeshDivergenceByFaces> MeshDivergenceByFaces::description() {
  return {.name = "mesh_divergence", .flops = [](int) { return 2.0; }};
}

}  // namespace cfdmark
