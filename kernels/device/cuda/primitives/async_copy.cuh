// Asynchronous copies from global to shared memory that bypass the registers. NVRTC reads this file, so it
// includes no standard header.
#pragma once

namespace cfdmark {

// Copies 16 bytes; both addresses are 16-byte aligned. If not `wanted`, stores zeros and does not read
// `from`.
__device__ __forceinline__ void copy_async(void* to, const void* from, bool wanted) {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from), "r"(wanted ? 16 : 0)
               : "memory");
#else  // on the emulated device copies complete at once
  struct Bytes {
    unsigned char value[16];
  };
  *static_cast<Bytes*>(to) = wanted ? *static_cast<const Bytes*>(from) : Bytes{};
#endif
}

// Ends a group: all copies of this thread since the last call. A group may be empty.
__device__ __forceinline__ void end_group_of_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until at most `left` of this thread's latest groups are pending. Other threads see the data after a
// barrier.
template <int left>
__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory");
#endif
}

}  // namespace cfdmark
