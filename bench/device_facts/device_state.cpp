#include "bench/device_facts/device_state.hpp"

#include <fmt/format.h>

#include <map>

#include "kernels/device/built.hpp"

namespace cfdmark {
namespace {

// Returns the sensors of the GPU at this PCI address, looked up once; none for a host, whose address is
// empty.
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

// A process that has started a kernel holds more; the driver alone holds less.
constexpr std::size_t nobodys_bytes = std::size_t(256) << 20;

constexpr double energy_counter_seconds = 0.1;  // NVML updates its counter about every 20 to 100 ms

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
    // The list includes this process, under its own or its container's number. NVML may list no process
    // across containers, so an empty list is unknown rather than 0.
    if (const auto all = gpu->use().processes; all && !all->empty())
      state["other_processes"] = all->size() - 1;
  }
  return state == empty ? Json(nullptr) : state;
}

Json device_load(const std::string& pci_bus_id, const char* nvml) {
  Json load = Json::object();
  if constexpr (built_with_cuda) {
    const auto& gpu = sensors(pci_bus_id, nvml);
    if (!gpu) return nullptr;
    const NvmlUse use = gpu->use();
    const std::size_t processes = use.processes ? use.processes->size() : 0;
    if (use.processes) load["processes"] = processes;
    put(load, "busy_share", use.busy_share);
    put(load, "used_bytes", use.used_bytes);
    if (use.processes || use.used_bytes)
      load["busy"] = processes > 0 || use.used_bytes.value_or(0) > nobodys_bytes;
  }
  return load.empty() ? Json(nullptr) : load;
}

std::string device_busy_text(const Json& load) {
  if (!load.is_object() || !load.value("busy", false)) return "";
  std::string text = "other processes use this GPU:";
  if (const int count = load.value("processes", 0); count > 0)
    text += fmt::format(" {} process{},", count, count > 1 ? "es" : "");
  if (load.contains("used_bytes"))
    text += fmt::format(" {:.2f} GB of its memory in use,", load["used_bytes"].get<double>() / 1e9);
  if (load.contains("busy_share"))
    text += fmt::format(" busy for {:.0f} % of the last second,", 100 * load["busy_share"].get<double>());
  text.back() = ';';
  return text + " times may be longer and vary more than on an idle GPU";
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
  meter.reason = "NVML, a part of the driver, reports no energy for this GPU";
  return meter;
}

std::optional<std::string> driver_version(const std::string& pci_bus_id) {
  if constexpr (built_with_cuda)
    if (const auto& gpu = sensors(pci_bus_id, nvml_library)) return gpu->driver_version();
  return std::nullopt;
}

}  // namespace cfdmark
