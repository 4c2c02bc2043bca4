// The grid, the locations of its fields, and the view. NVRTC reads this file, so it includes no standard
// header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

using Index = long long;

// Location of a field's values: cell centres, faces with normal x, y or z, or nodes.
enum class FieldPlace { cell, face_x, face_y, face_z, node };

// A uniform box of nx x ny (x nz) cells surrounded by ghosts; x is contiguous. A slab of a 3-D grid may have
// nz = 1 and dims = 3. Rows start at multiples of `row_alignment` elements (128 bytes in fp32), so that loads
// of a warp or a vector register are aligned. The padding of a row also holds the ghosts before the next row.
struct Grid {
  int nx = 1, ny = 1, nz = 1;
  int dims = nz > 1 ? 3 : 2;
  int halo = 1;    // layers of ghosts, at most row_alignment
  int parity = 0;  // parity of i + j + k of the first cell in the whole domain; odd for some slabs

  static constexpr int row_alignment = 32;

  CFDMARK_FUNCTION bool is_3d() const { return dims == 3; }
  CFDMARK_FUNCTION int halo_z() const { return is_3d() ? halo : 0; }
  CFDMARK_FUNCTION Index cells() const { return Index(nx) * ny * nz; }
  // Elements from a cell to its neighbour in y and in z, for a field with an allocation of its own.
  CFDMARK_FUNCTION Index pitch() const {
    return (Index(nx) + 2 * halo + row_alignment - 1) / row_alignment * row_alignment;
  }
  CFDMARK_FUNCTION Index plane() const { return pitch() * (ny + 2 * halo); }
  // Elements before cell (0,0,0), and in the whole allocation.
  CFDMARK_FUNCTION Index lead() const { return row_alignment + halo * pitch() + halo_z() * plane(); }
  CFDMARK_FUNCTION Index elements() const { return row_alignment + plane() * (nz + 2 * halo_z()); }

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
