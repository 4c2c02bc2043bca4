// The momentum equations of a cell, with equal coefficients for both components:
//   A_P u_P = a_W u_W + a_E u_E + a_S u_S + a_N u_N + b,   A_P = (sum a + rho V / dt) / relaxation
//   b = -V dp/dx + V f_x + rho V / dt u_P + (1 - relaxation) A_P u_P + deferred correction of convection
// from the mass fluxes through the faces and the current velocity. A_P omits the sum of the fluxes, which
// vanishes at convergence and would weaken diagonal dominance before. After Normore 2010, appendix A; there
// (55, 56) swap the neighbours and halve the fluxes. NVRTC reads this file, so it includes no standard
// header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

struct Momentum {
  static constexpr int only_dims = 2;
  FluidCell cell = {};
  Convection convection = Convection::central;
  double relaxation = 1;            // above 0, at most 1
  double inverse_time_step = 0;     // 0: steady
  double force_x = 0, force_y = 0;  // force per unit volume

  template <class F>
  struct Fields {
    typename F::StencilIn mass_x, mass_y;  // mass flow through faces in positive x and y, per unit time
    typename F::In faces;
    typename F::StencilIn u, v;
    typename F::In px, py;  // grad p
    typename F::Out west, east, south, north, centre, bu, bv;
  };
  static constexpr Fields<Names> names{{"mass_x", FieldPlace::face_x},
                                       {"mass_y", FieldPlace::face_y},
                                       "faces",
                                       "u",
                                       "v",
                                       "dp/dx",
                                       "dp/dy",
                                       "aW",
                                       "aE",
                                       "aS",
                                       "aN",
                                       "aP",
                                       "bu",
                                       "bv"};

  // Choices are made one at a time and by factors, so that compilers can vectorise them.

  // Returns the coefficient of the neighbour across a face. `out`: mass flow out through it; `brought`:
  // inflow; `diffusion`: conductance. A boundary value is half as far away, hence 2 D, plus the inflow if the
  // velocity is given.
  template <class C>
  CFDMARK_FUNCTION C coefficient(FaceKind kind, C out, C brought, C diffusion) const {
    const C mean = diffusion - C(0.5) * out;
    const C upwind = diffusion + brought, hybrid = mean > brought ? mean : brought;
    const C inner = convection == Convection::hybrid ? hybrid : upwind;
    const C boundary = C(2) * diffusion, given = boundary + brought;
    const C beside = kind == FaceKind::fluid ? inner : boundary;
    const C behind = kind == FaceKind::fixed ? given : beside;
    return kind == FaceKind::outlet ? C(0) : behind;
  }
  // Returns the factor of the deferred correction per unit difference to the value across the face. For
  // central convection: half the flux that upwind omits. At boundaries with a given velocity: the entire
  // outflow. It multiplies old values, so that no coefficient is negative.
  template <class C>
  CFDMARK_FUNCTION C corrected(FaceKind kind, C out, C brought) const {
    const C taken = out + brought, magnitude = taken + brought;
    const C half = convection == Convection::central ? C(0.5) : C(0);
    const C boundary = kind == FaceKind::fixed ? taken : C(0);
    return kind == FaceKind::fluid ? half * magnitude : boundary;
  }
  // A symmetry plane has a coefficient for the velocity normal to it. The tangential velocity is unaffected,
  // so that term is added back.
  template <class C>
  CFDMARK_FUNCTION C given_back(FaceKind kind, C diffusion, C along) const {
    return (kind == FaceKind::slip ? C(2) * diffusion : C(0)) * along;
  }

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces)};
    const C dx = C(cell.viscosity * cell.dy / cell.dx), dy = C(cell.viscosity * cell.dx / cell.dy);
    const C west = -at.mass_x(0, 0), east = at.mass_x(1, 0), south = -at.mass_y(0, 0),
            north = at.mass_y(0, 1);
    const auto brought = [](C out) { return out < C(0) ? -out : C(0); };
    const C in_west = brought(west), in_east = brought(east), in_south = brought(south),
            in_north = brought(north);
    const C a_west = coefficient(faces.west(), west, in_west, dx),
            a_east = coefficient(faces.east(), east, in_east, dx),
            a_south = coefficient(faces.south(), south, in_south, dy),
            a_north = coefficient(faces.north(), north, in_north, dy);
    const C u = at.u(0, 0), v = at.v(0, 0);
    const C inertia = C(cell.density * cell.volume() * inverse_time_step);
    const C sum = a_west + a_east + a_south + a_north + inertia;
    const C centre = sum * C(1 / relaxation);
    const C kept = inertia + C(1 - relaxation) * centre;
    const C more_west = corrected(faces.west(), west, in_west),
            more_east = corrected(faces.east(), east, in_east),
            more_south = corrected(faces.south(), south, in_south),
            more_north = corrected(faces.north(), north, in_north);
    const auto corrections = [&](const auto& w, C here) {
      return more_west * (here - w(-1, 0)) + more_east * (here - w(1, 0)) + more_south * (here - w(0, -1)) +
             more_north * (here - w(0, 1));
    };
    const C volume = C(cell.volume());
    const C bu = kept * u + corrections(at.u, u) + volume * (C(force_x) - at.px) +
                 given_back(faces.south(), dy, u) + given_back(faces.north(), dy, u);
    const C bv = kept * v + corrections(at.v, v) + volume * (C(force_y) - at.py) +
                 given_back(faces.west(), dx, v) + given_back(faces.east(), dx, v);
    const bool solid = faces.is_solid();
    at.west = solid ? C(0) : a_west;
    at.east = solid ? C(0) : a_east;
    at.south = solid ? C(0) : a_south;
    at.north = solid ? C(0) : a_north;
    at.centre = solid ? C(1) : centre;
    at.bu = solid ? C(0) : bu;
    at.bv = solid ? C(0) : bv;
  }

  static CellDescription<Momentum> description();
};

}  // namespace cfdmark
