// A channel of height 2 without ends, driven by a force. Units are half the height and the friction speed.
// With van Driest's mixing length, l = 0.41 y (1 - exp(-y+ / 26)), the mean flow has a closed form,
//
//   du+/dy+ = 2 s / (1 + sqrt(1 + 4 l+^2 s)),  s = 1 - y+ / Re_tau
//
// which follows from the stress (nu + l^2 du/dy) du/dy = s, linear from the wall to the middle.
#include <algorithm>
#include <cmath>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

const Setting friction_reynolds = real_setting("friction_reynolds", 180, real_above(0),
                                               "Re_tau, with half the height and the friction speed");

double slope(double re_tau, double y_plus) {
  const double length = 0.41 * y_plus * -std::expm1(-y_plus / 26), stress = 1 - y_plus / re_tau;
  return 2 * stress / (1 + std::sqrt(1 + 4 * length * length * stress));
}

// Returns u+ in each row of cells by Simpson's rule from the wall.
std::vector<double> closed_form(double re_tau, int rows) {
  constexpr double longest = 0.25;  // in wall units; gives u+ to 1e-9
  std::vector<double> u(rows);
  double sum = 0, from = 0;
  for (int j = 0; 2 * j < rows; ++j) {
    const double to = (j + 0.5) * 2 / rows * re_tau;
    const int intervals = int(std::ceil((to - from) / longest));
    const double h = (to - from) / intervals;
    for (int n = 0; n < intervals; ++n) {
      const double y = from + n * h;
      sum += h / 6 * (slope(re_tau, y) + 4 * slope(re_tau, y + h / 2) + slope(re_tau, y + h));
    }
    u[j] = u[rows - 1 - j] = sum;
    from = to;
  }
  return u;
}

std::string unsuitable(const Config&, const Grid& g) {
  for (const auto& [axis, cells] : {std::pair{'x', g.nx}, {'z', g.is_3d() ? g.nz : 2}})
    if (const std::string reason = odd_around(axis, cells); !reason.empty()) return reason;
  return "";
}

// Starts from a uniform flow with about the mean speed.
FlowProblem make(const Config& settings, const Grid& g) {
  const double re_tau = settings.real(friction_reynolds.name);
  FlowProblem problem = flow_in_box(
      g,
      {.width = 2, .height = 2, .depth = 2, .viscosity = 1 / re_tau, .periodic_x = true, .periodic_z = true});
  problem.driving_force = 1;
  const std::vector<double> u = closed_form(re_tau, g.ny);
  double mean = 0;
  for (double value : u) mean += value / g.ny;
  problem.speed = problem.mass_scale = *std::max_element(u.begin(), u.end());
  FlowFields& start = problem.start;
  for_each_cell(g, false, [&](int i, int j, int k) { start.u.set(i, j, k, mean); });
  for_each_cell(start.mass_x.grid(), false, [&](int i, int j, int k) {
    start.mass_x.set(i, j, k, mean * problem.cell.density * problem.cell.area(0));
  });
  return problem;
}

std::vector<NamedValue> results(const FlowProblem& problem, const FlowFields& flow) {
  const Grid& g = problem.grid;
  const std::vector<double> exact = closed_form(problem.settings.real(friction_reynolds.name), g.ny);
  double largest = 0, squares = 0, sum = 0;
  for_each_cell(g, false, [&](int i, int j, int k) {
    const double u = flow.u.get(i, j, k), error = u - exact[j];
    if (!(std::abs(error) <= largest)) largest = std::abs(error);  // a NaN stays
    squares += error * error, sum += u;
  });
  const double cells = double(g.cells());
  return {{"u_bulk", sum / cells}, {"error_u_max", largest}, {"error_u_l2", std::sqrt(squares / cells)}};
}

}  // namespace

FlowProblemDescription mixing_length_channel_problem() {
  return {
      .name = "mixing_length_channel",
      .help = "a driven channel with a mixing length (eddy_viscosity=mixing_length, wall_damping=van_driest)",
      .settings = {friction_reynolds},
      .make = make,
      .results = results,
      .unsuitable = unsuitable,
      .in_3d = true,
      .solver = "projection"};
}

}  // namespace cfdmark
