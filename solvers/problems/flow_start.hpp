// Starts of flows from known flows around a similar body, on the same or on a coarser grid of the same box.
#pragma once

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// A flow that was solved, with what is needed to start another one from it.
struct KnownFlow {
  FlowFields flow;
  HostField faces;  // CellFaces of each cell
};

// Replaces the start of a 2-D flow within its boundaries by a known flow, which has another grid or body:
// - Velocities are interpolated linearly between cell centres; they are 0 in the known body.
// - The pressure is interpolated over the fluid cells of the known flow; 0 if there are none.
// - The mass flow of a face between two fluid cells is that of the known flow if both have one grid and it is
//   such a face there, too; else that of the mean velocity of its cells. It need not be continuous.
// Prescribed values stay. Throws std::invalid_argument for 3-D flows.
void start_from(FlowProblem&, const KnownFlow&);

// Returns the tunnel around a body as tunnel_around() does, but on a grid that may be too coarse for it: a
// start for finer grids. Throws std::invalid_argument if flow_in_box() rejects it.
FlowProblem coarse_tunnel_around(const DrawnBody&, const Grid&, const Config& settings,
                                 const std::string& problem = "tunnel");

// Returns the coarser grids on which a flow in the tunnel is solved first, finest first: each half as fine as
// the one before, as long as a circle of this diameter has four cells across and one along. Empty if there
// are none.
std::vector<Grid> coarser_tunnel_grids(const Grid&, double diameter);

}  // namespace cfdmark
