// Joules, from counters that some machines have.
#pragma once

#include <functional>
#include <string>

#include "bench/measure/measure.hpp"
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

// The `energy` object of a record: runs the step, of known length, alone for as long as the counter needs to
// tell, if that is no more than `most_seconds`. Resets are not counted.
Json measure_energy(const EnergyMeter&, const Timed&, double most_seconds);

}  // namespace cfdmark
