// Sparse matrices as operators: solvers that need no stencil run on them.
#include "solvers/linear/system/csr_operator.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/csr_apply/near_columns.hpp"
#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/libraries/ginkgo.hpp"
#include "solvers/linear/libraries/hypre.hpp"
#include "solvers/linear/refinement.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/csr_cases.hpp"
#include "tests/solvers/linear/csr_systems.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

// 4 1 0
// 1 3 1
// 0 1 2
const CsrMatrix<double> by_hand{{0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {4, 1, 1, 3, 1, 1, 2}};
// 4  1 0
// 2  3 1
// 0 -1 2
const CsrMatrix<double> unsymmetric{{0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {4, 1, 2, 3, 1, -1, 2}};

// Returns the matrix of n values on a diagonal.
CsrMatrix<double> diagonal_matrix(const std::vector<double>& values) {
  CsrMatrix<double> a{{0}, {}, values};
  for (int n = 0; n < int(values.size()); ++n) a.column.push_back(n), a.row_begin.push_back(n + 1);
  return a;
}

SolverMethod textbook(const char* solver, BackendKind kind) {
  return method_named(solver_named(solver), kind, "textbook");
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t n = 0; n < a.size(); ++n) most = std::max(most, std::abs(a[n] - b[n]));
  return most;
}

}  // namespace

TEST_CASE("products, residuals and diagonals of a 3x3 matrix are those worked by hand", "[csr]") {
  for (const BackendKind kind : backends_here())
    for (const Precision p : all_precisions) {
      INFO(to_string(kind) << " " << to_string(p));
      const OwnedSystem system = csr_system(backend(kind), p, by_hand, {7, 11, 9});
      Field x(backend(kind), flat_grid(3), p), y(backend(kind), flat_grid(3), p);
      x.upload(flat_field({1, 2, 3}, p));
      const Operations op(system.system(), {});
      op.apply(x.view(), y.view())();
      CHECK(interior(y.download()) == std::vector<double>{6, 10, 8});
      op.residual(x.view(), system.b().view(), y.view())();
      CHECK(interior(y.download()) == std::vector<double>{1, 1, 1});
      op.diagonal(y.view())();
      CHECK(interior(y.download()) == std::vector<double>{4, 3, 2});
      const DeviceScalar square(backend(kind));
      op.residual_square(system.u().view(), system.b().view(), square)();
      CHECK(square.get() == 49 + 121 + 81);
    }
}

TEST_CASE("CG solves a 3x3 matrix worked by hand in three iterations, and BiCGStab an unsymmetric one",
          "[csr][cg][bicgstab]") {
  for (const BackendKind kind : backends_here()) {
    INFO(to_string(kind));
    const auto solved = [&](const char* solver, const CsrMatrix<double>& a, const std::vector<double>& b) {
      const OwnedSystem system = csr_system(backend(kind), Precision::fp64, a, b);
      SolvedSystem answer = solve_system(system, textbook(solver, kind), 1e-12, 40);
      CHECK(answer.outcome.converged);
      CHECK(largest_difference(answer.u, {1, 2, 3}) <= 1e-11);
      return answer.outcome.iterations;
    };
    CHECK(solved("cg", by_hand, {6, 10, 8}) == 3);
    CHECK(solved("bicgstab", unsymmetric, {6, 11, 4}) == 3);
    for (const char* method : {"one_sum", "pipelined"}) {
      INFO(method);
      const OwnedSystem system = csr_system(backend(kind), Precision::fp64, by_hand, {6, 10, 8});
      const SolvedSystem answer =
          solve_system(system, method_named(solver_named("cg"), kind, method), 1e-12, 40);
      CHECK(answer.outcome.converged);
      CHECK(largest_difference(answer.u, {1, 2, 3}) <= 1e-11);
    }
  }
}

