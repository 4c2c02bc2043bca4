#include "solvers/mesh/node_problems.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/mesh/node_poisson.hpp"

namespace cfdmark {
namespace {

using std::numbers::pi;

const Setting along = choice_setting("along", {"x", "y", "z"}, "x", "axis between the two held ends");

// Root of the mean of the squares, and the largest magnitude, of T - exact at the free nodes.
template <class Exact>
std::vector<NamedValue> errors(const NodePoisson& problem, const std::vector<double>& t, const Exact& exact) {
  double most = 0, squares = 0, free = 0;
  for (std::size_t n = 0; n < t.size(); ++n) {
    if (!problem.is_free[n]) continue;
    const double error = std::abs(t[n] - exact(problem.nodes_of().nodes[n]));
    most = std::max(most, error), squares += error * error, ++free;
  }
  return {{"max_error", most}, {"rms_error", std::sqrt(squares / std::max(free, 1.0))}};
}

// Sets what is known of an answer from its exact temperature.
template <class Exact>
void compare_with(NodePoisson& problem, const Exact& exact) {
  const NodePoisson* const of = &problem;  // owns the functions
  problem.results = [of, exact](const std::vector<double>& x) {
    return errors(*of, of->temperature(x), exact);
  };
  problem.error = [of, exact](const std::vector<double>& x) {
    return errors(*of, of->temperature(x), exact).front().value;
  };
}

std::shared_ptr<const MadeMesh> mesh_of(const Domain& domain, const Config& settings) {
  return made_mesh(domain.mesh(), numbering_of(settings));
}

// S. Menon's thesis (2008), equation 6.4 and figure 6.4: T = 0 at one end and 1 at the other, no heat through
// the rest.
std::shared_ptr<const Problem> conduction(const Domain& domain, const Config& settings) {
  const auto made = mesh_of(domain, settings);
  const Mesh& mesh = *made->mesh;
  const auto axis = std::size_t(settings.is(along.name, "x") ? 0 : settings.is(along.name, "y") ? 1 : 2);
  if (int(axis) >= mesh.dims)
    throw std::invalid_argument("a mesh of triangles has no axis z: use along=x or y");
  const auto [first, last] =
      std::minmax_element(mesh.nodes.begin(), mesh.nodes.end(),
                          [=](const Point& a, const Point& b) { return a[axis] < b[axis]; });
  const double from = (*first)[axis], length = (*last)[axis] - from, near = 1e-9 * length;
  const auto position = [=](const Point& at) { return (at[axis] - from) / length; };
  const auto is_held = [=, &mesh](int n) {
    const double x = mesh.nodes[std::size_t(n)][axis] - from;
    return x < near || x > length - near;
  };
  const auto problem = node_poisson("mesh_conduction", made, is_held,
                                    [&](int n) { return std::round(position(mesh.nodes[std::size_t(n)])); });
  // On a box T is linear; on other bodies it is unknown.
  if (domain.mesh().is_generated()) compare_with(*problem, position);
  const NodePoisson* const of = problem.get();
  problem->results = [of, more = problem->results](const std::vector<double>& x) {
    const std::vector<double> t = of->temperature(x), heat = heat_into_nodes(of->nodes_of(), t);
    double in = 0, out = 0;
    for (std::size_t n = 0; n < t.size(); ++n) {
      if (of->is_free[n]) continue;
      if (of->prescribed[n] > 0.5)
        in += heat[n];
      else
        out -= heat[n];
    }
    const auto [least, most] = std::minmax_element(t.begin(), t.end());
    std::vector<NamedValue> results = {
        {"heat_in", in}, {"heat_out", out}, {"least_temperature", *least}, {"most_temperature", *most}};
    if (more)
      for (const NamedValue& one : more(x)) results.push_back(one);
    return results;
  };
  return problem;
}

double harmonic_solution(const Point& at) {
  return std::sin(pi * at[0]) * std::sinh(pi * at[1]) / std::sinh(pi);
}

std::shared_ptr<const Problem> harmonic(const Domain& domain, const Config& settings) {
  if (!domain.mesh().is_generated())
    throw std::invalid_argument("mesh_harmonic is posed on generated meshes, such as triangles-100x100");
  const auto made = mesh_of(domain, settings);
  const Mesh& mesh = *made->mesh;
  std::vector<char> outside(mesh.nodes.size(), 0);
  for (int face = mesh.inner_faces; face < mesh.faces(); ++face)
    for (int n = 0; n < mesh.dims; ++n)
      outside[std::size_t(mesh.face_nodes[std::size_t(face) * std::size_t(mesh.dims) + std::size_t(n)])] = 1;
  const auto problem = node_poisson(
      "mesh_harmonic", made, [&](int n) { return bool(outside[std::size_t(n)]); },
      [&](int n) { return harmonic_solution(mesh.nodes[std::size_t(n)]); });
  compare_with(*problem, harmonic_solution);
  return problem;
}

FamilyProblem described(std::string name, std::string help, std::vector<Setting> settings,
                        std::shared_ptr<const Problem> (*make)(const Domain&, const Config&)) {
  settings.insert(settings.begin(), numbering_setting());
  return {.name = std::move(name),
          .help = std::move(help),
          .settings = std::move(settings),
          .make = make,
          .usual_solver = "mesh_cg",
          .usual_solver_3d = "mesh_cg",
          .usual_grid = "triangles-178x178"};
}

}  // namespace

std::vector<FamilyProblem> node_problems() {
  return {
      described("mesh_conduction",
                "heat between two ends of a mesh, 0 and 1, with insulated sides: T = x on a box", {along},
                conduction),
      described("mesh_harmonic", "Laplace on a mesh with T = sin(pi x) sinh(pi y) / sinh(pi) at the boundary",
                {}, harmonic)};
}

}  // namespace cfdmark
