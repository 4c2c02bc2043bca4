// The matrix at the nodes of meshes with columns in 16 bits, and with values in 32 bits under vectors in 64.
#include <cmath>

#include "solvers/families.hpp"
#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/refinement.hpp"
#include "solvers/mesh/node_poisson.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/csr_systems.hpp"

using namespace cfdmark;

namespace {

std::shared_ptr<const NodePoisson> conduction(const std::string& mesh, const std::string& numbering) {
  const FamilyProblem& posed = *find_problem(*family_of_problem("mesh_conduction"), "mesh_conduction");
  Config given;
  given.set("numbering", *numbering_setting().parse(numbering));
  return std::dynamic_pointer_cast<const NodePoisson>(
      posed.make(domain_from(mesh), TuningSpace{posed.settings}.filled(given)));
}

std::vector<double> waves(int size) {
  std::vector<double> x(static_cast<std::size_t>(size));
  for (int n = 0; n < size; ++n) x[std::size_t(n)] = std::sin(3.0 * n);
  return x;
}

// Returns A x by a form of the matrix on the serial backend.
std::vector<double> product(const CsrOperator& a, const std::vector<double>& x) {
  Backend& serial = backend(BackendKind::serial);
  const OwnedSystem system(serial, Precision::fp64, flat_grid(a.rows()),
                           std::shared_ptr<const LinearOperator>(&a, [](auto*) {}));
  Field at(serial, flat_grid(a.rows()), Precision::fp64), y(serial, flat_grid(a.rows()), Precision::fp64);
  at.upload(flat_field(x, Precision::fp64));
  Operations(system.system(), {}).apply(at.view(), y.view())();
  return interior(y.download());
}
CsrOperator held(const NodePoisson& problem, const CsrForm& form) {
  return {backend(BackendKind::serial), Precision::fp64, problem.matrix, form};
}

// Returns ||b - A u|| / ||b|| with A in 64 bits.
double true_residual(const NodePoisson& problem, const std::vector<double>& u) {
  return norm(residual(problem.matrix, u, problem.b)) / norm(problem.b);
}

}  // namespace

// 90,601 nodes and 630,000 entries; 16 bits reach 28,672 columns to either side.
TEST_CASE(
    "no numbering changes the product by columns in 16 bits, and only a random one has many far columns",
    "[mesh][solvers]") {
  for (const auto& [numbering, least, most] :
       {std::tuple{"lattice", 0.0, 0.0}, {"rcm", 0.0, 0.0}, {"hilbert", 1e-4, 0.01}, {"random", 0.2, 0.9}}) {
    const auto problem = conduction("triangles-300x300", numbering);
    const CsrOperator near = held(*problem, {.near_columns = true}), full = held(*problem, {});
    const std::vector<double> x = waves(problem->unknowns());
    INFO(numbering);
    CHECK(product(near, x) == product(full, x));
    const double far = double(near.args(Precision::fp64, {nullptr, flat_grid(near.rows()), Precision::fp64},
                                        {}, {nullptr, flat_grid(near.rows()), Precision::fp64})
                                  .far_columns) /
                       near.entries();
    CHECK(far >= least);
    CHECK(far <= most);
  }
}

TEST_CASE("a matrix in 32 bits is the linear finite-element one to the rounding of each value",
          "[mesh][solvers]") {
  for (const char* mesh : {"triangles-30x20", "tetrahedra-6x5x7"}) {
    const auto problem = conduction(mesh, "hilbert");
    const CsrMatrix<double>& a = problem->matrix;
    const std::vector<double> x = waves(a.rows()), exact = product(held(*problem, {}), x),
                              rounded = product(held(*problem, {.values_in_32_bits = true}), x);
    double largest_share = 0;
    for (int row = 0; row < a.rows(); ++row) {
      double magnitude = 0;
      for (int at = a.row_begin[std::size_t(row)]; at < a.row_begin[std::size_t(row) + 1]; ++at)
        magnitude += std::abs(a.value[std::size_t(at)] * x[std::size_t(a.column[std::size_t(at)])]);
      const double difference = std::abs(rounded[std::size_t(row)] - exact[std::size_t(row)]);
      CHECK(difference <= 1.0001 * roundoff(Precision::fp32) * magnitude);
      if (magnitude > 0) largest_share = std::max(largest_share, difference / magnitude);
    }
    INFO(mesh);
    CHECK(largest_share > 0.1 * roundoff(Precision::fp32));
  }
}

TEST_CASE(
    "CG on a matrix in 32 bits alone misses the system in 64 by its rounding, and refinement reaches it",
    "[mesh][solvers][cg]") {
  constexpr double tolerance = 1e-10;
  const auto problem = conduction("triangles-60x60", "hilbert");
  Backend& serial = backend(BackendKind::serial);
  const CsrForm form{.near_columns = true, .values_in_32_bits = true};
  const auto rounded = std::make_shared<const CsrOperator>(serial, Precision::fp64, problem->matrix, form);
  const SolverMethod cg = passes_cg(BackendKind::serial).front();
  const Config config = cg.space.defaults();
  OwnedSystem alone(serial, Precision::fp64, flat_grid(problem->unknowns()), rounded);
  alone.upload_b(flat_field(problem->b, Precision::fp64));
  const SolvedSystem missed = solve_system(alone, cg, tolerance);
  CHECK(missed.outcome.converged);
  CHECK(true_residual(*problem, missed.u) > 1e-8);
  CHECK(true_residual(*problem, missed.u) < 1e-5);

  const OwnedSystem exact = csr_system(serial, Precision::fp64, problem->matrix, problem->b);
  const SolvedSystem reached =
      solve_system(exact, refinement(exact.system(), cg, config, rounded), {}, tolerance, 2000);
  CHECK(reached.outcome.converged);
  CHECK(true_residual(*problem, reached.u) <= tolerance);
  const int direct = solve_system(exact, cg, tolerance).outcome.iterations;
  CHECK(reached.outcome.iterations < 2 * direct);
}
