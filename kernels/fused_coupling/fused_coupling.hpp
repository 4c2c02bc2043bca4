// What SIMPLE does outside its sweeps, in two passes over the cells: from the velocities that the equations
// of momentum predict to the equation of p', and from p' to the next equations of momentum. Each has the
// formulas of momentum, face_flux, pressure_correction and pressure_gradient in their order, so that the bits
// are theirs. Fluxes, gradients and the neighbours' new values are computed anew where they are used instead
// of stored; so what is read with its neighbours is one set of fields and what is written another. NVRTC
// reads this file: no standard header here.
//
// Between iterations a face has its excess, the velocity on it beyond the mean of the cells' (face_flux.hpp),
// or where it is a boundary the mass that goes through it. Excesses of the west and the south face lie at
// (i, j), those of the last of a row and of a column in the ghosts.
#pragma once

#include "kernels/face_flux/face_flux.hpp"
#include "kernels/momentum/momentum.hpp"
#include "kernels/pressure_correction/pressure_correction.hpp"

namespace cfdmark {

// A direction: what lies along it. n cells from here on.
struct CouplingAlongX {
  template <class Field>
  CFDMARK_FUNCTION auto operator()(const Field& field, int n) const {
    return field(n, 0);
  }
  template <class Fields>
  CFDMARK_FUNCTION auto velocity(const Fields& at, int n) const {
    return at.u(n, 0);
  }
  template <class Fields>
  CFDMARK_FUNCTION auto excess(const Fields& at, int n) const {
    return at.excess_x(n, 0);
  }
  CFDMARK_FUNCTION FaceKind back(CellFaces faces) const { return faces.west(); }
  CFDMARK_FUNCTION FaceKind front(CellFaces faces) const { return faces.east(); }
  CFDMARK_FUNCTION double distance(const FluidCell& cell) const { return cell.dx; }
  CFDMARK_FUNCTION double area(const FluidCell& cell) const { return cell.dy; }
};
struct CouplingAlongY {
  template <class Field>
  CFDMARK_FUNCTION auto operator()(const Field& field, int n) const {
    return field(0, n);
  }
  template <class Fields>
  CFDMARK_FUNCTION auto velocity(const Fields& at, int n) const {
    return at.v(0, n);
  }
  template <class Fields>
  CFDMARK_FUNCTION auto excess(const Fields& at, int n) const {
    return at.excess_y(0, n);
  }
  CFDMARK_FUNCTION FaceKind back(CellFaces faces) const { return faces.south(); }
  CFDMARK_FUNCTION FaceKind front(CellFaces faces) const { return faces.north(); }
  CFDMARK_FUNCTION double distance(const FluidCell& cell) const { return cell.dy; }
  CFDMARK_FUNCTION double area(const FluidCell& cell) const { return cell.dx; }
};

// A face with the velocities that momentum predicts: the mass that goes through it, and 1 over the mean A_P.
template <class C>
struct PredictedFace {
  C mass, inverse;
};

// A value at a cell and at its neighbours.
template <class C>
struct CellAndNeighbours {
  C here, west, east, south, north;
  CFDMARK_FUNCTION C operator()(int di, int dj) const {
    return di < 0 ? west : di > 0 ? east : dj < 0 ? south : dj > 0 ? north : here;
  }
};

// A form of fields: computed where they are read.
template <class F>
struct ComputedFields {
  using Number = typename F::Number;
  using In = Number;
  using Around = CellAndNeighbours<Number>;
  using Out = typename F::Out;
};

struct FusedCoupling {
  FaceFlux flux = {};
  // What an outlet is to the pressure: fixed, where the mass through it is given.
  FaceKind outlet = FaceKind::outlet;

