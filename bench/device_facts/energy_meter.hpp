// Energy counters of processors and GPUs, if the machine has them.
#pragma once

#include <functional>
#include <string>

#include "kernels/device/backend.hpp"

namespace cfdmark {

// A counter of the energy used since an arbitrary time.
struct EnergyMeter {
  std::string source;              // "nvml" or "powercap"
  std::function<double()> joules;  // never decreases; null without a counter
  double resolution = 0;           // seconds between two updates of the counter
  std::string reason;              // explains a missing counter
};

// Returns the energy meter of the processor that a backend's kernels run on.
EnergyMeter energy_meter(const Backend&);
// Returns the counters of the processor packages, from a folder laid out as /sys/class/powercap.
EnergyMeter powercap_meter(const std::string& folder = "/sys/class/powercap");

}  // namespace cfdmark
