// Rates of change of the velocities on a staggered grid by convection, diffusion and a force:
//   R(u) = -div(u u) + nu lap u + f / rho
// u(i, j) is on the west face of cell (i, j), v(i, j) on its south face, w(i, j, k) on its bottom face; the
// last face of a row or column is the ghost's. Ghosts and solid cells hold the boundary velocity. A velocity
// normal to a wall is used as stored; a tangential one is reflected, so that its mean at the wall is the
// wall's. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/staggered.hpp"

namespace cfdmark {

template <class F>
struct MomentumFluxFields {
  typename F::StencilIn faces, u, v;
  typename F::Out ru, rv;
};
template <class F>
struct MomentumFluxFields3d {
  typename F::StencilIn faces, u, v, w;
  typename F::Out ru, rv, rw;
};

struct MomentumRates {
  FluidCell cell = {};
  double force_x = 0;  // force per unit volume

  // Returns the convected value between `before` and `behind`: linear extrapolation from the two upstream
  // values, or the mean if the farther one is unknown.
  template <class C>
  CFDMARK_FUNCTION C upwinded(C far_before, C before, C behind, C far_behind, C carrier, bool knows_before,
                              bool knows_behind) const {
    const C mean = C(0.5) * (before + behind);
    const C forwards = knows_before ? C(1.5) * before - C(0.5) * far_before : mean;
    const C backwards = knows_behind ? C(1.5) * behind - C(0.5) * far_behind : mean;
    return carrier > C(0) ? forwards : backwards;
  }

  // Returns the rate along one axis: convection in at the lower and out at the upper side, plus diffusion.
  template <class C>
  CFDMARK_FUNCTION C gain(C in, C value_in, C out, C value_out, C before, C here, C behind, C inverse) const {
    const C viscous = C(cell.viscosity / cell.density) * inverse * inverse;
    return (in * value_in - out * value_out) * inverse + viscous * ((before - here) + (behind - here));
  }

  // Returns the rate of the velocity along an axis from fluxes along that axis.
  template <bool upwind, int along, class C, class Fields>
  CFDMARK_FUNCTION C gain_along(const Fields& at) const {
    const auto w = in_plane<along, first_across<along>>(velocity_along<along>(at));
    const C half = C(0.5), here = w(0, 0), before = w(-1, 0), behind = w(1, 0);
    const C in = half * (before + here), out = half * (here + behind);
    C value_in = in, value_out = out;
    if constexpr (upwind) {
      const auto faces = in_plane<along, first_across<along>>(at.faces);
      const bool knows_before = CellFaces{int(faces(-1, 0))}.before(along) == FaceKind::fluid,
                 knows_behind = CellFaces{int(faces(0, 0))}.behind(along) == FaceKind::fluid;
      value_in = upwinded(C(w(-2, 0)), before, here, behind, in, knows_before, true);
      value_out = upwinded(before, here, behind, C(w(2, 0)), out, true, knows_behind);
    }
    return gain(in, value_in, out, value_out, before, here, behind, C(1 / cell.side(along)));
  }

  // Returns the rate from fluxes across that axis, where another velocity component convects.
  template <bool upwind, int along, int across, class C, class Fields>
  CFDMARK_FUNCTION C gain_across(const Fields& at) const {
    const auto w = in_plane<along, across>(velocity_along<along>(at));
    const auto other = in_plane<along, across>(velocity_along<across>(at));
    const auto codes = in_plane<along, across>(at.faces);
    const auto faces = [&](int a, int b) { return CellFaces{int(codes(a, b))}; };
    const CellFaces first = faces(-1, 0), second = faces(0, 0);
    const C half = C(0.5), here = w(0, 0);
    const C below = value_beyond(second.before(across), first.before(across), here, C(w(0, -1))),
            above = value_beyond(second.behind(across), first.behind(across), here, C(w(0, 1)));
    const C in = half * (other(-1, 0) + other(0, 0)), out = half * (other(-1, 1) + other(0, 1));
    C value_below = half * (below + here), value_above = half * (here + above);
    if constexpr (upwind) {
      const auto is_fluid = [](FaceKind one, FaceKind another) {
        return one == FaceKind::fluid && another == FaceKind::fluid;
      };
      const bool fluid_below = is_fluid(first.before(across), second.before(across)),
                 fluid_above = is_fluid(first.behind(across), second.behind(across));
      const bool knows_below = is_fluid(faces(-1, -1).before(across), faces(0, -1).before(across)),
                 knows_above = is_fluid(faces(-1, 1).behind(across), faces(0, 1).behind(across));
      const C from_below = upwinded(C(w(0, -2)), below, here, above, in, knows_below, fluid_above);
      const C from_above = upwinded(below, here, above, C(w(0, 2)), out, fluid_below, knows_above);
      value_below = fluid_below ? from_below : value_below;
      value_above = fluid_above ? from_above : value_above;
    }
    return gain(in, value_below, out, value_above, below, here, above, C(1 / cell.side(across)));
  }

  // Returns the rate of the velocity along an axis: x 0, y 1, z 2.
  template <bool upwind, int along, class C, class Fields>
  CFDMARK_FUNCTION C rate(const Fields& at) const {
    C gained = gain_along<upwind, along, C>(at) + gain_across<upwind, along, first_across<along>, C>(at);
    if constexpr (has_w<Fields>) gained = gained + gain_across<upwind, along, second_across<along>, C>(at);
    if constexpr (along == 0) gained = gained + C(force_x / cell.density);
    return CellFaces{int(at.faces(0, 0))}.before(along) == FaceKind::fluid ? gained : C(0);
  }

