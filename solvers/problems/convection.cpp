// -laplace u + c . grad u = f with a quadratic u, for which central differences are exact, so that the whole
// error is the solver's. The operator is unsymmetric. c gives the same cell Peclet number in each direction
// on every grid.
#include "kernels/cells/operator_problem.hpp"
#include "solvers/problems/problem.hpp"

namespace cfdmark {
namespace {

const Setting peclet =
    real_setting("peclet", 1, real_between(0, 2), "cell Peclet number: velocity times cell width");

double exact(const Config&, const Grid&, double x, double y, double z) {
  return x * (2 - x) + y * (3 - y) / 2 + x * y + z * (1 + z);
}

double source(const Config& settings, const Grid& g, double x, double y, double z) {
  const Spacing h(g);
  const double cell = settings.real(peclet.name);
  const double plane = 3 + cell * ((2 - 2 * x + y) / h.x + (1.5 - y + x) / h.y);
  return g.is_3d() ? plane - 2 + cell * (1 + 2 * z) / h.z : plane;
}

std::vector<HostField> coefficients(const Config& settings, const Grid& g) {
  const Operator a = timed_constant_operator(g);
  const double half = settings.real(peclet.name) / 2;
  std::vector<double> values;
  for (double w : {a.wx, a.wy, a.wz})
    for (double side : {1 + half, 1 - half}) values.push_back(w * side);
  if (!g.is_3d()) values.resize(4);
  values.push_back(a.centre);
  std::vector<HostField> arrays;
  for (double value : values) {
    arrays.emplace_back(g, Precision::fp64);
    for_each_cell_in_parallel(g, false, [&](int i, int j, int k) { arrays.back().set(i, j, k, value); });
  }
  return arrays;
}

}  // namespace

ProblemDescription convection_problem() {
  return {.name = "convection",
          .help = "-laplace u + c grad u = f with a quadratic u, for which central differences are exact",
          .settings = {peclet},
          .symmetric = false,
          .exact = exact,
          .source = source,
          .coefficients = coefficients};
}

}  // namespace cfdmark
