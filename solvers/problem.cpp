#include "solvers/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "kernels/backends/operator_problem.hpp"
#include "solvers/system.hpp"

namespace cfdmark {
namespace {

using std::numbers::pi;

const Setting conductivity =
    real_setting("conductivity", 1000, real_above(0), "beyond x = 1/2, where it is 1 before");

struct Spacing {
  double x, y, z;
  explicit Spacing(const Grid& g) : x(1.0 / (g.nx + 1)), y(1.0 / (g.ny + 1)), z(1.0 / (g.nz + 1)) {}
};

// Fills interior and ghosts with f(x, y, z), z = 0 in 2-D.
template <class F>
void fill(HostField& field, bool with_ghosts, F&& f) {
  const Grid& g = field.grid();
  const Spacing h(g);
  for_each_cell_in_parallel(g, with_ghosts, [&](int i, int j, int k) {
    field.set(i, j, k, f((i + 1) * h.x, (j + 1) * h.y, g.is_3d() ? (k + 1) * h.z : 0.0));
  });
}

// Initial guess: the exact solution on the boundary, zero inside.
HostField boundary_values(const HostField& exact) {
  HostField initial = exact;
  for_each_cell_in_parallel(exact.grid(), false, [&](int i, int j, int k) { initial.set(i, j, k, 0); });
  return initial;
}

double manufactured_solution(const Grid& g, double x, double y, double z) {
  return g.is_3d() ? std::exp(x * y * z) : std::exp(x * y);
}
double manufactured_source(const Grid& g, double x, double y, double z) {  // minus the Laplacian
  if (!g.is_3d()) return -(x * x + y * y) * std::exp(x * y);
  return -((y * z) * (y * z) + (x * z) * (x * z) + (x * y) * (x * y)) * std::exp(x * y * z);
}

// -(k u')' = 1, u(0) = u(1) = 0, k u' = flux - x: quadratic on each side, equal at 1/2.
double jump_solution(double x, double right) {
  constexpr double left = 1;
  const double flux = (1 / (8 * left) + 3 / (8 * right)) / (1 / (2 * left) + 1 / (2 * right));
  if (x <= 0.5) return (flux * x - x * x / 2) / left;
  return -(flux * (1 - x) - (1 - x * x) / 2) / right;
}

// Shares of the segment [from, to] left and right of x = 1/2.
double share_left(double from, double to) { return (std::clamp(0.5, from, to) - from) / (to - from); }
// Between points one behind the other the conductivity is the harmonic mean, as resistances in series; across
// a face whose two parts lie side by side it is the arithmetic one.
double harmonic_conductivity(double from, double to, double right) {
  const double left = share_left(from, to);
  return 1 / (left + (1 - left) / right);
}
double mean_conductivity(double from, double to, double right) {
  const double left = share_left(from, to);
  return left + (1 - left) * right;
}

void set_jump_coefficients(LinearProblem& p, double right) {
  const Grid& g = p.grid;
  const Spacing h(g);
  const Operator weights = timed_constant_operator(g);
  const bool d3 = g.is_3d();
  p.coefficients.assign(d3 ? 7 : 5, HostField(g, Precision::fp64));
  for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
    const double x = (i + 1) * h.x;
    const double west = harmonic_conductivity(x - h.x, x, right);
    const double east = harmonic_conductivity(x, x + h.x, right);
    const double side = mean_conductivity(x - h.x / 2, x + h.x / 2, right);
    const double values[] = {
        west, east, weights.wy * side, weights.wy * side, weights.wz * side, weights.wz * side};
    double centre = 0;
    for (int n = 0; n < (d3 ? 6 : 4); ++n) {
      p.coefficients[n].set(i, j, k, values[n]);
      centre += values[n];
    }
    p.coefficients.back().set(i, j, k, centre);
  });
}

