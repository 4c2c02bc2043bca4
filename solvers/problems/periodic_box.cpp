// -laplace u = f in a periodic box, with u unique up to a constant: u = exp(w(x) + w(y) + w(z)), w(t) = sin(2
// pi t) / 2.
#include "solvers/problems/periodic_wave.hpp"
#include "solvers/problems/problem.hpp"

namespace cfdmark {
namespace {

double exact(const Config&, const Grid& g, double x, double y, double z) {
  return std::exp(wave(x) + wave(y) + (g.is_3d() ? wave(z) : 0));
}

double source(const Config& settings, const Grid& g, double x, double y, double z) {
  return -(curvature(x) + curvature(y) + (g.is_3d() ? curvature(z) : 0)) * exact(settings, g, x, y, z);
}

}  // namespace

ProblemDescription periodic_box_problem() {
  return {.name = "periodic_box",
          .help = "-laplace u = f with periodic sides, at cell centres; u of mean 0",
          .at_cell_centres = true,
          .boundaries = Boundaries::all(BoundaryKind::periodic),
          .exact = exact,
          .source = source};
}

}  // namespace cfdmark
