#include "kernels/mesh_curl/mesh_curl.hpp"

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

MeshDescription<MeshCurl> MeshCurl::description() {
  return {.name = "mesh_curl", .flops = [](int dims) { return double(dims); }};
}

}  // namespace cfdmark
