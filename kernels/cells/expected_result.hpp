// The expected result of a reduction over cells.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/cells/timed_problem.hpp"
#include "kernels/core/reduction_operations.hpp"
#include "kernels/device/cpu/cpu_rows.hpp"

namespace cfdmark {

// Reduces the cells' numbers in extended precision. The tolerance assumes partial sums over about a row each:
// rounding errors grow like the square root of the row length, relative to the sum of magnitudes, since terms
// of both signs cancel.
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
  // Stores the expected result and its tolerance for a grid and precision.
  void expect(ExpectedScalar& scalar, Precision p, const Grid& g) const {
    const double unit = roundoff(p == Precision::fp32 ? Precision::fp32 : Precision::fp64);
    const double row = std::max(g.nx, 64);
    scalar.expected_scalar = double(result_);
    scalar.scalar_tolerance = Op::exact ? 0 : 8 * unit * std::sqrt(row) * double(magnitudes_);
  }

 private:
  long double result_ = 0, magnitudes_ = 0;
};

// Returns the threads that compute an expected result: all cores for a large grid.
inline HostRows rows_of_reference(const Grid& g) {
  return g.cells() > 10000 ? HostRows::shared_by(openmp_max_threads()) : HostRows();
}

// Returns the reduction of what add(j, k, result) adds for every row of interior cells. Rows are combined in
// order. Calls of `add` must be independent.
template <class Op, class F>
ExpectedResult<Op> joined_over_rows(const Grid& g, const F& add) {
  std::vector<ExpectedResult<Op>> rows(rows_of(g));
  rows_of_reference(g)(
      rows_of(g), [&, at = RowIndex(g)](Index row) { add(at.j(row), at.k(row), rows[std::size_t(row)]); });
  ExpectedResult<Op> all;
  for (const ExpectedResult<Op>& row : rows) all.join(row);
  return all;
}

// The same for add(i, j, k, result), called for every interior cell.
template <class Op, class F>
ExpectedResult<Op> joined_over_cells(const Grid& g, const F& add) {
  return joined_over_rows<Op>(g, [&](int j, int k, ExpectedResult<Op>& row) {
    for (int i = 0; i < g.nx; ++i) add(i, j, k, row);
  });
}

}  // namespace cfdmark
