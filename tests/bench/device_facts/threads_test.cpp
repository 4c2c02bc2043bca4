// A record states the threads that ran, whatever the environment says.
#include "bench/device_facts/threads.hpp"

#include <fstream>

#include "bench/device_facts/host_facts.hpp"
#include "bench/record/records.hpp"
#include "kernels/device/backend.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Runs the program in a shell after NAME=VALUE.
Ended with_environment(const std::string& variables, const std::string& arguments) {
  return cfdmark_with(arguments, "", variables + " ");
}

struct SmallRun {
  TemporaryFolder folder;
  std::string sweep = folder / "s.yaml", output = folder / "r.jsonl";

  explicit SmallRun(const std::string& backends, const std::string& parameters = "") {
    std::ofstream(sweep) << "question: How many threads?\nblocks:\n  - {kernels: copy, backends: " << backends
                         << ", methods: default, precisions: fp64, grids: 65x65" << parameters << "}\n";
  }
  Ended operator()(const std::string& variables) const {
    return with_environment(
        variables, "run " + sweep + " --output " + output + " --no-roofs --processes 1 --case-seconds 0.01");
  }
  std::vector<Json> records() const {
    std::vector<Json> found;
    for (Json& line : read_records(output).lines)
      if (line["type"] == "record") found.push_back(std::move(line));
    return found;
  }
};

bool has_openmp() { return unavailable_reason(BackendKind::openmp).empty(); }

}  // namespace

TEST_CASE("far more threads than processors are an error that names the variable", "[threads]") {
  CHECK(thread_count_complaint("OMP_NUM_THREADS", "4", 2).empty());
  CHECK(thread_count_complaint("OMP_NUM_THREADS", "4,2", 2).empty());
  CHECK(thread_count_complaint("OMP_NUM_THREADS", "many", 2).empty());  // OpenMP itself reports it
  CHECK(thread_count_complaint("OMP_NUM_THREADS", "512", 256).empty());
  CHECK_THAT(thread_count_complaint("OMP_NUM_THREADS", "100000", 2),
             Mentions({"OMP_NUM_THREADS='100000'", "256", "2 processors"}));
  for (const char* value : {"", "many", "0", "-1", "2x", "100000"})
    CHECK_FALSE(thread_count_complaint("KOKKOS_NUM_THREADS", value, 2).empty());
  const Ended refused = with_environment("OMP_NUM_THREADS=100000", "devices --no-roofs");
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Mentions({"cfdmark: OMP_NUM_THREADS='100000'"}));
}

TEST_CASE("a team has the requested number of threads", "[threads]") {
  if (!has_openmp()) {
    WARN("skipped: built without OpenMP");
    return;
  }
  CHECK(openmp_team_size(1) == 1);
  CHECK(openmp_team_size(3) == 3);
}

TEST_CASE("under a thread limit max is the limit", "[threads][program]") {
  if (!has_openmp()) {
    WARN("skipped: built without OpenMP");
    return;
  }
  const SmallRun run("openmp", ", parameters: {threads: [1, max]}");
  REQUIRE(run("OMP_NUM_THREADS=2 OMP_THREAD_LIMIT=1").status == 0);
  const std::vector<Json> records = run.records();
  REQUIRE(records.size() == 1);
  CHECK(records[0]["config"]["threads"] == 1);
  CHECK(records[0]["resources"]["threads"] == 1);
}

TEST_CASE("a case with more threads than the limit is not run, with the reason", "[threads][program]") {
  if (!has_openmp()) {
    WARN("skipped: built without OpenMP");
    return;
  }
  const SmallRun run("openmp", ", parameters: {threads: 2}");
  run("OMP_NUM_THREADS=2 OMP_THREAD_LIMIT=1");
  const std::vector<Json> records = run.records();
  REQUIRE(records.size() == 1);
  CHECK(records[0]["status"] == "not_run");
  CHECK_THAT(records[0]["reason"].get<std::string>(), ContainsSubstring("2 threads"));
}

TEST_CASE("OMP_DYNAMIC does not reduce threads on a busy machine", "[threads][program]") {
  if (!has_openmp()) {
    WARN("skipped: built without OpenMP");
    return;
  }
  const SmallRun run("openmp", ", parameters: {threads: 2}");
  REQUIRE(run("OMP_NUM_THREADS=2 OMP_DYNAMIC=true").status == 0);
  CHECK(run.records().at(0)["resources"]["threads"] == 2);
}

TEST_CASE("a run with other threads or another binding measures again", "[threads][program]") {
  if (!has_openmp()) {
    WARN("skipped: built without OpenMP");
    return;
  }
  const bool kokkos =
      unavailable_reason(BackendKind::kokkos).empty() && backend(BackendKind::kokkos).host_accessible();
  const SmallRun run(kokkos ? "kokkos" : "openmp", kokkos ? "" : ", parameters: {threads: 1}");
  const std::vector<std::string> environments = {"OMP_NUM_THREADS=1", "OMP_NUM_THREADS=2",
                                                 "OMP_NUM_THREADS=2 OMP_PROC_BIND=false",
                                                 "OMP_NUM_THREADS=2 OMP_PROC_BIND=false OMP_PLACES=cores"};
  std::size_t measured = 0;
  for (const std::string& variables : environments) {
    INFO(variables);
    REQUIRE(run(variables).status == 0);
    CHECK(run.records().size() == ++measured);
    REQUIRE(run(variables).status == 0);
    CHECK(run.records().size() == measured);
  }
  if (!kokkos) return;
  CHECK(run.records()[0]["resources"]["threads"] == 1);
  CHECK(run.records()[1]["resources"]["threads"] == 2);
  run("OMP_NUM_THREADS=2 OMP_PROC_BIND=false OMP_PLACES=cores KOKKOS_NUM_THREADS=1");
  CHECK(run.records().size() == measured + 1);
  CHECK(run.records().back()["resources"]["threads"] == 1);
}
