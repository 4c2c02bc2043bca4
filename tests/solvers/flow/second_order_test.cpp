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
TEST_CASE("the error in time of the vortices falls by four or more with half the step", "[flow][piso]") {
  const FlowFields exact_in_time = vortices("second_order", 16, 0.01, 0.4).flow;
  const auto error = [&](const std::string& method, double courant) {
    return largest_difference(vortices(method, 16, courant, 0.4).flow.u, exact_in_time.u);
  };
  const double long_step = error("second_order", 0.4), short_step = error("second_order", 0.2);
  INFO(long_step << " " << short_step);
  CHECK(std::log2(long_step / short_step) > 1.9);
  CHECK(std::log2(error("rhie_chow", 0.4) / error("rhie_chow", 0.2)) == Approx(1).margin(0.25));
  CHECK(long_step < 0.1 * error("rhie_chow", 0.4));
}

// An irregular flow between walls, where convection and the pressure at walls matter: random velocities that
// have become smooth. The splitting of pressure and velocity leaves a part of first order at walls.
TEST_CASE(
    "between walls half the step changes PISO's flow of second order eight times less than that of first",
    "[flow][piso]") {
  const auto with_steps = [](const char* method, const std::shared_ptr<const FlowProblem>& problem,
                             double courant, double end_time) {
    return solve_flow_on(backend(BackendKind::serial), flow_method("piso", BackendKind::serial, method),
                         problem,
                         {.solver = "piso",
                          .method = method,
                          .tolerance = 1e-30,
                          .max_iterations = 100000,
                          .config = {{"courant", courant},
                                     {"end_time", end_time},
                                     {"momentum_tolerance", 1e-11},
                                     {"momentum_sweeps", 1000},
                                     {"pressure_sweeps", 15}}})
        .flow;
  };
  FlowProblem smooth = *posed_flow("random_field", {24, 24});
  smooth.start = with_steps("second_order", std::make_shared<const FlowProblem>(smooth), 0.2, 1);
  smooth.start.time = 0;
  const auto problem = std::make_shared<const FlowProblem>(smooth);
  const auto change = [&](const char* method, HostField FlowFields::*field) {
    return largest_difference(with_steps(method, problem, 0.4, 0.2).*field,
                              with_steps(method, problem, 0.2, 0.2).*field);
  };
  for (const auto field : {&FlowFields::u, &FlowFields::v}) {
    const double second = change("second_order", field), first = change("rhie_chow", field);
    INFO(second << " " << first);
    CHECK(second < first / 8);
  }
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

// A prediction with an extrapolated pressure is unstable for short steps: it diverged here after 30 of them.
TEST_CASE("short steps of second order are stable around a body that starts from rest", "[flow][piso]") {
  const SolvedFlow s = solve_flow("tunnel", {128, 32}, {},
                                  {.solver = "piso",
                                   .method = "second_order",
                                   .tolerance = 1e-30,
                                   .max_iterations = 40,
                                   .config = {{"courant", 0.2}}});
  CHECK(s.outcome.iterations == 40);
  CHECK(std::abs(s.result("lift_coefficient")) < 10);
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
