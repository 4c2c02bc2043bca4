// What a method may count on when it says where it is preferred, or chooses by the grid.
#pragma once

namespace cfdmark {

// Of the first CUDA device that can be used; a Hopper's where there is none.
struct CudaLimits {
  int multiprocessors = 132;
  int shared_bytes = 227 * 1024;  // the most that a block can have
  int cache_bytes = 50 << 20;     // of the last level
};
const CudaLimits& cuda_limits();

// The value of a setting that the grid and these choose.
inline constexpr const char* fit = "fit";

}  // namespace cfdmark
