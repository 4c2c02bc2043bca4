// The grid and the view. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

using Index = long long;

// A uniform box of nx x ny (x nz) unknowns with one ghost layer, x contiguous. nz == 1 means 2-D.
// Rows start at multiples of `row_alignment` elements (128 bytes in fp32), so that a warp's or a
// vector's loads are aligned; the padding behind a row is also the ghost cell before the next one.
struct Grid {
  int nx = 1, ny = 1, nz = 1;

  static constexpr int row_alignment = 32;

  CFDMARK_FUNCTION bool is_3d() const { return nz > 1; }
  CFDMARK_FUNCTION Index cells() const { return Index(nx) * ny * nz; }
  // Elements from a cell to its neighbour in y and in z.
  CFDMARK_FUNCTION Index pitch() const {
    return (Index(nx) + 2 + row_alignment - 1) / row_alignment * row_alignment;
  }
  CFDMARK_FUNCTION Index plane() const { return pitch() * (ny + 2); }
  // Elements before cell (0,0,0), and in the whole allocation.
  CFDMARK_FUNCTION Index lead() const { return row_alignment + pitch() + (is_3d() ? plane() : 0); }
  CFDMARK_FUNCTION Index elements() const { return row_alignment + plane() * (is_3d() ? nz + 2 : 1); }
};

// Looks at values on a grid without owning them; (0,0,0) is the first interior cell and -1 and n are ghosts.
template <class T>
struct View {
  T* origin = nullptr;
  int nx = 0, ny = 0, nz = 0;
  Index pitch = 0, plane = 0;

  View() = default;
  CFDMARK_FUNCTION View(T* first_cell, Grid g)
      : origin(first_cell),
        nx(g.nx),
        ny(g.ny),
        nz(g.nz),
        pitch(g.pitch()),
        plane(g.is_3d() ? g.plane() : 0) {}

  CFDMARK_FUNCTION T* row(int j, int k = 0) const { return origin + j * pitch + k * plane; }
  CFDMARK_FUNCTION T& operator()(int i, int j, int k = 0) const { return row(j, k)[i]; }
};

}  // namespace cfdmark
