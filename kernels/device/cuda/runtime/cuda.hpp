// An NVIDIA GPU. Nothing here needs a driver, and code that includes this file needs no CUDA header.
#pragma once

#include <string>

#include "kernels/device/backend.hpp"

namespace cfdmark {

// Returns the number of devices visible through CUDA_VISIBLE_DEVICES; 0 without a driver.
int cuda_device_count();
// Returns why CUDA kernels cannot run on a device (no toolkit at build time, no driver, no device), or an
// empty string.
std::string cuda_unavailable(int device = 0);
// Returns the backend of a device, starting it on first use. Throws std::runtime_error if that fails.
Backend& cuda_backend(int device = 0);
// Returns a further backend of a device, with streams of its own (new_queue). Throws likewise.
std::unique_ptr<Backend> new_cuda_backend(int device = 0);

struct CudaFacts {
  std::string name;          // "NVIDIA H200"
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::size_t memory_bytes = 0, l2_bytes = 0;
  std::string driver;      // highest CUDA version that the driver supports, "13.0"
  std::string toolkit;     // version of the runtime, "13.0"
  std::string pci_bus_id;  // "0000:18:00.0", as NvmlDevice::find expects it
  std::string uuid;        // 32 hexadecimal digits, unique to the device; empty if not reported
  std::string compiler,
      compiler_options;  // of its device code: "NVRTC 13.0", "--gpu-architecture=sm_90 ..."
};
// Returns the properties of a device without starting it. Throws std::runtime_error with cuda_unavailable()
// if there is none.
CudaFacts cuda_facts(int device = 0);

// Returns the target of a device's code. Throws std::runtime_error with cuda_unavailable() if there is none.
std::string cuda_architecture(
    int device = 0);  // "sm_90", or the newest architecture of its generation that NVRTC knows

std::string cublas_version();  // "13.0.2"; empty if built without

}  // namespace cfdmark
