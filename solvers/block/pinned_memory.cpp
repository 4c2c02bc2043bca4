#include "solvers/block/pinned_memory.hpp"

#include <cuda_runtime_api.h>

#include "kernels/device/cuda/runtime/cuda_check.hpp"

namespace cfdmark {

std::shared_ptr<void> pinned_host_memory(std::size_t bytes) {
  const DeviceWideTurn turn;
  void* memory = nullptr;
  check_cuda(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), "allocate pinned host memory");
  return {memory, [](void* p) {
            const DeviceWideTurn while_freeing;
            cudaFreeHost(p);
          }};
}

}  // namespace cfdmark
