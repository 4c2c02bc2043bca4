// Subnormal numbers count as zero on hosts.
//
// A flow from rest falls off by some factor a cell far from what moves it, and soon below the least normal
// number, 1e-38 in 32 bits. An Intel core takes hundreds of cycles for each operation on what lies below: on
// the 16 cores of a Xeon PISO took nine times as long in 32 bits for it (results/lab_book.md). A GPU computes
// with them as fast as with others, and keeps them: below 1e-38 in 32 bits, and 1e-308 in 64, the two may
// differ.
#pragma once

#if defined(__SSE2__)
#include <pmmintrin.h>
#endif

namespace cfdmark {

// On this thread, and on those that it starts from now on. Whoever asks for a backend has it done.
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
