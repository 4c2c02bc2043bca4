// Reductions over the threads of a launch. NVRTC reads this file: no standard header here.
//
// In which order values are joined is fixed by the numbers of threads and blocks: the same bits run after
// run.
#pragma once

#include "kernels/core/reduction_operations.hpp"

namespace cfdmark {

// Joins the values of each so many lanes side by side; the first of them has the result. Each lane takes what
// the one `by` above it has.
template <class Op, int lanes>
__device__ __forceinline__ double join_lanes(double value) {
#pragma unroll
  for (int by = lanes / 2; by > 0; by /= 2)
    value = Op::template join<double>(value, __shfl_down_sync(0xffffffffu, value, by));
  return value;
}
// Of a warp.
template <class Op>
__device__ __forceinline__ double join_warp(double value) {
  return join_lanes<Op, 32>(value);
}
// Joins each of one or two numbers that the lanes of a warp have. Lane 0 has the first result, lane 16 the
// second: half of the lanes go on with each, so that two numbers take no more exchanges than one.
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

// Joins the values of all threads of a block of whole warps; thread 0 has the result. Through registers
// within a warp: two barriers, where a tree through shared memory needs one a level.
template <class Op>
__device__ __forceinline__ double join_block(double value, int thread, int threads) {
  constexpr int lanes = 32, most_warps = 32;
  const int warps = threads / lanes;
  value = join_warp<Op>(value);
  if (warps == 1) return value;
  __shared__ double of_warps[most_warps];
  __syncthreads();  // nobody reads them any more
  if (thread % lanes == 0) of_warps[thread / lanes] = value;
  __syncthreads();
  if (thread < lanes) value = join_warp<Op>(thread < warps ? of_warps[thread] : 0.0);
  return value;
}

// Joins the values of all threads of all blocks in x, and leaves the result in memory: the block that arrives
// last joins what the others have left, so that no second launch is needed.
template <class Op>
__device__ __forceinline__ void join_blocks(double value, int thread, int threads, const BlockResults& blocks,
                                            double* result) {
  __shared__ bool last;
  value = join_block<Op>(value, thread, threads);
  if (thread == 0) {
    blocks.partial[blockIdx.x] = value;
    __threadfence();  // the partial result is there before the arrival is counted
    last = atomicAdd(blocks.arrived, 1u) + 1 == gridDim.x;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  const volatile double* const partial =
      blocks.partial;  // other blocks wrote it: not to be read from a nearer cache
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
