// CG in two passes, compared with the textbook operations.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "kernels/cells/operator_problem.hpp"
#include "kernels/cg_iteration/cg_iteration.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

// Checks the residual after each iteration.
Solved solve(BackendKind kind, const std::string& method, Precision precision, const std::string& problem,
             const Grid& grid, double tolerance, Config config = {}) {
  config.set("check_interval", 1);
  return solve("cg", method_named(solver_named("cg"), kind, method), backend(kind), precision,
               posed(problem, grid), {.tolerance = tolerance, .config = config});
}

const std::pair<std::string, Grid> problems[] = {{"heated_plate", {63, 63}},
                                                 {"manufactured", {300, 7}},
                                                 {"manufactured", {17, 13, 11}},
                                                 {"jump", {24, 33}},
                                                 {"jump", {9, 12, 10}}};

// Returns the relative error of CG's coefficients from two orders of summation. A sum of n products has a
// rounding error of about sqrt(n) u; alpha and beta are quotients of two such sums in either method.
double coefficient_error(const Grid& g, Precision p) {
  return 4 * std::sqrt(double(g.cells())) * roundoff(p);
}

// Returns the largest relative difference between two methods' residuals after each iteration, for the
// history h of one of them. r' = r - alpha A p, where alpha A p is at most as long as r and r' together. Its
// coefficients are off by gamma, and r and p by their previous differences.
std::vector<double> deviations(const std::vector<std::pair<int, double>>& h, double gamma) {
  std::vector<double> d = {gamma};
  for (std::size_t n = 1; n < h.size(); ++n) {
    const double ratio = h[n - 1].second / h[n].second;
    d.push_back(d.back() * ratio + (gamma + d.back()) * (1 + ratio));
  }
  return d;
}

// Returns an upper bound of the condition number: that of the constant operator, whose eigenvalues are sums
// of 4 w sin^2(pi j / (2 (n + 1))), times the spread of the coefficients.
double condition(const LinearProblem& problem) {
  const Grid& g = problem.grid;
  const Operator a = timed_constant_operator(g);
  double least = 0, largest = 0;
  for (const auto& [w, n] : {std::pair{a.wx, g.nx}, {a.wy, g.ny}, {a.wz, g.nz}}) {
    const double angle = std::numbers::pi / (2 * (n + 1));
    least += 4 * w * std::pow(std::sin(angle), 2);
    largest += 4 * w * std::pow(std::cos(angle), 2);
  }
  const double spread = problem.coefficients.empty() ? 1 : 1000;
  return spread * largest / least;
}

// Returns the same bound after one round of refinement, in which 32-bit CG reduces the residual to rho. CG
// with rounding errors is exact CG of a matrix whose eigenvalues moved by gamma ||A|| (Greenbaum 1989);
// relative to the least eigenvalue that is gamma times the condition number. After k iterations the residual
// is about 2 exp(-2 k / sqrt(condition)) = rho. The derivative of its logarithm by that of the condition
// number is k / sqrt(condition) = ln(2 / rho) / 2.
double deviation_of_a_round(const LinearProblem& problem) {
  constexpr double rho = 1e-3;  // as in refinement.cpp
  return coefficient_error(problem.grid, Precision::fp32) * condition(problem) * std::log(2 / rho) / 2;
}

bool same_bits(const HostField& a, const HostField& b) {
  return std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

}  // namespace

TEST_CASE(
    "fused CG deviates from the textbook by the order of summation, and unless rounding decides by 2 "
    "iterations or 2 %",
    "[cg]") {
  for (BackendKind kind : backends_here())
    for (const auto& [problem, grid] : problems)
      for (Precision p : all_precisions) {
        INFO(to_string(kind) << " " << problem << " " << grid.nx << "x" << grid.ny << "x" << grid.nz << " "
                             << to_string(p));
        const double tolerance = p == Precision::fp32 ? 1e-4 : 1e-8;
        const Solved textbook = solve(kind, "textbook", p, problem, grid, tolerance);
        const Solved fused = solve(kind, "fused", p, problem, grid, tolerance);
        REQUIRE(fused.outcome.converged);
        // If rounding may change a round's residual completely, it also decides when the tolerance is met.
        if (p == Precision::fp64 || deviation_of_a_round(*posed(problem, grid)) < 1)
          REQUIRE(std::abs(fused.outcome.iterations - textbook.outcome.iterations) <=
                  std::max(2, textbook.outcome.iterations / 50));
        // If the discrete solution is exact, the error is the part that the tolerance allows.
        if (textbook.error.l2 > tolerance)
          REQUIRE(fused.error.l2 == Approx(textbook.error.l2).epsilon(0.02));
        else
          REQUIRE(fused.error.l2 <= tolerance);
        const auto &there = textbook.outcome.history, &here = fused.outcome.history;
        const std::vector<double> apart = deviations(there, coefficient_error(grid, p));
        const double of_a_round = deviation_of_a_round(*posed(problem, grid));
        const std::size_t looks = std::min({std::size_t(5), there.size(), here.size()});
        for (std::size_t n = 1; n < looks; ++n) {
          // A round starts from the result of the previous one, so deviations add up. One method may end a
          // round an iteration earlier; such checks are skipped.
          const double allowed = p == Precision::mixed ? double(n) * of_a_round : apart[n];
          CAPTURE(n, there[n].second, here[n].second, allowed);
          if (here[n].first == there[n].first)
            REQUIRE(std::abs(here[n].second - there[n].second) <= allowed * there[n].second);
        }
      }
}

