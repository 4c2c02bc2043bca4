// a = b + s c, the triad of McCalpin's STREAM. It measures memory bandwidth, a ceiling of the roofline. NVRTC
// reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"

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
