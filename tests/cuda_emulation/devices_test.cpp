// A machine with two CUDA devices, both emulated: choice of the device, and its records, ceilings and
// sensors.
#include <algorithm>
#include <cstring>

#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/device_choice.hpp"
#include "bench/catalog/kernel_fields.hpp"
#include "bench/catalog/limits.hpp"
#include "bench/device_facts/device_state.hpp"
#include "bench/measure/make_record.hpp"
#include "bench/measure/prepared_case.hpp"
#include "bench/measure/roof.hpp"
#include "bench/record/environment.hpp"
#include "bench/tuned/device.hpp"
#include "bench/worker/messages.hpp"
#include "kernels/device/backends/stand_in_devices.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"

using namespace cfdmark;

namespace {

// A small device, so that a ceiling is measured on few cells.
class SmallDevice final : public EmulatedCuda {
 public:
  SmallDevice(int index, std::string bus) : EmulatedCuda(index), bus_(std::move(bus)) {}
  std::string pci_bus_id() const override { return bus_; }
  void* allocate(std::size_t bytes) override {
    ++allocations;
    return EmulatedCuda::allocate(bytes);
  }
  std::size_t free_memory() const override { return free; }
  int allocations = 0;
  std::size_t free = 100'000;

 private:
  std::string bus_;
};

struct TwoDevices {
  SmallDevice first{0, "0000:18:00.0"}, second{1, "0000:3b:00.0"};
  StandInDevices stand_in{BackendKind::cuda, {&first, &second}};
  ~TwoDevices() { release_kept_kernel_fields(); }
};

Case jacobi_on(int device) {
  for (const Row& row : catalog())
    if (row.name == "jacobi" && row.backend == BackendKind::cuda && row.method == "plain" &&
        row.precision == Precision::fp64) {
      Case c;
      c.row = &row, c.domain = Grid{37, 29}, c.config = row.space.defaults(), c.device = device;
      return c;
    }
  throw std::logic_error("the catalog has no jacobi on cuda");
}

Json roof_entry(int device, double bytes_per_second) {
  return {{"backend", "cuda"},        {"device", device},  {"precision", "fp64"},
          {"config", Json::object()}, {"kernel", "triad"}, {"bytes_per_second", bytes_per_second}};
}

CaseResult one_second() {
  CaseResult result;
  result.samples.emplace_back(6, 1.0);
  return result;
}

}  // namespace

TEST_CASE("each device is a backend of its own, and a missing device is an error that lists the others",
          "[cuda]") {
  {
    const TwoDevices two;
    CHECK(device_count(BackendKind::cuda) == 2);
    CHECK(&backend(BackendKind::cuda) == &two.first);
    CHECK(&backend({BackendKind::cuda, 1}) == &two.second);
    CHECK(backend({BackendKind::cuda, 1}).id() == DeviceId(BackendKind::cuda, 1));
    CHECK(unavailable_reason({BackendKind::cuda, 1}) == "");
    CHECK(unavailable_reason({BackendKind::cuda, 2}) == "unknown cuda device 2: use 0 to 1");
    CHECK_THROWS_WITH(backend({BackendKind::cuda, 2}), ContainsSubstring("use 0 to 1"));
    CHECK_THROWS_WITH(backend({BackendKind::serial, 1}), ContainsSubstring("the only device is 0"));
    CHECK(to_string(DeviceId(BackendKind::cuda)) == "cuda");
    CHECK(to_string(DeviceId(BackendKind::cuda, 1)) == "cuda:1");
  }
  CHECK(device_count(BackendKind::cuda) == (cuda_unavailable().empty() ? cuda_device_count() : 0));
  CHECK(device_count(BackendKind::serial) == 1);
}

