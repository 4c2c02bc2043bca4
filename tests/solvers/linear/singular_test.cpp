// Singular systems: with insulated sides every solver that accepts them finds the answer of mean 0, and
// right-hand sides without a solution are reported.
#include <cmath>

#include "solvers/linear/multigrid/multigrid.hpp"
#include "solvers/linear/system/null_space.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

Solved insulated(const std::string& solver, BackendKind kind, const std::string& method, const Grid& g,
                 const SolveOptions& options = {.tolerance = 1e-11}, Precision p = Precision::fp64) {
  return solve(solver, method_named(solver_named(solver), kind, method), backend(kind), p,
               posed("insulated", g), options);
}
double mean(const HostField& u) {
  double sum = 0;
  for_each_cell(u.grid(), false, [&](int i, int j, int k) { sum += u.get(i, j, k); });
  return sum / double(u.grid().cells());
}

}  // namespace

TEST_CASE("the insulated box has the conductances worked by hand", "[problems][singular]") {
  const LinearProblem p = make_problem("insulated", {3, 6});  // cells twice as wide as high
  const auto cell = [&](int i, int j) {
    std::vector<double> found;
    for (const HostField& c : p.coefficients) found.push_back(c.get(i, j, 0));
    return found;
  };
  CHECK(cell(1, 2) == std::vector<double>{1, 1, 4, 4, 10});
  CHECK(cell(0, 5) == std::vector<double>{0, 1, 4, 0, 5});
  // Right-hand side of the first cell, x = 1/6 and y = 1/12: -(s'' s + s s'') / 9, s = t^2 (3 - 2 t).
  const double sx = 2. / 27, sy = 17. / 864, by_hand = -(4 * sy + sx * 5) / 9;
  CHECK(p.b.get(0, 0) == Approx(by_hand).epsilon(1e-13));
  const LinearProblem box = make_problem("insulated", {2, 2, 4});
  CHECK(box.coefficients.size() == 7);
  CHECK(box.coefficients[4].get(0, 0, 0) == 0);
  CHECK(box.coefficients[5].get(0, 0, 0) == 4);
  CHECK(box.coefficients[6].get(0, 0, 0) == 6);
}

TEST_CASE("two insulated cells have the answer worked by hand", "[singular]") {
  // u0 - u1 = b0, u1 - u0 = -b0, u0 + u1 = 0: u0 = b0 / 2.
  for (const SolverDescription& solver : solver_table()) {
    if (!refusal(solver, find_problem("insulated")).empty()) continue;
    const SolverMethod method = solver.methods(BackendKind::serial).front();
    const auto problem = posed("insulated", {2, 1});
    if (!can_do(method, shape_of(*problem, Precision::fp64))) continue;
    INFO(solver.name);
    const Solved s =
        solve(solver.name, method, backend(BackendKind::serial), Precision::fp64, problem, {1e-12, 1000});
    CHECK(s.u.get(0, 0) == Approx(problem->b.get(0, 0) / 2).epsilon(1e-10));
    CHECK(s.u.get(1, 0) == Approx(-problem->b.get(0, 0) / 2).epsilon(1e-10));
  }
}

TEST_CASE(
    "every solver and method finds the insulated answer of mean 0, in every precision, on every backend",
    "[singular]") {
  int solved = 0;
  for (BackendKind kind : backends_here())
    for (const SolverDescription& solver : solver_table()) {
      if (!refusal(solver, find_problem("insulated")).empty()) continue;
      for (const SolverMethod& method : solver.methods(kind))
        for (Precision p : all_precisions)
          for (const Grid& g : {Grid{24, 17}, Grid{8, 9, 7}}) {
            const auto problem = posed("insulated", g);
            if (!can_do(method, shape_of(*problem, p))) continue;
            INFO(solver.name << "/" << to_string(kind) << "/" << to_string(p) << "/" << method.name << " "
                             << name(g));
            const double tolerance = p == Precision::fp32 ? 2e-5 : 1e-10;
            const Solved s = solve(solver.name, method, backend(kind), p, problem, {tolerance, 20000});
            CHECK(s.outcome.converged);
            CHECK(std::abs(mean(s.u)) <= (p == Precision::fp32 ? 1e-7 : 1e-15) * 10);
            const Solved exact = insulated("pcg", BackendKind::serial, "multigrid", g, {1e-13, 100});
            double off = 0;
            for_each_cell(g, false, [&](int i, int j, int k) {
              off = std::max(off, std::abs(s.u.get(i, j, k) - exact.u.get(i, j, k)));
            });
            CHECK(off <= 100 * tolerance);
            ++solved;
          }
    }
  CHECK(solved >= 60);
}

