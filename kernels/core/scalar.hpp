// A coefficient of a vector operation. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// The value of value * numerator / denominator. The pointers refer to the backend's memory and are read when
// the step runs, so that CG's coefficients never pass through the host. A null numerator: value alone; a null
// denominator: 1.
struct Scalar {
  double value = 1;
  const double* numerator = nullptr;
  const double* denominator = nullptr;
};

// Evaluates a Scalar when the step runs. A quotient with a zero numerator or denominator is 0: CG that has
// converged exactly, or to underflow, then leaves its vectors unchanged.
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
