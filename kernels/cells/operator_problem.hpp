// Operators of timed problems, shared by the stencil kernels.
#pragma once

#include "kernels/cells/timed_problem.hpp"

namespace cfdmark {

// Returns -h^2 times the Laplacian on a uniform grid over the unit box: wx = 1, h the spacing in x.
Operator timed_constant_operator(const Grid& g);

// Appends coefficient arrays (west, east, south, north, [bottom, top,] centre) to a problem's fields. They
// vary from cell to cell and are diagonally dominant.
void append_operator_fields(HostProblem& problem, Precision p, const Grid& g);

// Returns the operator whose arrays start at fields[first], in the order above.
Operator operator_over(const std::vector<AnyView>& fields, std::size_t first, const Grid& g);

inline Operator timed_operator(const ProblemShape& shape, const std::vector<AnyView>& fields,
                               std::size_t first) {
  return shape.op == OperatorKind::constant ? timed_constant_operator(shape.grid)
                                            : operator_over(fields, first, shape.grid);
}

// Returns views of a problem's host fields, to compute expected results.
std::vector<AnyView> views_of(const HostProblem& problem);

}  // namespace cfdmark
