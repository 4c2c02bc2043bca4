// Numbers that pass between the blocks of a launch as messages. NVRTC reads this file: no standard header
// here.
//
// With a flag behind the data the sender waits until the data are visible, then writes the flag; the reader
// sees the flag, then asks for the data: the way through the cache four times. Here every word has its own
// flag, the round (as NCCL's protocol LL has it):
//
//   high  | upper half of the bits | round |        who reads a word knows whether it is there yet,
//   low   | lower half of the bits | round |        so nothing is fenced, and there is one way
//
// Words of 64 bits are written and read whole; the two of a number may come one after the other. A message
// orders no other memory: what is to be seen by other blocks must be a message itself.
#pragma once

#include "kernels/backends/flagged_value.hpp"

namespace cfdmark {

union DoubleBits {
  double value;
  unsigned long long bits;
};

__device__ __forceinline__ FlaggedValue flagged(double value, unsigned round) {
  DoubleBits b;
  b.value = value;
  return {(b.bits >> 32) << 32 | round, b.bits << 32 | round};
}
__device__ __forceinline__ bool is_of(const FlaggedValue& message, unsigned round) {
  return unsigned(message.high) == round && unsigned(message.low) == round;
}
__device__ __forceinline__ double value_of(const FlaggedValue& message) {
  DoubleBits b;
  b.bits = (message.high >> 32) << 32 | message.low >> 32;
  return b.value;
}

// Past the nearest cache, which does not know what other blocks write.
__device__ __forceinline__ void send(FlaggedValue* to, const FlaggedValue& message) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(message.high), "l"(message.low)
               : "memory");
#else
  *to = message;
#endif
}
__device__ __forceinline__ FlaggedValue look_at(const FlaggedValue* from) {
#if defined(__CUDA_ARCH__)
  FlaggedValue message;
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(message.high), "=l"(message.low)
               : "l"(from)
               : "memory");
  return message;
#else
  return *from;
#endif
}
// Between two looks.
__device__ __forceinline__ void let_others_go_on() {
#if !defined(__CUDA_ARCH__)
  __nanosleep(1);  // the emulated device runs one thread at a time
#endif
}

}  // namespace cfdmark
