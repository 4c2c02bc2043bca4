// The lines of a grid as a library's real transforms expect them, one transform per line. NVRTC reads this
// file, so it includes no standard header.
#pragma once

#include "kernels/core/grid.hpp"

namespace cfdmark {

// The lines along one axis and the placement of their values. Lines along x are stored one after another;
// lines along y and z are interleaved, so that threads along x access adjacent values.
struct GridLines {
  int axis = 0;     // 0, 1, 2: x, y, z
  int n = 1;        // cells per line
  int period = 1;   // length of the transform of a line
  Index lines = 1;  // number of lines in the grid

  CFDMARK_FUNCTION int coefficients() const { return period / 2 + 1; }  // the others are their conjugates
  // Offset from one value of a line to the next, and from line to line, for lines of `length` real or complex
  // values.
  CFDMARK_FUNCTION Index stride() const { return axis == 0 ? 1 : lines; }
  CFDMARK_FUNCTION Index distance(int length) const { return axis == 0 ? length : 1; }
  // The line that contains a cell, and the cell's position on it.
  CFDMARK_FUNCTION Index line(int nx, int ny, int i, int j, int k) const {
    return axis == 0 ? Index(k) * ny + j : axis == 1 ? Index(k) * nx + i : Index(j) * nx + i;
  }
  CFDMARK_FUNCTION int position(int i, int j, int k) const { return axis == 0 ? i : axis == 1 ? j : k; }
  // Offset of value m of a line of `length` values.
  CFDMARK_FUNCTION Index place(Index line, int m, int length) const {
    return line * distance(length) + m * stride();
  }
};

// Returns the number of cells along an axis.
inline int cells_along(const Grid& g, int axis) { return axis == 0 ? g.nx : axis == 1 ? g.ny : g.nz; }

// Returns the lines of a grid for transforms of length n.
inline GridLines cell_lines(const Grid& g, int axis) {
  const int n = cells_along(g, axis);
  return {axis, n, n, g.cells() / n};
}
// Returns the lines extended to odd sequences, whose coefficients are imaginary and hold the line's sine
// transform.
inline GridLines sine_lines(const Grid& g, int axis) {
  GridLines lines = cell_lines(g, axis);
  lines.period = 2 * (lines.n + 1);
  return lines;
}

}  // namespace cfdmark
