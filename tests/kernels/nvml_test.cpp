#include "kernels/device/cuda/runtime/nvml.hpp"

#include "kernels/device/cuda/runtime/cuda.hpp"
#include "tests/catch.hpp"
#include "tests/without_device.hpp"

using namespace cfdmark;

TEST_CASE("without NVML no device is found", "[cuda]") {
  CHECK_FALSE(NvmlDevice::find("0000:18:00.0", "no_such_library.so").has_value());
}

TEST_CASE("NVML reports the requested device in SI units, and missing values stay empty", "[cuda]") {
  CHECK_FALSE(NvmlDevice::find("0000:99:00.0", CFDMARK_FAKE_NVML).has_value());
  const auto device = NvmlDevice::find("0000:18:00.0", CFDMARK_FAKE_NVML);
  REQUIRE(device.has_value());
  const NvmlState state = device->state();
  CHECK(state.sm_clock_mhz == 1980u);
  CHECK(state.memory_clock_mhz == 3201u);
  CHECK_FALSE(state.temperature_c.has_value());
  CHECK(state.power_w == 571.5);
  CHECK(state.throttle_reasons == std::vector<std::string>{"power cap", "thermal slowdown"});
  CHECK_FALSE(device->energy_joules().has_value());
  CHECK(device->driver_version() == "580.12.34");
}

TEST_CASE("NVML reports processes, load and used memory of a device as far as it knows them", "[cuda]") {
  const NvmlUse first = NvmlDevice::find("0000:18:00.0", CFDMARK_FAKE_NVML)->use(),
                second = NvmlDevice::find("0000:3b:00.0", CFDMARK_FAKE_NVML)->use();
  CHECK(first.processes == std::vector<unsigned>{4711, 4712});
  CHECK(first.busy_share == 0.97);
  CHECK_FALSE(first.used_bytes.has_value());
  CHECK(second.processes == std::vector<unsigned>{});
  CHECK(second.used_bytes == std::size_t(700'000'000));
}

TEST_CASE("NVML reports the NVLinks that two devices share, the path over PCIe, and the link to the host",
          "[cuda]") {
  const auto first = NvmlDevice::find("0000:18:00.0", CFDMARK_FAKE_NVML),
             second = NvmlDevice::find("0000:3b:00.0", CFDMARK_FAKE_NVML);
  CHECK(first->path_to(*second).nvlinks == 2);  // the fewer of the active ones
  CHECK(second->path_to(*first).nvlinks == 2);
  CHECK(first->path_to(*first).nvlinks == 0);  // the driver reports no NVLink between these
  CHECK(first->path_to(*second).pcie == "NUMA node");
  CHECK(first->pcie().generation == 5u);
  CHECK(first->pcie().width == 16u);
  CHECK_FALSE(second->pcie().generation.has_value());
}

TEST_CASE("the device in use has a temperature and an increasing energy counter", "[cuda][gpu]") {
  if (skipped_without_device()) return;
  const auto device = NvmlDevice::find(cuda_facts().pci_bus_id);
  if (!device) {
    WARN("skipped: no NVML");
    return;
  }
  CHECK(device->driver_version().has_value());
  CHECK(device->state().temperature_c.value_or(20) > 0);
  const double before = device->energy_joules().value_or(0);
  CHECK(before <= device->energy_joules().value_or(0));
}
