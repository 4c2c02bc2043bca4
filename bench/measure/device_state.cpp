#include "bench/measure/device_state.hpp"

#include "kernels/backends/built.hpp"
#include "kernels/backends/cuda.hpp"
#include "kernels/backends/nvml.hpp"

namespace cfdmark {
namespace {

// The GPU in use, found once. Kokkos with a CUDA device uses the same one.
const std::optional<NvmlDevice>& gpu() {
  static const std::optional<NvmlDevice> device = []() -> std::optional<NvmlDevice> {
    if constexpr (built_with_cuda)
      if (cuda_unavailable().empty()) return NvmlDevice::find(cuda_facts().pci_bus_id);
    return std::nullopt;
  }();
  return device;
}

template <class T>
void put(Json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

constexpr double energy_counter_seconds = 0.1;  // NVML's counter moves about every 20 to 100 ms

}  // namespace

Json device_state(const Backend& backend) {
  if (backend.host_accessible() || !gpu()) return nullptr;
  const Json empty = Json::object();
  Json state = empty;
  if constexpr (built_with_cuda) {
    const NvmlState now = gpu()->state();
    put(state, "sm_clock_mhz", now.sm_clock_mhz);
    put(state, "memory_clock_mhz", now.memory_clock_mhz);
    put(state, "temperature_c", now.temperature_c);
    put(state, "power_w", now.power_w);
    put(state, "throttle_reasons", now.throttle_reasons);
  }
  return state == empty ? Json(nullptr) : state;
}

EnergyMeter device_energy_meter() {
  EnergyMeter meter;
  if constexpr (built_with_cuda) {
    if (gpu() && gpu()->energy_joules()) {
      meter.source = "nvml";
      meter.resolution = energy_counter_seconds;
      meter.joules = [] { return gpu()->energy_joules().value_or(0); };
      return meter;
    }
  }
  meter.reason = "NVML, which comes with the driver, gives no energy of this GPU";
  return meter;
}

std::optional<std::string> driver_version() {
  if constexpr (built_with_cuda)
    if (gpu()) return gpu()->driver_version();
  return std::nullopt;
}

}  // namespace cfdmark
