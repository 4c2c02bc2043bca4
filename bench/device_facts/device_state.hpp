// Sensors of a GPU. The only file of this folder that reads them.
#pragma once

#include <optional>
#include <string>

#include "bench/device_facts/energy_meter.hpp"
#include "bench/text/json.hpp"
#include "kernels/device/cuda/runtime/nvml.hpp"

namespace cfdmark {

// Returns the `device_state` object of a record, read now; null if the device has no sensors that we read.
Json device_state(const Backend&, const char* nvml = nvml_library);

// Returns the use of a GPU by other processes: `load` in the environment line. Must be called before this
// process or a child of it uses the GPU. Null if NVML reports nothing.
Json device_load(const std::string& pci_bus_id, const char* nvml = nvml_library);
// Returns a warning such as "other processes use this GPU: 2 processes, ..."; empty if the GPU is free.
std::string device_busy_text(const Json& load);

// Returns the energy counter of the backend's GPU.
EnergyMeter device_energy_meter(const Backend&, const char* nvml = nvml_library);

// Returns a version such as "580.65.06"; none without NVML. `pci_bus_id` may be that of any GPU.
std::optional<std::string> driver_version(const std::string& pci_bus_id);

}  // namespace cfdmark
