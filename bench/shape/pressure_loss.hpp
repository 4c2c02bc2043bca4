// The loss of total pressure in the tunnel that a body causes.
#pragma once

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Returns the loss of total pressure, p + |velocity|^2 / 2 weighted by the flow, from the first column of the
// tunnel's cells to the last one, less that of the parabolic flow without a body, which is 12 viscosity per
// height of the way. In density times the square of the inflow's mean speed; the viscosity is in heights
// times that speed.
double pressure_loss(const FlowFields&, double viscosity);

}  // namespace cfdmark
