#include "solvers/problems/vortices.hpp"

#include <algorithm>
#include <cmath>

namespace cfdmark {
namespace {

// Returns the extremum of the quadratic that matches psi, its slopes and its curvatures at a corner by
// central differences. It lies at most one cell away.
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
  const double vorticity = -(xx / (psi.dx * psi.dx) + yy / (psi.dy * psi.dy));
  if (!(determinant > 0)) return {i * psi.dx, j * psi.dy, here, vorticity};
  const double a = std::clamp((xy * slope_y - yy * slope_x) / determinant, -1.0, 1.0),
               b = std::clamp((xy * slope_x - xx * slope_y) / determinant, -1.0, 1.0);
  const double value = here + slope_x * a + slope_y * b + 0.5 * (xx * a * a + yy * b * b) + xy * a * b;
  return {(i + a) * psi.dx, (j + b) * psi.dy, value, vorticity};
}

// The later of two equal corners counts as the extremum.
bool is_extreme(const StreamFunction& psi, int i, int j, double sign) {
  const double here = sign * psi.at(i, j);
  for (const int dj : {-1, 0, 1})
    for (const int di : {-1, 0, 1}) {
      if (di == 0 && dj == 0) continue;
      const double there = sign * psi.at(i + di, j + dj);
      const bool is_later = dj > 0 || (dj == 0 && di > 0);
      if (is_later ? there >= here : there > here) return false;
    }
  return true;
}

// Returns the extremum with the largest psi times `sign`.
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
  const double area = 1 / (cell.density * cell.dz);  // per unit of mass flow
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

std::vector<Vortex> vortex_centres(const StreamFunction& psi, double least_share,
                                   const std::function<bool(int, int)>& is_solid) {
  const auto on_a_body = [&](int i, int j) {
    return is_solid(i - 1, j - 1) || is_solid(i, j - 1) || is_solid(i - 1, j) || is_solid(i, j);
  };
  double largest = 0;
  for (const double value : psi.values) largest = std::max(largest, std::abs(value));
  std::vector<Vortex> all;
  for (int j = 1; j < psi.ny; ++j)
    for (int i = 1; i < psi.nx; ++i)
      if (std::abs(psi.at(i, j)) >= least_share * largest && !on_a_body(i, j) &&
          (is_extreme(psi, i, j, 1) || is_extreme(psi, i, j, -1)))
        all.push_back(extremum_near(psi, i, j));
  std::stable_sort(all.begin(), all.end(),
                   [](const Vortex& a, const Vortex& b) { return std::abs(a.psi) > std::abs(b.psi); });
  return all;
}

}  // namespace cfdmark