// Stencil and rows add the same terms in another order, so that slow solves end some iterations apart: by 1 %
// for CG, and for BiCGStab on the jump by 14 % on hosts and 45 % on an H200. Both answers are within the
// tolerance; the conditioning of these systems makes that at most 1e-8 of the largest value.
TEST_CASE("CG and BiCGStab on rows find the stencil's answer in about as many iterations, on every backend",
          "[csr][cg][bicgstab]") {
  constexpr double tolerance = 1e-10, difference = 1e-8;
  int solved = 0;
  for (const BackendKind kind : backends_here())
    for (const auto& [problem, grid] : {std::pair{"heated_plate", Grid{31, 17}},
                                        {"jump", {20, 23}},
                                        {"manufactured", {9, 8, 7}},
                                        {"insulated", {16, 12}},
                                        {"convection", {20, 18}}})
      for (const char* solver : {"cg", "bicgstab"}) {
        const auto here = posed(problem, grid);
        if (!refusal(solver_named(solver), *here->description).empty()) continue;
        INFO(to_string(kind) << " " << solver << " " << problem);
        const SolverMethod method = textbook(solver, kind);
        const Solved by_stencil = solve(solver, method, backend(kind), Precision::fp64, here,
                                        {tolerance, 2000, {{"check_interval", 1}}});
        const OwnedSystem rows = csr_system(backend(kind), Precision::fp64, *here);
        const SolvedSystem by_rows = solve_system(rows, method, tolerance);
        CHECK(by_rows.outcome.converged);
        const double spread = solver == std::string("cg") ? 0.02 : 0.6;
        CHECK(std::abs(by_rows.outcome.iterations - by_stencil.outcome.iterations) <=
              spread * by_stencil.outcome.iterations + 1);
        const std::vector<double> expected = interior(by_stencil.u);
        CHECK(largest_difference(by_rows.u, expected) <= difference * largest(expected));
        ++solved;
      }
  CHECK(solved >= 9);
}

TEST_CASE("refinement on rows reaches the tolerance of 64 bits by iterations in 32 bits", "[csr]") {
  for (const BackendKind kind : backends_here())
    for (const char* solver : {"cg", "bicgstab"}) {
      INFO(to_string(kind) << " " << solver);
      const auto problem = posed("jump", {20, 23});
      const OwnedSystem rows = csr_system(backend(kind), Precision::fp64, *problem);
      const SolverMethod method = textbook(solver, kind);
      const Config config = method.space.defaults();
      const SolvedSystem refined =
          solve_system(rows, refinement(rows.system(), method, config), {}, 1e-12, 10000);
      CHECK(refined.outcome.converged);
      const SolvedSystem direct = solve_system(rows, method, 1e-13);
      CHECK(largest_difference(refined.u, direct.u) <= 1e-9 * largest(direct.u));
    }
}

TEST_CASE("the diagonal preconditioner solves a diagonal matrix in one iteration", "[csr][cg]") {
  std::vector<double> values, b;
  for (int n = 0; n < 40; ++n) values.push_back(1 + n * n), b.push_back(2 * values.back());
  for (const BackendKind kind : backends_here()) {
    INFO(to_string(kind));
    const OwnedSystem system = csr_system(backend(kind), Precision::fp64, diagonal_matrix(values), b);
    const SolvedSystem plain = solve_system(system, textbook("cg", kind));
    CHECK(plain.outcome.iterations > 5);
    const OwnedSystem again = csr_system(backend(kind), Precision::fp64, diagonal_matrix(values), b);
    const SolvedSystem scaled = solve_system(again, diagonal_pcg(kind).front());
    CHECK(scaled.outcome.converged);
    CHECK(scaled.outcome.iterations == 1);
    CHECK(largest_difference(scaled.u, std::vector<double>(40, 2)) <= 1e-12);
  }
}

TEST_CASE("the diagonal of a stencil is that of its matrix, constant or in arrays", "[csr]") {
  for (const BackendKind kind : backends_here())
    for (const auto& [name, grid] : {std::pair{"heated_plate", Grid{7, 5}},
                                     {"jump", {6, 4}},
                                     {"manufactured", {4, 3, 5}},
                                     {"jump", {3, 4, 5}}}) {
      INFO(to_string(kind) << " " << name);
      const auto problem = posed(name, grid);
      Operator form = problem->constant;
      form.constant = problem->coefficients.empty();
      OwnedSystem stencil(backend(kind), Precision::fp64, grid, form);
      stencil.upload(*problem);
      const Field d(backend(kind), grid, Precision::fp64);
      Operations(stencil.system(), {}).diagonal(d.view())();
      const OwnedSystem rows = csr_system(backend(kind), Precision::fp64, *problem);
      const Field e(backend(kind), rows.system().grid(), Precision::fp64);
      Operations(rows.system(), {}).diagonal(e.view())();
      CHECK(interior(d.download()) == interior(e.download()));
    }
}

