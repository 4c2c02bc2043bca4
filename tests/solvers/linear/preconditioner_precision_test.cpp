// A 32-bit cycle within a 64-bit Krylov method.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

constexpr const char* setting = "preconditioner_precision";

Solved solved(const char* solver, BackendKind kind, const std::string& problem, const Grid& g,
              const char* precision, double tolerance = 1e-10, Precision p = Precision::fp64) {
  return solve(solver, method_named(solver_named(solver), kind, "multigrid"), backend(kind), p,
               posed(problem, g), {tolerance, 100, {{setting, precision}}});
}

}  // namespace

TEST_CASE("a 32-bit cycle costs a 64-bit Krylov method at most one iteration, and no accuracy",
          "[preconditioner]") {
  for (BackendKind kind : backends_here())
    for (const Grid& g : {Grid{65, 65}, Grid{64, 50}, Grid{17, 16, 20}})
      for (const auto& [solver, problem] : {std::pair{"pcg", "manufactured"},
                                            {"pcg", "jump"},
                                            {"pcg", "insulated"},
                                            {"bicgstab", "manufactured"},
                                            {"bicgstab", "jump"},
                                            {"bicgstab", "convection"}}) {
        INFO(to_string(kind) << " " << solver << " " << problem << " " << g.nx << "x" << g.ny << "x" << g.nz);
        const Solved wide = solved(solver, kind, problem, g, "same");
        const Solved narrow = solved(solver, kind, problem, g, "fp32");
        CHECK(narrow.outcome.converged);
        CHECK(narrow.outcome.iterations <= wide.outcome.iterations + 1);
        const LinearProblem p = make_problem(problem, g);
        CHECK(residual_norm(p, narrow.u) <= 1.01e-10 * residual_norm(p, p.initial));
        // The same answer along another path: the last bits differ.
        const double off = largest_difference(narrow.u, wide.u);
        CHECK(off > 0);
        CHECK(off <= 1e-8);
      }
}

TEST_CASE("a 64-bit method with a 32-bit cycle converges beyond the limit of 32 bits", "[preconditioner]") {
  // A 32-bit method stalls at about 1e-6.
  const Grid g{63, 63};
  const LinearProblem p = make_problem("manufactured", g);
  const double first = residual_norm(p, p.initial);
  CHECK(residual_norm(p, solved("pcg", BackendKind::serial, "manufactured", g, "fp32", 1e-13).u) <=
        2e-13 * first);
  CHECK(residual_norm(
            p, solved("pcg", BackendKind::serial, "manufactured", g, "same", 1e-13, Precision::fp32).u) >
        1e-8 * first);
}

TEST_CASE("in a 32-bit method and in refinement the setting changes no bits", "[preconditioner]") {
  const Grid g{20, 17};
  for (Precision p : {Precision::fp32, Precision::mixed})
    for (const char* problem : {"manufactured", "jump"}) {
      const double tolerance = p == Precision::fp32 ? 1e-5 : 1e-10;
      const auto with = [&](const char* precision) {
        return solved("pcg", BackendKind::serial, problem, g, precision, tolerance, p).u;
      };
      CHECK(largest_difference(with("fp32"), with("same")) == 0);
    }
}

TEST_CASE("a 32-bit cycle moves half the bytes of a cycle, plus 12 bytes per cell for each conversion",
          "[preconditioner]") {
  const Grid g{64, 64};
  const auto cost_of = [&](const char* precision, int iterations) {
    const SolverMethod method = method_named(solver_named("pcg"), BackendKind::serial, "multigrid");
    PreparedSolver prepared(solver_named("pcg"), method, backend(BackendKind::serial), Precision::fp64,
                            method.space.complete({{setting, precision}}), posed("manufactured", g));
    prepared.reset();
    return prepared.solve(1e-300, iterations).cost.bytes;
  };
  const auto iteration = [&](const char* precision) { return cost_of(precision, 3) - cost_of(precision, 2); };
  // Parts without preconditioner: A p, p.q, u, r, r.z, p, and r.r at each check (8 bytes per word).
  const double without = (2 + 2 + 3 + 3 + 2 + 3 + 1) * 8.0 * double(g.cells());
  const double wide = iteration("same") - without, narrow = iteration("fp32") - without;
  CHECK(narrow == Approx(wide / 2 + 24.0 * double(g.cells())).epsilon(0.02));
}

TEST_CASE("a new operator is converted to 32 bits at each solve", "[preconditioner]") {
  const Grid g{24, 24};
  Backend& on = backend(BackendKind::serial);
  const auto problem = posed("jump", g);
  Operator a = problem->constant;
  a.constant = false;
  OwnedSystem system(on, Precision::fp64, g, a);
  const SolverMethod method = method_named(solver_named("pcg"), BackendKind::serial, "multigrid");
  const Config config = method.space.complete({{setting, "fp32"}});
  Solver solver(on, method.prepare(system.system(), config), config);
  for (double conductivity : {1000.0, 0.001, 1.0}) {
    INFO(conductivity);
    const LinearProblem next = make_problem("jump", g, {{"conductivity", conductivity}});
    system.upload(next);
    system.upload_start(next.initial);
    const Outcome outcome = solver.solve(1e-10, 50);
    CHECK(outcome.converged);
    CHECK(outcome.iterations <= 12);
  }
}
