// Cases that a machine cannot run are kept, with a reason.
#include <algorithm>

#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/limits.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/sweep/sweep_support.hpp"
#include "tests/catch.hpp"
#include "tests/domains.hpp"

using namespace cfdmark;

namespace {

std::string reason(const std::string& block, const SweepOptions& options = {}) {
  const Sweep sweep = sweep_of_block("precisions: fp64\n" + block, options);
  REQUIRE(sweep.cases.size() == 1);
  return sweep.cases[0].not_run;
}

}  // namespace

TEST_CASE("a case that can run has no reason", "[sweep]") {
  CHECK(reason("kernels: jacobi\nbackends: serial\ngrids: 8x8") == "");
}

TEST_CASE("a case on an absent device has a reason and keeps its config", "[sweep]") {
  const Sweep sweep = sweep_of_block(
      "kernels: jacobi\nbackends: cuda\nprecisions: fp64\ngrids: 8x8\n"
      "parameters: {block_x: 64}");
  REQUIRE(sweep.cases.size() == 1);
  CHECK(sweep.cases[0].not_run == "no device");
  CHECK(case_name(sweep.cases[0]) == "jacobi/cuda/fp64/plain@8x8:block_x=64,block_y=4");
}

TEST_CASE("methods and parameters of a backend that was not built are accepted unchecked", "[sweep]") {
  const Sweep sweep = sweep_of_block(
      "kernels: jacobi\nbackends: kokkos\nprecisions: fp64\ngrids: 8x8\n"
      "methods: [plain, hierarchical]\nparameters: {tile_x: [16, 32]}\n"
      "exclude: [{tile_x: 16}]");
  CHECK(names(sweep) ==
        std::vector<std::string>{"jacobi/kokkos/fp64/plain@8x8", "jacobi/kokkos/fp64/hierarchical@8x8"});
  for (const Case& c : sweep.cases) CHECK(c.not_run == "built without Kokkos");
}

TEST_CASE("a block of too many threads is not run, with the reason", "[sweep]") {
  std::vector<Row> rows = small_catalog();
  for (Row& row : rows) row.unavailable.clear();
  const Sweep built = sweep_of_block(
      "kernels: jacobi\nbackends: cuda\nprecisions: fp64\ngrids: 8x8\n"
      "parameters: {block_x: [16, 512], block_y: 4}",
      {}, rows);
  REQUIRE(built.cases.size() == 2);
  CHECK(built.cases[0].not_run == "");
  CHECK(built.cases[1].not_run == "a block has at most 1024 threads");
}

TEST_CASE("a case with more threads than available is not run", "[sweep]") {
  CHECK(reason("kernels: jacobi\nbackends: openmp\ngrids: 8x8\nparameters: {threads: 3}") == "");
  CHECK_THAT(reason("kernels: jacobi\nbackends: openmp\ngrids: 8x8\nparameters: {threads: 5}"),
             Mentions({"5 threads", "4"}));
}

TEST_CASE("a 3-D kernel on a 2-D grid is not run, with the reason", "[sweep]") {
  CHECK_THAT(reason("kernels: smoothing\nbackends: serial\ngrids: 8x9"),
             Mentions({"smoothing", "3-D", "8x9", "2-D"}));
  CHECK(reason("kernels: smoothing\nbackends: serial\ngrids: 8x8x8") == "");
}

// In the small catalog a case takes 8 bytes per cell for its fields, and 16 for preparation and checks.
TEST_CASE("a grid too large for the memory is not run, with the numbers", "[sweep]") {
  SweepOptions options;
  options.host_memory = 24'000'000;
  CHECK(reason("kernels: jacobi\nbackends: serial\ngrids: 1000x1000", options) == "");
  CHECK_THAT(reason("kernels: jacobi\nbackends: serial\ngrids: 1000x2000", options),
             Mentions({"0.05 GB", "0.03 GB", "0.02 GB"}));
}