TEST_CASE("a zero on the diagonal is an error of the diagonal preconditioner", "[csr]") {
  const OwnedSystem system =
      csr_system(backend(BackendKind::serial), Precision::fp64, diagonal_matrix({1, 0}), {1, 1});
  CHECK_THROWS_WITH(solve_system(system, diagonal_pcg(BackendKind::serial).front()),
                    ContainsSubstring("without zeros on its diagonal"));
}

TEST_CASE("methods that read a stencil reject matrices with the reason, and all others take them", "[csr]") {
  const OwnedSystem rows = csr_system(backend(BackendKind::serial), Precision::fp64, by_hand, {1, 2, 3});
  const SystemShape shape = shape_of(rows.system());
  std::vector<std::string> able;
  for (const SolverDescription& solver : solver_table())
    for (const SolverMethod& method : solver.methods(BackendKind::serial)) {
      const std::string reason = method.why_unsupported(shape);
      if (reason.empty())
        able.push_back(solver.name + "/" + method.name);
      else if (method.prepare)
        CHECK_THAT(reason, ContainsSubstring("only stencils are supported"));
    }
  std::vector<std::string> expected{"cg/textbook", "cg/one_sum", "cg/pipelined", "bicgstab/textbook"};
  if (!hypre_version().empty()) expected.insert(expected.end(), {"hypre/boomeramg_cg", "hypre/boomeramg"});
  if (!ginkgo_version().empty()) expected.insert(expected.end(), {"ginkgo/amg_cg", "ginkgo/cg"});
  CHECK(able == expected);
  CHECK_THROWS_AS(rows.system().stencil(), std::logic_error);
}

TEST_CASE("a matrix that is not in order is an error", "[csr]") {
  Backend& serial = backend(BackendKind::serial);
  const auto make = [&](const CsrMatrix<double>& a) { CsrOperator(serial, Precision::fp64, a); };
  CHECK_NOTHROW(make(by_hand));
  CHECK_THROWS_WITH(make({{0, 1, 2}, {0, 2}, {1, 1}}), ContainsSubstring("row 1 has an entry in column 2"));
  CHECK_THROWS_WITH(make({{0, 2, 1}, {0}, {1}}), ContainsSubstring("row 1 ends before it begins"));
  CHECK_THROWS_AS(make({{0, 1}, {0}, {1, 1}}), std::invalid_argument);
}

TEST_CASE("a vector that does not fit a matrix is an error", "[csr]") {
  Backend& serial = backend(BackendKind::serial);
  const OwnedSystem rows = csr_system(serial, Precision::fp64, by_hand, {1, 2, 3});
  const Field box(serial, {3, 1}, Precision::fp64), longer(serial, {4, 1}, Precision::fp64);
  const Operations op(rows.system(), {});
  CHECK_NOTHROW(op.apply(box.view(), rows.u().view()));
  CHECK_THROWS_WITH(op.apply(longer.view(), rows.u().view()), ContainsSubstring("matrix of 3 rows"));
}

TEST_CASE("a product of rows has the same bits on serial, openmp and kokkos", "[csr]") {
  const auto problem = posed("jump", {33, 21});
  for (const Precision p : all_precisions) {
    std::vector<double> expected;
    for (const BackendKind kind : backends_here()) {
      if (kind == BackendKind::cuda) continue;
      INFO(to_string(kind) << " " << to_string(p));
      const OwnedSystem rows = csr_system(backend(kind), p, *problem);
      const Field y(backend(kind), rows.system().grid(), p);
      Operations(rows.system(), {}).apply(rows.b().view(), y.view())();
      const std::vector<double> product = interior(y.download());
      if (expected.empty()) expected = product;
      CHECK(product == expected);
      CHECK(largest(product) > 0);
    }
  }
}

TEST_CASE("the threads of a row are the mean number of entries, rounded down to a power of two", "[csr]") {
  CHECK(usual_row_threads(100, 0) == 1);
  CHECK(usual_row_threads(100, 499) == 4);
  CHECK(usual_row_threads(100, 800) == 8);
  CHECK(usual_row_threads(100, 100000) == 32);
}

