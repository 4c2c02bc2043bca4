// Loops within CUDA graphs: conditional nodes, whose condition a kernel sets.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>

namespace cfdmark {

// Of one device, which is the current one whenever these are called.
class CudaLoops {
 public:
  // Loads the code that sets conditions, which a recording does not wait for.
  void load();
  // Into the graph that is being recorded on a stream: `work`, repeated for as long as *more, on the
  // device, is not 0. After load(). Throws std::runtime_error, and what `work` throws; the recording goes on.
  void record(cudaStream_t, const double* more, const std::function<void()>& work);

 private:
  void set_condition(cudaStream_t, cudaGraphConditionalHandle, const double* more) const;

  std::shared_ptr<CUlib_st> library_;
  cudaKernel_t set_condition_ = nullptr;
};

}  // namespace cfdmark
