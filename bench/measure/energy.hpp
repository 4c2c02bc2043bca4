// Joules, from counters that some machines have.
#pragma once

#include <functional>
#include <string>

#include "bench/record/json.hpp"
#include "kernels/backends/backend.hpp"

namespace cfdmark {

// A counter of the energy used since some time past.
struct EnergyMeter {
  std::string source;              // "nvml" or "powercap"
  std::function<double()> joules;  // never less than the last time; null if there is none
  double resolution = 0;           // seconds between two updates of the counter
  std::string reason;              // why there is none
};

// The meter of the processor that a backend's kernels run on.
EnergyMeter energy_meter(const Backend&);
// Counters of the processor packages, in a folder laid out as /sys/class/powercap.
EnergyMeter powercap_meter(const std::string& folder = "/sys/class/powercap");

struct EnergyUse {
  Backend* backend;
  std::function<void()> step;
  std::function<void()> reset;  // before each step, not counted; null: steps run on
  double seconds_a_step;
};
// The `energy` object of a record: runs the step alone, for as long as the counter needs to tell.
Json measure_energy(const EnergyMeter&, const EnergyUse&);

}  // namespace cfdmark