TEST_CASE("the order of summation matters little in the first iterations of CG", "[cg]") {
  const Solved s = solve(BackendKind::serial, "textbook", Precision::fp64, "manufactured", {300, 7}, 1e-8);
  REQUIRE(deviations(s.outcome.history, coefficient_error({300, 7}, Precision::fp64))[4] < 1e-10);
  REQUIRE(deviation_of_a_round(*posed("heated_plate", {63, 63})) < 0.1);
}

TEST_CASE("fused CG has the textbook's bits on a CPU, in each iteration and in the solution", "[cg]") {
  for (BackendKind kind : {BackendKind::serial, BackendKind::openmp}) {
    if (!unavailable_reason(kind).empty()) continue;
    for (const auto& [problem, grid] : problems)
      for (Precision p : all_precisions) {
        INFO(to_string(kind) << " " << problem << " " << to_string(p));
        const Solved textbook = solve(kind, "textbook", p, problem, grid, 1e-4);
        const Solved fused = solve(kind, "fused", p, problem, grid, 1e-4);
        REQUIRE(fused.outcome.history == textbook.outcome.history);
        REQUIRE(same_bits(fused.u, textbook.u));
      }
  }
}

TEST_CASE("fused CG gives the same bits for every number of threads", "[cg]") {
  if (!unavailable_reason(BackendKind::openmp).empty()) return;
  auto with_threads = [](int threads) {
    return solve(BackendKind::openmp, "fused", Precision::fp64, "jump", {40, 31}, 1e-8,
                 {{"threads", threads}});
  };
  const Solved one = with_threads(1), three = with_threads(3);
  REQUIRE(one.outcome.history == three.outcome.history);
  REQUIRE(same_bits(one.u, three.u));
}

TEST_CASE("the error of fused CG is second order in the mesh width on every backend, in 2-D and 3-D",
          "[cg]") {
  for (BackendKind kind : backends_here())
    for (bool d3 : {false, true}) {
      INFO(to_string(kind) << (d3 ? " 3-D" : " 2-D"));
      auto error = [&](int n) {
        return solve(kind, "fused", Precision::fp64, "manufactured", d3 ? Grid{n, n, n} : Grid{n, n}, 1e-11)
            .error.l2;
      };
      const double order = std::log2(error(7) / error(15));
      REQUIRE(order > 1.8);
      REQUIRE(order < 2.2);
    }
}

TEST_CASE("a failed solve does not affect the next one", "[cg]") {
  const auto problem = posed("heated_plate", {15, 15});
  HostField broken = problem->initial;
  broken.set(3, 3, 0, std::nan(""));
  for (BackendKind kind : backends_here()) {
    INFO(to_string(kind));
    const SolverMethod fused = method_named(solver_named("cg"), kind, "fused");
    const Config config = fused.space.defaults();
    OwnedSystem system(backend(kind), Precision::fp64, problem->grid, problem->constant);
    Solver cg(backend(kind), fused.prepare(system.system(), config), config);
    system.upload_start(broken);
    REQUIRE_FALSE(cg.solve(1e-10, 100).converged);
    system.upload_start(problem->initial);
    REQUIRE(cg.solve(1e-10, 500).converged);
    REQUIRE(system.u().download().get(7, 7) == Approx(0.25).epsilon(1e-8));
  }
}

TEST_CASE("an iteration moves 8 values per cell with constant coefficients, and 15 or 17 with arrays",
          "[cg]") {
  auto values = [](const Grid& g, bool arrays) {
    HostField q(g, Precision::fp64);
    CgIterationArgs args;
    args.grid = g, args.a.constant = !arrays;
    if (arrays) args.q = q.view();
    double bytes = 0;
    for (CgPass pass : {CgPass::direction, CgPass::update}) {
      args.pass = pass;
      bytes += cg_iteration_cost(args).bytes;
    }
    return bytes / double(g.cells()) / 8;
  };
  CHECK(values({10, 10}, false) == 8);
  CHECK(values({10, 10, 10}, false) == 8);
  CHECK(values({10, 10}, true) == 15);
  CHECK(values({10, 10, 10}, true) == 17);
}
