#include "solvers/problems/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/cells/operator_problem.hpp"
#include "solvers/base/norm.hpp"
#include "solvers/base/words.hpp"

namespace cfdmark {
namespace {

// Fills the interior, and on request the ghosts, with scale f at their points. A ghost of a cell holds the
// value on its face.
void fill(HostField& field, bool with_ghosts, double scale, const ProblemDescription& problem,
          const Config& settings, PointFunction f) {
  const Grid& g = field.grid();
  const Spacing h(g);
  const Axes cells = axes_of_cells(problem);
  const auto at = [&](int d, int i, int n, double spacing) {
    return cells[d] ? std::clamp((i + 0.5) / n, 0.0, 1.0) : (i + 1) * spacing;
  };
  for_each_cell_in_parallel(g, with_ghosts, [&](int i, int j, int k) {
    field.set(i, j, k,
              scale * f(settings, g, at(0, i, g.nx, h.x), at(1, j, g.ny, h.y),
                        g.is_3d() ? at(2, k, g.nz, h.z) : 0.0));
  });
}

// Returns the conductances of the cells' faces. A boundary value is at half the distance of a neighbour; a
// Neumann boundary has conductance 0.
std::vector<HostField> conductances(const Boundaries& sides, const Grid& g, const Operator& weights) {
  const int faces = g.is_3d() ? 6 : 4;
  const double w[] = {weights.wx, weights.wy, weights.wz};
  const BoundaryKind kinds[] = {sides.west, sides.east, sides.south, sides.north, sides.bottom, sides.top};
  const int n[] = {g.nx, g.ny, g.nz};
  std::vector<HostField> arrays(faces + 1, HostField(g, Precision::fp64));
  for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
    const int at[] = {i, j, k};
    double all = 0;
    for (int face = 0; face < faces; ++face) {
      const int d = face / 2;
      const bool outer = at[d] == (face % 2 == 0 ? 0 : n[d] - 1);
      const double of_side = kinds[face] == BoundaryKind::neumann    ? 0
                             : kinds[face] == BoundaryKind::periodic ? w[d]
                                                                     : 2 * w[d];
      const double conductance = outer ? of_side : w[d];
      arrays[face].set(i, j, k, conductance);
      all += conductance;
    }
    arrays[faces].set(i, j, k, all);
  });
  return arrays;
}

// Returns true if f holds for each side of the problem's dimensions.
template <class F>
bool all_sides(const ProblemDescription& problem, const F& f) {
  const Boundaries& at = problem.boundaries;
  return f(at.west) && f(at.east) && f(at.south) && f(at.north) &&
         (!problem.in_3d || (f(at.bottom) && f(at.top)));
}

// Copies periodic images into the ghosts.
void fill_periodic_ghosts(HostField& f, const Axes& periodic) {
  const Grid& g = f.grid();
  const auto across = [&](int d, int i, int n) { return periodic[d] ? (i + n) % n : i; };
  for_each_cell(g, true, [&](int i, int j, int k) {
    f.set(i, j, k, f.get(across(0, i, g.nx), across(1, j, g.ny), across(2, k, g.nz)));
  });
}

double mean(const HostField& f) {
  double sum = 0;
  for_each_cell(f.grid(), false, [&](int i, int j, int k) { sum += f.get(i, j, k); });
  return sum / double(f.grid().cells());
}

// Subtracts the mean and returns it.
double take_mean_out(HostField& f) {
  const double taken = mean(f);
  for_each_cell_in_parallel(f.grid(), false,
                            [&](int i, int j, int k) { f.set(i, j, k, f.get(i, j, k) - taken); });
  return taken;
}

// Returns the initial guess: the exact solution on the boundary, zero inside.
HostField boundary_values(const HostField& exact) {
  HostField initial = exact;
  for_each_cell_in_parallel(exact.grid(), false, [&](int i, int j, int k) { initial.set(i, j, k, 0); });
  return initial;
}

// Calls f(i, j, k, b - A u) for every cell.
template <class F>
void for_each_residual(const LinearProblem& p, const HostField& u, F&& f) {
  const Axes periodic = periodic_axes(*p.description);
  const bool copied = periodic != Axes{} || u.storage() != Precision::fp64;
  HostField own = copied ? converted(u, Precision::fp64) : HostField();
  if (copied) fill_periodic_ghosts(own, periodic);
  const auto vu = (copied ? own : u).view().as<const double>();
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
  static const std::vector<ProblemDescription> table = {
      heated_plate_problem(), heated_plate_cells_problem(), manufactured_problem(),
      jump_problem(),         convection_problem(),         insulated_problem(),
      periodic_box_problem(), periodic_channel_problem(),   graded_channel_problem()};
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
  throw std::invalid_argument(fmt::format("unknown problem '{}'; use {}", name, listed(problem_names())));
}

Operator minus_laplacian(const Grid& g, const Axes& cells) {
  Operator a = timed_constant_operator(g);
  if (cells == Axes{}) return a;
  const double spaces_x = g.nx + !cells[0];
  const auto weight = [&](int n, bool cell) {
    const double spaces = n + !cell;
    return spaces * spaces / (spaces_x * spaces_x);
  };
  a.wy = weight(g.ny, cells[1]), a.wz = g.is_3d() ? weight(g.nz, cells[2]) : 0;
  a.centre = 2 * (a.wx + a.wy + a.wz);
  return a;
}

