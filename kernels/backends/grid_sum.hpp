// Sums over all threads of a cooperative launch that are a barrier too: what they need of memory. NVRTC reads
// this file: no standard header here.
#pragma once

namespace cfdmark {

// `words`: four for each block and number, aligned as a pair of them, zero before the first launch. `round`:
// how many sums there have been, zero before the first launch.
struct GridSumMemory {
  unsigned long long* words;
  unsigned* round;
};

}  // namespace cfdmark