TEST_CASE("methods of one step and of several share fields on a device, which another problem replaces",
          "[cuda]") {
  TwoDevices two;
  const auto fields_of = [](CudaBackend& on, const std::string& method, const Grid& grid) {
    for (const Row& row : catalog())
      if (row.name == "red_black_sor" && row.backend == BackendKind::cuda && row.method == method &&
          row.precision == Precision::fp64)
        return std::weak_ptr<const KernelFields>(
            row.prepare(on, grid, row.space.defaults(), workload_of(row))->kernel_fields());
    throw std::logic_error("red_black_sor on cuda has no method " + method);
  };
  const auto one_step = fields_of(two.first, "plain", {37, 29});
  REQUIRE_FALSE(one_step.expired());
  CHECK(fields_of(two.first, "tiled", {37, 29}).lock() == one_step.lock());
  CHECK(fields_of(two.first, "plain", {37, 29}).lock() == one_step.lock());
  CHECK(kept_kernel_fields_now().fields.lock() == one_step.lock());
  const auto larger = fields_of(two.first, "plain", {38, 29});
  CHECK(one_step.expired());
  const auto elsewhere = fields_of(two.second, "plain", {38, 29});
  CHECK(larger.expired());
  CHECK(kept_kernel_fields_now().on == &two.second);
  release_kept_kernel_fields();
  CHECK(elsewhere.expired());
  CHECK(kept_kernel_fields_now().on == nullptr);
}

TEST_CASE("blocks that wait for each other but are not all resident are refused before fields are allocated",
          "[cuda]") {
  TwoDevices two;  // 8 blocks are resident
  for (const Row& row : catalog())
    if (row.name == "red_black_sor" && row.backend == BackendKind::cuda && row.method == "persistent" &&
        row.precision == Precision::fp64) {
      const auto prepare = [&](const Grid& g) {
        return row.prepare(two.first, g, row.space.defaults(), workload_of(row));
      };
      CHECK_NOTHROW(prepare({40, 40}));
      two.first.allocations = 0;
      CHECK_THROWS_WITH(prepare({4000, 40}), ContainsSubstring("the device holds 8 at once"));
      CHECK(two.first.allocations == 0);
    }
}

TEST_CASE("a case runs on its device, which its name and record state", "[cuda]") {
  TwoDevices two;
  const Json environment = {{"id", "e"}, {"roofs", {roof_entry(0, 1e9), roof_entry(1, 2e9)}}};
  for (int device : {0, 1}) {
    const Case c = jacobi_on(device);
    const std::string start =
        device == 0 ? "jacobi/cuda/fp64/plain@37x29:" : "jacobi/cuda:1/fp64/plain@37x29:";
    CHECK(case_name(c).starts_with(start));
    two.first.allocations = two.second.allocations = 0;
    PreparedCase ready(c, true, [](Stage) {});
    CHECK(ready.passed());
    CHECK((two.first.allocations > 0) == (device == 0));
    CHECK((two.second.allocations > 0) == (device == 1));
    CaseResult result = one_second();
    ready.complete(result);
    const Json record = to_json(make_record(c, std::move(result), environment));
    CHECK(record["backend"] == "cuda");
    CHECK(record["device"] == Json({{"kind", "cuda"},
                                    {"index", device},
                                    {"pci_bus_id", device == 0 ? "0000:18:00.0" : "0000:3b:00.0"}}));
    CHECK(record["roof"]["bytes_per_second"] == (device == 0 ? 1e9 : 2e9));
  }
}

TEST_CASE("cases of one problem on one device share fields, and other cases have their own", "[cuda]") {
  TwoDevices two;
  const auto prepared = [](Case c) { return std::make_unique<PreparedCase>(c, true, [](Stage) {}); };
  const auto allocations = [&](SmallDevice& device, const Case& c) {
    device.allocations = 0;
    CHECK(prepared(c)->passed());
    return device.allocations;
  };
  Case c = jacobi_on(0), same = c, other_grid = c;
  same.config = c.row->space.corners().front();
  other_grid.domain = Grid{36, 29};
  CHECK(allocations(two.first, c) > 0);
  CHECK(allocations(two.first, same) == 0);
  CHECK(allocations(two.second, jacobi_on(1)) > 0);
  CHECK(allocations(two.first, c) > 0);  // one problem is kept
  const auto beside = prepared(c);
  CHECK(allocations(two.first, other_grid) > 0);
  CHECK(beside->passed());
  CHECK(allocations(two.first, c) > 0);
}

