// A cavity with a manufactured solution: velocities from a stream function that satisfies the walls, a
// pressure, and the body forces that balance both. With s(x) = x^2 (1 - x)^2,
//
//   psi = 8 s(x) (y^4 - y^2),  u = d psi / dy,  v = -d psi / dx,  p = x y (1 - x) / Re
//
// in a unit square. Shih, Tan and Hwang (1989) use the same stream function, another pressure, and no force
// along x. Walls are at rest except for the lid, which moves with u = 16 s(x) and so vanishes at its ends.
// Without singular corners the errors converge with the order of the scheme everywhere.
#include <cmath>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

const Setting reynolds = reynolds_setting(10);  // with the side and the lid's largest speed, 1

// s and its derivatives, then y^4 - y^2 and its derivatives.
double s0(double x) { return x * x * (1 - x) * (1 - x); }
double s1(double x) { return 2 * x * (1 - x) * (1 - 2 * x); }
double s2(double x) { return 2 - 12 * x + 12 * x * x; }
double s3(double x) { return 24 * x - 12; }
double g0(double y) { return y * y * (y * y - 1); }
double g1(double y) { return 4 * y * y * y - 2 * y; }
double g2(double y) { return 12 * y * y - 2; }
double g3(double y) { return 24 * y; }

double u(double x, double y) { return 8 * s0(x) * g1(y); }
double v(double x, double y) { return -8 * s1(x) * g0(y); }
double pressure(double nu, double x, double y) { return nu * x * (1 - x) * y; }

// Forces: (u, v) . grad u + dp/dx - nu laplace u, and the same for v.
double force_x(double nu, double x, double y) {
  const double u_x = 8 * s1(x) * g1(y), u_y = 8 * s0(x) * g2(y);
  const double laplace = 8 * (s2(x) * g1(y) + s0(x) * g3(y));
  return u(x, y) * u_x + v(x, y) * u_y + nu * (1 - 2 * x) * y - nu * laplace;
}
double force_y(double nu, double x, double y) {
  const double v_x = -8 * s2(x) * g0(y), v_y = -8 * s1(x) * g1(y);
  const double laplace = -8 * (s3(x) * g0(y) + s1(x) * g2(y));
  return u(x, y) * v_x + v(x, y) * v_y + nu * x * (1 - x) - nu * laplace;
}

FlowProblem make(const Config& settings, const Grid& g) {
  FlowBox box{.viscosity = 1 / settings.real(reynolds.name)};
  box.north.u = [](double x, double) { return u(x, 1); };
  FlowProblem problem = flow_in_box(g, box);
  problem.has_forces = true;
  problem.force_x = problem.force_y = HostField(g, Precision::fp64);
  for_each_cell(g, false, [&](int i, int j, int k) {
    const Centre at(problem.cell, i, j);
    problem.force_x.set(i, j, k, force_x(box.viscosity, at.x, at.y));
    problem.force_y.set(i, j, k, force_y(box.viscosity, at.x, at.y));
  });
  return problem;
}

// The pressure error excludes the mean.
std::vector<NamedValue> results(const FlowProblem& problem, const FlowFields& flow) {
  std::vector<NamedValue> all = velocity_errors(problem, flow, u, v);
  double sum = 0, squares = 0;
  for_each_cell(problem.grid, false, [&](int i, int j, int) {
    const Centre at(problem.cell, i, j);
    const double error = flow.p.get(i, j) - pressure(problem.cell.viscosity, at.x, at.y);
    sum += error, squares += error * error;
  });
  const double cells = double(problem.grid.cells()), mean = sum / cells;
  all.push_back({"error_p_l2", std::sqrt(squares / cells - mean * mean)});
  return all;
}

}  // namespace

FlowProblemDescription manufactured_cavity_problem() {
  return {.name = "manufactured_cavity",
          .help = "a cavity with body forces and a known solution, without singular corners",
          .settings = {reynolds},
          .make = make,
          .results = results};
}

}  // namespace cfdmark
