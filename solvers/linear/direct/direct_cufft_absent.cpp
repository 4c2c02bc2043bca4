// Replaces direct_cufft.cpp in a build without cuFFT.
#include "kernels/device/built.hpp"
#include "solvers/linear/direct/direct.hpp"

namespace cfdmark {

// In a build without CUDA the catalog gives the reason.
std::vector<DirectLibrary> cufft_library(BackendKind kind) {
  if (kind != BackendKind::cuda || !built_with_cuda) return {};
  return {{"cufft", {}, nullptr, "built without cuFFT"}};
}
std::string cufft_library_version() { return ""; }

}  // namespace cfdmark
