// The lines of a grid, as a library's transforms of real values take them, one transform a line. NVRTC reads
// this file: no standard header here.
#pragma once

#include "kernels/core/grid.hpp"

namespace cfdmark {

// The lines along x, y or z, and where their values lie. Those along x lie one behind the other; along y and
// z neighbouring lines lie side by side, so that threads along x read and write neighbours.
struct GridLines {
  int axis = 0;     // 0, 1, 2: along x, y, z
  int n = 1;        // cells of a line
  int period = 1;   // values of it that are transformed
  Index lines = 1;  // of the grid

  CFDMARK_FUNCTION int coefficients() const { return period / 2 + 1; }  // the others are their conjugates
  // Of values, real or complex, of which a line has `length`: from one to the next, and from line to line.
  CFDMARK_FUNCTION Index stride() const { return axis == 0 ? 1 : lines; }
  CFDMARK_FUNCTION Index distance(int length) const { return axis == 0 ? length : 1; }
  // The line that a cell of a grid is in, and where it is there.
  CFDMARK_FUNCTION Index line(int nx, int ny, int i, int j, int k) const {
    return axis == 0 ? Index(k) * ny + j : axis == 1 ? Index(k) * nx + i : Index(j) * nx + i;
  }
  CFDMARK_FUNCTION int position(int i, int j, int k) const { return axis == 0 ? i : axis == 1 ? j : k; }
  // Where value m of a line lies, of which it has `length`.
  CFDMARK_FUNCTION Index place(Index line, int m, int length) const {
    return line * distance(length) + m * stride();
  }
};

inline int cells_along(const Grid& g, int axis) { return axis == 0 ? g.nx : axis == 1 ? g.ny : g.nz; }

// Of a grid with nx x ny x nz cells, as they are.
inline GridLines cell_lines(const Grid& g, int axis) {
  const int n = cells_along(g, axis);
  return {axis, n, n, g.cells() / n};
}
// And each made an odd sequence, whose coefficients are purely imaginary and hold the line's sines.
inline GridLines sine_lines(const Grid& g, int axis) {
  GridLines lines = cell_lines(g, axis);
  lines.period = 2 * (lines.n + 1);
  return lines;
}

}  // namespace cfdmark
