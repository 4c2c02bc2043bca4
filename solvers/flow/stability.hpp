// How long a time step of Adams and Bashforth's may be on a staggered grid.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

struct LongestStep {
  double length = 0;  // 0: none is stable
  std::string reason;
};

// With velocities up to these along x, y and in 3-D z, by von Neumann's analysis, and a viscosity of eddies
// that is up to `eddy_viscosity` (kinematic) somewhere and 0 elsewhere: the shorter of both. What it gives
// for second-order upwind; for central fluxes its results by the cell Peclet number. Without viscosity
// central fluxes are never stable: waves grow by (omega dt)^4 / 4 a step. So many `steps` (0: any number) may
// let them grow by one per cent in all.
LongestStep longest_step(bool upwind, const FluidCell&, const std::vector<double>& speeds, int steps,
                         double eddy_viscosity = 0);

}  // namespace cfdmark
