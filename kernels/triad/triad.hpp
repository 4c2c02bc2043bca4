// a = b + s c, one of the kernels that measure the roof, as McCalpin's STREAM has them. NVRTC reads this
// file: no standard header here.
#pragma once

#include "kernels/core/cell.hpp"

namespace cfdmark {

struct Triad {
  double s = 1;

  template <class F>
  struct Fields {
    typename F::In b, c;
    typename F::Out a;
  };
  static constexpr Fields<Names> names{"b", "c", "a"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.a = multiply_add(typename F::Number(s), at.c, at.b);
  }

  static CellDescription<Triad> description();
};

}  // namespace cfdmark
