// Device limits that methods use to choose defaults and to fit launch shapes to the grid.
#pragma once

namespace cfdmark {

// Limits of the first usable CUDA device; those of an H200 if there is none.
struct CudaLimits {
  int multiprocessors = 132;
  int shared_bytes = 227 * 1024;  // maximum shared memory of a block
  int cache_bytes = 50 << 20;     // last-level cache
};
const CudaLimits& cuda_limits();

// The setting value that lets the grid and these limits decide.
inline constexpr const char* fit = "fit";

}  // namespace cfdmark
