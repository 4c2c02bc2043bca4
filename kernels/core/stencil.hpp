// The five- and seven-point operator and its formulas, stated once for all backends. NVRTC reads this file,
// so it includes no standard header.
//
// A u = aP u_P - (aW u_W + aE u_E + aS u_S + aN u_N [+ aB u_B + aT u_T]), all coefficients positive. The
// formulas read neighbours through an accessor u(di, dj, dk) that returns the arithmetic type: the same
// formula serves global memory, a shared tile and a register window. The order of operations is fixed here.
#pragma once

#include "kernels/core/grid.hpp"

namespace cfdmark {

// Constant coefficients: aW = aE = wx, aS = aN = wy, aB = aT = wz, aP = centre.
template <class C>
struct ConstantStencil {
  C wx, wy, wz, centre, inverse_centre;

  // Returns the coefficients of one cell.
  template <int dims>
  CFDMARK_FUNCTION ConstantStencil at(int, int, int) const {
    return *this;
  }

  // Returns `start` plus the sum of the neighbours' terms.
  template <int dims, class U>
  CFDMARK_FUNCTION C neighbours(const U& u, C start) const {
    if constexpr (dims == 3) start = multiply_add(wz, u(0, 0, -1) + u(0, 0, 1), start);
    return multiply_add(wx, u(-1, 0, 0) + u(1, 0, 0), multiply_add(wy, u(0, -1, 0) + u(0, 1, 0), start));
  }
  CFDMARK_FUNCTION C diagonal() const { return centre; }
  CFDMARK_FUNCTION C divide_by_diagonal(C value) const { return value * inverse_centre; }
};

// Constant coefficients at one cell of an EdgedStencil.
template <class C>
struct EdgedCell : ConstantStencil<C> {
  C lower_share[3];  // per direction: weight of the lower neighbour in interpolating between both
};

// Constant coefficients on a grid whose last cells are closer to the boundary than to each other, as on
// coarse grids of multigrid with even extents. The boundary value is 0 and enters through the diagonal alone.
template <class C>
struct EdgedStencil {
  ConstantStencil<C> inside;
  int last[3];
  C last_share[3];                 // lower_share of a last cell; 1/2 for all others
  C centre[8], inverse_centre[8];  // by position: the sum of 1 (last in x), 2 (last in y), 4 (last in z)

  template <int dims, class I>
  CFDMARK_FUNCTION EdgedCell<C> at(I i, int j, int k) const {
    const bool x = i == last[0], y = j == last[1], z = dims == 3 && k == last[2];
    EdgedCell<C> cell{inside, {x ? last_share[0] : C(0.5), y ? last_share[1] : C(0.5), C(0.5)}};
    if (dims == 3 && z) cell.lower_share[2] = last_share[2];
    cell.centre = chosen(centre, x, y, z);
    cell.inverse_centre = chosen(inverse_centre, x, y, z);
    return cell;
  }

 private:
  // Selects instead of indexing, so that the array stays in registers. Along a row only x varies.
  CFDMARK_FUNCTION static C chosen(const C (&of)[8], bool x, bool y, bool z) {
    const C before = z ? (y ? of[6] : of[4]) : (y ? of[2] : of[0]);
    const C last = z ? (y ? of[7] : of[5]) : (y ? of[3] : of[1]);
    return x ? last : before;
  }
};

// The coefficients of one cell, read from arrays.
template <class C>
struct CellStencil {
  C west, east, south, north, bottom, top, centre;

  template <int dims, class U>
  CFDMARK_FUNCTION C neighbours(const U& u, C start) const {
    if constexpr (dims == 3) start = multiply_add(bottom, u(0, 0, -1), multiply_add(top, u(0, 0, 1), start));
    start = multiply_add(south, u(0, -1, 0), multiply_add(north, u(0, 1, 0), start));
    return multiply_add(west, u(-1, 0, 0), multiply_add(east, u(1, 0, 0), start));
  }
  CFDMARK_FUNCTION C diagonal() const { return centre; }
  CFDMARK_FUNCTION C divide_by_diagonal(C value) const { return value / centre; }
};

// Coefficient arrays aW aE aS aN aP, and aB aT in 3-D, as used by Normore and Shinn.
template <class S, class C>
struct StencilArrays {
  View<const S> west, east, south, north, bottom, top, centre;

  // i keeps the caller's type: narrowing it would hide from the compiler that rows are contiguous.
  template <int dims, class I>
  CFDMARK_FUNCTION CellStencil<C> at(I i, int j, int k) const {
    CellStencil<C> s{
        C(west.row(j, k)[i]),  C(east.row(j, k)[i]), C(south.row(j, k)[i]), C(north.row(j, k)[i]), C(0), C(0),
        C(centre.row(j, k)[i])};
    if constexpr (dims == 3) {
      s.bottom = C(bottom.row(j, k)[i]);
      s.top = C(top.row(j, k)[i]);
    }
    return s;
  }
};

// Reads u around cell (i, j, k) from memory.
template <class S, class C>
struct Neighbourhood {
  const S* cell;
  Index pitch, plane;
  CFDMARK_FUNCTION Neighbourhood(const View<const S>& u, int i, int j, int k)
      : cell(u.row(j, k) + i), pitch(u.pitch), plane(u.plane) {}
  CFDMARK_FUNCTION C operator()(int di, int dj, int dk) const {
    return C(cell[di + dj * pitch + dk * plane]);
  }
};

// Returns the operations in the sum of the neighbours' terms: a multiply-add each, or an addition and a
// multiply-add per pair of opposite neighbours with constant weights.
constexpr double stencil_flops(int dims, bool constant) { return (constant ? 1.5 : 2.0) * 2 * dims; }

// Returns A u at this cell.
template <int dims, class C, class A, class U>
CFDMARK_FUNCTION C stencil_apply(const A& a, const U& u) {
  return multiply_add(a.diagonal(), u(0, 0, 0), -a.template neighbours<dims>(u, C(0)));
}

// Returns the residual b - A u at this cell.
template <int dims, class C, class A, class U>
CFDMARK_FUNCTION C stencil_residual(const A& a, const U& u, C b) {
  return multiply_add(-a.diagonal(), u(0, 0, 0), a.template neighbours<dims>(u, b));
}

// Returns the value that solves this cell's equation with its neighbours fixed (Jacobi, Gauss-Seidel).
template <int dims, class C, class A, class U>
CFDMARK_FUNCTION C stencil_relax(const A& a, const U& u, C b) {
  return a.divide_by_diagonal(a.template neighbours<dims>(u, b));
}

// Returns the over-relaxed value u + omega (relaxed - u).
template <int dims, class C, class A, class U>
CFDMARK_FUNCTION C stencil_over_relax(const A& a, const U& u, C b, C omega) {
  const C old = u(0, 0, 0);
  return multiply_add(omega, stencil_relax<dims, C>(a, u, b) - old, old);
}

}  // namespace cfdmark
