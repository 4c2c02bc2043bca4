// Sine transforms made of transforms of real values: a line of n values becomes an odd sequence of period
// 2 (n + 1), whose coefficients are purely imaginary and hold the line's sines. NVRTC reads this file: no
// standard header here.
#pragma once

#include "kernels/core/grid.hpp"

namespace cfdmark {

// The lines of a grid along x, y or z, and where their values lie. Those along x lie one behind the other;
// along y and z neighbouring lines lie side by side, so that threads along x read and write neighbours.
struct SineLines {
  int axis = 0;     // 0, 1, 2: along x, y, z
  int n = 1;        // values of a line
  Index lines = 1;  // of the grid

  CFDMARK_FUNCTION int period() const { return 2 * (n + 1); }
  CFDMARK_FUNCTION int coefficients() const { return n + 2; }  // the others are their conjugates
  // Of values, real or complex, of which a line has `length`: from one to the next, and from line to line.
  CFDMARK_FUNCTION Index stride() const { return axis == 0 ? 1 : lines; }
  CFDMARK_FUNCTION Index distance(int length) const { return axis == 0 ? length : 1; }
  // The line that a cell of a grid is in, and where it is there.
  CFDMARK_FUNCTION Index line(int nx, int ny, int i, int j, int k) const {
    return axis == 0 ? Index(k) * ny + j : axis == 1 ? Index(k) * nx + i : Index(j) * nx + i;
  }
  CFDMARK_FUNCTION int position(int i, int j, int k) const { return axis == 0 ? i : axis == 1 ? j : k; }
};

// Of a grid with nx x ny x nz cells.
CFDMARK_FUNCTION SineLines sine_lines(const Grid& g, int axis) {
  const int n = axis == 0 ? g.nx : axis == 1 ? g.ny : g.nz;
  SineLines lines;
  lines.axis = axis, lines.n = n, lines.lines = g.cells() / n;
  return lines;
}

}  // namespace cfdmark
