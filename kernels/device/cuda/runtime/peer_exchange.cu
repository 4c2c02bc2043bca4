// Stores boxes of values in the memory of other devices, with the flags around them. NVRTC reads this file,
// so it includes no standard header.
//
// The threads of a block meet at a barrier before its first thread counts the block, and the last block to be
// counted gives the signals: they follow the values of all threads.
#include "kernels/device/cuda/runtime/peer_exchange.hpp"
#include "kernels/device/cuda/runtime/system_flags.cuh"

namespace cfdmark {

__device__ __forceinline__ void fence_system() {
#if defined(__CUDACC__)
  __threadfence_system();
#endif
}

__device__ __forceinline__ void give(const PeerFlag* signals, int count) {
  for (int n = 0; n < count; ++n) set_flag(signals[n].flag, ++*signals[n].count);
}

// Waits for the next count of each flag. Only the first failure is noted; after it no flag is waited for
// long. The failure is in the memory of the host: a look at it takes a microsecond a block, one block after
// the other, so that it is not looked at before a flag is late.
__device__ __forceinline__ void wait_for(const PeerFlag* awaits, int count, const PeerLaunch& of) {
  constexpr unsigned long long late = 100'000;  // ns
  volatile PeerFailure* const failure = of.failure;
  for (int n = 0; n < count; ++n) {
    const unsigned long long wanted = *awaits[n].count + 1;
    if (wait_for_flag(awaits[n].flag, wanted, late) || failure->number >= 0) continue;
    if (wait_for_flag(awaits[n].flag, wanted, of.limit)) continue;
    failure->round = wanted;
    failure->number = awaits[n].number;
  }
}
__device__ __forceinline__ void count_awaits(const PeerFlag* awaits, int count) {
  for (int n = 0; n < count; ++n) ++*awaits[n].count;
}

template <class Word>
__device__ __forceinline__ void store_box(const PeerBox& box) {
  const long long all = (long long)(box.words) * box.ny * box.nz;
  const long long stride = (long long)(gridDim.x) * blockDim.x;
  for (long long n = (long long)(blockIdx.x) * blockDim.x + threadIdx.x; n < all; n += stride) {
    const long long row = n / box.words, i = n - row * box.words, k = row / box.ny, j = row - k * box.ny;
    static_cast<Word*>(box.to)[i + j * box.to_pitch + k * box.to_plane] =
        static_cast<const Word*>(box.from)[i + j * box.from_pitch + k * box.from_plane];
  }
}

// word: bytes of a word, 4, 8 or 16.
template <int word, int threads>
__global__ void __launch_bounds__(threads) peer_exchange(PeerLaunch of) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) give(of.signals_before, of.count_signals_before);
    wait_for(of.awaits_before, of.count_awaits_before, of);
  }
  __syncthreads();
  for (int n = 0; n < of.count_boxes; ++n) {
    if constexpr (word == 16) store_box<PeerWord>(of.boxes[n]);
    if constexpr (word == 8) store_box<unsigned long long>(of.boxes[n]);
    if constexpr (word == 4) store_box<unsigned>(of.boxes[n]);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  fence_system();  // the values of this block are visible before it is counted
  if (atomicAdd(of.arrived, 1u) + 1 != gridDim.x) return;
  *of.arrived = 0;
  fence_system();
  count_awaits(of.awaits_before, of.count_awaits_before);
  give(of.signals_after, of.count_signals_after);
  wait_for(of.awaits_after, of.count_awaits_after, of);
  count_awaits(of.awaits_after, of.count_awaits_after);
}

}  // namespace cfdmark
