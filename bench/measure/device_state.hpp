// What a GPU's own sensors say. The only file of this room that asks them.
#pragma once

#include <optional>
#include <string>

#include "bench/measure/energy.hpp"
#include "bench/record/json.hpp"

namespace cfdmark {

// The `device_state` object of a record, read now; null where the backend's device has no sensors that we
// read.
Json device_state(const Backend&);

// The energy counter of the GPU in use.
EnergyMeter device_energy_meter();

// "580.65.06"; none without NVML.
std::optional<std::string> driver_version();

}  // namespace cfdmark
