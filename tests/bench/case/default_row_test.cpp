// Default methods of kernels and solvers.
#include <cmath>

#include "bench/case/case.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "kernels/device/built.hpp"
#include "kernels/device/cuda/runtime/cuda_limits.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

std::string default_on(BackendKind backend, const std::string& name, const Grid& grid,
                       const Config& asked = {}, RowKind kind = RowKind::kernel,
                       Precision precision = Precision::fp64) {
  std::vector<const Row*> rows;
  for (const Row& row : catalog())
    if (row.kind == kind && row.name == name && row.backend == backend && row.precision == precision)
      rows.push_back(&row);
  REQUIRE_FALSE(rows.empty());
  return default_row(rows, grid, workload_of(*rows.front(), asked)).method;
}
std::string on_cuda(const std::string& name, const Grid& grid, const char* op = "constant") {
  return default_on(BackendKind::cuda, name, grid, {{"operator", op}});
}

constexpr Grid large = {4096, 4096}, small = {512, 512}, box = {256, 256, 256};

}  // namespace

TEST_CASE("without a preferred method the first of the table is the default") {
  for (const char* name : {"jacobi", "red_black_sor", "dot", "triad"})
    CHECK(default_on(BackendKind::serial, name, small) == "plain");
}

TEST_CASE("a row says if a run makes several steps, and no default of a kernel does") {
  for (const Row& row : catalog()) {
    if (row.kind != RowKind::kernel || row.name != "red_black_sor") continue;
    INFO(row_name(row));
    if (row.method == "wavefront") CHECK(row.several_steps);
    if (row.method == "plain" || row.method == "split") CHECK_FALSE(row.several_steps);
    if (row.several_steps) CHECK_FALSE(row.preferred);
  }
}

// results/nvidia-h200: the fastest there, or within a few per cent of it.
TEST_CASE("the defaults on CUDA are those measured to be fast on the grid") {
  if (!built_with_cuda) return;
  CHECK(on_cuda("red_black_sor", large) == "streamed");
  CHECK(on_cuda("red_black_sor", small) == "streamed");
  CHECK(on_cuda("red_black_sor", box) == "split");  // streamed is for 2-D grids
  CHECK(on_cuda("red_black_sor", large, "arrays") == "split");
  CHECK(on_cuda("jacobi", large) == "column");
  CHECK(on_cuda("jacobi", large, "arrays") == "plain");
  CHECK(on_cuda("triad", large) == "vector");
  CHECK(on_cuda("dot", large) == "plain");
}

// docs/decisions: on an H100 for sides of 1300 to 1800 in fp64, never in fp32.
TEST_CASE("red-black SOR on CUDA keeps two fields in the cache if three do not fit") {
  if (!built_with_cuda) return;
  const auto plane = [](double fields_in_cache) {
    const int side = int(std::sqrt(cuda_limits().cache_bytes / 8.0 / fields_in_cache));
    return Grid{side, side};
  };
  CHECK(on_cuda("red_black_sor", plane(4)) == "streamed");
  CHECK(on_cuda("red_black_sor", plane(2.5)) == "split");
  CHECK(on_cuda("red_black_sor", plane(1.9)) == "streamed");
  CHECK(on_cuda("red_black_laplace", plane(2.5)) == "streamed");
}

// results/tuned: the fastest on an H100 and an H200, or within a few per cent of it. One thread per cell
// takes up to six times as long.
TEST_CASE("on CUDA kernels of 5x5 blocks use more threads per cell if fewer cells are independent") {
  if (!built_with_cuda) return;
  for (const RowKind kind : {RowKind::kernel, RowKind::solver})
    for (const Precision precision : {Precision::fp64, Precision::fp32}) {
      const auto of = [&](const std::string& name, int side) {
        return default_on(BackendKind::cuda, name, {side, side, side}, {}, kind, precision);
      };
      for (const int side : {32, 128}) {
        CHECK(of("block_jacobi", side) == "rows");
        CHECK(of("block_red_black", side) == "rows");
        CHECK(of("block_revised_ssor", side) == "warp");
      }
      CHECK(of("block_ssor", 64) == (precision == Precision::fp64 ? "warp" : "rows"));
      CHECK(of("block_ssor", 128) == "rows");
    }
  for (const Row& row : catalog())
    if (row.backend == BackendKind::cuda && row.name == "block_revised_ssor" && row.method == "warp") {
      CHECK(row.space.defaults().integer("points") == 1);
      CHECK(row.space.defaults().choice("layout") == "aos25");
    }
}

