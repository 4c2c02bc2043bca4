// Subnormal numbers are treated as zero on hosts.
//
// A flow started from rest decays by some factor per cell away from its driving boundary, and soon falls
// below the smallest normal number (1e-38 in fp32). Intel cores need hundreds of cycles per operation on
// subnormals. GPUs compute with them at full speed and keep them, so host and device results may differ below
// 1e-38 in fp32 and 1e-308 in fp64.
#pragma once

#if defined(__SSE2__)
#include <pmmintrin.h>
#endif

namespace cfdmark {

// Flushes subnormals to zero on this thread and on threads that it starts later. backend() calls it.
inline void flush_subnormals() {
#if defined(__SSE2__)
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
#elif defined(__aarch64__)
  unsigned long control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  constexpr unsigned long flush_to_zero = 1ul << 24;
  asm volatile("msr fpcr, %0" ::"r"(control | flush_to_zero));
#endif
}

}  // namespace cfdmark
