#include "solvers/base/prepared_solve.hpp"

namespace cfdmark {

Outcome PreparedSolve::solve(double tolerance, int max_iterations) {
  Outcome outcome = solver().solve(tolerance, max_iterations);
  complete(outcome);
  return outcome;
}

Outcome PreparedSolve::solve_by_routine(double tolerance, int max_iterations) {
  clock_.start();
  Outcome outcome = solve(tolerance, max_iterations);
  clock_.stop();
  return outcome;
}

}  // namespace cfdmark
