#include "solvers/flow/inner_solve.hpp"

#include "solvers/linear/table.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

namespace {

SolvedFlow cavity_with(const Config& config, Precision precision = Precision::fp64) {
  const bool rough = precision != Precision::fp64;  // 32 bits are kept of each value
  return solve_flow("cavity", {16, 16}, {},
                    {.precision = precision, .tolerance = rough ? 1e-5 : 1e-10, .config = config});
}

// Between two corners: in a closed box only differences mean anything.
double pressure_rise(const FlowFields& flow) { return flow.p.get(15, 15) - flow.p.get(0, 15); }

}  // namespace

TEST_CASE("the answer does not hang on the solver of the pressure correction", "[flow]") {
  const SolvedFlow sor = cavity_with({});
  REQUIRE(sor.outcome.converged);
  for (const char* solver : {"cg", "pcg", "multigrid"}) {
    INFO(solver);
    const SolvedFlow other = cavity_with({{"pressure_solver", solver}});
    CHECK(other.outcome.converged);
    CHECK(largest_difference(other.flow.u, sor.flow.u) < 1e-8);
    CHECK(std::abs(pressure_rise(other.flow) - pressure_rise(sor.flow)) < 1e-7);
    CHECK(other.outcome.history != sor.outcome.history);  // it was another solver
  }
}

// The equations of a closed box leave a constant open, and these are solved beyond rounding.
TEST_CASE("a solver of the pressure correction that goes on beyond rounding does no harm", "[flow]") {
  for (const char* solver : {"cg", "pcg", "multigrid"})
    for (Precision p : all_precisions) {
      INFO(solver << " " << to_string(p));
      const SolvedFlow s = cavity_with({{"pressure_solver", solver}, {"pressure_sweeps", 100}}, p);
      CHECK(s.outcome.converged);
      CHECK(s.found.mass < 1e-5);
    }
}

TEST_CASE("an inner solve ends at its tolerance, or after as many iterations as it may take", "[flow]") {
  const auto problem = std::make_shared<const LinearProblem>(make_problem("manufactured", {31, 31}, {}));
  for (const char* solver : {"sor", "cg", "pcg", "multigrid"}) {
    INFO(solver);
    OwnedSystem system(backend(BackendKind::serial), Precision::fp64, problem->grid, problem->constant);
    system.upload(*problem);
    const auto solved = [&](const InnerSettings& settings) {
      system.upload_start(problem->initial);
      const ResidualNorm norm(system.system(), {});
      const double before = norm();
      InnerSolve solve(system.system(), settings, {{"omega", 1.8}});
      solve();
      return std::pair{solve.iterations(), norm() / before};
    };
    const auto [enough, reached] = solved({solver, 1000, 1e-3});
    CHECK(enough < 200);
    CHECK(reached <= 1e-3);
    CHECK(solved({solver, 10, 1e-12}).first == 10);
    const auto [always, far] = solved({solver, 200, 0});
    CHECK(always == 200);
    CHECK(far < 1e-6);
  }
}

// What the first velocities lose is known before any pressure is solved for.
TEST_CASE("the mass that is told as lost is all of it, whatever solves the pressure correction", "[flow]") {
  const auto lost = [](const char* solver) {
    return solve_flow("kovasznay", {16, 16}, {},
                      {.tolerance = 1e-30, .max_iterations = 1, .config = {{"pressure_solver", solver}}})
        .residual("mass");
  };
  CHECK(lost("cg") == lost("sor"));
  CHECK(lost("pcg") == lost("sor"));
  CHECK(lost("multigrid") == lost("sor"));
}

TEST_CASE("a tolerance of the pressure correction saves iterations, and keeps the answer", "[flow]") {
  const SolvedFlow all = cavity_with({{"pressure_solver", "cg"}, {"pressure_sweeps", 200}});
  const SolvedFlow few =
      cavity_with({{"pressure_solver", "cg"}, {"pressure_sweeps", 200}, {"pressure_tolerance", 0.01}});
  CHECK(few.outcome.converged);
  CHECK(few.outcome.cost.bytes < all.outcome.cost.bytes / 2);
  CHECK(largest_difference(few.flow.u, all.flow.u) < 1e-8);
}

// Its cycles reduce the residual by as much on any grid, where conjugate gradients need the more the finer it
// is. A flow's unknowns are those of cells and its walls let nothing through, which the transfers, made for
// points and given values, do not know: it is less than the tenth a cycle of their own problems.
TEST_CASE("a few cycles of multigrid solve a pressure correction on any grid", "[flow]") {
  for (const int side : {16, 32, 64}) {
    INFO(side);
    const SolvedFlow s =
        solve_flow("cavity", {side, side}, {},
                   {.tolerance = 1e-5, .config = {{"pressure_solver", "multigrid"}, {"pressure_sweeps", 3}}});
    const SolvedFlow exact = solve_flow(
        "cavity", {side, side}, {},
        {.tolerance = 1e-5, .config = {{"pressure_solver", "multigrid"}, {"pressure_sweeps", 30}}});
    CHECK(s.outcome.converged);
    CHECK(s.outcome.iterations <= exact.outcome.iterations + exact.outcome.iterations / 4);
  }
}

TEST_CASE("what cannot solve a pressure correction is refused", "[flow]") {
  CHECK_THROWS_WITH(
      solve_flow("taylor_green", {16, 16}, {}, {.solver = "piso", .config = {{"pressure_solver", "cg"}}}),
      ContainsSubstring("between periodic sides it is sor"));
  for (const FlowMethod& method : find_flow_solver("simple")->methods(BackendKind::cuda))
    CHECK_THROWS_WITH(method.space.complete({{"pressure_tolerance", 0.1}, {"graph_iterations", 10}}),
                      ContainsSubstring("set graph_iterations=1"));
}

TEST_CASE("iterations that the host judges within are not recorded where nobody says", "[flow]") {
  for (const FlowSolverDescription& solver : flow_solver_table())
    for (const FlowMethod& method : solver.methods(BackendKind::cuda)) {
      INFO(solver.name << " " << method.name);
      const auto recorded = [&](const Config& given) {
        return method.space.complete(given).whole("graph_iterations");
      };
      CHECK(recorded({}) == 10);
      CHECK(recorded({{"pressure_tolerance", 0.0}}) == 10);
      CHECK(recorded({{"pressure_tolerance", 0.1}}) == 1);
      CHECK(recorded({{"pressure_tolerance", 0.1}, {"graph_iterations", 1}}) == 1);
      CHECK(method.space.defaults({{"pressure_tolerance", 0.1}}).whole("graph_iterations") == 1);
    }
}

TEST_CASE("a tuner of flows varies how they are solved, and not what", "[flow]") {
  for (const FlowSolverDescription& solver : flow_solver_table())
    for (const FlowMethod& method : solver.methods(BackendKind::serial)) {
      const TuningSpace& space = method.space;
      for (const char* of_the_answer : {"convection", "courant", "end_time", "pressure_tolerance"})
        if (const Setting* setting = find_setting(space.settings, of_the_answer))
          CHECK(setting->values.empty());
      CHECK(space.complete({{"convection", "upwind"}}).is("convection", "upwind"));  // yet may be set
      CHECK_THROWS_WITH(space.complete({{"pressure_solver", "cg"}, {"pressure_omega", 1.5}}),
                        ContainsSubstring("pressure_omega is sor's"));
    }
}
