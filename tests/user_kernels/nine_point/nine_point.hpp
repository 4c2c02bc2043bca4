// The nine-point Laplacian on a square mesh, times h^2: out = (4 (edges) + (corners) - 20 u) / 6. It is
// fourth order for harmonic functions.
#pragma once

#include "kernels/cells/cell.hpp"

namespace cfdmark {

struct NinePoint {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields {
    typename F::StencilIn u;
    typename F::Out out;
  };
  static constexpr Fields<Names> names{"u", "out"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const auto& u = at.u;
    const C edges = (u(-1, 0) + u(1, 0)) + (u(0, -1) + u(0, 1));
    const C corners = (u(-1, -1) + u(1, -1)) + (u(-1, 1) + u(1, 1));
    at.out = multiply_add(C(4), edges, multiply_add(C(-20), u(0, 0), corners)) / C(6);
  }

  static CellDescription<NinePoint> description();
};

}  // namespace cfdmark
