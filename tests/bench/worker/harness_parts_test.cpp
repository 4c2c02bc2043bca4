// Smaller parts of the harness.
#include <fmt/format.h>

#include <fstream>
#include <map>

#include "bench/case/case_filter.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "bench/device_facts/machine.hpp"
#include "bench/measure/ceilings.hpp"
#include "bench/measure/energy.hpp"
#include "bench/measure/step_ceilings.hpp"
#include "bench/record/environment.hpp"
#include "bench/record/record.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/worker/budget.hpp"
#include "bench/worker/program.hpp"
#include "bench/worker/progress.hpp"
#include "kernels/device/built.hpp"
#include "kernels/device/cpu/serial.hpp"
#include "solvers/linear/direct/direct.hpp"
#include "solvers/linear/libraries/ginkgo.hpp"
#include "solvers/linear/libraries/hypre.hpp"
#include "test_paths.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/bench/worker/faulty_rows.hpp"
#include "tests/catch.hpp"
#include "tests/without_cache.hpp"

using namespace cfdmark;

namespace {

void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

// A folder laid out like /sys/class/powercap.
struct Powercap {
  TemporaryFolder folder;
  void zone(const std::string& id, const std::string& name, const std::string& microjoules) const {
    std::filesystem::create_directory(folder.path / id);
    write_text(folder / (id + "/name"), name);
    write_text(folder / (id + "/max_energy_range_uj"), "1000000");
    if (!microjoules.empty()) write_text(folder / (id + "/energy_uj"), microjoules);
  }
};

Record ok_record(const std::string& name, std::vector<double> samples) {
  Record record;
  record.id.name = name;
  record.derived = DerivedTimes{};
  record.derived->step = {samples.at(0), 0.9e-3, 1.1e-3, 0.95};
  record.derived->bytes_per_second = 12.34e9;
  record.result.samples = {std::move(samples)};
  return record;
}

}  // namespace

TEST_CASE("durations are parsed in the forms that people write", "[duration]") {
  REQUIRE(duration_from("90") == 90);
  REQUIRE(duration_from("90s") == 90);
  REQUIRE(duration_from("10m") == 600);
  REQUIRE(duration_from("1h30m") == 5400);
  REQUIRE(duration_from("0.5h") == 1800);
  for (const char* wrong : {"", "m", "10x", "-3s", "1 m", "inf", "10m "})
    REQUIRE_THROWS_WITH(duration_from(wrong), Mentions({fmt::format("'{}'", wrong), "1h30m"}));
}

TEST_CASE("durations are formatted for people", "[duration]") {
  REQUIRE(clock_text(7) == "0:07");
  REQUIRE(clock_text(750) == "12:30");
  REQUIRE(clock_text(3723) == "1:02:03");
  // The same examples as in Python, which writes times of exports.
  std::ifstream examples(CFDMARK_EXAMPLES "/seconds_text.json");
  for (const Json& example : Json::parse(examples))
    CHECK(seconds_text(example.at(0)) == example.at(1).get<std::string>());
}

TEST_CASE("a budget gives each case its share, minus its time besides samples", "[budget]") {
  REQUIRE(Budget(1, {}, 10).seconds_a_case() == 1);
  Budget budget(5, 10.0, 10);
  REQUIRE(budget.seconds_a_case() == Approx(0.9).margin(0.01));
  budget.spend(5, 3, 1);  // 0.4 s besides samples for each; hardly any time has passed
  REQUIRE(budget.seconds_a_case() == Approx(10.0 / 5 - 0.4).margin(0.01));
  REQUIRE_FALSE(budget.over());
  REQUIRE(Budget(1, 0.0, 1).over());
  REQUIRE(Budget(1, 0.001, 1000).seconds_a_case() == Approx(0.02));
  // Half of the time is for this process, though it may use the other half if necessary.
  Budget half(5, 10.0, 10, 0.5);
  REQUIRE(half.seconds_a_case() == Approx(0.4).margin(0.01));
  REQUIRE_FALSE(half.over());
}

