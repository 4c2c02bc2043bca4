#include "kernels/device/cuda/jit/cuda_sources.hpp"

namespace cfdmark {
namespace {

std::vector<CudaSource>& all_sources() {
  static std::vector<CudaSource> sources = embedded_cuda_sources();
  return sources;
}

}  // namespace

const std::vector<CudaSource>& cuda_sources() { return all_sources(); }

void add_cuda_sources(const std::vector<CudaSource>& more) {
  all_sources().insert(all_sources().end(), more.begin(), more.end());
}

}  // namespace cfdmark
