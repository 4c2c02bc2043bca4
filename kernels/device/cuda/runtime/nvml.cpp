#include "kernels/device/cuda/runtime/nvml.hpp"

#include <algorithm>

#include "kernels/device/shared_library.hpp"

namespace cfdmark {
namespace {

// The required declarations of NVML's C interface, since few installations have its header.
using Status = int;
constexpr Status success = 0;
using Device = void*;
enum Clock { sm_clock = 1, memory_clock = 2 };
constexpr int gpu_sensor = 0;

using Init = Status();
using GetDevice = Status(const char* pci_bus_id, Device*);
using GetDriver = Status(char* text, unsigned size);
using GetClock = Status(Device, int clock, unsigned* mhz);
using GetTemperature = Status(Device, int sensor, unsigned* celsius);
using GetPower = Status(Device, unsigned* milliwatts);
using GetLongLong = Status(Device, unsigned long long*);
using GetNumber = Status(Device, unsigned*);
using GetLinkState = Status(Device, unsigned link, int* is_active);
using GetPeerStatus = Status(Device, Device, int of, int* status);
using GetAncestor = Status(Device, Device, int* level);
constexpr int peer_by_nvlink = 2, peer_is_ok = 0;
constexpr unsigned most_nvlinks = 36;  // the library refuses numbers that a device does not have

struct Process {  // version 2 and 3 of the call
  unsigned id;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
};
using GetProcesses = Status(Device, unsigned* count, Process*);
constexpr unsigned most_processes = 256;

struct Utilization {
  unsigned percent_kernels, percent_memory;
};
using GetUtilization = Status(Device, Utilization*);

struct Memory {  // version 2 of the structure
  unsigned version = sizeof(Memory) | 2u << 24;
  unsigned long long total = 0, reserved = 0, free = 0, used = 0;
};
using GetMemory = Status(Device, Memory*);

struct Reason {
  unsigned long long bit;
  const char* words;
};
// Idle clocks and clocks set on purpose do not count as throttling.
constexpr Reason reasons[] = {
    {0x004, "power cap"},        {0x008, "hardware slowdown"},         {0x010, "sync boost"},
    {0x020, "thermal slowdown"}, {0x040, "hardware thermal slowdown"}, {0x080, "power brake"}};

struct Ancestor {
  int level;
  const char* words;
};
constexpr Ancestor ancestors[] = {{0, "board"},        {10, "PCIe switch"}, {20, "PCIe switches"},
                                  {30, "host bridge"}, {40, "NUMA node"},   {50, "sockets"}};

// Calls an NVML function that stores its answer in `value`. Returns nothing if the function is missing or
// fails.
template <class T, class F, class... Inputs>
std::optional<T> ask(F* function, Inputs... inputs) {
  T value{};
  if (function && function(inputs..., &value) == success) return value;
  return std::nullopt;
}

std::vector<std::string> words_of(unsigned long long bits) {
  std::vector<std::string> words;
  for (const Reason& r : reasons)
    if (bits & r.bit) words.push_back(r.words);
  return words;
}

}  // namespace

struct NvmlDevice::Library {
  explicit Library(const char* name) : functions({name}) {}
  Library(const Library&) = delete;
  ~Library() {
    if (started)
      if (auto* shut_down = function<Init>("nvmlShutdown")) shut_down();
  }
  template <class F>
  F* function(const char* name) const {
    return functions.find<F>(name);
  }
  bool start() {
    auto* init = function<Init>("nvmlInit_v2");
    return started = init && init() == success;
  }

