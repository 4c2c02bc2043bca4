// Sums over all threads of a cooperative launch: what they need of memory. NVRTC reads this file: no standard
// header here.
#pragma once

#include "kernels/backends/flagged_value.hpp"

namespace cfdmark {

// `parts`: two for each block and number, zero before the first launch. `round`: how many sums there have
// been, zero before the first launch.
struct GridSumMemory {
  FlaggedValue* parts;
  unsigned* round;
};

}  // namespace cfdmark
