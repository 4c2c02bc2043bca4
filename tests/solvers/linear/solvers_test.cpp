#include <cmath>

#include "solvers/linear/refinement.hpp"
#include "solvers/linear/stationary/sor.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

// Uses the first method, or the named one.
Solved solve(const std::string& name, BackendKind kind, Precision precision, const std::string& problem,
             const Grid& grid, double tolerance, int max_iterations, const std::string& method_name = "",
             const Config& config = {}) {
  const SolverDescription& solver = solver_named(name);
  const SolverMethod method =
      method_name.empty() ? solver.methods(kind).front() : method_named(solver, kind, method_name);
  return solve(name, method, backend(kind), precision, posed(problem, grid),
               {tolerance, max_iterations, config});
}

double usual_omega(const Grid& g) { return optimal_omega(g, minus_laplacian(g, {})); }

// Returns the solvers whose first method is available in this build.
std::vector<std::string> solvers_here() {
  std::vector<std::string> names;
  for (const SolverDescription& solver : solver_table())
    if (can_do(solver.methods(BackendKind::serial).front(), {{1, 1}, true, Precision::fp64}))
      names.push_back(solver.name);
  return names;
}

}  // namespace

TEST_CASE("a 1x1 plate is solved in one iteration to the mean of its boundary") {
  // One unknown with neighbours 0 0 0 1: u = 1/4.
  for (const std::string& name : solvers_here()) {
    INFO(name);
    const Solved s = solve(name, BackendKind::serial, Precision::fp64, "heated_plate", {1, 1}, 1e-12, 100);
    REQUIRE(s.u.get(0, 0) == Approx(0.25).epsilon(1e-14));
  }
}

TEST_CASE("the 3x3 plate has the solution worked by hand") {
  // By symmetry each row is a b a, c d c, e f e from top to bottom; all sides are 0 except the top, which is
  // 1. The nine equations give d = 1/4 and b + f = 1/2 (the four rotations sum to 1), which determines the
  // rest.
  const double expected[3][3] = {
      {1. / 14, 11. / 112, 1. / 14}, {3. / 16, 1. / 4, 3. / 16}, {3. / 7, 59. / 112, 3. / 7}};
  for (const std::string& name : solvers_here()) {
    const Solved s = solve(name, BackendKind::serial, Precision::fp64, "heated_plate", {3, 3}, 1e-13, 1000);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        INFO(name << " at " << i << ", " << j);
        REQUIRE(s.u.get(i, j) == Approx(expected[j][i]).epsilon(1e-10));
      }
  }
}

TEST_CASE(
    "the centre of the heated plate is 1/4 on every backend, with every method and in every precision") {
  for (BackendKind kind : backends_here())
    for (const auto& solver : solver_table())
      for (const auto& method : solver.methods(kind))
        for (Precision p : all_precisions) {
          if (!can_do(method, {{31, 31}, true, p})) continue;
          INFO(solver.name << "/" << to_string(kind) << "/" << to_string(p) << "/" << method.name);
          const double tolerance = p == Precision::fp32 ? 1e-5 : 1e-10;
          const Solved s =
              solve(solver.name, kind, p, "heated_plate", {31, 31}, tolerance, 20000, method.name);
          REQUIRE(s.outcome.converged);
          REQUIRE(s.u.get(15, 15) == Approx(0.25).epsilon(100 * tolerance));
        }
}

TEST_CASE("the error is second order in the mesh width on every backend, in 2-D and 3-D") {
  for (BackendKind kind : backends_here())
    for (const char* name : {"sor", "cg", "pcg", "multigrid"}) {
      for (bool d3 : {false, true}) {
        INFO(name << "/" << to_string(kind) << (d3 ? " 3-D" : " 2-D"));
        auto error = [&](int n) {
          return solve(name, kind, Precision::fp64, "manufactured", d3 ? Grid{n, n, n} : Grid{n, n}, 1e-11,
                       5000)
              .error.l2;
        };
        const double order = std::log2(error(7) / error(15));
        REQUIRE(order > 1.8);
        REQUIRE(order < 2.2);
      }
    }
}

TEST_CASE("a jump of 1000 in the coefficients is solved to second order, on odd and even grids") {
  for (BackendKind kind : backends_here())
    for (int n : {16, 17}) {
      auto error = [&](int side) {
        return solve("pcg", kind, Precision::fp64, "jump", {side, side}, 1e-11, 5000).error.l2;
      };
      INFO(to_string(kind) << " " << n);
      const double order = std::log(error(n) / error(2 * n + 1 + (n % 2 ? 0 : 1))) / std::log(2.0);
      REQUIRE(order > 1.7);
    }
}

