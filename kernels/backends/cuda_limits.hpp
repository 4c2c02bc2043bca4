// What a method may count on when it says where it is preferred.
#pragma once

namespace cfdmark {

// Of the first CUDA device that can be used; a Hopper's where there is none.
struct CudaLimits {
  int multiprocessors = 132;
  int shared_bytes = 227 * 1024;  // the most that a block can have
};
const CudaLimits& cuda_limits();

}  // namespace cfdmark
