#include "solvers/base/convergence.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace cfdmark {

std::optional<int> diverged_by(const Outcome& outcome) {
  if (outcome.relative_residual <= divergence_limit) return {};
  for (const auto& [iteration, residual] : outcome.history)
    if (!(residual <= divergence_limit)) return iteration;  // also true for NaN
  return {};
}

Judgement judge(const Outcome& outcome, double true_residual, double tolerance, double allowed) {
  Judgement j{true_residual, false, std::abs(true_residual - outcome.relative_residual), ""};
  const auto iteration = diverged_by(outcome);
  if (iteration == 0)
    j.wrong = "the first residual overflows in this precision";
  else if (iteration)
    j.wrong = fmt::format("diverged by iteration {}", *iteration);
  else if (!(j.difference <= allowed))  // also true for NaN
    j.wrong = fmt::format("the solver claims a relative residual of {:.3g}, but it is {:.3g}",
                          outcome.relative_residual, true_residual);
  j.converged = j.wrong.empty() && is_converged(true_residual, tolerance);
  return j;
}

double relative_to_first(double residual, double first) {
  if (first == 0) return residual == 0 ? 0 : std::numeric_limits<double>::infinity();
  return residual / first;
}

}  // namespace cfdmark
