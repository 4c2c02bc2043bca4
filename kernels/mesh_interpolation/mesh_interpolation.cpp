#include "kernels/mesh_interpolation/mesh_interpolation.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

MeshDescription<MeshInterpolation> MeshInterpolation::description() {
  return {.name = "mesh_interpolation", .flops = [](int dims) { return 3.0 * dims * (dims + 1) + dims; }};
}

}  // namespace cfdmark
