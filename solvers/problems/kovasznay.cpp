// Kovasznay's exact solution (1948) of the Navier-Stokes equations, the laminar flow behind a grid of rods:
//
//   u = 1 - exp(l x) cos(2 pi y), v = l / (2 pi) exp(l x) sin(2 pi y), l = Re / 2 - sqrt(Re^2 / 4 + 4 pi^2)
//
// in -1/2 <= x, y <= 1/2, shifted here to the unit square.
#include <cmath>
#include <numbers>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

using std::numbers::pi;

const Setting reynolds = reynolds_setting(40);  // with the rod spacing and the mean speed

struct Kovasznay {
  double decay;
  explicit Kovasznay(double re) : decay(re / 2 - std::sqrt(re * re / 4 + 4 * pi * pi)) {}

  double u(double x, double y) const {
    return 1 - std::exp(decay * (x - 0.5)) * std::cos(2 * pi * (y - 0.5));
  }
  double v(double x, double y) const {
    return decay / (2 * pi) * std::exp(decay * (x - 0.5)) * std::sin(2 * pi * (y - 0.5));
  }
  // Stream function: u = d stream / dy, v = -d stream / dx.
  double stream(double x, double y) const {
    return y - std::exp(decay * (x - 0.5)) * std::sin(2 * pi * (y - 0.5)) / (2 * pi);
  }
};

FlowProblem make(const Config& settings, const Grid& g) {
  const Kovasznay exact(settings.real(reynolds.name));
  FlowSide side;
  side.u = [=](double x, double y) { return exact.u(x, y); };
  side.v = [=](double x, double y) { return exact.v(x, y); };
  FlowProblem problem = flow_in_box(g, {.viscosity = 1 / settings.real(reynolds.name),
                                        .west = side,
                                        .east = side,
                                        .south = side,
                                        .north = side});
  // Velocity is prescribed on all sides. Inflow and outflow balance only if face mass flows are exact:
  // differences of the stream function between the ends of a face.
  const FluidCell& c = problem.cell;
  for (int j = 0; j < g.ny; ++j)
    for (const int i : {0, g.nx})
      problem.start.mass_x.set(i, j, 0,
                               exact.stream(i * c.dx, (j + 1) * c.dy) - exact.stream(i * c.dx, j * c.dy));
  for (int i = 0; i < g.nx; ++i)
    for (const int j : {0, g.ny})
      problem.start.mass_y.set(i, j, 0,
                               exact.stream(i * c.dx, j * c.dy) - exact.stream((i + 1) * c.dx, j * c.dy));
  return problem;
}

std::vector<NamedValue> results(const FlowProblem& problem, const FlowFields& flow) {
  const Kovasznay exact(problem.settings.real(reynolds.name));
  return velocity_errors(
      problem, flow, [&](double x, double y) { return exact.u(x, y); },
      [&](double x, double y) { return exact.v(x, y); });
}

}  // namespace

FlowProblemDescription kovasznay_problem() {
  return {
      .name = "kovasznay",
      .help =
          "Kovasznay's exact flow behind a grid of rods, with the velocity prescribed around a unit square",
      .settings = {reynolds},
      .make = make,
      .results = results};
}

}  // namespace cfdmark
