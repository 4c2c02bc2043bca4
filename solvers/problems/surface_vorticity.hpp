// The vorticity of a flow on the surface of a body at rest, from the velocities of the cells around it.
#pragma once

#include <optional>
#include <vector>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

struct SurfacePoint {
  PlanePoint place;
  double along = 0;  // length of the surface from its first corner to the point
  double vorticity = 0;
};

struct SurfaceVorticity {
  std::vector<SurfacePoint> points;  // evenly spread along the surface
  double mean = 0;                   // of |vorticity|, by length
  double spread = 0;                 // standard deviation of |vorticity| over its mean
};

// On a surface at rest the vorticity is the derivative of the tangential velocity along the normal, the limit
// of velocity over distance. It is extrapolated to the surface from the fluid cells within a few cells of
// each point. Returns none if the outline has no corners or crosses itself, or if too few fluid cells are
// near a point.
std::optional<SurfaceVorticity> surface_vorticity(const Outline&, const FluidCell&, const HostField& faces,
                                                  const FlowFields&);

}  // namespace cfdmark
