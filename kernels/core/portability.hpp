// What host compilers, nvcc and NVRTC spell differently. NVRTC reads this file: no standard header here.
#pragma once

#if defined(__CUDACC__)
#define CFDMARK_FUNCTION __host__ __device__ __forceinline__
#else
#define CFDMARK_FUNCTION inline
#endif

namespace cfdmark {

// a * b + c with one rounding, the same bits everywhere. Contraction is off in every compiler, so
// the formulas say where they want it.
CFDMARK_FUNCTION float multiply_add(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return ::fmaf(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
CFDMARK_FUNCTION double multiply_add(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return ::fma(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}

}  // namespace cfdmark
