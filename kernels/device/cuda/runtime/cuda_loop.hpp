// Loops within CUDA graphs: conditional nodes whose condition is set by a kernel.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>

namespace cfdmark {

// Loops on one device, which must be current when these functions are called.
class CudaLoops {
 public:
  // Loads the kernel that sets conditions. Must precede a capture, during which code cannot be loaded.
  void load();
  // Adds to the graph being captured on a stream: `work`, repeated while *more in device memory is nonzero.
  // Requires load(). Throws std::runtime_error or what `work` throws; the outer capture stays valid.
  void record(cudaStream_t, const double* more, const std::function<void()>& work);

 private:
  void set_condition(cudaStream_t, cudaGraphConditionalHandle, const double* more) const;

  std::shared_ptr<CUlib_st> library_;
  cudaKernel_t set_condition_ = nullptr;
};

}  // namespace cfdmark
