// CG with one point of summation an iteration, compared with the textbook method.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

const char* const variants[] = {"one_sum", "pipelined"};

const std::pair<const char*, Grid> problems[] = {{"heated_plate", {63, 63}},     {"manufactured", {63, 40}},
                                                 {"manufactured", {17, 13, 11}}, {"jump", {24, 33}},
                                                 {"insulated", {16, 21}},        {"periodic_box", {16, 24}}};

Solved solve(BackendKind kind, const char* method, Precision precision, const char* problem, const Grid& grid,
             const SolveOptions& options) {
  return solve("cg", method_named(solver_named("cg"), kind, method), backend(kind), precision,
               posed(problem, grid), options);
}

// Relative residuals after as many iterations as are given: of the recurrence, and of b - A u.
struct Residuals {
  double claimed, actual;
};
Residuals residuals_after(int iterations, const char* method, BackendKind kind, Precision precision,
                          const Grid& grid, int replace) {
  const SolverMethod made = method_named(solver_named("cg"), kind, method);
  Config config{{"check_interval", 10}};
  if (find_setting(made.space.settings, "replace")) config.set("replace", replace);
  PreparedSolver prepared(solver_named("cg"), made, backend(kind), precision, made.space.complete(config),
                          posed("manufactured", grid));
  prepared.reset();
  Outcome outcome = prepared.solve(1e-30, iterations);
  return {outcome.relative_residual, prepared.verify(outcome, 1e-30).true_residual};
}

// Returns the values per cell that an iteration moves, checked by itself. Numbers of one cell count too.
double values(const char* method_name, const Grid& g, int replace) {
  Backend& on = backend(BackendKind::serial);
  OwnedSystem system(on, Precision::fp64, g, posed("manufactured", g)->constant);
  const SolverMethod method = method_named(solver_named("cg"), BackendKind::serial, method_name);
  const auto iteration =
      method.prepare(system.system(), method.space.complete({{"check_interval", 1}, {"replace", replace}}));
  return (iteration->cost(1).bytes - iteration->cost(0).bytes) / double(g.cells()) / 8;
}

}  // namespace

// With a jump CG takes more iterations than there are unknowns, so that rounding decides their number.
TEST_CASE("CG with one sum and pipelined CG need the textbook's iterations within 3 %, and 15 % with a jump",
          "[cg]") {
  for (BackendKind kind : backends_here())
    for (const auto& [problem, grid] : problems)
      for (const char* method : variants) {
        INFO(to_string(kind) << " " << method << " " << problem << " " << name(grid));
        const SolveOptions options{.tolerance = 1e-10, .config = {{"check_interval", 1}}};
        const Solved textbook = solve(kind, "textbook", Precision::fp64, problem, grid, options);
        const Solved found = solve(kind, method, Precision::fp64, problem, grid, options);
        REQUIRE(found.outcome.converged);
        const int percent = problem == std::string("jump") ? 15 : 3;
        CHECK(std::abs(found.outcome.iterations - textbook.outcome.iterations) <=
              std::max(2, percent * textbook.outcome.iterations / 100));
        CHECK(largest_difference(found.u, textbook.u) <= 1e-6);
      }
}

TEST_CASE("CG with one sum needs the textbook's iterations within 3 % in 32 bits and refined", "[cg]") {
  for (BackendKind kind : backends_here())
    for (const auto& [problem, grid] : problems)
      for (Precision p : {Precision::fp32, Precision::mixed}) {
        if (problem == std::string("jump")) continue;
        INFO(to_string(kind) << " " << problem << " " << to_string(p));
        const SolveOptions options{.tolerance = p == Precision::fp32 ? 1e-4 : 1e-10,
                                   .config = {{"check_interval", 1}}};
        const Solved textbook = solve(kind, "textbook", p, problem, grid, options);
        const Solved found = solve(kind, "one_sum", p, problem, grid, options);
        REQUIRE(found.outcome.converged);
        CHECK(std::abs(found.outcome.iterations - textbook.outcome.iterations) <=
              std::max(2, 3 * textbook.outcome.iterations / 100));
      }
}

TEST_CASE("pipelined CG refuses 32 bits and names the method to use", "[cg]") {
  const SolverMethod pipelined = method_named(solver_named("cg"), BackendKind::serial, "pipelined");
  for (Precision p : {Precision::fp32, Precision::mixed})
    CHECK(pipelined.why_unsupported(shape_of(*posed("jump", {24, 33}), p)) ==
          "its recurrences need fp64; use cg/one_sum");
}

