// Temperature at the cell centres of a staggered grid, and its buoyancy (Boussinesq). Its own `faces` field
// defines the boundary at each face: a wall whose temperature the ghost holds, or `slip` for an adiabatic
// one. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/staggered.hpp"

namespace cfdmark {

// The rate of a temperature, Q = -div(u T) + alpha lap T, and its second-order Adams-Bashforth step.
struct HeatFluxes {
  FluidCell cell = {};
  double diffusivity = 1;
  TwoRates step = {};

  CFDMARK_FUNCTION HeatFluxes with_step() const { return {cell, diffusivity, step.known()}; }

  // Returns the rate along one axis: central convection with the mean at each face, plus conduction.
  template <int axis, class C, class Fields>
  CFDMARK_FUNCTION C gain(const Fields& at, CellFaces faces) const {
    const auto T = in_plane<axis, first_across<axis>>(at.T);
    const auto velocity = in_plane<axis, first_across<axis>>(velocity_along<axis>(at));
    const C here = T(0, 0), in = velocity(0, 0), out = velocity(1, 0);
    const FaceKind before = faces.before(axis), after = faces.behind(axis);
    const C behind = value_beyond(before, before, here, C(T(-1, 0))),
            ahead = value_beyond(after, after, here, C(T(1, 0)));
    const C inverse = C(1 / cell.side(axis)), half = C(0.5), along = C(diffusivity) * inverse * inverse;
    return (in * (half * (behind + here)) - out * (half * (here + ahead))) * inverse +
           along * ((behind - here) + (ahead - here));
  }

  template <class C, class Fields>
  CFDMARK_FUNCTION void advance(const Fields& at) const {
    const CellFaces faces{int(at.faces)};
    C gained = gain<0, C>(at, faces) + gain<1, C>(at, faces);
    if constexpr (has_w<Fields>) gained = gained + gain<2, C>(at, faces);
    advance_by(at, faces, gained);
  }
  template <class C, class Fields>
  CFDMARK_FUNCTION void advance_by(const Fields& at, CellFaces faces, C gained) const {
    const C rate = faces.is_solid() ? C(0) : gained;
    at.new_T = at.T(0, 0) + (C(step.now) * rate + C(step.before) * at.rate);
    at.rate = rate;
  }
};

struct Temperature : HeatFluxes {
  static constexpr int only_dims = 2;
  CFDMARK_FUNCTION Temperature started() const { return {with_step()}; }

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::StencilIn u, v, T;
    typename F::InOut rate;  // rate of the previous step on input, of this step on output
    typename F::Out new_T;
  };
  static constexpr Fields<Names> names{"faces", "u", "v", "T", "Q", "new T"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    advance<typename F::Number>(at);
  }

  static CellDescription<Temperature> description();
};

// The same in 3-D.
struct Temperature3d : HeatFluxes {
  static constexpr int only_dims = 3;
  CFDMARK_FUNCTION Temperature3d started() const { return {with_step()}; }

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::StencilIn u, v, w, T;
    typename F::InOut rate;
    typename F::Out new_T;
  };
  static constexpr Fields<Names> names{"faces", "u", "v", "w", "T", "Q", "new T"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    advance<typename F::Number>(at);
  }

  static CellDescription<Temperature3d> description();
};

// Heat transport by eddies of viscosity nu_t: Q += div(nu_t / Pr_t grad T), with the mean nu_t of adjacent
// fluid cells, or at a wall that of the cell.
struct EddyHeatFluxes : HeatFluxes {
  double inverse_prandtl = 1;  // 1 / Pr_t, the turbulent Prandtl number

  CFDMARK_FUNCTION EddyHeatFluxes with_step() const { return {HeatFluxes::with_step(), inverse_prandtl}; }

  template <int axis, class C, class Fields>
  CFDMARK_FUNCTION C eddy_gain(const Fields& at, CellFaces faces) const {
    const auto T = in_plane<axis, first_across<axis>>(at.T);
    const auto eddy = in_plane<axis, first_across<axis>>(at.eddy);
    const C here = T(0, 0), inside = eddy(0, 0), half = C(0.5);
    const FaceKind before = faces.before(axis), after = faces.behind(axis);
    const C behind = value_beyond(before, before, here, C(T(-1, 0))),
            ahead = value_beyond(after, after, here, C(T(1, 0)));
    const C mean_before = half * (C(eddy(-1, 0)) + inside), mean_after = half * (inside + C(eddy(1, 0)));
    const C carried_in = (before == FaceKind::fluid ? mean_before : inside) * (behind - here),
            carried_out = (after == FaceKind::fluid ? mean_after : inside) * (here - ahead);
    return C(inverse_prandtl / (cell.side(axis) * cell.side(axis))) * (carried_in - carried_out);
  }

  template <class C, class Fields>
  CFDMARK_FUNCTION void advance(const Fields& at) const {
    const CellFaces faces{int(at.faces)};
    C gained = gain<0, C>(at, faces) + gain<1, C>(at, faces);
    if constexpr (has_w<Fields>) gained = gained + gain<2, C>(at, faces);
    C by_eddies = eddy_gain<0, C>(at, faces) + eddy_gain<1, C>(at, faces);
    if constexpr (has_w<Fields>) by_eddies = by_eddies + eddy_gain<2, C>(at, faces);
    advance_by(at, faces, gained + by_eddies);
  }
};

struct EddyTemperature : EddyHeatFluxes {
  static constexpr int only_dims = 2;
  CFDMARK_FUNCTION EddyTemperature started() const { return {with_step()}; }

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::StencilIn u, v, T, eddy;
    typename F::InOut rate;
    typename F::Out new_T;
  };
  static constexpr Fields<Names> names{"faces", "u", "v", "T", "nu_t", "Q", "new T"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    advance<typename F::Number>(at);
  }

  static CellDescription<EddyTemperature> description();
};

// The same in 3-D.
struct EddyTemperature3d : EddyHeatFluxes {
  static constexpr int only_dims = 3;
  CFDMARK_FUNCTION EddyTemperature3d started() const { return {with_step()}; }

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::StencilIn u, v, w, T, eddy;
    typename F::InOut rate;
    typename F::Out new_T;
  };
  static constexpr Fields<Names> names{"faces", "u", "v", "w", "T", "nu_t", "Q", "new T"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    advance<typename F::Number>(at);
  }

  static CellDescription<EddyTemperature3d> description();
};

// v += factor T on the faces between two fluid cells. T is the mean of both cells and of the old and new
// times.
struct Buoyancy {
  OfStep factor = {};

  CFDMARK_FUNCTION Buoyancy started() const { return {factor.known()}; }

  template <class F>
  struct Fields {
    typename F::In faces;  // of the velocity
    typename F::StencilIn T, new_T;
    typename F::InOut v;
  };
  static constexpr Fields<Names> names{"faces", "T", "new T", "v"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C sum = (at.T(0, 0) + at.T(0, -1)) + (at.new_T(0, 0) + at.new_T(0, -1));
    const C v = at.v, lifted = v + C(0.25 * factor.value) * sum;
    at.v = CellFaces{int(at.faces)}.south() == FaceKind::fluid ? lifted : v;
  }

  static CellDescription<Buoyancy> description();
};

}  // namespace cfdmark
