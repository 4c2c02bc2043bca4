// A sum over all threads of a cooperative launch that is a barrier too: what it needs of memory. NVRTC reads
// this file: no standard header here.
#pragma once

namespace cfdmark {

// `words`: four for each block, zero before the first launch. `round`: how many sums there have been, zero
// before the first launch.
struct GridSumMemory {
  unsigned long long* words;
  unsigned* round;
};

}  // namespace cfdmark
