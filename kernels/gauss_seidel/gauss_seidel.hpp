// One Gauss-Seidel iteration in lexicographic order, over-relaxed by omega: every cell uses the new values of
// the cells before it. Inherently serial; the reference for red-black ordering. NVRTC reads this file, so it
// includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

struct GaussSeidel {
  static constexpr bool in_order = true;
  double omega = 1;

  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::StencilInOut u;
    typename F::In b;
  };
  static constexpr Fields<Names> names{"a", "u", "b"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.u = stencil_over_relax<F::dims, C>(at.a, at.u, at.b, C(omega));
  }

  static CellDescription<GaussSeidel> description();
};

}  // namespace cfdmark
