// Converts CUDA status codes to exceptions. For host code that includes the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

namespace cfdmark {

// Throws std::runtime_error with CUDA's message and the operation, or DeviceLost if the device does not
// recover.
void check_cuda(cudaError_t status, const char* doing);

}  // namespace cfdmark
