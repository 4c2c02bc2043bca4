#include "kernels/backends/cuda_check.hpp"

#include <fmt/format.h>

#include "kernels/backends/backend.hpp"

namespace cfdmark {

// Asking for the last error makes the runtime forget an ordinary one, such as a block that is too large. An
// error that has destroyed the context comes back whatever is asked next.
void check_cuda(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  const std::string text =
      fmt::format("CUDA: {}: {} ({})", doing, cudaGetErrorString(status), cudaGetErrorName(status));
  cudaGetLastError();
  if (cudaDeviceSynchronize() != cudaSuccess) throw DeviceLost(text + "; the device is lost to this process");
  throw std::runtime_error(text);
}

}  // namespace cfdmark
