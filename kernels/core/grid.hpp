// The grid, the places of its fields, and the view. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

using Index = long long;

// Where the values of a field lie: in the cells, on the faces whose normal is x, y or z, at the nodes.
enum class FieldPlace { cell, face_x, face_y, face_z, node };

// A uniform box of nx x ny (x nz) unknowns within layers of ghosts, x contiguous. A plane of a 3-D grid has
// nz = 1 and is 3-D. Rows start at multiples of `row_alignment` elements (128 bytes in fp32), so that a
// warp's or a vector's loads are aligned; the padding behind a row is also the ghosts before the next one.
struct Grid {
  int nx = 1, ny = 1, nz = 1;
  int dims = nz > 1 ? 3 : 2;
  int halo = 1;    // layers of ghosts, at most row_alignment
  int parity = 0;  // of i + j + k of the first cell in the whole domain: a slab may begin at an odd row

  static constexpr int row_alignment = 32;

  CFDMARK_FUNCTION bool is_3d() const { return dims == 3; }
  CFDMARK_FUNCTION int halo_z() const { return is_3d() ? halo : 0; }
  CFDMARK_FUNCTION Index cells() const { return Index(nx) * ny * nz; }
  // Elements from a cell to its neighbour in y and in z, where a field of this grid is alone in its memory.
  CFDMARK_FUNCTION Index pitch() const {
    return (Index(nx) + 2 * halo + row_alignment - 1) / row_alignment * row_alignment;
  }
  CFDMARK_FUNCTION Index plane() const { return pitch() * (ny + 2 * halo); }
  // Elements before cell (0,0,0), and in the whole allocation.
  CFDMARK_FUNCTION Index lead() const { return row_alignment + halo * pitch() + halo_z() * plane(); }
  CFDMARK_FUNCTION Index elements() const { return row_alignment + plane() * (nz + 2 * halo_z()); }

  // The extents of a field at another place than the cells of this grid: n cells in a row have n + 1 faces.
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

// Looks at values on a grid, or on a box of one, without owning them; (0,0,0) is the first cell, and what is
// before 0 or from n on are ghosts, or the cells around the box.
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
