// How a loop of iterations is judged, wherever its numbers lie. NVRTC reads this file: no standard header
// here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

struct LoopState {
  double wanted = 0, iterations = 0, more = 0;              // of this loop; more: 1 to go on, else 0
  double all_loops = 0, all_iterations = 0, all_looks = 0;  // of all loops since these were set to 0
};

// A look at the square of a norm, after `done` iterations since the last look: whether `next` more are to
// follow, `most` in all. The first look of a loop says what is wanted: `reduction_square` of what it is now.
// A square that is no number ends the loop.
CFDMARK_FUNCTION void judge(LoopState& s, bool is_first, double square, double reduction_square, int done,
                            int next, int most) {
  if (is_first) s.wanted = reduction_square * square, s.iterations = 0, s.all_loops += 1;
  if (is_first || done > 0) s.all_looks += 1;
  s.iterations += done, s.all_iterations += done;
  s.more = square > s.wanted && s.iterations + next <= most ? 1 : 0;
}

}  // namespace cfdmark
