// Vortex centres of a plane flow: extrema of its stream function.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernels/core/finite_volume.hpp"
#include "kernels/device/field.hpp"

namespace cfdmark {

// psi at cell corners, with u = d psi / dy and v = -d psi / dx; psi = 0 along the south side.
struct StreamFunction {
  int nx = 0, ny = 0;  // cells
  double dx = 1, dy = 1;
  std::vector<double> values;  // nx + 1 per row, from the south

  double at(int i, int j) const { return values[std::size_t(j) * (nx + 1) + i]; }
};
// Returns the stream function by integrating mass flows through x faces from the south side, which must be
// closed. The continuity error of the flow is part of the result.
StreamFunction stream_function(const Grid&, const FluidCell&, const HostField& mass_x);

struct Vortex {
  double x = 0, y = 0, psi = 0;  // of the centre
  double vorticity = 0;          // dv/dx - du/dy at the centre

  // The sign of psi does not give the sense of rotation: a channel flow adds to it.
  bool is_clockwise() const { return vorticity < 0; }
};
// Corners from first to last, all inside the box.
struct CornerRange {
  int first = 1, last = 1;
};
// Return the strongest vortex of one sense in a closed box, whose walls have psi = 0: the minimum of psi for
// clockwise rotation, the maximum for counterclockwise. Located between corners by the quadratic through the
// nine corners around the extremum. Empty if psi is 0 there or has the wrong sign, or if a neighbour outside
// the range exceeds it.
std::optional<Vortex> clockwise_vortex(const StreamFunction&, CornerRange along_x, CornerRange along_y);
std::optional<Vortex> counterclockwise_vortex(const StreamFunction&, CornerRange along_x,
                                              CornerRange along_y);
// Returns all vortex centres with |psi| of at least `least_share` of the largest, strongest first: extrema
// among their eight neighbours. Corners on the surface of a body are skipped, because psi is constant there
// up to rounding.
std::vector<Vortex> vortex_centres(
    const StreamFunction&, double least_share,
    const std::function<bool(int, int)>& is_solid = [](int, int) { return false; });

}  // namespace cfdmark
