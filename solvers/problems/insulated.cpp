// -laplace u = f with zero flux through all sides, so that u is unique up to a constant. u = s(x) s(y) s(z)
// with s(t) = t^2 (3 - 2 t), whose slope is 0 at both ends. The midpoint rule integrates s'' exactly, so the
// difference equations have a solution whenever source_mean = 0.
#include "solvers/problems/problem.hpp"

namespace cfdmark {
namespace {

const Setting source_mean = real_setting(
    "source_mean", 0, real_between(-1e6, 1e6),
    "constant added to the source; such a source has no solution, so its mean is removed and reported");

double step(double t) { return t * t * (3 - 2 * t); }
double curvature(double t) { return 6 - 12 * t; }

double exact(const Config&, const Grid& g, double x, double y, double z) {
  return step(x) * step(y) * (g.is_3d() ? step(z) : 1);
}

double source(const Config& settings, const Grid& g, double x, double y, double z) {
  const double plane = curvature(x) * step(y) + step(x) * curvature(y);
  const double all = g.is_3d() ? plane * step(z) + step(x) * step(y) * curvature(z) : plane;
  return settings.real(source_mean.name) - all;
}

}  // namespace

ProblemDescription insulated_problem() {
  return {.name = "insulated",
          .help = "-laplace u = f with insulated sides, at cell centres; u of mean 0",
          .settings = {source_mean},
          .at_cell_centres = true,
          .boundaries = Boundaries::all(BoundaryKind::neumann),
          .exact = exact,
          .source = source};
}

}  // namespace cfdmark
