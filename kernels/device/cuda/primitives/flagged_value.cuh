// Messages between the blocks of a launch: numbers that carry their own flag. NVRTC reads this file, so it
// includes no standard header.
//
// With a separate flag the sender stores the data, waits until they are visible and sets the flag; the reader
// polls the flag and then loads the data. That takes four trips through the cache. Here every word carries
// its flag, the round, as in NCCL's LL protocol:
//
//   high  | upper half of the bits | round |        a reader sees from each word whether it has arrived,
//   low   | lower half of the bits | round |        so there is no fence and only one trip
//
// 64-bit words are written and read atomically; the two words of a number may arrive separately. A message
// orders no other memory: all that other blocks are to see must itself be a message.
#pragma once

#include "kernels/device/cuda/primitives/flagged_value.hpp"

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

// Bypasses the L1 cache, which is not coherent with writes of other blocks.
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
// Called between two polls.
__device__ __forceinline__ void let_others_go_on() {
#if !defined(__CUDA_ARCH__)
  __nanosleep(1);  // the emulated device runs one thread at a time
#endif
}

}  // namespace cfdmark
