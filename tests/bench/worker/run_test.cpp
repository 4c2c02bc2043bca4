// A failing case costs no other case, and a run continues where another one stopped.
#include "bench/worker/run.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <map>

#include "bench/record/records.hpp"
#include "bench/worker/messages.hpp"
#include "test_paths.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/bench/worker/faulty_rows.hpp"
#include "tests/catch.hpp"
#include "tests/without_cache.hpp"

using namespace cfdmark;

namespace {

struct Silence {
  std::FILE* file = std::fopen("/dev/null", "w");
  ~Silence() { std::fclose(file); }
};

// The first start of a worker may take seconds on a machine with several GPUs.
RunOptions quick_options(const TemporaryFolder& folder) {
  RunOptions options;
  options.output = folder / "run.jsonl";
  options.case_seconds = 0.05;
  options.timeout = 30;
  options.measure_roofs = false;
  options.worker = {CFDMARK_FAULTY_WORKER};
  options.worker_rows = &faulty_worker_rows();
  return options;
}

RunSummary run_quietly(const std::vector<Case>& cases, const RunOptions& options) {
  const Silence silence;
  Progress progress(silence.file);
  return run(cases, options, progress);
}

// The last record of each case in a file, and the number of records of each case.
struct Recorded {
  std::map<std::string, Json> last;
  std::map<std::string, int> times;
  explicit Recorded(const std::string& path) {
    const RecordFile file = read_records(path);
    CHECK(file.warnings.empty());
    for (const Json& line : file.lines)
      if (line["type"] == "record") last[line["case"]] = line, ++times[line["case"]];
  }
  std::string status(const Case& c) const { return last.at(case_name(c)).at("status"); }
  std::string reason(const Case& c) const { return last.at(case_name(c)).at("reason"); }
};

// Runs the faulty case between two sound ones, which must succeed.
Recorded run_between_sound_ones(const std::string& faulty, double timeout = 30) {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.timeout = timeout;
  const std::vector<Case> cases = {faulty_case("sound", 4), faulty_case(faulty), faulty_case("sound", 16)};
  const RunSummary summary = run_quietly(cases, options);
  CHECK(summary.left == 0);
  Recorded recorded(options.output);
  CHECK(recorded.status(cases[0]) == "ok");
  CHECK(recorded.status(cases[2]) == "ok");
  CHECK(recorded.last.size() == 3);
  CHECK_FALSE(recorded.last.at(case_name(cases[1])).contains("time"));
  return recorded;
}

}  // namespace

TEST_CASE("a wrong result is failed, with a reason and no time", "[run]") {
  const Recorded recorded = run_between_sound_ones("wrong");
  REQUIRE(recorded.status(faulty_case("wrong")) == "failed");
  REQUIRE(recorded.reason(faulty_case("wrong")) == "cell (0, 0, 0) is nan");
}

TEST_CASE("an exception is an error with its message", "[run]") {
  const Recorded recorded = run_between_sound_ones("throws");
  REQUIRE(recorded.status(faulty_case("throws")) == "error");
  REQUIRE(recorded.reason(faulty_case("throws")) == "the step did not work out");
}

TEST_CASE("a case that its method does not support is not run, with the method's reason", "[run]") {
  const Recorded recorded = run_between_sound_ones("refuses");
  REQUIRE(recorded.status(faulty_case("refuses")) == "not_run");
  REQUIRE(recorded.reason(faulty_case("refuses")) == "this method wants even sides");
}

TEST_CASE("a crash in preparation costs that case only", "[run]") {
  const Recorded recorded = run_between_sound_ones("crashes_preparing");
  REQUIRE(recorded.status(faulty_case("crashes_preparing")) == "crashed");
  REQUIRE_THAT(recorded.reason(faulty_case("crashes_preparing")), Mentions({"SIGSEGV", "preparing"}));
}

TEST_CASE("a crash while cases are measured together costs the case that ran", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  // One group, since kernel names group cases; the sound ones differ in their config.
  std::vector<Case> cases = {faulty_case("crashes_measured"), faulty_case("sound"), faulty_case("sound")};
  cases[2].config.set("threads", 2);
  REQUIRE(run_quietly(cases, options).wrong == 1);
  const Recorded recorded(options.output);
  REQUIRE(recorded.status(cases[0]) == "crashed");
  REQUIRE_THAT(recorded.reason(cases[0]), Mentions({"SIGSEGV", "measuring"}));
  REQUIRE(recorded.status(cases[1]) == "ok");
  REQUIRE(recorded.status(cases[2]) == "ok");
}