TEST_CASE("powercap packages are summed, across the counter's wrap-around", "[energy]") {
  const Powercap powercap;
  powercap.zone("intel-rapl:0", "package-0", "900000");
  powercap.zone("intel-rapl:1", "package-1", "5");
  powercap.zone("intel-rapl:0:0", "core", "7");
  const EnergyMeter meter = powercap_meter(powercap.folder.path.string());
  const double before = meter.joules();
  powercap.zone("intel-rapl:0", "package-0", "100000");  // wrapped to zero
  powercap.zone("intel-rapl:1", "package-1", "500005");
  powercap.zone("intel-rapl:0:0", "core", "900000");
  REQUIRE(meter.joules() - before == Approx(0.2 + 0.5));
}

TEST_CASE("a program that does not end is killed after its time limit", "[program]") {
  const double start = seconds_now();
  CHECK_THAT(run_program({"sleep", "20"}, "", true, 0.1).how, Mentions({"0.1 s"}));
  CHECK(seconds_now() - start < 5);
  CHECK(run_program({"echo", "here"}, "", true, 60).output == "here\n");
}

TEST_CASE("an expensive filter ends or is an error", "[filter]") {
  const std::string name(300, 'a');
  CHECK_FALSE(CaseFilter("(a+)+$b").lets_through(name));
  CHECK_FALSE(CaseFilter("(a|aa)+$b").lets_through(name));
  CHECK_FALSE(CaseFilter("(.*)(.*)(.*)(.*)(.*)(.*)x").lets_through(name));
  CHECK_FALSE(CaseFilter("(a+)+$b (a|aa)+$b (.*)(.*)(.*)x").lets_through(name));
  CHECK(CaseFilter("^a{2,4}").lets_through(name));
  CHECK_THROWS_WITH(CaseFilter("((a?){100}){100}b"), Mentions({"20"}));
  CHECK_THROWS_AS(CaseFilter("(a)\\1"), std::invalid_argument);
  CHECK_THROWS_WITH(CaseFilter(std::string(301, 'a')), Mentions({"300"}));
}

TEST_CASE("without counters the energy has a reason", "[energy]") {
  const Powercap none;
  REQUIRE_THAT(powercap_meter(none.folder.path.string()).reason, Mentions({none.folder.path.string()}));
  const Powercap secret;
  secret.zone("intel-rapl:0", "package-0", "");
  REQUIRE_THAT(powercap_meter(secret.folder.path.string()).reason,
               Mentions({secret.folder.path.string(), "root"}));
  const Json energy = measure_energy(powercap_meter(none.folder.path.string()),
                                     {.backend = &serial_backend(), .step = [] {}, .seconds = 1}, 2);
  REQUIRE(energy.contains("reason"));
  REQUIRE_FALSE(energy.contains("joules_per_step"));
}

TEST_CASE("energy is that of the steps, divided by their number, and resets do not count", "[energy]") {
  double joules = 0;
  const EnergyMeter meter{"powercap", [&] { return joules; }, 1e-3, ""};
  const Json running =
      measure_energy(meter, {.backend = &serial_backend(), .step = [&] { joules += 3; }, .seconds = 1e-3}, 2);
  REQUIRE(running["joules_per_step"].get<double>() == Approx(3));
  const double seconds = running["seconds_per_step"];
  CHECK((seconds > 0 && seconds < 1e-3));  // the measured time, not the given one
  REQUIRE(running["source"] == "powercap");
  const EnergyMeter stuck{"powercap", [] { return 7.0; }, 1e-4, ""};
  REQUIRE_THAT(
      measure_energy(stuck, {.backend = &serial_backend(), .step = [] {}, .seconds = 1e-5}, 2)["reason"]
          .get<std::string>(),
      Mentions({"powercap"}));
  const Json solves = measure_energy(meter,
                                     {.backend = &serial_backend(),
                                      .step = [&] { joules += 3; },
                                      .reset = [&] { joules += 100; },
                                      .seconds = 20e-3},
                                     2);
  REQUIRE(solves["joules_per_step"].get<double>() == Approx(3));
  const Json too_short = measure_energy(
      meter, {.backend = &serial_backend(), .step = [&] { joules += 3; }, .reset = [] {}, .seconds = 1e-3},
      2);
  REQUIRE_THAT(too_short["reason"].get<std::string>(), Mentions({"1.00 ms"}));
  const double before = joules;
  const Json too_long = measure_energy(
      meter, {.backend = &serial_backend(), .step = [&] { joules += 3; }, .seconds = 1e-3}, 2e-3);
  REQUIRE_THAT(too_long["reason"].get<std::string>(), Mentions({"3.00 ms", "2.00 ms"}));
  REQUIRE(joules == before);
}

