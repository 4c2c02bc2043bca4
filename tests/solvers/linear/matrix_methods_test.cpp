// Methods that need a matrix, libraries among them, on matrices that have no stencil.
#include <cmath>

#include "kernels/device/built.hpp"
#include "solvers/linear/libraries/dense_rows.hpp"
#include "solvers/linear/refinement.hpp"
#include "solvers/linear/system/system_csr.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/csr_systems.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

struct Able {
  BackendKind backend;
  std::string solver;
  SolverMethod method;
};

// Returns the methods of all solvers that run here and support a matrix.
std::vector<Able> able_here(Precision precision = Precision::fp64) {
  const SystemShape shape{.grid = flat_grid(4),
                          .constant_operator = false,
                          .precision = precision,
                          .form = OperatorForm::matrix,
                          .matrix_entries = 10};
  std::vector<Able> all;
  for (const BackendKind kind : backends_here())
    for (const SolverDescription& solver : solver_table())
      for (const SolverMethod& method : solver.methods(kind))
        if (can_do(method, shape)) all.push_back({kind, solver.name, method});
  return all;
}
std::string text(const Able& able) {
  return std::string(to_string(able.backend)) + "/" + able.solver + "/" + able.method.name;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t n = 0; n < a.size(); ++n) most = std::max(most, std::abs(a[n] - b[n]));
  return most;
}
double largest(const std::vector<double>& values) {
  return largest_difference(values, std::vector<double>(values.size()));
}

// A system whose matrix can be loaded, with its iteration.
struct Loadable {
  std::shared_ptr<CsrOperator> a;
  OwnedSystem system;
  Config config;
  Solver solver;

  Loadable(const Able& able, const CsrMatrix<double>& matrix)
      : a(std::make_shared<CsrOperator>(backend(able.backend), Precision::fp64, matrix)),
        system(backend(able.backend), Precision::fp64, flat_grid(matrix.rows()), a),
        config(able.method.space.complete({})),
        solver(backend(able.backend), prepare_iteration(able.method, system.system(), config), config) {}

  void load(const CsrMatrix<double>& matrix) {
    a->load(matrix);
    solver.operator_changed();
  }
  SolvedSystem solve(const std::vector<double>& b) {
    system.upload_b(flat_field(b, Precision::fp64));
    system.upload_start(flat_field(std::vector<double>(b.size()), Precision::fp64));
    Outcome outcome = solver.solve(1e-11, 4000);
    return {std::move(outcome), interior(system.u().download())};
  }
};

// 4 1 0
// 1 3 1
// 0 1 2
const CsrMatrix<double> by_hand{{0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {4, 1, 1, 3, 1, 1, 2}};

CsrMatrix<double> matrix_of_problem(const LinearProblem& problem) {
  std::vector<AnyView> views;
  for (const HostField& c : problem.coefficients) views.push_back(c.view());
  return assemble_csr<double>(problem.grid, operator_over(views, 0, problem.grid));
}

}  // namespace

TEST_CASE("every method that takes a matrix finds the answer of the stencil, on vectors of several lengths",
          "[csr][hypre][ginkgo]") {
  int solved = 0;
  for (const auto& [problem, grid] : {std::pair{"heated_plate", Grid{7, 5}},
                                      {"heated_plate", {64, 16}},  // one flat row of 1024
                                      {"manufactured", {40, 33}},
                                      {"jump", {12, 9}},
                                      {"manufactured", {13, 12, 11}}}) {
    const auto posed_here = posed(problem, grid);
    const std::vector<double> expected =
        interior(solve("multigrid", solver_named("multigrid").methods(BackendKind::serial).front(),
                       backend(BackendKind::serial), Precision::fp64, posed_here, {1e-12, 300})
                     .u);
    for (const Able& able : able_here()) {
      INFO(text(able) << " " << problem << " " << name(grid));
      const OwnedSystem rows = csr_system(backend(able.backend), Precision::fp64, *posed_here);
      const SolvedSystem answer = solve_system(rows, able.method, 1e-11, 4000);
      CHECK(answer.outcome.converged);
      CHECK(largest_difference(answer.u, expected) <= 1e-8 * largest(expected));
      ++solved;
    }
  }
  CHECK(solved >= 8);
}