TEST_CASE("a jump of any height is solved to second order, and exactly without a jump") {
  const auto error = [](double conductivity, int side) {
    const LinearProblem p = make_problem("jump", {side, side}, {{"conductivity", conductivity}});
    return residual_norm(p, p.exact) / residual_norm(p, p.initial);
  };
  REQUIRE(error(1, 16) < 1e-12);  // the solution is a parabola, for which the stencil is exact
  REQUIRE(error(10, 32) < error(10, 16));
}

TEST_CASE("refinement rounds the coefficients before a library's method assembles its matrix", "[solvers]") {
  const LinearProblem p = make_problem("insulated", {5, 3});
  Operator arrays = p.constant;
  arrays.constant = false;
  for (const BackendKind kind : backends_here()) {
    INFO(to_string(kind));
    OwnedSystem outer(backend(kind), Precision::fp64, p.grid, arrays);
    outer.upload(p);
    SolverMethod method = method_named(solver_named("cg"), kind, "textbook");
    method.library = true;
    const auto prepare = method.prepare;
    std::vector<float> seen;
    method.prepare = [&](const System& inner, const Config& config) {
      for (const AnyView& array : arrays_of(inner.stencil(), inner.grid()))
        seen.push_back(float(download(inner, array).get(4, 2)));
      return prepare(inner, config);
    };
    refinement(outer.system(), method, method.space.defaults());
    std::vector<float> expected;
    for (const HostField& c : p.coefficients) expected.push_back(float(c.get(4, 2)));
    REQUIRE(expected.size() == 5);
    CHECK(seen == expected);
  }
}

TEST_CASE("mixed precision reaches residuals that 32 bits cannot") {
  const Grid g{63, 63};
  const Solved single = solve("cg", BackendKind::serial, Precision::fp32, "manufactured", g, 1e-12, 2000);
  const Solved mixed = solve("cg", BackendKind::serial, Precision::mixed, "manufactured", g, 1e-12, 2000);
  const LinearProblem p = make_problem("manufactured", g);
  const double first = residual_norm(p, p.initial);
  REQUIRE(residual_norm(p, single.u) / first > 1e-8);
  REQUIRE(mixed.outcome.converged);
  REQUIRE(residual_norm(p, mixed.u) / first <= 1.1e-12);
}

TEST_CASE(
    "red-black SOR with the optimal omega needs about n iterations where Gauss-Seidel needs about n "
    "squared") {
  const Grid g{63, 63};
  auto iterations = [&](const char* name) {
    return solve(name, BackendKind::serial, Precision::fp64, "heated_plate", g, 1e-6, 100000)
        .outcome.iterations;
  };
  const int jacobi = iterations("jacobi"), gauss_seidel = iterations("gauss_seidel"), sor = iterations("sor");
  // Jacobi's spectral radius is cos(pi h); that of Gauss-Seidel is its square, which is twice as fast.
  REQUIRE(double(jacobi) / gauss_seidel == Approx(2).epsilon(0.15));
  REQUIRE(sor * 10 < gauss_seidel);
  REQUIRE(iterations("pcg") < iterations("cg"));
}

TEST_CASE("the optimal omega is Normore's equation 43") {
  REQUIRE(usual_omega({9, 9}) == Approx(2 / (1 + std::sin(std::acos(-1.0) / 10))).epsilon(1e-15));
  REQUIRE(usual_omega({1, 1}) == Approx(1.0).epsilon(1e-15));  // one unknown: plain Gauss-Seidel is exact
}

TEST_CASE("the optimal omega of unequal sides is near the best omega") {
  for (const Grid& g : {Grid{400, 10}, Grid{10, 400}, Grid{60, 20}, Grid{24, 12, 6}}) {
    INFO(name(g));
    const auto iterations = [&](double omega) {
      return solve("sor", BackendKind::serial, Precision::fp64, g.is_3d() ? "manufactured" : "heated_plate",
                   g, 1e-6, 20000, "plain", {{"omega", omega}, {"check_interval", 10}})
          .outcome.iterations;
    };
    const double omega = usual_omega(g), gap = 2 - omega;
    const int usual = iterations(omega);
    CHECK(usual < 2500);
    CHECK(usual <= 1.1 * iterations(2 - 1.5 * gap));
    CHECK(usual <= 1.1 * iterations(2 - gap / 1.5));
  }
}

