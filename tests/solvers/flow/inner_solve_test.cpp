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

// Pressure difference between two corners: in a closed box only differences are defined.
double pressure_rise(const FlowFields& flow) { return flow.p.get(15, 15) - flow.p.get(0, 15); }

}  // namespace

TEST_CASE("the answer does not depend on the solver of the pressure correction", "[flow]") {
  const SolvedFlow sor = cavity_with({});
  REQUIRE(sor.outcome.converged);
  for (const char* solver : {"gauss_seidel", "cg", "pcg", "bicgstab", "multigrid"}) {
    INFO(solver);
    const SolvedFlow other = cavity_with({{"pressure_solver", solver}});
    CHECK(other.outcome.converged);
    CHECK(largest_difference(other.flow.u, sor.flow.u) < 1e-8);
    CHECK(std::abs(pressure_rise(other.flow) - pressure_rise(sor.flow)) < 1e-7);
    CHECK(other.outcome.history != sor.outcome.history);  // another solver was used
  }
}

// The pressure equations of a closed box are singular; here they are solved beyond rounding.
TEST_CASE("solving the pressure correction beyond rounding does no harm", "[flow]") {
  for (const char* solver : {"cg", "pcg", "multigrid"})
    for (Precision p : all_precisions) {
      INFO(solver << " " << to_string(p));
      const SolvedFlow s = cavity_with({{"pressure_solver", solver}, {"pressure_sweeps", 100}}, p);
      CHECK(s.outcome.converged);
      CHECK(s.found.mass < 1e-5);
    }
}

TEST_CASE("an inner solve ends at its tolerance or at its iteration limit", "[flow]") {
  const auto problem = std::make_shared<const LinearProblem>(make_problem("manufactured", {31, 31}, {}));
  for (const char* solver : {"jacobi", "gauss_seidel", "sor", "cg", "pcg", "bicgstab", "multigrid"}) {
    INFO(solver);
    OwnedSystem system(backend(BackendKind::serial), Precision::fp64, problem->grid, problem->constant);
    system.upload(*problem);
    const auto solved = [&](const InnerSettings& settings) {
      system.upload_start(problem->initial);
      const ResidualNorm norm(system.system(), {});
      const double before = norm();
      InnerSolve solve(system.system(), settings, {{"omega", 1.8}});
      solve();
      return std::pair{solve.mean_iterations(), norm() / before};
    };
    const auto [enough, reached] = solved({solver, 5000, 1e-3});
    CHECK(enough < 2000);
    CHECK(reached <= 1e-3);
    CHECK(solved({solver, 10, 1e-12}).first == 10);
    CHECK(solved({solver, 13, 1e-12}).first == 13);  // no multiple of the check interval
    const auto [always, far] = solved({solver, 200, 0});
    CHECK(always == 200);
    CHECK(far < 0.3);
  }
}

// 4 u_0 - u_1 = 5 and 5 u_1 - 2 u_0 = 11 give 2 and 3. Unsymmetric, as with convection.
TEST_CASE("an inner solve of two cells equals the one worked by hand", "[flow]") {
  const Grid two{2, 1};
  Operator arrays;
  arrays.constant = false;
  OwnedSystem system(backend(BackendKind::serial), Precision::fp64, two, arrays);
  LinearProblem problem;
  problem.grid = two;
  problem.coefficients.assign(5, HostField(two, Precision::fp64));
  problem.b = HostField(two, Precision::fp64);
  problem.b.set(0, 0, 0, 5), problem.b.set(1, 0, 0, 11);
  problem.coefficients[1].set(0, 0, 0, 1);  // east of the first cell
  problem.coefficients[0].set(1, 0, 0, 2);  // west of the second cell
  problem.coefficients[4].set(0, 0, 0, 4), problem.coefficients[4].set(1, 0, 0, 5);
  system.upload(problem);
  const auto solved = [&](const InnerSettings& settings) {
    system.upload_start(HostField(two, Precision::fp64));
    InnerSolve solve(system.system(), settings, {{"omega", 1.0}});
    solve();
    const HostField u = system.u().download();
    return std::pair{u.get(0, 0), u.get(1, 0)};
  };
  CHECK(solved({"jacobi", 1}) == std::pair{1.25, 2.2});
  CHECK(solved({"jacobi", 2}) == std::pair{(5 + 2.2) / 4, (11 + 2.5) / 5});
  CHECK(solved({"gauss_seidel", 1}) == std::pair{1.25, 13.5 / 5});  // in the order of the cells
  CHECK(solved({"sor", 1}) == std::pair{1.25, 13.5 / 5});           // red, then black
  for (const char* solver : {"jacobi", "gauss_seidel", "sor", "bicgstab", "multigrid"}) {
    INFO(solver);
    const auto [first, second] = solved({solver, 100, 1e-13});
    CHECK(first == Approx(2).epsilon(1e-12));
    CHECK(second == Approx(3).epsilon(1e-12));
  }
}

