// Finite volumes on a uniform grid with all unknowns at the centres of cells: what the kernels of flow
// solvers share. NVRTC reads this file: no standard header here.
//
// A field `faces` says of each cell, as a number, what lies behind its four faces, or six. The ghosts of the
// velocity, and solid cells, hold the velocity of the boundary itself: that of a wall, of an inflow.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// What lies behind a face of a cell.
enum class FaceKind {
  fluid,   // another cell of the fluid
  fixed,   // a wall, an inflow or a solid cell, whose velocity is given
  outlet,  // the velocity goes on as it is; a given pressure, 0, where no kernel is told otherwise
  slip,    // a plane of symmetry: nothing passes, nothing rubs
};

struct CellFaces {
  int code = 0;

  static constexpr int solid_bit = 256, body_bit = 512;
  // In 2-D nothing lies below and above.
  static constexpr CellFaces of(FaceKind west, FaceKind east, FaceKind south, FaceKind north,
                                FaceKind bottom = FaceKind::fluid, FaceKind top = FaceKind::fluid) {
    return {int(west) + 4 * int(east) + 16 * int(south) + 64 * int(north) + 1024 * int(bottom) +
            4096 * int(top)};
  }
  // A cell that is no fluid, or a ghost.
  static constexpr CellFaces solid() {
    return {solid_bit + of(FaceKind::fixed, FaceKind::fixed, FaceKind::fixed, FaceKind::fixed,
                           FaceKind::fixed, FaceKind::fixed)
                            .code};
  }

  // A solid cell of a body in the flow, whose forces are wanted.
  static constexpr CellFaces body() { return {solid().code + body_bit}; }

  CFDMARK_FUNCTION FaceKind west() const { return FaceKind(code & 3); }
  CFDMARK_FUNCTION FaceKind east() const { return FaceKind(code >> 2 & 3); }
  CFDMARK_FUNCTION FaceKind south() const { return FaceKind(code >> 4 & 3); }
  CFDMARK_FUNCTION FaceKind north() const { return FaceKind(code >> 6 & 3); }
  CFDMARK_FUNCTION FaceKind bottom() const { return FaceKind(code >> 10 & 3); }
  CFDMARK_FUNCTION FaceKind top() const { return FaceKind(code >> 12 & 3); }
  // The same by axis: x 0, y 1, z 2.
  CFDMARK_FUNCTION FaceKind before(int axis) const {
    return axis == 0 ? west() : axis == 1 ? south() : bottom();
  }
  CFDMARK_FUNCTION FaceKind behind(int axis) const {
    return axis == 0 ? east() : axis == 1 ? north() : top();
  }
  CFDMARK_FUNCTION bool is_solid() const { return (code & solid_bit) != 0; }
  CFDMARK_FUNCTION bool is_body() const { return (code & body_bit) != 0; }
};

// A cell's sides, dz = 1 in 2-D, and the fluid: density, and dynamic viscosity, in any one set of units.
struct FluidCell {
  double dx = 1, dy = 1, dz = 1, density = 1, viscosity = 1;

  CFDMARK_FUNCTION double volume() const { return dx * dy * dz; }
  // Along an axis: x 0, y 1, z 2; and of the face that it goes through.
  CFDMARK_FUNCTION double side(int axis) const { return axis == 0 ? dx : axis == 1 ? dy : dz; }
  CFDMARK_FUNCTION double area(int axis) const { return axis == 0 ? dy * dz : axis == 1 ? dx * dz : dx * dy; }
};

// How the value of a velocity at a face follows from the cells beside it.
enum class Convection {
  central,  // their mean, as a correction of upwind from the last iteration: bounded whatever the Peclet
            // number
  upwind,   // that of the cell that the fluid comes from
  hybrid,   // their mean up to a cell Peclet number of 2, else upwind and no diffusion (Patankar 1980, 5.2-4)
};

// The pressure on a face from that of the cell before it and of the one behind it. On a boundary it goes on
// as it does between the cell and the one on its other side, if that is fluid.
template <class C>
CFDMARK_FUNCTION C face_pressure(FaceKind kind, C here, C behind, FaceKind other_side, C on_other_side) {
  const C mean = C(0.5) * (here + behind);
  const C extrapolated = other_side == FaceKind::fluid ? C(1.5) * here - C(0.5) * on_other_side : here;
  const C boundary = kind == FaceKind::outlet ? C(0) : extrapolated;
  return kind == FaceKind::fluid ? mean : boundary;
}
// The same of a pressure correction: no gradient at a boundary with a given velocity.
template <class C>
CFDMARK_FUNCTION C face_correction(FaceKind kind, C here, C behind) {
  const C boundary = kind == FaceKind::outlet ? C(0) : here;
  return kind == FaceKind::fluid ? C(0.5) * (here + behind) : boundary;
}

// The mass that goes through a face for each unit of the difference of pressure between the cells beside it:
// rho (area / distance) V / A_P, A_P their mean. With the mean of V / A_P instead the answer would hang on
// the time step where A_P differs from cell to cell. On an outlet the distance is half and only the cell
// inside counts; through other boundaries nothing of that kind goes. No A_P is 0, of ghosts neither.
template <class C>
CFDMARK_FUNCTION C face_conductance(FaceKind kind, C density_area_volume_per_distance, C inside, C outside) {
  const C twice_mean = kind == FaceKind::fluid ? inside + outside : inside;
  const C boundary = kind == FaceKind::outlet ? C(2) : C(0);
  return density_area_volume_per_distance * ((kind == FaceKind::fluid ? C(2) : boundary) / twice_mean);
}

}  // namespace cfdmark
