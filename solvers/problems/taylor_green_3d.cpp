// The three-dimensional Taylor-Green vortices (1937), which break down into ever smaller ones. Initially
//
//   u = sin x cos y cos z, v = -cos x sin y cos z, w = 0
//
// in a periodic cube of side 2 pi. The unit of length is 1 / k of this wave, the unit of speed its amplitude.
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

const Setting reynolds = reynolds_setting(1600);

std::string unsuitable(const Config&, const Grid& g) {
  for (const auto& [axis, cells] : {std::pair{'x', g.nx}, {'y', g.ny}, {'z', g.nz}})
    if (const std::string reason = odd_around(axis, cells); !reason.empty()) return reason;
  return "";
}

FlowProblem make(const Config& settings, const Grid& g) {
  constexpr double side = 2 * std::numbers::pi;
  FlowProblem problem = flow_in_box(g, {.width = side,
                                        .height = side,
                                        .depth = side,
                                        .viscosity = 1 / settings.real(reynolds.name),
                                        .periodic_x = true,
                                        .periodic_y = true,
                                        .periodic_z = true});
  const FluidCell& c = problem.cell;
  FlowFields& start = problem.start;
  // Differences of the stream function sin x sin y cos z between the edges of a face are exactly
  // divergence-free.
  const auto stream = [&](int i, int j, int k) {
    return c.dz * std::sin(i * c.dx) * std::sin(j * c.dy) * std::cos((k + 0.5) * c.dz);
  };
  for_each_cell(start.mass_x.grid(), false, [&](int i, int j, int k) {
    start.mass_x.set(i, j, k, stream(i, j + 1, k) - stream(i, j, k));
  });
  for_each_cell(start.mass_y.grid(), false, [&](int i, int j, int k) {
    start.mass_y.set(i, j, k, stream(i, j, k) - stream(i + 1, j, k));
  });
  for_each_cell(g, false, [&](int i, int j, int k) {
    start.u.set(i, j, k, 0.5 * (start.mass_x.get(i, j, k) + start.mass_x.get(i + 1, j, k)) / c.area(0));
    start.v.set(i, j, k, 0.5 * (start.mass_y.get(i, j, k) + start.mass_y.get(i, j + 1, k)) / c.area(1));
  });
  return problem;
}

// Returns averages over the cube: kinetic energy, initially 1/8, and dissipation, nu times the mean square of
// the vorticity, initially 3 / (4 Re). On a staggered grid the latter equals the sum of squared differences
// between neighbouring velocities.
std::vector<NamedValue> results(const FlowProblem& problem, const FlowFields& flow) {
  const Grid& g = problem.grid;
  const FluidCell& c = problem.cell;
  double energy = 0, gradients = 0;
  const HostField* const masses[] = {&flow.mass_x, &flow.mass_y, &flow.mass_z};
  for (int axis = 0; axis < 3; ++axis) {
    const auto velocity = [&](int i, int j, int k) {
      return masses[axis]->get(i % g.nx, j % g.ny, k % g.nz) / (c.density * c.area(axis));
    };
    for_each_cell(g, false, [&](int i, int j, int k) {
      const double here = velocity(i, j, k), along_x = (velocity(i + 1, j, k) - here) / c.dx,
                   along_y = (velocity(i, j + 1, k) - here) / c.dy,
                   along_z = (velocity(i, j, k + 1) - here) / c.dz;
      energy += 0.5 * here * here;
      gradients += along_x * along_x + along_y * along_y + along_z * along_z;
    });
  }
  const double cells = double(g.cells());
  return {{"mean_energy", energy / cells}, {"dissipation", c.viscosity / c.density * gradients / cells}};
}

// Dissipation of M. E. Brachet et al., J. Fluid Mech. 130 (1983) 411-452, at Re = 1600, digitised to 2 or 3 %
// and interpolated linearly. On a grid that is too coarse the peak is earlier or lower.
std::vector<PublishedValue> published(const FlowProblem& problem, double time) {
  constexpr std::pair<double, double> curve[] = {
      {0.014, 0.000476}, {1.930, 0.000661}, {3.445, 0.001409}, {4.667, 0.003407}, {5.905, 0.005404},
      {6.872, 0.007253}, {7.694, 0.009428}, {8.435, 0.011930}, {9.103, 0.012676}, {9.954, 0.011607}};
  if (problem.settings.real(reynolds.name) != 1600) return {};
  for (std::size_t n = 1; n < std::size(curve); ++n) {
    const auto [from, first] = curve[n - 1];
    const auto [to, last] = curve[n];
    if (time >= from && time <= to)
      return {
          {"dissipation", first + (time - from) / (to - from) * (last - first), "Brachet et al. 1983", time}};
  }
  return {};
}

}  // namespace

FlowProblemDescription taylor_green_3d_problem() {
  return {.name = "taylor_green_3d",
          .help = "Taylor-Green vortices in a periodic cube: their energy and its dissipation",
          .settings = {reynolds},
          .make = make,
          .results = results,
          .published = published,
          .unsuitable = unsuitable,
          .in_2d = false,
          .in_3d = true,
          .solver = "projection"};
}

}  // namespace cfdmark