// A device that executes its queue only when it is waited for.
class QueueingBackend final : public HostBackend {
 public:
  BackendKind kind() const override { return BackendKind::serial; }
  void* allocate(std::size_t bytes) override { return allocate_host(bytes); }
  void upload(void*, const void*, std::size_t) override {}
  void copy(void*, const void*, std::size_t) override {}
  void set_zero(void*, std::size_t) override {}
  double seconds(const std::function<void()>& work) override {
    work();
    for (; !queue.empty(); queue.pop_back()) queue.back()();
    return 0;
  }
  std::vector<std::function<void()>> queue;
};

TEST_CASE("the energy counter is read while the device still has queued steps", "[energy]") {
  QueueingBackend device;
  double joules = 0;
  int idle_readings = 0, readings = 0;
  const EnergyMeter meter{"nvml",
                          [&] {
                            ++readings;
                            idle_readings += device.queue.empty();
                            return joules;
                          },
                          1e-3, ""};
  const Json energy = measure_energy(
      meter,
      {.backend = &device, .step = [&] { device.queue.push_back([&] { joules += 3; }); }, .seconds = 1e-5},
      2);
  CHECK(energy["joules_per_step"].get<double>() == Approx(3));
  CHECK(readings > 3);
  CHECK(idle_readings == 1);  // before the first step
}

TEST_CASE("the energy counter is read ten times per update, however many steps a call makes", "[energy]") {
  const int steps = GENERATE(1, 48);
  int calls = 0, readings = 0;
  const EnergyMeter meter{"nvml", [&] { return ++readings, 2.0 * steps * calls; }, 1e-3, ""};
  TimedStep timed{.backend = &serial_backend(), .step = [&] { ++calls; }, .seconds = 1e-4 / 96};
  timed.steps = steps;
  CHECK(measure_energy(meter, timed, 2)["joules_per_step"].get<double>() == Approx(2));
  const int before_the_first = 1;
  CHECK(calls == (readings - before_the_first) * 96 / steps);
}

TEST_CASE("the environment names program, host and libraries, and its id depends on its contents",
          "[environment]") {
  const Json description = describe_environment();
  const Json line = environment_line(description, Json::array());
  for (const char* key : {"id", "time", "program", "host", "openmp", "gpu", "libraries", "roofs"}) {
    INFO(key);
    REQUIRE(line.contains(key));
  }
  REQUIRE_FALSE(line["program"]["instruction_set"].get<std::string>().empty());
  REQUIRE(line["program"]["fingerprint"].get<std::string>().size() == 16);
  REQUIRE(line["host"]["cores"] >= 1);
  REQUIRE(line["host"]["machine"] == host_key(line["host"]));
  for (const auto& [built, library] : {std::pair(built_with_openblas, "OpenBLAS"),
                                       {built_with_cuda, "cuBLAS"},
                                       {built_with_cuda, "cuSPARSE"},
                                       {!fftw_library_version().empty(), "FFTW"},
                                       {!cufft_library_version().empty(), "cuFFT"},
                                       {!hypre_version().empty(), "hypre"},
                                       {!ginkgo_version().empty(), "Ginkgo"},
                                       {built_with_kokkos, "Kokkos"}}) {
    INFO(library);
    REQUIRE(line["libraries"].contains(library) == built);
    if (built) REQUIRE(std::isdigit(line["libraries"][library].get<std::string>().at(0)));
  }
  REQUIRE(one_line(line).find(host_name()) == std::string::npos);
  REQUIRE(environment_line(description, Json::array())["id"] == line["id"]);
  REQUIRE(environment_line(description, {{{"kernel", "triad"}}})["id"] != line["id"]);
}

