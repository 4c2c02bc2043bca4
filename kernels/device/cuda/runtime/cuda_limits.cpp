#include "kernels/device/cuda/runtime/cuda_limits.hpp"

#include "kernels/device/cuda/runtime/cuda.hpp"
#include "kernels/device/cuda/runtime/cuda_check.hpp"

namespace cfdmark {
namespace {

// Queries the device, because a table of architectures would not know future ones.
CudaLimits limits_of_first_device() {
  CudaLimits limits;
  if (!cuda_unavailable().empty()) return limits;
  const auto ask = [](cudaDeviceAttr which, int& value) {
    check_cuda(cudaDeviceGetAttribute(&value, which, 0), "query a device attribute");
  };
  ask(cudaDevAttrMultiProcessorCount, limits.multiprocessors);
  ask(cudaDevAttrMaxSharedMemoryPerBlockOptin, limits.shared_bytes);
  ask(cudaDevAttrL2CacheSize, limits.cache_bytes);
  return limits;
}

}  // namespace

const CudaLimits& cuda_limits() {
  static const CudaLimits limits = limits_of_first_device();
  return limits;
}

}  // namespace cfdmark