  template <bool upwind, class C, class Fields>
  CFDMARK_FUNCTION void rates(const Fields& at) const {
    const C ru = rate<upwind, 0, C>(at), rv = rate<upwind, 1, C>(at);
    if constexpr (has_w<Fields>) {
      const C rw = rate<upwind, 2, C>(at);
      at.rw = rw;
    }
    at.ru = ru, at.rv = rv;
  }
};

// Central convection with the mean at each face, which conserves kinetic energy.
struct MomentumFluxes : MomentumRates {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : MomentumFluxFields<F> {};
  static constexpr Fields<Names> names{"faces", "u", "v", "R(u)", "R(v)"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    rates<false, typename F::Number>(at);
  }

  static CellDescription<MomentumFluxes> description();
};

// Second-order upwind convection.
struct UpwindMomentumFluxes : MomentumRates {
  static constexpr int only_dims = 2;
  static constexpr int halo = 2;
  template <class F>
  struct Fields : MomentumFluxFields<F> {};
  static constexpr Fields<Names> names{"faces", "u", "v", "R(u)", "R(v)"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    rates<true, typename F::Number>(at);
  }

  static CellDescription<UpwindMomentumFluxes> description();
};

template <class F>
struct MomentumPredictionFields {
  typename F::StencilIn faces, u, v;
  typename F::InOut ru, rv;  // rates of the previous step on input, of this step on output
  typename F::Out new_u, new_v;
};
template <class F>
struct MomentumPredictionFields3d {
  typename F::StencilIn faces, u, v, w;
  typename F::InOut ru, rv, rw;
  typename F::Out new_u, new_v, new_w;
};

// Rates and Adams-Bashforth step in one pass.
struct MomentumPrediction : MomentumRates {
  TwoRates step = {};

  CFDMARK_FUNCTION MomentumPrediction with_step() const {
    MomentumPrediction all = *this;
    all.step = step.known();
    return all;
  }

  template <bool upwind, class C, class Fields>
  CFDMARK_FUNCTION void predict(const Fields& at) const {
    // One component at a time, to limit register use on GPUs.
    const C ru = rate<upwind, 0, C>(at);
    at.new_u = at.u(0, 0) + (C(step.now) * ru + C(step.before) * at.ru);
    at.ru = ru;
    const C rv = rate<upwind, 1, C>(at);
    at.new_v = at.v(0, 0) + (C(step.now) * rv + C(step.before) * at.rv);
    at.rv = rv;
    if constexpr (has_w<Fields>) {
      const C rw = rate<upwind, 2, C>(at);
      at.new_w = at.w(0, 0) + (C(step.now) * rw + C(step.before) * at.rw);
      at.rw = rw;
    }
  }
};

struct CentralPrediction : MomentumPrediction {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : MomentumPredictionFields<F> {};
  static constexpr Fields<Names> names{"faces", "u", "v", "R(u)", "R(v)", "new u", "new v"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    predict<false, typename F::Number>(at);
  }

  CFDMARK_FUNCTION CentralPrediction started() const { return {with_step()}; }
  static CellDescription<CentralPrediction> description();
};

struct UpwindPrediction : MomentumPrediction {
  static constexpr int only_dims = 2;
  static constexpr int halo = 2;
  template <class F>
  struct Fields : MomentumPredictionFields<F> {};
  static constexpr Fields<Names> names{"faces", "u", "v", "R(u)", "R(v)", "new u", "new v"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    predict<true, typename F::Number>(at);
  }

  CFDMARK_FUNCTION UpwindPrediction started() const { return {with_step()}; }
  static CellDescription<UpwindPrediction> description();
};

// The same kernels in 3-D.
struct MomentumFluxes3d : MomentumRates {
  static constexpr int only_dims = 3;
  template <class F>
  struct Fields : MomentumFluxFields3d<F> {};
  static constexpr Fields<Names> names{"faces", "u", "v", "w", "R(u)", "R(v)", "R(w)"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    rates<false, typename F::Number>(at);
  }

  static CellDescription<MomentumFluxes3d> description();
};

struct UpwindMomentumFluxes3d : MomentumRates {
  static constexpr int only_dims = 3;
  static constexpr int halo = 2;
  template <class F>
  struct Fields : MomentumFluxFields3d<F> {};
  static constexpr Fields<Names> names{"faces", "u", "v", "w", "R(u)", "R(v)", "R(w)"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    rates<true, typename F::Number>(at);
  }

  static CellDescription<UpwindMomentumFluxes3d> description();
};

struct CentralPrediction3d : MomentumPrediction {
  static constexpr int only_dims = 3;
  template <class F>
  struct Fields : MomentumPredictionFields3d<F> {};
  static constexpr Fields<Names> names{"faces", "u",    "v",     "w",     "R(u)",
                                       "R(v)",  "R(w)", "new u", "new v", "new w"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    predict<false, typename F::Number>(at);
  }

  CFDMARK_FUNCTION CentralPrediction3d started() const { return {with_step()}; }
  static CellDescription<CentralPrediction3d> description();
};

struct UpwindPrediction3d : MomentumPrediction {
  static constexpr int only_dims = 3;
  static constexpr int halo = 2;
  template <class F>
  struct Fields : MomentumPredictionFields3d<F> {};
  static constexpr Fields<Names> names{"faces", "u",    "v",     "w",     "R(u)",
                                       "R(v)",  "R(w)", "new u", "new v", "new w"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    predict<true, typename F::Number>(at);
  }

  CFDMARK_FUNCTION UpwindPrediction3d started() const { return {with_step()}; }
  static CellDescription<UpwindPrediction3d> description();
};

}  // namespace cfdmark
