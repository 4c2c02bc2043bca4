// y = alpha x, independent of the old y: STREAM's scale, and with x and y stored differently the conversions
// of iterative refinement. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/scalar.hpp"

namespace cfdmark {

struct Scale {
  Scalar alpha;

  template <class F>
  struct Fields {
    typename F::OtherIn x;
    typename F::Out y;
  };
  static constexpr Fields<Names> names{"x", "y"};

  CFDMARK_FUNCTION Scale started() const { return {known(alpha)}; }

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.y = typename F::Number(alpha.value) * at.x;
  }

  static CellDescription<Scale> description();
};

}  // namespace cfdmark
