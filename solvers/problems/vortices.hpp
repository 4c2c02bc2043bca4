// Centres of vortices in a plane flow: extrema of its stream function.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernels/backends/field.hpp"
#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

// psi at the corners of cells, u = d psi / dy and v = -d psi / dx; 0 along the southern side.
struct StreamFunction {
  int nx = 0, ny = 0;  // cells
  double dx = 1, dy = 1;
  std::vector<double> values;  // nx + 1 a row, from the south

  double at(int i, int j) const { return values[std::size_t(j) * (nx + 1) + i]; }
};
// From the mass through the faces in x, of which cells lose none: what a solver of the flow left, with its
// error. The southern side lets nothing through.
StreamFunction stream_function(const Grid&, const FluidCell&, const HostField& mass_x);

struct Vortex {
  double x = 0, y = 0, psi = 0;  // of its centre
  double vorticity = 0;          // dv/dx - du/dy there

  // psi does not say how a vortex turns: a flow through a channel adds to it.
  bool is_clockwise() const { return vorticity < 0; }
};
// Corners from the first to the last, both inside the box.
struct CornerRange {
  int first = 1, last = 1;
};
// Of a closed box, whose walls have psi = 0. Where psi is least: there the flow turns clockwise; or where it
// is largest. Between corners by the quadratic through the nine around the extreme one. Nothing where there
// psi is 0, as at a wall, or of the other sign, or where a corner beside the extreme one goes beyond it.
std::optional<Vortex> clockwise_vortex(const StreamFunction&, CornerRange along_x, CornerRange along_y);
std::optional<Vortex> counterclockwise_vortex(const StreamFunction&, CornerRange along_x,
                                              CornerRange along_y);
// All inside the box whose |psi| is not below this share of the largest, the strongest first: extrema among
// the eight corners around. On the surface of a body, whose cells `is_solid(i, j)` tells, psi is one number,
// whose rounding has extrema: they are none.
std::vector<Vortex> vortex_centres(
    const StreamFunction&, double least_share,
    const std::function<bool(int, int)>& is_solid = [](int, int) { return false; });

}  // namespace cfdmark
