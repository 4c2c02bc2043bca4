// The mass flux through the faces: density times face velocity times area. NVRTC reads this file, so it
// includes no standard header.
//
// The face velocity between two cells is their mean plus a correction that suppresses pressure oscillations
// from cell to cell (Rhie and Chow 1983), the difference between the pressure gradient at the face and the
// mean of those at the cells:
//   u_f = mean(u) - V / mean(A_P) [(p_E - p_P) / dx - mean(dp/dx)] + kept [u_f^old - mean(u^old)]
// In the last term `kept` is the share of A_P that multiplies the old velocity: 1 - relaxation, and
// (rho V / dt) / A_P. It makes the solution independent of relaxation and time step.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

template <class F>
struct FaceFluxFields {
  typename F::StencilIn faces;
  typename F::StencilIn velocity, old_velocity;  // component normal to the face
  typename F::StencilIn p, gradient;             // gradient: the same component of grad p
  typename F::StencilIn centre;                  // A_P
  typename F::InOut mass;                        // old value on input, new value on output
};

// The flux between the cells at offsets -1 and 0 along an axis.
struct FaceFlux {
  FluidCell cell = {};
  double relaxation = 1;
  double inverse_time_step = 0;  // 0: steady
  bool rhie_chow = true;         // false: mean velocity alone, as in Normore 2010

  // `back` reads the cell on the lower side of the face.
  template <class F, class Back>
  CFDMARK_FUNCTION void flux(const FaceFluxFields<F>& at, FaceKind kind, double distance, double area,
                             const Back& back) const {
    using C = typename F::Number;
    const C half = C(0.5), old = at.mass;
    const C density_area = C(cell.density * area);
    const C before = back(at.velocity), behind = at.velocity(0, 0);
    const C inverse = C(2) / (back(at.centre) + at.centre(0, 0));
    const C jump =
        (at.p(0, 0) - back(at.p)) * C(1 / distance) - half * (back(at.gradient) + at.gradient(0, 0));
    const C kept = C(1 - relaxation) + C(cell.density * cell.volume() * inverse_time_step) * inverse;
    const C old_excess =
        old * C(1 / (cell.density * area)) - half * (back(at.old_velocity) + at.old_velocity(0, 0));
    const C added = rhie_chow ? C(1) : C(0);
    const C between =
        half * (before + behind) + added * (kept * old_excess - C(cell.volume()) * inverse * jump);
    // Successive selections, which compilers can vectorise.
    const C inside = CellFaces{int(at.faces(0, 0))}.is_solid() ? before : behind;  // inner cell of an outlet
    const C boundary = kind == FaceKind::outlet ? density_area * inside : old;
    at.mass = kind == FaceKind::fluid ? density_area * between : boundary;
  }
};

struct FaceFluxX : FaceFlux {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : FaceFluxFields<F> {};
  static constexpr Fields<Names> names{
      "faces", "u", "old u", "p", "dp/dx", "aP", {"mass_x", FieldPlace::face_x}};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    flux(at, CellFaces{int(at.faces(0, 0))}.west(), cell.dx, cell.dy,
         [](const auto& field) { return field(-1, 0); });
  }

  static CellDescription<FaceFluxX> description();
};

struct FaceFluxY : FaceFlux {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : FaceFluxFields<F> {};
  static constexpr Fields<Names> names{
      "faces", "v", "old v", "p", "dp/dy", "aP", {"mass_y", FieldPlace::face_y}};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    flux(at, CellFaces{int(at.faces(0, 0))}.south(), cell.dy, cell.dx,
         [](const auto& field) { return field(0, -1); });
  }

  static CellDescription<FaceFluxY> description();
};

template <class F>
struct FluxIncrementFields {
  typename F::StencilIn faces;
  typename F::StencilIn increment;  // of the velocity component normal to the face
  typename F::InOut mass;
};

// Change of the fluxes for a change of cell velocities: the mean of both cells, or at an outlet the value of
// the inner cell.
struct FluxIncrement {
  FluidCell cell = {};

  template <class F, class Back>
  CFDMARK_FUNCTION void add(const FluxIncrementFields<F>& at, FaceKind kind, double area,
                            const Back& back) const {
    using C = typename F::Number;
    const C before = back(at.increment), behind = at.increment(0, 0);
    const C inside = CellFaces{int(at.faces(0, 0))}.is_solid() ? before : behind;
    const C boundary = kind == FaceKind::outlet ? inside : C(0);
    at.mass =
        at.mass + C(cell.density * area) * (kind == FaceKind::fluid ? C(0.5) * (before + behind) : boundary);
  }
};

struct FluxIncrementX : FluxIncrement {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : FluxIncrementFields<F> {};
  static constexpr Fields<Names> names{"faces", "du", {"mass_x", FieldPlace::face_x}};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    add(at, CellFaces{int(at.faces(0, 0))}.west(), cell.dy, [](const auto& field) { return field(-1, 0); });
  }

  static CellDescription<FluxIncrementX> description();
};

struct FluxIncrementY : FluxIncrement {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : FluxIncrementFields<F> {};
  static constexpr Fields<Names> names{"faces", "dv", {"mass_y", FieldPlace::face_y}};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    add(at, CellFaces{int(at.faces(0, 0))}.south(), cell.dx, [](const auto& field) { return field(0, -1); });
  }

  static CellDescription<FluxIncrementY> description();
};

}  // namespace cfdmark
