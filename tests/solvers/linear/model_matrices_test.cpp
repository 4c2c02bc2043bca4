// Generated matrices: entries worked by hand, properties of their discretisations, and solves.
#include "solvers/linear/system/model_matrices.hpp"

#include <cmath>
#include <numbers>

#include "tests/catch.hpp"
#include "tests/solvers/linear/csr_systems.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

CsrMatrix<double> made(const std::string& name, int n) { return model_matrix(name).make(n); }

double at(const CsrMatrix<double>& a, int row, int column) {
  double sum = 0;
  for (int n = a.row_begin[row]; n < a.row_begin[row + 1]; ++n)
    if (a.column[n] == column) sum += a.value[n];
  return sum;
}
double row_sum(const CsrMatrix<double>& a, int row) {
  double sum = 0;
  for (int n = a.row_begin[row]; n < a.row_begin[row + 1]; ++n) sum += a.value[n];
  return sum;
}
// Returns the largest |a(i, j) - a(j, i)|, relative to the larger diagonal value of the two rows.
double asymmetry(const CsrMatrix<double>& a) {
  double most = 0;
  for (int row = 0; row < a.rows(); ++row)
    for (int n = a.row_begin[row]; n < a.row_begin[row + 1]; ++n) {
      const int column = a.column[n];
      most = std::max(
          most, std::abs(a.value[n] - at(a, column, row)) / std::max(at(a, row, row), at(a, column, column)));
    }
  return most;
}
bool has_finite_elements(const std::string& name) { return name == "elements" || name == "rotated"; }

