// Sums of several values of a field at equal distances in memory, one per cell of the result. A few of them
// in turn give the sums of equal parts of a grid in one launch each, in an order that does not depend on the
// number of parts (solvers/flow/slot_sums.hpp). NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"

namespace cfdmark {

// sum = x_0 + x_1 + .. of `count` values, `stride` elements apart from the cell on, added in this order.
struct PartialSum {
  static constexpr int only_dims = 2;
  int count = 2, stride = 1;

  template <class F>
  struct Fields {
    typename F::StencilIn x;
    typename F::Out sum;
  };
  static constexpr Fields<Names> names{"x", "sum"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    C sum = C(0);
    for (int n = 0; n < count; ++n) sum = sum + at.x(n * stride, 0);
    at.sum = sum;
  }

  static CellDescription<PartialSum> description();
};

// The same of the products x_n y_n, each added by one multiply-add.
struct PartialDot {
  static constexpr int only_dims = 2;
  int count = 2, stride = 1;

  template <class F>
  struct Fields {
    typename F::StencilIn x, y;  // y may be x
    typename F::Out sum;
  };
  static constexpr Fields<Names> names{"x", "y", "sum"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    C sum = C(0);
    for (int n = 0; n < count; ++n) sum = multiply_add(at.x(n * stride, 0), at.y(n * stride, 0), sum);
    at.sum = sum;
  }

  static CellDescription<PartialDot> description();
};

}  // namespace cfdmark
