// y = alpha x + beta y: axpy (beta = 1), the direction update of CG (alpha = 1) and, with x and y stored
// differently, the correction of iterative refinement. NVRTC reads this file, so it includes no standard
// header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/scalar.hpp"

namespace cfdmark {

struct Axpy {
  Scalar alpha, beta;

  template <class F>
  struct Fields {
    typename F::OtherIn x;
    typename F::InOut y;
  };
  static constexpr Fields<Names> names{"x", "y"};

  CFDMARK_FUNCTION Axpy started() const { return {known(alpha), known(beta)}; }

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.y = multiply_add(C(alpha.value), at.x, C(beta.value) * at.y);
  }

  static CellDescription<Axpy> description();
};

}  // namespace cfdmark