  CFDMARK_FUNCTION FaceKind to_pressure(FaceKind kind) const {
    return kind == FaceKind::outlet ? outlet : kind;
  }
  template <class C, class Axis, class Fields>
  CFDMARK_FUNCTION C gradient(const Fields& at, const Axis& along, int n) const {
    const CellFaces faces{int(along(at.faces, n))};
    return pressure_rise(to_pressure(along.back(faces)), to_pressure(along.front(faces)),
                         C(along(at.p, n - 1)), C(along(at.p, n)), C(along(at.p, n + 1))) *
           C(1 / along.distance(flux.cell));
  }
  // The face between the cells `back` and `back + 1` along an axis. `ends`: the cell inside of an outlet lies
  // before it.
  template <class C, class Axis, class Fields>
  CFDMARK_FUNCTION PredictedFace<C> face(const Fields& at, const Axis& along, FaceKind kind, int back,
                                         bool ends) const {
    const C before = along.velocity(at, back), behind = along.velocity(at, back + 1);
    const C aP_before = along(at.aP, back), aP_behind = along(at.aP, back + 1);
    const C inverse =
        inverse_of_mean(to_pressure(kind), ends ? aP_before : aP_behind, ends ? aP_behind : aP_before);
    const C jump = (along(at.p, back + 1) - along(at.p, back)) * C(1 / along.distance(flux.cell)) -
                   C(0.5) * (gradient<C>(at, along, back) + gradient<C>(at, along, back + 1));
    const C density_area = C(flux.cell.density * along.area(flux.cell));
    const C own = along.excess(at, back + 1);
    const C inner = density_area * flux.between(before, behind, inverse, jump, own);
    const C boundary = to_pressure(kind) == FaceKind::outlet ? density_area * (ends ? before : behind) : own;
    return {kind == FaceKind::fluid ? inner : boundary, inverse};
  }
};

// Fluxes and the equation of p', which starts from 0.
struct FusedPressureEquation : FusedCoupling {
  template <class F>
  struct Fields {
    typename F::Around faces;
    typename F::Around u, v, p, aP;  // predicted velocities; p and A_P as they were predicted with
    typename F::Around excess_x, excess_y;
    typename F::Out west, east, south, north, centre, b, correction;
  };
  static constexpr Fields<Names> names{"faces", "u",  "v",  "p",  "aP", "excess x", "excess y",
                                       "cW",    "cE", "cS", "cN", "cP", "b",        "p'"};
  static constexpr int halo = 2;

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces(0, 0))};
    const CouplingAlongX x;
    const CouplingAlongY y;
    const PredictedFace<C> on_west = face<C>(at, x, faces.west(), -1, false),
                           on_east = face<C>(at, x, faces.east(), 0, true),
                           on_south = face<C>(at, y, faces.south(), -1, false),
                           on_north = face<C>(at, y, faces.north(), 0, true);
    const C along_x = C(conductance_x(flux.cell)), along_y = C(conductance_y(flux.cell));
    const C surplus = (on_west.mass - on_east.mass) + (on_south.mass - on_north.mass);
    write_pressure_equation(at, faces.is_solid(), along_x * on_west.inverse, along_x * on_east.inverse,
                            along_y * on_south.inverse, along_y * on_north.inverse, surplus);
    at.correction = C(0);
  }

  static CellDescription<FusedPressureEquation> description();
};

// What p' corrects, and the equations of momentum that follow.
struct FusedMomentum : FusedCoupling {
  Momentum momentum = {};
  double relaxation = 1;  // of p'

  template <class F>
  struct Fields {
    typename F::Around faces;
    typename F::Around aP, correction, u, v, p, excess_x, excess_y;
    typename F::Out new_u, new_v, new_p, new_excess_x, new_excess_y;
    typename F::Out west, east, south, north, centre, bu, bv;
  };
  static constexpr Fields<Names> names{"faces",    "aP",    "p'",    "u",      "v",     "p",     "excess x",
                                       "excess y", "new u", "new v", "new p",  "new x", "new y", "aW",
                                       "aE",       "aS",    "aN",    "new aP", "bu",    "bv"};
  static constexpr int halo = 2;

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const FluidCell& cell = flux.cell;
    const CellFaces faces{int(at.faces(0, 0))};
    // As CellCorrection does, at a cell of the fluid.
    const auto corrected = [&](const auto& velocity, int i, int j, int di, int dj, FaceKind back,
                               FaceKind front, bool solid, double area) {
      const C old = velocity(i, j), inverse = C(1) / at.aP(i, j);
      const C rise = correction_rise(to_pressure(back), to_pressure(front), C(at.correction(i - di, j - dj)),
                                     C(at.correction(i, j)), C(at.correction(i + di, j + dj)));
      const C moved = old - C(area) * inverse * rise;
      return solid ? old : moved;
    };
    const auto u_at = [&](int i, int j) {
      const CellFaces f{int(at.faces(i, j))};
      return corrected(at.u, i, j, 1, 0, f.west(), f.east(), f.is_solid(), cell.dy);
    };
    const auto v_at = [&](int i, int j) {
      const CellFaces f{int(at.faces(i, j))};
      return corrected(at.v, i, j, 0, 1, f.south(), f.north(), f.is_solid(), cell.dx);
    };
    const auto p_at = [&](int i, int j) { return at.p(i, j) + C(relaxation) * at.correction(i, j); };
    const auto around = [](const auto& value) {
      return CellAndNeighbours<C>{value(0, 0), value(-1, 0), value(1, 0), value(0, -1), value(0, 1)};
    };
    const CellAndNeighbours<C> u = around(u_at), v = around(v_at), p = around(p_at);

