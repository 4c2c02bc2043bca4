// The struct of a record, and its line.
#include "bench/record/record.hpp"

#include <filesystem>
#include <fstream>
#include <set>

#include "bench/record/json_form.hpp"
#include "test_paths.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Returns the line as this program would have written it: older ones had the bandwidth first, and an interval
// for samples too few for one.
Json as_today(Json line) {
  if (line.contains("time") && line["time"].value("confidence", 1.0) < 0.95)
    for (const char* end : {"ci_low", "ci_high", "confidence"}) line["time"].erase(end);
  if (!line.contains("rate")) return line;
  Json rate;
  for (const char* key : {"lups", "bytes_per_second", "roof_fraction"})
    if (line["rate"].contains(key)) rate[key] = line["rate"][key];
  line["rate"] = rate;
  return line;
}

// Names what a record has that others lack.
std::set<std::string> traits_of(const Json& line) {
  std::set<std::string> traits = {line["kind"], line["status"], line["backend"]};
  for (const char* part : {"tuning", "target", "workload", "solver", "device_state", "roof"})
    if (line.contains(part)) traits.insert(part);
  if (line.contains("roof") && line["roof"].contains("unsound")) traits.insert("unsound");
  if (line.contains("time") && !as_today(line)["time"].contains("ci_low")) traits.insert("few samples");
  return traits;
}

// A line with every member that the schema names.
Json complete_line() {
  return Json::parse(R"({"type":"record","schema":2,
    "case":"cg/cuda:1/fp64/fused@8x8x8:block_x=64;problem=jump,tolerance=1e-06",
    "label":"cg/cuda:1/fp64/fused@8x8x8",
    "kind":"solver","name":"cg","backend":"cuda",
    "device":{"kind":"cuda","index":1,"pci_bus_id":"0000:3b:00.0"},
    "precision":"fp64","method":"fused","grid":[8,8,8],"nodes":512,"config":{"block_x":64},
    "workload":{"problem":"jump","tolerance":1e-06},
    "tuned":{"match":"exact","device":"H200","grid":"8x8x8"},
    "status":"ok","reason":"one","failure":"another",
    "time":{"samples":[0.5,0.25],"processes":[1,1],"steps_per_sample":2,"median":0.375,"ci_low":0.25,
            "ci_high":0.5,"confidence":0.96875,"stopped_by":"turns","samples_in_turn":1},
    "cost":{"bytes":3000.0,"flops":10.0,"cells":512.0},
    "rate":{"lups":1365.25,"bytes_per_second":8000.0,"roof_fraction":0.5},
    "cache":{"working_set_bytes":64.0,"last_level_bytes":4.0,"regime":"memory"},
    "roof":{"kernel":"triad","bytes_per_second":16000.0},
    "verification":{"passed":true},"resources":{"launches":2},"memory":{"field_bytes":64},
    "overhead":{"prepare":0.5,"verify":0.25,"warm_up":0.125,"reset":1.5},
    "environment":"e","source":"0123456789abcdef","device_state":{"power_w":100.5},
    "solver":{"iterations":3,"history":[[0,1.0]],"time_per_iteration":0.125,"sample_iterations":[3,3]},
    "energy":{"joules_per_step":2.5},"instructions":{"per_step":7},"mesh_facts":{"dims":2},
    "ranks":{"count":2},"target":{"over_plain":1.5},"tuning":{"status":"ok"},"round":4})");
}

Record solved(const std::vector<double>& samples, const std::vector<int>& iterations) {
  Record record;
  record.result.samples = {samples};
  record.result.sample_iterations = iterations;
  record.result.stopped_by = "interval";
  record.result.overhead = Overhead{1, 2, 3, 4};
  record.result.cost = Cost{3e9, 0, 1e8};
  record.result.solver = {{"iterations", 10}};
  record.result.energy = {{"joules_per_step", 1}};
  record.roof = {{"bytes_per_second", 8e9}};
  record.derive();
  return record;
}

}  // namespace

TEST_CASE("every kept record keeps its line, with all keys, their order and all digits", "[record]") {
  std::set<std::string> traits;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CFDMARK_RESULTS)) {
    if (entry.path().extension() != ".jsonl" || entry.path().parent_path().filename() == "history") continue;
    INFO(entry.path());
    std::ifstream file(entry.path());
    for (std::string text; std::getline(file, text);) {
      const Json line = Json::parse(text);
      if (line["type"] != "record") continue;
      traits.merge(traits_of(line));
      const Record record = record_from_json(line);
      REQUIRE(one_line(to_json(record)) == one_line(as_today(line)));
      REQUIRE(record.unknown.empty());
    }
  }
  for (const char* seen : {"kernel", "solver", "ok", "not_run", "serial", "openmp", "kokkos", "cuda",
                           "tuning", "target", "workload", "device_state", "unsound", "few samples"}) {
    INFO(seen);
    CHECK(traits.contains(seen));
  }
}

