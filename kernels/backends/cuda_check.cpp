#include "kernels/backends/cuda_check.hpp"

#include <fmt/format.h>

#include "kernels/backends/backend.hpp"

namespace cfdmark {

namespace {

// Whether an error only says that a graph is being recorded, while which nobody may wait for the device.
bool forbids_waiting(cudaError_t status) {
  return status >= cudaErrorStreamCaptureUnsupported && status <= cudaErrorStreamCaptureWrongThread;
}

}  // namespace

// Asking for the last error makes the runtime forget an ordinary one, such as a block that is too large. An
// error that has destroyed the context comes back whatever is asked next.
void check_cuda(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  std::string text =
      fmt::format("CUDA: {}: {} ({})", doing, cudaGetErrorString(status), cudaGetErrorName(status));
  cudaGetLastError();
  if (std::size_t free = 0, total = 0;
      status == cudaErrorMemoryAllocation && cudaMemGetInfo(&free, &total) == cudaSuccess)
    text += fmt::format(", {:.2f} GB of {:.2f} GB are free", double(free) / 1e9, double(total) / 1e9);
  const cudaError_t after = cudaDeviceSynchronize();
  if (after != cudaSuccess && !forbids_waiting(after))
    throw DeviceLost(text + "; the device is lost to this process");
  cudaGetLastError();
  throw std::runtime_error(text);
}

}  // namespace cfdmark
