#include "bench/measure/device_state.hpp"

#include <map>

#include "kernels/backends/built.hpp"

namespace cfdmark {
namespace {

// The sensors of the GPU at this place, found once; none for a host, which has no such place.
const std::optional<NvmlDevice>& sensors(const std::string& pci_bus_id, const char* library) {
  static std::map<std::pair<std::string, std::string>, std::optional<NvmlDevice>> known;
  const auto [found, is_new] = known.try_emplace({pci_bus_id, library});
  if constexpr (built_with_cuda)
    if (is_new && !pci_bus_id.empty()) found->second = NvmlDevice::find(pci_bus_id, library);
  return found->second;
}

template <class T>
void put(Json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

constexpr double energy_counter_seconds = 0.1;  // NVML's counter moves about every 20 to 100 ms

}  // namespace

Json device_state(const Backend& backend, const char* nvml) {
  const std::string bus = backend.pci_bus_id();
  const auto& gpu = sensors(bus, nvml);
  if (!gpu) return nullptr;
  const Json empty = Json::object();
  Json state = empty;
  if constexpr (built_with_cuda) {
    const NvmlState now = gpu->state();
    put(state, "sm_clock_mhz", now.sm_clock_mhz);
    put(state, "memory_clock_mhz", now.memory_clock_mhz);
    put(state, "temperature_c", now.temperature_c);
    put(state, "power_w", now.power_w);
    put(state, "throttle_reasons", now.throttle_reasons);
  }
  return state == empty ? Json(nullptr) : state;
}

EnergyMeter device_energy_meter(const Backend& backend, const char* nvml) {
  EnergyMeter meter;
  if constexpr (built_with_cuda) {
    const std::string bus = backend.pci_bus_id();
    const auto& gpu = sensors(bus, nvml);
    if (gpu && gpu->energy_joules()) {
      meter.source = "nvml";
      meter.resolution = energy_counter_seconds;
      meter.joules = [gpu = *gpu] { return gpu.energy_joules().value_or(0); };
      return meter;
    }
  }
  meter.reason = "NVML, which comes with the driver, gives no energy of this GPU";
  return meter;
}

std::optional<std::string> driver_version(const std::string& pci_bus_id) {
  if constexpr (built_with_cuda)
    if (const auto& gpu = sensors(pci_bus_id, nvml_library)) return gpu->driver_version();
  return std::nullopt;
}

}  // namespace cfdmark
