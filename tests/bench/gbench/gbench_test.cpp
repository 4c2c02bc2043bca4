// Cases as benchmarks of Google Benchmark: names, counters, failures, and what our own reader makes of the
// file.
#include "bench/gbench/gbench.hpp"

#include <algorithm>
#include <set>

#include "bench/catalog/catalog.hpp"
#include "bench/sweep/sweep.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/worker/faulty_rows.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

struct Ran {
  bool all_correct;
  Json context;
  std::vector<Json> benchmarks;
};

// Flags stay set within a process, so each run sets all that any test sets.
Ran run_benchmarks(const std::vector<Case>& cases, const std::vector<std::string>& more_flags = {},
                   const Json& environment = Json::object()) {
  const TemporaryFolder folder;
  std::vector<std::string> flags = {"--benchmark_filter=.", "--benchmark_repetitions=1",
                                    "--benchmark_min_time=0.002", "--benchmark_out_format=json",
                                    "--benchmark_out=" + (folder / "out.json")};
  flags.insert(flags.end(), more_flags.begin(), more_flags.end());
  const bool all_correct = run_google_benchmark(cases, environment, flags);
  const Json json = Json::parse(text_of(folder / "out.json"));
  return {all_correct, json.at("context"), json.at("benchmarks")};
}

bool is_error(const Json& benchmark) { return benchmark.value("error_occurred", false); }

// The reason of a benchmark without a time, which Google Benchmark before 1.8 can give for errors only.
std::string reason_of(const Json& benchmark) {
  return benchmark.value("error_message", benchmark.value("skip_message", ""));
}

Case faulty_method(const std::string& method, int n) {
  Case c = faulty_case("tunable", n);
  for (const Row& row : faulty_rows())
    if (row.name == "tunable" && row.method == method) c.row = &row;
  return c;
}

std::string sweep_of(const TemporaryFolder& folder, const std::string& block) {
  const std::string path = folder / "sweep.yaml";
  std::ofstream(path) << "question: Is it read?\nblocks:\n  - {" + block + "}\n";
  return path;
}

}  // namespace

TEST_CASE("bytes per second times seconds are the declared bytes of a step", "[gbench]") {
  const TemporaryFolder folder;
  const std::string of_kernels =
      sweep_of(folder, "kernels: [triad, jacobi], backends: serial, precisions: fp64, grids: 64x64");
  std::vector<Case> cases = read_sweep(of_kernels).cases;
  const std::string of_solver =
      sweep_of(folder, "solvers: cg, methods: default, backends: serial, precisions: fp64, grids: 17x17");
  cases.push_back(read_sweep(of_solver).cases.at(0));
  const Ran ran = run_benchmarks(cases);
  CHECK(ran.all_correct);
  REQUIRE(ran.benchmarks.size() == cases.size());
  bool several_steps = false, reset = false;
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const Case& c = cases[n];
    const Json& benchmark = ran.benchmarks[n];
    INFO(benchmark);
    CHECK(benchmark["name"] == case_name(c) + "/manual_time");
    const auto workload = c.row->prepare(backend(device_of(c)), c.domain, c.config, c.workload);
    REQUIRE(workload->verify().passed);
    const double seconds = 1e-9 * benchmark["real_time"].get<double>();
    const Cost cost = workload->cost();
    CHECK(benchmark["bytes_per_second"].get<double>() * seconds == Approx(cost.bytes).epsilon(1e-3));
    CHECK(benchmark["items_per_second"].get<double>() * seconds == Approx(cost.cells).epsilon(1e-3));
    CHECK(benchmark["GB/s"].get<double>() * 1e9 * seconds == Approx(cost.bytes).epsilon(1e-3));
    CHECK(benchmark["GFLOP/s"].get<double>() * 1e9 * seconds == Approx(cost.flops).epsilon(1e-3));
    CHECK(benchmark["working_set_bytes"] == double(workload->field_bytes()));
    CHECK(benchmark.value("solver_iterations", 0.0) == workload->iterations());
    several_steps |= workload->steps() > 1;
    reset |= workload->needs_reset();
  }
  CHECK(several_steps);  // both are measured in their own way
  CHECK(reset);
}

TEST_CASE("the time of a benchmark is that of one step", "[gbench]") {
  const Ran ran =
      run_benchmarks({faulty_method("slow", 8), faulty_case("solves")}, {"--benchmark_min_time=0.05"});
  CHECK(ran.benchmarks.at(0)["real_time"].get<double>() >= 300e3);  // ns; it sleeps 300 us
  CHECK(ran.benchmarks.at(0)["real_time"].get<double>() < 20e6);    // all iterations take 50 ms
  CHECK(ran.benchmarks.at(1)["real_time"].get<double>() >= 50e6);
}

