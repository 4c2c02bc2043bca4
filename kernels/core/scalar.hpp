// A coefficient of a vector operation. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// value * numerator / denominator, the latter two read from the backend's memory when the step runs (so that
// the coefficients of CG need not visit the host). A null numerator stands for value alone.
struct Scalar {
  double value = 1;
  const double* numerator = nullptr;
  const double* denominator = nullptr;
};

// A Scalar at the time the step runs. A quotient by 0 gives 0: CG that has converged exactly, or as far as
// its numbers reach down, stands still.
CFDMARK_FUNCTION double scalar_value(double value, const double* numerator, const double* denominator) {
  if (!numerator) return value;
  if (*numerator == 0 || (denominator && *denominator == 0)) return 0;
  return value * (*numerator / (denominator ? *denominator : 1.0));
}
CFDMARK_FUNCTION Scalar known(const Scalar& s) { return {scalar_value(s.value, s.numerator, s.denominator)}; }
template <class C>
CFDMARK_FUNCTION C scalar_value(const Scalar& s) {
  return C(scalar_value(s.value, s.numerator, s.denominator));
}

}  // namespace cfdmark
