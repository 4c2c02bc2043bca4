// Poisson's equation at the nodes of meshes: the matrix, its forms, and solves.
#include "solvers/mesh/node_poisson.hpp"

#include <cmath>

#include "kernels/device/backend.hpp"
#include "kernels/mesh/connect.hpp"
#include "solvers/families.hpp"
#include "solvers/mesh/node_laplacian.hpp"
#include "tests/catch.hpp"
#include "tests/mesh/meshes.hpp"

using namespace cfdmark;

namespace {

Mesh one_cell(int dims) {
  Mesh mesh;
  mesh.dims = dims;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  if (dims == 3) mesh.nodes.push_back({0, 0, 1});
  for (int n = 0; n <= dims; ++n) mesh.cell_nodes.push_back(n);
  connect(mesh);
  return mesh;
}

double entry(const CsrMatrix<double>& a, int row, int column) {
  for (int at = a.row_begin[std::size_t(row)]; at < a.row_begin[std::size_t(row) + 1]; ++at)
    if (a.column[std::size_t(at)] == column) return a.value[std::size_t(at)];
  return 0;
}

struct Solved {
  Outcome outcome;
  Judgement judgement;
  double result(const std::string& name) const {
    for (const NamedValue& one : outcome.results)
      if (one.name == name) return one.value;
    FAIL("there is no result " + name);
    return 0;
  }
};

std::vector<FamilyMethod> methods_of(const std::string& solver, BackendKind kind = BackendKind::serial) {
  return find_solver(*family_of_solver(solver), solver)->methods(kind);
}

Config settings_of(const std::string& problem, const std::string& numbering = "lattice") {
  const FamilyProblem& posed = *find_problem(*family_of_problem(problem), problem);
  Config given;
  given.set("numbering", *numbering_setting().parse(numbering));
  return TuningSpace{posed.settings}.filled(given);
}

Solved solve_on(const FamilyMethod& method, BackendKind kind, Precision p, const std::string& problem,
                const std::string& mesh, const Config& settings, double tolerance = 1e-11) {
  const FamilyProblem& posed = *find_problem(*family_of_problem(problem), problem);
  const auto prepared = method.prepare(backend(kind), p, method.space.defaults(),
                                       posed.make(domain_from(mesh), settings), LevelConfigs());
  prepared->reset();
  Solved solved{prepared->solve(tolerance, 5000), {}};
  solved.judgement = prepared->verify(solved.outcome, tolerance);
  return solved;
}
Solved solve_by(const std::string& solver, const std::string& problem, const std::string& mesh,
                double tolerance = 1e-11) {
  return solve_on(methods_of(solver).front(), BackendKind::serial, Precision::fp64, problem, mesh,
                  settings_of(problem), tolerance);
}

}  // namespace

TEST_CASE("the stiffness matrix of one triangle and of one tetrahedron match their hand calculation",
          "[mesh][solvers]") {
  // Half the cotangent of the angle opposite each side, negated.
  const CsrMatrix<double> triangle = stiffness_matrix(one_cell(2));
  CHECK(entry(triangle, 0, 0) == Approx(1));
  CHECK(entry(triangle, 0, 1) == Approx(-0.5));
  CHECK(entry(triangle, 0, 2) == Approx(-0.5));
  CHECK(entry(triangle, 1, 1) == Approx(0.5));
  CHECK(entry(triangle, 1, 2) == Approx(0).margin(1e-16));
  // V grad N_a . grad N_b with V = 1/6, grad N_0 = (-1, -1, -1) and unit vectors for the others.
  const CsrMatrix<double> tetrahedron = stiffness_matrix(one_cell(3));
  CHECK(entry(tetrahedron, 0, 0) == Approx(0.5));
  CHECK(entry(tetrahedron, 0, 3) == Approx(-1.0 / 6));
  CHECK(entry(tetrahedron, 2, 2) == Approx(1.0 / 6));
  CHECK(entry(tetrahedron, 1, 2) == Approx(0).margin(1e-16));
}

TEST_CASE("the stiffness matrix is symmetric, and constants are in its null space", "[mesh][solvers]") {
  for (const Mesh& mesh : small_meshes()) {
    const CsrMatrix<double> a = stiffness_matrix(mesh);
    double most = 0, asymmetry = 0, sums = 0;
    for (int row = 0; row < a.rows(); ++row) {
      double sum = 0;
      for (int at = a.row_begin[std::size_t(row)]; at < a.row_begin[std::size_t(row) + 1]; ++at) {
        const double value = a.value[std::size_t(at)];
        sum += value;
        most = std::max(most, std::abs(value));
        asymmetry = std::max(asymmetry, std::abs(value - entry(a, a.column[std::size_t(at)], row)));
      }
      sums = std::max(sums, std::abs(sum));
    }
    CHECK(asymmetry <= 1e-15 * most);
    CHECK(sums <= 1e-14 * most);
    CHECK(most > 0.1);
  }
}

