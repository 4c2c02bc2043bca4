#include "kernels/device/cuda/runtime/pinned_memory.hpp"

#include "kernels/device/cuda/runtime/cuda_check.hpp"

namespace cfdmark {

std::shared_ptr<void> pinned_memory(std::size_t bytes) {
  const DeviceWideTurn turn;
  void* p = nullptr;
  check_cuda(cudaHostAlloc(&p, bytes, cudaHostAllocPortable | cudaHostAllocMapped),
             "allocate pinned memory");
  return {p, [](void* q) {
            const DeviceWideTurn while_freeing;
            cudaFreeHost(q);
          }};
}

}  // namespace cfdmark