TEST_CASE("a case has the roof of its backend, storage and threads", "[roof]") {
  Case c = faulty_case("sound");
  Row mixed = *c.row;
  mixed.precision = Precision::mixed;
  c.row = &mixed;
  c.config = {{"block_x", 64}, {"threads", 2}};
  REQUIRE(roof_name(roof_key(c)) == "serial/fp32:threads=2");
  const auto entry = [](const char* kernel, int threads, double bandwidth) {
    return Json{{"backend", "serial"},
                {"precision", "fp32"},
                {"config", {{"threads", threads}}},
                {"kernel", kernel},
                {"bytes_per_second", bandwidth}};
  };
  const Json roofs = {entry("triad", 1, 10e9), entry("copy", 2, 15e9), entry("triad", 2, 20e9)};
  REQUIRE(find_roof(roofs, roof_key(c)) == Json{{"kernel", "triad"}, {"bytes_per_second", 20e9}});
  REQUIRE(find_roof(roofs, {BackendKind::openmp, Precision::fp32, {}}).is_null());
}

TEST_CASE("the roof of a case is the higher of copy and triad, with its interval", "[roof]") {
  const RoofKey key{BackendKind::serial, Precision::fp64, {}};
  const Json roofs = {roof_entry(key, "copy", {30e9, 29e9, 31e9, 0.95}),
                      roof_entry(key, "triad", {20e9, 19e9, 21e9, 0.95})};
  REQUIRE(find_roof(roofs, key) ==
          Json{{"kernel", "copy"}, {"bytes_per_second", 30e9}, {"low", 29e9}, {"high", 31e9}});
}

TEST_CASE("a mixed case needs cache and launch limits of its storage, arithmetic of its computation",
          "[roof]") {
  Case fp32 = faulty_case("sound"), mixed = fp32;
  Row rows[2] = {*fp32.row, *fp32.row};
  rows[0].precision = Precision::fp32, rows[1].precision = Precision::mixed;
  fp32.row = &rows[0], mixed.row = &rows[1];
  const auto keys = limits_keys({mixed, mixed});
  REQUIRE(keys.size() == 2);
  CHECK(roof_name(keys[0].roof) == "serial/fp32");
  CHECK((keys[0].memory && !keys[0].arithmetic));
  CHECK(roof_name(keys[1].roof) == "serial/fp64");
  CHECK((keys[1].arithmetic && !keys[1].memory));
  const auto both = limits_keys({mixed, fp32});
  REQUIRE(both.size() == 2);
  CHECK((both[0].memory && both[0].arithmetic));
}

TEST_CASE("limits are cache, launch and two kinds of arithmetic, and known ones are not measured again",
          "[roof]") {
  const RoofKey key{BackendKind::serial, Precision::fp32, {}};
  const Json entries = measure_limits({key});
  std::vector<std::string> found;
  for (const Json& entry : entries) {
    found.push_back(entry["of"].get<std::string>() + " " + entry["kernel"].get<std::string>());
    CHECK(roof_key_of(entry) == key);
    CHECK(entry["value"] > 0);
    const double value = entry["value"];
    CHECK(entry.value("low", value) <= value);
    CHECK(value <= entry.value("high", value));
  }
  CHECK(found == std::vector<std::string>{"arithmetic fused_multiply_add", "arithmetic separate_multiply_add",
                                          "cache triad", "launch triad"});
  // No core starts 32 x 32 cells of triad in less than 10 ns or in more than 10 ms.
  CHECK(entries[3]["value"] > 1e-8);
  CHECK(entries[3]["value"] < 1e-2);
  const LimitsKey left = without_known({key}, entries);
  CHECK_FALSE((left.memory || left.arithmetic));
  const LimitsKey of_fp64 = without_known({{BackendKind::serial, Precision::fp64, {}}}, entries);
  CHECK((of_fp64.memory && of_fp64.arithmetic));
  CHECK(measure_limits({key, false, true}).size() == 2);
}