TEST_CASE(
    "pipelined CG without replacement stagnates a thousand times above the true residual that replacement "
    "and the textbook reach",
    "[cg]") {
  for (BackendKind kind : backends_here()) {
    INFO(to_string(kind));
    const auto reached = [&](const char* method, int replace) {
      return residuals_after(1100, method, kind, Precision::fp64, {255, 255}, replace);
    };
    const Residuals textbook = reached("textbook", 0);
    const Residuals without = reached("pipelined", 0), with = reached("pipelined", 50);
    CAPTURE(textbook.actual, without.claimed, without.actual, with.claimed, with.actual);
    // On CUDA sums are trees, which round less: there it may come closer.
    if (kind != BackendKind::cuda) {
      CHECK(without.actual > 1000 * with.actual);
      CHECK(without.actual > 50 * without.claimed);
    }
    CHECK(with.actual < 10 * textbook.actual);
    CHECK(with.actual < 1e-12);
  }
}

// Of 3 unknowns CG knows the answer after 3 iterations. The default interval between checks is 10.
TEST_CASE("pipelined CG that is looked at long after its answer is exact claims the true residual", "[cg]") {
  for (const Grid& grid : {Grid{3, 1}, Grid{5, 1}, Grid{4, 3}, Grid{5, 6}, Grid{3, 3, 2}})
    for (int interval : {1, 10, 20}) {
      INFO(name(grid) << " every " << interval);
      const SolverMethod method = method_named(solver_named("cg"), BackendKind::serial, "pipelined");
      PreparedSolver prepared(solver_named("cg"), method, backend(BackendKind::serial), Precision::fp64,
                              method.space.complete({{"check_interval", interval}}), posed("jump", grid));
      prepared.reset();
      Outcome outcome = prepared.solve(1e-9, 100);
      const Judgement judged = prepared.verify(outcome, 1e-9);
      CHECK(judged.converged);
      CHECK(judged.wrong == "");
    }
}

TEST_CASE("the residual at a check that replaces it is the true one", "[cg]") {
  for (BackendKind kind : backends_here())
    for (const char* method : variants)
      for (int replace : {1, 10}) {
        INFO(to_string(kind) << " " << method << " " << replace);
        const Residuals found = residuals_after(400, method, kind, Precision::fp64, {63, 63}, replace);
        CHECK(found.claimed == Approx(found.actual).epsilon(1e-2));
      }
}

TEST_CASE("replacement happens at the first check after as many iterations", "[cg]") {
  const auto history = [](int interval, int replace) {
    return solve(BackendKind::serial, "pipelined", Precision::fp64, "manufactured", {63, 40},
                 {1e-30, 60, {{"check_interval", interval}, {"replace", replace}}})
        .outcome.history;
  };
  CHECK(history(10, 11) == history(10, 20));
  CHECK(history(10, 1) == history(10, 10));
  CHECK(history(10, 10) != history(10, 20));
  CHECK(history(10, 70) == history(10, 0));
}

TEST_CASE("CG with one sum and pipelined CG need at most as many iterations as unknowns, and then rest",
          "[cg]") {
  for (BackendKind kind : backends_here())
    for (const char* method : variants) {
      INFO(to_string(kind) << " " << method);
      CHECK(solve(kind, method, Precision::fp64, "jump", {4, 3}, {1e-10, 12, {{"check_interval", 1}}})
                .outcome.converged);
      const Solved one = solve(kind, method, Precision::fp64, "heated_plate", {1, 1}, {1e-10, 10, {}});
      CHECK(one.outcome.converged);
      CHECK(std::isfinite(one.u.get(0, 0)));
    }
}

TEST_CASE("an iteration moves 17 values per cell with one sum and 23 pipelined, a replacement 10 and 12",
          "[cg]") {
  const double numbers = 5.0 / 100;  // p.q is computed by two operations on numbers
  CHECK(values("one_sum", {10, 10}, 0) == Approx(17 + numbers));
  CHECK(values("pipelined", {10, 10}, 0) == Approx(23 + numbers));
  CHECK(values("one_sum", {10, 10}, 1) == Approx(17 + numbers + 10));
  CHECK(values("pipelined", {10, 10}, 1) == Approx(23 + numbers + 12));
}
