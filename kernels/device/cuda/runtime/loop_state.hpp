// The convergence test of an iteration loop, on host or device. NVRTC reads this file, so it includes no
// standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// State of a loop in the backend's memory; `more` is the condition of a captured loop.
struct LoopState {
  double wanted = 0, iterations = 0, more = 0;  // of this loop; wanted: target; more: 1 to continue, else 0
  double all_loops = 0, all_iterations = 0, all_looks = 0;  // of all loops since the last reset
};

// Tests the squared norm after `done` iterations since the last test, and decides if `next` more follow,
// `most` in all. The first test of a loop sets the target: `reduction_square` times the present square. A NaN
// ends the loop.
CFDMARK_FUNCTION void judge(LoopState& s, bool is_first, double square, double reduction_square, int done,
                            int next, int most) {
  if (is_first) s.wanted = reduction_square * square, s.iterations = 0, s.all_loops += 1;
  if (is_first || done > 0) s.all_looks += 1;
  s.iterations += done, s.all_iterations += done;
  s.more = square > s.wanted && s.iterations + next <= most ? 1 : 0;
}

}  // namespace cfdmark
