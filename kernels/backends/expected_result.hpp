// What the numbers of cells must join to.
#pragma once

#include <algorithm>
#include <cmath>

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
  // Of cells on a grid in a precision.
  void expect(HostProblem& problem, Precision p, const Grid& g) const {
    const double unit = roundoff(p == Precision::fp32 ? Precision::fp32 : Precision::fp64);
    const double row = std::max(g.nx, 64);
    problem.expected_scalar = double(result_);
    problem.scalar_tolerance = Op::exact ? 0 : 8 * unit * std::sqrt(row) * double(magnitudes_);
  }

 private:
  long double result_ = 0, magnitudes_ = 0;
};

}  // namespace cfdmark
