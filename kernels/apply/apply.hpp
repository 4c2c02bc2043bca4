// out = A u, with A the five- or seven-point operator. NVRTC reads this file, so it includes no standard
// header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

struct Apply {
  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::StencilIn u;
    typename F::Out out;
  };
  static constexpr Fields<Names> names{"a", "u", "out"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.out = stencil_apply<F::dims, typename F::Number>(at.a, at.u);
  }

  static CellDescription<Apply> description();
};

}  // namespace cfdmark
