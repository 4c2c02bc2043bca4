#include "bench/worker/run_records.hpp"

#include "bench/case/case_record.hpp"
#include "bench/measure/make_record.hpp"
#include "bench/measure/roof.hpp"
#include "bench/worker/device_losses.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/bench/worker/faulty_rows.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

CaseResult result_of(const std::vector<double>& samples) {
  CaseResult result;
  result.samples = {samples};
  result.cost = Cost{8, 0, 1};
  return result;
}
CaseResult result_without_time(const std::string& status, const std::string& reason) {
  CaseResult result;
  result.status = status, result.reason = reason;
  return result;
}

// Returns an environment line with the roof of a case.
Json environment_of(const Case& c, const std::string& id, double bytes_per_second = 16) {
  const Json roof =
      roof_entry(roof_key(c), "triad", {bytes_per_second, bytes_per_second, bytes_per_second, 1});
  return {{"id", id}, {"roofs", {roof}}};
}

Record measured(const Case& c, const std::vector<double>& samples, const std::string& environment) {
  return make_record(c, result_of(samples), environment_of(c, environment));
}

struct TwoCases {
  TemporaryFolder folder;
  std::vector<Case> cases = {faulty_case("sound", 4), faulty_case("sound", 8)};
  RecordWriter writer{folder / "run.jsonl"};
  RunRecords records{cases, {}, writer};
};

}  // namespace

TEST_CASE("a further process of a case adds its samples, and the record takes its environment and roof",
          "[run]") {
  TwoCases two;
  const Record first = two.records.record_with(0, result_of({1}), environment_of(two.cases[0], "a")).value();
  CHECK(first.environment == "a");
  CHECK(*first.derived->roof_fraction == 0.5);
  two.records.write(0, first);
  const Json later = environment_of(two.cases[0], "b", 8);
  const Record joined = two.records.record_with(0, result_of({3}), later).value();
  CHECK(joined.result.samples == ProcessSamples{{1}, {3}});
  CHECK(joined.environment == "b");
  CHECK(*joined.derived->roof_fraction == 0.5);
}

TEST_CASE(
    "a further process that cannot run a case changes nothing, and one in which it fails makes it failed",
    "[run]") {
  TwoCases two;
  two.records.write(0, measured(two.cases[0], {1}, "a"));
  const Json later = environment_of(two.cases[0], "b");
  CHECK_FALSE(two.records.record_with(0, result_without_time("not_run", "too large"), later));
  const Record failed = two.records.record_with(0, result_without_time("failed", "nan"), later).value();
  CHECK(failed.result.status == "failed");
  CHECK(failed.result.samples.empty());
  two.records.write(0, failed);
  CHECK(two.records.record_with(0, result_of({2}), later)->result.samples == ProcessSamples{{2}});
}

TEST_CASE("a further process whose samples differ in work makes a case failed, with its own samples named",
          "[run]") {
  TwoCases two;
  CaseResult solved = result_of({1, 1});
  solved.solver = {{"iterations", 5}};
  solved.sample_iterations = {5, 5};
  const Json environment = environment_of(two.cases[0], "a");
  two.records.write(0, two.records.record_with(0, solved, environment).value());
  solved.sample_iterations = {5, 6};
  const Record record = two.records.record_with(0, solved, environment).value();
  CHECK(record.result.status == "failed");
  CHECK_THAT(record.result.reason, ContainsSubstring("sample 2 took 6"));
}

TEST_CASE("the cases that lack a process are those that are ok in fewer", "[run]") {
  TwoCases two;
  CHECK(two.records.in_fewer_processes(2).empty());  // nothing is known
  two.records.write(0, record_without_time(two.cases[0], "error", "why", "a"));
  two.records.write(1, measured(two.cases[1], {1}, "a"));
  CHECK(two.records.in_fewer_processes(2) == std::vector<std::size_t>{1});
  CHECK(two.records.in_fewer_processes(1).empty());
}

TEST_CASE("a run counts the cases that it wrote by status, and all that are wrong", "[run]") {
  TwoCases two;
  Record unconverged = measured(two.cases[0], {1}, "a");
  unconverged.result.solver = {{"converged", false}};
  two.records.write(0, unconverged);
  two.records.write(1, record_without_time(two.cases[1], "crashed", "SIGSEGV", "a"));
  RunSummary summary;
  two.records.count(summary);
  CHECK(summary.measured == std::map<std::string, std::size_t>{{"crashed", 1}, {"ok", 1}});
  CHECK(summary.unconverged == 1);
  CHECK(summary.wrong == 1);
}

TEST_CASE("a record states the speedup that the sweep expects of its case", "[run]") {
  TwoCases two;
  two.cases[1].over_plain = 1.5;
  two.records.write(1, measured(two.cases[1], {1}, "a"));
  CHECK(two.records.find(0) == nullptr);
  CHECK(to_json(*two.records.find(1))["target"] == Json{{"over_plain", 1.5}});
  CHECK(read_records(two.folder / "run.jsonl").lines.at(0)["target"] == Json{{"over_plain", 1.5}});
}

TEST_CASE("a device is given up after its losses in a row, and another one is not", "[run]") {
  const DeviceId first{BackendKind::cuda, 0}, second{BackendKind::cuda, 1};
  DeviceLosses losses(2);
  CHECK_FALSE(losses.add(first, "one"));
  losses.responds(first);
  CHECK_FALSE(losses.add(first, "two"));
  CHECK_FALSE(losses.is_given_up(first));
  CHECK(losses.add(first, "three"));
  CHECK(losses.is_given_up(first));
  CHECK(losses.reason(first) == "three");
  CHECK_FALSE(losses.is_given_up(second));
}
