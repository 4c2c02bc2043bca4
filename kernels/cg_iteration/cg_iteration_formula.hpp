// NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/scalar.hpp"

namespace cfdmark {

// The new direction, r + beta p.
template <class C>
CFDMARK_FUNCTION C cg_direction_value(C r, C beta, C p_before) {
  return r + beta * p_before;
}
// u + alpha p
template <class C>
CFDMARK_FUNCTION C cg_solution_value(C u, C alpha, C p) {
  return multiply_add(alpha, p, u);
}
// r - alpha q, q = A p
template <class C>
CFDMARK_FUNCTION C cg_residual_value(C r, C alpha, C q) {
  return multiply_add(-alpha, q, r);
}

}  // namespace cfdmark
