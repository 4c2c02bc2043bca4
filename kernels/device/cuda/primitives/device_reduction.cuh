// Reductions over the threads of a launch. NVRTC reads this file, so it includes no standard header.
//
// The numbers of threads and blocks fix the order of operations, so the bits are the same in every run.
#pragma once

#include "kernels/core/reduction_operations.hpp"

namespace cfdmark {

// Reduces the values of each group of `lanes` consecutive lanes. The group's first lane has the result.
template <class Op, int lanes>
__device__ __forceinline__ double join_lanes(double value) {
#pragma unroll
  for (int by = lanes / 2; by > 0; by /= 2)
    value = Op::template join<double>(value, __shfl_down_sync(0xffffffffu, value, by));
  return value;
}
// Reduces the values of a warp; lane 0 has the result.
template <class Op>
__device__ __forceinline__ double join_warp(double value) {
  return join_lanes<Op, 32>(value);
}
// Reduces one or two values per lane over a warp. Lane 0 has the first result, lane 16 the second: after one
// exchange each half of the warp reduces one value, so two values cost no more shuffles than one.
template <class Op>
__device__ __forceinline__ double join_warp_each(const double (&values)[1], int) {
  return join_warp<Op>(values[0]);
}
template <class Op>
__device__ __forceinline__ double join_warp_each(const double (&values)[2], int lane) {
  const bool lower = lane < 16;
  const double kept = lower ? values[0] : values[1], given = lower ? values[1] : values[0];
  return join_lanes<Op, 16>(Op::template join<double>(kept, __shfl_xor_sync(0xffffffffu, given, 16)));
}

// Reduces the values of a block of whole warps; thread 0 has the result. Shuffles within warps need only two
// barriers, where a tree in shared memory needs one per level.
template <class Op>
__device__ __forceinline__ double join_block(double value, int thread, int threads) {
  constexpr int lanes = 32, most_warps = 32;
  const int warps = threads / lanes;
  value = join_warp<Op>(value);
  if (warps == 1) return value;
  __shared__ double of_warps[most_warps];
  __syncthreads();  // all threads have read the previous values
  if (thread % lanes == 0) of_warps[thread / lanes] = value;
  __syncthreads();
  if (thread < lanes) value = join_warp<Op>(thread < warps ? of_warps[thread] : 0.0);
  return value;
}

// Reduces the values of all threads of all blocks in x and stores the result. The last block to arrive
// reduces the partial results of all blocks, which saves a second launch.
template <class Op>
__device__ __forceinline__ void join_blocks(double value, int thread, int threads, const BlockResults& blocks,
                                            double* result) {
  __shared__ bool last;
  value = join_block<Op>(value, thread, threads);
  if (thread == 0) {
    blocks.partial[blockIdx.x] = value;
    __threadfence();  // publishes the partial result before the arrival is counted
    last = atomicAdd(blocks.arrived, 1u) + 1 == gridDim.x;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  const volatile double* const partial =
      blocks.partial;  // volatile: other blocks wrote it, so it must bypass the L1 cache
  double total = 0;
  for (int m = thread; m < int(gridDim.x); m += threads) {
    const double of_a_block = partial[m];
    total = Op::template join<double>(total, of_a_block);
  }
  total = join_block<Op>(total, thread, threads);
  if (thread != 0) return;
  *result = total;
  *blocks.arrived = 0;
}

}  // namespace cfdmark
