// -laplace u = f in a channel that goes on along x, and in 3-D along z, between two walls that hold values: u
// = exp(w(x) + y + w(z)), w(t) = sin(2 pi t) / 2, which is e^w at one wall and e^(1 + w) at the other.
#include "solvers/problems/periodic_wave.hpp"
#include "solvers/problems/problem.hpp"

namespace cfdmark {
namespace {

double exact(const Config&, const Grid& g, double x, double y, double z) {
  return std::exp(wave(x) + y + (g.is_3d() ? wave(z) : 0));
}

double source(const Config& settings, const Grid& g, double x, double y, double z) {
  return -(curvature(x) + 1 + (g.is_3d() ? curvature(z) : 0)) * exact(settings, g, x, y, z);
}

}  // namespace

ProblemDescription periodic_channel_problem() {
  using enum BoundaryKind;
  return {.name = "periodic_channel",
          .help = "-laplace u = f, periodic along x and z, between two walls that hold values",
          .boundaries = {.west = periodic,
                         .east = periodic,
                         .south = dirichlet,
                         .north = dirichlet,
                         .bottom = periodic,
                         .top = periodic},
          .exact = exact,
          .source = source};
}

}  // namespace cfdmark
