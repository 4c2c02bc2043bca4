// grad p at a cell centre from the pressure at its faces. NVRTC reads this file, so it includes no standard
// header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

struct PressureGradient {
  static constexpr int only_dims = 2;
  FluidCell cell = {};

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::StencilIn p;
    typename F::Out x, y;
  };
  static constexpr Fields<Names> names{"faces", "p", "dp/dx", "dp/dy"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces)};
    const C here = at.p(0, 0), west = at.p(-1, 0), east = at.p(1, 0), south = at.p(0, -1), north = at.p(0, 1);
    const C on_west = on_face(faces.west(), here, west, faces.east(), east);
    const C on_east = on_face(faces.east(), here, east, faces.west(), west);
    const C on_south = on_face(faces.south(), here, south, faces.north(), north);
    const C on_north = on_face(faces.north(), here, north, faces.south(), south);
    at.x = (on_east - on_west) * C(1 / cell.dx);
    at.y = (on_north - on_south) * C(1 / cell.dy);
  }

  // At a symmetry plane the pressure has no normal gradient.
  template <class C>
  CFDMARK_FUNCTION static C on_face(FaceKind kind, C here, C behind, FaceKind other_side, C on_other_side) {
    return kind == FaceKind::slip ? here : face_pressure(kind, here, behind, other_side, on_other_side);
  }

  static CellDescription<PressureGradient> description();
};

}  // namespace cfdmark
