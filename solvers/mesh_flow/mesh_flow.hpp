// A flow of an incompressible fluid on a mesh of triangles, as the fractional steps solve it.
#pragma once

#include <memory>
#include <vector>

#include "kernels/mesh/files/made_mesh.hpp"
#include "solvers/base/outcome.hpp"
#include "solvers/base/problem.hpp"

namespace cfdmark {

// Fluxes through faces include the area and leave a face's first cell. Lengths, times and velocities are in
// units of the problem; pressures are divided by the density.
struct MeshFlow : Problem {
  std::shared_ptr<const Mesh> mesh;      // connected
  std::shared_ptr<const MadeMesh> made;  // that of the mesh; may be null
  double viscosity = 1;                  // kinematic
  double time_step = 1;
  int steps = 0;                          // of a solve; 0: until the flow is steady
  std::vector<Point> boundary_velocity;   // per face of the boundary, in their order
  std::vector<double> start_stream;       // stream function at the nodes, whose curl is the start
  std::vector<PublishedValue> published;  // of the steady flow

  const MadeMesh* own_mesh() const override { return made.get(); }
};

// Returns the fluxes through all faces that a flow starts with.
std::vector<double> start_fluxes(const MeshFlow&);

}  // namespace cfdmark
