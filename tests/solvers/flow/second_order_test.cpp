// PISO with steps of second order.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

namespace {

// Both equations are solved far below the error of a step.
SolvedFlow vortices(const std::string& method, int n, double courant, double end_time) {
  return solve_flow("taylor_green", {n, n}, {{"reynolds", 20.0}},
                    {.solver = "piso",
                     .method = method,
                     .tolerance = 1e-30,
                     .max_iterations = 100000,
                     .config = {{"courant", courant},
                                {"end_time", end_time},
                                {"momentum_tolerance", 1e-10},
                                {"momentum_sweeps", 1000},
                                {"pressure_sweeps", 12}}});
}

}  // namespace

// The flow of the same grid with steps of a fortieth stands for exact time integration.
TEST_CASE("the method second_order of PISO is second order in time, rhie_chow first", "[flow][piso]") {
  const auto order = [](const std::string& method) {
    const FlowFields exact_in_time = vortices("second_order", 16, 0.01, 0.4).flow;
    const double long_step = largest_difference(vortices(method, 16, 0.4, 0.4).flow.u, exact_in_time.u),
                 short_step = largest_difference(vortices(method, 16, 0.2, 0.4).flow.u, exact_in_time.u);
    INFO(method << " " << long_step << " " << short_step);
    return std::log2(long_step / short_step);
  };
  CHECK(order("second_order") == Approx(2).margin(0.2));
  CHECK(order("rhie_chow") == Approx(1).margin(0.25));
}

// Halving cells and steps together quarters the error of the exact vortices.
TEST_CASE("the error of the vortices falls with second order in space and time together", "[flow][piso]") {
  const double coarse = vortices("second_order", 32, 0.5, 0.5).result("error_u_l2"),
               fine = vortices("second_order", 64, 0.5, 0.5).result("error_u_l2");
  INFO(coarse << " " << fine);
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.25));
}

TEST_CASE("steps of second order are stable at a Courant number of 1, and end in the state of SIMPLE",
          "[flow][piso]") {
  const FlowFields simple = solve_flow("cavity", {16, 16}, {}, {.tolerance = 1e-10}).flow;
  const SolvedFlow s = solve_flow(
      "cavity", {16, 16}, {},
      {.solver = "piso", .method = "second_order", .tolerance = 1e-10, .config = {{"courant", 1.0}}});
  CHECK(s.outcome.converged);
  CHECK(largest_difference(s.flow.u, simple.u) < 1e-7);
}

// `verify` computes the residuals of the flow alone, without its older level.
TEST_CASE("the residuals of steps of second order are those of the flow alone", "[flow][piso]") {
  const FlowMethod method = flow_method("piso", BackendKind::serial, "second_order");
  PreparedFlow prepared(*find_flow_solver("piso"), method, backend(BackendKind::serial), Precision::fp64,
                        method.space.complete({{"end_time", 0.2}}), posed_flow("taylor_green", {32, 32}));
  prepared.reset();
  Outcome outcome = prepared.solve(1e-6, 1000);
  const Judgement judgement = prepared.verify(outcome, 1e-6);
  CHECK(judgement.wrong.empty());
  CHECK(judgement.residuals.at(0).value > 1e-3);  // the vortices decay
  CHECK(judgement.residuals.at(0).value == Approx(SolvedFlow::named(outcome.residuals, "momentum")));
}