TEST_CASE("a thread of a column on CUDA handles 16 bytes unless its kernel has another number") {
  if (!built_with_cuda) return;
  const auto usual = [](const std::string& name, Precision precision) {
    for (const Row& row : catalog())
      if (row.name == name && row.backend == BackendKind::cuda && row.precision == precision &&
          row.method == "column")
        return row.space.defaults().text();
    return std::string();
  };
  CHECK(usual("apply", Precision::fp32) == "block_x=64,block_y=4,cells=4");
  CHECK(usual("apply", Precision::fp64) == "block_x=64,block_y=4,cells=2");
  CHECK(usual("apply", Precision::mixed) == "block_x=64,block_y=4,cells=4");
  CHECK(usual("smoothing", Precision::fp32) == "block_x=128,block_y=1,cells=2");
}

TEST_CASE("the default method of a solver depends on the operator of the problem") {
  if (!built_with_cuda) return;
  const auto solver = [](const char* name, const char* problem) {
    return default_on(BackendKind::cuda, name, large, {{"problem", problem}}, RowKind::solver);
  };
  CHECK(solver("jacobi", "heated_plate") == "pipelined");
  CHECK(solver("jacobi", "jump") == "plain");
  CHECK(solver("cg", "heated_plate") == "fused");
  CHECK(solver("cg", "jump") == "fused");
  const auto cg = [](const Grid& g) {
    return default_on(BackendKind::cuda, "cg", g, {{"problem", "jump"}}, RowKind::solver);
  };
  CHECK(cg({33, 33}) == "persistent");
  // 128 blocks of 32 x 256 cells, with three values per cell in shared memory.
  const CudaLimits& device = cuda_limits();
  const bool holds = device.multiprocessors >= 128 && device.shared_bytes >= 3 * 8 * 32 * 256;
  CHECK(cg({1024, 1024}) == (holds ? "persistent" : "fused"));
  CHECK(cg({4096, 1024}) == "fused");
  CHECK(cg({33, 33, 33}) == "fused");
  CHECK(solver("pcg", "jump") == "fused_multigrid");
  CHECK(solver("bicgstab", "convection") == "fused");
}

TEST_CASE(
    "on a host the default of cg and pcg is fused on large grids with a constant operator, that of bicgstab "
    "always, and pcg has a multigrid cycle") {
  const auto cg = [](BackendKind kind, const Grid& g, const char* problem) {
    return default_on(kind, "cg", g, {{"problem", problem}}, RowKind::solver);
  };
  for (BackendKind kind : {BackendKind::serial, BackendKind::openmp}) {
    CHECK(cg(kind, {2049, 1025}, "heated_plate") == "fused");
    CHECK(cg(kind, {2049, 1025}, "jump") == "textbook");
    CHECK(cg(kind, {129, 129}, "heated_plate") == "textbook");
    const auto of = [&](const char* solver, const Grid& g, const char* problem) {
      return default_on(kind, solver, g, {{"problem", problem}}, RowKind::solver);
    };
    CHECK(of("pcg", {2049, 1025}, "heated_plate") == "fused_multigrid");
    CHECK(of("pcg", {129, 129}, "heated_plate") == "multigrid");
    CHECK(of("pcg", {128, 128}, "periodic_box") == "multigrid");
    CHECK(of("bicgstab", {129, 129}, "convection") == "fused");
  }
}

TEST_CASE("a solver prefers a method with several iterations per pass if it supports the grid") {
  const auto solver = [](BackendKind kind, const char* name, const Grid& g) {
    return default_on(kind, name, g, {{"problem", "manufactured"}}, RowKind::solver);
  };
  for (const char* name : {"sor", "jacobi"}) {
    CHECK(solver(BackendKind::serial, name, large) == "wavefront");
    CHECK(solver(BackendKind::openmp, name, {33, 33, 33}) == "wavefront");
  }
  CHECK(solver(BackendKind::serial, "gauss_seidel", large) == "plain");
  if (!built_with_cuda) return;
  CHECK(solver(BackendKind::cuda, "jacobi", small) == "pipelined");
  CHECK(solver(BackendKind::cuda, "jacobi", {33, 33, 33}) == "column");
  CHECK(solver(BackendKind::cuda, "sor", large) == "staged");
  CHECK(solver(BackendKind::cuda, "sor", small) == "tiled");
  CHECK(solver(BackendKind::cuda, "sor", {33, 33, 33}) == "split");
  const auto with_arrays = [](const Grid& g) {
    return default_on(BackendKind::cuda, "sor", g, {{"problem", "jump"}}, RowKind::solver);
  };
  CHECK(with_arrays(large) == "wavefront");
  CHECK(with_arrays(small) == "tiled");
}
