// An NVIDIA GPU. Nothing here needs a driver to start, and host code that includes this needs no CUDA header.
#pragma once

#include <string>

#include "kernels/backends/backend.hpp"

namespace cfdmark {

// Of those that CUDA_VISIBLE_DEVICES shows; 0 if there is no driver.
int cuda_device_count();
// Why no CUDA kernel can run on a device: built without the toolkit, no driver, no device.
std::string cuda_unavailable(int device = 0);
Backend& cuda_backend(int device = 0);

struct CudaFacts {
  std::string name;          // "NVIDIA H200"
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::size_t memory_bytes = 0, l2_bytes = 0;
  std::string driver;      // highest CUDA version the driver serves, "13.0"
  std::string toolkit;     // version of the runtime, "13.0"
  std::string pci_bus_id;  // "0000:18:00.0", as NvmlDevice::find wants it
  std::string uuid;        // 32 hexadecimal digits: no other device has them; empty if it tells none
  std::string compiler,
      compiler_options;  // of device code for it: "NVRTC 13.0", "--gpu-architecture=sm_90 ..."
};
// Does not start the device. Throws std::runtime_error with cuda_unavailable() if there is none.
CudaFacts cuda_facts(int device = 0);

std::string cuda_architecture(
    int device = 0);  // "sm_90": what device code for it is compiled for; throws likewise

std::string cublas_version();  // "13.0.2"; empty if built without

}  // namespace cfdmark
