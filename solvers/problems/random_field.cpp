// Random velocities with divergence in a closed unit square or cube. The first projection step removes the
// gradient part and leaves no divergence; viscosity then damps the rest.
#include <algorithm>
#include <cmath>
#include <random>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

const Setting reynolds = reynolds_setting(100);  // with the side and a speed of 1
const Setting seed{
    "random_seed", {}, 1, "seed of the random velocities", "", {Range::Kind::integer, 1, 1000000}};

// Each component is uniform in [-1/2, 1/2] on faces between two cells.
FlowProblem make(const Config& settings, const Grid& g) {
  FlowProblem problem = flow_in_box(g, {.viscosity = 1 / settings.real(reynolds.name)});
  const FluidCell& c = problem.cell;
  FlowFields& start = problem.start;
  // Standard library distributions are not portable, so the conversion is done here.
  std::mt19937 random{std::mt19937::result_type(settings.integer(seed.name))};
  const auto component = [&] { return double(random()) / 4294967296.0 - 0.5; };
  HostField* const masses[] = {&start.mass_x, &start.mass_y, &start.mass_z};
  HostField* const velocities[] = {&start.u, &start.v, &start.w};
  const int cells[] = {g.nx, g.ny, g.nz};
  for (int axis = 0; axis < g.dims; ++axis) {
    HostField& mass = *masses[axis];
    const double area = c.density * c.area(axis);
    for_each_cell(mass.grid(), false, [&](int i, int j, int k) {
      const int at[] = {i, j, k};
      if (at[axis] > 0 && at[axis] < cells[axis]) mass.set(i, j, k, area * component());
    });
    for_each_cell(g, false, [&](int i, int j, int k) {
      const double before = mass.get(i, j, k),
                   behind = mass.get(i + (axis == 0), j + (axis == 1), k + (axis == 2));
      velocities[axis]->set(i, j, k, 0.5 * (before + behind) / area);
    });
  }
  return problem;
}

// Returns the mean kinetic energy and the largest divergence, in units of speed 1 per smallest side of a
// cell.
std::vector<NamedValue> results(const FlowProblem& problem, const FlowFields& flow) {
  const Grid& g = problem.grid;
  const FluidCell& c = problem.cell;
  const HostField* const masses[] = {&flow.mass_x, &flow.mass_y, &flow.mass_z};
  double energy = 0, largest = 0, narrowest = c.dx;
  for (int axis = 0; axis < g.dims; ++axis) narrowest = std::min(narrowest, c.side(axis));
  for_each_cell(g, false, [&](int i, int j, int k) {
    double lost = 0;
    for (int axis = 0; axis < g.dims; ++axis) {
      const double before = masses[axis]->get(i, j, k),
                   behind = masses[axis]->get(i + (axis == 0), j + (axis == 1), k + (axis == 2));
      const double velocity = before / (c.density * c.area(axis));
      energy += 0.5 * velocity * velocity;
      lost += (behind - before) / (c.density * c.volume());
    }
    if (!(std::abs(lost) * narrowest <= largest)) largest = std::abs(lost) * narrowest;  // a NaN stays
  });
  return {{"mean_energy", energy / double(g.cells())}, {"divergence_max", largest}};
}

}  // namespace

FlowProblemDescription random_field_problem() {
  return {
      .name = "random_field",
      .help = "random velocities in a closed unit square or cube: the divergence that a projection leaves",
      .settings = {reynolds, seed},
      .make = make,
      .results = results,
      .in_3d = true,
      .solver = "projection"};
}

}  // namespace cfdmark
