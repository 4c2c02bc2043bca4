// A replacement for NVML with two devices. The first reports no energy, the second no clocks; the function
// for temperature is missing. The first lists two processes without their memory; the second is in use but
// lists none, as inside a container. Two of the first one's three NVLinks are active, all four of the second.
#include <cstring>

namespace {
struct FakeDevice {
  const char* bus;
  bool has_clocks, has_energy;
  unsigned long long millijoules;  // increase with each query
} devices[] = {{"0000:18:00.0", true, false, 0}, {"0000:3b:00.0", false, true, 5'000'000}};

constexpr int not_supported = 3, not_found = 6, insufficient_size = 7, version_mismatch = 25;
}  // namespace

extern "C" {
int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  for (FakeDevice& d : devices)
    if (std::strcmp(bus, d.bus) == 0) {
      *device = &d;
      return 0;
    }
  return not_found;
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::strncpy(text, "580.12.34", size);
  return 0;
}
int nvmlDeviceGetClockInfo(void* device, int clock, unsigned* mhz) {
  *mhz = clock == 1 ? 1980 : 3201;
  return static_cast<FakeDevice*>(device)->has_clocks ? 0 : not_supported;
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  *milliwatts = device == devices ? 571500 : 300000;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* bits) {
  *bits = device == devices ? 0x1 | 0x4 | 0x20 : 0;  // idle, power cap, thermal
  return 0;
}
struct Process {
  unsigned id;
  unsigned long long bytes;
  unsigned instances[2];
};
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, Process* processes) {
  const unsigned found = device == devices ? 2 : 0;
  if (*count < found) return insufficient_size;
  *count = found;
  if (found > 0) processes[0] = {4711, 1u << 30, {}}, processes[1] = {4712, 1u << 29, {}};
  return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, unsigned* percents) {
  percents[0] = device == devices ? 97 : 3, percents[1] = 50;
  return 0;
}
struct Memory {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
int nvmlDeviceGetMemoryInfo_v2(void* device, Memory* memory) {
  if (memory->version != (sizeof(Memory) | 2u << 24)) return version_mismatch;
  memory->used = 700'000'000;
  return device == devices ? not_supported : 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
  auto& d = *static_cast<FakeDevice*>(device);
  *millijoules = d.millijoules += 1500;
  return d.has_energy ? 0 : not_supported;
}
int nvmlDeviceGetNvLinkState(void* device, unsigned link, int* is_active) {
  if (link >= (device == devices ? 3u : 4u)) return 2;
  *is_active = device != devices || link != 1;
  return 0;
}
int nvmlDeviceGetP2PStatus(void* first, void* second, int of, int* status) {
  *status = first != second && of == 2 ? 0 : 6;
  return 0;
}
int nvmlDeviceGetTopologyCommonAncestor(void*, void*, int* level) {
  *level = 40;
  return 0;
}
int nvmlDeviceGetMaxPcieLinkGeneration(void* device, unsigned* generation) {
  *generation = 5;
  return device == devices ? 0 : not_supported;
}
int nvmlDeviceGetMaxPcieLinkWidth(void*, unsigned* width) {
  *width = 16;
  return 0;
}
}
