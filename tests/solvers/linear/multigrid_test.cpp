// Multigrid: cycle factor, levels, answers; also as a preconditioner.
#include "solvers/linear/multigrid/multigrid.hpp"

#include <algorithm>
#include <map>

#include "tests/catch.hpp"
#include "tests/solvers/linear/preconditioner_symmetry.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

Solved by_multigrid(const std::string& problem, const Grid& grid, const Config& config = {},
                    double tolerance = 1e-11, BackendKind kind = BackendKind::serial,
                    const std::string& method = "plain") {
  return solve("multigrid", method_named(solver_named("multigrid"), kind, method), backend(kind),
               Precision::fp64, posed(problem, grid), {tolerance, 100, config});
}

// Returns the factor of the worst cycle, with a tolerance well above rounding.
double worst_factor(const std::string& problem, const Grid& grid, const Config& config = {}) {
  const Solved s = by_multigrid(problem, grid, config);
  REQUIRE(s.outcome.converged);
  return worst_factor(s.outcome);
}
int levels(const Solved& s) {
  REQUIRE(s.outcome.results.front().name == "levels");
  return int(s.outcome.results.front().value);
}

const Grid any_grids[] = {{33, 33}, {65, 65},     {64, 64},     {100, 37},    {37, 100},    {150, 20},
                          {2, 2},   {17, 19, 33}, {33, 33, 33}, {32, 32, 32}, {24, 20, 16}, {40, 9, 9}};

}  // namespace

TEST_CASE("a V(2,2) cycle reduces the residual tenfold, and to 0.15 with a jump of 1000, on any grid",
          "[multigrid]") {
  for (const Grid& g : any_grids)
    for (const char* problem : {"manufactured", "jump"}) {
      INFO(problem << " " << name(g));
      CHECK(worst_factor(problem, g) <= (problem == std::string("jump") ? 0.15 : 0.1));
    }
  for (const Grid& g : {Grid{64, 64}, Grid{65, 65}, Grid{100, 37}})
    for (const char* problem : {"heated_plate", "heated_plate_cells"}) {
      INFO(problem << " " << name(g));
      CHECK(worst_factor(problem, g) <= 0.1);
    }
}

TEST_CASE("an even number of points on a coarse grid does not slow a cycle down", "[multigrid]") {
  for (const Grid& g : {Grid{62, 62}, Grid{126, 94}, Grid{30, 30, 30}, Grid{20, 21, 22}}) {
    INFO(name(g));
    CHECK(worst_factor("manufactured", g) <= 0.1);
  }
}

TEST_CASE("a constant operator stays constant on all grids, so that a start costs nothing", "[multigrid]") {
  Backend& on = backend(BackendKind::serial);
  for (const Grid& g : {Grid{64, 62}, Grid{24, 20, 18}}) {
    const OwnedSystem system(on, Precision::fp64, g, posed("manufactured", g)->constant);
    const SolverMethod method = method_named(solver_named("multigrid"), BackendKind::serial, "plain");
    const System finest = system.system();
    const MultigridCycle cycle(finest, usual_smoothing(finest), method.space.defaults(), false);
    CHECK(cycle.start_cost().bytes == 0);
  }
}

TEST_CASE("the number of cycles does not grow with the grid", "[multigrid]") {
  const auto cycles = [](const Grid& g) { return by_multigrid("manufactured", g).outcome.iterations; };
  for (int n : {31, 32}) {
    CHECK(cycles({4 * n + 1, 4 * n + 1}) <= cycles({n, n}) + 1);
    CHECK(cycles({8 * n, 8 * n}) <= cycles({n, n}) + 1);
    CHECK(cycles({n + 8, n + 8, n + 8}) <= cycles({n / 2, n / 2, n / 2}) + 1);
  }
}

TEST_CASE("other cycles and smoothers have their known factors", "[multigrid]") {
  for (const Grid& g : {Grid{64, 64}, Grid{24, 24, 24}}) {
    INFO(name(g));
    CHECK(worst_factor("manufactured", g, {{"cycle", "w"}}) <= 0.06);
    CHECK(worst_factor("manufactured", g, {{"cycle", "f"}}) <= 0.06);
    CHECK(worst_factor("manufactured", g, {{"cycle", "full"}}) <= 0.06);
    CHECK(worst_factor("manufactured", g, {{"smoother", "jacobi"}}) <= 0.4);
    CHECK(worst_factor("manufactured", g, {{"omega", 1.0}}) <= 0.12);
    CHECK(worst_factor("manufactured", g, {{"nu1", 1}, {"nu2", 1}}) <= 0.25);
    CHECK(worst_factor("manufactured", g, {{"nu1", 0}, {"nu2", 2}}) <= 0.25);
  }
}

