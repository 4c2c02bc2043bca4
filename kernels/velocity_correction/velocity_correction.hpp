// Velocities of a staggered grid after the pressure correction: u' = u - dt / rho dp/dx on each face between
// two fluid cells. A face spans one cell, so the remaining div u is the residual of the pressure equation.
// NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/staggered.hpp"

namespace cfdmark {

struct PushedByPressure {
  FluidCell cell = {};
  OfStep time_step = {};

  // Returns the corrected velocity along an axis (x 0, y 1, z 2); u: its value before.
  template <int axis, class C, class Fields>
  CFDMARK_FUNCTION C pushed(const Fields& at, C u) const {
    const C before = in_plane<axis, first_across<axis>>(at.p)(-1, 0);
    const C changed = u - C(time_step.value / cell.density / cell.side(axis)) * (at.p(0, 0) - before);
    return CellFaces{int(at.faces)}.before(axis) == FaceKind::fluid ? changed : u;
  }
};

struct VelocityCorrection : PushedByPressure {
  static constexpr int only_dims = 2;
  CFDMARK_FUNCTION VelocityCorrection started() const { return {{cell, time_step.known()}}; }

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::StencilIn p;
    typename F::In u, v;
    typename F::Out new_u, new_v;
  };
  static constexpr Fields<Names> names{"faces", "p", "u", "v", "new u", "new v"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.new_u = this->template pushed<0, C>(at, at.u);
    at.new_v = this->template pushed<1, C>(at, at.v);
  }

  static CellDescription<VelocityCorrection> description();
};

// The same in 3-D.
struct VelocityCorrection3d : PushedByPressure {
  static constexpr int only_dims = 3;
  CFDMARK_FUNCTION VelocityCorrection3d started() const { return {{cell, time_step.known()}}; }

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::StencilIn p;
    typename F::In u, v, w;
    typename F::Out new_u, new_v, new_w;
  };
  static constexpr Fields<Names> names{"faces", "p", "u", "v", "w", "new u", "new v", "new w"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.new_u = this->template pushed<0, C>(at, at.u);
    at.new_v = this->template pushed<1, C>(at, at.v);
    at.new_w = this->template pushed<2, C>(at, at.w);
  }

  static CellDescription<VelocityCorrection3d> description();
};

}  // namespace cfdmark
