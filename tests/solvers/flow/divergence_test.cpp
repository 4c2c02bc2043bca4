// Detection of diverged flows and of their last good state.
#include "solvers/flow/divergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

namespace {

struct Solve {
  std::shared_ptr<const FlowProblem> problem;
  FlowMethod method;
  PreparedFlow prepared;

  Solve(const std::string& solver, const Config& config)
      : problem(posed_flow("cavity", {16, 16})),
        method(flow_method(solver, BackendKind::serial, "rhie_chow")),
        prepared(*find_flow_solver(solver), method, backend(BackendKind::serial), Precision::fp64,
                 method.space.complete(config), problem) {}
  Outcome after(int iterations) {
    prepared.reset();
    return prepared.solve(1e-30, iterations);
  }
};

double fastest(const FlowFields& flow) {
  double most = 0;
  for_each_cell(flow.u.grid(), false,
                [&](int i, int j, int k) { most = std::max(most, std::abs(flow.u.get(i, j, k))); });
  return most;
}

}  // namespace

TEST_CASE("the last good state of a diverging flow is physical", "[flow][diverge]") {
  for (const auto& [solver, config] :
       {std::pair<const char*, Config>{"simple",
                                       {{"velocity_relaxation", 1.0}, {"pressure_relaxation", 1.0}}},
        {"piso", {{"courant", 30.0}, {"pressure_solver", "sor"}, {"pressure_sweeps", 5}}}}) {
    INFO(solver);
    Solve s(solver, config);
    const Outcome outcome = s.after(2000);
    CHECK_FALSE(std::isfinite(outcome.relative_residual));
    const auto found = find_divergence(s.prepared, *s.problem, outcome);
    REQUIRE(found);
    CHECK(found->last_good < outcome.iterations);
    CHECK(fastest(found->flow) <= 100);
    // The next state is not sound.
    s.after(found->last_good);
    CHECK(is_sound(*s.problem, s.prepared.solution()));
    s.after(found->last_good + 1);
    CHECK_FALSE(is_sound(*s.problem, s.prepared.solution()));
  }
}

TEST_CASE("a flow that has merely not converged did not diverge", "[flow][diverge]") {
  Solve s("simple", {});
  CHECK_FALSE(find_divergence(s.prepared, *s.problem, s.after(20)));
}

TEST_CASE("a flow with a NaN, or a hundred times too fast, is not sound", "[flow][diverge]") {
  const FlowProblem problem = make_flow_problem(*find_flow_problem("cavity"), {8, 8});
  CHECK(is_sound(problem, problem.start));
  const auto spoiled = [&](HostField FlowFields::*field, double value) {
    FlowFields flow = problem.start;
    (flow.*field).set(3, 4, 0, value);
    return is_sound(problem, flow);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto field : {&FlowFields::u, &FlowFields::v, &FlowFields::p}) CHECK_FALSE(spoiled(field, nan));
  CHECK(spoiled(&FlowFields::u, -99));
  CHECK_FALSE(spoiled(&FlowFields::v, -101));
  CHECK(spoiled(&FlowFields::p, 1e6));
}

TEST_CASE("the cell Peclet number uses the fastest flow and the longest side of a cell", "[flow]") {
  // With a mean speed of 1 the maximum is 1.5; 8 rows of cells sample the inflow 6 y (1 - y) at their
  // centres.
  const double inflow = 6 * 7.0 / 16 * 9 / 16;
  CHECK(cell_peclet_number(flow_with("channel", {16, 8}, {{"reynolds", 40.0}})) ==
        Approx(inflow * 0.25 * 40));
  CHECK(cell_peclet_number(make_flow_problem(*find_flow_problem("cavity"), {8, 8, 4})) == Approx(0.25 * 100));
}
