// Replaces ginkgo.cpp in a build without Ginkgo.
#include "solvers/linear/libraries/ginkgo.hpp"

#include "kernels/device/built.hpp"

namespace cfdmark {

std::vector<SolverMethod> ginkgo_methods(BackendKind kind) {
  // In a build without CUDA the catalog gives the reason.
  if (kind == BackendKind::kokkos || (kind == BackendKind::cuda && !built_with_cuda)) return {};
  return {missing_method("amg_cg", "built without Ginkgo"), missing_method("cg", "built without Ginkgo")};
}
std::string ginkgo_version() { return ""; }

}  // namespace cfdmark
