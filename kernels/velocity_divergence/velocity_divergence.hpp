// The right-hand side of the pressure equation on a staggered grid, from the mass balance of a cell:
//   sum c (p_P - p_nb) = -rho / dt V div u,   c = area / distance of each face to another fluid cell
// u(i, j) is on the west face of cell (i, j), v(i, j) on its south face, w(i, j, k) on its bottom face. NVRTC
// reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/staggered.hpp"

namespace cfdmark {

struct LostThroughFaces {
  FluidCell cell = {};
  OfStep time_step = {};

  template <class C, class Fields>
  CFDMARK_FUNCTION C lost(const Fields& at) const {
    const double scale = cell.density / time_step.value;
    const C lost = C(scale * cell.area(0)) * (at.u(0, 0) - at.u(1, 0)) +
                   C(scale * cell.area(1)) * (at.v(0, 0) - at.v(0, 1));
    if constexpr (has_w<Fields>)
      return lost + C(scale * cell.area(2)) * (at.w(0, 0) - at.w(0, 0, 1));
    else
      return lost;
  }
};

struct VelocityDivergence : LostThroughFaces {
  static constexpr int only_dims = 2;
  CFDMARK_FUNCTION VelocityDivergence started() const { return {{cell, time_step.known()}}; }

  template <class F>
  struct Fields {
    typename F::StencilIn u, v;
    typename F::Out b;
  };
  static constexpr Fields<Names> names{"u", "v", "b"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.b = this->template lost<typename F::Number>(at);
  }

  static CellDescription<VelocityDivergence> description();
};

// The same in 3-D.
struct VelocityDivergence3d : LostThroughFaces {
  static constexpr int only_dims = 3;
  CFDMARK_FUNCTION VelocityDivergence3d started() const { return {{cell, time_step.known()}}; }

  template <class F>
  struct Fields {
    typename F::StencilIn u, v, w;
    typename F::Out b;
  };
  static constexpr Fields<Names> names{"u", "v", "w", "b"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.b = this->template lost<typename F::Number>(at);
  }

  static CellDescription<VelocityDivergence3d> description();
};

}  // namespace cfdmark