TEST_CASE("every method that takes a matrix solves one with unordered and repeated entries",
          "[csr][hypre][ginkgo]") {
  const CsrMatrix<double> same{{0, 3, 6, 9}, {1, 0, 0, 2, 1, 0, 2, 1, 2}, {1, 3, 1, 1, 3, 1, 1.5, 1, 0.5}};
  for (const Able& able : able_here()) {
    INFO(text(able));
    const OwnedSystem rows = csr_system(backend(able.backend), Precision::fp64, same, {6, 10, 8});
    const SolvedSystem answer = solve_system(rows, able.method, 1e-12, 40);
    CHECK(answer.outcome.converged);
    CHECK(largest_difference(answer.u, {1, 2, 3}) <= 1e-11);
  }
}

TEST_CASE("refinement around every 32-bit method on a matrix reaches the tolerance of 64 bits",
          "[csr][ginkgo]") {
  const auto problem = posed("jump", {20, 23});
  for (const Able& able : able_here(Precision::mixed)) {
    INFO(text(able));
    const OwnedSystem rows = csr_system(backend(able.backend), Precision::fp64, *problem);
    const Config config = able.method.space.defaults();
    const SolvedSystem refined =
        solve_system(rows, refinement(rows.system(), able.method, config), {}, 1e-12, 10000);
    CHECK(refined.outcome.converged);
  }
}

TEST_CASE("every method solves a loaded matrix as one that it was prepared for", "[csr][load]") {
  const auto posed_with = [](double conductivity) {
    return make_problem("jump", {12, 9}, {{"conductivity", conductivity}});
  };
  const CsrMatrix<double> first = matrix_of_problem(posed_with(10)),
                          second = matrix_of_problem(posed_with(300));
  REQUIRE(first.value != second.value);
  const std::vector<double> b(first.rows(), 1);
  for (const Able& able : able_here()) {
    INFO(text(able));
    Loadable loaded(able, first), fresh(able, second);
    const SolvedSystem of_first = loaded.solve(b);
    loaded.load(second);
    const SolvedSystem found = loaded.solve(b), expected = fresh.solve(b);
    CHECK(expected.outcome.converged);
    CHECK(found.outcome.history == expected.outcome.history);
    CHECK(found.u == expected.u);
    CHECK(found.outcome.history != of_first.outcome.history);
    loaded.load(first);
    CHECK(loaded.solve(b).u == of_first.u);
  }
}