TEST_CASE("fields of a device do not count against the host, but their reference does", "[sweep]") {
  std::vector<Row> rows = small_catalog();
  for (Row& row : rows) row.unavailable.clear();
  SweepOptions options;
  options.host_memory = 16'000'000;
  const Sweep sweep = sweep_of_block(
      "kernels: jacobi\nbackends: cuda\nprecisions: fp64\ngrids: [1000x1000, 1001x1000]", options, rows);
  REQUIRE(sweep.cases.size() == 2);
  CHECK(sweep.cases[0].not_run == "");
  CHECK_THAT(sweep.cases[1].not_run, Mentions({"GB of host memory"}));
}

TEST_CASE("by default the memory is that of this machine", "[sweep]") {
  CHECK_THAT(reason("kernels: jacobi\nbackends: serial\ngrids: 1000000x1000000"), Mentions({"24000.00 GB"}));
}

TEST_CASE("every row of the catalog knows its memory", "[sweep]") {
  for (const Row& row : catalog()) {
    INFO(row_name(row));
    const Domain domain = domain_for(row, {8, 8}, {8, 8, 8});
    const Config question = workload_of(row);
    if (row.unsupported && !row.unsupported(domain, question).empty())
      continue;  // takes nothing, since it does not run
    REQUIRE(row.field_bytes(domain, question) > 0);
    REQUIRE(row.host_bytes(domain, question) > 0);
  }
}

TEST_CASE("coefficient arrays count as memory, and a method without them is not run", "[sweep]") {
  for (const Row& row : catalog()) {
    if (row.kind != RowKind::kernel || row.name != "jacobi" || row.backend != BackendKind::serial) continue;
    INFO(row_name(row));
    const Config constant = workload_of(row), arrays = workload_of(row, {{"operator", "arrays"}});
    const double field = row.field_bytes(Grid{64, 64}, constant) / 3;  // u, b and out
    CHECK(row.field_bytes(Grid{64, 64}, arrays) == 8 * field);
    CHECK(row.host_bytes(Grid{64, 64}, arrays) - row.host_bytes(Grid{64, 64}, constant) == 5 * field);
    const Case c{&row, Grid{64, 64}, row.space.defaults(), arrays, ""};
    CHECK((why_not_run(c, 1'000'000'000) == "") == (row.method != "c_loop"));
  }
}

TEST_CASE("what a row does not support for a problem is the reason why its case is not run", "[sweep]") {
  CHECK(reason("solvers: cg\nbackends: serial\ngrids: 8x8x8\nproblems: heated_plate") == "a plate is flat");
  CHECK(reason("solvers: cg\nbackends: serial\ngrids: 8x8x8\nproblems: manufactured") == "");
}

TEST_CASE("the heated plate is not run in 3-D, with any solver", "[sweep]") {
  for (const Row& row : catalog()) {
    if (!row.in_3d || !find_problem(row, "heated_plate")) continue;
    INFO(row_name(row));
    CHECK(row.unsupported(Grid{8, 8, 8}, workload_of(row, {{"problem", "heated_plate"}})) ==
          "heated_plate is a 2-D problem; in 3-D use manufactured, jump, convection, insulated, "
          "periodic_box, periodic_channel, graded_channel");
    CHECK(row.unsupported(Grid{8, 8, 8}, workload_of(row, {{"problem", "manufactured"}})) == "");
  }
}

TEST_CASE("the memory of multigrid includes the coarse grids for the sides of a problem", "[sweep]") {
  // An odd number of cells around a channel is not coarsened, so the next grid has half of the cells, not a
  // quarter.
  for (const Row& row : catalog()) {
    if (row.kind != RowKind::solver || row.name != "multigrid" || row.backend != BackendKind::serial ||
        row.method != "plain" || row.precision != Precision::fp64)
      continue;
    const auto bytes = [&](const char* problem) {
      return row.field_bytes(Grid{1025, 1024}, workload_of(row, {{"problem", problem}}));
    };
    CHECK(bytes("graded_channel") > 1.05 * bytes("jump"));
  }
}
