// The vector passes of conjugate gradients on any operator, each value read and written once:
//
//   cg_residual    r = r - alpha q, with q = A p;   result = r . r of the new r
//   cg_solution    u = u + alpha p,   p = r + beta p
//
// Rounding matches the textbook's separate operations, so the fields have the same bits. NVRTC reads this
// file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/scalar.hpp"

namespace cfdmark {

struct CgResidual {
  using Reduction = SumOperation;
  Scalar alpha;

  template <class F>
  struct Fields {
    typename F::In q;
    typename F::InOut r;
  };
  static constexpr Fields<Names> names{"q", "r"};

  CFDMARK_FUNCTION CgResidual started() const { return {known(alpha)}; }

  template <class F>
  CFDMARK_FUNCTION Product<typename F::Number> operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C residual = multiply_add(C(-alpha.value), at.q, at.r);
    at.r = residual;
    return {residual, residual};
  }

  static CellDescription<CgResidual> description();
};

struct CgSolution {
  Scalar alpha, beta;

  template <class F>
  struct Fields {
    typename F::In r;
    typename F::InOut p, u;
  };
  static constexpr Fields<Names> names{"r", "p", "u"};

  CFDMARK_FUNCTION CgSolution started() const { return {known(alpha), known(beta)}; }

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C p = at.p;
    at.u = multiply_add(C(alpha.value), p, at.u);
    at.p = multiply_add(C(1), at.r, C(beta.value) * p);
  }

  static CellDescription<CgSolution> description();
};

}  // namespace cfdmark
