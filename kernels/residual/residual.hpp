// The residual b - A u, with A the five- or seven-point operator, and its squared norm. NVRTC reads this
// file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

// out = b - A u
struct Residual {
  static constexpr bool on_coarse_grids = true;
  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::StencilIn u;
    typename F::In b;
    typename F::Out out;
  };
  static constexpr Fields<Names> names{"a", "u", "b", "out"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.out = stencil_residual<F::dims, typename F::Number>(at.a, at.u, at.b);
  }

  static CellDescription<Residual> description();
};

// The sum of (b - A u)^2 without storing residuals.
struct ResidualSquare {
  using Reduction = SumOperation;
  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::StencilIn u;
    typename F::In b;
  };
  static constexpr Fields<Names> names{"a", "u", "b"};

  template <class F>
  CFDMARK_FUNCTION Product<typename F::Number> operator()(const Fields<F>& at) const {
    const typename F::Number r = stencil_residual<F::dims, typename F::Number>(at.a, at.u, at.b);
    return {r, r};
  }

  static CellDescription<ResidualSquare> description();
};

}  // namespace cfdmark
