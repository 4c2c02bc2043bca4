#include "kernels/device/cuda/runtime/peer_access.hpp"

#include <fmt/format.h>

#include "kernels/device/cuda/runtime/cuda_check.hpp"

namespace cfdmark {

std::string enable_peer_access(int device, int other) {
  int can = 0;
  check_cuda(cudaDeviceCanAccessPeer(&can, device, other), "query peer access");
  if (!can) return fmt::format("CUDA grants device {} no access to the memory of device {}", device, other);
  check_cuda(cudaSetDevice(device), "select the device");
  const DeviceWideTurn turn;
  const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();
  else
    check_cuda(status, "enable peer access");
  return "";
}

std::shared_ptr<void> pinned_memory(std::size_t bytes) {
  const DeviceWideTurn turn;
  void* p = nullptr;
  check_cuda(cudaHostAlloc(&p, bytes, cudaHostAllocPortable | cudaHostAllocMapped), "allocate pinned memory");
  return {p, [](void* q) {
            const DeviceWideTurn while_freeing;
            cudaFreeHost(q);
          }};
}

}  // namespace cfdmark