TEST_CASE("a wrong result is an error with its reason, and costs no other benchmark", "[gbench]") {
  const Ran ran = run_benchmarks({faulty_case("sound"), faulty_case("wrong"), faulty_case("sound", 9)});
  CHECK(!ran.all_correct);
  REQUIRE(ran.benchmarks.size() == 3);
  CHECK(!is_error(ran.benchmarks[0]));
  CHECK(is_error(ran.benchmarks[1]));
  CHECK(reason_of(ran.benchmarks[1]) == "cell (0, 0, 0) is nan");
  CHECK(!is_error(ran.benchmarks[2]));
}

TEST_CASE("an exception of a step is an error", "[gbench]") {
  const Ran ran = run_benchmarks({faulty_case("throws")});
  CHECK(!ran.all_correct);
  CHECK(is_error(ran.benchmarks.at(0)));
  CHECK_THAT(reason_of(ran.benchmarks.at(0)), Mentions({"the step did not work out"}));
}

TEST_CASE("samples of different work are an error", "[gbench]") {
  const Ran ran = run_benchmarks({faulty_case("uneven")}, {"--benchmark_repetitions=3"});
  CHECK(!ran.all_correct);
  const auto found = std::find_if(ran.benchmarks.begin(), ran.benchmarks.end(), is_error);
  REQUIRE(found != ran.benchmarks.end());
  CHECK_THAT(reason_of(*found), Mentions({"10 iterations", "11"}));
}

TEST_CASE("a case that cannot run is skipped with its reason and is not a failure", "[gbench]") {
  Case absent = faulty_case("sound");
  absent.not_run = "no NVIDIA driver on this machine";
  const Ran ran = run_benchmarks({absent, faulty_case("refuses"), faulty_case("too_large")});
  CHECK(ran.all_correct);
  CHECK_THAT(reason_of(ran.benchmarks.at(0)), Mentions({absent.not_run}));
  CHECK_THAT(reason_of(ran.benchmarks.at(1)), Mentions({"even sides"}));
  CHECK_THAT(reason_of(ran.benchmarks.at(2)), Mentions({"too large", "GB"}));  // preparing it would crash
}

TEST_CASE("after a lost device no other case is prepared", "[gbench]") {
  const Ran ran = run_benchmarks({faulty_case("loses_device"), faulty_case("crashes_preparing")});
  CHECK(!ran.all_correct);
  for (const Json& benchmark : ran.benchmarks) {
    CHECK(is_error(benchmark));
    CHECK(reason_of(benchmark) == "the device fell off the bus");
  }
}

TEST_CASE("a case is prepared once for all its repetitions", "[gbench]") {
  const TemporaryFolder folder;
  setenv("CFDMARK_TEST_PROCESSES", (folder / "prepared").c_str(), 1);
  const Ran ran = run_benchmarks({faulty_method("prepares_slowly", 32)}, {"--benchmark_repetitions=3"});
  unsetenv("CFDMARK_TEST_PROCESSES");
  CHECK(std::count_if(ran.benchmarks.begin(), ran.benchmarks.end(),
                      [](const Json& b) { return b["run_type"] == "iteration"; }) == 3);
  const std::string lines = text_of(folder / "prepared");
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 1);
}

TEST_CASE("the context names the commit only of a build without changes, and flags come first", "[gbench]") {
  const auto built = [](bool dirty, const char* commit) {
    return Json{{"program", {{"commit", commit}, {"dirty", dirty}}}, {"openmp", {{"max_threads", 2}}}};
  };
  const Json changed = run_benchmarks({faulty_case("sound")}, {}, built(true, "abc")).context;
  CHECK(changed["commit_before_changes"] == "abc");
  CHECK(changed["threads"] == "2");
  CHECK(!changed.contains("commit"));
  const Json given =
      run_benchmarks({faulty_case("sound")}, {"--benchmark_context=a=b,commit=mine"}, built(false, "abc"))
          .context;
  CHECK(given["commit"] == "mine");
}

TEST_CASE("without a sweep every row of the catalog is a benchmark", "[gbench]") {
  const auto name = [](const Row& row) { return std::string(to_string(row.kind)) + " " + row_name(row); };
  std::set<std::string> rows, found;
  for (const Row& row : catalog()) rows.insert(name(row));
  for (const Case& c : read_sweep(CFDMARK_SWEEPS "/gbench.yaml").cases) found.insert(name(*c.row));
  CHECK(found == rows);
}

