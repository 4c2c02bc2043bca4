// Sums over all threads of a cooperative launch that are a barrier too. NVRTC reads this file: no standard
// header here.
//
// A barrier and then a sum would send two messages one after the other: the block is here, its part is read.
// Here the part itself is the message. A block leaves it in two words, each half of the number beside the
// round that it belongs to, so that who reads a word knows whether it is there yet. Each block reads the
// words of all, and adds in the same order: all have the same bits, run after run.
//
// There are two sets of words, in turn: a block that is ahead writes the other set, and cannot come to this
// one again before all have read it. Within a block a warp sends and reads for all threads.
#pragma once

#include "kernels/backends/device_reduction.cuh"
#include "kernels/backends/grid_sum.hpp"

namespace cfdmark {

union DoubleBits {
  double value;
  unsigned long long bits;
};

// A block's part: each half of its number, beside the round.
struct alignas(16) GridSumPart {
  unsigned long long high, low;
};

// What this thread has written, and what others of its block had before a barrier, is there for those who see
// what it writes next; and likewise what it reads next, for what it has seen.
__device__ __forceinline__ void order_between_blocks() {
#if defined(__CUDA_ARCH__)
  asm volatile("fence.acq_rel.gpu;" ::: "memory");  // __threadfence orders all threads alike: it costs more
#endif
}
__device__ __forceinline__ void send_part(GridSumPart* to, const GridSumPart& part) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(part.high), "l"(part.low)
               : "memory");
#else
  *to = part;
#endif
}
__device__ __forceinline__ GridSumPart read_part(const GridSumPart* from) {
#if defined(__CUDA_ARCH__)
  GridSumPart part;
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(part.high), "=l"(part.low)
               : "l"(from)
               : "memory");
  return part;
#else
  return *from;
#endif
}

__device__ __forceinline__ void let_others_go_on() {
#if !defined(__CUDA_ARCH__)
  __nanosleep(1);  // the emulated device runs one thread at a time
#endif
}

// The sums over all threads of all blocks in x of each of some numbers, in their place, for every thread.
// Each thread then sees what every other wrote before. `round`: one more at each call; the first of a launch
// one more than *memory.round, which is the caller's to write after the last. A launch sums as many numbers
// each time.
template <int threads, int count>
__device__ __forceinline__ void grid_sums(double (&values)[count], int thread, const GridSumMemory& memory,
                                          unsigned round) {
  constexpr int lanes = 32, warps = threads / lanes;
  static_assert(threads % lanes == 0 && warps <= lanes);
  __shared__ double of_warps[count][warps], sums[count];
#pragma unroll
  for (int m = 0; m < count; ++m) {
    values[m] = join_warp<SumOperation>(values[m]);
    if (thread % lanes == 0) of_warps[m][thread / lanes] = values[m];
  }
  __syncthreads();
  if (thread < lanes) {
    const int blocks = int(gridDim.x);
    GridSumPart* const parts = reinterpret_cast<GridSumPart*>(memory.words) + round % 2 * count * blocks;
#pragma unroll
    for (int m = 0; m < count; ++m)
      values[m] = join_warp<SumOperation>(thread < warps ? of_warps[m][thread] : 0.0);
    if (thread == 0) {
      order_between_blocks();
#pragma unroll
      for (int m = 0; m < count; ++m) {
        DoubleBits mine;
        mine.value = values[m];
        send_part(parts + m * blocks + blockIdx.x,
                  {(mine.bits >> 32) << 32 | round, mine.bits << 32 | round});
      }
    }
#pragma unroll
    for (int m = 0; m < count; ++m) values[m] = 0;
    // All parts that a lane reads are under way at once.
    constexpr int at_once = 4;
    for (int first = thread; first < blocks; first += at_once * lanes) {
      GridSumPart part[at_once][count];
      bool here = false;
      while (!here) {
        here = true;
#pragma unroll
        for (int n = 0; n < at_once; ++n)
#pragma unroll
          for (int m = 0; m < count; ++m)
            part[n][m] = read_part(parts + m * blocks + min(first + n * lanes, blocks - 1));
#pragma unroll
        for (int n = 0; n < at_once; ++n)
#pragma unroll
          for (int m = 0; m < count; ++m)
            here = here && unsigned(part[n][m].high) == round && unsigned(part[n][m].low) == round;
        if (!here) let_others_go_on();
      }
#pragma unroll
      for (int n = 0; n < at_once; ++n)
        if (first + n * lanes < blocks)
#pragma unroll
          for (int m = 0; m < count; ++m) {
            DoubleBits of_block;
            of_block.bits = (part[n][m].high >> 32) << 32 | part[n][m].low >> 32;
            values[m] += of_block.value;
          }
    }
    order_between_blocks();
#pragma unroll
    for (int m = 0; m < count; ++m) {
      values[m] = join_warp<SumOperation>(values[m]);
      if (thread == 0) sums[m] = values[m];
    }
  }
  __syncthreads();
#pragma unroll
  for (int m = 0; m < count; ++m) values[m] = sums[m];
}

// Of one number.
template <int threads>
__device__ __forceinline__ double grid_sum(double value, int thread, const GridSumMemory& memory,
                                           unsigned round) {
  double values[1] = {value};
  grid_sums<threads>(values, thread, memory, round);
  return values[0];
}

}  // namespace cfdmark
