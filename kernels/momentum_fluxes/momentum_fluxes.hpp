// What convection, diffusion and a force do to the velocities on a staggered grid in a unit of time:
//   R(u) = -div(u u) + nu lap u + f / rho
// u(i, j) lies on the west face of cell (i, j), v(i, j) on its south face; the last face of a row or column
// is the ghost's. Ghosts and solid cells hold the velocity of the boundary itself: across a face it stays as
// it is, along a wall the value behind it is what makes their mean the wall's. NVRTC reads this file: no
// standard header here.
#pragma once

#include "kernels/core/cell.hpp"
#include "kernels/core/staggered.hpp"

namespace cfdmark {

// What lies around a cell, as a velocity sees it: before and behind along itself, below and above across.
struct StaggeredSides {
  FaceKind before, behind, below, above;
};

template <class F>
struct MomentumFluxFields {
  typename F::Around faces, u, v;
  typename F::Out ru, rv;
};

struct MomentumRates {
  FluidCell cell = {};
  double force_x = 0;  // on a unit of volume

  // The value that is carried between `before` and `behind`: the line through the two that the flow comes
  // from, or the mean where the farther of them is not known.
  template <class C>
  CFDMARK_FUNCTION C upwinded(C far_before, C before, C behind, C far_behind, C carrier, bool knows_before,
                              bool knows_behind) const {
    const C mean = C(0.5) * (before + behind);
    const C forwards = knows_before ? C(1.5) * before - C(0.5) * far_before : mean;
    const C backwards = knows_behind ? C(1.5) * behind - C(0.5) * far_behind : mean;
    return carrier > C(0) ? forwards : backwards;
  }

  // What a velocity w gains along one axis: it is carried in before and out behind.
  template <class C>
  CFDMARK_FUNCTION C gain(C in, C value_in, C out, C value_out, C before, C here, C behind, C inverse) const {
    const C viscous = C(cell.viscosity / cell.density) * inverse * inverse;
    return (in * value_in - out * value_out) * inverse + viscous * ((before - here) + (behind - here));
  }

  // Of one velocity: w(a, b) and other(a, b) read it and the other one, `a` cells along itself and `b`
  // across; sides(a, b) says what lies around a cell.
  template <bool upwind, class C, class W, class Other, class Sides>
  CFDMARK_FUNCTION C rate(const W& w, const Other& other, const Sides& sides, C inverse_along,
                          C inverse_across) const {
    const StaggeredSides first = sides(-1, 0), second = sides(0, 0);
    const C half = C(0.5), here = w(0, 0), before = w(-1, 0), behind = w(1, 0);
    const C below = value_beyond(second.below, first.below, here, w(0, -1)),
            above = value_beyond(second.above, first.above, here, w(0, 1));
    const C in = half * (before + here), out = half * (here + behind);
    const C up_in = half * (other(-1, 0) + other(0, 0)), up_out = half * (other(-1, 1) + other(0, 1));
    C value_in = in, value_out = out, value_below = half * (below + here),
      value_above = half * (here + above);
    if constexpr (upwind) {
      const auto is_fluid = [](FaceKind one, FaceKind another) {
        return one == FaceKind::fluid && another == FaceKind::fluid;
      };
      const bool fluid_below = is_fluid(first.below, second.below),
                 fluid_above = is_fluid(first.above, second.above);
      const StaggeredSides low_first = sides(-1, -1), low_second = sides(0, -1), high_first = sides(-1, 1),
                           high_second = sides(0, 1);
      value_in = upwinded(w(-2, 0), before, here, behind, in, first.before == FaceKind::fluid, true);
      value_out = upwinded(before, here, behind, w(2, 0), out, true, second.behind == FaceKind::fluid);
      const C from_below = upwinded(w(0, -2), below, here, above, up_in,
                                    is_fluid(low_first.below, low_second.below), fluid_above);
      const C from_above = upwinded(below, here, above, w(0, 2), up_out, fluid_below,
                                    is_fluid(high_first.above, high_second.above));
      value_below = fluid_below ? from_below : value_below;
      value_above = fluid_above ? from_above : value_above;
    }
    const C along = gain(in, value_in, out, value_out, before, here, behind, inverse_along);
    const C across = gain(up_in, value_below, up_out, value_above, below, here, above, inverse_across);
    return second.before == FaceKind::fluid ? along + across : C(0);
  }

