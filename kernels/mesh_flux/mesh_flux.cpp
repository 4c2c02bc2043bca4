#include "kernels/mesh_flux/mesh_flux.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

// Two states of 20 operations and their fluxes, the jump, and ten additions to cells.
MeshDescription<MeshFlux> MeshFlux::description() {
  return {.name = "mesh_flux", .flops = [](int dims) { return 100.0 + 10 * dims; }};
}

}  // namespace cfdmark
