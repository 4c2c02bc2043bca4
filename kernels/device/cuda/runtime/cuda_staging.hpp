// Copies between pageable host memory and a device through two pinned buffers. For host code that includes
// the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace cfdmark {

// While one buffer is being transferred, all cores fill or empty the other. The driver's own staging uses one
// core, which limits the copy rate of large fields.
class CudaStaging {
 public:
  CudaStaging() = default;
  CudaStaging(const CudaStaging&) = delete;
  CudaStaging& operator=(const CudaStaging&) = delete;
  ~CudaStaging();

  // Smallest copy, in bytes, for which staging pays.
  static constexpr std::size_t least_bytes = std::size_t(8) << 20;

  // Both return when the copy is complete. They throw std::runtime_error if a copy or the allocation of
  // pinned memory fails.
  void upload(void* to, const void* from, std::size_t bytes, cudaStream_t);
  void download(void* to, const void* from, std::size_t bytes, cudaStream_t);

 private:
  static constexpr std::size_t buffer_bytes = std::size_t(32) << 20;
  struct Part;

  void start();
  Part part(int n, std::size_t bytes) const;
  void wait(int buffer) const;

  void* buffers_[2] = {};
  cudaEvent_t copied_[2] = {};
};

}  // namespace cfdmark