  SharedLibrary functions;
  bool started = false;
};

std::optional<NvmlDevice> NvmlDevice::find(const std::string& pci_bus_id, const char* name) {
  std::shared_ptr<Library> library;
  try {
    library = std::make_shared<Library>(name);
  } catch (const LibraryMissing&) {
    return std::nullopt;
  }
  if (!library->start()) return std::nullopt;
  const auto handle =
      ask<Device>(library->function<GetDevice>("nvmlDeviceGetHandleByPciBusId_v2"), pci_bus_id.c_str());
  if (!handle) return std::nullopt;
  NvmlDevice device;
  device.library_ = library;
  device.handle_ = *handle;
  return device;
}

NvmlState NvmlDevice::state() const {
  NvmlState state;
  auto* clock = library_->function<GetClock>("nvmlDeviceGetClockInfo");
  state.sm_clock_mhz = ask<unsigned>(clock, handle_, sm_clock);
  state.memory_clock_mhz = ask<unsigned>(clock, handle_, memory_clock);
  state.temperature_c =
      ask<unsigned>(library_->function<GetTemperature>("nvmlDeviceGetTemperature"), handle_, gpu_sensor);
  if (const auto power = ask<unsigned>(library_->function<GetPower>("nvmlDeviceGetPowerUsage"), handle_))
    state.power_w = *power / 1e3;
  auto* throttle = library_->function<GetLongLong>("nvmlDeviceGetCurrentClocksThrottleReasons");
  if (const auto bits = ask<unsigned long long>(throttle, handle_)) state.throttle_reasons = words_of(*bits);
  return state;
}

NvmlUse NvmlDevice::use() const {
  NvmlUse use;
  auto* list = library_->function<GetProcesses>("nvmlDeviceGetComputeRunningProcesses_v3");
  if (!list) list = library_->function<GetProcesses>("nvmlDeviceGetComputeRunningProcesses_v2");
  std::vector<Process> found(most_processes);
  if (unsigned count = most_processes; list && list(handle_, &count, found.data()) == success) {
    use.processes.emplace();
    for (unsigned n = 0; n < count; ++n) use.processes->push_back(found[n].id);
  }
  if (const auto share =
          ask<Utilization>(library_->function<GetUtilization>("nvmlDeviceGetUtilizationRates"), handle_))
    use.busy_share = share->percent_kernels / 100.0;
  if (const auto memory = ask<Memory>(library_->function<GetMemory>("nvmlDeviceGetMemoryInfo_v2"), handle_))
    use.used_bytes = memory->used;
  return use;
}

std::optional<double> NvmlDevice::energy_joules() const {
  const auto millijoules = ask<unsigned long long>(
      library_->function<GetLongLong>("nvmlDeviceGetTotalEnergyConsumption"), handle_);
  if (!millijoules) return std::nullopt;
  return double(*millijoules) / 1e3;
}

std::optional<std::string> NvmlDevice::driver_version() const {
  char text[96] = {};
  auto* get = library_->function<GetDriver>("nvmlSystemGetDriverVersion");
  if (!get || get(text, sizeof text) != success) return std::nullopt;
  return text;
}

int NvmlDevice::active_nvlinks() const {
  auto* state = library_->function<GetLinkState>("nvmlDeviceGetNvLinkState");
  int active = 0;
  for (unsigned link = 0; link < most_nvlinks; ++link)
    active += ask<int>(state, handle_, link).value_or(0) != 0;
  return active;
}

// Behind a switch each end has links to the switch alone, so NVML decides whether NVLink joins the two.
NvmlPath NvmlDevice::path_to(const NvmlDevice& other) const {
  NvmlPath path;
  auto* peers = library_->function<GetPeerStatus>("nvmlDeviceGetP2PStatus");
  if (ask<int>(peers, handle_, other.handle_, peer_by_nvlink) == peer_is_ok)
    path.nvlinks = std::min(active_nvlinks(), other.active_nvlinks());
  auto* common = library_->function<GetAncestor>("nvmlDeviceGetTopologyCommonAncestor");
  const auto level = ask<int>(common, handle_, other.handle_);
  for (const Ancestor& a : ancestors)
    if (level == a.level) path.pcie = a.words;
  return path;
}

NvmlPcie NvmlDevice::pcie() const {
  return {ask<unsigned>(library_->function<GetNumber>("nvmlDeviceGetMaxPcieLinkGeneration"), handle_),
          ask<unsigned>(library_->function<GetNumber>("nvmlDeviceGetMaxPcieLinkWidth"), handle_)};
}

}  // namespace cfdmark
