// a = b, one of the kernels that measure the roof, as McCalpin's STREAM has them. NVRTC reads this file: no
// standard header here.
#pragma once

#include "kernels/core/cell.hpp"

namespace cfdmark {

struct Copy {
  template <class F>
  struct Fields {
    typename F::In b;
    typename F::Out a;
  };
  static constexpr Fields<Names> names{"b", "a"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.a = at.b;
  }

  static CellDescription<Copy> description();
};

}  // namespace cfdmark