TEST_CASE("the program lists a benchmark for each case of a sweep", "[gbench][program]") {
  const TemporaryFolder folder;
  const std::string sweep =
      sweep_of(folder, "kernels: [copy, dot], backends: all, precisions: [fp32, fp64], grids: [8x8, 16x16]");
  std::string expected;
  for (const Case& c : read_sweep(sweep).cases) expected += case_name(c) + "/manual_time\n";
  const Ended listed = cfdmark_with("gbench " + sweep + " --benchmark_list_tests");
  CHECK(listed.status == 0);
  CHECK(listed.out == expected);
}

TEST_CASE("an unknown option or value is an error with status 2, a file that cannot be written one with 3",
          "[gbench][program]") {
  const TemporaryFolder folder;
  const std::string sweep =
      "gbench " + sweep_of(folder, "kernels: copy, backends: serial, precisions: fp64, grids: 8x8") + " ";
  const auto refused = [&](const std::string& flags, std::vector<std::string> words) {
    const Ended ended = cfdmark_with(sweep + flags);
    INFO(flags);
    CHECK(ended.status == 2);
    CHECK(ended.out.empty());
    CHECK_THAT(ended.err, Mentions(std::move(words)));
  };
  refused("--benchmark_fliter=x", {"--benchmark_fliter=x", "did you mean '--benchmark_filter'"});
  refused("--benchmark_repetitions=3x", {"invalid value in '--benchmark_repetitions=3x'"});
  refused("--benchmark_format=jsn", {"--benchmark_format=jsn", "did you mean 'json'"});
  refused("--benchmark_filter=nope", {"no benchmark matches", "--benchmark_list_tests"});
  refused("--devce", {"--devce", "did you mean '--device'"});
  refused("another.yaml", {"another.yaml"});
  const Ended unwritable = cfdmark_with(sweep + "--benchmark_out=/nowhere/out.json");
  CHECK(unwritable.status == 3);
  CHECK_THAT(unwritable.err, Mentions({"/nowhere/out.json", "No such file"}));
}

// Google Benchmark aborts at a counter that the first benchmark has not.
TEST_CASE("CSV has benchmarks with different counters, also after one that cannot run", "[gbench][program]") {
  const TemporaryFolder folder;
  const std::string sweep =
      sweep_of(folder,
               "kernels: smoothing, backends: serial, precisions: fp64, grids: [8x8, 8x8x8]}\n"
               "  - {kernels: [copy, triad], backends: serial, precisions: fp64, grids: 8x8}\n"
               "  - {solvers: cg, methods: default, backends: serial, precisions: fp64, grids: 9x9");
  const Ended csv = cfdmark_with("gbench " + sweep + " --benchmark_min_time=0.001 --benchmark_format=csv");
  CHECK(csv.status == 0);
  const std::size_t cases = read_sweep(sweep).cases.size();
  CHECK(cases >= 5);
  CHECK(std::size_t(std::count(csv.out.begin(), csv.out.end(), '\n')) == cases + 1);  // and the header
}

TEST_CASE("compare and gate read the file of the program", "[gbench][program]") {
  const TemporaryFolder folder;
  const std::string sweep =
      sweep_of(folder, "kernels: [copy, triad], backends: serial, precisions: fp64, grids: 8x8");
  const std::string base = folder / "base.json", slower = folder / "slower.json";
  REQUIRE(cfdmark_with("gbench " + sweep + " --benchmark_filter=^copy --benchmark_repetitions=8" +
                       " --benchmark_min_time=0.001 --benchmark_out_format=json --benchmark_out=" + base)
              .status == 0);
  Json file = Json::parse(text_of(base));
  for (Json& benchmark : file["benchmarks"])
    benchmark["real_time"] = 100 * benchmark["real_time"].get<double>();  // beyond any noise
  std::ofstream(slower) << file;
  const Ended compared = cfdmark_with("compare " + base + " " + slower);
  INFO(compared.out << compared.err);
  CHECK(compared.status == 1);
  CHECK_THAT(compared.out, Mentions({"copy/serial/fp64/plain@8x8/manual_time", "slower"}));
  CHECK(cfdmark_with("gate " + base + " " + slower).status == 1);
  CHECK(cfdmark_with("gate " + slower + " " + base).status == 0);
}
