// Shared parts of the kernels for flow solvers on a uniform collocated finite-volume grid: all unknowns are
// cell-centred. NVRTC reads this file, so it includes no standard header.
//
// The field `faces` encodes, per cell, the kind of its four (3-D: six) faces as one number. Ghosts and solid
// cells of the velocity fields hold the boundary velocity: that of a wall or an inflow.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// The condition at a face of a cell.
enum class FaceKind {
  fluid,   // the neighbour is a fluid cell
  fixed,   // the velocity is given: a wall, an inflow or a solid cell
  outlet,  // zero-gradient velocity; fixed pressure, 0 unless a kernel sets another
  slip,    // symmetry plane: no normal flow, no shear
};

// The faces of a cell, packed: two bits per face, one bit for solid and one for body cells.
struct CellFaces {
  int code = 0;

  static constexpr int solid_bit = 256, body_bit = 512;
  // In 2-D, bottom and top are `fluid`.
  static constexpr CellFaces of(FaceKind west, FaceKind east, FaceKind south, FaceKind north,
                                FaceKind bottom = FaceKind::fluid, FaceKind top = FaceKind::fluid) {
    return {int(west) + 4 * int(east) + 16 * int(south) + 64 * int(north) + 1024 * int(bottom) +
            4096 * int(top)};
  }
  // A solid cell or a ghost.
  static constexpr CellFaces solid() {
    return {solid_bit + of(FaceKind::fixed, FaceKind::fixed, FaceKind::fixed, FaceKind::fixed,
                           FaceKind::fixed, FaceKind::fixed)
                            .code};
  }

  // A solid cell of an immersed body, over which forces are integrated.
  static constexpr CellFaces body() { return {solid().code + body_bit}; }

  CFDMARK_FUNCTION FaceKind west() const { return FaceKind(code & 3); }
  CFDMARK_FUNCTION FaceKind east() const { return FaceKind(code >> 2 & 3); }
  CFDMARK_FUNCTION FaceKind south() const { return FaceKind(code >> 4 & 3); }
  CFDMARK_FUNCTION FaceKind north() const { return FaceKind(code >> 6 & 3); }
  CFDMARK_FUNCTION FaceKind bottom() const { return FaceKind(code >> 10 & 3); }
  CFDMARK_FUNCTION FaceKind top() const { return FaceKind(code >> 12 & 3); }
  // The faces by axis (x 0, y 1, z 2): before() on the lower side, behind() on the upper side.
  CFDMARK_FUNCTION FaceKind before(int axis) const {
    return axis == 0 ? west() : axis == 1 ? south() : bottom();
  }
  CFDMARK_FUNCTION FaceKind behind(int axis) const {
    return axis == 0 ? east() : axis == 1 ? north() : top();
  }
  CFDMARK_FUNCTION bool is_solid() const { return (code & solid_bit) != 0; }
  CFDMARK_FUNCTION bool is_body() const { return (code & body_bit) != 0; }
};

// The sides of a cell (dz = 1 in 2-D), density and dynamic viscosity, in any consistent set of units.
struct FluidCell {
  double dx = 1, dy = 1, dz = 1, density = 1, viscosity = 1;

  CFDMARK_FUNCTION double volume() const { return dx * dy * dz; }
  // Length along an axis (x 0, y 1, z 2), and area of the face normal to it.
  CFDMARK_FUNCTION double side(int axis) const { return axis == 0 ? dx : axis == 1 ? dy : dz; }
  CFDMARK_FUNCTION double area(int axis) const { return axis == 0 ? dy * dz : axis == 1 ? dx * dz : dx * dy; }
};

// Interpolation of the convected velocity at a face from the two adjacent cells.
enum class Convection {
  central,  // mean, as a deferred correction of upwind from the last iteration: bounded at any Peclet number
  upwind,   // value of the upstream cell
  hybrid,   // mean up to a cell Peclet number of 2, else upwind without diffusion (Patankar 1980, 5.2-4)
};

// Returns the pressure at a face from the cell on this side (`here`) and the one across (`behind`). At a
// boundary, extrapolates linearly from `on_other_side`, the cell on the opposite side, if that is fluid.
template <class C>
CFDMARK_FUNCTION C face_pressure(FaceKind kind, C here, C behind, FaceKind other_side, C on_other_side) {
  const C mean = C(0.5) * (here + behind);
  const C extrapolated = other_side == FaceKind::fluid ? C(1.5) * here - C(0.5) * on_other_side : here;
  const C boundary = kind == FaceKind::outlet ? C(0) : extrapolated;
  return kind == FaceKind::fluid ? mean : boundary;
}
// The same for a pressure correction: zero gradient at a boundary with a given velocity.
template <class C>
CFDMARK_FUNCTION C face_correction(FaceKind kind, C here, C behind) {
  const C boundary = kind == FaceKind::outlet ? C(0) : here;
  return kind == FaceKind::fluid ? C(0.5) * (here + behind) : boundary;
}

// Returns the mass flow through a face per unit of pressure difference between the adjacent cells: rho (area
// / distance) V / A_P, where A_P is the mean of both cells (Rhie-Chow). The mean of V / A_P instead would
// make the solution depend on the time step where A_P varies. At an outlet the distance is half, and A_P that
// of the inner cell. Other boundaries return 0. `inside` and `outside` are A_P and must be nonzero, also in
// ghosts.
template <class C>
CFDMARK_FUNCTION C face_conductance(FaceKind kind, C density_area_volume_per_distance, C inside, C outside) {
  const C twice_mean = kind == FaceKind::fluid ? inside + outside : inside;
  const C boundary = kind == FaceKind::outlet ? C(2) : C(0);
  return density_area_volume_per_distance * ((kind == FaceKind::fluid ? C(2) : boundary) / twice_mean);
}

}  // namespace cfdmark
