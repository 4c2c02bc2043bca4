// The two-dimensional Taylor-Green vortices (1937), an exact solution that decays in a periodic square:
//
//   u = sin(k x) cos(k y) e, v = -cos(k x) sin(k y) e, p = (cos(2 k x) + cos(2 k y)) e^2 / 4
//
// with k = 2 pi and e = exp(-2 k^2 nu t).
#include <cmath>
#include <numbers>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

const Setting reynolds = reynolds_setting(100);  // with the side of the square and the largest speed
constexpr double k = 2 * std::numbers::pi;

double u(double x, double y) { return std::sin(k * x) * std::cos(k * y); }
double v(double x, double y) { return -std::cos(k * x) * std::sin(k * y); }
// Stream function: u = d stream / dy, v = -d stream / dx.
double stream(double x, double y) { return std::sin(k * x) * std::sin(k * y) / k; }
double pressure(double x, double y) { return (std::cos(2 * k * x) + std::cos(2 * k * y)) / 4; }

std::string unsuitable(const Config&, const Grid& g) {
  const std::string x = odd_around('x', g.nx);
  return x.empty() ? odd_around('y', g.ny) : x;
}

FlowProblem make(const Config& settings, const Grid& g) {
  FlowProblem problem =
      flow_in_box(g, {.viscosity = 1 / settings.real(reynolds.name), .periodic_x = true, .periodic_y = true});
  const FluidCell& c = problem.cell;
  FlowFields& start = problem.start;
  for_each_cell(g, false, [&](int i, int j, int) {
    const Centre at(c, i, j);
    start.u.set(i, j, 0, u(at.x, at.y)), start.v.set(i, j, 0, v(at.x, at.y));
    start.p.set(i, j, 0, pressure(at.x, at.y));
  });
  // Mass flows that are exactly divergence-free: differences of the stream function between the ends of a
  // face.
  for_each_cell(start.mass_x.grid(), false, [&](int i, int j, int) {
    start.mass_x.set(i, j, 0, stream(i * c.dx, (j + 1) * c.dy) - stream(i * c.dx, j * c.dy));
  });
  for_each_cell(start.mass_y.grid(), false, [&](int i, int j, int) {
    start.mass_y.set(i, j, 0, stream(i * c.dx, j * c.dy) - stream((i + 1) * c.dx, j * c.dy));
  });
  return problem;
}

std::vector<NamedValue> results(const FlowProblem& problem, const FlowFields& flow) {
  const double left = std::exp(-2 * k * k * problem.cell.viscosity * flow.time);
  std::vector<NamedValue> all = velocity_errors(
      problem, flow, [=](double x, double y) { return left * u(x, y); },
      [=](double x, double y) { return left * v(x, y); });
  all.push_back({"exact_speed", left});
  return all;
}

}  // namespace

FlowProblemDescription taylor_green_problem() {
  return {.name = "taylor_green",
          .help = "decaying Taylor-Green vortices in a periodic unit square, an exact solution",
          .settings = {reynolds},
          .make = make,
          .results = results,
          .unsuitable = unsuitable};
}

}  // namespace cfdmark