TEST_CASE("a case message to the worker includes the device, and so does the key of a ceiling", "[cuda]") {
  const TwoDevices two;
  Json request;
  set_cases(request, {jacobi_on(1)}, own_rows());
  const Case back = cases_from_request(request, catalog(), own_rows()).at(0);
  CHECK(back.device == 1);
  CHECK(case_name(back) == case_name(jacobi_on(1)));
  const RoofKey key = roof_key(jacobi_on(1));
  CHECK(roof_name(key) == "cuda:1/fp64");
  CHECK(roof_key_from_message(to_message(key)) == key);
  CHECK_FALSE(roof_key(jacobi_on(0)) == key);
}

TEST_CASE("a ceiling is measured on its device and found for that device only", "[cuda]") {
  TwoDevices two;
  const RoofKey second{{BackendKind::cuda, 1}, Precision::fp64, {}};
  const Json roofs = measure_roof(second);
  CHECK(two.first.allocations == 0);
  CHECK(two.second.allocations > 0);
  REQUIRE(roofs.size() == 2);
  for (const Json& roof : roofs) CHECK(roof["device"] == 1);
  const auto rate = [](const Json& roof) { return roof["bytes_per_second"].get<double>(); };
  CHECK(rate(find_roof(roofs, second)) == std::max(rate(roofs[0]), rate(roofs[1])));  // copy and triad
  CHECK(find_roof(roofs, {BackendKind::cuda, Precision::fp64, {}}).is_null());
}

TEST_CASE("sensors and the energy meter belong to the device", "[cuda]") {
  const TwoDevices two;
  const Json first = device_state(two.first, CFDMARK_FAKE_NVML),
             second = device_state(two.second, CFDMARK_FAKE_NVML);
  CHECK(first["power_w"] == 571.5);
  CHECK(first["throttle_reasons"] == Json({"power cap", "thermal slowdown"}));
  CHECK(second["power_w"] == 300.0);
  CHECK(second["throttle_reasons"] == Json::array());
  CHECK_FALSE(second.contains("sm_clock_mhz"));
  CHECK(device_state(backend(BackendKind::serial), CFDMARK_FAKE_NVML).is_null());
  CHECK(first["other_processes"] == 1);  // two processes are listed, one of which is this one
  CHECK_FALSE(second.contains("other_processes"));
  CHECK(device_energy_meter(two.first, CFDMARK_FAKE_NVML).joules == nullptr);
  const EnergyMeter meter = device_energy_meter(two.second, CFDMARK_FAKE_NVML);
  CHECK(meter.source == "nvml");
  const double before = meter.joules();
  CHECK(meter.joules() - before == Approx(1.5));
}

TEST_CASE("the load of a device is reported if processes are listed or memory is in use", "[cuda]") {
  const Json first = device_load("0000:18:00.0", CFDMARK_FAKE_NVML),
             second = device_load("0000:3b:00.0", CFDMARK_FAKE_NVML);
  CHECK(first == Json({{"processes", 2}, {"busy_share", 0.97}, {"busy", true}}));
  CHECK(second ==
        Json({{"processes", 0}, {"busy_share", 0.03}, {"used_bytes", 700'000'000}, {"busy", true}}));
  CHECK_THAT(device_busy_text(first), ContainsSubstring("2 processes, busy for 97 % of the last second; "));
  CHECK_THAT(device_busy_text(second), ContainsSubstring(": 0.70 GB of its memory in use, busy for 3 %"));
  CHECK(device_busy_text({{"busy", false}, {"processes", 0}, {"used_bytes", 1000}}).empty());
  CHECK(device_busy_text(nullptr).empty());
  CHECK(device_load("0000:99:00.0", CFDMARK_FAKE_NVML).is_null());
  CHECK(device_load("0000:18:00.0", "no_such_library.so").is_null());
}

