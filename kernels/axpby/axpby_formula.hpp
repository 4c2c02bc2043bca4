// NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

template <class C>
CFDMARK_FUNCTION C axpby_value(C alpha, C x, C beta, C y) {
  return multiply_add(alpha, x, beta * y);
}

// A Scalar (axpby.hpp) at the time the step runs. 0/0 gives 0: CG that has converged exactly stands still.
CFDMARK_FUNCTION double scalar_value(double value, const double* numerator, const double* denominator) {
  if (!numerator) return value;
  return *numerator == 0 ? 0 : value * (*numerator / (denominator ? *denominator : 1.0));
}

}  // namespace cfdmark
