// Reduction of the cells' results to one number: a sum or a max-norm. NVRTC reads this file, so it includes
// no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// A cell's contribution x y to a sum, added by one fused multiply-add.
template <class C>
struct Product {
  C x, y;
};
CFDMARK_FUNCTION double in_double(double value) { return value; }
template <class C>
CFDMARK_FUNCTION Product<double> in_double(const Product<C>& p) {
  return {double(p.x), double(p.y)};
}

// An operation has add(), which accumulates one cell, and join(), which combines two partial results. Short
// runs accumulate in the arithmetic type C; their results are combined in double.
struct SumOperation {
  static constexpr bool exact = false;  // combining partial results rounds

  template <class C>
  CFDMARK_FUNCTION static C add(C running, C x) {
    return running + x;
  }
  template <class C>
  CFDMARK_FUNCTION static C add(C running, const Product<C>& p) {
    return multiply_add(p.x, p.y, running);
  }
  template <class C>
  CFDMARK_FUNCTION static C join(C a, C b) {
    return a + b;
  }
};
// The largest magnitude.
struct MaxNormOperation {
  static constexpr bool exact = true;

  // A NaN must propagate, or a corrupt field would have a small norm. This decides the direction of the
  // comparisons.
  template <class C>
  CFDMARK_FUNCTION static C add(C running, C x) {
    return join(running, x < 0 ? -x : x);
  }
  template <class C>
  CFDMARK_FUNCTION static C join(C a, C b) {
    return b <= a || a != a ? a : b;
  }
};

// Memory for the results of a launch's blocks: one value per block, and the count of blocks that have stored
// theirs. `arrived` is zero before and after each launch.
struct BlockResults {
  double* partial;
  unsigned* arrived;
};

}  // namespace cfdmark