// Calls f(i, j, k, b - A u) for every cell.
template <class F>
void for_each_residual(const LinearProblem& p, const HostField& u, F&& f) {
  const HostField widened = u.storage() == Precision::fp64 ? HostField() : converted(u, Precision::fp64);
  const auto vu = (u.storage() == Precision::fp64 ? u : widened).view().as<const double>();
  const auto vb = p.b.view().as<const double>();
  std::vector<AnyView> views;
  for (const auto& c : p.coefficients) views.push_back(c.view());
  const Operator a = views.empty() ? p.constant : operator_over(views, 0, p.grid);
  with_operator(Precision::fp64, a, p.grid, [&]<class S, class C, int dims>(const auto& typed) {
    if constexpr (std::is_same_v<S, double>)
      for_each_cell(p.grid, false, [&](int i, int j, int k) {
        f(i, j, k,
          stencil_residual<dims, C>(typed.template at<dims>(i, j, k), Neighbourhood<S, C>(vu, i, j, k),
                                    C(vb(i, j, k))));
      });
  });
}

}  // namespace

std::string_view to_string(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::heated_plate: return "heated_plate";
    case ProblemKind::manufactured: return "manufactured";
    case ProblemKind::jump: break;
  }
  return "jump";
}

ProblemKind problem_from(std::string_view word) {
  for (ProblemKind kind : all_problems)
    if (to_string(kind) == word) return kind;
  throw std::invalid_argument(
      fmt::format("'{}' is no problem: use heated_plate, manufactured or jump", word));
}

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

std::string unsuitable_reason(ProblemKind kind, const Grid& g) {
  if (kind == ProblemKind::heated_plate && g.is_3d())
    return "the heated plate is a 2-D problem; use manufactured or jump in 3-D";
  return "";
}

std::vector<Setting> problem_settings(ProblemKind kind) {
  if (kind == ProblemKind::jump) return {conductivity};
  return {};
}

LinearProblem make_problem(ProblemKind kind, const Grid& g, const Config& given) {
  if (const std::string reason = unsuitable_reason(kind, g); !reason.empty())
    throw std::invalid_argument(reason);
  LinearProblem p{kind,
                  g,
                  timed_constant_operator(g),
                  {},
                  HostField(g, Precision::fp64),
                  {},
                  HostField(g, Precision::fp64)};
  const double scale = Spacing(g).x * Spacing(g).x;
  Config settings = TuningSpace{problem_settings(kind)}.defaults();
  settings.take_known(given);
  switch (kind) {
    case ProblemKind::heated_plate:
      fill(p.exact, true, [](double x, double y, double) { return heated_plate_solution(x, y); });
      break;
    case ProblemKind::manufactured:
      fill(p.exact, true, [&](double x, double y, double z) { return manufactured_solution(g, x, y, z); });
      fill(p.b, false, [&](double x, double y, double z) { return scale * manufactured_source(g, x, y, z); });
      break;
    case ProblemKind::jump: {
      const double right = settings.real(conductivity.name);
      fill(p.exact, true, [&](double x, double, double) { return jump_solution(x, right); });
      fill(p.b, false, [&](double, double, double) { return scale; });
      set_jump_coefficients(p, right);
      break;
    }
  }
  p.initial = boundary_values(p.exact);
  return p;
}

double optimal_omega(const Grid& g) {
  int coarsest = std::min(g.nx, g.ny);
  if (g.is_3d()) coarsest = std::min(coarsest, g.nz);
  return 2 / (1 + std::sin(pi / (coarsest + 1)));
}

double residual_norm(const LinearProblem& p, const HostField& u) {
  double sum = 0;
  for_each_residual(p, u, [&](int, int, int, double r) { sum += r * r; });
  return std::sqrt(sum);
}

double norm(const HostField& u) {
  double sum = 0;
  for_each_cell(u.grid(), false, [&](int i, int j, int k) { sum += u.get(i, j, k) * u.get(i, j, k); });
  return std::sqrt(sum);
}

SolutionError solution_error(const LinearProblem& p, const HostField& u) {
  SolutionError error;
  double sum = 0;
  for_each_cell(p.grid, false, [&](int i, int j, int k) {
    const double e = std::abs(u.get(i, j, k) - p.exact.get(i, j, k));
    if (!(e <= error.max)) error.max = e;
    sum += e * e;
  });
  error.l2 = std::sqrt(sum / double(p.grid.cells()));
  return error;
}

}  // namespace cfdmark
