#include "kernels/mesh_diffusion/mesh_diffusion.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

// A face has a difference and a product, and adds to two cells.
MeshDescription<MeshDiffusion> MeshDiffusion::description() {
  return {.name = "mesh_diffusion", .flops = [](int dims) { return 4.0 * dims; }};
}

MeshDescription<MeshCellLaplacian> MeshCellLaplacian::description() {
  return {.name = "mesh_cell_laplacian", .flops = [](int) { return 4.0; }};
}

MeshDescription<MeshConvection> MeshConvection::description() {
  return {.name = "mesh_convection", .flops = [](int dims) { return 2.0 + 7.0 * dims; }};
}

}  // namespace cfdmark