TEST_CASE("the fields of triad that measure the cache fill half of it", "[roof]") {
  if (skipped_without_cache()) return;
  Backend& serial = backend(BackendKind::serial);
  const Grid grid = cache_grid(serial, Precision::fp64);
  const double bytes = 3 * 8.0 * double(grid.cells()), half = double(serial.last_level_cache()) / 2;
  CHECK(bytes <= half);
  CHECK(3 * 8.0 * double(grid.nx + 32) * double(grid.ny + 32) > half);
}

TEST_CASE("a roof of a third of another precision's is unsound, and the higher of two measurements counts",
          "[roof]") {
  const RoofKey fp32{BackendKind::openmp, Precision::fp32, {{"threads", 2}}},
      fp64{BackendKind::openmp, Precision::fp64, {{"threads", 2}}},
      other_threads{BackendKind::openmp, Precision::fp64, {{"threads", 1}}};
  std::map<std::string, std::vector<double>> seen = {
      {roof_name(fp32), {10e9, 11e9}}, {roof_name(fp64), {30e9}}, {roof_name(other_threads), {12e9}}};
  const auto measure = [&](const RoofKey& key) {
    std::vector<double>& left = seen.at(roof_name(key));
    const double bandwidth = left.front();
    left.erase(left.begin());
    return Json{roof_entry(key, "copy", {0.8 * bandwidth, 0, 0, 0.95}),
                roof_entry(key, "triad", {bandwidth, 0, 0, 0.95})};
  };
  Ceilings roofs(measure);
  roofs.measure({fp32, fp64, other_threads});
  CHECK(seen.at(roof_name(fp32)).empty());  // measured twice
  CHECK(roofs.is_unsound(fp32));
  CHECK_THAT(roofs.find(fp32)["unsound"].get<std::string>(),
             Mentions({"11.0 GB/s", "triad", "fp64", "30.0 GB/s"}));
  CHECK_FALSE(roofs.is_unsound(fp64));
  CHECK_FALSE(roofs.is_unsound(other_threads));

  seen = {{roof_name(fp32), {10e9, 29e9}}, {roof_name(fp64), {30e9}}};
  Ceilings again(measure);
  again.measure({fp32, fp64});
  CHECK(again.find(fp32)["bytes_per_second"] == 29e9);
  CHECK_FALSE(again.is_unsound(fp32));

  seen = {{roof_name(other_threads), {12e9}}};
  Ceilings next(measure, roofs.entries());  // measures only what is unknown
  next.measure({fp32, fp64});
  CHECK(next.is_unsound(fp32));
  CHECK(next.find(fp64) == roofs.find(fp64));

  seen = {{roof_name(fp32), {10e9, 28e9}}};
  Ceilings low(measure);
  low.measure({fp32});
  seen[roof_name(fp64)] = {30e9};
  Ceilings after(measure, low.entries());  // a known roof that a new one contradicts is measured again
  after.measure({fp32, fp64});
  CHECK(after.find(fp32)["bytes_per_second"] == 28e9);
}

