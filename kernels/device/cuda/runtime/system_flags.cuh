// Flags that devices and the host see in memory of each other. NVRTC reads this file, so it includes no
// standard header; the emulated device, whose devices are threads of the host, does.
//
// A reader that has loaded a flag with acquire sees all that its writer had stored before it set the flag
// with release, in the order of the whole system (PTX ISA, "Memory Consistency Model").
#pragma once

#if !defined(__CUDACC__)
#include <sched.h>
#include <time.h>
#endif

namespace cfdmark {

__device__ __forceinline__ void set_flag(unsigned long long* flag, unsigned long long value) {
#if defined(__CUDACC__)
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(flag), "l"(value) : "memory");
#else
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
#endif
}

__device__ __forceinline__ unsigned long long flag_at(const unsigned long long* flag) {
#if defined(__CUDACC__)
  unsigned long long value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(flag) : "memory");
  return value;
#else
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
#endif
}

// Returns the time of a clock of the device that only rises.
__device__ __forceinline__ unsigned long long nanoseconds_now() {
#if defined(__CUDACC__)
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
#else
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<unsigned long long>(now.tv_sec) * 1'000'000'000ull +
         static_cast<unsigned long long>(now.tv_nsec);
#endif
}

// Called between two looks at a flag.
__device__ __forceinline__ void let_other_devices_go_on() {
#if !defined(__CUDACC__)
  sched_yield();
#endif
}

// Waits until a flag has reached a value. Returns false if that takes longer than `limit` nanoseconds.
__device__ __forceinline__ bool wait_for_flag(const unsigned long long* flag, unsigned long long value,
                                              unsigned long long limit) {
  constexpr int looks_per_clock = 256;  // reading the clock takes longer than a look
  unsigned long long start = 0;
  for (int looks = 1; flag_at(flag) < value; ++looks) {
    let_other_devices_go_on();
    if (looks % looks_per_clock != 0) continue;
    const unsigned long long now = nanoseconds_now();
    if (start == 0) start = now;
    if (now - start > limit) return false;
  }
  return true;
}

}  // namespace cfdmark
