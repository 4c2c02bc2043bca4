// Reductions over the threads of a launch. NVRTC reads this file: no standard header here.
//
// In which order values are joined is fixed by the numbers of threads and blocks: the same bits run after run.
#pragma once

#include "kernels/core/reduction_operations.hpp"

namespace cfdmark {

// Joins the values of all threads of a block; thread 0 has the result. Joined in a tree: the upper half of
// the threads that are left hand theirs to the lower.
template <class Op, int threads>
__device__ __forceinline__ double join_block(double value, int thread) {
  __shared__ double values[threads];
  values[thread] = value;
  __syncthreads();
  for (int left = threads; left > 1;) {
    const int half = (left + 1) / 2;
    if (thread < left - half)
      values[thread] = Op::template join<double>(values[thread], values[thread + half]);
    __syncthreads();
    left = half;
  }
  return values[0];
}

// Joins the values of all threads of all blocks in x, and leaves the result in memory: the block that arrives last joins
// what the others have left, so that no second launch is needed.
template <class Op, int threads>
__device__ __forceinline__ void join_blocks(double value, int thread, const BlockResults& blocks, double* result) {
  __shared__ bool last;
  value = join_block<Op, threads>(value, thread);
  if (thread == 0) {
    blocks.partial[blockIdx.x] = value;
    __threadfence();  // the partial result is there before the arrival is counted
    last = atomicAdd(blocks.arrived, 1u) + 1 == gridDim.x;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  const volatile double* const partial = blocks.partial;  // other blocks wrote it: not to be read from a nearer cache
  double total = 0;
  for (int m = thread; m < int(gridDim.x); m += threads) {
    const double of_a_block = partial[m];
    total = Op::template join<double>(total, of_a_block);
  }
  total = join_block<Op, threads>(total, thread);
  if (thread != 0) return;
  *result = total;
  *blocks.arrived = 0;
}

}  // namespace cfdmark
