// Device state from NVML that CUDA does not report: clocks, temperature, power, energy and processes. The
// library comes with the driver and is opened at run time. Values that it cannot supply are empty.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cfdmark {

inline constexpr const char* nvml_library = "libnvidia-ml.so.1";

// Present clocks, temperature and power of a device.
struct NvmlState {
  std::optional<unsigned> sm_clock_mhz, memory_clock_mhz, temperature_c;
  std::optional<double> power_w;
  // "power cap", "thermal slowdown" ..; empty if clocks are not throttled
  std::optional<std::vector<std::string>> throttle_reasons;
};

// Use of a device by processes. Process numbers are the driver's and can differ from those inside a
// container.
struct NvmlUse {
  // processes with a CUDA context there, including this one if it uses the device
  std::optional<std::vector<unsigned>> processes;
  std::optional<double> busy_share;       // share of about the last second in which any kernel ran, 0 to 1
  std::optional<std::size_t> used_bytes;  // without the driver's own memory
};

// How a device is connected to another one.
struct NvmlPath {
  int nvlinks = 0;   // active NVLinks between them, direct or through switches
  std::string pcie;  // what a path over PCIe crosses, such as "host bridge"; empty if unknown
};

// The PCIe link between a device and the host, at its fastest.
struct NvmlPcie {
  std::optional<unsigned> generation, width;  // width in lanes
};

class NvmlDevice {
 public:
  // Returns the device at a PCI address such as "0000:18:00.0"; nothing if NVML is missing or does not know
  // it.
  static std::optional<NvmlDevice> find(const std::string& pci_bus_id, const char* library = nvml_library);

  NvmlState state() const;
  NvmlUse use() const;
  std::optional<double> energy_joules() const;  // since the driver was loaded
  std::optional<std::string> driver_version() const;
  NvmlPath path_to(const NvmlDevice& other) const;
  NvmlPcie pcie() const;

 private:
  struct Library;
  int active_nvlinks() const;

  std::shared_ptr<const Library> library_;
  void* handle_ = nullptr;
};

}  // namespace cfdmark
