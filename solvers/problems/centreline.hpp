// Values along a line through a box with cubic interpolation. Published cavity results are extrema on
// centrelines.
#pragma once

#include <functional>
#include <vector>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

struct Extreme {
  double value = 0, at = 0;  // at: place along the line, from 0 to 1
};

// Values at cell centres on a line from 0 to 1, and at its two ends.
struct Centreline {
  std::vector<double> at, value;

  Centreline(int cells, double first, double last, const std::function<double(int)>& get);
  // Returns the value of the cubic through the four nearest points.
  double value_at(double place) const;
  // Returns the largest value times `sign` of the interpolating cubics, limited by the smallest curvature of
  // the cells around it. An end of the line is returned only if no cell exceeds it.
  Extreme extreme(double sign) const;

 private:
  double bend(int node) const;  // second derivative at a node, times the square of a cell's width
};

// u along x = 1/2 and v along y = 1/2 of a unit square; in a cube in the plane z = 1/2.
struct CentrelineVelocities {
  Centreline u, v;
};
// All walls are at rest, except that the wall at y = 1 has u = lid.
CentrelineVelocities on_centrelines(const FlowProblem&, const FlowFields&, double lid);

}  // namespace cfdmark
