// How values join to a sum, a dot product or a max-norm. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// Each operation: how one cell joins the running value, and how two running values join.
// Short runs are accumulated in the compute type C, their results joined in double.
struct SumOperation {
  template <class C>
  CFDMARK_FUNCTION static C add(C running, C x, C) {
    return running + x;
  }
  template <class C>
  CFDMARK_FUNCTION static C join(C a, C b) {
    return a + b;
  }
};
struct DotOperation {
  template <class C>
  CFDMARK_FUNCTION static C add(C running, C x, C y) {
    return multiply_add(x, y, running);
  }
  template <class C>
  CFDMARK_FUNCTION static C join(C a, C b) {
    return a + b;
  }
};
struct MaxNormOperation {
  // A NaN must win, or a broken field would have a small norm: hence the comparisons are the way round they
  // are.
  template <class C>
  CFDMARK_FUNCTION static C add(C running, C x, C) {
    return join(running, x < 0 ? -x : x);
  }
  template <class C>
  CFDMARK_FUNCTION static C join(C a, C b) {
    return b <= a || a != a ? a : b;
  }
};

// Where the blocks of a launch leave their results: one each, and how many have done so. `arrived` is zero
// before the first launch, and again after each.
struct BlockResults {
  double* partial;
  unsigned* arrived;
};

}  // namespace cfdmark
