// Laplace's equation in the unit square: u = 1 on the top side, 0 on the others.
#include <cmath>
#include <numbers>

#include "solvers/problems/problem.hpp"

namespace cfdmark {
namespace {

using std::numbers::pi;

double exact(const Config&, const Grid&, double x, double y, double) { return heated_plate_solution(x, y); }

// By symmetry u = 1/4 at the centre: four plates with one hot side each sum to 1.
std::vector<NamedValue> centre(const HostField& u) {
  const Grid& g = u.grid();
  if (g.nx % 2 == 0 || g.ny % 2 == 0) return {};
  return {{"centre_temperature", u.get(g.nx / 2, g.ny / 2)}};
}

}  // namespace

double heated_plate_solution(double x, double y) {
  if (y >= 1) return 1;
  const double s = 1 - y, wave = std::sin(pi * x);
  double u = 0;
  for (int m = 0; m < 8; ++m) {
    const double term =
        std::atan(wave / std::sinh(pi * (s + 2 * m))) - std::atan(wave / std::sinh(pi * (2 * m + 2 - s)));
    u += term;
    if (std::abs(term) < 1e-17) break;
  }
  return 2 / pi * u;
}

ProblemDescription heated_plate_problem() {
  return {.name = "heated_plate",
          .help = "Laplace in the unit square, 1 on the top side and 0 on the others: 1/4 at the centre",
          .in_3d = false,
          .exact = exact,
          .results = centre};
}

}  // namespace cfdmark