TEST_CASE("a roof that is measured again keeps the higher value and the lowest one seen", "[roof]") {
  const RoofKey key{BackendKind::serial, Precision::fp64, {}};
  std::vector<double> seen = {12e9, 10e9, 15e9};
  Ceilings roofs([&](const RoofKey& of) {
    const double bandwidth = seen.front();
    seen.erase(seen.begin());
    return Json{roof_entry(of, "triad", {bandwidth, 0, 0, 0.95})};
  });
  CHECK_FALSE(roofs.measure_again({key}));  // nothing has been measured yet
  roofs.measure({key});
  CHECK_FALSE(roofs.find(key).contains("least"));
  CHECK(roofs.measure_again({key}));
  CHECK(roofs.measure_again({key}));
  CHECK(roofs.find(key)["bytes_per_second"] == 15e9);
  CHECK(roofs.find(key)["least"] == 10e9);
}

TEST_CASE("the roof of a host counts write-allocate traffic", "[roof]") {
  for (const Json& entry : measure_roof({BackendKind::serial, Precision::fp32, {}}))
    CHECK(entry.value("write_allocate", false));
}

TEST_CASE("a rate above its roof contradicts the roof if caches cannot explain it", "[roof]") {
  Record record;
  record.id.name = "a";
  record.result.samples = {{1.0}};
  record.result.cost = Cost{25.7e9, 0, 1};
  record.result.cache = CacheUse{8e9, 1e9};
  record.roof = {{"bytes_per_second", 10e9}};
  record.derive();
  REQUIRE_THAT(why_above_roof(record), Mentions({"a ", "25.7 GB/s", "10.0 GB/s"}));
  record.set_roof({{"bytes_per_second", 21e9}});
  REQUIRE(why_above_roof(record) == "");  // 122 %: copy and triad differ by as much
  record.set_roof({{"bytes_per_second", 10e9}, {"unsound", "why"}});
  record.result.cache->working_set_bytes = 7e9;
  REQUIRE(why_above_roof(record) == "");
}

TEST_CASE("a roof is measured on fields that exceed the caches and fit into memory", "[roof]") {
  const Grid g = roof_grid(serial_backend(), Precision::fp64);
  const double bytes = double(g.cells()) * 8;
  REQUIRE(bytes >= 0.95 * std::min(2 * double(serial_backend().last_level_cache()),
                                   double(serial_backend().free_memory()) / 12));
  REQUIRE(3 * bytes <= double(serial_backend().free_memory()) / 3);
}

TEST_CASE("without a terminal progress is one line per case", "[progress]") {
  const TemporaryFolder folder;
  std::FILE* file = std::fopen((folder / "log").c_str(), "w+");
  {
    Progress progress(file);
    progress.start(2);
    progress.working("measuring something");
    progress.finished(ok_record("a", {1e-3}));
    Record crashed;
    crashed.id.name = "b";
    crashed.result.status = "crashed";
    crashed.result.reason = "killed";
    progress.finished(crashed);
  }
  std::fclose(file);
  std::ifstream log(folder / "log");
  const std::string text{std::istreambuf_iterator<char>(log), {}};
  REQUIRE(text == "[1/2] ok   1.00 ms  +-10.0 %    12.3 GB/s  a\n[2/2] crashed  b: killed\n");
}

TEST_CASE("a case whose interval is wider than its time is unsteady", "[progress]") {
  Record record = ok_record("a", {1e-3});
  record.derived->step.low = 0.5e-3, record.derived->step.high = 1.5e-3;
  CHECK_FALSE(is_unsteady(record));
  record.derived->step.high = 45e-3;
  CHECK(is_unsteady(record));
  CHECK(result_line(record).starts_with("unsteady  1.00 ms +-2225.0 %"));
  record.derived->step.confidence = 0;  // too few samples: no interval
  CHECK_FALSE(is_unsteady(record));
}

TEST_CASE("a time without an interval is printed with the number of its samples", "[progress]") {
  Record record = ok_record("a", {1e-3, 1e-3, 1e-3});
  record.derived->step.confidence = 0;
  CHECK(result_line(record) == "ok   1.00 ms 3 samples    12.3 GB/s  a");
  record.result.samples = {{1e-3}};
  CHECK(result_line(record) == "ok   1.00 ms  1 sample    12.3 GB/s  a");
}
