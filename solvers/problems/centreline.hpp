// Velocities and other values along a line through a box, as an interpolating cubic sees them: what others
// published of cavities are extrema along their centrelines.
#pragma once

#include <functional>
#include <vector>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

struct Extreme {
  double value = 0, at = 0;
};

// Values at the centres of cells along a line from 0 to 1, and at its two ends.
struct Centreline {
  std::vector<double> at, value;

  Centreline(int cells, double first, double last, const std::function<double(int)>& get);
  // By the cubic through the four nearest points.
  double value_at(double place) const;
  // Of the interpolating cubics, times `sign` the largest, as far as the cells around it bend alike. An end
  // of the line is one only if no cell is beyond it.
  Extreme extreme(double sign) const;

 private:
  double bend(int node) const;  // the second derivative there, for a cell's width
};

// u along x = 1/2 and v along y = 1/2 of a unit square, in a cube in its plane z = 1/2.
struct CentrelineVelocities {
  Centreline u, v;
};
// At rest on all walls, but for the u of the wall at y = 1.
CentrelineVelocities on_centrelines(const FlowProblem&, const FlowFields&, double lid);

}  // namespace cfdmark
