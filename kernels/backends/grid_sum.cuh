// A sum over all threads of a cooperative launch that is a barrier too. NVRTC reads this file: no standard
// header here.
//
// A barrier and then a sum would send two messages one after the other: the block is here, its part is read.
// Here the part itself is the message. A block leaves it in two words, each half of the number beside the
// round that it belongs to, so that who reads a word knows whether it is there yet. Each block reads the
// words of all, and adds in the same order: all have the same bits, run after run.
//
// There are two sets of words, in turn: a block that is ahead writes the other set, and cannot come to this
// one again before all have read it.
#pragma once

#include "kernels/backends/device_reduction.cuh"
#include "kernels/backends/grid_sum.hpp"

namespace cfdmark {

union DoubleBits {
  double value;
  unsigned long long bits;
};

// The sum over all threads of all blocks in x, for every thread. Each then sees what every other wrote
// before. `round`: one more at each call; the first of a launch one more than *memory.round, which is the
// caller's to write after the last.
template <int threads>
__device__ __forceinline__ double grid_sum(double value, int thread, const GridSumMemory& memory,
                                           unsigned round) {
  static_assert(threads > 32, "join_block waits for all threads only where there are several warps");
  __shared__ double sum;
  volatile unsigned long long* const words = memory.words + round % 2 * 2 * gridDim.x;
  value = join_block<SumOperation, threads>(value, thread);
  if (thread == 0) {
    DoubleBits mine;
    mine.value = value;
    __threadfence();  // what the block wrote is there before its part
    words[2 * blockIdx.x] = (mine.bits >> 32) << 32 | round;
    words[2 * blockIdx.x + 1] = mine.bits << 32 | round;
  }
  double total = 0;
  for (int block = thread; block < int(gridDim.x); block += threads) {
    unsigned long long high = words[2 * block], low = words[2 * block + 1];
    while (unsigned(high) != round || unsigned(low) != round) {
      __nanosleep(20);
      high = words[2 * block], low = words[2 * block + 1];
    }
    DoubleBits part;
    part.bits = (high >> 32) << 32 | low >> 32;
    total += part.value;
  }
  __threadfence();
  total = join_block<SumOperation, threads>(total, thread);
  if (thread == 0) sum = total;
  __syncthreads();
  return sum;
}

}  // namespace cfdmark
