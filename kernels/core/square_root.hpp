// Square roots. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// Returns the correctly rounded square root: the same bits on every backend.
CFDMARK_FUNCTION float square_root(float x) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(x);
#else
  return __builtin_sqrtf(x);
#endif
}
CFDMARK_FUNCTION double square_root(double x) {
#if defined(__CUDA_ARCH__)
  return __dsqrt_rn(x);
#else
  return __builtin_sqrt(x);
#endif
}

}  // namespace cfdmark
