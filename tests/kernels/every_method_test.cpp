// Every method of every kernel on every backend that runs here, against its host problem.
#include "bench/case/case.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <functional>
#include <set>

using namespace cfdmark;

namespace {

// Odd, even, smaller than a vector, a warp or a block, and a power of two.
const Grid grids_2d[] = {{1, 1}, {3, 3}, {7, 5}, {33, 17}, {64, 32}, {129, 66}};
const Grid grids_3d[] = {{3, 3, 3}, {5, 7, 4}, {34, 9, 11}};
const char* const meshes_2d[] = {"triangles-1x1", "triangles-7x5", "triangles-9x8+20"};
const char* const meshes_3d[] = {"tetrahedra-1x1x1", "tetrahedra-3x2x4+9"};

// Checks a row with all problem settings. Returns the number of cases.
int check(const Row& row, const Domain& domain, const Config& config) {
  int cases = 0;
  for (const Config& workload : workload_space(row).all()) {
    INFO(case_name({&row, domain, config, workload, ""}));
    if (row.unsupported && !row.unsupported(domain, workload).empty()) continue;
    const Verification v = row.prepare(backend(row.backend), domain, config, workload)->verify();
    INFO(v.reason);
    REQUIRE(v.passed);
    ++cases;
  }
  return cases;
}

int check_on_all_grids(const Row& row, const Config& config) {
  int cases = 0;
  const auto check_on = [&](const auto& domains) {
    for (const auto& domain : domains)
      if constexpr (std::is_same_v<std::decay_t<decltype(domain)>, Grid>)
        cases += check(row, domain, config);
      else
        cases += check(row, domain_from(domain), config);
  };
  if (row.in_2d) row.runs_on == DomainKind::mesh ? check_on(meshes_2d) : check_on(grids_2d);
  if (row.in_3d) row.runs_on == DomainKind::mesh ? check_on(meshes_3d) : check_on(grids_3d);
  return cases;
}

// Returns false for a Kokkos team with more threads than a host has, which Kokkos refuses.
bool has_its_threads(const Row& row, const Config& config) {
  if (row.backend != BackendKind::kokkos || !config.has("team_size") || config.is("team_size", "auto"))
    return true;
  const Config workload = workload_space(row).all().front();
  const Grid& grid = row.in_2d ? grids_2d[2] : grids_3d[0];
  const int threads =
      row.prepare(backend(row.backend), grid, row.space.defaults(), workload)->resources().threads;
  return threads == 0 || config.integer("team_size") <= threads;  // 0: on a GPU
}

// Checks the selected kernels of a backend: default configs on all grids, corners of their spaces on one
// grid.
struct Part {
  BackendKind kind;
  std::function<bool(const Row&)> wanted = [](const Row&) { return true; };
  bool defaults = true, corners = true;
};

void check_part(const Part& part) {
  if (const std::string reason = unavailable_reason(part.kind); !reason.empty()) {
    WARN("skipped: " << reason);
    return;
  }
  for (const Row& row : catalog())
    if (row.kind == RowKind::kernel && row.backend == part.kind && row.unavailable.empty() &&
        part.wanted(row)) {
      INFO(row_name(row));
      // The layouts of kernels on meshes, and their methods on CUDA: tests/mesh/kernels/methods_test.cpp.
      if (row.runs_on == DomainKind::mesh && part.kind == BackendKind::cuda) continue;
      if (part.defaults) CHECK(check_on_all_grids(row, row.space.defaults()) > 0);
      if (!part.corners || row.runs_on == DomainKind::mesh) continue;
      for (const Config& corner : row.space.corners()) {
        if (!has_its_threads(row, corner)) continue;
        if (row.in_2d) check(row, Grid{37, 19}, corner);
        if (row.in_3d) check(row, Grid{37, 6, 5}, corner);
      }
    }
}

// In parts that can run in parallel, since most of the time is spent on compiling.
void check_cuda(Precision p, bool corners) {
  check_part({BackendKind::cuda, [p](const Row& row) { return row.precision == p; }, !corners, corners});
}

}  // namespace

TEST_CASE("a kernel with an operator is computed with a constant one and with arrays", "[kernels]") {
  std::set<std::string> asked;
  for (const Row& row : catalog())
    if (row.kind == RowKind::kernel && row.method == "plain" && row.backend == BackendKind::serial)
      for (const Config& workload : workload_space(row).all()) asked.insert(row.name + " " + workload.text());
  for (const char* name : {"apply", "residual", "jacobi", "gauss_seidel", "red_black_sor", "cg_direction",
                           "cg_update", "restriction", "prolongation", "operator_coarsening"})
    for (const char* op : {"constant", "arrays"})
      CHECK(asked.contains(fmt::format("{} operator={}", name, op)));
  for (const char* name : {"triad ", "dot ", "smoothing "}) CHECK(asked.contains(name));
}

TEST_CASE("every serial method computes its kernel", "[kernels]") { check_part({BackendKind::serial}); }
TEST_CASE("every openmp method computes its kernel", "[kernels]") { check_part({BackendKind::openmp}); }
TEST_CASE("every kokkos method computes its kernel", "[kernels]") { check_part({BackendKind::kokkos}); }
TEST_CASE("every cuda method computes its kernel, fp32", "[kernels][gpu]") {
  check_cuda(Precision::fp32, false);
}
TEST_CASE("every cuda method computes its kernel, fp64", "[kernels][gpu]") {
  check_cuda(Precision::fp64, false);
}
TEST_CASE("every cuda method computes its kernel, mixed", "[kernels][gpu]") {
  check_cuda(Precision::mixed, false);
}
TEST_CASE("every cuda method computes its kernel at the corners of its space, fp32", "[kernels][gpu]") {
  check_cuda(Precision::fp32, true);
}
TEST_CASE("every cuda method computes its kernel at the corners of its space, fp64", "[kernels][gpu]") {
  check_cuda(Precision::fp64, true);
}
TEST_CASE("every cuda method computes its kernel at the corners of its space, mixed", "[kernels][gpu]") {
  check_cuda(Precision::mixed, true);
}
