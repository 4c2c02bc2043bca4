// Converts CUDA status codes to exceptions. For host code that includes the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>

namespace cfdmark {

// A turn at the calls that concern a whole device: captures, waits for the device, allocating, freeing,
// loading and unloading code. CUDA forbids waiting for a device while any thread captures a stream on it, and
// such a wait invalidates the capture (CUDA C++ Programming Guide, "Prohibited and Unhandled Operations").
// Turns of one thread may nest. No call of a timed step takes one.
class DeviceWideTurn {
 public:
  DeviceWideTurn() : lock_(mutex()) {}

 private:
  static std::recursive_mutex& mutex();

  std::lock_guard<std::recursive_mutex> lock_;
};

// Throws std::runtime_error with CUDA's message and the operation, or DeviceLost if the device does not
// recover.
void check_cuda(cudaError_t status, const char* doing);

}  // namespace cfdmark