TEST_CASE("columns in 16 bits are differences from a group of rows, and far ones are listed once a group",
          "[csr]") {
  // Group 0 has rows 0 to 255: code 0 is column 128 - 28672, and 28799 is the last near column.
  constexpr int rows = 60000;
  std::vector<int> begin(rows + 1, 7), column = {0, 28799, 28800, 59999, 28800, 300, 1};
  begin[0] = 0, begin[1] = 3;
  for (int row = 2; row <= 255; ++row) begin[std::size_t(row)] = 5;
  // Row 255 has entries 5 and 6, row 256 of the next group none.
  HostNearColumns near = near_columns(begin, column);
  CHECK(near.code == std::vector<unsigned short>{28544, 57343, 57344, 57345, 57344, 28844, 28545});
  CHECK(near.far == std::vector<int>{28800, 59999});
  REQUIRE(near.first_far.size() == 235);
  CHECK(near.first_far[0] == 0);
  CHECK(near.first_far[1] == 2);
  const NearColumns columns{near.code.data(), near.first_far.data(), near.far.data()};
  for (std::size_t at = 0; at < column.size(); ++at)
    CHECK(columns.group_of(at < 3 ? 0 : at < 5 ? 1 : 255).column(near.code[at]) == column[at]);
}

TEST_CASE("a group of rows with more far columns than codes is an error that names rows and remedies",
          "[csr]") {
  constexpr int rows = 60000;
  const auto matrix = [](int far) {
    CsrMatrix<double> a{std::vector<int>(rows + 1, far), {}, std::vector<double>(std::size_t(far), 1)};
    for (int row = 0; row <= 300; ++row) a.row_begin[std::size_t(row)] = 0;  // all entries in row 300
    for (int n = 0; n < far; ++n) a.column.push_back(rows - 1 - n);
    return a;
  };
  const CsrForm near{.near_columns = true};
  Backend& serial = backend(BackendKind::serial);
  CHECK_NOTHROW(CsrOperator(serial, Precision::fp64, matrix(NearColumns::far_codes), near));
  CHECK_THROWS_WITH(CsrOperator(serial, Precision::fp64, matrix(NearColumns::far_codes + 1), near),
                    ContainsSubstring("rows 256 to 511") && ContainsSubstring("8193 different columns") &&
                        ContainsSubstring("rcm"));
}

TEST_CASE("compressed rows give the bits of full ones if the values have 32 bits, and round them else",
          "[csr]") {
  CsrMatrix<double> exact = far_matrix(), rounded = exact;
  for (double& value : exact.value) value += 1.0 / 3;
  for (std::size_t at = 0; at < exact.value.size(); ++at) rounded.value[at] = double(float(exact.value[at]));
  for (const BackendKind kind : backends_here()) {
    const auto product = [&](const CsrMatrix<double>& a, const CsrForm& form) {
      const CsrProduct made(backend(kind), Precision::fp64, a, form);
      const auto methods = csr_methods(kind);
      const CsrArgs args = made.args(true);
      const Method<CsrArgs>& method = default_method(methods, args);
      method.prepare(backend(kind), args, method.space.complete({})).run();
      return interior(made.y.download());
    };
    INFO(to_string(kind));
    const std::vector<double> of_rounded = product(rounded, {}), of_exact = product(exact, {});
    CHECK(of_rounded != of_exact);
    CHECK(product(exact, {.near_columns = true}) == of_exact);
    CHECK(product(exact, {.values_in_32_bits = true}) == of_rounded);
    CHECK(product(exact, {.near_columns = true, .values_in_32_bits = true}) == of_rounded);
    const CsrOperator narrow(backend(kind), Precision::fp64, exact, {.values_in_32_bits = true});
    CHECK(narrow.as_matrix() == nullptr);  // libraries take full rows
  }
}

TEST_CASE("a product of rows moves each value, column and vector once", "[csr]") {
  CsrArgs args{.precision = Precision::fp64, .rows = 10, .entries = 50};
  CHECK(csr_cost(args).bytes == 50 * 12 + 11 * 4 + 20 * 8);
  CHECK(csr_cost(args).flops == 100);
  double b = 0;
  args.b.origin = &b;
  CHECK(csr_cost(args).bytes == 50 * 12 + 11 * 4 + 30 * 8);
  args.values_in_32_bits = true;
  CHECK(csr_cost(args).bytes == 50 * 8 + 11 * 4 + 30 * 8);
  const unsigned short code = 0;
  args.near.stored = &code, args.far_columns = 3;  // and the list of one group
  CHECK(csr_cost(args).bytes == 50 * 6 + 4 * 4 + 11 * 4 + 30 * 8);
  CHECK(csr_cost(args).flops == 110);
}
