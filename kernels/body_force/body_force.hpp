// The force of the flow on immersed bodies, from the cells adjacent to them:
//   F = sum over faces (p n + mu u / delta) area
// n points into the body, u is the velocity of the cell, delta half its width. The normal part of the second
// term belongs to the discrete momentum balance and vanishes under refinement. NVRTC reads this file, so it
// includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

template <class F>
struct BodyForceFields {
  typename F::StencilIn faces, p;
  typename F::In velocity;  // velocity component along the force
};

struct BodyForce {
  using Reduction = SumOperation;
  FluidCell cell = {};

  // Returns the force along x or y on the body faces of this cell.
  template <class F>
  CFDMARK_FUNCTION typename F::Number force(const BodyForceFields<F>& at, bool along_x) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces(0, 0))};
    const auto touches = [&](int di, int dj) {
      return CellFaces{int(at.faces(di, dj))}.is_body() && !faces.is_solid() ? C(1) : C(0);
    };
    const C west = touches(-1, 0), east = touches(1, 0), south = touches(0, -1), north = touches(0, 1);
    const C here = at.p(0, 0), p_west = at.p(-1, 0), p_east = at.p(1, 0), p_south = at.p(0, -1),
            p_north = at.p(0, 1);
    const C on_west = face_pressure(faces.west(), here, p_west, faces.east(), p_east);
    const C on_east = face_pressure(faces.east(), here, p_east, faces.west(), p_west);
    const C on_south = face_pressure(faces.south(), here, p_south, faces.north(), p_north);
    const C on_north = face_pressure(faces.north(), here, p_north, faces.south(), p_south);
    const C push = along_x ? (east * on_east - west * on_west) * C(cell.dy)
                           : (north * on_north - south * on_south) * C(cell.dx);
    const C rub = C(2 * cell.viscosity) * at.velocity *
                  ((west + east) * C(cell.dy / cell.dx) + (south + north) * C(cell.dx / cell.dy));
    return push + rub;
  }
};

struct BodyForceX : BodyForce {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : BodyForceFields<F> {};
  static constexpr Fields<Names> names{"faces", "p", "u"};

  template <class F>
  CFDMARK_FUNCTION typename F::Number operator()(const Fields<F>& at) const {
    return force(at, true);
  }

  static CellDescription<BodyForceX> description();
};

struct BodyForceY : BodyForce {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : BodyForceFields<F> {};
  static constexpr Fields<Names> names{"faces", "p", "v"};

  template <class F>
  CFDMARK_FUNCTION typename F::Number operator()(const Fields<F>& at) const {
    return force(at, false);
  }

  static CellDescription<BodyForceY> description();
};

}  // namespace cfdmark
