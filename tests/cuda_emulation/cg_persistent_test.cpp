// Conjugate gradients in one launch, with sums over all blocks.
#include "tests/cuda_emulation/persistent_cases.hpp"

#include <cstring>

#include "kernels/device/cuda/runtime/cuda.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/solvers/linear/solve.hpp"
#include "tests/without_device.hpp"

using namespace cfdmark;

namespace {

Solved persistent(Backend& on, Precision p, const std::shared_ptr<const LinearProblem>& problem,
                  double tolerance, Config config, int most = 5000) {
  return solve("cg", persistent_cg_method(), on, p, problem,
               {.tolerance = tolerance, .max_iterations = most, .config = config});
}

// Checks the residual after each iteration.
Solved textbook(Precision p, const std::shared_ptr<const LinearProblem>& problem, double tolerance,
                int most) {
  return solve("cg", method_named(cg_solver(), BackendKind::serial, "textbook"), backend(BackendKind::serial),
               p, problem,
               {.tolerance = tolerance, .max_iterations = most, .config = {{"check_interval", 1}}});
}

bool same_bits(const HostField& a, const HostField& b) {
  return std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

void check_refused(Backend& device, const Grid& grid, const std::string& blocks) {
  CHECK_THROWS_AS(persistent(device, Precision::fp64, posed("heated_plate", grid), 1e-8, {}),
                  std::invalid_argument);
  CHECK_THROWS_WITH(
      persistent(device, Precision::fp64, posed("heated_plate", grid), 1e-8, {}),
      ContainsSubstring("cg_persistent") && ContainsSubstring(blocks) && ContainsSubstring("at once"));
}

}  // namespace

TEST_CASE("persistent CG solves one cell between walls of 1, 0, 0, 0 in one iteration: 1/4, by hand",
          "[cuda][cg]") {
  EmulatedCuda device;
  for (const char* sums : {"two", "one"}) {
    const Solved s =
        persistent(device, Precision::fp64, posed("heated_plate", {1, 1}), 1e-12, {{"sums", sums}});
    CHECK(s.outcome.iterations == 1);
    CHECK(s.u.get(0, 0) == 0.25);
  }
}

// Points are 1/3 apart in x and 1/2 in y: weights 1 and 4/9, 26/9 at the centre. With 1 on the left wall and
// 0 on the others, 26/9 u - v = 1 and 26/9 v = u, so u = 234/595 and v = 81/595.
TEST_CASE("persistent CG solves two cells in two iterations: 234/595 and 81/595, by hand", "[cuda][cg]") {
  EmulatedCuda device;
  auto two_cells = *posed("heated_plate", {2, 1});
  for (int i : {0, 1}) two_cells.initial.set(i, -1, 0, 0), two_cells.initial.set(i, 1, 0, 0);
  two_cells.initial.set(-1, 0, 0, 1), two_cells.initial.set(2, 0, 0, 0);
  const auto problem = std::make_shared<const LinearProblem>(two_cells);
  for (const char* sums : {"two", "one"}) {
    INFO(sums);
    const Solved s = persistent(device, Precision::fp64, problem, 1e-12, {{"sums", sums}});
    CHECK(s.outcome.iterations == 2);
    CHECK(s.u.get(0, 0) == Approx(234 / 595.).epsilon(1e-15));
    CHECK(s.u.get(1, 0) == Approx(81 / 595.).epsilon(1e-15));
  }
}

TEST_CASE("persistent CG has the textbook's residual after ten iterations for any shape of its blocks",
          "[cuda][cg]") {
  EmulatedCuda device;
  for_each_persistent_cg_case([&](const auto& problem, Precision p, const Config& shape) {
    INFO(problem->description->name << " " << to_string(p) << " " << shape.text());
    const Outcome expected = textbook(p, problem, 1e-30, 10).outcome,
                  found = persistent(device, p, problem, 1e-30, shape, 10).outcome;
    REQUIRE(found.iterations == 10);
    CHECK(found.relative_residual ==
          Approx(expected.relative_residual).epsilon(p == Precision::fp64 ? 1e-11 : 1e-4));
  });
}

TEST_CASE("persistent CG stops in the same iteration as the textbook method, with its solution",
          "[cuda][cg]") {
  EmulatedCuda device;
  const auto problem = posed("heated_plate", {50, 38});
  const Solved expected = textbook(Precision::fp64, problem, 1e-6, 500);
  for (const Config& shape : persistent_cg_shapes()) {
    INFO(shape.text());
    const Solved found = persistent(device, Precision::fp64, problem, 1e-6, shape, 500);
    REQUIRE(found.outcome.converged);
    CHECK(found.outcome.iterations == expected.outcome.iterations);
    CHECK(found.outcome.iterations % 100 != 0);  // a launch's length
    double apart = 0;
    for_each_cell(problem->grid, false, [&](int i, int j, int k) {
      apart = std::max(apart, std::abs(found.u.get(i, j, k) - expected.u.get(i, j, k)));
    });
    CHECK(apart < 1e-10);
  }
}

TEST_CASE("persistent CG gives the same bits in one launch, in many, and when repeated", "[cuda][cg]") {
  EmulatedCuda device;
  const auto problem = posed("manufactured", {50, 38});
  for (const Config& shape : {persistent_cg_shapes().front(), persistent_cg_shapes().back()}) {
    INFO(shape.text());
    const auto after = [&](int iterations, int a_launch) {
      Config config = shape;
      config.set("check_interval", a_launch);
      return solve("cg", persistent_cg_method(), device, Precision::fp64, problem,
                   {.tolerance = 1e-30, .max_iterations = iterations, .config = config});
    };
    const Solved once = after(24, 24), often = after(24, 5), again = after(24, 24);
    CHECK(often.outcome.history.size() == 6);
    CHECK(once.outcome.history.back() == often.outcome.history.back());
    CHECK(same_bits(once.u, often.u));
    CHECK(same_bits(once.u, again.u));
  }
}

TEST_CASE("a solve by persistent CG is unaffected by a failed one before", "[cuda][cg]") {
  EmulatedCuda device;
  const auto problem = posed("heated_plate", {15, 15});
  HostField broken = problem->initial;
  broken.set(3, 3, 0, std::nan(""));
  for (const char* sums : {"two", "one"}) {
    INFO(sums);
    const Config config = persistent_cg_method().space.complete({{"sums", sums}});
    OwnedSystem system(device, Precision::fp64, problem->grid, problem->constant);
    Solver cg(device, persistent_cg_method().prepare(system.system(), config), config);
    system.upload_start(broken);
    REQUIRE_FALSE(cg.solve(1e-10, 100).converged);
    system.upload_start(problem->initial);
    REQUIRE(cg.solve(1e-10, 500).converged);
    CHECK(system.u().download().get(7, 7) == Approx(0.25).epsilon(1e-8));
  }
}

TEST_CASE("persistent CG refuses a grid that the device cannot hold and names both numbers of blocks",
          "[cuda][cg]") {
  EmulatedCuda device;  // holds eight blocks, each of 32 columns by 16 rows of up to 16 cells
  check_refused(device, {33, 1025}, "10 blocks");
  if (skipped_without_device()) return;
  check_refused(cuda_backend(), {8192, 8192}, "8192 blocks");
}

TEST_CASE("persistent CG reads and writes r, p and u once per launch, and A p for one sum: bytes by hand",
          "[cuda][cg]") {
  EmulatedCuda device;
  const auto problem = posed("manufactured", {9, 6});
  const auto bytes = [&](const char* sums) {
    const Solved s =
        solve("cg", persistent_cg_method(), device, Precision::fp64, problem,
              {.tolerance = 1e-30, .max_iterations = 6, .config = {{"check_interval", 3}, {"sums", sums}}});
    CHECK(s.outcome.iterations == 6);
    return s.outcome.cost.bytes;
  };
  CHECK(bytes("two") == 2 * 6 * 9 * 6 * 8);
  CHECK(bytes("one") == 2 * 8 * 9 * 6 * 8);
}

TEST_CASE("persistent CG converges like the fused method on a device, on odd grids up to a million cells",
          "[cuda][cg][gpu]") {
  if (skipped_without_device()) return;
  for (const Grid& grid : {Grid{3, 3}, {5, 1023}, {255, 257}, {1023, 511}, {1023, 1023}})
    for (const char* name : {"manufactured", "jump"})
      for (const Precision p : {Precision::fp32, Precision::fp64}) {
        INFO(name << " " << grid.nx << "x" << grid.ny << " " << to_string(p));
        const auto problem = posed(name, grid);
        const auto after_40 = [&](const SolverMethod& method, Config config) {
          config.set("check_interval", 20);
          return solve("cg", method, cuda_backend(), p, problem,
                       {.tolerance = 1e-30, .max_iterations = 40, .config = config});
        };
        const Solved fused = after_40(method_named(cg_solver(), BackendKind::cuda, "fused"), {});
        for (const char* sums : {"two", "one"})
          for (const int rows : {4, 16}) {                      // about a hundred blocks, and several hundred
            if (rows == 4 && grid.cells() > 1000000) continue;  // more than an H200 holds at once
            INFO(sums << " " << rows);
            const Config config{{"sums", sums}, {"block_y", rows}};
            const Solved once = after_40(persistent_cg_method(), config),
                         again = after_40(persistent_cg_method(), config);
            CHECK(same_bits(once.u, again.u));
            if (grid.cells() > 100)  // otherwise only rounding errors remain
              CHECK(once.outcome.relative_residual ==
                    Approx(fused.outcome.relative_residual).epsilon(p == Precision::fp64 ? 1e-6 : 0.05));
          }
      }
}
