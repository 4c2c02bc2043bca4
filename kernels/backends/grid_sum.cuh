// Sums over all threads of a cooperative launch, for which all blocks wait. NVRTC reads this file: no
// standard header here.
//
// A barrier and then a sum would send two messages one after the other: the block is here, its part is read.
// Here the part itself is the message (flagged_value.cuh). Each block reads the parts of all, and adds in the
// same order: all have the same bits, run after run.
//
//   lanes -> warps -> block's part --> all blocks' parts -> sum      up to four warps for each number
//                                  \-> meanwhile                     what others send beside their parts
//
// There are two sets of parts, in turn: a block that is ahead writes the other set, and cannot come to this
// one again before it has the next round's parts, which each block sends after it has read this round's.
#pragma once

#include "kernels/backends/device_reduction.cuh"
#include "kernels/backends/flagged_value.cuh"
#include "kernels/backends/grid_sum.hpp"

namespace cfdmark {

// Sums and messages order nothing but themselves. Where the last writes of a launch go to what other blocks
// read at its start, all threads call this before the first sum, and after the last.
__device__ __forceinline__ void order_with_sums() {
  __syncthreads();
#if defined(__CUDA_ARCH__)
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
  __syncthreads();
}

// The sums over all threads of all blocks in x of each of some numbers, in their place, for every thread.
// `round`: one more at each call; the first of a launch one more than *memory.round, which is the caller's to
// write after the last. A launch sums as many numbers each time.
//
// While the parts are on their way all threads call meanwhile(), between two barriers of the block: what its
// threads have written to shared memory before is there. It may receive messages of this round that other
// blocks have sent before they came here. Two sets in turn are enough for those as well: no part of the next
// round leaves a block before all its threads are back.
template <int threads, int count, class Meanwhile>
__device__ __forceinline__ void grid_sums(double (&values)[count], int thread, const GridSumMemory& memory,
                                          unsigned round, const Meanwhile& meanwhile) {
  constexpr int lanes = 32, warps = threads / lanes, share = lanes / count,
                readers = warps / count < 4 ? warps / count : 4;  // warps, for each number
  static_assert(threads % lanes == 0 && (warps & (warps - 1)) == 0 && count * warps <= lanes && readers > 0);
  __shared__ double of_warps[count * warps], sums[count * readers];
  const int lane = thread % lanes, blocks = int(gridDim.x);
  FlaggedValue* const parts = memory.parts + round % 2 * count * blocks;

  const double of_warp = join_warp_each<SumOperation>(values, lane);
  if (lane % share == 0) of_warps[lane / share * warps + thread / lanes] = of_warp;
  __syncthreads();
  if (thread < lanes) {
    const bool has_one = thread < count * warps;
    const double of_block = join_lanes<SumOperation, warps>(has_one ? of_warps[thread] : 0.0);
    if (has_one && thread % warps == 0)
      send(parts + thread / warps * blocks + blockIdx.x, flagged(of_block, round));
  }
  meanwhile();
  const int warp = thread / lanes;
  if (warp < count * readers) {
    // All parts that a lane reads are under way at once.
    constexpr int at_once = 4 / readers;
    const FlaggedValue* const of_number = parts + warp % count * blocks;
    double sum = 0;
    for (int first = warp / count * lanes + lane; first < blocks; first += at_once * readers * lanes) {
      FlaggedValue part[at_once];
      bool here = false;
      while (!here) {
        here = true;
#pragma unroll
        for (int n = 0; n < at_once; ++n) {
          part[n] = look_at(of_number + min(first + n * readers * lanes, blocks - 1));
          here = here && is_of(part[n], round);
        }
        if (!here) let_others_go_on();
      }
#pragma unroll
      for (int n = 0; n < at_once; ++n)
        if (first + n * readers * lanes < blocks) sum += value_of(part[n]);
    }
    sum = join_warp<SumOperation>(sum);
    if (lane == 0) sums[warp] = sum;
  }
  __syncthreads();
#pragma unroll
  for (int m = 0; m < count; ++m) {
    values[m] = 0;
#pragma unroll
    for (int n = 0; n < readers; ++n) values[m] += sums[n * count + m];
  }
}

// Of one number.
template <int threads, class Meanwhile>
__device__ __forceinline__ double grid_sum(double value, int thread, const GridSumMemory& memory,
                                           unsigned round, const Meanwhile& meanwhile) {
  double values[1] = {value};
  grid_sums<threads>(values, thread, memory, round, meanwhile);
  return values[0];
}

}  // namespace cfdmark
