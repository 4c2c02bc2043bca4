// What a tuned config is tuned for: a GPU, or a host with its cores.
#pragma once

#include <string>

#include "bench/record/json.hpp"
#include "kernels/backends/backend.hpp"

namespace cfdmark::tuning {

struct TuningDevice {
  std::string name;  // "NVIDIA H200"; "Intel(R) Xeon(R) Processor, 16 cores"
  std::string
      architecture;      // "compute capability 9.0"; "sapphirerapids+avx512f", what the program was built for
  std::string driver;    // of a GPU; empty for a host
  std::string compiler;  // "NVRTC 13.0"; "GNU 13.3.0 -O3 ..."

  // "nvidia-h200": names its file.
  std::string file_stem() const;
};

// From a description of the environment (environment.hpp). Throws std::runtime_error if it has no such
// device.
TuningDevice tuning_device(const Json& environment, DeviceId);

}  // namespace cfdmark::tuning
