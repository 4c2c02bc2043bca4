// What NVML knows of a device that CUDA does not: clocks, temperature, power, energy, and who uses it. The
// library comes with the driver and is opened when asked for; where it, or one of its answers, is missing
// there is no value.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cfdmark {

inline constexpr const char* nvml_library = "libnvidia-ml.so.1";

struct NvmlState {
  std::optional<unsigned> sm_clock_mhz, memory_clock_mhz, temperature_c;
  std::optional<double> power_w;
  // "power cap", "thermal slowdown" ..; empty if the clocks are free
  std::optional<std::vector<std::string>> throttle_reasons;
};

// Who is on a device. Numbers of processes are the driver's: within a container others may be known by them.
struct NvmlUse {
  // that can start kernels there, this one among them once it uses the device
  std::optional<std::vector<unsigned>> processes;
  std::optional<double> busy_share;       // of about the last second, in which any kernel ran
  std::optional<std::size_t> used_bytes;  // without what the driver keeps for itself
};

class NvmlDevice {
 public:
  // The device at "0000:18:00.0". None without NVML, or if NVML does not know it.
  static std::optional<NvmlDevice> find(const std::string& pci_bus_id, const char* library = nvml_library);

  NvmlState state() const;
  NvmlUse use() const;
  std::optional<double> energy_joules() const;  // since the driver was loaded
  std::optional<std::string> driver_version() const;

 private:
  struct Library;
  std::shared_ptr<const Library> library_;
  void* handle_ = nullptr;
};

}  // namespace cfdmark