TEST_CASE("multigrid finds the answer of conjugate gradients", "[multigrid]") {
  for (const Grid& g : {Grid{40, 33}, Grid{12, 9, 10}})
    for (const char* problem : {"manufactured", "jump"}) {
      INFO(problem << " " << name(g));
      const auto cg = solver_named("cg").methods(BackendKind::serial).front();
      const Solved other =
          solve("cg", cg, backend(BackendKind::serial), Precision::fp64, posed(problem, g), {1e-13, 5000});
      const Solved s = by_multigrid(problem, g, {}, 1e-13);
      double largest = 0;
      for_each_cell(g, false, [&](int i, int j, int k) {
        largest = std::max(largest, std::abs(s.u.get(i, j, k) - other.u.get(i, j, k)));
      });
      CHECK(largest <= 1e-10 * norm(s.u));
    }
}

TEST_CASE("a cycle has the same bits on every backend and with every smoothing method", "[multigrid]") {
  for (const Grid& g : {Grid{40, 33}, Grid{12, 9, 10}})
    for (const char* problem : {"manufactured", "jump"}) {
      const Solved first = by_multigrid(problem, g, {}, 1e-6);
      for (BackendKind kind : backends_here())
        for (const SolverMethod& method : solver_named("multigrid").methods(kind)) {
          if (!method.why_unsupported(shape_of(*posed(problem, g), Precision::fp64)).empty()) continue;
          INFO(problem << " " << name(g) << " " << to_string(kind) << " " << method.name);
          const Solved s = by_multigrid(problem, g, {}, 1e-6, kind, method.name);
          CHECK(s.outcome.iterations == first.outcome.iterations);
          int different = 0;
          for_each_cell(g, false,
                        [&](int i, int j, int k) { different += s.u.get(i, j, k) != first.u.get(i, j, k); });
          CHECK(different == 0);
        }
    }
}

TEST_CASE("a solve reports its number of levels, which is 1 if nothing can be coarsened", "[multigrid]") {
  CHECK(levels(by_multigrid("manufactured", {63, 63})) == 6);
  CHECK(levels(by_multigrid("manufactured", {64, 64})) == 7);
  CHECK(levels(by_multigrid("manufactured", {63, 63}, {{"levels", 3}})) == 3);
  const Solved one = by_multigrid("heated_plate", {1, 1});
  CHECK(levels(one) == 1);
  CHECK(one.outcome.iterations == 1);
  const Solved forced = by_multigrid("manufactured", {5, 5}, {{"levels", 1}});
  CHECK(levels(forced) == 1);
  CHECK(forced.outcome.converged);
}

TEST_CASE("weakly coupled directions are not coarsened until the others are as weak", "[multigrid]") {
  const auto coarsened = [](double wx, double wy, double wz, const Grid& g) {
    Operator a;
    a.wx = wx, a.wy = wy, a.wz = wz;
    const Coarsening by = next_coarsening(g, a);
    return std::vector<int>{by.x, by.y, by.z};
  };
  CHECK(coarsened(1, 1, 1, {8, 8, 8}) == std::vector{1, 1, 1});
  CHECK(coarsened(1, 0.4, 1, {8, 8, 8}) == std::vector{1, 0, 1});
  CHECK(coarsened(1, 2.5, 0, {8, 8}) == std::vector{0, 1, 0});
  CHECK(coarsened(1, 2.5, 0, {8, 1}) == std::vector{1, 0, 0});
  CHECK(coarsened(1, 1, 0, {1, 1}) == std::vector{0, 0, 0});
}