TEST_CASE("every form of the matrix on every backend gives the product with the stored one",
          "[mesh][solvers]") {
  for (const char* name : {"triangles-9x7", "tetrahedra-4x3x5"})
    for (const BackendKind kind : all_backends) {
      if (!unavailable_reason({kind, 0}).empty()) continue;
      const FamilyProblem& posed = *find_problem(*family_of_problem("mesh_harmonic"), "mesh_harmonic");
      const auto made = posed.make(domain_from(name), settings_of("mesh_harmonic", "random"));
      const auto problem = std::dynamic_pointer_cast<const NodePoisson>(made);
      Backend& on = backend(kind);
      const Grid flat = flat_grid(problem->unknowns());
      HostField x(flat, Precision::fp64);
      std::vector<double> values(std::size_t(problem->unknowns()));
      for (int n = 0; n < problem->unknowns(); ++n)
        if (problem->is_free[std::size_t(n)])
          values[std::size_t(n)] = std::sin(3.0 * n), x.set(n, 0, 0, std::sin(3.0 * n));
      const std::vector<double> minus_product =
          residual(problem->matrix, values, std::vector<double>(values.size()));
      std::vector<std::shared_ptr<const LinearOperator>> forms = {
          stored_matrix(on, Precision::fp64, *problem),
          stored_matrix_in({.near_columns = true})(on, Precision::fp64, *problem)};
      for (const char* method : {"plain", "coloured", kind == BackendKind::serial ? "in_order" : "atomic"})
        forms.push_back(std::make_shared<const NodeLaplacian>(on, Precision::fp64, *problem, method));
      for (const auto& form : forms) {
        OwnedSystem system(on, Precision::fp64, flat, form);
        system.upload_start(x);
        const Operations op(system.system(), {});
        op.apply(system.u().view(), system.b().view())();
        on.fence();
        const HostField q = system.b().download();
        double most = 0, difference = 0;
        for (int n = 0; n < problem->unknowns(); ++n) {
          most = std::max(most, std::abs(q.get(n, 0)));
          difference = std::max(difference, std::abs(q.get(n, 0) + minus_product[std::size_t(n)]));
        }
        INFO(name << " on " << to_string(kind));
        CHECK(difference <= 2e-14 * most);
        CHECK(most > 0.5);
      }
    }
}

TEST_CASE("heat conduction along a box is linear on every mesh, in every numbering, by every solver and form",
          "[mesh][solvers]") {
  for (const char* mesh : {"triangles-12x9-seed5", "triangles-6x6+30", "tetrahedra-4x5x3"})
    for (const char* numbering : {"lattice", "random", "rcm", "hilbert"})
      for (const char* solver : {"mesh_cg", "mesh_pcg", "mesh_bicgstab"})
        for (const FamilyMethod& method : methods_of(solver)) {
          const Solved solved = solve_on(method, BackendKind::serial, Precision::fp64, "mesh_conduction",
                                         mesh, settings_of("mesh_conduction", numbering));
          INFO(mesh << " " << numbering << " " << solver << " " << method.name);
          CHECK(solved.judgement.wrong.empty());
          CHECK(solved.judgement.converged);
          CHECK(solved.result("max_error") < 1e-9);
          CHECK(solved.result("heat_in") == Approx(solved.result("heat_out")).epsilon(1e-9));
        }
}

TEST_CASE("libraries find the linear temperature of a box, or say that they are not built in",
          "[mesh][solvers][hypre][ginkgo]") {
  const Domain domain = domain_from("tetrahedra-4x5x3");
  const Config settings = settings_of("mesh_conduction", "hilbert");
  int methods = 0;
  for (const char* solver : {"mesh_hypre", "mesh_ginkgo"})
    for (const FamilyMethod& method : methods_of(solver)) {
      INFO(solver << " " << method.name);
      ++methods;
      const std::string why =
          method.unsupported({.domain = domain, .precision = Precision::fp64, .workload = settings});
      if (!why.empty()) {
        CHECK_THAT(why, ContainsSubstring("built without"));
        continue;
      }
      const Solved solved = solve_on(method, BackendKind::serial, Precision::fp64, "mesh_conduction",
                                     "tetrahedra-4x5x3", settings);
      CHECK(solved.judgement.converged);
      CHECK(solved.result("max_error") < 1e-9);
    }
  CHECK(methods >= 4);
}

