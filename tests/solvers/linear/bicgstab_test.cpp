// BiCGStab on convection-diffusion, where the operator is unsymmetric and the answer is known.
#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

std::shared_ptr<const LinearProblem> convection(const Grid& grid, double peclet) {
  return std::make_shared<const LinearProblem>(make_problem("convection", grid, {{"peclet", peclet}}));
}

Solved by_bicgstab(BackendKind kind, const SolverMethod& method, const Grid& grid, double peclet,
                   Precision p = Precision::fp64) {
  return solve("bicgstab", method, backend(kind), p, convection(grid, peclet),
               {p == Precision::fp32 ? 1e-5 : 1e-10, 3000});
}

}  // namespace

TEST_CASE("central differences are exact for the convection problem", "[bicgstab]") {
  for (const Grid& g : {Grid{7, 9}, Grid{5, 4, 6}})
    for (double peclet : {0.01, 1.9}) {
      const auto problem = convection(g, peclet);
      CHECK(residual_norm(*problem, problem->exact) <= 1e-12 * residual_norm(*problem, problem->initial));
    }
}

TEST_CASE("the convection problem's coefficients at a cell Peclet number of 1 are those worked by hand",
          "[bicgstab]") {
  const auto problem = convection({4, 9}, 1);  // half as wide in y: four times the weight
  const double expected[] = {1.5, 0.5, 6, 2, 10};
  for (int n = 0; n < 5; ++n) CHECK(problem->coefficients[n].get(1, 2) == Approx(expected[n]).epsilon(1e-14));
}

TEST_CASE("BiCGStab finds the exact answer of convection-diffusion with each preconditioner on each backend",
          "[bicgstab]") {
  for (BackendKind kind : backends_here())
    for (const SolverMethod& method : solver_named("bicgstab").methods(kind))
      for (const Grid& g : {Grid{40, 33}, Grid{12, 9, 10}})
        for (double peclet : {0.1, 1.0, 1.8}) {
          INFO(to_string(kind) << " " << method.name << " " << peclet);
          const Solved s = by_bicgstab(kind, method, g, peclet);
          CHECK(s.outcome.converged);
          CHECK(s.error.max <= 1e-7);
        }
}

TEST_CASE("BiCGStab claims the true residual of its answer, however far the residual rose", "[bicgstab]") {
  const auto problem = convection({129, 129}, 1.5);
  for (const SolverMethod& method : solver_named("bicgstab").methods(BackendKind::serial)) {
    const Solved s = by_bicgstab(BackendKind::serial, method, {129, 129}, 1.5);
    INFO(method.name);
    CHECK(s.outcome.converged);
    const double first = residual_norm(*problem, problem->initial);
    CHECK(residual_norm(*problem, s.u) / first == Approx(s.outcome.relative_residual).epsilon(0.01));
  }
}

TEST_CASE("BiCGStab needs a dozen iterations with a multigrid cycle where it needs hundreds without",
          "[bicgstab]") {
  const auto iterations = [](const char* name) {
    const SolverMethod method = method_named(solver_named("bicgstab"), BackendKind::serial, name);
    return by_bicgstab(BackendKind::serial, method, {128, 128}, 1).outcome.iterations;
  };
  CHECK(iterations("multigrid") <= 12);
  CHECK(iterations("textbook") >= 100);
}

TEST_CASE("a solver that needs a symmetric operator rejects an unsymmetric one and names an alternative",
          "[bicgstab]") {
  for (const SolverDescription& solver : solver_table()) {
    const std::string reason = refusal(solver, find_problem("convection"));
    INFO(solver.name);
    if (solver.name == "cg" || solver.name == "pcg" || solver.name == "hypre" || solver.name == "ginkgo")
      CHECK_THAT(reason, ContainsSubstring(solver.name + " needs a symmetric operator") &&
                             ContainsSubstring("convection") && ContainsSubstring("use bicgstab"));
    else
      CHECK(reason.empty());
  }
}
