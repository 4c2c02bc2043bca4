// Sums over all threads of a cooperative launch, which also synchronise its blocks. NVRTC reads this file, so
// it includes no standard header.
//
// A barrier followed by a sum would send two messages in sequence: the arrival, and the partial sum. Here the
// partial sum is the message (flagged_value.cuh). Each block reads the partial sums of all blocks and adds
// them in the same order, so all blocks have the same bits in every run.
//
//   lanes -> warps -> block's part --> all blocks' parts -> sum      up to four warps per number
//                                  \-> meanwhile                     other messages of this round
//
// Two sets of parts alternate. A block that is ahead writes to the other set. It reaches this set again only
// after reading the next round's parts, which each block sends after reading this round's.
#pragma once

#include "kernels/device/cuda/primitives/device_reduction.cuh"
#include "kernels/device/cuda/primitives/flagged_value.cuh"
#include "kernels/device/cuda/primitives/grid_sum.hpp"

namespace cfdmark {

// Orders other memory with the sums, which order nothing but themselves. If the last writes of a launch go to
// memory that other blocks read at its start, all threads must call this before the first sum and after the
// last.
__device__ __forceinline__ void order_with_sums() {
  __syncthreads();
#if defined(__CUDA_ARCH__)
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
  __syncthreads();
}

// Replaces each number by its sum over all threads of all blocks in x, in every thread. `round` increases by
// one per call. The first of a launch is *memory.round + 1; the caller stores the last one there. The numbers
// per call must be constant within a launch.
//
// While the partial sums travel, all threads call meanwhile() between two barriers of the block, so it sees
// earlier writes to shared memory. It may receive messages of this round from other blocks. Two alternating
// sets suffice for those too: no block sends parts of the next round before all its threads have returned.
template <int threads, int count, class Meanwhile>
__device__ __forceinline__ void grid_sums(double (&values)[count], int thread, const GridSumMemory& memory,
                                          unsigned round, const Meanwhile& meanwhile) {
  constexpr int lanes = 32, warps = threads / lanes, share = lanes / count,
                readers = warps / count < 4 ? warps / count : 4;  // warps that read parts, per number
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
    // All loads of a lane are in flight together.
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

// The same for one number.
template <int threads, class Meanwhile>
__device__ __forceinline__ double grid_sum(double value, int thread, const GridSumMemory& memory,
                                           unsigned round, const Meanwhile& meanwhile) {
  double values[1] = {value};
  grid_sums<threads>(values, thread, memory, round, meanwhile);
  return values[0];
}

}  // namespace cfdmark