TEST_CASE("a case that hangs is a timeout and costs that case only", "[run]") {
  const Recorded recorded = run_between_sound_ones("hangs", 3);
  REQUIRE(recorded.status(faulty_case("hangs")) == "timeout");
  REQUIRE_THAT(recorded.reason(faulty_case("hangs")), Mentions({"verifying", "3.00 s"}));
}

TEST_CASE("a case too large for the memory is not prepared and names needed and free memory", "[run]") {
  const Recorded recorded = run_between_sound_ones("too_large");
  REQUIRE(recorded.status(faulty_case("too_large")) == "not_run");
  REQUIRE_THAT(recorded.reason(faulty_case("too_large")), Mentions({"8x8", "1000000000.00 GB", "host"}));
}

TEST_CASE("a lost device costs one case, and another worker continues", "[run]") {
  const Recorded recorded = run_between_sound_ones("loses_device");
  REQUIRE(recorded.status(faulty_case("loses_device")) == "error");
  REQUIRE(recorded.reason(faulty_case("loses_device")) == "the device fell off the bus");
}

TEST_CASE("after three consecutive losses of a device its remaining cases are not run", "[run]") {
  const TemporaryFolder folder;
  const RunOptions options = quick_options(folder);
  std::vector<Case> cases;
  for (int n = 1; n <= 5; ++n) cases.push_back(faulty_case("loses_device", n));
  const RunSummary summary = run_quietly(cases, options);
  REQUIRE(summary.measured.at("error") == 3);
  REQUIRE(summary.measured.at("not_run") == 2);
  const Recorded recorded(options.output);
  REQUIRE_THAT(recorded.reason(cases[4]), Mentions({"3 times", "the device fell off the bus"}));
}

TEST_CASE("a second run measures exactly the cases without a correct result", "[run]") {
  const TemporaryFolder folder;
  const RunOptions options = quick_options(folder);
  const std::vector<Case> cases = {faulty_case("sound"), faulty_case("wrong"), faulty_case("throws"),
                                   faulty_case("refuses"), faulty_case("crashes_preparing")};
  run_quietly(cases, options);
  const RunSummary second = run_quietly(cases, options);
  REQUIRE(second.done_before == 1);
  const Recorded recorded(options.output);
  REQUIRE(recorded.times.at(case_name(cases[0])) == 2);  // ok: one line after each process of the first run
  REQUIRE(recorded.times.at(case_name(cases[1])) == 2);
  REQUIRE(recorded.times.at(case_name(cases[2])) == 2);
  REQUIRE(recorded.times.at(case_name(cases[3])) == 2);
  REQUIRE(recorded.times.at(case_name(cases[4])) == 2);
}

TEST_CASE("a run counts its wrong cases, even those that it could not measure again", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  const std::vector<Case> cases = {faulty_case("sound"), faulty_case("wrong")}, sound = {cases[0]};
  REQUIRE(run_quietly(cases, options).wrong == 1);
  REQUIRE(run_quietly(sound, options).wrong == 0);  // the other one was not requested
  options.budget = 0.0;
  const RunSummary nothing_measured = run_quietly(cases, options);
  REQUIRE(nothing_measured.measured.empty());
  REQUIRE(nothing_measured.wrong == 1);
}

// Makes the file look as if another program or machine had written it.
void change_environments(const std::string& path, const Json& patch) {
  std::string text;
  for (Json line : read_records(path).lines) {
    if (line["type"] == "environment") line.merge_patch(patch);
    text += one_line(line) + "\n";
  }
  std::ofstream(path) << text;
}

TEST_CASE("a run keeps cases on the processors measured with another GPU, but not those of another host",
          "[run]") {
  const TemporaryFolder folder;
  const RunOptions options = quick_options(folder);
  const std::vector<Case> cases = {faulty_case("sound")};
  run_quietly(cases, options);
  change_environments(options.output, {{"gpu", {{"name", "GPU"}, {"identity", "of no device here"}}}});
  REQUIRE(run_quietly(cases, options).done_before == 1);
  change_environments(options.output, {{"host", {{"machine", "another of the same name"}}}});
  REQUIRE(run_quietly(cases, options).done_before == 0);
}

