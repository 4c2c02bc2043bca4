// Stability limit of second-order Adams-Bashforth steps on a staggered grid.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

struct LongestStep {
  double length = 0;  // 0: no step is stable
  std::string reason;
};

// Returns the longest stable step by von Neumann analysis, for largest velocities `speeds` along x, y and in
// 3-D z. `eddy_viscosity` is the largest kinematic eddy viscosity; the result is the shorter limit of with
// and without it. Second-order upwind uses the analytic limit; central fluxes use a table by cell Peclet
// number. Without viscosity central fluxes are never stable: waves grow by (omega dt)^4 / 4 per step. Then
// `steps` (0: any number) may grow them by 1 % in total.
LongestStep longest_step(bool upwind, const FluidCell&, const std::vector<double>& speeds, int steps,
                         double eddy_viscosity = 0);

}  // namespace cfdmark