TEST_CASE("the insulated answer is second order, in 2-D and 3-D, at odd and even numbers of cells",
          "[singular]") {
  for (BackendKind kind : backends_here())
    for (const char* solver : {"multigrid", "pcg", "bicgstab"})
      for (const bool d3 : {false, true})
        for (const int n : {8, 9}) {
          const std::string method = std::string(solver) == "multigrid" ? "plain" : "multigrid";
          const auto error = [&](int side) {
            const Grid g = d3 ? Grid{side, side, side} : Grid{side, side};
            return insulated(solver, kind, method, g).error.l2;
          };
          INFO(solver << "/" << to_string(kind) << (d3 ? " 3-D " : " 2-D ") << n);
          const double order = std::log(error(n) / error(2 * n + n % 2)) / std::log((2. * n + n % 2) / n);
          CHECK(order > 1.8);
          CHECK(order < 2.2);
        }
}

TEST_CASE(
    "a V(2,2) cycle between insulated sides reduces the residual tenfold, on average and after the first "
    "cycle",
    "[singular][multigrid]") {
  for (const Grid& g :
       {Grid{32, 32}, Grid{33, 33}, Grid{64, 64}, Grid{65, 65}, Grid{127, 127}, Grid{128, 128}, Grid{100, 37},
        Grid{150, 20}, Grid{2, 2}, Grid{3, 2}, Grid{16, 16, 16}, Grid{17, 17, 17}, Grid{31, 31, 31},
        Grid{32, 32, 32}, Grid{33, 33, 33}, Grid{24, 20, 17}, Grid{40, 9, 9}}) {
    INFO(name(g));
    const Solved s = insulated("multigrid", BackendKind::serial, "plain", g, {1e-11, 100});
    CHECK(s.outcome.converged);
    CHECK(std::pow(s.outcome.relative_residual, 1.0 / s.outcome.iterations) <= 0.1);
    CHECK(worst_factor(s.outcome, 2) <=
          0.1);  // before the first cycle the residual is as smooth as the source
  }
}

TEST_CASE("conjugate gradients with a cycle need at most a dozen iterations between insulated sides",
          "[singular][multigrid]") {
  for (BackendKind kind : backends_here())
    for (const Grid& g : {Grid{64, 64}, Grid{65, 65}, Grid{100, 37}, Grid{17, 19, 33}}) {
      INFO(to_string(kind) << " " << name(g));
      const Solved s = insulated("pcg", kind, "multigrid", g, {1e-10, 100});
      CHECK(s.outcome.converged);
      CHECK(s.outcome.iterations <= 12);
    }
}

TEST_CASE("iterating at rounding level does not let the constant grow", "[singular]") {
  // The second tolerance is never reached.
  for (const auto& [solver, method] : {std::pair{"multigrid", "plain"}, {"sor", "plain"}}) {
    INFO(solver);
    const Grid g{16, 13};
    const Solved once = insulated(solver, BackendKind::serial, method, g, {1e-12, 2000});
    const Solved on = insulated(solver, BackendKind::serial, method, g, {1e-300, 2000});
    CHECK(once.outcome.converged);
    CHECK(on.outcome.relative_residual <= 1e-12);
    CHECK(on.error.l2 == Approx(once.error.l2).epsilon(1e-9));
    CHECK(std::abs(mean(on.u)) <= 1e-15);
  }
}

TEST_CASE("the coarsest grid of a singular system keeps 2 to 27 unknowns", "[singular][multigrid]") {
  for (const Grid& g : {Grid{64, 64}, Grid{31, 31, 31}, Grid{2, 1}, Grid{100, 37}}) {
    INFO(name(g));
    const Solved s = insulated("multigrid", BackendKind::serial, "plain", g);
    const NamedValue& coarsest = s.outcome.results[1];
    REQUIRE(coarsest.name == coarsest_unknowns);
    CHECK(coarsest.value >= 2);
    CHECK(coarsest.value <= 27);
  }
}

TEST_CASE("a source with a mean is solved without it, and the mean is reported", "[singular]") {
  const auto with =
      std::make_shared<const LinearProblem>(make_problem("insulated", {24, 17}, {{"source_mean", 0.75}}));
  const auto without = posed("insulated", {24, 17});
  CHECK(with->source_mean == Approx(0.75).epsilon(1e-12));
  CHECK(std::abs(without->source_mean) < 1e-14);
  CHECK(results(*with, with->exact)[2].name == "source_mean");
  CHECK(results(*posed("heated_plate", {8, 8}), posed("heated_plate", {8, 8})->exact).size() == 2);
  const SolverMethod method = method_named(solver_named("multigrid"), BackendKind::serial, "plain");
  const auto u = [&](const auto& problem) {
    return solve("multigrid", method, backend(BackendKind::serial), Precision::fp64, problem, {1e-12, 50}).u;
  };
  const HostField a = u(with), b = u(without);
  for_each_cell(a.grid(), false,
                [&](int i, int j, int k) { CHECK(a.get(i, j, k) == Approx(b.get(i, j, k)).margin(1e-11)); });
}