TEST_CASE("the answer does not depend on the solver of the momentum equations", "[flow]") {
  const SolvedFlow swept = cavity_with({});
  REQUIRE(swept.outcome.converged);
  for (const Config& by :
       {Config{{"momentum_sweeps", 40}, {"momentum_tolerance", 0.01}},
        Config{{"momentum_solver", "jacobi"}, {"momentum_sweeps", 4}},
        Config{{"momentum_solver", "gauss_seidel"}}, Config{{"momentum_solver", "bicgstab"}},
        Config{{"momentum_solver", "bicgstab"}, {"momentum_method", "red_black"}},
        Config{{"momentum_solver", "bicgstab"}, {"momentum_method", "multigrid"}},
        Config{{"momentum_solver", "multigrid"}, {"momentum_tolerance", 0.1}}}) {
    INFO(by.text());
    const SolvedFlow other = cavity_with(by);
    CHECK(other.outcome.converged);
    CHECK(largest_difference(other.flow.u, swept.flow.u) < 1e-8);
    CHECK(largest_difference(other.flow.v, swept.flow.v) < 1e-8);
    CHECK(other.outcome.history != swept.outcome.history);  // another solver was used
  }
}

TEST_CASE("momentum solved to a tolerance gives the same answer on every backend", "[flow]") {
  for (const char* solver : {"simple", "piso"}) {
    const auto solved = [&](BackendKind kind) {
      return solve_flow("tunnel", {40, 10}, {{"diameter", 0.5}},
                        {.solver = solver,
                         .backend = kind,
                         .tolerance = 1e-9,
                         .config = {{"momentum_solver", "bicgstab"},
                                    {"momentum_sweeps", 20},
                                    {"momentum_tolerance", 1e-3},
                                    {"pressure_solver", "multigrid"},
                                    {"pressure_sweeps", 10},
                                    {"pressure_tolerance", 0.1}}});
    };
    const SolvedFlow serial = solved(BackendKind::serial);
    CHECK(serial.outcome.converged);
    for (const BackendKind kind : {BackendKind::openmp, BackendKind::kokkos}) {
      if (!unavailable_reason(kind).empty()) continue;
      INFO(solver << " on " << to_string(kind));
      const SolvedFlow other = solved(kind);
      CHECK(other.outcome.converged);
      CHECK(largest_difference(other.flow.u, serial.flow.u) < 1e-7);
    }
  }
}

// Ten iterations that no tolerance ends cost ten iterations: a check of fused CG is free.
TEST_CASE("the cost of an inner solve to a tolerance counts the iterations it did", "[flow]") {
  const auto cost = [](const Config& config) {
    return solve_flow("cavity", {16, 16}, {}, {.tolerance = 1e-30, .max_iterations = 7, .config = config})
        .outcome.cost.bytes;
  };
  const auto pressure = [&](double tolerance, int most) {
    return cost({{"pressure_solver", "cg"}, {"pressure_sweeps", most}, {"pressure_tolerance", tolerance}});
  };
  CHECK(pressure(1e-14, 10) == pressure(0, 10));
  CHECK(pressure(1e-14, 13) == pressure(0, 13));
  CHECK(pressure(0.5, 200) < pressure(0, 200) / 4);
  const auto momentum = [&](double tolerance) {
    return cost(
        {{"momentum_solver", "bicgstab"}, {"momentum_sweeps", 50}, {"momentum_tolerance", tolerance}});
  };
  CHECK(momentum(0.5) < momentum(0) / 2);
}

TEST_CASE("a flow reports the iterations of its inner solves to a tolerance", "[flow]") {
  const SolvedFlow s = cavity_with({{"pressure_solver", "cg"},
                                    {"pressure_sweeps", 13},
                                    {"pressure_tolerance", 1e-14},
                                    {"momentum_solver", "jacobi"},
                                    {"momentum_sweeps", 25},
                                    {"momentum_tolerance", 0.5}});
  CHECK(s.result("pressure_iterations") == 13);
  // One interval between two checks suffices; initially v needs no solve.
  CHECK(s.result("momentum_iterations") == Approx(20).margin(0.1));
  CHECK(cavity_with({{"pressure_solver", "cg"}}).results.size() + 2 == s.results.size());
}

