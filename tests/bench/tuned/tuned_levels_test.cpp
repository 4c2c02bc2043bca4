// Tuned configs for the kernels of multigrid levels.
#include "bench/tuned/tuned_levels.hpp"

#include <algorithm>

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/source_hash.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

const TuningDevice h200{"NVIDIA H200", "compute capability 9.0", "13.0", "NVRTC 13.0"};

const Row& row_of(RowKind kind, const std::string& name) {
  return *std::find_if(catalog().begin(), catalog().end(), [&](const Row& r) {
    return r.kind == kind && r.name == name && r.backend == BackendKind::cuda &&
           r.precision == Precision::fp32 && r.method == "plain";
  });
}

Json entry(const std::string& kernel, const std::vector<int>& grid, int block_x) {
  const Json config = {{"block_x", block_x}, {"block_y", 4}, {"block_z", 2}};
  return {{"kind", "kernel"},
          {"name", kernel},
          {"backend", "cuda"},
          {"precision", "fp32"},
          {"scope", "plain"},
          {"grid", grid},
          {"workload", {{"operator", "arrays"}}},
          {"winner", {{"method", "plain"}, {"config", config}}},
          {"source_hash", source_hash(row_of(RowKind::kernel, kernel))}};
}

LevelKernel asked(const std::string& kernel, int side, bool constant = false) {
  return {kernel, "plain", {side, side, side}, Precision::fp32, constant};
}

}  // namespace

TEST_CASE("each kernel of a level gets the config tuned for its size and operator, with a note",
          "[tuned][levels]") {
  const TemporaryFolder folder;
  update_tuned_table(folder.path.string(), h200,
                     {entry("restriction", {64, 64, 64}, 64), entry("restriction", {16, 16, 16}, 8),
                      entry("prolongation", {64, 64, 64}, 32)});
  std::vector<Row> rows;  // as on a machine with a GPU
  for (const char* kernel : {"restriction", "prolongation"})
    rows.push_back(row_of(RowKind::kernel, kernel)), rows.back().unavailable = "";
  TunedLevels levels(read_tuned_tables(folder.path.string()), h200, BackendKind::cuda, rows);
  const LevelConfigs configs = levels.configs();
  CHECK(configs(asked("restriction", 64)).integer("block_x") == 64);
  CHECK(configs(asked("restriction", 16)).integer("block_x") == 8);
  CHECK(configs(asked("prolongation", 64)).integer("block_x") == 32);
  CHECK(configs(asked("prolongation", 16)).empty());       // no range covers it
  CHECK(configs(asked("restriction", 64, true)).empty());  // another operator
  CHECK(configs(asked("no_such_kernel", 64)).empty());
  configs(asked("restriction", 64));
  REQUIRE(levels.found().size() == 5);  // each once; an unknown kernel is not noted
  CHECK(levels.found()[0] == Json{{"grid", "64x64x64"},
                                  {"kernel", "restriction/plain"},
                                  {"match", "exact"},
                                  {"config", {{"block_x", 64}, {"block_y", 4}, {"block_z", 2}}}});
  CHECK(levels.found()[3]["config"].empty());
}

TEST_CASE("a solver with levels but without an entry looks up the kernels of its levels", "[tuned][levels]") {
  const TemporaryFolder folder;
  Row row = row_of(RowKind::solver, "multigrid");
  row.unavailable = "";
  Case c;
  c.row = &row;
  c.domain = Grid{64, 64, 64};
  c.config = row.space.defaults();
  c.workload = {{"problem", "jump"}};
  c.tuned.wanted = true;
  std::vector<Case> cases = {c};
  const Json environment = {{"gpu", {{"name", h200.name}, {"compute_capability", "9.0"}}}};
  use_tuned_configs(cases, read_tuned_tables(folder.path.string()), environment, [](const std::string&) {});
  CHECK(cases[0].config.choice("level_blocks") == "tuned");
  CHECK(cases[0].tuned.match == "none");
  Config without_levels;
  ask_for_tuned_levels(row_of(RowKind::solver, "sor"), without_levels);
  CHECK(without_levels.empty());
  CHECK(tuned_levels(row.space.defaults(), BackendKind::cuda) == nullptr);
}
