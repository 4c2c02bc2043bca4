#include "solvers/problems/centreline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cfdmark {
namespace {

constexpr double most_beyond = 0.5;  // an extremum's largest distance from the nearest cell, in bend()

// Returns the cubic through four points at x.
double cubic(const std::array<double, 4>& at, const std::array<double, 4>& value, double x) {
  double sum = 0;
  for (int n = 0; n < 4; ++n) {
    double weight = 1;
    for (int m = 0; m < 4; ++m)
      if (m != n) weight *= (x - at[m]) / (at[n] - at[m]);
    sum += weight * value[n];
  }
  return sum;
}

// Returns the value in the middle of a row of cells, or of the faces between them, by the cubic through the
// four nearest values. get(n) reads one value.
double in_the_middle(int cells, bool on_faces, const std::function<double(int)>& get) {
  const int places = cells + on_faces;
  if (places < 4 || places % 2 == 1) return get(places / 2);
  const int first = std::clamp(places / 2 - 2, 0, std::max(places - 4, 0));
  std::array<double, 4> x, v;
  for (int m = 0; m < 4; ++m) x[m] = (first + m + (on_faces ? 0 : 0.5)) / cells, v[m] = get(first + m);
  return cubic(x, v, 0.5);
}

}  // namespace

Centreline::Centreline(int cells, double first, double last, const std::function<double(int)>& get) {
  at = {0}, value = {first};
  for (int n = 0; n < cells; ++n) at.push_back((n + 0.5) / cells), value.push_back(get(n));
  at.push_back(1), value.push_back(last);
}

double Centreline::value_at(double place) const {
  const int nodes = int(at.size());
  const int right = int(std::lower_bound(at.begin(), at.end(), place) - at.begin());
  const int first = std::clamp(right - 2, 0, nodes - 4);
  const auto four = [&](const std::vector<double>& of) {
    return std::array<double, 4>{of[first], of[first + 1], of[first + 2], of[first + 3]};
  };
  return cubic(four(at), four(value), place);
}

double Centreline::bend(int node) const {
  const double width = at[2] - at[1], before = at[node] - at[node - 1], after = at[node + 1] - at[node];
  const double change = (value[node + 1] - value[node]) / after - (value[node] - value[node - 1]) / before;
  return 2 * change / (before + after) * width * width;
}

Extreme Centreline::extreme(double sign) const {
  const int nodes = int(at.size());
  int best = 1;
  for (int n = 1; n + 1 < nodes; ++n)
    if (sign * value[n] > sign * value[best]) best = n;
  Extreme found{value[best], at[best]};
  for (const int end : {0, nodes - 1})
    if (sign * value[end] > sign * found.value) return {value[end], at[end]};
  constexpr int steps = 200;
  for (int interval = best - 1; interval <= best; ++interval)
    for (int step = 1; step < steps; ++step) {
      const double place = at[interval] + (at[interval + 1] - at[interval]) * step / steps;
      const double between = value_at(place);
      if (sign * between > sign * found.value) found = {between, place};
    }
  // A smooth extremum exceeds its nearest cell by at most an eighth of bend(). If neighbouring cells bend
  // much less, the cubic overshoots, as next to a lid that has just started to move.
  double least_bend = std::numeric_limits<double>::infinity();
  for (int n = std::max(best - 1, 1); n <= std::min(best + 1, nodes - 2); ++n)
    least_bend = std::min(least_bend, std::abs(bend(n)));
  const double beyond = std::min(std::abs(found.value - value[best]), most_beyond * least_bend);
  found.value = value[best] + sign * beyond;
  return found;
}

CentrelineVelocities on_centrelines(const FlowProblem& problem, const FlowFields& flow, double lid) {
  const Grid& g = problem.grid;
  const FluidCell& c = problem.cell;
  const bool on_faces = flow.staggered;
  const auto velocity = [&](const HostField& mass, double area, const HostField& at_centres, int i, int j) {
    return in_the_middle(g.nz, false, [&](int k) {
      return on_faces ? mass.get(i, j, k) / (c.density * area) : at_centres.get(i, j, k);
    });
  };
  const auto u = [&](int j) {
    return in_the_middle(g.nx, on_faces,
                         [&](int i) { return velocity(flow.mass_x, c.area(0), flow.u, i, j); });
  };
  const auto v = [&](int i) {
    return in_the_middle(g.ny, on_faces,
                         [&](int j) { return velocity(flow.mass_y, c.area(1), flow.v, i, j); });
  };
  return {Centreline(g.ny, 0, lid, u), Centreline(g.nx, 0, 0, v)};
}

}  // namespace cfdmark
