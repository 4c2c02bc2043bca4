// NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/core/scalar.hpp"

namespace cfdmark {

// Returns the new direction r + beta p.
template <class C>
CFDMARK_FUNCTION C cg_direction_value(C r, C beta, C p_before) {
  return r + beta * p_before;
}
// Returns the new solution u + alpha p.
template <class C>
CFDMARK_FUNCTION C cg_solution_value(C u, C alpha, C p) {
  return multiply_add(alpha, p, u);
}
// Returns the new residual r - alpha q, with q = A p.
template <class C>
CFDMARK_FUNCTION C cg_residual_value(C r, C alpha, C q) {
  return multiply_add(-alpha, q, r);
}

}  // namespace cfdmark
