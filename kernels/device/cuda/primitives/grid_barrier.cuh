// A barrier for all blocks of a cooperative launch. NVRTC reads this file, so it includes no standard header.
#pragma once

namespace cfdmark {

// Waits until all threads of all blocks arrive; each then sees all earlier writes of the others. `arrived`:
// memory of the plan, zero before the first launch, which all barriers of a plan's launches may share.
//
// The lower 31 bits count arrivals. Block 0 adds 2^31 - (blocks - 1), so the count returns to zero when all
// have arrived, and the highest bit flips. Blocks wait for that flip.
__device__ __forceinline__ void grid_barrier(unsigned* arrived) {
  constexpr unsigned turned = 0x80000000u;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    const bool first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
    const volatile unsigned* const now = arrived;  // modified by other blocks
    __threadfence();                               // publishes the block's writes before it is counted
    const unsigned before = atomicAdd(arrived, first ? turned - (blocks - 1) : 1u);
    while (((*now ^ before) & turned) == 0) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
}

}  // namespace cfdmark
