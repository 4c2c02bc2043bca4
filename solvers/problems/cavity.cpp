// The lid-driven cavity: a unit square, or cube, whose north wall moves east with speed 1. The walls at a
// corner keep their own velocities.
#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/problems/flow_problem.hpp"
#include "solvers/problems/vortices.hpp"

namespace cfdmark {
namespace {

const Setting reynolds = reynolds_setting(100);  // of the side and the speed of the lid

FlowProblem make(const Config& settings, const Grid& g) {
  FlowBox box{.viscosity = 1 / settings.real(reynolds.name)};
  box.north.u = [](double, double) { return 1.0; };
  return flow_in_box(g, box);
}

// The cubic through four points, at x.
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

// The value in the middle of a row of cells, or of the faces between them.
template <class Get>
double in_the_middle(int cells, bool on_faces, const Get& get) {
  const int places = cells + on_faces;
  if (places < 4 || places % 2 == 1) return get(places / 2);
  const int first = std::clamp(places / 2 - 2, 0, std::max(places - 4, 0));
  std::array<double, 4> x, v;
  for (int m = 0; m < 4; ++m) x[m] = (first + m + (on_faces ? 0 : 0.5)) / cells, v[m] = get(first + m);
  return cubic(x, v, 0.5);
}

// A velocity along a centreline, at the walls and the centres of cells; `get(across, along)` reads it in one
// of the cells across, or on one of the faces between them.
struct Profile {
  std::vector<double> at, value;

  template <class Get>
  Profile(int cells, bool on_faces, int along, double first, double last, const Get& get) {
    at = {0}, value = {first};
    for (int n = 0; n < along; ++n) {
      at.push_back((n + 0.5) / along);
      value.push_back(in_the_middle(cells, on_faces, [&](int m) { return get(m, n); }));
    }
    at.push_back(1), value.push_back(last);
  }

  // The extreme of the interpolating cubics, times `sign` the largest.
  double extreme(double sign) const {
    const int nodes = int(at.size());
    int best = 1;
    for (int n = 1; n + 1 < nodes; ++n)
      if (sign * value[n] > sign * value[best]) best = n;
    double largest = value[best];
    constexpr int steps = 200;
    for (int interval = best - 1; interval <= best; ++interval) {
      const int first = std::clamp(interval - 1, 0, nodes - 4);
      const std::array<double, 4> x = {at[first], at[first + 1], at[first + 2], at[first + 3]};
      const std::array<double, 4> v = {value[first], value[first + 1], value[first + 2], value[first + 3]};
      for (int step = 1; step < steps; ++step) {
        const double between = cubic(x, v, at[interval] + (at[interval + 1] - at[interval]) * step / steps);
        if (sign * between > sign * largest) largest = between;
      }
    }
    return largest;
  }
};

// Centres and stream function of the primary vortex, which turns with the lid, and of the eddies in the lower
// corners, which turn against it. Those that the flow, or so coarse a grid, has not are left out.
std::vector<NamedValue> vortices(const FlowProblem& problem, const FlowFields& flow) {
  const Grid& g = problem.grid;
  if (g.nx < 4 || g.ny < 4) return {};
  const StreamFunction psi = stream_function(g, problem.cell, flow.mass_x);
  const CornerRange all_x{1, g.nx - 1}, all_y{1, g.ny - 1}, low{1, g.ny / 2}, west{1, g.nx / 2},
      east{g.nx / 2, g.nx - 1};
  std::vector<NamedValue> found;
  const auto add = [&](const std::string& name, const std::optional<Vortex>& vortex) {
    if (!vortex) return;
    found.push_back({name + "_x", vortex->x});
    found.push_back({name + "_y", vortex->y});
    found.push_back({name + "_psi", vortex->psi});
  };
  add("vortex", clockwise_vortex(psi, all_x, all_y));
  add("left_eddy", counterclockwise_vortex(psi, west, low));
  add("right_eddy", counterclockwise_vortex(psi, east, low));
  return found;
}

std::vector<NamedValue> results(const FlowProblem& problem, const FlowFields& flow) {
  const Grid& g = problem.grid;
  const FluidCell& c = problem.cell;
  const bool on_faces = flow.staggered;
  // In the middle of the depth, where there is one.
  const auto velocity = [&](const HostField& mass, double area, const HostField& at_centres, int i, int j) {
    const auto get = [&](int k) {
      return on_faces ? mass.get(i, j, k) / (c.density * area) : at_centres.get(i, j, k);
    };
    return in_the_middle(g.nz, false, get);
  };
  const Profile u(g.nx, on_faces, g.ny, 0, 1,
                  [&](int i, int j) { return velocity(flow.mass_x, c.area(0), flow.u, i, j); });
  const Profile v(g.ny, on_faces, g.nx, 0, 0,
                  [&](int j, int i) { return velocity(flow.mass_y, c.area(1), flow.v, i, j); });
  std::vector<NamedValue> all = {{"u_min", u.extreme(-1)}, {"v_max", v.extreme(1)}, {"v_min", v.extreme(-1)}};
  if (!g.is_3d())
    for (NamedValue& value : vortices(problem, flow)) all.push_back(std::move(value));
  return all;
}

}  // namespace

FlowProblemDescription cavity_problem() {
  return {
      .name = "cavity",
      .help = "the lid-driven cavity, a unit square or cube: extrema of u and v on its centrelines, vortices",
      .settings = {reynolds},
      .make = make,
      .results = results,
      .in_3d = true};
}

}  // namespace cfdmark
