#include "solvers/linear/sides.hpp"

namespace cfdmark {

Sides sides_of(const ProblemDescription& problem) {
  Sides sides{.leave_constant_open = leaves_constant_open(problem),
              .at_cell_centres = problem.at_cell_centres};
  if (!sides.leave_constant_open || problem.coefficients) return sides;
  const Ends ends = is_periodic(problem) ? Ends::periodic : Ends::closed;
  sides.uniform_between = {ends, ends, ends};
  return sides;
}

}  // namespace cfdmark