TEST_CASE("a wrong result of another program counts until the case is measured again", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  const std::vector<Case> cases = {faulty_case("sound"), faulty_case("wrong")};
  run_quietly(cases, options);
  change_environments(options.output, {{"program", {{"fingerprint", "of another program"}}}});
  options.budget = 0.0;
  const RunSummary out_of_time = run_quietly(cases, options);
  REQUIRE(out_of_time.done_before == 0);
  REQUIRE(out_of_time.left == 2);
  REQUIRE(out_of_time.wrong == 1);
}

TEST_CASE("a run from scratch keeps the old file and measures everything", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  const std::vector<Case> cases = {faulty_case("sound")};
  run_quietly(cases, options);
  options.fresh = true;
  REQUIRE(run_quietly(cases, options).measured.at("ok") == 1);
  REQUIRE(Recorded(options.output).times.size() == 1);
  REQUIRE(Recorded(options.output + ".bak").times.size() == 1);
  // Another run from scratch keeps both.
  run_quietly(cases, options);
  REQUIRE(Recorded(options.output + ".bak").times.size() == 1);
  REQUIRE(Recorded(options.output + ".bak.2").times.size() == 1);
}

TEST_CASE("cases that cannot run are recorded once, with their reason, without measuring", "[run]") {
  const TemporaryFolder folder;
  const RunOptions options = quick_options(folder);
  Case absent = faulty_case("hangs");
  absent.not_run = "no such backend here";
  const RunSummary summary = run_quietly({absent}, options);
  REQUIRE(summary.measured.at("not_run") == 1);
  REQUIRE(summary.why_not_run == std::map<std::string, std::size_t>{{"no such backend here", 1}});
  REQUIRE(run_quietly({absent}, options).measured.empty());
  REQUIRE(Recorded(options.output).reason(absent) == "no such backend here");
}

TEST_CASE("cases not measured within the budget remain for the next run", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.budget = 0.0;
  const std::vector<Case> cases = {faulty_case("sound", 4), faulty_case("sound", 8)};
  REQUIRE(run_quietly(cases, options).left == 2);
  options.budget.reset();
  const RunSummary rest = run_quietly(cases, options);
  REQUIRE(rest.left == 0);
  REQUIRE(rest.measured.at("ok") == 2);
}

TEST_CASE("a record has its samples, interval, rates, overhead and environment", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.case_seconds = 0.8;  // enough samples even under load
  run_quietly({faulty_case("sound")}, options);
  const RecordFile file = read_records(options.output);
  REQUIRE(file.lines.at(0)["type"] == "environment");
  const Json& record = file.lines.at(1);
  REQUIRE(record["schema"] == 2);
  REQUIRE(record["case"] == "sound/serial/fp64/plain@8x8");
  REQUIRE(record["environment"] == file.lines.at(0)["id"]);
  const Json& time = record["time"];
  REQUIRE(time["samples"].size() >= 10);
  REQUIRE(time["steps_per_sample"] >= 1);  // 1 if other load delayed a step by that much
  REQUIRE(time["median"] > 20e-6);
  REQUIRE(time["ci_low"] <= time["median"]);
  REQUIRE(time["ci_high"] >= time["median"]);
  REQUIRE(time["confidence"] >= 0.95);
  REQUIRE(record["rate"]["lups"].get<double>() == Approx(10 / time["median"].get<double>()));
  for (const char* stage : {"prepare", "verify", "warm_up", "reset"})
    REQUIRE(record["overhead"].contains(stage));
  REQUIRE(record["energy"].contains("reason") != record["energy"].contains("joules_per_step"));
}

namespace {

// Runs a case that behaves differently in its first process.
Json record_of_two_processes(const std::string& kernel) {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.case_seconds = 0.8;  // six samples per process even under load
  setenv("CFDMARK_TEST_SEEN", (folder / "seen").c_str(), 1);
  run_quietly({faulty_case(kernel)}, options);
  unsetenv("CFDMARK_TEST_SEEN");
  return Recorded(options.output).last.at(case_name(faulty_case(kernel)));
}

}  // namespace

