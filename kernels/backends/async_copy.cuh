// Copies from global to shared memory that pass no register and that nobody waits for before he has to. NVRTC
// reads this file: no standard header here.
#pragma once

namespace cfdmark {

// 16 bytes, aligned so at both ends; zeros if they are not wanted, and `from` is not read then.
__device__ __forceinline__ void copy_async(void* to, const void* from, bool wanted) {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from), "r"(wanted ? 16 : 0)
               : "memory");
#else  // the emulated device: they arrive at once
  struct Bytes {
    unsigned char value[16];
  };
  *static_cast<Bytes*>(to) = wanted ? *static_cast<const Bytes*>(from) : Bytes{};
#endif
}

// What this thread has copied since the last call is a group from here on, even if it is nothing.
__device__ __forceinline__ void end_group_of_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Until all of this thread's groups but the last `left` have arrived. Others see them behind a barrier.
template <int left>
__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory");
#endif
}

}  // namespace cfdmark