TEST_CASE("a record has every member that the schema names", "[record]") {
  const Json line = complete_line();
  const Json schema = Json::parse(record_schema)["definitions"];
  for (const auto& [name, form] : schema["record"]["properties"].items()) {
    INFO(name);
    CHECK(line.contains(name) == (name != "mesh" && name != "matrix"));  // they stand in place of `grid`
  }
  for (const auto& [name, form] : schema["time"]["properties"].items()) CHECK(line["time"].contains(name));
  const Record record = record_from_json(line);
  CHECK(record.unknown.empty());
  CHECK(one_line(to_json(record)) == one_line(line));
}

TEST_CASE("members that this program does not know stay in a record", "[record]") {
  Json line = complete_line();
  line["of_a_newer_program"] = {{"value", 1}};
  CHECK(one_line(to_json(record_from_json(line))) == one_line(line));
}

TEST_CASE("a record without counts has one process, and one with wrong counts has no samples", "[record]") {
  Json line = complete_line();
  line["time"].erase("processes");
  CHECK(record_from_json(line).result.samples == ProcessSamples{{0.5, 0.25}});
  line["time"]["processes"] = {3};
  const Record record = record_from_json(line);
  CHECK(record.result.samples.empty());
  CHECK_FALSE(record.derived);
}

TEST_CASE("rates follow from the median, and the fraction from the roof", "[record]") {
  Record record = solved({0.5}, {10});
  CHECK(*record.derived->lups == 2e8);
  CHECK(*record.derived->bytes_per_second == 6e9);
  CHECK(*record.derived->roof_fraction == 0.75);
  CHECK(*record.derived->time_per_iteration == 0.05);
  record.set_roof({{"bytes_per_second", 12e9}});
  CHECK(*record.derived->roof_fraction == 0.5);
  record.set_roof({{"bytes_per_second", 12e9}, {"unsound", "why"}});
  CHECK_FALSE(record.derived->roof_fraction);
  record.set_roof(nullptr);
  CHECK(record.roof.contains("unsound"));
  record.result.cost->bytes = 0;  // the traffic of a library's solver is unknown
  record.derive();
  CHECK(to_json(record)["rate"] == Json{{"lups", 2e8}});
}

TEST_CASE("a further process adds its samples, iterations and overhead", "[record]") {
  Record record = solved({0.5, 0.7}, {10, 10});
  Record further = solved({0.9}, {10});
  further.result.stopped_by = "rounds";
  further.result.overhead->reset = std::nullopt;
  record.add_process(further.result);
  CHECK(record.result.samples == ProcessSamples{{0.5, 0.7}, {0.9}});
  CHECK(record.derived->step.median == median_interval(record.result.samples).median);
  CHECK(record.result.sample_iterations == std::vector<int>{10, 10, 10});
  CHECK(record.result.stopped_by == "budget");
  CHECK(to_json(record)["overhead"] ==
        Json{{"prepare", 2.0}, {"verify", 4.0}, {"warm_up", 6.0}, {"reset", 4.0}});
  CHECK(to_json(record)["time"]["processes"] == Json{2, 1});
}

TEST_CASE("a solver whose processes differ in work fails and loses every number that needs a time",
          "[record]") {
  Record record = solved({0.5, 0.7}, {10, 10});
  record.add_process(solved({0.9}, {12}).result);
  CHECK(record.result.status == "failed");
  CHECK_THAT(record.result.reason, Mentions({"10 iterations", "sample 3 took 12"}));
  const Json line = to_json(record);
  for (const char* part : {"time", "rate", "energy", "instructions"}) CHECK_FALSE(line.contains(part));
  CHECK_FALSE(line["solver"].contains("time_per_iteration"));
  CHECK(line["solver"]["sample_iterations"] == Json{10, 10, 12});
  record.set_roof({{"bytes_per_second", 1.0}});
  CHECK(record.roof["bytes_per_second"] == 8e9);
}

TEST_CASE("a record has an interval from six samples per process on", "[record]") {
  const auto has_interval = [](const ProcessSamples& processes) {
    Record record;
    record.result.samples = processes;
    record.derive();
    return to_json(record)["time"].contains("ci_low");
  };
  CHECK_FALSE(has_interval({{1, 2, 3, 4, 5}}));
  CHECK(has_interval({{1, 2, 3, 4, 5, 6}}));
  CHECK_FALSE(has_interval({{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5}}));
  CHECK_FALSE(has_interval({{1, 2, 3}, {4, 5, 6}}));
}

TEST_CASE("the cache regime follows from the working set and the last level", "[record]") {
  CHECK(regime_of({10e6, 32e6}) == "cache");
  CHECK(regime_of({16e6, 32e6}) == "transition");
  CHECK(regime_of({64e6, 32e6}) == "transition");
  CHECK(regime_of({65e6, 32e6}) == "memory");
  CHECK_FALSE(cache_json({65e6, 0}).contains("regime"));
}
