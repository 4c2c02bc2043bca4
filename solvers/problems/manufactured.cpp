// -laplace u = f with u = exp(x y), in 3-D exp(x y z).
#include <cmath>

#include "solvers/problems/problem.hpp"

namespace cfdmark {
namespace {

double exact(const Config&, const Grid& g, double x, double y, double z) {
  return g.is_3d() ? std::exp(x * y * z) : std::exp(x * y);
}

double source(const Config&, const Grid& g, double x, double y, double z) {
  if (!g.is_3d()) return -(x * x + y * y) * std::exp(x * y);
  return -((y * z) * (y * z) + (x * z) * (x * z) + (x * y) * (x * y)) * std::exp(x * y * z);
}

}  // namespace

ProblemDescription manufactured_problem() {
  return {.name = "manufactured",
          .help = "-laplace u = f with u = exp(x y), in 3-D exp(x y z)",
          .exact = exact,
          .source = source};
}

}  // namespace cfdmark
