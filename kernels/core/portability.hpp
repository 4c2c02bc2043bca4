// Portability between host compilers, nvcc and NVRTC. NVRTC reads this file, so it includes no standard
// header.
#pragma once

#if defined(__CUDACC__)
#define CFDMARK_FUNCTION __host__ __device__ __forceinline__
#else
#define CFDMARK_FUNCTION inline
#endif

namespace cfdmark {

// Returns a * b + c with one rounding: the same bits on every backend. All compilers run with contraction
// off, so formulas state each fused multiply-add.
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
