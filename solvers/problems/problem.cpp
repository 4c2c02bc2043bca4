#include "solvers/problems/problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "kernels/backends/operator_problem.hpp"
#include "solvers/core/words.hpp"

namespace cfdmark {
namespace {

// Fills interior and ghosts with f at their points.
void fill(HostField& field, bool with_ghosts, double scale, const Config& settings, PointFunction f) {
  const Grid& g = field.grid();
  const Spacing h(g);
  for_each_cell_in_parallel(g, with_ghosts, [&](int i, int j, int k) {
    field.set(i, j, k, scale * f(settings, g, (i + 1) * h.x, (j + 1) * h.y, g.is_3d() ? (k + 1) * h.z : 0.0));
  });
}

// Initial guess: the exact solution on the boundary, zero inside.
HostField boundary_values(const HostField& exact) {
  HostField initial = exact;
  for_each_cell_in_parallel(exact.grid(), false, [&](int i, int j, int k) { initial.set(i, j, k, 0); });
  return initial;
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

std::string_view to_string(BoundaryKind kind) {
  switch (kind) {
    case BoundaryKind::dirichlet: return "dirichlet";
    case BoundaryKind::neumann: return "neumann";
    case BoundaryKind::periodic: return "periodic";
    case BoundaryKind::symmetric: break;
  }
  return "symmetric";
}

const std::vector<ProblemDescription>& problem_table() {
  static const std::vector<ProblemDescription> table = {heated_plate_problem(), heated_plate_cells_problem(),
                                                        manufactured_problem(), jump_problem(),
                                                        convection_problem()};
  return table;
}

std::vector<std::string> problem_names() {
  std::vector<std::string> names;
  for (const ProblemDescription& problem : problem_table()) names.push_back(problem.name);
  return names;
}

const ProblemDescription& find_problem(std::string_view name) {
  for (const ProblemDescription& problem : problem_table())
    if (problem.name == name) return problem;
  throw std::invalid_argument(fmt::format("'{}' is no problem; there are {}", name, listed(problem_names())));
}

std::string unsuitable_reason(const ProblemDescription& problem, const Grid& g) {
  if (g.is_3d() ? problem.in_3d : problem.in_2d) return "";
  std::vector<std::string> others;
  for (const ProblemDescription& other : problem_table())
    if (g.is_3d() ? other.in_3d : other.in_2d) others.push_back(other.name);
  return fmt::format("{} is a {}-D problem; in {}-D there are {}", problem.name, g.is_3d() ? 2 : 3,
                     g.is_3d() ? 3 : 2, listed(others));
}

LinearProblem make_problem(const ProblemDescription& description, const Grid& g, const Config& given) {
  if (const std::string reason = unsuitable_reason(description, g); !reason.empty())
    throw std::invalid_argument(reason);
  const Config settings = TuningSpace{description.settings}.complete(given);
  LinearProblem p{&description,
                  g,
                  timed_constant_operator(g),
                  {},
                  HostField(g, Precision::fp64),
                  {},
                  HostField(g, Precision::fp64)};
  fill(p.exact, true, 1, settings, description.exact);
  if (description.source) fill(p.b, false, Spacing(g).x * Spacing(g).x, settings, description.source);
  if (description.coefficients) p.coefficients = description.coefficients(settings, g);
  p.initial = boundary_values(p.exact);
  return p;
}

double problem_bytes(const ProblemDescription& description, const Grid& g) {
  const int arrays = description.coefficients ? (g.is_3d() ? 7 : 5) : 0;
  return (3 + arrays) * double(g.elements()) * sizeof(double);  // b, initial, exact
}

HostField converted(const HostField& from, Precision storage) {
  if (from.storage() == storage_of(storage)) return from;
  HostField to(from.grid(), storage);
  for_each_cell_in_parallel(from.grid(), true,
                            [&](int i, int j, int k) { to.set(i, j, k, from.get(i, j, k)); });
  return to;
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

std::vector<NamedValue> results(const LinearProblem& p, const HostField& u) {
  const SolutionError error = solution_error(p, u);
  std::vector<NamedValue> all = {{"error_max", error.max}, {"error_l2", error.l2}};
  if (p.description->results)
    for (NamedValue& named : p.description->results(u)) all.push_back(std::move(named));
  return all;
}

}  // namespace cfdmark
