// One Jacobi sweep: out = (b + sum of neighbours' terms) / aP for every cell, from the old values everywhere.
// NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/cell.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

struct Jacobi {
  static constexpr bool on_coarse_grids = true;
  // out is not u. Both have a ghost layer that means something.
  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::Around u;
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

// The same where b is 0, and lies in no memory: Laplace's equation, as others' record code has it.
struct JacobiLaplace {
  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::Around u;
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
