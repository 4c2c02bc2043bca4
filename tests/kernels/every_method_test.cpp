// Every method of every kernel on every backend that runs here, against its host problem.
#include "bench/catalog/case.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Odd, even, smaller than a vector, a warp or a block, and a power of two.
const Grid grids_2d[] = {{1, 1}, {3, 3}, {7, 5}, {33, 17}, {64, 32}, {129, 66}};
const Grid grids_3d[] = {{3, 3, 3}, {5, 7, 4}, {34, 9, 11}};

void check(const Row& row, const Grid& grid, const Config& config) {
  INFO(case_name({&row, grid, config, {}, ""}));
  const Verification v = row.prepare(backend(row.backend), grid, config, {})->verify();
  INFO(v.reason);
  REQUIRE(v.passed);
}

void check_on_all_grids(const Row& row, const Config& config) {
  if (row.in_2d)
    for (const Grid& g : grids_2d) check(row, g, config);
  if (row.in_3d)
    for (const Grid& g : grids_3d) check(row, g, config);
}

void check_backend(BackendKind kind) {
  if (const std::string reason = unavailable_reason(kind); !reason.empty()) {
    WARN("skipped: " << reason);
    return;
  }
  for (const Row& row : catalog())
    if (row.kind == RowKind::kernel && row.backend == kind && row.unavailable.empty()) {
      check_on_all_grids(row, row.space.defaults());
      for (const Config& corner : row.space.corners()) {
        if (row.in_2d) check(row, {37, 19}, corner);
        if (row.in_3d) check(row, {37, 6, 5}, corner);
      }
    }
}

}  // namespace

TEST_CASE("every serial method computes its kernel", "[kernels]") { check_backend(BackendKind::serial); }
TEST_CASE("every openmp method computes its kernel", "[kernels]") { check_backend(BackendKind::openmp); }
TEST_CASE("every kokkos method computes its kernel", "[kernels]") { check_backend(BackendKind::kokkos); }
TEST_CASE("every cuda method computes its kernel", "[kernels][gpu]") { check_backend(BackendKind::cuda); }