    const CouplingAlongX x;
    const CouplingAlongY y;
    const C along_x = C(conductance_x(cell)), along_y = C(conductance_y(cell));
    const auto through = [](const PredictedFace<C>& face, C along, C before, C behind) {
      return face.mass + along * face.inverse * (before - behind);
    };
    const C middle = at.correction(0, 0);
    const C west = through(face<C>(at, x, faces.west(), -1, false), along_x, at.correction(-1, 0), middle),
            east = through(face<C>(at, x, faces.east(), 0, true), along_x, middle, at.correction(1, 0)),
            south = through(face<C>(at, y, faces.south(), -1, false), along_y, at.correction(0, -1), middle),
            north = through(face<C>(at, y, faces.north(), 0, true), along_y, middle, at.correction(0, 1));

    const C excess_x = flux.excess(west, u.west, u.here, cell.dy),
            excess_y = flux.excess(south, v.south, v.here, cell.dx);
    const C own_x = at.excess_x(0, 0), own_y = at.excess_y(0, 0);
    at.new_u = u.here;
    at.new_v = v.here;
    at.new_p = p.here;
    at.new_excess_x = faces.west() == FaceKind::fluid ? excess_x : own_x;
    at.new_excess_y = faces.south() == FaceKind::fluid ? excess_y : own_y;
    const C px = pressure_rise(to_pressure(faces.west()), to_pressure(faces.east()), p.west, p.here, p.east) *
                 C(1 / cell.dx),
            py = pressure_rise(to_pressure(faces.south()), to_pressure(faces.north()), p.south, p.here,
                               p.north) *
                 C(1 / cell.dy);
    momentum(Momentum::Fields<ComputedFields<F>>{{west, C(0), east, C(0), C(0)},
                                                 {south, C(0), C(0), C(0), north},
                                                 C(at.faces(0, 0)),
                                                 u,
                                                 v,
                                                 px,
                                                 py,
                                                 at.west,
                                                 at.east,
                                                 at.south,
                                                 at.north,
                                                 at.centre,
                                                 at.bu,
                                                 at.bv});
  }

  static CellDescription<FusedMomentum> description();
};

// The mass that goes through the faces once p' has corrected it, of what FusedMomentum read.
struct CorrectedFluxX : FusedCoupling {
  template <class F>
  struct Fields {
    typename F::Around faces, aP, correction, u, p, excess_x;
    typename F::Out mass;
  };
  static constexpr Fields<Names> names{
      "faces", "aP", "p'", "u", "p", {"excess x", FieldPlace::face_x}, {"mass_x", FieldPlace::face_x}};
  static constexpr int halo = 2;

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces(0, 0))};
    const PredictedFace<C> west = face<C>(at, CouplingAlongX(), faces.west(), -1, faces.is_solid());
    at.mass =
        west.mass + C(conductance_x(flux.cell)) * west.inverse * (at.correction(-1, 0) - at.correction(0, 0));
  }

  static CellDescription<CorrectedFluxX> description();
};
struct CorrectedFluxY : FusedCoupling {
  template <class F>
  struct Fields {
    typename F::Around faces, aP, correction, v, p, excess_y;
    typename F::Out mass;
  };
  static constexpr Fields<Names> names{
      "faces", "aP", "p'", "v", "p", {"excess y", FieldPlace::face_y}, {"mass_y", FieldPlace::face_y}};
  static constexpr int halo = 2;

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces(0, 0))};
    const PredictedFace<C> south = face<C>(at, CouplingAlongY(), faces.south(), -1, faces.is_solid());
    at.mass = south.mass +
              C(conductance_y(flux.cell)) * south.inverse * (at.correction(0, -1) - at.correction(0, 0));
  }

  static CellDescription<CorrectedFluxY> description();
};

// The excess of a face from the mass that goes through it.
struct FluxExcessX {
  FaceFlux flux = {};

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::Around u;
    typename F::In mass;
    typename F::Out excess;
  };
  static constexpr Fields<Names> names{
      "faces", "u", {"mass_x", FieldPlace::face_x}, {"excess x", FieldPlace::face_x}};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C mass = at.mass, excess = flux.excess(mass, C(at.u(-1, 0)), C(at.u(0, 0)), flux.cell.dy);
    at.excess = CellFaces{int(at.faces)}.west() == FaceKind::fluid ? excess : mass;
  }

  static CellDescription<FluxExcessX> description();
};
struct FluxExcessY {
  FaceFlux flux = {};

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::Around v;
    typename F::In mass;
    typename F::Out excess;
  };
  static constexpr Fields<Names> names{
      "faces", "v", {"mass_y", FieldPlace::face_y}, {"excess y", FieldPlace::face_y}};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C mass = at.mass, excess = flux.excess(mass, C(at.v(0, -1)), C(at.v(0, 0)), flux.cell.dx);
    at.excess = CellFaces{int(at.faces)}.south() == FaceKind::fluid ? excess : mass;
  }

  static CellDescription<FluxExcessY> description();
};

}  // namespace cfdmark
