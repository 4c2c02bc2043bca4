// From CUDA's status codes to exceptions. For host code that includes the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

namespace cfdmark {

// Throws std::runtime_error with CUDA's text and what was being done; DeviceLost if the device does not
// recover.
void check_cuda(cudaError_t status, const char* doing);

}  // namespace cfdmark
