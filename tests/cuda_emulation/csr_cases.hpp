// Products of sparse matrices and solvers on them that run on the emulated device; the cases are shared by
// generator and test.
#pragma once

#include "kernels/csr_apply/csr_methods.hpp"
#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/refinement.hpp"
#include "tests/solvers/linear/csr_systems.hpp"
#include "tests/solvers/linear/solve.hpp"

namespace cfdmark {

// Returns a matrix of 70 rows with 0 to 36 entries, integers, so that sums are exact in any order.
inline CsrMatrix<double> uneven_matrix() {
  constexpr int rows = 70;
  CsrMatrix<double> a{{0}, {}, {}};
  for (int row = 0; row < rows; ++row) {
    for (int n = 0; n < row % 37; ++n) {
      a.column.push_back((7 * row + 3 * n) % rows);
      a.value.push_back((row + 5 * n) % 11 - 4);
    }
    a.row_begin.push_back(int(a.column.size()));
  }
  return a;
}

// Returns a matrix of 40,000 rows of three entries, integers. Some columns are beyond the reach of 16-bit
// differences, the same one several times in a group of rows, and on both sides.
inline CsrMatrix<double> far_matrix() {
  constexpr int rows = 40000;
  CsrMatrix<double> a{{0}, {}, {}};
  for (int row = 0; row < rows; ++row) {
    a.column.insert(a.column.end(), {row, (row + 1) % rows, (row / 3 * 5 + 31000) % rows});
    a.value.insert(a.value.end(), {4, -1, double(row % 7)});
    a.row_begin.push_back(int(a.column.size()));
  }
  return a;
}

// Threads of a row that are tested; the default follows from the matrix.
inline std::vector<Config> csr_configs() {
  std::vector<Config> configs = {{}};
  for (const int threads : {1, 2, 4, 8, 16, 32})
    configs.push_back({{"block_x", 64}, {"row_threads", threads}});
  return configs;
}

// Forms of a matrix under vectors of a precision.
inline std::vector<CsrForm> csr_forms(Precision p) {
  std::vector<CsrForm> forms = {{}, {.near_columns = true}};
  if (p == Precision::fp64)
    forms.insert(forms.end(),
                 {{.values_in_32_bits = true}, {.near_columns = true, .values_in_32_bits = true}});
  return forms;
}

// A matrix and two vectors on a backend; b is the right-hand side of a residual.
struct CsrProduct {
  Precision precision;
  CsrForm form;
  CsrOperator matrix;
  Field x, b, y;

  CsrProduct(Backend& on, Precision p, const CsrMatrix<double>& a, const CsrForm& f = {})
      : precision(p),
        form(f),
        matrix(on, p, a, f),
        x(on, flat_grid(a.rows()), p),
        b(on, flat_grid(a.rows()), p),
        y(on, flat_grid(a.rows()), p) {
    std::vector<double> of_x, of_b;
    for (int n = 0; n < a.rows(); ++n) of_x.push_back(n % 13 - 6), of_b.push_back(n % 5);
    x.upload(flat_field(of_x, p)), b.upload(flat_field(of_b, p));
  }
  CsrArgs args(bool residual) const {
    return matrix.args(precision, x.view(), residual ? b.view() : AnyView(), y.view());
  }
};

// Calls f(product, residual, config) for each case of a backend. Compressed forms have the default threads.
template <class F>
void for_each_csr_product(Backend& on, const F& f) {
  for (const Precision p : all_precisions)
    for (const CsrForm& form : csr_forms(p)) {
      const CsrProduct product(on, p, uneven_matrix(), form);
      for (const bool residual : {false, true})
        for (const Config& config : csr_configs())
          if (product.matrix.as_matrix() || config.text() == Config{}.text()) f(product, residual, config);
    }
}

// Calls f(product, config) for products that also give x . y.
template <class F>
void for_each_csr_dot(Backend& on, const F& f) {
  for (const Precision p : all_precisions)
    for (const CsrForm& form : csr_forms(p)) {
      const CsrProduct product(on, p, uneven_matrix(), form);
      for (const int threads : {128, 256})
        for (const int entries : {4, 8})
          f(product, Config{{"stream_threads", threads}, {"stream_entries", entries}});
    }
}

// Calls f(problem, method) for the solvers of any operator.
template <class F>
void for_each_csr_solver(BackendKind kind, const F& f) {
  for (const auto& [name, grid] : {std::pair{"jump", Grid{9, 8}}, {"manufactured", {5, 4, 3}}}) {
    const auto problem = posed(name, grid);
    for (const char* solver : {"cg", "bicgstab"})
      f(*problem, method_named(solver_named(solver), kind, "textbook"));
    f(*problem, diagonal_pcg(kind).front());
    f(*problem, passes_cg(kind).front());
  }
}

// Calls f(problem, precision) for the systems that CG in one launch is run on: three blocks or two.
template <class F>
void for_each_csr_launch(const F& f) {
  for (const auto& [name, grid] : {std::pair{"jump", Grid{9, 8}}, {"manufactured", {5, 4, 3}}})
    for (const Precision p : {Precision::fp32, Precision::fp64}) f(*posed(name, grid), p);
}

}  // namespace cfdmark
