// The dynamic shared memory of a launch. NVRTC reads this file: no standard header here.
#pragma once

namespace cfdmark {

// Not within the function: there g++ 12, which compiles it for the emulated device, initializes it by a
// function that does not exist.
extern __shared__ __align__(128) unsigned char dynamic_shared_memory[];

// The block's Launch::shared_bytes, from their start. They hold what was left there by others.
template <class T>
__device__ __forceinline__ T* dynamic_shared() {
  return reinterpret_cast<T*>(dynamic_shared_memory);
}

}  // namespace cfdmark