std::vector<double> times(const CsrMatrix<double>& a, const std::vector<double>& u) {
  std::vector<double> product(a.rows());
  for (int row = 0; row < a.rows(); ++row)
    for (int n = a.row_begin[row]; n < a.row_begin[row + 1]; ++n) product[row] += a.value[n] * u[a.column[n]];
  return product;
}
double norm_of(const std::vector<double>& u) {
  double sum = 0;
  for (const double value : u) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("rows of generated matrices on 2x2 cells are those worked by hand", "[matrices]") {
  const CsrMatrix<double> poisson = made("poisson", 2);
  CHECK(poisson.column == std::vector<int>{0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3});
  CHECK(poisson.value == std::vector<double>{6, -1, -1, -1, 6, -1, -1, 6, -1, -1, -1, 6});
  const CsrMatrix<double> cube = made("poisson_3d", 2);
  CHECK(cube.rows() == 8);
  CHECK(at(cube, 0, 0) == Approx(4.5));
  CHECK(at(cube, 0, 1) == Approx(-0.5));
  CHECK(at(cube, 0, 4) == Approx(-0.5));
  const CsrMatrix<double> anisotropic = made("anisotropic", 2);
  CHECK(at(anisotropic, 0, 0) == Approx(3.003));
  CHECK(at(anisotropic, 0, 1) == Approx(-1));
  CHECK(at(anisotropic, 0, 2) == Approx(-0.001));
  const CsrMatrix<double> outlet = made("outlet", 2);
  CHECK(at(outlet, 0, 0) == Approx(2));
  CHECK(at(outlet, 1, 1) == Approx(4));
  // Diffusion is 0.5 inside and 1 at the sides; the wind carries cos(30) / 2 east and 1/4 north.
  const double east = std::sqrt(3.0) / 4, north = 0.25;
  const CsrMatrix<double> convection = made("convection_1", 2);
  CHECK(at(convection, 0, 0) == Approx(3 + east + north));
  CHECK(at(convection, 0, 1) == Approx(-0.5));
  CHECK(at(convection, 1, 0) == Approx(-0.5 - east));
  CHECK(at(convection, 2, 0) == Approx(-0.5 - north));
}

TEST_CASE("between conductivities of 1 and 1000 the checkerboard has their harmonic mean", "[matrices]") {
  const CsrMatrix<double> a = made("checkerboard", 8);
  const double mean = 2 / (1 + 0.001);
  CHECK(at(a, 0, 1) == Approx(-mean));
  CHECK(at(a, 0, 0) == Approx(2 * mean + 2 * 2));
  CHECK(at(a, 1, 1) == Approx(3 * mean + 2 * 1000));
}

TEST_CASE("generated matrices have the size, symmetry and signs that their discretisation gives",
          "[matrices]") {
  constexpr int n = 9;
  for (const ModelMatrix& matrix : model_matrices()) {
    INFO(matrix.name);
    const CsrMatrix<double> a = matrix.make(n);
    CHECK(a.rows() == (matrix.name == "poisson_3d"        ? n * n * n
                       : has_finite_elements(matrix.name) ? (n - 1) * (n - 1)
                                                          : n * n));
    if (matrix.is_symmetric)
      CHECK(asymmetry(a) <= 1e-14);
    else
      CHECK(asymmetry(a) > 0.01);
    for (int row = 0; row < a.rows(); ++row) {
      CHECK(at(a, row, row) > 0);
      if (!has_finite_elements(matrix.name)) {
        for (int m = a.row_begin[row]; m < a.row_begin[row + 1]; ++m)
          if (a.column[m] != row) CHECK(a.value[m] <= 0);
        CHECK(row_sum(a, row) >= -1e-13 * at(a, row, row));
      }
    }
  }
}

TEST_CASE("a constant is in equilibrium away from sides: fluxes and winds have no divergence", "[matrices]") {
  constexpr int n = 9;
  for (const ModelMatrix& matrix : model_matrices()) {
    if (matrix.name == "shuffled" || matrix.name == "transient" || matrix.name == "poisson_3d") continue;
    INFO(matrix.name);
    const CsrMatrix<double> a = matrix.make(n);
    const int side = has_finite_elements(matrix.name) ? n - 1 : n;
    for (int j = 1; j + 1 < side; ++j)
      for (int i = 1; i + 1 < side; ++i) {
        const int row = j * side + i;
        CHECK(std::abs(row_sum(a, row)) <= 1e-13 * at(a, row, row));
      }
  }
}

TEST_CASE("the transient matrix adds volume over step, and shuffling only renames unknowns", "[matrices]") {
  const CsrMatrix<double> vortex = made("vortex", 8), transient = made("transient", 8);
  for (int row = 0; row < vortex.rows(); ++row)
    CHECK(at(transient, row, row) - at(vortex, row, row) == Approx(1.0 / 8));
  const CsrMatrix<double> plain = made("poisson", 8), shuffled = made("shuffled", 8);
  CHECK(plain.column != shuffled.column);
  std::vector<double> one = plain.value, other = shuffled.value;
  std::sort(one.begin(), one.end()), std::sort(other.begin(), other.end());
  CHECK(one == other);
  CHECK(shuffled.column == made("shuffled", 8).column);
}

// -div grad u = 2 pi^2 sin(pi x) sin(pi y).
TEST_CASE("the answer of the Poisson matrix is second order in the width of a cell", "[matrices]") {
  const auto error = [](int n) {
    const auto exact = [&](int row) {
      const double x = (row % n + 0.5) / n, y = (row / n + 0.5) / n;
      return std::sin(std::numbers::pi * x) * std::sin(std::numbers::pi * y);
    };
    const CsrMatrix<double> a = made("poisson", n);
    std::vector<double> b;
    for (int row = 0; row < a.rows(); ++row)
      b.push_back(2 * std::numbers::pi * std::numbers::pi * exact(row) / (n * n));
    const OwnedSystem system = csr_system(backend(BackendKind::serial), Precision::fp64, a, b);
    const SolvedSystem answer =
        solve_system(system, method_named(solver_named("cg"), BackendKind::serial, "textbook"), 1e-11);
    double sum = 0;
    for (int row = 0; row < a.rows(); ++row) sum += std::pow(answer.u[row] - exact(row), 2);
    return std::sqrt(sum / a.rows());
  };
  const double order = std::log2(error(16) / error(32));
  CHECK(order > 1.9);
  CHECK(order < 2.1);
}

TEST_CASE("every method that takes matrices solves the generated ones that its solver supports",
          "[matrices][hypre][ginkgo]") {
  constexpr int n = 20;
  int solved = 0;
  for (const ModelMatrix& matrix : model_matrices()) {
    const CsrMatrix<double> a = matrix.make(matrix.name == "poisson_3d" ? 7 : n);
    const SystemShape shape{.grid = flat_grid(a.rows()),
                            .constant_operator = false,
                            .form = OperatorForm::matrix,
                            .matrix_entries = a.entries()};
    std::vector<double> b;
    for (int row = 0; row < a.rows(); ++row) b.push_back(noise(row, 0, 0, 1) - 1);
    for (const SolverDescription& solver : solver_table())
      for (const SolverMethod& method : solver.methods(BackendKind::serial)) {
        if (!can_do(method, shape) || (solver.needs_symmetry && !matrix.is_symmetric)) continue;
        INFO(matrix.name << " " << solver.name << "/" << method.name);
        const OwnedSystem system = csr_system(backend(BackendKind::serial), Precision::fp64, a, b);
        const SolvedSystem answer = solve_system(system, method, 1e-8, 20000);
        CHECK(answer.outcome.converged);
        std::vector<double> r = times(a, answer.u);
        for (int row = 0; row < a.rows(); ++row) r[row] = b[row] - r[row];
        CHECK(norm_of(r) <= 1.5e-8 * norm_of(b));
        ++solved;
      }
  }
  CHECK(solved >= int(model_matrices().size()));
}

TEST_CASE("an unknown generated matrix is an error that lists the known ones", "[matrices]") {
  CHECK_THROWS_WITH(model_matrix("poison"), ContainsSubstring("'poison'; known: poisson, poisson_3d"));
}