TEST_CASE("a case is measured in two processes, and its interval includes their spread", "[run]") {
  const Json time = record_of_two_processes("lucky")["time"];
  REQUIRE(time["processes"].size() == 2);
  REQUIRE(time["processes"][0].get<int>() + time["processes"][1].get<int>() == int(time["samples"].size()));
  CHECK(time["ci_low"] < 4500e-6);
  CHECK(time["ci_high"] > 5000e-6);
}

TEST_CASE("a run that ended before the second process continues with it", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  const std::vector<Case> cases = {faulty_case("sound"), faulty_case("sound", 16)};
  options.processes = 1;
  run_quietly(cases, options);
  options.processes = 2;
  options.budget = 0.0;
  REQUIRE(run_quietly(cases, options).in_fewer_processes == 2);
  options.budget.reset();
  const RunSummary rest = run_quietly(cases, options);
  REQUIRE(rest.done_before == 2);
  REQUIRE(rest.in_fewer_processes == 0);
  for (const auto& [name, record] : Recorded(options.output).last)
    CHECK(record["time"]["processes"].size() == 2);
  REQUIRE(run_quietly(cases, options).measured.empty());
}

TEST_CASE("a record with wrong sample counts is measured again", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.processes = 1;
  const std::vector<Case> cases = {faulty_case("sound")};
  run_quietly(cases, options);
  for (const Json& counts : {Json{1000000}, Json{0}, Json{-1}, Json{"all"}, Json("none"), Json::array()}) {
    INFO(one_line(counts));
    std::string text;
    for (Json line : read_records(options.output).lines) {
      if (line["type"] == "record") line["time"]["processes"] = counts;
      text += one_line(line) + "\n";
    }
    std::ofstream(options.output) << text;
    const RunSummary again = run_quietly(cases, options);
    REQUIRE(again.done_before == 0);
    REQUIRE(again.measured.at("ok") == 1);
  }
}

TEST_CASE("a case that crashes in its second process is not ok", "[run]") {
  const Json record = record_of_two_processes("crashes_again");
  REQUIRE(record["status"] == "crashed");
  REQUIRE_FALSE(record.contains("time"));
}

TEST_CASE("a solver whose samples differ in work has failed and has no time", "[run]") {
  const Json record = run_between_sound_ones("uneven").last.at(case_name(faulty_case("uneven")));
  CHECK(record["status"] == "failed");
  CHECK_THAT(record["reason"].get<std::string>(), Mentions({"10 iterations", " 11"}));
  CHECK(record["solver"]["sample_iterations"].size() >= 3);
}

TEST_CASE("a solver whose second process does other work has failed", "[run]") {
  const Json record = record_of_two_processes("uneven_again");
  CHECK(record["status"] == "failed");
  CHECK_THAT(record["reason"].get<std::string>(), Mentions({"10 iterations", " 12"}));
  CHECK_FALSE(record.contains("time"));
}

TEST_CASE("the number of processes is the requested one", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  for (options.processes = 1; options.processes <= 3; options.processes += 2, options.fresh = true) {
    run_quietly({faulty_case("sound")}, options);
    const Json record = Recorded(options.output).last.at(case_name(faulty_case("sound")));
    REQUIRE(int(record["time"]["processes"].size()) == options.processes);
  }
}

TEST_CASE("a roof far below a measured rate is measured again, then marked unsound", "[run][roof]") {
  if (skipped_without_cache()) return;  // without a cache size it is unknown what lies in memory
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.measure_roofs = true;
  options.timeout = 60;
  const std::vector<Case> cases = {faulty_case("impossible"), faulty_case("sound")};
  run_quietly(cases, options);
  const Recorded recorded(options.output);
  const Json &impossible = recorded.last.at(case_name(cases[0])),
             &after = recorded.last.at(case_name(cases[1]));
  CHECK_THAT(impossible["roof"]["unsound"].get<std::string>(),
             ContainsSubstring("impossible/serial/fp64/plain"));
  CHECK_FALSE(impossible["rate"].contains("roof_fraction"));
  CHECK(after["roof"].contains("unsound"));
  CHECK_FALSE(after["rate"].contains("roof_fraction"));
  std::map<std::string, Json> environments;
  for (const Json& line : read_records(options.output).lines)
    if (line["type"] == "environment") environments[line["id"]] = line;
  REQUIRE(environments.size() == 2);  // before and after that was known
  for (const Json& roof : environments.at(after["environment"])["roofs"]) CHECK(roof.contains("unsound"));
}

