// The dynamic shared memory of a launch. NVRTC reads this file, so it includes no standard header.
#pragma once

namespace cfdmark {

// Declared outside the function: inside, g++ 12, which compiles it for the emulated device, would emit a call
// of a nonexistent initialiser.
extern __shared__ __align__(128) unsigned char dynamic_shared_memory[];

// Returns the start of the block's Launch::shared_bytes. Their contents are undefined.
template <class T>
__device__ __forceinline__ T* dynamic_shared() {
  return reinterpret_cast<T*>(dynamic_shared_memory);
}

}  // namespace cfdmark
