// What the numbers of cells must join to.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/backends/timed_problem.hpp"
#include "kernels/core/reduction_operations.hpp"

namespace cfdmark {

// The numbers joined in extended precision. Rounding of a sum of n terms in parts of about a row each grows
// like the square root of the row, relative to the sum of the terms' magnitudes: terms of both signs cancel.
template <class Op>
class ExpectedResult {
 public:
  void add(long double term) {
    result_ = Op::add(result_, term);
    magnitudes_ += std::abs(term);
  }
  template <class C>
  void add(const Product<C>& p) {
    add(static_cast<long double>(p.x) * p.y);
  }
  void join(const ExpectedResult& other) {
    result_ = Op::join(result_, other.result_);
    magnitudes_ += other.magnitudes_;
  }
  // Of cells on a grid in a precision.
  void expect(ExpectedScalar& scalar, Precision p, const Grid& g) const {
    const double unit = roundoff(p == Precision::fp32 ? Precision::fp32 : Precision::fp64);
    const double row = std::max(g.nx, 64);
    scalar.expected_scalar = double(result_);
    scalar.scalar_tolerance = Op::exact ? 0 : 8 * unit * std::sqrt(row) * double(magnitudes_);
  }

 private:
  long double result_ = 0, magnitudes_ = 0;
};

// What add(i, j, k, result) adds for every interior cell: rows on all cores, if it is worth it, and joined in
// their order. `add` must not touch what another call touches.
template <class Op, class F>
ExpectedResult<Op> joined_over_cells(const Grid& g, F&& add) {
  std::vector<ExpectedResult<Op>> rows(std::size_t(g.ny) * std::size_t(g.nz));
#pragma omp parallel for collapse(2) schedule(static) if (g.cells() > 10000)
  for (int k = 0; k < g.nz; ++k)
    for (int j = 0; j < g.ny; ++j) {
      ExpectedResult<Op> row;
      for (int i = 0; i < g.nx; ++i) add(i, j, k, row);
      rows[std::size_t(k) * std::size_t(g.ny) + std::size_t(j)] = row;
    }
  ExpectedResult<Op> all;
  for (const ExpectedResult<Op>& row : rows) all.join(row);
  return all;
}

}  // namespace cfdmark
