// What a cell of a staggered grid loses, as the right-hand side of its equation of pressure:
//   sum c (p_P - p_nb) = -rho / dt V div u,   c = area / distance of each face to another cell of the fluid
// u(i, j) lies on the west face of cell (i, j), v(i, j) on its south face. NVRTC reads this file: no standard
// header here.
#pragma once

#include "kernels/core/cell.hpp"
#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

struct VelocityDivergence {
  FluidCell cell = {};
  double time_step = 1;

  template <class F>
  struct Fields {
    typename F::Around u, v;
    typename F::Out b;
  };
  static constexpr Fields<Names> names{"u", "v", "b"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const double scale = cell.density / time_step;
    at.b = C(scale * cell.dy) * (at.u(0, 0) - at.u(1, 0)) + C(scale * cell.dx) * (at.v(0, 0) - at.v(0, 1));
  }

  static CellDescription<VelocityDivergence> description();
};

}  // namespace cfdmark