TEST_CASE("coefficients that change between solves give new coarse operators", "[multigrid]") {
  Backend& on = backend(BackendKind::serial);
  const Grid g{24, 24};
  const auto problem = posed("jump", g);
  OwnedSystem system(on, Precision::fp64, g, [&] {
    Operator a = problem->constant;
    a.constant = false;
    return a;
  }());
  const SolverMethod method = method_named(solver_named("multigrid"), BackendKind::serial, "plain");
  Solver solver(on, method.prepare(system.system(), method.space.defaults()), method.space.defaults());
  for (double conductivity : {1000.0, 0.001, 1.0}) {
    const LinearProblem posed = make_problem("jump", g, {{"conductivity", conductivity}});
    system.upload(posed);
    system.upload_start(posed.initial);
    const Outcome outcome = solver.solve(1e-10, 50);
    INFO(conductivity);
    CHECK(outcome.converged);
    CHECK(worst_factor(outcome) <= 0.1);
  }
}

TEST_CASE("every cycle is a symmetric preconditioner, for all coefficients", "[multigrid]") {
  Backend& on = backend(BackendKind::serial);
  for (const Grid& g : {Grid{21, 16}, Grid{9, 8, 6}})
    for (const char* problem : {"manufactured", "jump"}) {
      const auto posed_problem = posed(problem, g);
      Operator a = posed_problem->constant;
      a.constant = posed_problem->coefficients.empty();
      OwnedSystem system(on, Precision::fp64, g, a);
      system.upload(*posed_problem);
      const SolverMethod method = method_named(solver_named("pcg"), BackendKind::serial, "multigrid");
      for (const char* cycle : {"v", "w"}) {
        Config config = method.space.defaults();
        config.set("cycle", cycle);
        const Preconditioner m(PreconditionerKind::multigrid, system.system(), config, true);
        m.start();
        INFO(problem << " " << name(g) << " " << cycle);
        const auto right_side = [&](unsigned salt) {
          HostField r(g, Precision::fp64);
          for_each_cell(g, false, [&](int i, int j, int k) { r.set(i, j, k, noise(i, j, k, salt)); });
          return r;
        };
        check_symmetry(m, system, right_side(1), right_side(2));
      }
    }
}

TEST_CASE("conjugate gradients with a cycle need at most a dozen iterations on any grid", "[multigrid]") {
  for (BackendKind kind : backends_here())
    for (const Grid& g : {Grid{64, 64}, Grid{65, 65}, Grid{100, 37}, Grid{17, 19, 33}})
      for (const char* problem : {"manufactured", "jump"}) {
        INFO(to_string(kind) << " " << problem << " " << name(g));
        const Solved s = solve("pcg", method_named(solver_named("pcg"), kind, "multigrid"), backend(kind),
                               Precision::fp64, posed(problem, g), {1e-10, 100});
        CHECK(s.outcome.converged);
        CHECK(s.outcome.iterations <= 12);
      }
}

TEST_CASE("a cycle without smoothing passes is an error", "[multigrid]") {
  const SolverMethod method = method_named(solver_named("multigrid"), BackendKind::serial, "plain");
  CHECK_THROWS_AS(method.space.complete({{"nu1", 0}, {"nu2", 0}}), std::invalid_argument);
}

TEST_CASE("a solve timed by routine reports the routines of each multigrid level, finest first",
          "[multigrid]") {
  const auto problem = posed("manufactured", {17, 17});
  const SolverMethod method = method_named(solver_named("multigrid"), BackendKind::serial, "plain");
  PreparedSolver prepared(solver_named("multigrid"), method, backend(BackendKind::serial), Precision::fp64,
                          method.space.defaults(), problem);
  prepared.reset();
  const Outcome outcome = prepared.solve_by_routine(1e-30, 3);
  std::vector<std::string> grids;
  std::map<std::string, int> calls;  // by routine, summed over all grids
  for (const RoutineTime& t : outcome.level_times) {
    const auto space = t.name.find(' ');
    REQUIRE(space != std::string::npos);
    if (grids.empty() || grids.back() != t.name.substr(0, space)) grids.push_back(t.name.substr(0, space));
    calls[t.name.substr(space + 1)] += t.calls;
    if (t.name == "17x17 smooth") CHECK(t.calls == 2 * 3);
  }
  CHECK(grids == std::vector<std::string>{"17x17", "8x8", "4x4", "2x2", "1x1"});
  for (const RoutineTime& t : outcome.routines)
    if (t.name != "residual") CHECK(calls.at(t.name) == t.calls);
  CHECK(calls.at("coarsest") == 3);
}