// The continuity residual of the first velocities does not depend on any pressure solve.
TEST_CASE("the reported continuity residual does not depend on the pressure solver", "[flow]") {
  const auto lost = [](const char* solver) {
    return solve_flow("kovasznay", {16, 16}, {},
                      {.tolerance = 1e-30, .max_iterations = 1, .config = {{"pressure_solver", solver}}})
        .residual("mass");
  };
  CHECK(lost("cg") == lost("sor"));
  CHECK(lost("pcg") == lost("sor"));
  CHECK(lost("multigrid") == lost("sor"));
}

TEST_CASE("a tolerance of the pressure correction saves iterations and keeps the answer", "[flow]") {
  const SolvedFlow all = cavity_with({{"pressure_solver", "cg"}, {"pressure_sweeps", 200}});
  const SolvedFlow few =
      cavity_with({{"pressure_solver", "cg"}, {"pressure_sweeps", 200}, {"pressure_tolerance", 0.01}});
  CHECK(few.outcome.converged);
  CHECK(few.outcome.cost.bytes < all.outcome.cost.bytes / 2);
  CHECK(largest_difference(few.flow.u, all.flow.u) < 1e-8);
}

// A multigrid cycle reduces the residual equally on any grid, whereas conjugate gradients need more
// iterations on finer grids. The transfers are made for points with given boundary values; on cells with
// insulated walls a cycle reduces less than tenfold.
TEST_CASE("a few multigrid cycles solve a pressure correction on any grid", "[flow]") {
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

TEST_CASE("a solver that cannot solve the pressure correction is an error", "[flow]") {
  CHECK_THROWS_WITH(
      solve_flow("taylor_green", {16, 16}, {},
                 {.solver = "piso", .config = {{"pressure_solver", "cg"}, {"pressure_method", "fused"}}}),
      ContainsSubstring("fused: ") && ContainsSubstring("cg/textbook"));
  CHECK_THROWS_WITH(cavity_with({{"pressure_solver", "jacobi"}}), ContainsSubstring("checkerboard"));
}

TEST_CASE("a solver that cannot solve the momentum equations is an error with its reason", "[flow]") {
  const auto refused = [](BackendKind kind, const Config& config) {
    std::string all;
    for (const FlowMethod& method : find_flow_solver("simple")->methods(kind)) {
      try {
        method.space.complete(config);
      } catch (const std::invalid_argument& e) {
        all = e.what();
      }
    }
    return all;
  };
  const BackendKind serial = BackendKind::serial;
  for (const char* solver : {"cg", "pcg"})
    CHECK_THAT(refused(serial, {{"momentum_solver", solver}}),
               ContainsSubstring(std::string(solver) + " needs symmetric equations") &&
                   ContainsSubstring("bicgstab"));
  CHECK_THAT(refused(serial, {{"momentum_solver", "direct"}}), ContainsSubstring("momentum_solver: direct"));
  for (const char* solver : {"hypre", "ginkgo"})
    CHECK_THAT(refused(serial, {{"momentum_solver", solver}}),
               ContainsSubstring("momentum_solver: " + std::string(solver)));
  CHECK_THAT(refused(BackendKind::cuda, {{"momentum_solver", "gauss_seidel"}}),
             ContainsSubstring("gauss_seidel") && ContainsSubstring("cuda"));
  CHECK_THAT(refused(serial, {{"momentum_method", "multigrid"}}),
             ContainsSubstring("method multigrid applies to cg, pcg and bicgstab"));
  CHECK_THAT(refused(serial, {{"momentum_solver", "bicgstab"}, {"momentum_method", "fused_multigrid"}}),
             ContainsSubstring("usual, textbook, fused, red_black, multigrid"));
  CHECK_THROWS_WITH(
      solve_flow("taylor_green", {16, 16}, {}, {.solver = "piso", .config = {{"momentum_solver", "jacobi"}}}),
      ContainsSubstring("jacobi: "));
}

TEST_CASE("a tuner varies how a flow is solved, not what is solved", "[flow]") {
  for (const FlowSolverDescription& solver : flow_solver_table())
    for (const FlowMethod& method : solver.methods(BackendKind::serial)) {
      const TuningSpace& space = method.space;
      for (const char* of_the_answer :
           {"convection", "courant", "end_time", "pressure_tolerance", "momentum_tolerance"})
        if (const Setting* setting = find_setting(space.settings, of_the_answer))
          CHECK(setting->values.empty());
      CHECK(space.complete({{"convection", "upwind"}}).is("convection", "upwind"));  // but it may be set
      CHECK_THROWS_WITH(space.complete({{"pressure_solver", "cg"}, {"pressure_omega", 1.5}}),
                        ContainsSubstring("pressure_omega needs pressure_solver=sor"));
    }
}
