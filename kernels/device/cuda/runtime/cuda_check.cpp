#include "kernels/device/cuda/runtime/cuda_check.hpp"

#include <fmt/format.h>

#include "kernels/device/backend.hpp"

namespace cfdmark {

namespace {

// Returns true for errors that only mean that a graph is being captured, when waiting is not allowed.
bool forbids_waiting(cudaError_t status) {
  return status >= cudaErrorStreamCaptureUnsupported && status <= cudaErrorStreamCaptureWrongThread;
}

}  // namespace

// Never destroyed: memory released at exit still takes turns.
std::recursive_mutex& DeviceWideTurn::mutex() {
  static std::recursive_mutex& instance = *new std::recursive_mutex;
  return instance;
}

// cudaGetLastError() clears an ordinary error, such as a block that is too large. An error that has destroyed
// the context is returned by every later call, which identifies a lost device.
void check_cuda(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  std::string text =
      fmt::format("CUDA: {}: {} ({})", doing, cudaGetErrorString(status), cudaGetErrorName(status));
  cudaGetLastError();
  if (std::size_t free = 0, total = 0;
      status == cudaErrorMemoryAllocation && cudaMemGetInfo(&free, &total) == cudaSuccess)
    text += fmt::format(", {:.2f} GB of {:.2f} GB are free", double(free) / 1e9, double(total) / 1e9);
  const DeviceWideTurn turn;
  const cudaError_t after = cudaDeviceSynchronize();
  if (after != cudaSuccess && !forbids_waiting(after))
    throw DeviceLost(text + "; the device is lost to this process");
  cudaGetLastError();
  throw std::runtime_error(text);
}

}  // namespace cfdmark
