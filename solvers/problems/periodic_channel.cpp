// -laplace u = f in a channel, with u of periodic_wave.hpp.
#include "solvers/problems/periodic_wave.hpp"

namespace cfdmark {
namespace {

double source(const Config& settings, const Grid& g, double x, double y, double z) {
  return -(curvature(x) + 1 + (g.is_3d() ? curvature(z) : 0)) * channel_answer(settings, g, x, y, z);
}

}  // namespace

ProblemDescription periodic_channel_problem() {
  return {.name = "periodic_channel",
          .help = "-laplace u = f, periodic along x and z, between two Dirichlet walls",
          .boundaries = channel_sides,
          .exact = channel_answer,
          .source = source};
}

}  // namespace cfdmark
