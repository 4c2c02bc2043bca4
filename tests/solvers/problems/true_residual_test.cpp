// The residual that decides convergence.
#include "solvers/problems/problem.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("the true residual depends on the values of a solution, not on how they are stored", "[solvers]") {
  for (const ProblemDescription& posed : problem_table()) {
    const LinearProblem problem = make_problem(posed, {33, 17});
    const HostField stored = converted(problem.exact, Precision::fp32);
    const HostField widened = converted(stored, Precision::fp64);
    CHECK(residual_norm(problem, stored) == residual_norm(problem, widened));
  }
}