// 4  1 0     4 2  0
// 2  3 1  to 1 3 -1
// 0 -1 2     0 1  2
TEST_CASE("BiCGStab solves a loaded unsymmetric 3x3 matrix worked by hand", "[csr][load][bicgstab]") {
  const CsrMatrix<double> first{{0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {4, 1, 2, 3, 1, -1, 2}};
  const CsrMatrix<double> transposed{{0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {4, 2, 1, 3, -1, 1, 2}};
  for (const BackendKind kind : backends_here()) {
    INFO(to_string(kind));
    SolverMethod method = method_named(solver_named("bicgstab"), kind, "textbook");
    Loadable system({kind, "bicgstab", method}, first);
    CHECK(largest_difference(system.solve({6, 11, 4}).u, {1, 2, 3}) <= 1e-9);
    system.load(transposed);
    CHECK(largest_difference(system.solve({8, 4, 8}).u, {1, 2, 3}) <= 1e-9);
  }
}

TEST_CASE("a loaded matrix changes products, residuals and the diagonal, in every precision", "[csr][load]") {
  CsrMatrix<double> twice = by_hand;
  for (double& value : twice.value) value *= 2;
  for (const BackendKind kind : backends_here())
    for (const Precision p : all_precisions) {
      INFO(to_string(kind) << " " << to_string(p));
      CsrOperator a(backend(kind), p, by_hand);
      a.load(twice);
      CHECK(a.download().value == twice.value);
      const OwnedSystem rows(backend(kind), p, flat_grid(3),
                             std::shared_ptr<const LinearOperator>(&a, [](auto*) {}));
      Field x(backend(kind), flat_grid(3), p), y(backend(kind), flat_grid(3), p);
      x.upload(flat_field({1, 2, 3}, p));
      const Operations op(rows.system(), {});
      op.apply(x.view(), y.view())();
      CHECK(interior(y.download()) == std::vector<double>{12, 20, 16});
      op.diagonal(y.view())();
      CHECK(interior(y.download()) == std::vector<double>{8, 6, 4});
    }
}

TEST_CASE("a matrix of another pattern is not loaded, and the values stay", "[csr][load]") {
  for (const BackendKind kind : backends_here()) {
    INFO(to_string(kind));
    CsrOperator a(backend(kind), Precision::fp64, by_hand);
    CHECK_THROWS_WITH(a.load({{0, 1, 2}, {0, 1}, {1, 1}}), ContainsSubstring("2 rows instead of 3"));
    CHECK_THROWS_WITH(a.load({{0, 1, 4, 6}, {0, 0, 1, 2, 1, 2}, {1, 1, 1, 1, 1, 1}}),
                      ContainsSubstring("row 0 has 1 entries instead of 2"));
    CHECK_THROWS_WITH(a.load({{0, 2, 5, 7}, {0, 1, 0, 1, 2, 0, 2}, {9, 9, 9, 9, 9, 9, 9}}),
                      ContainsSubstring("row 2 has an entry in column 0 instead of 1"));
    CHECK_THROWS_WITH(a.load({{0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 3}, {9, 9, 9, 9, 9, 9, 9}}),
                      ContainsSubstring("column 3"));
    CHECK_THROWS_AS(a.load({{0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {1}}), std::invalid_argument);
    CHECK(a.download().value == by_hand.value);
  }
}

TEST_CASE("the matrix of a system is the same from a stencil and from rows, on every backend", "[csr]") {
  const auto problem = posed("jump", {6, 5});
  const CsrMatrix<double> expected = matrix_of_problem(*problem);
  for (const BackendKind kind : backends_here()) {
    INFO(to_string(kind));
    Operator form = problem->constant;
    form.constant = false;
    OwnedSystem stencil(backend(kind), Precision::fp64, problem->grid, form);
    stencil.upload(*problem);
    const OwnedSystem rows = csr_system(backend(kind), Precision::fp64, *problem);
    for (const System& system : {stencil.system(), rows.system()}) {
      const CsrMatrix<double> a = matrix_of<double>(system);
      CHECK(a.row_begin == expected.row_begin);
      CHECK(a.column == expected.column);
      CHECK(a.value == expected.value);
    }
  }
}

TEST_CASE("sorted rows have ascending columns, and entries of one place are summed", "[csr]") {
  const CsrMatrix<double> a =
      with_sorted_rows<double>({{0, 3, 3, 6}, {2, 0, 2, 1, 1, 1}, {1, 2, 4, 3, -1, 8}});
  CHECK(a.row_begin == std::vector<int>{0, 2, 2, 3});
  CHECK(a.column == std::vector<int>{0, 2, 1});
  CHECK(a.value == std::vector<double>{2, 5, 10});
}

TEST_CASE("the shape of a system says what its operator is and how many entries its matrix has", "[csr]") {
  const SystemShape rows =
      shape_of(csr_system(backend(BackendKind::serial), Precision::fp64, by_hand, {1, 2, 3}).system());
  CHECK(rows.form == OperatorForm::matrix);
  CHECK(matrix_entries(rows) == 7);
  CHECK(matrix_bytes(rows) == 7 * 12 + 4 * 4);
  const SystemShape stencil{.grid = {3, 3}};
  CHECK(stencil.form == OperatorForm::stencil);
  CHECK(matrix_entries(stencil) == 33);
}

TEST_CASE("a method that needs a matrix rejects an operator over ranks with the reason", "[csr][ranks]") {
  if constexpr (!built_with_cuda) return;
  const SolverMethod method = method_named(solver_named("cg"), BackendKind::cuda, "cusparse");
  SystemShape shape{.grid = {9, 9}};
  CHECK(method.why_unsupported(shape).empty());
  shape.form = OperatorForm::matrix, shape.matrix_entries = 100;
  CHECK(method.why_unsupported(shape).empty());
  CHECK(method.host_bytes(shape) == 0);  // the arrays are used where they are
  shape.matrix_entries = Index(1) << 31;
  CHECK_THAT(method.why_unsupported(shape), ContainsSubstring("32-bit"));
  shape.form = OperatorForm::operations;
  CHECK_THAT(method.why_unsupported(shape), ContainsSubstring("whole matrix"));
}

TEST_CASE("a dense copy holds the cells of a field without ghosts and padding, and returns them", "[csr]") {
  for (const Grid& grid : {Grid{5, 3}, Grid{4, 3, 2}, flat_grid(7), flat_grid(1024), flat_grid(2500)}) {
    INFO(name(grid));
    HostField field(grid, Precision::fp64), back(grid, Precision::fp64);
    std::vector<double> expected;
    for_each_cell(grid, false, [&](int i, int j, int k) {
      expected.push_back(noise(i, j, k, 3));
      field.set(i, j, k, expected.back());
    });
    std::vector<double> dense(expected.size());
    copy_to_dense(HostRows::shared_by(2), field.view(), dense.data());
    CHECK(dense == expected);
    copy_from_dense(HostRows(), dense.data(), back.view());
    CHECK(interior(back) == expected);
  }
}
