#include "solvers/flow/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cfdmark {
namespace {

// Returns the largest omega dt of central fluxes for a cell Peclet number. Beyond the table it follows the
// cube root of the damping of the fastest-growing waves.
double largest_courant(double peclet) {
  constexpr double table[][2] = {{3, 0.75}, {5, 0.80}, {10, 0.73}, {20, 0.63}, {50, 0.48}, {100, 0.39}};
  constexpr int last = std::size(table) - 1;
  if (peclet <= table[0][0]) return peclet / 4;
  if (peclet >= table[last][0]) return table[last][1] * std::cbrt(table[last][0] / peclet);
  int n = 0;
  while (peclet > table[n + 1][0]) ++n;
  const double share = std::log(peclet / table[n][0]) / std::log(table[n + 1][0] / table[n][0]);
  return table[n][1] + share * (table[n + 1][1] - table[n][1]);
}

}  // namespace

LongestStep longest_step(bool upwind, const FluidCell& c, const std::vector<double>& speeds, int steps,
                         double eddy_viscosity) {
  if (eddy_viscosity > 0) {
    FluidCell with_eddies = c;
    with_eddies.viscosity += c.density * eddy_viscosity;
    const LongestStep without = longest_step(upwind, c, speeds, steps);
    LongestStep with = longest_step(upwind, with_eddies, speeds, steps);
    with.reason += fmt::format(", with {:.3g} added to nu by eddies", eddy_viscosity);
    return without.length < with.length ? without : with;
  }
  double omega = 0, curvature = 0;
  for (int axis = 0; axis < int(speeds.size()); ++axis) {
    omega += speeds[axis] / c.side(axis);
    curvature += 1 / (c.side(axis) * c.side(axis));
  }
  const double damping = 4 * (c.viscosity / c.density) * curvature;
  const double infinite = std::numeric_limits<double>::infinity();
  const double diffusion = damping > 0 ? 1 / damping : infinite;
  std::string with;
  for (double speed : speeds) with += fmt::format("{}{:.3g}", with.empty() ? "" : " and ", speed);
  if (upwind)
    return {1 / (4 * omega + damping),
            fmt::format("1 / (4 sum |u| / dx + 4 nu sum 1 / dx^2) with speeds of {}", with)};
  const double growing = steps > 0 ? std::pow(0.04 / steps, 0.25) : 0;
  const double courant = std::max(growing, largest_courant(damping > 0 ? 4 * omega / damping : infinite));
  const double convection = omega > 0 ? courant / omega : infinite;
  if (diffusion <= convection) return {diffusion, "diffusion, 1 / (4 nu sum 1 / dx^2)"};
  return {convection, fmt::format("convection, a Courant number of {:.3g} with speeds of {}", courant, with)};
}

}  // namespace cfdmark
