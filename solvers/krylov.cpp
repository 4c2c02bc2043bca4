#include "solvers/krylov.hpp"

#include <cmath>

namespace cfdmark {

Outcome KrylovSolver::solve(double tolerance, int max_iterations) {
  Outcome outcome;
  start();
  const double first = std::sqrt(squared_residual(0));
  check(outcome, first, first);
  int now = 0;
  while (!(outcome.converged = outcome.relative_residual <= tolerance) && outcome.iterations < max_iterations &&
         std::isfinite(outcome.relative_residual)) {
    const int steps = std::min(check_interval_, max_iterations - outcome.iterations);
    for (int n = 0; n < steps; ++n, now = 1 - now) iterate(now);
    outcome.iterations += steps;
    check(outcome, std::sqrt(squared_residual(now)), first);
  }
  outcome.cost = double(outcome.iterations) * iteration_cost();
  return outcome;
}

void KrylovSolver::check(Outcome& outcome, double residual, double first) const {
  outcome.relative_residual = first == 0 ? 0 : residual / first;
  outcome.history.emplace_back(outcome.iterations, outcome.relative_residual);
  if (on_check) on_check(outcome.iterations);
}

}  // namespace cfdmark
