// Natural convection in a unit square (de Vahl Davis 1983), or cube: its west wall is hot, T = 1/2, its east
// wall cold, T = -1/2, and no heat passes the others. Speeds are in those of heat, alpha / L: the viscosity
// is the Prandtl number, and a temperature of 1 lifts with Ra Pr.
#include <algorithm>
#include <cmath>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

const Setting rayleigh = real_setting("rayleigh", 1e4, {Range::Kind::real, 0},
                                      "Rayleigh number, of the side and the walls' difference");
const Setting prandtl = real_setting("prandtl", 0.71, real_above(0), "Prandtl number");

FlowProblem make(const Config& settings, const Grid& g) {
  const double pr = settings.real(prandtl.name), ra = settings.real(rayleigh.name);
  FlowProblem problem = flow_in_box(g, {.viscosity = pr});
  problem.heat = Heat{.diffusivity = 1, .lift = ra * pr};
  // The fastest of de Vahl Davis's flows is at 0.22 of this root.
  problem.speed = std::max(1.0, 0.3 * std::sqrt(ra));
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

// Heat through a wall, of what conduction alone would carry: the mean of its cells'.
double through_wall(const FlowProblem& problem, const FlowFields& flow, int inside, int ghost) {
  const Grid& g = problem.grid;
  double sum = 0;
  for (int k = 0; k < g.nz; ++k)
    for (int j = 0; j < g.ny; ++j)
      sum += std::abs(flow.temperature.get(ghost, j, k) - flow.temperature.get(inside, j, k));
  return sum / (double(g.ny) * g.nz) * 2 / problem.cell.dx;
}

std::vector<NamedValue> results(const FlowProblem& problem, const FlowFields& flow) {
  const Grid& g = problem.grid;
  const auto largest = [&](const HostField& velocity) {
    double most = 0;
    for_each_cell(g, false,
                  [&](int i, int j, int k) { most = std::max(most, std::abs(velocity.get(i, j, k))); });
    return most;
  };
  std::vector<NamedValue> all = {{"nusselt_hot", through_wall(problem, flow, 0, -1)},
                                 {"nusselt_cold", through_wall(problem, flow, g.nx - 1, g.nx)},
                                 {"u_max", largest(flow.u)},
                                 {"v_max", largest(flow.v)}};
  if (g.is_3d()) all.push_back({"w_max", largest(flow.w)});
  return all;
}

}  // namespace

FlowProblemDescription natural_convection_problem() {
  return {
      .name = "natural_convection",
      .help = "a unit square or cube with a hot and a cold wall, which fluid rises and sinks along: its heat",
      .settings = {rayleigh, prandtl},
      .make = make,
      .results = results,
      .in_3d = true};
}

}  // namespace cfdmark