TEST_CASE("the mean of a right-hand side on the device is removed on the device", "[singular]") {
  // As in a flow solver, whose right-hand side exists only on the device.
  const Grid g{20, 20};
  for (BackendKind kind : backends_here()) {
    const auto problem = posed("insulated", g);
    Operator a = problem->constant;
    a.constant = false;
    OwnedSystem system(backend(kind), Precision::fp64, g, a, nullptr, sides_of(*problem->description));
    LinearProblem off = *problem;
    for_each_cell(g, false, [&](int i, int j, int k) { off.b.set(i, j, k, problem->b.get(i, j, k) + 3); });
    system.upload(off);
    for (const auto& [name, method_name] :
         {std::pair{"multigrid", "plain"}, {"cg", "textbook"}, {"bicgstab", "textbook"}}) {
      const SolverMethod method = method_named(solver_named(name), kind, method_name);
      const Config config = method.space.defaults();
      Solver solver(backend(kind), prepare_iteration(method, system.system(), config), config);
      system.upload_start(problem->initial);
      INFO(to_string(kind) << " " << name);
      CHECK(solver.solve(1e-10, 1000).converged);
      CHECK(solution_error(*problem, system.u().download()).l2 < 1e-3);
    }
  }
}

TEST_CASE("a solver that does not support a singular system says why, and one singular cell is an error",
          "[singular]") {
  CHECK_THAT(refusal(solver_named("jacobi"), find_problem("insulated")),
             ContainsSubstring("jacobi does not support insulated") && ContainsSubstring("use gauss_seidel"));
  for (const char* solver : {"hypre", "ginkgo"})
    CHECK_THAT(refusal(solver_named(solver), find_problem("insulated")),
               ContainsSubstring(std::string(solver) +
                                 " does not support the neumann boundary of insulated in the west"));
  CHECK_THROWS_WITH(make_problem("insulated", {1, 1}),
                    ContainsSubstring("insulated is singular on a single cell"));
}

TEST_CASE("Krylov methods continue past the exact answer of few cells, for every check interval",
          "[singular]") {
  for (BackendKind kind : backends_here())
    for (const char* problem_name : {"insulated", "periodic_box"})
      for (const Grid& g : {Grid{2, 1}, Grid{2, 2}, Grid{4, 4}, Grid{8, 8}, Grid{3, 5}, Grid{2, 3, 4}}) {
        const auto problem = posed(problem_name, g);
        for (const char* solver : {"cg", "pcg", "bicgstab"})
          for (const SolverMethod& method : solver_named(solver).methods(kind))
            for (Precision p : all_precisions)
              for (const int interval : {1, 10, 40}) {
                if (!can_do(method, shape_of(*problem, p))) continue;
                INFO(problem_name << " " << solver << "/" << to_string(kind) << "/" << to_string(p) << "/"
                                  << method.name << " " << name(g) << " checked every " << interval);
                const double tolerance = p == Precision::fp32 ? 1e-4 : 1e-8;
                PreparedSolver prepared(solver_named(solver), method, backend(kind), p,
                                        method.space.complete({{"check_interval", interval}}), problem);
                prepared.reset();
                const Outcome outcome = prepared.solve(tolerance, 2000);
                const Judgement judged = prepared.judge(outcome, prepared.solution(), tolerance);
                CHECK(judged.converged);
                CHECK(judged.wrong == "");
              }
      }
}

TEST_CASE("BiCGStab needs no more than twice the iterations of CG in a periodic box",
          "[singular][periodic]") {
  const auto problem = posed("periodic_box", {128, 128});
  for (const char* method_name : {"textbook", "fused"}) {
    const SolverDescription& solver = solver_named("bicgstab");
    const SolverMethod method = method_named(solver, BackendKind::serial, method_name);
    if (!can_do(method, shape_of(*problem, Precision::fp64))) continue;
    INFO(method_name);
    const Solved s =
        solve("bicgstab", method, backend(BackendKind::serial), Precision::fp64, problem, {1e-8, 5000});
    CHECK(s.outcome.converged);
    CHECK(s.outcome.iterations <= 300);  // CG: 160
  }
}

TEST_CASE("a solve does not change the right-hand side or its mean", "[singular]") {
  const Grid g{12, 12};
  const auto problem = posed("insulated", g);
  LinearProblem off = *problem;
  for_each_cell(g, false, [&](int i, int j, int k) { off.b.set(i, j, k, problem->b.get(i, j, k) + 3); });
  Operator a = problem->constant;
  a.constant = false;
  OwnedSystem system(backend(BackendKind::serial), Precision::fp32, g, a, nullptr,
                     sides_of(*problem->description));
  system.upload(off);
  const SolverMethod method = method_named(solver_named("cg"), BackendKind::serial, "textbook");
  Solver solver(backend(BackendKind::serial),
                prepare_iteration(method, system.system(), method.space.defaults()), method.space.defaults());
  const HostField before = system.b().download();
  solver.solve(1e-5, 100);
  const HostField after = system.b().download();
  for_each_cell(g, false, [&](int i, int j, int k) { CHECK(after.get(i, j, k) == before.get(i, j, k)); });
}
