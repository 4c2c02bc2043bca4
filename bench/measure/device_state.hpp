// What a GPU's own sensors say. The only file of this room that asks them.
#pragma once

#include <optional>
#include <string>

#include "bench/measure/energy.hpp"
#include "bench/record/json.hpp"
#include "kernels/backends/nvml.hpp"

namespace cfdmark {

// The `device_state` object of a record, read now; null where the backend's device has no sensors that we
// read.
Json device_state(const Backend&, const char* nvml = nvml_library);

// What others do on the GPU at this place: `load` of a GPU in the environment line. To be asked before this
// process, or a child of it, does anything there. Null where NVML does not tell.
Json device_load(const std::string& pci_bus_id, const char* nvml = nvml_library);
// "others are on this GPU: 2 processes, which hold 0.70 GB ..."; empty if nobody is.
std::string device_busy_text(const Json& load);

// The energy counter of the backend's GPU.
EnergyMeter device_energy_meter(const Backend&, const char* nvml = nvml_library);

// "580.65.06"; none without NVML. `pci_bus_id`: of any GPU.
std::optional<std::string> driver_version(const std::string& pci_bus_id);

}  // namespace cfdmark