// The heat through a unit square with T = x is 1.
TEST_CASE("the heat through a square is its conductivity", "[mesh][solvers]") {
  CHECK(solve_by("mesh_cg", "mesh_conduction", "triangles-10x10").result("heat_in") == Approx(1));
}

TEST_CASE("linear elements are of second order at the nodes", "[mesh][solvers]") {
  for (const auto& [coarse, fine] :
       {std::pair{"triangles-16x16", "triangles-64x64"}, {"tetrahedra-5x5x5", "tetrahedra-20x20x20"}}) {
    const double before = solve_by("mesh_pcg", "mesh_harmonic", coarse).result("rms_error"),
                 after = solve_by("mesh_pcg", "mesh_harmonic", fine).result("rms_error");
    const double order = std::log2(before / after) / 2;
    INFO(coarse << " " << before << ", " << fine << " " << after);
    CHECK(order > 1.8);
    CHECK(order < 2.3);
  }
}

TEST_CASE("the iterations of conjugate gradients grow like the nodes a side", "[mesh][solvers]") {
  const int few = solve_by("mesh_cg", "mesh_harmonic", "triangles-20x20", 1e-8).outcome.iterations,
            many = solve_by("mesh_cg", "mesh_harmonic", "triangles-80x80", 1e-8).outcome.iterations;
  CHECK(many > 3.2 * few);
  CHECK(many < 4.8 * few);
}

TEST_CASE("solves on meshes converge on every backend and in every precision", "[mesh][solvers]") {
  const Domain domain = domain_from("tetrahedra-4x3x6");
  const Config settings = settings_of("mesh_conduction");
  for (const BackendKind kind : all_backends) {
    if (!unavailable_reason({kind, 0}).empty()) continue;
    for (const Precision p : all_precisions)
      for (const FamilyMethod& method : methods_of("mesh_pcg", kind)) {
        const std::string why = method.unsupported({.domain = domain, .precision = p, .workload = settings});
        CHECK(why.empty() == (p == Precision::fp64 || !method.name.ends_with("_fp32")));
        if (!why.empty()) {
          CHECK_THROWS_WITH(solve_on(method, kind, p, "mesh_conduction", "tetrahedra-4x3x6", settings),
                            ContainsSubstring("use precision fp64"));
          continue;
        }
        const double tolerance = p == Precision::fp32 ? 1e-4 : 1e-9;
        const Solved solved = solve_on(method, kind, p, "mesh_conduction", "tetrahedra-4x3x6",
                                       settings_of("mesh_conduction"), tolerance);
        INFO(to_string(kind) << " " << to_string(p) << " " << method.name << ": " << solved.judgement.wrong);
        CHECK(solved.judgement.wrong.empty());
        CHECK(solved.judgement.converged);
        CHECK(solved.result("max_error") < 1e3 * tolerance);
      }
  }
}

TEST_CASE("a prepared solve on a mesh takes another problem of the same matrix, and no other",
          "[mesh][solvers]") {
  const FamilyMethod method = methods_of("mesh_cg").front();
  const FamilyProblem& posed = *find_problem(*family_of_problem("mesh_harmonic"), "mesh_harmonic");
  const Config settings = settings_of("mesh_harmonic");
  const auto first =
      std::dynamic_pointer_cast<const NodePoisson>(posed.make(domain_from("triangles-8x8"), settings));
  const auto twice = std::make_shared<NodePoisson>(*first);
  for (double& b : twice->b) b *= 2;
  const auto prepared = method.prepare(backend(BackendKind::serial), Precision::fp64, method.space.defaults(),
                                       first, LevelConfigs());
  auto& solve = dynamic_cast<PreparedMatrixSolve&>(*prepared);
  solve.reset();
  solve.solve(1e-12, 1000);
  const std::vector<double> before = solve.solution();
  solve.load(twice);
  solve.reset();
  solve.solve(1e-12, 1000);
  const std::vector<double> after = solve.solution();
  for (std::size_t n = 0; n < before.size(); ++n) CHECK(after[n] == Approx(2 * before[n]).margin(1e-12));
  CHECK_THROWS_WITH(solve.load(posed.make(domain_from("triangles-8x8-seed2"), settings)),
                    ContainsSubstring("another matrix"));
}