TEST_CASE("SOR above the optimal omega converges by omega - 1 per iteration, as Young showed") {
  // All eigenvalues of the iteration then lie on a circle of that radius. Their sum oscillates, but its
  // envelope decreases by it.
  const Grid g{31, 31};
  const double omega = 1.93;
  REQUIRE(omega > usual_omega(g));
  const Solved s = solve("sor", BackendKind::serial, Precision::fp64, "heated_plate", g, 1e-12, 400, "plain",
                         {{"omega", 1.93}});
  const auto& history = s.outcome.history;  // every 20 iterations
  const auto [first, at_first] = history[5];
  const auto [last, at_last] = history[15];
  REQUIRE(std::pow(at_last / at_first, 1.0 / (last - first)) == Approx(omega - 1).epsilon(0.01));
}

TEST_CASE("an omega for which SOR diverges is an error") {
  const TuningSpace space = solver_named("sor").methods(BackendKind::serial).front().space;
  REQUIRE_NOTHROW(space.complete({{"omega", 1.999999}}));
  REQUIRE_NOTHROW(space.complete({{"omega", "optimal"}}));
  for (const Value& bad : {Value(2.0), Value(0.0), Value(-1.5), Value("best"), Value(1)})
    REQUIRE_THROWS_WITH(space.complete({{"omega", bad}}),
                        ContainsSubstring("omega: a number above 0 and below 2, or optimal"));
}

TEST_CASE(
    "omega_gap=0.5 makes SOR converge with half the distance between the optimal omega and 2, on every "
    "grid") {
  for (const int n : {15, 31}) {
    const Grid g{n, n};
    const double omega = 2 - 0.5 * (2 - usual_omega(g));
    const Solved s = solve("sor", BackendKind::serial, Precision::fp64, "heated_plate", g, 1e-12, 400,
                           "plain", {{"omega_gap", 0.5}});
    const auto& history = s.outcome.history;
    const auto [first, at_first] = history[2];
    const auto [last, at_last] = history[7];
    INFO(n);
    REQUIRE(std::pow(at_last / at_first, 1.0 / (last - first)) == Approx(omega - 1).epsilon(0.02));
  }
}

TEST_CASE("setting both omega and omega_gap is an error") {
  const TuningSpace space = solver_named("sor").methods(BackendKind::serial).front().space;
  REQUIRE_THROWS_WITH(space.complete({{"omega", 1.9}, {"omega_gap", 0.5}}),
                      ContainsSubstring("omega=1.9") && ContainsSubstring("leave out omega_gap"));
}

// Conjugate directions, with alpha = r.z / p.Ap and beta = r.z / (previous r.z), are at most as many as
// unknowns. Normore 2010 prints r.r in both places of his PCG, which gives directions that are not conjugate.
TEST_CASE("conjugate gradients need at most as many iterations as unknowns, also with a preconditioner") {
  for (const char* name : {"cg", "pcg"}) {
    INFO(name);
    const Solved s = solve(name, BackendKind::serial, Precision::fp64, "jump", {4, 3}, 1e-11, 12);
    CHECK(s.outcome.converged);
  }
}

TEST_CASE("a solve at its iteration limit has not converged") {
  const Solved s = solve("jacobi", BackendKind::serial, Precision::fp64, "heated_plate", {63, 63}, 1e-10, 40);
  REQUIRE_FALSE(s.outcome.converged);
  REQUIRE(s.outcome.iterations == 40);
  REQUIRE(s.outcome.history.size() == 3);  // at 0, 20 and 40
}

TEST_CASE("the plate's closed sum agrees with the Fourier series") {
  const double pi = std::acos(-1.0);
  for (double x : {0.1, 0.5, 0.77})
    for (double y : {0.05, 0.5, 0.8}) {
      double series = 0;
      for (int n = 1; n < 200; n += 2)  // sinh(n pi y) / sinh(n pi) without overflow
        series += 4 / (n * pi) * std::sin(n * pi * x) * std::exp(n * pi * (y - 1)) *
                  (1 - std::exp(-2 * n * pi * y)) / (1 - std::exp(-2 * n * pi));
      REQUIRE(heated_plate_solution(x, y) == Approx(series).epsilon(1e-12));
    }
  REQUIRE(heated_plate_solution(0.5, 0.5) == Approx(0.25).epsilon(1e-15));
}
