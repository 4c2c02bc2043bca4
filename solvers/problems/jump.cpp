// -div k grad u = 1 with k = 1 for x < 1/2 and k = `conductivity` beyond; u depends on x alone.
#include <algorithm>

#include "kernels/cells/operator_problem.hpp"
#include "solvers/problems/problem.hpp"

namespace cfdmark {
namespace {

const Setting conductivity =
    real_setting("conductivity", 1000, real_above(0), "conductivity beyond x = 1/2; before it is 1");

// -(k u')' = 1, u(0) = u(1) = 0, k u' = flux - x: quadratic on each side, equal at 1/2.
double exact(const Config& settings, const Grid&, double x, double, double) {
  const double left = 1, right = settings.real(conductivity.name);
  const double flux = (1 / (8 * left) + 3 / (8 * right)) / (1 / (2 * left) + 1 / (2 * right));
  if (x <= 0.5) return (flux * x - x * x / 2) / left;
  return -(flux * (1 - x) - (1 - x * x) / 2) / right;
}

double source(const Config&, const Grid&, double, double, double) { return 1; }

// Returns the fraction of the segment [from, to] left of x = 1/2.
double share_left(double from, double to) { return (std::clamp(0.5, from, to) - from) / (to - from); }
// Conductivities in series (between points) combine by the harmonic mean; in parallel (two parts of a face)
// by the arithmetic mean.
double harmonic_conductivity(double from, double to, double right) {
  const double left = share_left(from, to);
  return 1 / (left + (1 - left) / right);
}
double mean_conductivity(double from, double to, double right) {
  const double left = share_left(from, to);
  return left + (1 - left) * right;
}

std::vector<HostField> coefficients(const Config& settings, const Grid& g) {
  const double right = settings.real(conductivity.name);
  const Spacing h(g);
  const Operator weights = timed_constant_operator(g);
  const int neighbours = g.is_3d() ? 6 : 4;
  std::vector<HostField> arrays(neighbours + 1, HostField(g, Precision::fp64));
  for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
    const double x = (i + 1) * h.x;
    const double west = harmonic_conductivity(x - h.x, x, right);
    const double east = harmonic_conductivity(x, x + h.x, right);
    const double side = mean_conductivity(x - h.x / 2, x + h.x / 2, right);
    const double values[] = {
        west, east, weights.wy * side, weights.wy * side, weights.wz * side, weights.wz * side};
    double centre = 0;
    for (int n = 0; n < neighbours; ++n) {
      arrays[n].set(i, j, k, values[n]);
      centre += values[n];
    }
    arrays.back().set(i, j, k, centre);
  });
  return arrays;
}

}  // namespace

ProblemDescription jump_problem() {
  return {.name = "jump",
          .help = "-div k grad u = 1, k = 1 for x < 1/2 and conductivity beyond",
          .settings = {conductivity},
          .exact = exact,
          .source = source,
          .coefficients = coefficients};
}

}  // namespace cfdmark
