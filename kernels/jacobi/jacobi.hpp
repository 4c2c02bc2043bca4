// One Jacobi iteration: out = (b + sum of neighbours' terms) / aP in every cell, from old values only. NVRTC
// reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

struct Jacobi {
  static constexpr bool on_coarse_grids = true;
  // out differs from u; the ghosts of u must be set.
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
    at.out = stencil_relax<F::dims, typename F::Number>(at.a, at.u, at.b);
  }

  static CellDescription<Jacobi> description();
};

// The same for b = 0 without a field for it: Laplace's equation, as in published record codes.
struct JacobiLaplace {
  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::StencilIn u;
    typename F::Out out;
  };
  static constexpr Fields<Names> names{"a", "u", "out"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.out = stencil_relax<F::dims, C>(at.a, at.u, C(0));
  }

  static CellDescription<JacobiLaplace> description();
};

}  // namespace cfdmark