TEST_CASE("option --device must name an existing device, and cases must support it", "[cuda]") {
  CHECK(chosen_device(BackendKind::cuda, {}) == DeviceId(BackendKind::cuda));  // even if there is none
  if (cuda_device_count() < 2) {
    CHECK_THROWS_AS(chosen_device(BackendKind::cuda, 1), std::invalid_argument);
    CHECK_THROWS_WITH(
        chosen_device(BackendKind::cuda, 1),
        ContainsSubstring("--device 1: ") && ContainsSubstring(unavailable_reason({BackendKind::cuda, 1})));
  }
  const TwoDevices two;
  CHECK(chosen_device(BackendKind::cuda, 1) == DeviceId(BackendKind::cuda, 1));
  CHECK_THROWS_WITH(chosen_device(BackendKind::cuda, 2),
                    ContainsSubstring("--device 2: unknown cuda device 2: use 0 to 1"));
  CHECK_THROWS_WITH(chosen_device(BackendKind::openmp, 1), ContainsSubstring("--device 1"));

  Case serial = jacobi_on(0);
  for (const Row& row : catalog())
    if (row.name == "jacobi" && row.backend == BackendKind::serial) serial.row = &row;
  std::vector<Case> cases = {serial, jacobi_on(0)};
  use_device(cases, {});
  CHECK(cases[1].device == 0);
  use_device(cases, 1);
  CHECK(cases[0].device == 0);
  CHECK(cases[1].device == 1);
  CHECK_THROWS_WITH(use_device(cases, 0), ContainsSubstring("devices"));
  std::vector<Case> none = {serial};
  CHECK_THROWS_WITH(use_device(none, 1), ContainsSubstring("no case on cuda"));
}

TEST_CASE("a case on a missing device does not run and lists the devices there are", "[cuda]") {
  const TwoDevices two;
  Row row = *jacobi_on(0).row;
  row.unavailable.clear();  // as with a driver present
  Case c = jacobi_on(2);
  c.row = &row;
  CHECK(why_not_run(c, std::size_t(1) << 40) == "unknown cuda device 2: use 0 to 1");
  c.device = 1;
  CHECK(why_not_run(c, std::size_t(1) << 40) == "");
}

TEST_CASE("the environment lists all devices if there are several, and tuning uses a name for each",
          "[cuda]") {
  const CudaFacts big{"Big GPU",      9,   0,       132,           80, 50, "13.0", "13.0",
                      "0000:18:00.0", "1", "NVRTC", "--fmad=false"},
      small{"Small GPU", 8, 6, 46, 8, 4, "13.0", "13.0", "0000:3b:00.0", "2", "NVRTC", "--fmad=false"};
  Json one, both, none;
  describe_gpus(one, {big}, "");
  describe_gpus(both, {big, small}, "");
  describe_gpus(none, {}, "no driver");
  CHECK(one["gpu"]["name"] == "Big GPU");
  CHECK_FALSE(one.contains("gpus"));
  CHECK(none == Json({{"gpu", {{"reason", "no driver"}}}}));
  CHECK(both["gpu"] == one["gpu"]);
  REQUIRE(both["gpus"].size() == 2);
  CHECK(both["gpus"][1]["index"] == 1);
  CHECK(both["gpus"][1]["identity"] != both["gpus"][0]["identity"]);
  CHECK(both["gpus"][1]["compiler_options"] == "--fmad=false");
  CHECK(both["gpus"][1]["pci_bus_id"] == "0000:3b:00.0");
  CHECK(tuning::tuning_device(both, BackendKind::cuda).name == "Big GPU");
  CHECK(tuning::tuning_device(both, {BackendKind::cuda, 1}).architecture == "compute capability 8.6");
  CHECK_THROWS_WITH(tuning::tuning_device(one, {BackendKind::cuda, 1}), ContainsSubstring("no GPU 1"));
}

TEST_CASE("one thread can alternate between two devices", "[cuda][gpu]") {
  if (cuda_device_count() < 2) {
    WARN("skipped: " << (cuda_unavailable().empty() ? "one device" : cuda_unavailable()));
    return;
  }
  const Case cases[] = {jacobi_on(0), jacobi_on(1)};
  const PreparedCase first(cases[0], true, [](Stage) {}), second(cases[1], true, [](Stage) {});
  CHECK(first.passed());
  CHECK(second.passed());
  for (int n = 0; n < 10; ++n)
    for (const PreparedCase* ready : {&first, &second}) {
      const TimedStep timed = ready->timed();
      CHECK(timed.backend->seconds(timed.step) > 0);
    }
  CHECK(cuda_facts(0).pci_bus_id != cuda_facts(1).pci_bus_id);
}
