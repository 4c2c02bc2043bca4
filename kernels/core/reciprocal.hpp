// Division by a divisor whose reciprocal is known: the bits of a division, without its branches. NVRTC reads
// this file, so it includes no standard header.
//
// After P. Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, IBM Journal
// of Research and Development 34, 1990. Let r be 1 / d rounded to nearest, and q a quotient within one unit
// in the last place. Then q + r (a - d q), by two fused multiply-adds, is a / d rounded to nearest, if
// nothing underflows or overflows. The first estimate a r can be 1.5 units off, so it is corrected twice.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// Bounds on magnitudes, from 1 / bound to bound, within which no intermediate result leaves the normal
// numbers.
template <class T>
struct ReciprocalLimits;
template <>
struct ReciprocalLimits<float> {
  static constexpr float divisor = 1.0995116e12f, dividend = 1.1529215e18f;  // 2^40, 2^60
};
template <>
struct ReciprocalLimits<double> {
  static constexpr double divisor = 1.2676506002282294e30, dividend = 8.452712498170644e270;  // 2^100, 2^900
};

CFDMARK_FUNCTION float magnitude(float value) {
#if defined(__CUDA_ARCH__)
  return ::fabsf(value);
#else
  return __builtin_fabsf(value);
#endif
}
CFDMARK_FUNCTION double magnitude(double value) {
#if defined(__CUDA_ARCH__)
  return ::fabs(value);
#else
  return __builtin_fabs(value);
#endif
}
// These predicates have no branches, so that a compiler can vectorise quotients.
template <class T>
CFDMARK_FUNCTION bool is_between(T value, T limit) {
  return (magnitude(value) >= 1 / limit) & (magnitude(value) <= limit);
}
// Returns true if quotients by this divisor may use its reciprocal.
template <class T>
CFDMARK_FUNCTION bool has_safe_reciprocal(T divisor) {
  return is_between(divisor, ReciprocalLimits<T>::divisor);
}
// Returns true if this dividend is safe. Zero is, with either sign.
template <class T>
CFDMARK_FUNCTION bool is_safe_dividend(T dividend) {
  return (dividend == 0) | is_between(dividend, ReciprocalLimits<T>::dividend);
}

// Returns 1 / divisor, correctly rounded, for a safe divisor. On a GPU by Newton iterations, as in its own
// division, but without the branch for unsafe values.
CFDMARK_FUNCTION float safe_reciprocal(float divisor) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(divisor));
  return multiply_add(multiply_add(-divisor, r, 1.0f), r, r);
#else
  return 1 / divisor;
#endif
}
CFDMARK_FUNCTION double safe_reciprocal(double divisor) {
#if defined(__CUDA_ARCH__)
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(divisor));
  const double error = multiply_add(-divisor, r, 1.0);
  r = multiply_add(multiply_add(error, error, error), r, r);
  return multiply_add(multiply_add(-divisor, r, 1.0), r, r);
#else
  return 1 / divisor;
#endif
}

// Returns dividend / divisor, correctly rounded, if both are safe. `reciprocal` is that of the divisor.
template <class T>
CFDMARK_FUNCTION T quotient_by_reciprocal(T dividend, T divisor, T reciprocal) {
  const T first = dividend * reciprocal;
  const T second = multiply_add(multiply_add(-divisor, first, dividend), reciprocal, first);
  return multiply_add(multiply_add(-divisor, second, dividend), reciprocal, second);
}

}  // namespace cfdmark
