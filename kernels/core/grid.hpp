// The grid, the locations of its fields, their layout in memory, and the view. NVRTC reads this file, so it
// includes no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

using Index = long long;

// Location of a field's values: cell centres, faces with normal x, y or z, or nodes.
enum class FieldPlace { cell, face_x, face_y, face_z, node };

// A uniform box of nx x ny (x nz) cells surrounded by ghosts; x is contiguous. A slab of a 3-D grid may have
// nz = 1 and dims = 3. A flat grid is one row without ghosts: the values of a vector or of a mesh.
struct Grid {
  int nx = 1, ny = 1, nz = 1;
  int dims = nz > 1 ? 3 : 2;
  int halo = 1;    // layers of ghosts, at most row_alignment
  int parity = 0;  // parity of i + j + k of the first cell in the whole domain; odd for some slabs

  static constexpr int row_alignment = 32;

  CFDMARK_FUNCTION bool is_3d() const { return dims == 3; }
  CFDMARK_FUNCTION int halo_z() const { return is_3d() ? halo : 0; }
  CFDMARK_FUNCTION Index cells() const { return Index(nx) * ny * nz; }
  CFDMARK_FUNCTION bool is_flat() const { return ny == 1 && nz == 1 && dims == 2 && halo == 0; }

  // Returns the extents of a field at another location: a row of n cells has n + 1 faces.
  CFDMARK_FUNCTION Grid at(FieldPlace place) const {
    Grid g = *this;
    const bool node = place == FieldPlace::node;
    g.nx += node || place == FieldPlace::face_x;
    g.ny += node || place == FieldPlace::face_y;
    g.nz += (node && is_3d()) || place == FieldPlace::face_z;
    return g;
  }
  CFDMARK_FUNCTION Grid with_halo(int layers) const {
    Grid g = *this;
    g.halo = layers;
    return g;
  }
  bool operator==(const Grid&) const = default;
};

// Returns the flat grid of n values.
CFDMARK_FUNCTION Grid flat_grid(int n) {
  Grid g;
  g.nx = n;
  g.halo = 0;
  return g;
}

// Places of a field's values in an allocation of its own, in elements. Rows start at multiples of
// Grid::row_alignment (128 bytes in fp32), so that loads of a warp or a vector register are aligned. The
// padding of a row also holds the ghosts before the next row.
struct Layout {
  // Loops over a flat grid share it in parts of this length, as if they were its rows.
  static constexpr int flat_row = 1024;

  Index elements;      // in the allocation
  Index lead;          // before cell (0,0,0)
  Index pitch, plane;  // from a cell to its neighbour in y and in z; plane is 0 in 2-D

  CFDMARK_FUNCTION explicit Layout(const Grid& g) {
    constexpr int unit = Grid::row_alignment;
    const Index row = (Index(g.nx) + 2 * g.halo + unit - 1) / unit * unit;
    const Index rows_of_plane = row * (g.ny + 2 * g.halo);
    elements = unit + rows_of_plane * (g.nz + 2 * g.halo_z());
    lead = unit + g.halo * row + g.halo_z() * rows_of_plane;
    pitch = g.is_flat() ? flat_row : row;
    plane = g.is_3d() ? rows_of_plane : 0;
  }
};

// The rows over which a loop over a grid is shared: those of the grid, or parts of a flat one.
struct LoopRows {
  int nx, ny, nz;
  int last;  // cells of the last row; nx unless the grid is flat

  CFDMARK_FUNCTION explicit LoopRows(const Grid& g) : nx(g.nx), ny(g.ny), nz(g.nz), last(g.nx) {
    if (!g.is_flat() || g.nx <= Layout::flat_row) return;
    nx = Layout::flat_row;
    ny = (g.nx + nx - 1) / nx;
    last = g.nx - (ny - 1) * nx;
  }
  CFDMARK_FUNCTION Index count() const { return Index(ny) * nz; }
  CFDMARK_FUNCTION int cells(Index row) const { return row == count() - 1 ? last : nx; }
};

// A non-owning view of values on a grid or a box of it. (0,0,0) is the first cell; indices below 0 or from n
// up are ghosts, or for a box the cells around it.
template <class T>
struct View {
  T* origin = nullptr;
  int nx = 0, ny = 0, nz = 0;
  int halo = 1;
  Index pitch = 0, plane = 0;  // plane: 0 in 2-D

  CFDMARK_FUNCTION T* row(int j, int k = 0) const { return origin + j * pitch + k * plane; }
  CFDMARK_FUNCTION T& operator()(int i, int j, int k = 0) const { return row(j, k)[i]; }
};

}  // namespace cfdmark
