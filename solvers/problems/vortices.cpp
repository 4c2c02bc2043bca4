#include "solvers/problems/vortices.hpp"

#include <algorithm>

namespace cfdmark {
namespace {

// The extremum of the quadratic with the value, slopes and curvatures of psi at a corner, by central
// differences. It is a cell away at most.
Vortex extremum_near(const StreamFunction& psi, int i, int j) {
  const double here = psi.at(i, j);
  const double slope_x = (psi.at(i + 1, j) - psi.at(i - 1, j)) / 2,
               slope_y = (psi.at(i, j + 1) - psi.at(i, j - 1)) / 2;
  const double xx = psi.at(i + 1, j) - 2 * here + psi.at(i - 1, j),
               yy = psi.at(i, j + 1) - 2 * here + psi.at(i, j - 1),
               xy = (psi.at(i + 1, j + 1) - psi.at(i - 1, j + 1) - psi.at(i + 1, j - 1) +
                     psi.at(i - 1, j - 1)) /
                    4;
  const double determinant = xx * yy - xy * xy;
  if (!(determinant > 0)) return {i * psi.dx, j * psi.dy, here};
  const double a = std::clamp((xy * slope_y - yy * slope_x) / determinant, -1.0, 1.0),
               b = std::clamp((xy * slope_x - xx * slope_y) / determinant, -1.0, 1.0);
  const double value = here + slope_x * a + slope_y * b + 0.5 * (xx * a * a + yy * b * b) + xy * a * b;
  return {(i + a) * psi.dx, (j + b) * psi.dy, value};
}

// Of the values times `sign` the largest.
std::optional<Vortex> extremum(const StreamFunction& psi, CornerRange x, CornerRange y, double sign) {
  int best_i = 0, best_j = 0;
  double best = 0;
  for (int j = y.first; j <= y.last; ++j)
    for (int i = x.first; i <= x.last; ++i)
      if (sign * psi.at(i, j) > best) best = sign * psi.at(i, j), best_i = i, best_j = j;
  if (best == 0) return {};
  for (int j = best_j - 1; j <= best_j + 1; ++j)
    for (int i = best_i - 1; i <= best_i + 1; ++i)
      if (sign * psi.at(i, j) > best) return {};
  return extremum_near(psi, best_i, best_j);
}

}  // namespace

StreamFunction stream_function(const Grid& g, const FluidCell& cell, const HostField& mass_x) {
  StreamFunction psi{g.nx, g.ny, cell.dx, cell.dy, std::vector<double>(std::size_t(g.nx + 1) * (g.ny + 1))};
  const double area = 1 / (cell.density * cell.dz);  // of a unit of mass
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i <= g.nx; ++i)
      psi.values[std::size_t(j + 1) * (g.nx + 1) + i] = psi.at(i, j) + mass_x.get(i, j) * area;
  return psi;
}

std::optional<Vortex> clockwise_vortex(const StreamFunction& psi, CornerRange x, CornerRange y) {
  return extremum(psi, x, y, -1);
}
std::optional<Vortex> counterclockwise_vortex(const StreamFunction& psi, CornerRange x, CornerRange y) {
  return extremum(psi, x, y, 1);
}

}  // namespace cfdmark
