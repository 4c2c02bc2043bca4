// The device that a config is tuned for. It is a GPU, or a host with its cores.
#pragma once

#include <string>

#include "bench/text/json.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark::tuning {

struct TuningDevice {
  std::string name;  // "NVIDIA H200"; "Intel(R) Xeon(R) Processor, 16 cores"
  std::string
      architecture;      // "compute capability 9.0"; "sapphirerapids+avx512f", what the program was built for
  std::string driver;    // GPU driver; empty for a host
  std::string compiler;  // "NVRTC 13.0"; "GNU 13.3.0 -O3 ..."

  // Returns the name of its folder, such as "nvidia-h200".
  std::string file_stem() const;
};

// Returns the device from an environment line (environment.hpp). Throws std::runtime_error if it has no such
// device.
TuningDevice tuning_device(const Json& environment, DeviceId);

}  // namespace cfdmark::tuning
