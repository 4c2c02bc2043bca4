// A barrier for all blocks of a cooperative launch. NVRTC reads this file: no standard header here.
#pragma once

namespace cfdmark {

// Waits until all threads of all blocks are here; each then sees what every other wrote before.
// `arrived`: memory of the plan, zero before the first launch. All barriers of a plan's launches may share
// it.
//
// The lower 31 bits count the blocks that are here, and are zero again when all are: the first block adds
// what makes the sum of all 2^31. So each barrier turns the highest bit, and that is what a block waits for.
__device__ __forceinline__ void grid_barrier(unsigned* arrived) {
  constexpr unsigned turned = 0x80000000u;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    const bool first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
    const volatile unsigned* const now = arrived;  // others change it
    __threadfence();                               // what the block wrote is there before it is counted
    const unsigned before = atomicAdd(arrived, first ? turned - (blocks - 1) : 1u);
    while (((*now ^ before) & turned) == 0) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
}

}  // namespace cfdmark
