#include "solvers/linear/system/sides.hpp"

namespace cfdmark {
namespace {

// Returns the ends of an axis between two sides; empty if no waves satisfy both conditions.
std::optional<Ends> ends_between(BoundaryKind one, BoundaryKind other, bool cells) {
  if (one != other) return {};
  switch (one) {
    case BoundaryKind::periodic: return Ends::periodic;
    case BoundaryKind::dirichlet:
      if (!cells) return Ends::zero;
      break;
    case BoundaryKind::neumann:
      if (cells) return Ends::closed;
      break;
    case BoundaryKind::symmetric: break;
  }
  return {};
}

}  // namespace

Sides sides_of(const ProblemDescription& problem) {
  Sides sides{.is_singular = is_singular(problem),
              .periodic = periodic_axes(problem),
              .of_cells = axes_of_cells(problem)};
  if (problem.coefficients) return sides;
  const Boundaries& at = problem.boundaries;
  const auto x = ends_between(at.west, at.east, sides.of_cells[0]),
             y = ends_between(at.south, at.north, sides.of_cells[1]),
             z = problem.in_3d ? ends_between(at.bottom, at.top, sides.of_cells[2]) : y;
  if (x && y && z) sides.uniform_between = {*x, *y, *z};
  return sides;
}

}  // namespace cfdmark
