// PISO on flows with known solutions.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

namespace {

SolvedFlow vortices(int n, double courant, double end_time = 0.2, Config config = {}) {
  config.set("courant", courant), config.set("end_time", end_time);
  return solve_flow("taylor_green", {n, n}, {}, {.solver = "piso", .tolerance = 1e-30, .config = config});
}

}  // namespace

// The pressure term of the face velocity is fourth order and dominates until it is small.
TEST_CASE("the Taylor-Green vortices decay at the exact rate, more accurately on finer grids",
          "[flow][piso]") {
  const SolvedFlow coarse = vortices(16, 0.1), middle = vortices(32, 0.1), fine = vortices(64, 0.1);
  for (const char* error : {"error_u_l2", "error_v_l2"}) {
    INFO(error);
    CHECK(std::log2(coarse.result(error) / middle.result(error)) > 1.9);
    CHECK(std::log2(middle.result(error) / fine.result(error)) > 1.9);
    CHECK(fine.result(error) < 2e-4);
  }
}

// Halving the cells halves the time step: the error is first order in it once the time error dominates.
TEST_CASE("with its defaults PISO's error of the vortices decreases with every finer grid", "[flow][piso]") {
  const auto error = [](int n) { return vortices(n, 0.5, 0.5).result("error_u_l2"); };
  const double coarse = error(32), middle = error(64), fine = error(128);
  INFO(coarse << " " << middle << " " << fine);
  CHECK(coarse < 1.5e-3);
  CHECK(middle < 0.65 * coarse);
  CHECK(fine < 0.5 * middle);
  CHECK(fine < 3.5e-4);
}

TEST_CASE("PISO reports the unsolved part of momentum in a time step, which more passes reduce",
          "[flow][piso]") {
  const auto left = [](const Config& config) { return vortices(64, 0.5, 0.1, config).found.momentum_left; };
  CHECK(left({}) < 1e-4);
  CHECK(left({}) > 0);
  const double few = left({{"momentum_sweeps", 2}, {"momentum_tolerance", 0.0}}),
               more = left({{"momentum_sweeps", 5}, {"momentum_tolerance", 0.0}});
  CHECK(more > most_momentum_left);
  CHECK(few > 2 * more);
}

TEST_CASE("momentum passes end at the tolerance, with periodic sides and between walls", "[flow][piso]") {
  for (const char* problem : {"taylor_green", "cavity"})
    for (const double tolerance : {1e-2, 1e-6}) {
      INFO(problem << " " << tolerance);
      const auto solved = [&](const Config& config) {
        FlowOptions options{.solver = "piso", .tolerance = 1e-30, .max_iterations = 10, .config = config};
        return solve_flow(problem, {32, 32}, {}, options);
      };
      const SolvedFlow judged = solved({{"momentum_tolerance", tolerance}}),
                       many = solved({{"momentum_tolerance", 0.0}, {"momentum_sweeps", 200}});
      CHECK(judged.found.momentum_left <= tolerance);
      CHECK(judged.result("momentum_iterations") < 80);
      CHECK(largest_difference(judged.flow.u, many.flow.u) < tolerance);
      const SolvedFlow few = solved({{"momentum_tolerance", tolerance}, {"momentum_sweeps", 3}});
      CHECK(few.result("momentum_iterations") == 3);
    }
}

// Rounding in 32 bits exceeds the tolerance; passes must not continue for that.
TEST_CASE("in 32 bits momentum passes end at rounding", "[flow][piso]") {
  const SolvedFlow s = solve_flow(
      "cavity", {16, 16}, {},
      {.solver = "piso", .precision = Precision::fp32, .tolerance = 1e-30, .max_iterations = 2000});
  CHECK(s.result("momentum_iterations") < 50);
}

TEST_CASE("PISO is first order in time", "[flow][piso]") {
  const FlowFields exact_in_time = vortices(16, 0.01).flow;
  const double long_step = largest_difference(vortices(16, 0.4).flow.u, exact_in_time.u),
               short_step = largest_difference(vortices(16, 0.2).flow.u, exact_in_time.u);
  CHECK(std::log2(long_step / short_step) == Approx(1).margin(0.25));
}

// Without the neighbours' corrections in the second corrector it diverges.
TEST_CASE("PISO is stable beyond a Courant number of 1", "[flow][piso]") {
  const SolvedFlow s = vortices(32, 1.9, 2);
  CHECK(s.outcome.converged);
  CHECK(s.result("error_u_max") < 0.05);
}

TEST_CASE("a transient flow ends at its end time, after whole steps", "[flow][piso]") {
  const SolvedFlow s = vortices(16, 0.7, 0.1);
  CHECK(s.outcome.converged);
  CHECK(s.outcome.iterations == 3);  // 0.1 / (0.7 / 16) is 2.3
  CHECK(s.flow.time == Approx(0.1).epsilon(1e-12));
  CHECK(solve_flow("taylor_green", {16, 16}, {}, {.solver = "piso", .tolerance = 1e-30, .max_iterations = 2})
            .flow.time == Approx(2 * 0.5 / 16).epsilon(1e-12));
}

TEST_CASE("a transient flow does not end before its end time, however little it changes", "[flow][piso]") {
  const SolvedFlow s = solve_flow("taylor_green", {16, 16}, {},
                                  {.solver = "piso", .tolerance = 0.5, .config = {{"end_time", 0.1}}});
  CHECK(s.outcome.iterations == 4);
  CHECK(s.flow.time == Approx(0.1));
  CHECK_THROWS_WITH(vortices(16, 1e-9, 1), ContainsSubstring("end_time=1 "));
}

TEST_CASE("PISO converges to the state of SIMPLE, whatever its time step", "[flow][piso]") {
  const FlowFields simple = solve_flow("cavity", {16, 16}, {}, {.tolerance = 1e-10}).flow;
  for (const double courant : {0.5, 1.0}) {
    INFO(courant);
    const SolvedFlow s = solve_flow("cavity", {16, 16}, {},
                                    {.solver = "piso", .tolerance = 1e-10, .config = {{"courant", courant}}});
    CHECK(s.outcome.converged);
    CHECK(largest_difference(s.flow.u, simple.u) < 1e-7);
  }
}

TEST_CASE("PISO conserves mass to rounding if its pressure is solved", "[flow][piso]") {
  CHECK(vortices(16, 0.2, 0.2, {{"pressure_sweeps", 20}}).found.mass < 1e-10);
  CHECK(vortices(16, 0.2, 0.2, {{"pressure_solver", "sor"}, {"pressure_sweeps", 100}}).found.mass < 1e-10);
}

// tests/bench/commands/solve_flow_test.cpp shows that plain passes diverge in the cavity, and that these
// defaults converge.
TEST_CASE("PISO's default pressure solver is the one advised where plain passes diverge", "[flow][piso]") {
  for (const char* name : {"rhie_chow", "paper"}) {
    const FlowMethod method = flow_method("piso", BackendKind::serial, name);
    CHECK(method.space.defaults() ==
          method.space.complete({{"pressure_solver", "multigrid"}, {"pressure_sweeps", 2}}));
  }
}