  template <bool upwind, class C, class Fields>
  CFDMARK_FUNCTION C rate_of_u(const Fields& at) const {
    const C pushed = C(force_x / cell.density);
    const C rate_of =
        rate<upwind, C>([&](int a, int b) { return at.u(a, b); }, [&](int a, int b) { return at.v(a, b); },
                        [&](int a, int b) {
                          const CellFaces f{int(at.faces(a, b))};
                          return StaggeredSides{f.west(), f.east(), f.south(), f.north()};
                        },
                        C(1 / cell.dx), C(1 / cell.dy));
    return CellFaces{int(at.faces(0, 0))}.west() == FaceKind::fluid ? rate_of + pushed : rate_of;
  }
  template <bool upwind, class C, class Fields>
  CFDMARK_FUNCTION C rate_of_v(const Fields& at) const {
    return rate<upwind, C>([&](int a, int b) { return at.v(b, a); }, [&](int a, int b) { return at.u(b, a); },
                           [&](int a, int b) {
                             const CellFaces f{int(at.faces(b, a))};
                             return StaggeredSides{f.south(), f.north(), f.west(), f.east()};
                           },
                           C(1 / cell.dy), C(1 / cell.dx));
  }
};

// By the mean of two values on each face: energy is neither made nor lost.
struct MomentumFluxes : MomentumRates {
  template <class F>
  struct Fields : MomentumFluxFields<F> {};
  static constexpr Fields<Names> names{"faces", "u", "v", "R(u)", "R(v)"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C ru = rate_of_u<false, C>(at), rv = rate_of_v<false, C>(at);
    at.ru = ru, at.rv = rv;
  }

  static CellDescription<MomentumFluxes> description();
};

// By second-order upwind.
struct UpwindMomentumFluxes : MomentumRates {
  static constexpr int halo = 2;
  template <class F>
  struct Fields : MomentumFluxFields<F> {};
  static constexpr Fields<Names> names{"faces", "u", "v", "R(u)", "R(v)"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C ru = rate_of_u<true, C>(at), rv = rate_of_v<true, C>(at);
    at.ru = ru, at.rv = rv;
  }

  static CellDescription<UpwindMomentumFluxes> description();
};

template <class F>
struct MomentumPredictionFields {
  typename F::Around faces, u, v;
  typename F::InOut ru, rv;  // of the step before, and of this one
  typename F::Out new_u, new_v;
};

// Fluxes and Adams-Bashforth in one pass: u' = u + now R + before R_old.
struct MomentumPrediction : MomentumRates {
  double now = 0, before = 0;

  template <bool upwind, class C, class Fields>
  CFDMARK_FUNCTION void predict(const Fields& at) const {
    // One after the other: both at once want more registers than a GPU's thread has.
    const C ru = rate_of_u<upwind, C>(at);
    at.new_u = at.u(0, 0) + (C(now) * ru + C(before) * at.ru);
    at.ru = ru;
    const C rv = rate_of_v<upwind, C>(at);
    at.new_v = at.v(0, 0) + (C(now) * rv + C(before) * at.rv);
    at.rv = rv;
  }
};

struct CentralPrediction : MomentumPrediction {
  template <class F>
  struct Fields : MomentumPredictionFields<F> {};
  static constexpr Fields<Names> names{"faces", "u", "v", "R(u)", "R(v)", "new u", "new v"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    predict<false, typename F::Number>(at);
  }

  static CellDescription<CentralPrediction> description();
};

struct UpwindPrediction : MomentumPrediction {
  static constexpr int halo = 2;
  template <class F>
  struct Fields : MomentumPredictionFields<F> {};
  static constexpr Fields<Names> names{"faces", "u", "v", "R(u)", "R(v)", "new u", "new v"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    predict<true, typename F::Number>(at);
  }

  static CellDescription<UpwindPrediction> description();
};

}  // namespace cfdmark
