// Copies between the host's memory and a device by way of two pinned buffers. For host code that includes the
// CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace cfdmark {

// While one buffer is on its way all cores fill, or empty, the other. A driver does that with one core: a
// field of 512 MB takes it some 0.15 s (results/lab_book.md).
class CudaStaging {
 public:
  CudaStaging() = default;
  CudaStaging(const CudaStaging&) = delete;
  CudaStaging& operator=(const CudaStaging&) = delete;
  ~CudaStaging();

  // From so many bytes on it is worth it.
  static constexpr std::size_t least_bytes = std::size_t(8) << 20;

  // Both return when all is there. Throw std::runtime_error if a copy fails, or no pinned memory is left.
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
