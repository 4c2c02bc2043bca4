// Memory for sums over all threads of a cooperative launch. NVRTC reads this file, so it includes no standard
// header.
#pragma once

#include "kernels/device/cuda/primitives/flagged_value.hpp"

namespace cfdmark {

// `parts`: two per block and number, zero before the first launch. `round`: number of sums so far, zero
// before the first launch.
struct GridSumMemory {
  FlaggedValue* parts;
  unsigned* round;
};

}  // namespace cfdmark
