#include "solvers/linear/system/csr.hpp"

#include <vector>

#include "kernels/cells/operator_problem.hpp"
#include "solvers/problems/problem.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

using Rows = std::vector<std::vector<double>>;

Rows dense(const CsrMatrix<double>& a) {
  Rows rows(a.rows(), std::vector<double>(a.rows()));
  for (int row = 0; row < a.rows(); ++row)
    for (int at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at) rows[row][a.column[at]] += a.value[at];
  return rows;
}

std::vector<double> times(const CsrMatrix<double>& a, const std::vector<double>& u) {
  std::vector<double> product(a.rows());
  for (int row = 0; row < a.rows(); ++row)
    for (int at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at)
      product[row] += a.value[at] * u[a.column[at]];
  return product;
}

// Returns the operator of a problem; it refers to the problem's arrays.
Operator operator_of(const LinearProblem& p) {
  std::vector<AnyView> views;
  for (const HostField& c : p.coefficients) views.push_back(c.view());
  return views.empty() ? p.constant : operator_over(views, 0, p.grid);
}

}  // namespace

TEST_CASE("the matrix of a 3x3 Laplace problem is the one worked by hand", "[csr]") {
  const CsrMatrix<double> a = assemble_csr<double>({3, 3}, timed_constant_operator({3, 3}));
  REQUIRE(a.row_begin == std::vector<int>{0, 3, 7, 10, 14, 19, 23, 26, 30, 33});
  const Rows expected = {
      {4, -1, 0, -1, 0, 0, 0, 0, 0},  {-1, 4, -1, 0, -1, 0, 0, 0, 0},  {0, -1, 4, 0, 0, -1, 0, 0, 0},
      {-1, 0, 0, 4, -1, 0, -1, 0, 0}, {0, -1, 0, -1, 4, -1, 0, -1, 0}, {0, 0, -1, 0, -1, 4, 0, 0, -1},
      {0, 0, 0, -1, 0, 0, 4, -1, 0},  {0, 0, 0, 0, -1, 0, -1, 4, -1},  {0, 0, 0, 0, 0, -1, 0, -1, 4}};
  REQUIRE(dense(a) == expected);
}

TEST_CASE("the columns of a row ascend and are complete, in 2-D and 3-D", "[csr]") {
  for (const Grid& g : {Grid{1, 1}, Grid{5, 3}, Grid{1, 4}, Grid{4, 3, 5}, Grid{1, 1, 3}}) {
    const CsrMatrix<double> a = assemble_csr<double>(g, timed_constant_operator(g));
    REQUIRE(a.rows() == g.cells());
    REQUIRE(a.entries() == csr_entries(g));
    for (int row = 0; row < a.rows(); ++row)
      for (int at = a.row_begin[row] + 1; at < a.row_begin[row + 1]; ++at)
        REQUIRE(a.column[at - 1] < a.column[at]);
  }
}

TEST_CASE("a row of a 3-D Laplace matrix sums to the number of its neighbours on the boundary", "[csr]") {
  const Grid g{3, 3, 3};
  const std::vector<double> sums =
      times(assemble_csr<double>(g, timed_constant_operator(g)), std::vector<double>(27, 1));
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) REQUIRE(sums[(k * 3 + j) * 3 + i] == (i != 1) + (j != 1) + (k != 1));
}

TEST_CASE("a stretched grid has its weights in the right directions", "[csr]") {
  Operator a;
  a.wx = 1, a.wy = 2, a.wz = 3, a.centre = 12;
  const Rows rows = dense(assemble_csr<double>({2, 2, 2}, a));
  REQUIRE(rows[0] == std::vector<double>{12, -1, -2, 0, -3, 0, 0, 0});
  REQUIRE(rows[7] == std::vector<double>{0, 0, 0, -3, 0, -2, -1, 12});
}

TEST_CASE("the matrix with the boundary on the right-hand side gives the stencil's residual", "[csr]") {
  // r = b - A u with boundary values in the ghosts equals (b - A 0 with the same ghosts) - matrix times u.
  for (const auto& posed : {std::pair{"heated_plate", Grid{7, 5}},
                            {"jump", Grid{6, 4}},
                            {"manufactured", Grid{4, 3, 5}},
                            {"jump", Grid{3, 4, 5}}}) {
    const std::string name = posed.first;
    const Grid grid = posed.second;
    const LinearProblem problem = make_problem(name, grid);
    const Operator a = operator_of(problem);
    HostField u = problem.initial;
    std::vector<double> values;
    for_each_cell(grid, false, [&](int i, int j, int k) {
      values.push_back(noise(i, j, k, 1));
      u.set(i, j, k, values.back());
    });
    const std::vector<double> product = times(assemble_csr<double>(grid, a), values);
    with_operator(Precision::fp64, a, grid, [&]<class S, class C, int dims>(const auto& typed) {
      if constexpr (std::is_same_v<S, double>) {
        auto residual = [&](const HostField& at, int i, int j, int k) {
          return stencil_residual<dims, double>(
              typed.template at<dims>(i, j, k),
              Neighbourhood<double, double>(at.view().as<const double>(), i, j, k), problem.b.get(i, j, k));
        };
        std::size_t row = 0;
        for_each_cell(grid, false, [&](int i, int j, int k) {
          INFO(name << " " << i << " " << j << " " << k);
          const double with_boundary = residual(problem.initial, i, j, k);
          REQUIRE(with_boundary - product[row++] ==
                  Approx(residual(u, i, j, k)).epsilon(1e-10).margin(1e-10));
        });
      }
    });
  }
}

TEST_CASE("in 32 bits the matrix has the values of the 32-bit operator", "[csr]") {
  const LinearProblem problem = make_problem("heated_plate", {5, 3});
  const CsrMatrix<float> a = assemble_csr<float>(problem.grid, problem.constant);
  REQUIRE(a.value[0] == float(problem.constant.centre));
  REQUIRE(a.value[2] == -float(problem.constant.wy));
}

TEST_CASE("a matrix that 32 bits cannot count is an error before it is allocated", "[csr]") {
  REQUIRE(csr_fits({20000, 20000}));
  const Grid too_large{21000, 21000};
  REQUIRE_FALSE(csr_fits(too_large));
  REQUIRE_THROWS_AS(assemble_csr<double>(too_large, timed_constant_operator(too_large)), std::length_error);
}
