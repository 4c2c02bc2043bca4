// How the numbers that cells return are joined to one: to a sum, to a max-norm. NVRTC reads this file: no
// standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// What a cell returns whose x y is to be added: multiplied and added with one rounding.
template <class C>
struct Product {
  C x, y;
};
CFDMARK_FUNCTION double in_double(double value) { return value; }
template <class C>
CFDMARK_FUNCTION Product<double> in_double(const Product<C>& p) {
  return {double(p.x), double(p.y)};
}

// Each operation: how one cell joins the running value, and how two running values join.
// Short runs are accumulated in the compute type C, their results joined in double.
struct SumOperation {
  static constexpr bool exact = false;  // joining rounds

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
// Of magnitudes the largest.
struct MaxNormOperation {
  static constexpr bool exact = true;

  // A NaN must win, or a broken field would have a small norm: hence the comparisons are the way round they
  // are.
  template <class C>
  CFDMARK_FUNCTION static C add(C running, C x) {
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
