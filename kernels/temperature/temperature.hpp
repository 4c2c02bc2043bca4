// A temperature at the centres of a staggered grid's cells, and what it does to the velocity (Boussinesq).
// Its own `faces` say what lies behind each face: a wall whose temperature is given, which the ghost holds,
// or `slip`, which no heat passes. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/cell.hpp"
#include "kernels/core/staggered.hpp"

namespace cfdmark {

// A step by Adams and Bashforth, of Q = -div(u T) + alpha lap T.
struct Temperature {
  FluidCell cell = {};
  double diffusivity = 1;
  TwoRates step = {};

  CFDMARK_FUNCTION Temperature started() const { return {cell, diffusivity, step.known()}; }

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::Around u, v, T;
    typename F::InOut rate;  // of the step before, and of this one
    typename F::Out new_T;
  };
  static constexpr Fields<Names> names{"faces", "u", "v", "T", "Q", "new T"};

  // What comes along one axis: the mean on each face is carried.
  template <class C>
  CFDMARK_FUNCTION C gain(C in, C out, C behind, C here, C ahead, C inverse) const {
    const C half = C(0.5), along = C(diffusivity) * inverse * inverse;
    return (in * (half * (behind + here)) - out * (half * (here + ahead))) * inverse +
           along * ((behind - here) + (ahead - here));
  }

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces)};
    const C here = at.T(0, 0);
    const C west = value_beyond(faces.west(), faces.west(), here, at.T(-1, 0)),
            east = value_beyond(faces.east(), faces.east(), here, at.T(1, 0)),
            south = value_beyond(faces.south(), faces.south(), here, at.T(0, -1)),
            north = value_beyond(faces.north(), faces.north(), here, at.T(0, 1));
    const C gained = gain(at.u(0, 0), at.u(1, 0), west, here, east, C(1 / cell.dx)) +
                     gain(at.v(0, 0), at.v(0, 1), south, here, north, C(1 / cell.dy));
    const C rate = faces.is_solid() ? C(0) : gained;
    at.new_T = here + (C(step.now) * rate + C(step.before) * at.rate);
    at.rate = rate;
  }

  static CellDescription<Temperature> description();
};

// v += factor T on the faces between two cells of the fluid, T the mean of both, at two times.
struct Buoyancy {
  OfStep factor = {};

  CFDMARK_FUNCTION Buoyancy started() const { return {factor.known()}; }

  template <class F>
  struct Fields {
    typename F::In faces;  // of the velocity
    typename F::Around T, new_T;
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
