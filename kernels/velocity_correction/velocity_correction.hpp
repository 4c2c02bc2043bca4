// The velocities of a staggered grid once the pressure has pushed them: u' = u - dt / rho dp/dx on each face
// between two cells of the fluid. A face spans one cell, so that what is left of div u is what the equation
// of pressure leaves. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/cell.hpp"
#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

struct VelocityCorrection {
  FluidCell cell = {};
  double time_step = 1;

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::Around p;
    typename F::In u, v;
    typename F::Out new_u, new_v;
  };
  static constexpr Fields<Names> names{"faces", "p", "u", "v", "new u", "new v"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces)};
    const double scale = time_step / cell.density;
    const C here = at.p(0, 0), u = at.u, v = at.v;
    const C pushed_u = u - C(scale / cell.dx) * (here - at.p(-1, 0)),
            pushed_v = v - C(scale / cell.dy) * (here - at.p(0, -1));
    at.new_u = faces.west() == FaceKind::fluid ? pushed_u : u;
    at.new_v = faces.south() == FaceKind::fluid ? pushed_v : v;
  }

  static CellDescription<VelocityCorrection> description();
};

}  // namespace cfdmark