Axes periodic_axes(const ProblemDescription& problem) {
  const Boundaries& at = problem.boundaries;
  const auto both = [](BoundaryKind one, BoundaryKind other) {
    return one == BoundaryKind::periodic && other == BoundaryKind::periodic;
  };
  return {both(at.west, at.east), both(at.south, at.north), problem.in_3d && both(at.bottom, at.top)};
}

Axes axes_of_cells(const ProblemDescription& problem) {
  return problem.at_cell_centres ? Axes{true, true, true} : periodic_axes(problem);
}

bool has_arrays(const ProblemDescription& problem) {
  const bool only_periodic =
      all_sides(problem, [](BoundaryKind kind) { return kind == BoundaryKind::periodic; });
  return problem.coefficients != nullptr || (problem.at_cell_centres && !only_periodic);
}

bool is_singular(const ProblemDescription& problem) {
  return all_sides(problem, [](BoundaryKind kind) {
    return kind == BoundaryKind::neumann || kind == BoundaryKind::periodic;
  });
}

std::string unsuitable_reason(const ProblemDescription& problem, const Grid& g) {
  const Boundaries& at = problem.boundaries;
  const struct {
    const char* sides;
    BoundaryKind one, other;
  } pairs[] = {{"west and east", at.west, at.east},
               {"south and north", at.south, at.north},
               {"bottom and top", at.bottom, at.top}};
  for (const auto& [sides, one, other] : pairs)
    if ((one == BoundaryKind::periodic) != (other == BoundaryKind::periodic))
      return fmt::format("{} is periodic on only one of {}: make both sides periodic", problem.name, sides);
  if (is_singular(problem) && g.cells() == 1)
    return problem.name + " is singular on a single cell: use at least two";
  if (g.is_3d() ? problem.in_3d : problem.in_2d) return "";
  std::vector<std::string> others;
  for (const ProblemDescription& other : problem_table())
    if (g.is_3d() ? other.in_3d : other.in_2d) others.push_back(other.name);
  return fmt::format("{} is a {}-D problem; in {}-D use {}", problem.name, g.is_3d() ? 2 : 3,
                     g.is_3d() ? 3 : 2, listed(others));
}

LinearProblem make_problem(const ProblemDescription& description, const Grid& g, const Config& settings) {
  if (const std::string reason = unsuitable_reason(description, g); !reason.empty())
    throw std::invalid_argument(reason);
  TuningSpace{description.settings}.check(settings);
  LinearProblem p;
  p.description = &description;
  p.grid = g;
  p.constant = minus_laplacian(g, axes_of_cells(description));
  p.b = HostField(g, Precision::fp64);
  p.exact = HostField(g, Precision::fp64);
  const double scale = std::pow(Spacing(g, axes_of_cells(description)).x, 2);
  fill(p.exact, true, 1, description, settings, description.exact);
  if (description.source) fill(p.b, false, scale, description, settings, description.source);
  if (description.coefficients)
    p.coefficients = description.coefficients(settings, g);
  else if (has_arrays(description))
    p.coefficients = conductances(description.boundaries, g, p.constant);
  if (is_singular(description)) {
    take_mean_out(p.exact);
    p.source_mean = take_mean_out(p.b) / scale;
    p.source_rms = norm(p.b) / std::sqrt(double(g.cells())) / scale;
  }
  const Axes periodic = periodic_axes(description);
  fill_periodic_ghosts(p.exact, periodic);
  for (HostField& array : p.coefficients) fill_periodic_ghosts(array, periodic);
  p.initial = boundary_values(p.exact);
  return p;
}

double problem_bytes(const ProblemDescription& description, const Grid& g) {
  const int arrays = has_arrays(description) ? (g.is_3d() ? 7 : 5) : 0;
  return (3 + arrays) * double(Layout(g).elements) * sizeof(double);  // b, initial, exact
}

HostField converted(const HostField& from, Precision storage) {
  if (from.storage() == storage_of(storage)) return from;
  HostField to(from.grid(), storage);
  for_each_cell_in_parallel(from.grid(), true,
                            [&](int i, int j, int k) { to.set(i, j, k, from.get(i, j, k)); });
  return to;
}

double residual_norm(const LinearProblem& p, const HostField& u) {
  return norm_of([&](const auto& add) { for_each_residual(p, u, [&](int, int, int, double r) { add(r); }); });
}

double norm(const HostField& u) {
  return norm_of([&](const auto& add) {
    for_each_cell(u.grid(), false, [&](int i, int j, int k) { add(u.get(i, j, k)); });
  });
}

SolutionError solution_error(const LinearProblem& p, const HostField& u) {
  SolutionError error;
  double sum = 0;
  const double constant = is_singular(*p.description) ? mean(u) : 0;
  for_each_cell(p.grid, false, [&](int i, int j, int k) {
    const double e = std::abs(u.get(i, j, k) - constant - p.exact.get(i, j, k));
    if (!(e <= error.max)) error.max = e;
    sum += e * e;
  });
  error.l2 = std::sqrt(sum / double(p.grid.cells()));
  return error;
}

std::vector<NamedValue> results(const LinearProblem& p, const HostField& u) {
  const SolutionError error = solution_error(p, u);
  std::vector<NamedValue> all = {{"error_max", error.max}, {"error_l2", error.l2}};
  if (is_singular(*p.description)) all.push_back({"source_mean", p.source_mean});
  if (p.description->results)
    for (NamedValue& named : p.description->results(u)) all.push_back(std::move(named));
  return all;
}

}  // namespace cfdmark