TEST_CASE("a worker that cannot start ends the run with the reason", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.worker = {folder / "no-such-program"};
  REQUIRE_THROWS_WITH(run_quietly({faulty_case("sound")}, options), Mentions({"127"}));
}

TEST_CASE("a file that cannot be written ends the run with its name", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.output = "/dev/full";
  REQUIRE_THROWS_AS(run_quietly({faulty_case("sound")}, options), WriteError);
}

namespace {

// A worker that answers every request but the first with one line.
std::vector<std::string> worker_with(const TemporaryFolder& folder, const std::string& line,
                                     int protocol = worker_protocol) {
  const Json description = {
      {"event", "description"}, {"protocol", protocol}, {"environment", Json::object()}};
  std::ofstream(folder / "worker.sh") << "while read -r request <&3; do case $request in\n"
                                      << "*describe*) printf '%s\\n' '" << one_line(description)
                                      << "' >&3;;\n*) printf '%s\\n' '" << line << "' >&3;; esac\n"
                                      << R"(printf '%s\n' '{"event":"done"}' >&3; done)";
  return {"/bin/sh", folder / "worker.sh"};
}

// Returns the one record of a run with that worker.
Json record_with(const std::string& line) {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.worker = worker_with(folder, line);
  options.processes = 1;
  run_quietly({faulty_case("sound")}, options);
  return Recorded(options.output).last.at(case_name(faulty_case("sound")));
}

}  // namespace

TEST_CASE("a result for a case that was not requested is not used", "[run]") {
  CaseResult result;
  result.samples = {{1e-3}};
  const Json record = record_with(one_line(to_message(7, result)));
  CHECK(record["status"] == "error");
  CHECK_THAT(record["reason"].get<std::string>(), Mentions({"no result", "case 7"}));
}

TEST_CASE("an invalid message of a worker costs its case and is quoted", "[run]") {
  for (const std::string line : {"Segmentation fault", R"({"event":"result"})", R"({"type":"record"})"}) {
    const Json record = record_with(line);
    CHECK(record["status"] == "error");
    CHECK_THAT(record["reason"].get<std::string>(), Mentions({"invalid message", line}));
  }
}

TEST_CASE("a run makes the record of a case from the numbers that its worker returned", "[run]") {
  const Json record = record_with(
      R"({"event":"result","index":0,"status":"ok","samples":[1.230e-3,0.00124],"steps_per_sample":3,)"
      R"("stopped_by":"rounds","cost":{"bytes":2470.0,"flops":0.0,"cells":1235.0},"fresh":true})");
  CHECK(record["case"] == "sound/serial/fp64/plain@8x8");
  CHECK(record["time"] == Json{{"samples", {1.23e-3, 1.24e-3}},
                               {"processes", {2}},
                               {"steps_per_sample", 3},
                               {"median", 1.235e-3},
                               {"stopped_by", "rounds"}});
  CHECK(record["rate"] == Json{{"lups", 1e6}, {"bytes_per_second", 2e6}});
}

TEST_CASE("a worker of another protocol ends the run with both versions", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.worker = worker_with(folder, "", worker_protocol + 1);
  REQUIRE_THROWS_WITH(run_quietly({faulty_case("sound")}, options),
                      Mentions({fmt::format("the worker speaks protocol {}, this program protocol {}",
                                            worker_protocol + 1, worker_protocol)}));
}

TEST_CASE("a worker whose catalog differs from the one expected measures nothing", "[run]") {
  const TemporaryFolder folder;
  RunOptions options = quick_options(folder);
  options.worker_rows = nullptr;  // those of this program
  Case copy = faulty_case("copy");
  run_quietly({copy}, options);
  const Json record = Recorded(options.output).last.at(case_name(copy));
  CHECK(record["status"] == "error");
  CHECK_THAT(record["reason"].get<std::string>(), Mentions({"another catalog"}));
}
