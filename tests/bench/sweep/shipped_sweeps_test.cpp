// The sweeps that come with the program.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "bench/sweep/sweep.hpp"
#include "test_paths.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

std::vector<std::string> shipped_sweeps() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CFDMARK_SWEEPS))
    if (entry.path().extension() == ".yaml" && entry.path().stem() != "campaign")
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string path_of(const std::string& name) { return std::string(CFDMARK_SWEEPS) + "/" + name + ".yaml"; }

}  // namespace

TEST_CASE("the sweeps named by the documentation exist", "[sweep]") {
  for (const char* name :
       {"quick", "poisson", "memory_paths", "precision", "scaling_threads", "kokkos", "h200", "gate", "flow"})
    CHECK(std::filesystem::exists(path_of(name)));
}

TEST_CASE("every shipped sweep starts with a comment and has a question", "[sweep]") {
  for (const std::string& path : shipped_sweeps()) {
    INFO(path);
    std::string first_line;
    std::getline(std::ifstream(path), first_line);
    CHECK(first_line.starts_with("# "));
    CHECK(read_sweep(path).question.ends_with("?"));
  }
}

TEST_CASE("every shipped sweep has cases with unique names", "[sweep]") {
  for (const std::string& path : shipped_sweeps()) {
    INFO(path);
    const Sweep sweep = read_sweep(path);
    CHECK(!sweep.cases.empty());
    std::set<std::string> names;
    for (const Case& c : sweep.cases) {
      INFO(case_name(c));
      CHECK(names.insert(case_name(c)).second);
    }
  }
}

// Cases from all parts of each sweep, on tiny grids.
TEST_CASE("every shipped sweep gives correct results on tiny grids", "[sweep]") {
  for (const std::string& path : shipped_sweeps())
    for (const Case& c : read_sweep(path, {9, 100, {}}).cases) {
      if (!c.not_run.empty() || (c.row->unsupported && !c.row->unsupported(c.domain, c.workload).empty()))
        continue;  // a body that so few cells cannot represent
      if (c.config.has("level_blocks") && c.config.is("level_blocks", "tuned"))
        continue;  // only a worker of `run` has a tuned table
      INFO(path << ": " << case_name(c));
      const Verification v = c.row->prepare(backend(device_of(c)), c.domain, c.config, c.workload)->verify();
      INFO(v.reason);
      REQUIRE(v.passed);
    }
}

TEST_CASE("every sweep for a published experiment has the name of its published data", "[sweep]") {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CFDMARK_SWEEPS "/reproduce")) {
    INFO(entry.path());
    CHECK(std::filesystem::exists(CFDMARK_SWEEPS "/../results/published" / entry.path().filename()));
    ++found;
  }
  CHECK(found > 0);
}

// Each takes a few minutes on two cores, at 1 to 1.5 seconds per case.
TEST_CASE("a sweep for a published experiment has at most 120 cases without a GPU", "[sweep]") {
  for (const auto& entry : std::filesystem::directory_iterator(CFDMARK_SWEEPS "/reproduce")) {
    INFO(entry.path());
    const Sweep sweep = read_sweep(entry.path().string());
    CHECK(std::count_if(sweep.cases.begin(), sweep.cases.end(),
                        [](const Case& c) { return c.row->backend != BackendKind::cuda; }) <= 120);
  }
}

// At 1 to 1.5 seconds per case.
TEST_CASE("the sweep quick has at most 160 cases without a GPU", "[sweep]") {
  const Sweep sweep = read_sweep(path_of("quick"));
  CHECK(std::count_if(sweep.cases.begin(), sweep.cases.end(),
                      [](const Case& c) { return c.row->backend != BackendKind::cuda; }) <= 160);
}

TEST_CASE("the sweep h200 has at most 340 cases", "[sweep]") {
  const std::vector<Case> cases = read_sweep(path_of("h200")).cases;
  const auto ours = std::count_if(cases.begin(), cases.end(), [](const Case& c) {
    return c.row->source.starts_with("kernels/") || c.row->kind == RowKind::solver;
  });
  CHECK(ours <= 340);
}
