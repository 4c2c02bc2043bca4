// The direct solver on an emulated device: our kernels before and after the transforms, with plain sums in
// place of cuFFT.
#include "kernels/cells/operator_problem.hpp"
#include "kernels/device/backends/counting.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/cuda_emulation/line_transform.hpp"
#include "tests/solvers/linear/counting.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

const Grid grids[] = {{1, 1}, {9, 6}, {40, 3}, {7, 35}, {5, 4, 3}, {2, 9, 11}};

}  // namespace

TEST_CASE("sine transforms by real transforms solve the equations on an emulated device", "[cuda][direct]") {
  EmulatedCuda device;
  for (const Grid& g : grids)
    for (Precision p : all_precisions) {
      INFO(g.nx << "x" << g.ny << "x" << g.nz << " " << to_string(p));
      const auto problem = posed("manufactured", g);
      const double tolerance = p == Precision::fp32 ? 1e-5 : 1e-12;
      const Solved s = solve("direct", direct_by_sums(), device, p, problem, {tolerance, 20});
      CHECK(s.outcome.converged);
      if (p != Precision::mixed) CHECK(s.outcome.iterations == 1);
      CHECK(residual_norm(*problem, s.u) <=
            2 * tolerance * std::max(1.0, residual_norm(*problem, problem->initial)));
    }
}

TEST_CASE("a line of three values becomes 0 a b c 0 -c -b -a in every direction", "[cuda][direct]") {
  for (int axis : {0, 1, 2}) {
    const Grid g{axis == 0 ? 3 : 2, axis == 1 ? 3 : 2, axis == 2 ? 3 : 2};
    const GridLines lines = sine_lines(g, axis);
    CHECK(lines.n == 3);
    CHECK(lines.lines == 4);
    CHECK(lines.period == 8);
    CHECK(lines.coefficients() == 5);
    CHECK(lines.position(0, 0, 0) == 0);
    CHECK(lines.position(axis == 0 ? 2 : 0, axis == 1 ? 2 : 0, axis == 2 ? 2 : 0) == 2);
    CHECK(lines.line(g.nx, g.ny, g.nx - 1, g.ny - 1, g.nz - 1) == 3);
  }
  EmulatedCuda device;
  const auto problem = posed("manufactured", {3, 1});
  std::vector<double> seen;
  const SolverMethod looks =
      direct_method({"looks", {}, direct_by_lines([&seen](const LineTransform& t) -> HostCall {
                       return {[&seen, t](const CudaQueue&) {
                         const double* v = static_cast<const double*>(t.values);
                         if (t.lines.axis == 0 && seen.empty()) seen.assign(v, v + 8);
                       }};
                     })});
  solve("direct", looks, device, Precision::fp64, problem, {1e-12, 1});
  REQUIRE(seen.size() == 8);
  CHECK(seen[0] == 0);
  CHECK(seen[4] == 0);
  CHECK(seen[1] != 0);
  for (int m : {1, 2, 3}) CHECK(seen[8 - m] == -seen[m]);
}

TEST_CASE(
    "the direct solver's allocations on a device are counted: fields, and the lines of the longest axis",
    "[cuda][direct][memory]") {
  EmulatedCuda device;
  for (const Grid& g : grids)
    for (Precision p : all_precisions) {
      INFO(g.nx << "x" << g.ny << "x" << g.nz << " " << to_string(p));
      CountedCuda real(device);
      const PreparedSolver prepared(solver_named("direct"), direct_by_sums(), real, p, {},
                                    posed("manufactured", g));
      CHECK(prepared.field_bytes() == real.most());
    }
  const Grid g{3, 4};  // lines of 4: 3 x 10 values and 3 x 6 complex; lines of 3: 4 x 8 and 4 x 5
  const std::size_t values = 32 + 2 * 20 + (3 + 4 + 1);
  const std::size_t without = counted_bytes(BackendKind::cuda, [&](Backend& counting) {
    const OwnedSystem system(counting, Precision::fp64, g, timed_constant_operator(g));
    const Field r = system.system().new_field();
    const DeviceScalar rr(counting);
    const Operation dot = Operations(system.system(), {}).dot(r.view(), r.view(), rr);
  });
  CHECK(solver_bytes(direct_by_sums(), BackendKind::cuda, {g, true, Precision::fp64}, {}) ==
        without + values * sizeof(double));
}

TEST_CASE("the kernels around the transforms compile for two architectures in both precisions",
          "[cuda][direct]") {
  for (const char* architecture : {"sm_80", "sm_90"}) {
    CudaOffline offline;
    for (Precision p : {Precision::fp32, Precision::fp64})
      PreparedSolver(solver_named("direct"), direct_by_sums(), offline, p, {}, posed("manufactured", {9, 6}));
    int ours = 0;
    for (const CompiledFunction& f : offline.compile(architecture))
      for (const char* name : {"odd_extension", "::sines", "divided_sines"})
        ours += f.expression.find(name) != std::string::npos;
    CHECK(ours == 6);
  }
}
