// grad p at the centre of a cell, from the pressure on its faces. NVRTC reads this file: no standard header
// here.
#pragma once

#include "kernels/core/cell.hpp"
#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

struct PressureGradient {
  FluidCell cell = {};

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::Around p;
    typename F::Out x, y;
  };
  static constexpr Fields<Names> names{"faces", "p", "dp/dx", "dp/dy"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces)};
    const C here = at.p(0, 0), west = at.p(-1, 0), east = at.p(1, 0), south = at.p(0, -1), north = at.p(0, 1);
    at.x = pressure_rise(faces.west(), faces.east(), west, here, east) * C(1 / cell.dx);
    at.y = pressure_rise(faces.south(), faces.north(), south, here, north) * C(1 / cell.dy);
  }

  static CellDescription<PressureGradient> description();
};

}  // namespace cfdmark
