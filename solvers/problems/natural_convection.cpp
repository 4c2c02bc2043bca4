// Natural convection in a unit square (de Vahl Davis 1983) or cube: hot west wall (T = 1/2), cold east wall
// (T = -1/2), other walls insulated. The unit of speed is alpha / L, so the viscosity is the Prandtl number
// and a temperature of 1 causes the acceleration Ra Pr.
#include <algorithm>
#include <cmath>

#include "solvers/problems/centreline.hpp"

namespace cfdmark {
namespace {

const Setting rayleigh = real_setting("rayleigh", 1e4, {Range::Kind::real, 0},
                                      "Rayleigh number, with the side and the walls' temperature difference");
const Setting prandtl = real_setting("prandtl", 0.71, real_above(0), "Prandtl number");

FlowProblem make(const Config& settings, const Grid& g) {
  const double pr = settings.real(prandtl.name), ra = settings.real(rayleigh.name);
  FlowProblem problem = flow_in_box(g, {.viscosity = pr});
  problem.heat = Heat{.diffusivity = 1, .lift = ra * pr};
  // The fastest of de Vahl Davis's flows reaches 0.22 of this root; started from rest it overshoots to 0.4.
  problem.speed = std::max(1.0, 0.5 * std::sqrt(ra));
  problem.mass_scale = problem.speed;
  FlowSide insulated;
  insulated.kind = FaceKind::slip;
  problem.thermal_faces =
      flow_in_box(g, {.south = insulated, .north = insulated, .bottom = insulated, .top = insulated}).faces;
  HostField& T = problem.start.temperature = HostField(g, Precision::fp64);
  for_each_cell(g, false, [&](int i, int j, int k) {
    T.set(i, j, k, 0.5 - (i + 0.5) / g.nx);
    if (i == 0) T.set(-1, j, k, 0.5), T.set(g.nx, j, k, -0.5);
  });
  return problem;
}

// Returns the eastward heat flux through a wall at one height, relative to pure conduction, averaged over the
// depth.
double through_wall(const FlowProblem& problem, const FlowFields& flow, bool hot, int j) {
  const Grid& g = problem.grid;
  const int west = hot ? -1 : g.nx - 1;
  double sum = 0;
  for (int k = 0; k < g.nz; ++k)
    sum += flow.temperature.get(west, j, k) - flow.temperature.get(west + 1, j, k);
  return sum / g.nz * 2 / problem.cell.dx;
}

// Returns the Nusselt number along the hot wall from below. At the insulated ends it uses the even cubic.
Centreline along_hot_wall(const FlowProblem& problem, const FlowFields& flow) {
  const int ny = problem.grid.ny;
  const auto at = [&](int j) { return through_wall(problem, flow, true, j); };
  return Centreline(ny, (9 * at(0) - at(1)) / 8, (9 * at(ny - 1) - at(ny - 2)) / 8, at);
}

// Returns u T - dT/dx averaged over all faces between two cells.
double through_faces(const FlowProblem& problem, const FlowFields& flow) {
  const Grid& g = problem.grid;
  const FluidCell& c = problem.cell;
  double sum = 0;
  for_each_cell(g, false, [&](int i, int j, int k) {
    if (i == 0) return;
    const double west = flow.temperature.get(i - 1, j, k), here = flow.temperature.get(i, j, k);
    sum += flow.mass_x.get(i, j, k) / (c.density * c.area(0)) * 0.5 * (west + here) + (west - here) / c.dx;
  });
  return sum / (double(g.nx - 1) * g.ny * g.nz);
}

std::vector<NamedValue> results(const FlowProblem& problem, const FlowFields& flow) {
  const Grid& g = problem.grid;
  const auto through = [&](bool hot) {
    double sum = 0;
    for (int j = 0; j < g.ny; ++j) sum += through_wall(problem, flow, hot, j);
    return sum / g.ny;
  };
  const double hot = through(true), cold = through(false);
  // Average over the box, in which each wall counts as half a plane.
  const double mean = ((g.nx - 1) * through_faces(problem, flow) + 0.5 * (hot + cold)) / g.nx;
  const CentrelineVelocities along = on_centrelines(problem, flow, 0);
  const Extreme u = along.u.extreme(1), v = along.v.extreme(1);
  const Centreline heat = along_hot_wall(problem, flow);
  const Extreme most = heat.extreme(1), least = heat.extreme(-1);
  std::vector<NamedValue> all = {{"nusselt_mean", mean},     {"nusselt_hot", hot},
                                 {"nusselt_cold", cold},     {"nusselt_max", most.value},
                                 {"nusselt_max_y", most.at}, {"nusselt_min", least.value},
                                 {"u_max", u.value},         {"u_max_y", u.at},
                                 {"v_max", v.value},         {"v_max_x", v.at}};
  if (!g.is_3d()) return all;
  double fastest = 0;
  for_each_cell(g, false,
                [&](int i, int j, int k) { fastest = std::max(fastest, std::abs(flow.w.get(i, j, k))); });
  all.push_back({"w_max", fastest});
  return all;
}

// G. de Vahl Davis, Int. J. Numer. Meth. Fluids 3 (1983) 249-264. The paper states an accuracy of 0.1 % at
// Ra = 1e3 and 1 % at 1e6. The source names it, since smaller deviations are not significant.
std::vector<PublishedValue> published(const FlowProblem& problem, double) {
  const bool most_accurate = problem.settings.real(rayleigh.name) <= 1e3;
  const std::string source =
      most_accurate ? "de Vahl Davis 1983, within 0.1 %" : "de Vahl Davis 1983, within 1 %";
  constexpr struct {
    double rayleigh, mean, hot, u, u_y, v, v_x, most, most_y, least;
  } table[] = {{1e3, 1.118, 1.117, 3.649, 0.813, 3.697, 0.178, 1.505, 0.092, 0.692},
               {1e4, 2.243, 2.238, 16.178, 0.823, 19.617, 0.119, 3.528, 0.143, 0.586},
               {1e5, 4.519, 4.509, 34.73, 0.855, 68.59, 0.066, 7.717, 0.081, 0.729},
               {1e6, 8.800, 8.817, 64.63, 0.850, 219.36, 0.0379, 17.925, 0.0378, 0.989}};
  if (problem.grid.is_3d() || problem.settings.real(prandtl.name) != 0.71) return {};
  for (const auto& of : table)
    if (of.rayleigh == problem.settings.real(rayleigh.name))
      return {{"nusselt_mean", of.mean, source}, {"nusselt_hot", of.hot, source},
              {"nusselt_max", of.most, source},  {"nusselt_max_y", of.most_y, source},
              {"nusselt_min", of.least, source}, {"u_max", of.u, source},
              {"u_max_y", of.u_y, source},       {"v_max", of.v, source},
              {"v_max_x", of.v_x, source}};
  return {};
}

}  // namespace

FlowProblemDescription natural_convection_problem() {
  return {.name = "natural_convection",
          .help = "natural convection in a unit square or cube between a hot and a cold wall: its heat flux",
          .settings = {rayleigh, prandtl},
          .make = make,
          .results = results,
          .published = published,
          .in_3d = true,
          .solver = "projection"};
}

}  // namespace cfdmark
