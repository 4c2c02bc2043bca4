// The pressure correction that removes the continuity residual of each cell:
//   c_P p'_P = c_W p'_W + c_E p'_E + c_S p'_S + c_N p'_N + (m_w - m_e + m_s - m_n)
// and the corrections that follow from its solution. A gradient at a face spans one cell, at a centre two, so
// there is no factor of 1/2 as in Normore 2010, (19-22). NVRTC reads this file, so it includes no standard
// header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

// Return the face conductances per unit of 1 / A_P, for face_conductance().
CFDMARK_FUNCTION double conductance_x(const FluidCell& c) { return c.density * c.volume() * c.dy / c.dx; }
CFDMARK_FUNCTION double conductance_y(const FluidCell& c) { return c.density * c.volume() * c.dx / c.dy; }

struct PressureEquation {
  static constexpr int only_dims = 2;
  FluidCell cell = {};

  template <class F>
  struct Fields {
    typename F::In faces;
    typename F::StencilIn aP;  // of the momentum equations
    typename F::StencilIn mass_x, mass_y;
    typename F::Out west, east, south, north, centre, b;
  };
  static constexpr Fields<Names> names{
      "faces", "aP", {"mass_x", FieldPlace::face_x}, {"mass_y", FieldPlace::face_y}, "cW", "cE", "cS", "cN",
      "cP",    "b"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces)};
    const C here = at.aP(0, 0), along_x = C(conductance_x(cell)), along_y = C(conductance_y(cell));
    const C west = face_conductance(faces.west(), along_x, here, at.aP(-1, 0));
    const C east = face_conductance(faces.east(), along_x, here, at.aP(1, 0));
    const C south = face_conductance(faces.south(), along_y, here, at.aP(0, -1));
    const C north = face_conductance(faces.north(), along_y, here, at.aP(0, 1));
    const C sum = west + east + south + north;
    const C continuity_residual = (at.mass_x(0, 0) - at.mass_x(1, 0)) + (at.mass_y(0, 0) - at.mass_y(0, 1));
    // A cell without conducting faces gets the equation p' = 0.
    const bool free = !faces.is_solid() && sum > C(0);
    at.west = free ? west : C(0);
    at.east = free ? east : C(0);
    at.south = free ? south : C(0);
    at.north = free ? north : C(0);
    at.centre = free ? sum : C(1);
    at.b = free ? continuity_residual : C(0);
  }

  static CellDescription<PressureEquation> description();
};

template <class F>
struct FluxCorrectionFields {
  typename F::StencilIn faces;
  typename F::StencilIn aP, correction;
  typename F::InOut mass;
};

// m += c (p'_W - p'_P) on the faces.
struct FluxCorrection {
  FluidCell cell = {};

  template <class F, class Back>
  CFDMARK_FUNCTION void correct(const FluxCorrectionFields<F>& at, FaceKind kind,
                                double density_area_per_distance, const Back& back) const {
    using C = typename F::Number;
    const C before = back(at.aP), behind = at.aP(0, 0);
    const bool ends = CellFaces{int(at.faces(0, 0))}.is_solid();  // inner cell on the lower side
    const C conductance =
        face_conductance(kind, C(density_area_per_distance), ends ? before : behind, ends ? behind : before);
    at.mass = at.mass + conductance * (back(at.correction) - at.correction(0, 0));
  }
};

struct FluxCorrectionX : FluxCorrection {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : FluxCorrectionFields<F> {};
  static constexpr Fields<Names> names{"faces", "aP", "p'", {"mass_x", FieldPlace::face_x}};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    correct(at, CellFaces{int(at.faces(0, 0))}.west(), conductance_x(cell),
            [](const auto& field) { return field(-1, 0); });
  }

  static CellDescription<FluxCorrectionX> description();
};

struct FluxCorrectionY : FluxCorrection {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : FluxCorrectionFields<F> {};
  static constexpr Fields<Names> names{"faces", "aP", "p'", {"mass_y", FieldPlace::face_y}};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    correct(at, CellFaces{int(at.faces(0, 0))}.south(), conductance_y(cell),
            [](const auto& field) { return field(0, -1); });
  }

  static CellDescription<FluxCorrectionY> description();
};

// u -= V / A_P dp'/dx, the same for v, and p += relaxation p' at the centres.
struct CellCorrection {
  static constexpr int only_dims = 2;
  FluidCell cell = {};
  double relaxation = 1;

  template <class F>
  struct Fields {
    typename F::In faces, aP;
    typename F::StencilIn correction;
    typename F::InOut u, v, p;
  };
  static constexpr Fields<Names> names{"faces", "aP", "p'", "u", "v", "p"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const CellFaces faces{int(at.faces)};
    const C here = at.correction(0, 0);
    const C west = face_correction(faces.west(), here, at.correction(-1, 0));
    const C east = face_correction(faces.east(), here, at.correction(1, 0));
    const C south = face_correction(faces.south(), here, at.correction(0, -1));
    const C north = face_correction(faces.north(), here, at.correction(0, 1));
    const C inverse = C(1) / at.aP;
    at.u = at.u - C(cell.dy) * inverse * (east - west);
    at.v = at.v - C(cell.dx) * inverse * (north - south);
    at.p = at.p + C(relaxation) * here;
  }

  static CellDescription<CellCorrection> description();
};

}  // namespace cfdmark
