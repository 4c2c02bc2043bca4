// The velocities behind a body, by which an inverse problem finds the body again.
#pragma once

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

class Wake {
 public:
  // Keeps the velocities at all cell centres of the tunnel from `from` on, in heights of the tunnel from its
  // inlet. Throws std::invalid_argument if no cell lies there.
  Wake(const FlowFields&, double from);

  // Returns the mean square of the difference of velocities over these cells, in squares of the mean speed of
  // the inflow. The other flow must have the same grid.
  double misfit(const FlowFields&) const;

 private:
  HostField u_, v_;
  int first_ = 0;  // column
};

}  // namespace cfdmark
